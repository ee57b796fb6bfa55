#include "save/packet_trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gdvar/save/records.hpp"
#include "gdvar/wire/evidence.hpp"
#include "gdvar/wire/frame.hpp"
#include "gdvar/wire/reader.hpp"
#include "gdvar/wire/sink.hpp"
#include "gdvar/wire/validate.hpp"
#include "save/foreign.hpp"

namespace gdvar::save {
namespace {

constexpr std::size_t long_packet = 8;  ///< shorter ones may be numbers by chance
constexpr std::size_t least_header = 1, most_header = 64;
constexpr std::size_t sure_bytes = 32;  ///< of packets: impossible by chance

struct Run {
    std::uint64_t packets = 0, bytes = 0;
    std::int64_t score = 0;
    bool written = true;  ///< that dialect's engines write exactly these bytes
};

/// Checks that a packet has nothing that engines do not write.
struct Unquirky : NullSink {
    bool plain = true;
    void quirk(Quirk, std::size_t) { plain = false; }
};

bool is_written(ByteView packet, const Dialect& dialect) {
    const DecodeOptions strict{.dialect = &dialect, .allow_objects = true, .strict = true};
    Unquirky sink;
    return validate(packet, strict) && read(packet, strict, sink) && sink.plain;
}

void add_packet(Run& run, ByteView packet, const Dialect& dialect) {
    // The bonus for using all bytes counts once, not for each packet.
    constexpr std::int64_t nothing_left = 48, a_header = 16;
    const Evidence evidence = weigh(packet, dialect);
    const std::int64_t score = evidence.score - nothing_left;
    ++run.packets;
    run.bytes += packet.size();
    run.score += score;
    // Numbers are long packets by chance, but seldom with values of games.
    run.written = run.written && (packet.size() <= long_packet || score >= a_header) &&
                  is_written(packet, dialect);
}

/// Nobody has saves of a development snapshot, and its types without padding often fit by chance.
bool is_likely(const Dialect& dialect) noexcept {
    return !dialect.documented && &dialect != &dialects::godot_4_dev;
}

/// True if the bytes after the first packet may be its rest, behind a count that is too small:
/// elements of an Array, or keys and values of a Dictionary.
bool may_be_rest(std::span<const ByteView> packets, const Dialect& dialect) {
    const auto type_of = [&](ByteView packet) {
        return dialect.rows[detail::load<std::uint32_t>(packet.data()) & dialect.type_mask].type;
    };
    const Type first = type_of(packets[0]);
    if (first == Type::array)
        return std::ranges::none_of(
            packets.subspan(1), [&](ByteView packet) { return type_of(packet) == Type::array; });
    bool keys = first == Type::dictionary && packets.size() % 2;
    for (std::size_t i = 1; keys && i < packets.size(); i += 2)
        keys = type_of(packets[i]) == Type::string || type_of(packets[i]) == Type::string_name;
    return keys;
}

/// The ends of packets without lengths, if half of the bytes are in long ones. The last is not a
/// null, which may be padding.
std::optional<std::vector<ByteView>> split(ByteView bytes, const Dialect& dialect) {
    const DecodeOptions lenient{.dialect = &dialect, .allow_objects = true};
    std::vector<ByteView> packets;
    std::uint64_t in_short = 0;
    for (ByteView rest = bytes; !rest.empty(); rest = rest.subspan(packets.back().size())) {
        const auto size = validate(rest, lenient);
        if (!size)
            return std::nullopt;
        packets.push_back(rest.first(*size));
        in_short += *size > long_packet ? 0 : *size;
        if (in_short > bytes.size() / 2)
            return std::nullopt;
    }
    if (packets.size() < 2 || packets.back().size() < least_record || may_be_rest(packets, dialect))
        return std::nullopt;
    return packets;
}

/// All bytes as records. `cut`: the last may be incomplete.
std::optional<std::vector<ByteView>> frames(ByteView bytes, ByteOrder order, bool cut) {
    std::vector<ByteView> packets;
    while (!bytes.empty()) {
        const auto frame = read_frame(bytes, order);
        if (!frame && cut && frame.error().code == Errc::truncated)
            break;
        if (!frame || frame->packet.size() < sizeof(std::uint32_t))
            return std::nullopt;
        packets.push_back(frame->packet);
        bytes = bytes.subspan(frame->size);
    }
    return packets;
}

/// True if the bytes are a header of a few numbers, and records up to the end: read as packets, the
/// length of a record is a value.
bool has_header(ByteView bytes) {
    for (std::size_t header = 4; header <= 16 && header < bytes.size(); header += 4)
        for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
            const auto packets = frames(bytes.subspan(header), order, false);
            if (!packets || packets->empty())
                continue;
            for (const Dialect* dialect : all_dialects())
                if (is_likely(*dialect) && std::ranges::all_of(*packets, [&](ByteView packet) {
                        return is_written(packet, *dialect);
                    }))
                    return true;
        }
    return false;
}

/// Some records. `cut`: more follow.
std::optional<Reading> certain_records(std::span<const ByteView> packets, ByteOrder order,
                                       bool cut) {
    for (const Dialect* dialect : all_dialects()) {
        if (!is_likely(*dialect))
            continue;
        Run run;
        for (const ByteView packet : packets) {
            add_packet(run, packet, *dialect);
            if (!run.written)
                break;
        }
        if (!run.written || (run.packets < 2 && run.bytes < sure_bytes))
            continue;
        const std::string count = cut ? "records" : std::to_string(run.packets) + " records";
        return Reading{
            .kind = order == ByteOrder::little ? InputKind::records : InputKind::records_be,
            .reason = run.packets == 1 ? "1 record follows" : count + " follow"};
    }
    return std::nullopt;
}

/// A certain reading of the bytes after a header. `cut`: more bytes follow.
std::optional<Reading> certain_reading(ByteView bytes, bool cut) {
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
        if (const auto packets = frames(bytes, order, cut); packets && !packets->empty())
            if (auto found = certain_records(*packets, order, cut))
                return found;
    if (cut || bytes.size() < sure_bytes)
        return std::nullopt;
    for (const Dialect* dialect : all_dialects())
        if (is_likely(*dialect) && is_written(bytes, *dialect))
            return Reading{.kind = InputKind::packet, .reason = "one packet follows"};
    return std::nullopt;
}

/// Checks for a container with more than nulls, as engines write it: no control characters, no
/// floats that are the bits of small numbers.
struct Filled : NullSink {
    std::uint64_t values = 0;  ///< including the container itself
    bool container = false, filled = false;
    bool plain = true;

