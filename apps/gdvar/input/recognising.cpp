// Recognises the input's kind and dialect, and finds bytes left over.
#include <algorithm>

#include "gdvar/file/archive.hpp"
#include "gdvar/file/convert_layers.hpp"
#include "gdvar/inspect/misstep.hpp"
#include "gdvar/wire/validate.hpp"
#include "input/input.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {

constexpr std::size_t sample_bytes = 8u << 20;  ///< bytes from which the dialect is guessed

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

std::string ruled_out_in_words(const Reading& reading) {
    const bool value = reading.kind == InputKind::unknown;
    return "not " +
           (value ? std::string("further in") : std::string(input_kind_name(reading.kind))) + ": " +
           reading.reason;
}

int Input::recognise_kind() {
    if (kind_ == InputKind::unknown) {
        const bool empty = source().size() && size_ == skip_;
        // The input is a packet if the user names a dialect or wants to see bytes. Hex is seldom
        // anything else.
        const bool digits = !layers().empty() && layers().back().kind->is_text();
        recognised_ = !empty && (options_.dialect != "auto" || digits);
        if (empty || (!recognised_ && !options_.any_bytes)) {
            if (found_.broken())
                return say_faults(Tail::keep);
            return give_up(refused, name_ + ": " + unrecognised_in_words());
        }
        kind_ = InputKind::packet;
    }
    document_kind_ = find_document_kind(kind_);
    if (is_archive(kind_))
        return give_up(refused,
                       name_ + ": " + to_string(not_recognised(readings(), false)) + ", and " +
                           (options_.entries.empty()
                                ? "a file in it must be named: gdvar list lists them, --entry "
                                  "NAME opens one"
                            : std::ranges::count_if(layers(),
                                                    [](const Layer& layer) {
                                                        return layer.kind->is_archive();
                                                    }) == std::ssize(options_.entries)
                                ? "a file in it must be named, too: gdvar list with the same "
                                  "--entry lists them, one more --entry NAME opens one"
                                : "--layers leaves it closed"));
    if (found_.text_too_large && !document_kind_)
        return give_up(refused, name_ + ": " + too_much(found_.most_text, "the text inside is") +
                                    ", or has more than one value for each 8 bytes of that");
    if (!document_kind_) {
        const std::string closed = find_layer_kind(kind_)
                                       ? "error[not_recognised]: this is " +
                                             std::string(input_kind_name(kind_)) +
                                             ", which --layers leaves closed"
                                       : to_string(not_recognised(readings(), false));
        const std::string hint = readings().empty() ? "" : readings()[0].hint;
        const bool text = !readings().empty() && readings()[0].text;
        // If a layer is cut, the text in it needs no message.
        if (found_.broken())
            return say_faults(Tail::keep);
        say(name_ + ": " + closed + readable_part("") + (hint.empty() ? "" : ": " + hint));
        if (text)
            for (const Reading& other : found_.findings.back().ruled_out)
                say("  " + ruled_out_in_words(other));
        return refused;
    }
    say_kind();
    if (!has_records())
        if (const int exit = load_whole(); exit != fine)
            return exit;
    return open_document();
}

std::string Input::unrecognised_in_words() const {
    const bool empty = source().size() && size_ == skip_;
    return to_string(not_recognised(readings(), empty)) +
           (empty ? "" : readable_part("; gdvar annotate shows how far it can be read"));
}

std::string Input::readable_part(const char* otherwise) const {
    std::string part;
    for (const Reading& other : found_.findings.back().ruled_out)
        if (other.text && part.empty())
            part = "; " + other.reason;
    if (const std::string header = header_in_words(); part.empty() && !header.empty())
        return header;
    if (may_be_recovered(*found_.sources.front(), false))
        return part + recover_hint(options_.file);
    return part.empty() ? otherwise : part;
}

std::string Input::header_in_words() const {
    for (const Reading& other : found_.findings.back().ruled_out)
        if (other.header && layers().empty() && number_ == 0)
            return "; " + other.reason + ": --skip " + std::to_string(skip_ + other.header) +
                   " passes over it";
    return {};
}

void Input::say_kind() const {
    const std::string kind(input_kind_name(kind_));
    if (options_.verbose) {
        const std::vector<Finding>& findings = found_.findings;
        for (std::size_t i = 0; i < findings.size(); ++i) {
            const bool last = i + 1 == findings.size();
            const Finding& finding = findings[i];
            say(name_ + ": " +
                (last ? "read as " + kind
                 : finding.kind == InputKind::unknown
                     ? std::string("inside")
                     : std::string(input_kind_name(finding.kind))) +
                (finding.reason.empty() ? "" : ": " + finding.reason));
            for (const Reading& other : finding.ruled_out)
                say("  " + ruled_out_in_words(other));
        }
    }
    if (const std::string more = others(readings());
        !more.empty() && (options_.verbose || !readings()[0].whole))
        say(name_ + ": note: read as " + kind + " (" + readings()[0].reason + "); " + more);
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
    return found_.broken() ? static_cast<int>(refused) : exit;
}

int Input::choose_dialect() {
    if (document_ && document_->dialect()) {
        dialect_ = document_->dialect();
        guess_.dialect = guess_.likely = dialect_;
        guess_.ambiguous = !document_->dialect_certain();
        return fine;
    }
    if (options_.dialect != "auto") {
        dialect_ = dialect_named(options_.dialect);
        return dialect_ ? fine : usage;
    }
    bool cut = false;
    const auto packets = sample(cut);
    std::vector<ByteView> views(packets.begin(), packets.end());
    const auto guess = [&] {
        guess_ = guess_dialect(views, {.cut = cut, .godot_4 = written_by_godot_4(layers())});
    };
    guess();
    // If a layer breaks off, what is missing behind it counts against no dialect.
    if (!guess_.dialect && !cut && found_.broken()) {
        cut = true;
        guess();
    }
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
    return place(item, misstep->error.offset) + misstep->at + ": " +
           in_words(misstep->error.code, to_string(*misstep));
}

std::optional<Item> Input::broken_record(const Error& error, bool& whole_length) {
    whole_length = false;
    if (!source().rewind() || !source().skip(error.offset))
        return std::nullopt;
    auto rest = read_all(source(), options_.most_held(!layers().empty()));
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
    const std::string header = header_in_words();
    if (!rest)
        return say(place + in_words(error) + header);
    auto length = gdvar::detail::load<std::uint32_t>(bytes_.data());
    if (kind_ == InputKind::records_be)
        length = gdvar::detail::byteswap(length);
    say(place + in_words(error.code, "the record's length is " + std::to_string(length) + ", ") +
        bytes_in_words(rest - 4) + (rest - 4 == 1 ? " is" : " are") + " left" + header);
}

}  // namespace gdvar::app
