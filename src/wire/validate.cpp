#include "gdvar/wire/validate.hpp"

#include <algorithm>
#include <tuple>

#include "base/sort.hpp"
#include "wire/key_hash.hpp"
#include "wire/repeated_keys.hpp"

namespace gdvar {
namespace {

using detail::KeyHash;

struct Key {
    static constexpr std::uint64_t no_dictionary = UINT64_MAX;
    detail::Digest digest;
    std::uint64_t begin;
    std::uint64_t dictionary;  ///< offset of the Dictionary; `no_dictionary`: the key never merges
};

/// Collects the keys of every Dictionary with their digests. A key inside a key is hashed as a part
/// of it.
class KeyFinder : public NullSink {
public:
    KeyFinder(PackedArray<Key>& keys, const detail::KeyRules& rules)
        : keys_(keys), whole_(rules), alone_(rules) {}

    void at(std::size_t offset) { here_ = offset; }
    Errc nil() {
        return leaf([](KeyHash& to) { return to.nil(); });
    }
    Errc boolean(bool v) {
        return leaf([=](KeyHash& to) { return to.boolean(v); });
    }
    Errc integer(std::int64_t v) {
        return leaf([=](KeyHash& to) { return to.integer(v); });
    }
    Errc real(double v) {
        return leaf([=](KeyHash& to) { return to.real(v); });
    }
    Errc string(std::string_view v) {
        return leaf([=](KeyHash& to) { return to.string(v); });
    }
    Errc string_name(std::string_view v) {
        return leaf([=](KeyHash& to) { return to.string_name(v); });
    }
    Errc math(const MathView& v) {
        return leaf([&](KeyHash& to) { return to.math(v); });
    }
    Errc node_path(const NodePathView& v) {
        return leaf([&](KeyHash& to) { return to.node_path(v); });
    }
    Errc rid(std::uint64_t v) {
        return leaf([=](KeyHash& to) { return to.rid(v); });
    }
    Errc object_null() { return object_id(0); }
    Errc object_id(std::uint64_t v) {
        return leaf([=](KeyHash& to) { return to.object_id(v); });
    }
    Errc callable() {
        return leaf([](KeyHash& to) { return to.callable(); });
    }
    Errc signal(std::string_view name, std::uint64_t object) {
        return leaf([=](KeyHash& to) { return to.signal(name, object); });
    }
    Errc packed(const PackedView& v) {
        return leaf([&](KeyHash& to) { return to.packed(v); });
    }
    Errc image(const ImageView& v) {
        return leaf([&](KeyHash& to) { return to.image(v); });
    }
    Errc input_event(const InputEventView& v) {
        return leaf([&](KeyHash& to) { return to.input_event(v); });
    }

    Errc begin_object(std::string_view name, std::uint32_t n) {
        return open(false, [=](KeyHash& to) { return to.begin_object(name, n); });
    }
    Errc property(std::string_view name) {
        return whole_.open() ? whole_.property(name) : Errc::ok;
    }
    Errc begin_array(Type type, const ContainerType& element, std::uint32_t n) {
        return open(false, [&](KeyHash& to) { return to.begin_array(type, element, n); });
    }
    Errc begin_packed_strings(std::uint32_t n) {
        return open(false, [=](KeyHash& to) { return to.begin_packed_strings(n); });
    }
    Errc packed_string(std::string_view text) {
        return whole_.open() ? whole_.packed_string(text) : Errc::ok;
    }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value, std::uint32_t n) {
        return open(true, [&](KeyHash& to) { return to.begin_dictionary(key, value, n); });
    }
    Errc end() {
        const Open ended = stack_.pop();
        if (!whole_.open())
            return Errc::ok;
        const Errc code = whole_.end();
        if (ended.key != none)
            settle(ended.key, whole_);
        return code;
    }

private:
    static constexpr std::uint32_t none = UINT32_MAX;
    struct Open {
        std::uint64_t dictionary;  ///< offset of this Dictionary, or `Key::no_dictionary`
        std::uint32_t key;         ///< the number of this container as a key, or none
        bool at_value;
    };

    /// Sets `is_key` if the value that begins here is a key, then `keys_.back()`.
    Errc next(bool& is_key) {
        is_key = false;
        if (stack_.empty() || stack_.top().dictionary == Key::no_dictionary)
            return Errc::ok;
        Open& around = stack_.top();
        is_key = !around.at_value;
        around.at_value = is_key;
        if (!is_key)
            return Errc::ok;
        if (!keys_.try_grow(keys_.size() + 1))
            return Errc::no_memory;
        keys_.push_back({{}, here_, around.dictionary});
        return Errc::ok;
    }
    void settle(std::size_t number, const KeyHash& hash) {
        keys_[number].digest = hash.digest();
        if (!hash.identity().merges())
            keys_[number].dictionary = Key::no_dictionary;
    }