    /// Engines leave random bytes in padding.
    void quirk(Quirk quirk, std::size_t) {
        plain = plain && strict_code(quirk) == Errc::nonzero_padding;
    }
    Errc add() {
        filled = filled || values > 0;
        ++values;
        return Errc::ok;
    }
    Errc begin() {
        container = container || values == 0;
        return add();
    }
    Errc add_real(double value) {
        plain = plain && (value == 0 || !(std::fabs(value) < std::numeric_limits<float>::min()));
        return add();
    }
    Errc add_text(std::string_view text) {
        plain = plain && (text.empty() || is_text(as_bytes(text)));
        return add();
    }
    Errc boolean(bool) { return add(); }
    Errc integer(std::int64_t) { return add(); }
    Errc real(double value) { return add_real(value); }
    Errc string(std::string_view text) { return add_text(text); }
    Errc string_name(std::string_view text) { return add_text(text); }
    Errc math(const MathView& view) {
        for (std::size_t i = 0; !view.integral() && i < view.components(); ++i)
            add_real(view.real(i));
        return add();
    }
    Errc node_path(const NodePathView&) { return add(); }
    Errc object_id(std::uint64_t) { return add(); }
    Errc begin_object(std::string_view name, std::uint32_t) {
        plain = plain && is_text(as_bytes(name));
        return begin();
    }
    Errc property(std::string_view name) { return add_text(name); }
    Errc signal(std::string_view name, std::uint64_t) { return add_text(name); }
    Errc begin_dictionary(const ContainerType&, const ContainerType&, std::uint32_t) {
        return begin();
    }
    Errc begin_array(Type, const ContainerType&, std::uint32_t) { return begin(); }
    Errc packed(const PackedView& view) {
        for (std::size_t i = 0; i < view.count * view.components(); ++i)
            if (view.component() == ComponentType::f32)
                add_real(view.component_at<float>(i));
            else if (view.component() == ComponentType::f64)
                add_real(view.component_at<double>(i));
        return add();
    }
    Errc begin_packed_strings(std::uint32_t) { return add(); }
    Errc packed_string(std::string_view text) { return add_text(text); }
    Errc image(const ImageView&) { return add(); }
    Errc input_event(const InputEventView&) { return add(); }
};

}  // namespace

