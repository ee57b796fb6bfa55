#include "live/monitor.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "base/platform/terminal.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/text/text.hpp"
#include "output/annotate_table.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "output/printable.hpp"

namespace gdvar::app {

double now() {
    const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration<double>(since_1970).count();
}

std::string ending(const NetError& error) {
    if (error.code == Errc::ok)
        return "closed";
    // Errors about bytes have their own text.
    if (error.text.starts_with("error["))
        return error.text;
    return in_words(error.code, error.text);
}

int exit_of(const NetError& error) {
    const ErrorKind kind = error_info(error.code).kind;
    return kind == ErrorKind::bytes || kind == ErrorKind::options || error.code == Errc::bad_packet
               ? refused
               : io_error;
}

int failed(const std::string& url, const NetError& error) {
    say("gdvar: " + url + ": " + ending(error));
    return error.code == Errc::bad_syntax ? usage : io_error;
}

namespace {

int not_written(const std::string& path, platform::SystemError error) {
    return give_up(io_error, "gdvar: " + path + ": " + in_words(FileError::io(error.number)));
}

}  // namespace

Monitor::Monitor(const LiveOptions& options, bool server)
    : options_(options), server_(server), terminal_(platform::is_terminal(1)) {}

int Monitor::find_dialect() {
    if (options_.dialect == "auto")
        return fine;
    dialect_ = dialect_named(options_.dialect);
    return dialect_ ? fine : usage;
}

int Monitor::open() {
    // A recording grows over time, so it can't be replaced at the end: it is created. Only its
    // owner may read it, since packets were often encrypted on their way.
    if (!options_.record_file.empty()) {
        auto made = platform::make_private(options_.record_file);
        if (!made)
            return not_written(options_.record_file, made.error());
        record_ = *std::move(made);
    }
    if (!options_.pcap_file.empty())
        if (auto made = pcap_.open(options_.pcap_file); !made)
            return not_written(options_.pcap_file, made.error());
    return fine;
}

PacketReader& Monitor::reader(const Peer& peer, Direction direction) {
    return readers_.try_emplace({peer.id(), direction}, options_, dialect_).first->second;
}

void Monitor::packet(const Peer& peer, Direction direction, ByteView bytes,
                     const PacketFlags& flags) {
    ++packets_;
    const std::string& own = peer.local_address();
    const Recorded recorded{now(),
                            server_ ? peer.address() : own,
                            server_ ? own : peer.address(),
                            std::string(transport_name(peer.transport())),
                            direction,
                            flags.channel,
                            flags.reliable,
                            flags.text,
                            packed_bytes(bytes)};
    if (record_)
        record(recorded);
    if (auto written = pcap_.packet(recorded); !written) {
        good_ = false;
        exit_ = not_written(options_.pcap_file, written.error());
    }
    // Packets of this side are trusted.
    if (!server_ && !came(direction))
        return;
    if (options_.protocol == "raw" || flags.text)
        return (void)print(recorded, {});
    // Read in every form, even none: the exit code is the same in all.
    auto shown = reader(peer, direction).read(bytes, flags, peer.transport());
    if (!shown)
        return refuse(recorded, peer.transport(), shown.error());
    if (!*shown)
        return;
    const auto& document = (*shown)->document;
    if (const auto printed = print(recorded, **shown); !printed)
        return refuse(
            recorded, peer.transport(),
            {printed.error(), document ? std::optional(document->root().options()) : std::nullopt});
    if ((*shown)->behind)
        refuse_rest(recorded, peer.transport(), **shown);
}

void Monitor::record(const Recorded& packet) {
    PackedByteArray out;
    if (!append_var_frame(out, packet))
        return;
    const auto before = platform::position(record_.get());
    const auto written = platform::write_all(record_.get(), as_bytes(out));
    if (written)
        return;
    // Removes half a record at the end.
    if (before)
        (void)platform::cut(record_.get(), static_cast<std::uint64_t>(*before));
    record_ = {};
    good_ = false;
    exit_ = not_written(options_.record_file, written.error());
}

void Monitor::forget(const Peer& peer) {
    readers_.erase({peer.id(), Direction::to_server});
    readers_.erase({peer.id(), Direction::to_client});
}

namespace {

std::string clock_text(double time) {
    const auto seconds = static_cast<std::time_t>(time);
    const std::tm parts = platform::local_time(seconds);
    char text[32];
    const std::size_t n = std::strftime(text, sizeof text, "%H:%M:%S", &parts);
    char tail[8];
    std::snprintf(tail, sizeof tail, ".%03d",
                  static_cast<int>((time - static_cast<double>(seconds)) * 1e3));
    return std::string(text, n) + tail;
}

std::string head_of(const Recorded& packet, bool server, bool came) {
    return clock_text(packet.time) + " " + (server ? packet.client : packet.server) +
           (came ? " > " : " < ");
}

/// The value in the form of --form. `Value`: View or Variant.
template <class Value>
std::expected<std::string, Error> in_form(const LiveOptions& options, const Value& value) {
    if (options.form == "json")
        return to_json(value);
    if (options.form == "plain")
        return to_plain_json(value, {});
    return to_text_full(value);
}

/// The text to show: the message that the packet completes, the packet's value, or its bytes.
std::expected<std::string, Error> in_form(const LiveOptions& options, const Recorded& packet,
                                          const PacketReader::Shown& shown) {
    if (shown.value)
        return in_form(options, *shown.value);
    if (shown.document)
        return in_form(options, shown.document->root());
    if (!packet.text)
        return in_form(options, Variant(packet.packet));
    return in_form(options,
                   Variant(std::string_view(reinterpret_cast<const char*>(packet.packet.data()),
                                            packet.packet.size())));
}

/// The bytes that were read: the packet's, or those in its layers.
ByteView read_of(const Recorded& packet, const std::vector<std::byte>& opened) {
    return opened.empty() ? as_bytes(packet.packet) : ByteView(opened);
}

}  // namespace

void Monitor::print_rows(const Recorded& packet, ByteView bytes, const DecodeOptions& reading) {
    line(head_of(packet, server_, came(packet.direction)) + std::to_string(bytes.size()) +
         " bytes, " + std::string(reading.dialect->name));
    PathCutter paths = PathCutter::for_people(false);
    (void)annotate(bytes, reading, [&](const AnnotateRow& row) {
        const ByteView part =
            bytes.subspan(static_cast<std::size_t>(row.offset), static_cast<std::size_t>(row.size));
        const std::string text = row.type + (row.value.empty() ? "" : "  " + row.value) +
                                 (row.note.empty() ? "" : "  ; " + row.note);
        line("  " + printable(annotate_line(row.offset, part, paths(row.path), text)));
    });
}

std::expected<void, Error> Monitor::print(const Recorded& packet,
                                          const PacketReader::Shown& shown) {
    if (options_.form == "none")
        return {};
    if (options_.form == "annotate" && shown.document) {
        print_rows(packet, read_of(packet, shown.opened), shown.document->root().options());
        return {};
    }
    const auto text = in_form(options_, packet, shown);
    if (!text)
        return std::unexpected(text.error());
    if (options_.form != "json" && options_.form != "plain") {
        line(head_of(packet, server_, came(packet.direction)) + *text);
        return {};
    }
    char time[32];
    std::snprintf(time, sizeof time, "%.6f", packet.time);
    line("{\"time\":" + std::string(time) + ",\"client\":" + json_string(packet.client) +
         ",\"server\":" + json_string(packet.server) + ",\"transport\":\"" + packet.transport +
         "\",\"direction\":\"" +
         (packet.direction == Direction::to_server ? "to_server" : "to_client") +
         "\",\"value\":" + *text + "}");
    return {};
}

/// "12:00:00.250 127.0.0.1:4000 > #3:", where 3 is the packet's number in a recording.
std::string Monitor::place(const Recorded& packet, bool opened) const {
    return head_of(packet, server_, came(packet.direction)) + "#" + std::to_string(packets_ - 1) +
           (opened ? ": inside its layers: " : ":");
}

std::string Monitor::hint(ByteView bytes, Transport transport, bool opened) const {
    const char* likely = packet_hint(bytes, is_stream(transport));
    if (!likely)
        return {};
    const bool closed = !opened && !options_.most_layers && PacketReader::may_have_layers(bytes);
    return std::string("; ") + likely + (closed ? " (--layers opens it)" : "");
}

void Monitor::refuse(const Recorded& packet, Transport transport,
                     const PacketReader::Refusal& refusal) {
    exit_ = std::max<int>(exit_, refused);
    const auto& [error, reading, opened, closed] = refusal;
    const ByteView bytes = read_of(packet, opened);
    if (options_.form == "annotate" && reading)
        print_rows(packet, bytes, *reading);
    const std::string path =
        reading ? shortened_path(error_path(bytes, *reading, error), 300) + ": " : std::string();
    const bool wrong_bytes = error_info(error.code).kind == ErrorKind::bytes;
    say(place(packet, !opened.empty() || closed) + hex(error.offset) + ": " + path +
        to_string(error) + (wrong_bytes ? hint(bytes, transport, !opened.empty()) : std::string()));
}

void Monitor::refuse_rest(const Recorded& packet, Transport transport,
                          const PacketReader::Shown& shown) {
    exit_ = std::max<int>(exit_, refused);
    const bool opened = !shown.opened.empty();
    const ByteView bytes = read_of(packet, shown.opened);
    say(place(packet, opened) + hex(bytes.size() - shown.behind) + ": error[trailing_bytes]: " +
        bytes_in_words(shown.behind) + " after the value" + hint(bytes, transport, opened));
}

void Monitor::line(const std::string& text) {
    const std::string out = (terminal_ ? printable(text) : text) + "\n";
    if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size() || std::fflush(stdout) != 0) {
        if (good_)
            say("gdvar: standard output: " + in_words(FileError::io(errno)));
        good_ = false;
        exit_ = io_error;
    }
}

void Monitor::note(const Peer& peer, const std::string& what) {
    if (!options_.quiet)
        say(clock_text(now()) + " " + peer.address() + ": " + what);
}

void Monitor::error(const Peer& peer, const NetError& error) {
    exit_ = std::max<int>(exit_, refused);
    const bool placed = is_stream(peer.transport()) && error.packet.code != Errc::ok;
    say(clock_text(now()) + " " + peer.address() +
        (placed ? ":" + hex(error.packet.offset) : std::string()) + ": " + ending(error));
}

void Monitor::error(const Peer& peer, const std::string& what) {
    exit_ = std::max<int>(exit_, refused);
    say(clock_text(now()) + " " + peer.address() + ": " + what);
}

}  // namespace gdvar::app
