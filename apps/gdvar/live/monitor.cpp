#include "live/monitor.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/platform/terminal.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/text/text.hpp"
#include "output/annotate_lines.hpp"
#include "output/messages.hpp"
#include "output/path_cutter.hpp"
#include "output/printable.hpp"

namespace gdvar::app {

double now() {
    const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration<double>(since_1970).count();
}

std::string ending(const NetError& error) {
    if (error.code == Errc::ok)
        return "closed";
    // What was wrong with bytes says so itself.
    if (error.text.starts_with("error["))
        return error.text;
    return "error[" + std::string(error_name(error.code)) + "]: " + error.text;
}

int failed(const std::string& url, const NetError& error) {
    say("gdvar: " + url + ": " + ending(error));
    return error.code == Errc::bad_syntax ? usage : io_error;
}

Monitor::Monitor(const LiveOptions& options, bool server)
    : options_(options), server_(server), terminal_(platform::is_terminal(1)) {}

Monitor::~Monitor() {
    if (record_)
        std::fclose(record_);
}

int Monitor::find_dialect() {
    if (options_.dialect == "auto")
        return fine;
    dialect_ = dialect_named(options_.dialect);
    return dialect_ ? fine : usage;
}

int Monitor::open() {
    const auto refuse = [](const std::string& path) {
        say("gdvar: " + path + ": error[io]: " + std::strerror(errno));
        return io_error;
    };
    // A recording grows as things happen, so it can't be replaced at the end: it is made new.
    if (!options_.record_file.empty()) {
        record_ = create_private(options_.record_file);
        if (!record_)
            return refuse(options_.record_file);
    }
    if (!options_.pcap_file.empty() && !pcap_.open(options_.pcap_file))
        return refuse(options_.pcap_file);
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
    if (!pcap_.packet(recorded)) {
        say("gdvar: " + options_.pcap_file + ": error[io]: " + std::strerror(errno));
        good_ = false;
        exit_ = io_error;
    }
    if (options_.form == "none" || (!server_ && !came(direction)))
        return;
    if (options_.protocol == "raw" || flags.text)
        return print(recorded, {std::nullopt, nullptr});
    const auto shown = reader(peer, direction).read(bytes, flags, peer.transport());
    if (!shown)
        return error(peer, to_string(shown.error()));
    if (*shown)
        print(recorded, **shown);
}

void Monitor::record(const Recorded& packet) {
    PackedByteArray out;
    if (!append_var_frame(out, packet))
        return;
    const long before = std::ftell(record_);
    if (std::fwrite(out.data(), 1, out.size(), record_) == out.size() && std::fflush(record_) == 0)
        return;
    say("gdvar: " + options_.record_file + ": error[io]: " + std::strerror(errno));
    // Without half a record at the end.
    if (before >= 0)
        (void)!::ftruncate(fileno(record_), before);
    std::fclose(std::exchange(record_, nullptr));
    good_ = false;
    exit_ = io_error;
}

void Monitor::forget(const Peer& peer) {
    readers_.erase({peer.id(), Direction::to_server});
    readers_.erase({peer.id(), Direction::to_client});
}

namespace {

std::string clock_text(double time) {
    const auto seconds = static_cast<std::time_t>(time);
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
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
    if (shown.dialect) {
        const auto document = Document::parse(as_bytes(packet.packet),
                                              {.dialect = shown.dialect, .allow_objects = true});
        if (!document)
            return std::unexpected(document.error());
        return in_form(options, document->root());
    }
    if (!packet.text)
        return in_form(options, Variant(packet.packet));
    return in_form(options,
                   Variant(std::string_view(reinterpret_cast<const char*>(packet.packet.data()),
                                            packet.packet.size())));
}

}  // namespace

void Monitor::print(const Recorded& packet, const PacketReader::Shown& shown) {
    if (options_.form == "annotate" && shown.dialect && !shown.value) {
        line(head_of(packet, server_, came(packet.direction)) +
             std::to_string(packet.packet.size()) + " bytes, " + std::string(shown.dialect->name));
        DecodeOptions decoding;
        decoding.dialect = shown.dialect;
        decoding.allow_objects = true;
        PathCutter paths = PathCutter::for_people(false);
        (void)annotate_lines(as_bytes(packet.packet), 0, decoding, paths,
                             [&](const std::string& row) { line("  " + printable(row)); });
        return;
    }
    const auto text = in_form(options_, packet, shown);
    if (!text) {
        exit_ = std::max<int>(exit_, refused);
        line(head_of(packet, server_, came(packet.direction)) + to_string(text.error()));
        return;
    }
    if (options_.form != "json" && options_.form != "plain")
        return line(head_of(packet, server_, came(packet.direction)) + *text);
    char time[32];
    std::snprintf(time, sizeof time, "%.6f", packet.time);
    line("{\"time\":" + std::string(time) + ",\"client\":" + json_string(packet.client) +
         ",\"server\":" + json_string(packet.server) + ",\"transport\":\"" + packet.transport +
         "\",\"direction\":\"" +
         (packet.direction == Direction::to_server ? "to_server" : "to_client") +
         "\",\"value\":" + *text + "}");
}

void Monitor::line(const std::string& text) {
    const std::string out = (terminal_ ? printable(text) : text) + "\n";
    if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size() || std::fflush(stdout) != 0) {
        if (good_)
            say(std::string("gdvar: standard output: error[io]: ") + std::strerror(errno));
        good_ = false;
        exit_ = io_error;
    }
}

void Monitor::note(const Peer& peer, const std::string& what) {
    if (!options_.quiet)
        say(clock_text(now()) + " " + peer.address() + ": " + what);
}

void Monitor::error(const Peer& peer, const std::string& what) {
    exit_ = std::max<int>(exit_, refused);
    say(clock_text(now()) + " " + peer.address() + ": " + what);
}

}  // namespace gdvar::app