    template <class Add>
    Errc leaf(Add&& add) {
        bool is_key = false;
        if (const Errc code = next(is_key); code != Errc::ok)
            return code;
        if (!is_key)
            return whole_.open() ? add(whole_) : Errc::ok;
        if (const Errc code = add(alone_); code != Errc::ok)
            return code;
        settle(keys_.size() - 1, alone_);
        // A key inside a key is hashed as a key, too: there a String and a StringName are equal.
        if (whole_.open())
            whole_.add(alone_.identity());
        return Errc::ok;
    }
    template <class Begin>
    Errc open(bool dictionary, Begin&& begin) {
        bool is_key = false;
        if (const Errc code = next(is_key); code != Errc::ok)
            return code;
        const std::uint32_t key = is_key ? static_cast<std::uint32_t>(keys_.size() - 1) : none;
        if (!stack_.push({dictionary ? here_ : Key::no_dictionary, key, false}))
            return Errc::no_memory;
        return is_key || whole_.open() ? begin(whole_) : Errc::ok;
    }

    PackedArray<Key>& keys_;
    detail::EntryStack<Open, 32> stack_;
    KeyHash whole_, alone_;
    std::size_t here_ = 0;
};

/// Every key that may merge. Equal keys are adjacent, in the order of the bytes.
std::expected<PackedArray<Key>, Error> sorted_keys(ByteView packet, const DecodeOptions& options) {
    DecodeOptions lenient = options;
    lenient.strict = false;
    lenient.limits = {UINT32_MAX, UINT64_MAX, UINT64_MAX};
    PackedArray<Key> keys;
    KeyFinder finder(keys, detail::key_rules(options.dialect->family));
    if (auto done = read(packet, lenient, finder); !done)
        return std::unexpected(done.error());
    const auto whole = [](const Key& key) {
        return std::tie(key.dictionary, key.digest, key.begin);
    };
    const auto less = [&](const Key& a, const Key& b) { return whole(a) < whole(b); };
    if constexpr (detail::small_build) {  // std::sort takes five times as much code
        std::make_heap(keys.begin(), keys.end(), less);
        std::sort_heap(keys.begin(), keys.end(), less);
    } else {
        detail::sort(keys, less);
    }
    const Key* end = keys.end();
    while (end != keys.begin() && end[-1].dictionary == Key::no_dictionary)
        --end;
    keys.set_size(static_cast<std::size_t>(end - keys.begin()));
    return keys;
}

/// The digests have 128 bits and a secret key, so equal digests mean equal keys.
bool same(const Key& a, const Key& b) noexcept {
    return a.dictionary == b.dictionary && a.digest == b.digest;
}

/// The sorted keys that `wanted` selects, in the order of the bytes.
template <class Wanted>
std::expected<PackedArray<detail::RepeatedKey>, Error> repeated(ByteView packet,
                                                                const DecodeOptions& options,
                                                                Wanted wanted) {
    const auto keys = sorted_keys(packet, options);
    if (!keys)
        return std::unexpected(keys.error());
    PackedArray<detail::RepeatedKey> out;
    for (const Key* key = keys->begin(); key != keys->end(); ++key)
        if (wanted(key, *keys)) {
            if (!out.try_grow(out.size() + 1))
                return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
            out.push_back({key->begin, key->dictionary});
        }
    detail::sort(out, [](const detail::RepeatedKey& a, const detail::RepeatedKey& b) {
        return a.begin < b.begin;
    });
    return out;
}

}  // namespace

std::expected<std::size_t, Error> validate(ByteView bytes, const DecodeOptions& options) {
    NullSink nothing;
    // Returned where it is made: a copied `expected` is read in wider words than it was written,
    // and a processor waits longer for that than a small packet takes.
    if (!options.strict)
        return read(bytes, options, nothing);
    auto size = read(bytes, options, nothing);
    if (size)
        if (auto clash = check_keys(bytes.first(*size), options); !clash)
            return std::unexpected(clash.error());
    return size;
}

std::expected<void, Error> check_keys(ByteView packet, const DecodeOptions& options) {
    const auto keys = sorted_keys(packet, options);
    if (!keys)
        return std::unexpected(keys.error());
    const Key* first = nullptr;
    for (const Key* key = keys->begin(); key != keys->end(); ++key)
        if (key != keys->begin() && same(key[-1], *key) && (!first || key->begin < first->begin))
            first = key;
    if (!first)
        return {};
    return std::unexpected(Error{Errc::duplicate_key, Type::dictionary, first->begin, 0});
}

std::expected<PackedArray<detail::RepeatedKey>, Error> detail::replaced_keys(
    ByteView packet, const DecodeOptions& options) {
    return repeated(packet, options, [](const Key* key, const PackedArray<Key>& keys) {
        return key + 1 != keys.end() && same(*key, key[1]);
    });
}

std::expected<PackedArray<detail::RepeatedKey>, Error> detail::merged_keys(
    ByteView packet, const DecodeOptions& options) {
    return repeated(packet, options, [](const Key* key, const PackedArray<Key>& keys) {
        return key != keys.begin() && same(key[-1], *key);
    });
}

}  // namespace gdvar
