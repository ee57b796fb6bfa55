#include "gdvar/wire/evidence.hpp"

#include <algorithm>
#include <cmath>

#include "gdvar/wire/reader.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar {
namespace {

// Weights, roughly in bits. A header that fits is one of a few dozen among 2^32. It counts much
// less than that, so that an accidental match does not outweigh the values after it.
constexpr int header_fits = 16;
constexpr int nothing_left = 48;
constexpr int breaks = -12;
constexpr int most_left_over = 64;
constexpr int goes_astray = -36;
constexpr int odd = -30;
constexpr int most_of_text = 24;
constexpr std::size_t most_looked_at = 24;  ///< elements of a packed array

/// Tells numbers of games from those that result when counts, ids or text are read as floats.
int of_real(double value) noexcept {
    const double size = std::fabs(value);
    if (size == 0 || (size >= 1e-6 && size <= 1e9))
        return 4;
    if (size >= 1e-20 && size <= 1e20)
        return 0;
    return std::isfinite(value) ? -16 : -2;
}

int of_text(std::string_view text) noexcept {
    const std::size_t looked_at = std::min<std::size_t>(text.size(), 256);
    int controls = 0;
    for (const char c : text.substr(0, looked_at)) {
        const auto byte = static_cast<unsigned char>(c);
        controls += (byte < 0x20 && byte != '\n' && byte != '\t' && byte != '\r') || byte == 0x7F;
    }
    const int good = static_cast<int>(looked_at) - controls;
    return std::min(good, most_of_text) - std::min(8 * controls, 64);
}

bool is_name(std::string_view text) noexcept {
    return !text.empty() && text.size() < 200 &&
           std::all_of(
               text.begin(), text.end(),
               [](char c) {
                   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '_' || c == '/' || c == '.' || c == ':' ||
                          c == '-' || (c & 0x80);
               });
}

class Weigher : public NullSink {
public:
    static constexpr bool reads_to_the_break = true;
    std::int64_t score = 0;
    std::int64_t peak = 0;     ///< the highest score so far
    std::int64_t against = 0;  ///< the part of the score that oddities and values lower
    std::size_t oddities = 0;
    std::uint64_t values_left;

    Weigher(std::uint64_t most, std::uint64_t closed_from)
        : values_left(most), closed_from_(closed_from) {}

    void at(std::size_t offset) { here_ = offset; }

