// Recognises the kind and the dialect of the input, and finds bytes that are left over.
#include <algorithm>

#include "gdvar/inspect/misstep.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/wire/validate.hpp"
#include "input/input.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {

constexpr std::size_t sample_bytes = 8u << 20;  ///< bytes that the dialect is guessed from

InputKind kind_by_name(const std::string& name) {
    for (const DocumentKind& kind : document_kinds())
        if (input_kind_name(kind.seen_as) == name)
            return kind.seen_as;
    for (const InputKind kind : {InputKind::hex, InputKind::base64})
        if (input_kind_name(kind) == name)
            return kind;
    return InputKind::unknown;
}

/// "it could also be packet (one packet of ...)". Empty if no other reading comes near.
std::string others(const std::vector<Reading>& readings) {
    std::string out;
    for (std::size_t i = 1; i < readings.size(); ++i)
        if (readings[i].score > readings[0].score / 2)
            out += (out.empty() ? "it could also be " : ", or ") +
                   std::string(input_kind_name(readings[i].kind)) + " (" + readings[i].reason + ")";
    return out;
}

}  // namespace

int Input::recognise_kind() {
    if (const int exit = open_containers(); exit != fine)
        return exit;
    const bool forced = options_.as != "auto";
    if (forced) {
        kind_ = kind_by_name(options_.as);
        readings_ = {{kind_, "--as says so"}};
    }
    if (kind_ == InputKind::foreign) {
        const std::string& hint = readings_[0].hint;
        say(name_ + ": " + to_string(not_recognised(readings_, false)) +
            (hint.empty() ? "" : ": " + hint));
        return refused;
    }
    if (kind_ == InputKind::unknown) {
        const bool empty = size_ == skip_;
        // The input is a packet if the user names a dialect or wants to see bytes.
        if (empty || (options_.dialect == "auto" && !options_.any_bytes)) {
            say(name_ + ": " + to_string(not_recognised(readings_, empty)) +
                (empty ? "" : "; gdvar annotate shows how far it can be read"));
            return refused;
        }
        kind_ = InputKind::packet;
    }
    if (options_.verbose) {
        for (const Layer& layer : layers_)
            say(name_ + ": in a " + layer.name() + " container");
        say(name_ + ": read as " + std::string(input_kind_name(kind_)) +
            (readings_.empty() ? "" : ": " + readings_[0].reason));
    }
    if (const std::string more = others(readings_);
        !more.empty() && (options_.verbose || !readings_[0].whole))
        say(name_ + ": note: read as " + std::string(input_kind_name(kind_)) + " (" +
            readings_[0].reason + "); " + more);
    if (!has_records())
        if (const int exit = load_whole(); exit != fine)
            return exit;
    if (const int exit = unwrap_text(); exit != fine)
        return exit;
    return open_document();
}

int Input::unwrap_text() {
    if (kind_ != InputKind::hex && kind_ != InputKind::base64)
        return fine;
    const ByteView body = ByteView(bytes_).subspan(static_cast<std::size_t>(skip_));
    std::string_view text(reinterpret_cast<const char*>(body.data()), body.size());
    const auto decode = kind_ == InputKind::hex ? from_hex : from_base64;
    auto raw = decode(text);
    if (!raw) {
        complain(skip_ + raw.error().offset, Error{raw.error().code});
        broken_text_ = true;
        // Decodes the part before the break. Its last group of digits may be incomplete.
        for (int digit = 0; !raw && digit < 4 && !text.empty(); ++digit) {
            const auto good = static_cast<std::size_t>(raw.error().offset);
            text = text.substr(0, good < text.size() ? good : text.size() - 1);
            raw = decode(text);
        }
        if (!raw || raw->empty())
            return refused;
    }
    bytes_ = *std::move(raw);
    skip_ = 0;
    size_ = bytes_.size();
    // Text usually holds a bare packet (variant_to_base64). Records come second.
    MemorySource inside(bytes_);
    const auto readings = recognise(inside);
    kind_ = InputKind::packet;
    const auto take = [&](bool only_packets) {
        for (const Reading& fits : *readings)
            if (fits.kind == InputKind::packet ? fits.whole || !only_packets
                                               : !only_packets && find_document_kind(fits.kind)) {
                kind_ = fits.kind;
                return true;
            }
        return false;
    };
    if (readings && !take(true))
        take(false);
    if (has_records()) {
        opened_.push_back(std::make_unique<OwnedSource>(bytes_));
        source_ = opened_.back().get();
    }
    return fine;
}