bool hold_containers(ByteView bytes, InputKind kind) {
    const ByteOrder order = kind == InputKind::records_be ? ByteOrder::big : ByteOrder::little;
    const auto packets =
        kind == InputKind::packet ? std::vector{bytes} : frames(bytes, order, false);
    if (!packets)
        return false;
    const auto is_plain = [&](const Dialect& dialect) {
        bool filled = false;
        for (const ByteView packet : *packets) {
            const Evidence evidence = weigh(packet, dialect);
            Filled sink;
            if (!evidence.whole || evidence.oddities ||
                !read(packet, {.dialect = &dialect, .allow_objects = true}, sink) || !sink.plain)
                return false;
            filled = filled || (sink.container && sink.filled);
        }
        return filled;
    };
    return std::ranges::any_of(all_dialects(), [&](const Dialect* dialect) {
        return is_likely(*dialect) && is_plain(*dialect);
    });
}

BarePackets best_packets(ByteView bytes) {
    BarePackets best;
    std::int64_t broken = INT64_MIN;  // score of the first packet
    for (const Dialect* dialect : all_dialects()) {
        if (dialect->documented)
            continue;
        broken = std::max(broken, weigh(bytes, *dialect).score);
        if (!is_likely(*dialect))
            continue;
        auto packets = split(bytes, *dialect);
        if (!packets)
            continue;
        Run run;
        for (const ByteView packet : *packets)
            add_packet(run, packet, *dialect);
        if (!best.dialect || run.score > best.score)
            best = {dialect, *std::move(packets), run.score, run.written};
    }
    return best.score < broken ? BarePackets() : best;
}

void try_packets(ByteView bytes, std::vector<Reading>& fits) {
    const BarePackets best = best_packets(bytes);
    // They will be read as that dialect, so its engines must write them.
    if (best.dialect && best.written && !has_header(bytes))
        fits.push_back({.kind = InputKind::packets,
                        .reason = std::to_string(best.packets.size()) + " packets of " +
                                  std::string(best.dialect->name) + " without lengths",
                        .score = best.score});
}

bool is_number_and_records(ByteView bytes) {
    constexpr std::size_t text_at = 8;
    if (bytes.size() <= text_at)
        return false;
    const auto id = detail::load<std::uint32_t>(bytes.data());
    const bool may_be_text = std::ranges::any_of(all_dialects(), [&](const Dialect* dialect) {
        return id == dialect->id_of[static_cast<std::size_t>(Type::string)] ||
               id == dialect->id_of[static_cast<std::size_t>(Type::string_name)];
    });
    const auto length = detail::load<std::uint32_t>(bytes.data() + 4);
    const ByteView text =
        bytes.subspan(text_at, std::min<std::size_t>(length, bytes.size() - text_at));
    return may_be_text && std::ranges::find(text, std::byte{0}) != text.end() && has_header(bytes);
}

std::optional<Reading> behind_header(ByteView bytes, bool cut) {
    for (std::size_t header = least_header; header <= most_header && header < bytes.size();
         ++header) {
        auto found = certain_reading(bytes.subspan(header), cut);
        if (!found)
            continue;
        found->reason +=
            " a header of " + std::to_string(header) + (header == 1 ? " byte" : " bytes");
        found->whole = false;
        found->header = header;
        return found;
    }
    return std::nullopt;
}

}  // namespace gdvar::save
