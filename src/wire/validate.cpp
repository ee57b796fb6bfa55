#include "gdvar/wire/validate.hpp"

#include <algorithm>
#include <bit>

#include "gdvar/wire/encoder.hpp"
#include "gdvar/wire/packed.hpp"

namespace gdvar {
namespace {

struct KeyRange {
    std::uint64_t hash;
    std::uint32_t dictionary;
    std::uint32_t order;
    std::uint64_t begin, end;
};

/// Writes a key the way that makes equal keys equal bytes: what merges is made the same at the top
/// level; below it, only what compares equal there.
class KeyWriter : public Encoder<BufferOutput> {
    using Base = Encoder<BufferOutput>;

public:
    KeyWriter(BufferOutput& out, const EncodeOptions& options) : Base(out, options) {}
    bool mergeable() const noexcept { return mergeable_; }

    Errc real(double value) {
        const bool top = std::exchange(top_, false);
        if (value == 0) value = 0.0;
        if (value != value) {
            // A NaN inside an Array equals no other in Godot 4, and any other in Godot 3.
            if (!top) mergeable_ = false;
            value = std::numeric_limits<double>::quiet_NaN();
        }
        return Base::real(value);
    }
    Errc string_name(std::string_view text) {
        return std::exchange(top_, false) ? Base::string(text) : Base::string_name(text);
    }
    Errc begin_array(Type, const ContainerType&, std::uint32_t count) {
        top_ = false;
        return Base::begin_array(Type::array, {}, count);
    }
    Errc begin_dictionary(const ContainerType&, const ContainerType&, std::uint32_t count) {
        top_ = false;
        return Base::begin_dictionary({}, {}, count);
    }
    // Objects are the same only when they are one; read from a packet, they never are.
    Errc object_id(std::uint64_t) {
        mergeable_ = false;
        return Errc::ok;
    }
    Errc begin_object(std::string_view, std::uint32_t) {
        mergeable_ = false;
        return Errc::misplaced;
    }
    Errc object_null() { return Base::nil(); }

private:
    bool top_ = true;
    bool mergeable_ = true;
};

/// Collects where each Dictionary's keys begin and end.
class KeyFinder : public NullSink {
public:
    explicit KeyFinder(PackedArray<KeyRange>& keys) : keys_(keys) {}

    void at(std::size_t offset) { here_ = offset; }
    Errc nil() { return value(); }
    Errc boolean(bool) { return value(); }
    Errc integer(std::int64_t) { return value(); }
    Errc real(double) { return value(); }
    Errc string(std::string_view) { return value(); }
    Errc string_name(std::string_view) { return value(); }
    Errc math(const MathView&) { return value(); }
    Errc node_path(const NodePathView&) { return value(); }
    Errc rid(std::uint64_t) { return value(); }
    Errc object_null() { return value(); }
    Errc object_id(std::uint64_t) { return value(); }
    Errc callable() { return value(); }
    Errc signal(std::string_view, std::uint64_t) { return value(); }
    Errc packed(const PackedView&) { return value(); }
    Errc image(const ImageView&) { return value(); }
    Errc input_event(const InputEventView&) { return value(); }
    Errc begin_object(std::string_view, std::uint32_t) { return open(false); }
    Errc begin_array(Type, const ContainerType&, std::uint32_t) { return open(false); }
    Errc begin_packed_strings(std::uint32_t) { return open(false); }
    Errc begin_dictionary(const ContainerType&, const ContainerType&, std::uint32_t) {
        return open(true);
    }
    Errc end() {
        stack_.pop();
        return Errc::ok;
    }

private:
    static constexpr std::uint32_t none = UINT32_MAX;
    struct Open {
        std::uint32_t dictionary;  ///< number of this Dictionary, or none
        std::uint32_t key;         ///< the key waiting for its end, or none
        bool at_value;
    };