/// The first packets, up to some megabytes, to guess the dialect from.
std::vector<std::vector<std::byte>> Input::sample(bool& cut) {
    std::vector<std::vector<std::byte>> packets;
    std::size_t taken = 0;
    (void)look([&](const Item& item) {
        packets.emplace_back(item.packet.begin(), item.packet.end());
        cut = item.cut;
        taken += item.packet.size();
        return taken < sample_bytes;
    });
    return packets;
}

int Input::look(const std::function<bool(const Item&)>& use) {
    quiet_ = true;
    const int exit = each(use, Tail::keep);
    quiet_ = false;
    return broken_text_ ? refused : exit;
}

int Input::choose_dialect() {
    if (document_ && document_->dialect()) {
        dialect_ = document_->dialect();
        guess_.dialect = guess_.likely = dialect_;
        return fine;
    }
    if (options_.dialect != "auto") {
        dialect_ = dialect_named(options_.dialect);
        return dialect_ ? fine : usage;
    }
    bool cut = false;
    const auto packets = sample(cut);
    std::vector<ByteView> views(packets.begin(), packets.end());
    guess_ = guess_dialect(views, {.cut = cut});
    if (guess_.likely)
        dialect_ = guess_.likely;
    if (options_.verbose) {
        say(name_ + ": dialect " + std::string(dialect_->name) +
            (!guess_.dialect    ? " (none fits; this one gets furthest)"
             : guess_.ambiguous ? " (the most plausible that fits; others do, too)"
                                : ""));
        for (const Candidate& candidate : guess_.candidates)
            say("  " + candidate.reason);
    }
    return fine;
}

int Input::left_over(const Item& item, Tail tail) const {
    // Strict reading refuses such bytes anyway.
    if (tail == Tail::keep || tail == Tail::keep_all || quiet_ || options_.strict || item.made)
        return fine;
    const auto size = validate(item.packet, decoding());
    if (!size || *size == item.packet.size())
        return fine;
    complain(item, Errc::trailing_bytes, [&] {
        return place(item, *size) +
               "error[trailing_bytes]: " + bytes_in_words(item.packet.size() - *size) +
               (tail == Tail::say ? " after the value are dropped" : " after the value");
    });
    return tail == Tail::say ? fine : refused;
}

std::string Input::missing(const Item& item, const View& root, const Path& path,
                           const Error& error) const {
    // A path to several values may fail at one value and be right for others.
    const auto misstep = path.several() ? std::nullopt : first_misstep(root, path);
    if (!misstep)
        return place(item, error.offset) + path.to_string() + ": " + to_string(error);
    return place(item, misstep->error.offset) + misstep->at + ": error[" +
           std::string(error_name(misstep->error.code)) + "]: " + to_string(*misstep);
}

std::optional<Item> Input::broken_record(const Error& error, bool& whole_length) {
    whole_length = false;
    if (!source_->rewind() || !source_->skip(error.offset))
        return std::nullopt;
    auto rest = read_all(*source_, options_.most_held(!layers_.empty()));
    if (!rest)
        return std::nullopt;
    bytes_ = *std::move(rest);
    whole_length = bytes_.size() >= 4;
    if (bytes_.size() < 8)
        return std::nullopt;
    const std::size_t i = number_++;
    Item out{error.offset + 4, i, "#" + std::to_string(i) + " ", ByteView(bytes_).subspan(4)};
    out.cut = true;
    return out;
}

void Input::say_broken(const FileError& error, bool whole_length) const {
    if (quiet_)
        return;
    const std::string place = name_ + ":" + hex(error.error.offset) + ": ";
    const std::uint64_t rest = bytes_.size();
    if (error.code == Errc::io || error.code == Errc::no_memory)
        return say(name_ + ": " + in_words(error));
    if (!whole_length && rest)
        return say(place + "error[trailing_bytes]: " + bytes_in_words(rest) +
                   (rest == 1 ? " is" : " are") + " left over after the last record");
    if (!rest)
        return say(place + in_words(error));
    auto length = gdvar::detail::load<std::uint32_t>(bytes_.data());
    if (kind_ == InputKind::records_be)
        length = gdvar::detail::byteswap(length);
    say(place + "error[" + std::string(error_name(error.code)) + "]: the record's length is " +
        std::to_string(length) + ", " + bytes_in_words(rest - 4) +
        (rest - 4 == 1 ? " is" : " are") + " left");
}

}  // namespace gdvar::app