    void quirk(Quirk quirk, std::size_t) {
        const Errc strict = strict_code(quirk);
        // Most engines leave random bytes in padding, so these say little.
        if (strict == Errc::nonzero_padding)
            count(-4);
        else if (quirk == Quirk::embedded_nul || quirk == Quirk::lenient_text)
            count(-12);
        else if (strict != Errc::ok)
            ++oddities, count(odd);
    }
    Errc nil() {
        score -= header_fits;  // zeros are common
        return add(Type::nil, 0);
    }
    Errc boolean(bool) { return add(Type::boolean, 8); }
    Errc integer(std::int64_t v) {
        return add(Type::integer, v > -(1 << 20) && v < (1 << 20) ? 4 : 0);
    }
    Errc real(double v) { return add(Type::real, of_real(v)); }
    Errc string(std::string_view v) { return add(Type::string, of_text(v)); }
    Errc string_name(std::string_view v) { return add(Type::string_name, of_text(v)); }
    Errc math(const MathView& v) {
        int sum = 0;
        if (!v.integral())
            for (std::size_t i = 0; i < v.components(); ++i)
                sum += of_real(v.real(i));
        return add(v.type, std::clamp(sum, -60, 16));
    }
    Errc node_path(const NodePathView& v) {
        int sum = 0;
        std::size_t names = 0;
        v.each([&](std::string_view name, bool) {
            if (names++ < most_looked_at)
                sum += of_text(name);
        });
        return add(Type::node_path, std::clamp(sum, -60, 2 * most_of_text));
    }
    Errc rid(std::uint64_t) { return add(Type::rid, 0); }
    Errc object_null() { return add(Type::object, 0); }
    Errc object_id(std::uint64_t) { return add(Type::object, 0); }
    Errc begin_object(std::string_view name, std::uint32_t) {
        return begin(Type::object, {}, is_name(name) ? of_text(name) : -40);
    }
    Errc property(std::string_view name) {
        count(is_name(name) ? of_text(name) : -20);
        return Errc::ok;
    }
    Errc callable() { return add(Type::callable, 0); }
    Errc signal(std::string_view name, std::uint64_t) { return add(Type::signal, of_text(name)); }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value, std::uint32_t) {
        return begin(Type::dictionary, {{wanted(key), wanted(value)}, 0, true},
                     of_type(key) + of_type(value));
    }
    Errc begin_array(Type type, const ContainerType& element, std::uint32_t) {
        return begin(type, {{wanted(element), wanted(element)}, 0, false}, of_type(element));
    }
    Errc packed(const PackedView& v) {
        const std::size_t components = v.count * v.components();
        const std::size_t step = std::max<std::size_t>(components / most_looked_at, 1);
        int sum = 0;
        for (std::size_t i = 0; i < components; i += step) {
            if (v.component() == ComponentType::f32)
                sum += of_real(v.component_at<float>(i)) / 2;
            if (v.component() == ComponentType::f64)
                sum += of_real(v.component_at<double>(i)) / 2;
            if (v.component() == ComponentType::i32)
                count_against(is_letters(v.component_at<std::int32_t>(i)) ? 8 : 0);
        }
        return add(v.type, std::clamp(sum, -100, 16));
    }
    Errc begin_packed_strings(std::uint32_t) { return begin(Type::packed_string_array, {}, 0); }
    Errc packed_string(std::string_view text) {
        count(of_text(text));
        return Errc::ok;
    }
    Errc image(const ImageView& v) {
        return add(Type::image, v.width < 1 << 15 && v.height < 1 << 15 && v.format < 64 ? 8 : -40);
    }
    Errc input_event(const InputEventView&) { return add(Type::input_event, -8); }
    Errc end() {
        if (--depth_ == closed_)
            closed_ = UINT32_MAX;
        return Errc::ok;
    }

private:
    static int of_type(const ContainerType& type) noexcept {
        return type.kind == ContainerKind::class_name ? (is_name(type.name) ? 8 : -40) : 0;
    }
    /// The builtin types of a typed container's elements, or of keys and values in turn; nil: any.
    struct Typed {
        Type types[2] = {Type::nil, Type::nil};
        std::uint8_t turn = 0;
        bool pairs = false;
        Type last[2] = {Type::nil, Type::nil};  ///< of the items before
    };
    /// An Object's element may be written as nil, so objects are not checked.
    static Type wanted(const ContainerType& type) noexcept {
        return type.kind == ContainerKind::builtin && type.type != Type::object ? type.type
                                                                                : Type::nil;
    }
    Errc begin(Type type, const Typed& typed, int bits) {
        const Errc code = add(type, bits);
        if (depth_ < most_typed)
            open_[depth_] = typed;
        if (closed_ == UINT32_MAX && here_ >= closed_from_)
            closed_ = depth_;
        ++depth_;
        return code;
    }
    static bool is_letters(std::int32_t number) noexcept {
        for (int i = 0; i < 4; ++i) {
            const char c = static_cast<char>(number >> (8 * i));
            if (c < ' ' || c > '~')
                return false;
        }
        return true;
    }
    static bool is_odd_key(Type type) noexcept {
        return type == Type::nil || type == Type::dictionary || type == Type::array ||
               type == Type::boolean || type_info(type).packed;
    }
    /// No engine writes an item of another type into a typed container.
    void compare_type(Type type) noexcept {
        if (depth_ == 0 || depth_ > most_typed)
            return;
        Typed& typed = open_[depth_ - 1];
        if (!typed.pairs || typed.turn == 0) {
            Type& last = typed.last[0];
            count_against(last != Type::nil && last != type ? 16 : 0);
            count_against(typed.pairs && is_odd_key(type) ? 24 : 0);
            last = type;
        }
        const Type asked = typed.types[typed.turn];
        typed.turn ^= static_cast<std::uint8_t>(typed.pairs);
        if (asked != Type::nil && asked != type)
            ++oddities, count(odd);
    }
    void count(int bits) noexcept {
        score += bits;
        count_against(-std::min(bits, 0));
    }
    void count_against(int bits) noexcept { against += closed_ == UINT32_MAX ? bits : 0; }
    Errc add(Type type, int bits) {
        compare_type(type);
        score += header_fits;
        count(bits);
        peak = std::max(peak, score);
        return values_left-- > 1 ? Errc::ok : Errc::stopped;
    }

    static constexpr std::uint32_t most_typed = 64;  ///< deeper containers are not checked
    Typed open_[most_typed];
    std::uint32_t depth_ = 0;
    std::uint64_t closed_from_;
    std::uint32_t closed_ = UINT32_MAX;  ///< the depth of the container in which nothing counts
    std::size_t here_ = 0;
};

}  // namespace

Evidence weigh(ByteView packet, const Dialect& dialect, const WeighOptions& options) noexcept {
    const DecodeOptions decoding{.dialect = &dialect, .allow_objects = true};
    Weigher weigher(std::max<std::uint64_t>(options.max_values, 1), options.closed_from);
    auto size = read(packet, decoding, weigher);
    // The values beyond those that were weighed must be valid, too.
    if (!size && size.error().code == Errc::stopped)
        size = validate(packet, decoding);
    Evidence out;
    out.oddities = weigher.oddities;
    out.score = weigher.score;
    out.against = weigher.against;
    // If more bytes are known to follow, a value that ends here leaves them unread.
    const std::uint64_t follows = options.cut ? options.follows : 0;
    out.whole = size && *size == packet.size() && follows == 0;
    if (out.whole) {
        out.read = *size;
        out.score += nothing_left;
        return out;
    }
    out.error = size ? Error{Errc::trailing_bytes, Type::nil, *size, 0} : size.error();
    out.read = std::min<std::uint64_t>(out.error.offset, packet.size());
    // Many bytes after a whole value are worse than a break inside, which may be one damaged byte.
    if (size)
        out.score -=
            4 + static_cast<int>(std::min<std::uint64_t>(
                    std::max<std::uint64_t>(packet.size() - out.read, follows), most_left_over));
    else if (!options.cut || out.error.code != Errc::truncated)
        out.score += breaks;
    else if (out.error.need <= options.follows)
        out.score += header_fits;  // of the value that continues after the given bytes
    else
        out.score += breaks;
    // Everything after a damaged byte may look wrong, so the score before it counts.
    out.score = std::max(out.score, weigher.peak + goes_astray);
    return out;
}

}  // namespace gdvar