    Errc value() {
        if (stack_.empty() || stack_.top().dictionary == none) return Errc::ok;
        Open& open = stack_.top();
        open.at_value = !open.at_value;
        if (!open.at_value) {  // this is the value: the key ended where it begins
            keys_[open.key].end = here_;
            return Errc::ok;
        }
        open.key = static_cast<std::uint32_t>(keys_.size());
        if (!keys_.try_grow(keys_.size() + 1)) return Errc::no_memory;
        keys_.push_back({0, open.dictionary, open.key, here_, here_});
        return Errc::ok;
    }
    Errc open(bool dictionary) {
        if (const Errc code = value(); code != Errc::ok) return code;
        return stack_.push({dictionary ? dictionaries_++ : none, none, false}) ? Errc::ok
                                                                             : Errc::no_memory;
    }

    PackedArray<KeyRange>& keys_;
    detail::FrameStack<Open, 32> stack_;
    std::size_t here_ = 0;
    std::uint32_t dictionaries_ = 0;
};

std::uint64_t hash_of(const PackedByteArray& bytes) noexcept {
    std::uint64_t hash = 0xCBF2'9CE4'8422'2325u;
    for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100'0000'01B3u;
    return hash ^ hash >> 29;
}

/// The key's bytes made comparable; false when the key can't equal any other.
std::expected<bool, Errc> normalise(PackedByteArray& to, ByteView packet, const KeyRange& key,
                                    const DecodeOptions& options) {
    to.clear();
    BufferOutput output(to);
    const EncodeOptions encoding{.dialect = options.dialect,
                                 .allow_objects = options.allow_objects,
                                 .real_width = options.real_width,
                                 .max_depth = UINT32_MAX};
    KeyWriter writer(output, encoding);
    auto bytes = packet.subspan(static_cast<std::size_t>(key.begin),
                                static_cast<std::size_t>(key.end - key.begin));
    auto done = read(bytes, options, writer);
    if (!done && done.error().code == Errc::no_memory) return std::unexpected(Errc::no_memory);
    return done && writer.mergeable();
}

}  // namespace

std::expected<std::size_t, Error> validate(ByteView bytes, const DecodeOptions& options) {
    NullSink nothing;
    // Returned where it is made: an `expected` that is copied is read in wider words than it was
    // written, for which a processor waits longer than a small packet takes.
    if (!options.strict) return read(bytes, options, nothing);
    auto size = read(bytes, options, nothing);
    if (size)
        if (auto clash = check_keys(bytes.first(*size), options); !clash)
            return std::unexpected(clash.error());
    return size;
}

std::expected<void, Error> check_keys(ByteView packet, const DecodeOptions& options) {
    const auto no_memory = std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
    DecodeOptions plain = options;
    plain.strict = false;
    plain.limits = {UINT32_MAX, UINT64_MAX, UINT64_MAX};
    PackedArray<KeyRange> keys;
    KeyFinder finder(keys);
    if (auto done = read(packet, plain, finder); !done) return std::unexpected(done.error());
    PackedByteArray bytes, other;
    std::size_t kept = 0;
    for (const KeyRange& key : keys) {
        auto comparable = normalise(bytes, packet, key, plain);
        if (!comparable) return no_memory;
        if (!*comparable) continue;
        keys[kept] = key;
        keys[kept++].hash = hash_of(bytes);
    }
    keys.set_size(kept);
    std::sort(keys.begin(), keys.end(), [](const KeyRange& a, const KeyRange& b) {
        if (a.dictionary != b.dictionary) return a.dictionary < b.dictionary;
        return a.hash != b.hash ? a.hash < b.hash : a.order < b.order;
    });
    const KeyRange* first = nullptr;
    for (std::size_t i = 1; i < kept; ++i) {
        const KeyRange &a = keys[i - 1], &b = keys[i];
        if (a.dictionary != b.dictionary || a.hash != b.hash) continue;
        if (!normalise(bytes, packet, a, plain) || !normalise(other, packet, b, plain))
            return no_memory;
        if (bytes == other && (!first || b.begin < first->begin)) first = &b;
    }
    if (!first) return {};
    return std::unexpected(Error{Errc::duplicate_key, Type::dictionary, first->begin, 0});
}

}  // namespace gdvar
