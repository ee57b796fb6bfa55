#include "live.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "gdvar/inspect/annotate.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/net/multiplayer.hpp"
#include "gdvar/net/multiplayer3.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/save/target.hpp"
#include "gdvar/text/text.hpp"
#include "path_cutter.hpp"

namespace gdvar::app {

double now() {
    timespec time{};
    ::clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// ---- Options ------------------------------------------------------------------------------------

std::string ending(const NetError& error) {
    if (error.error.code == Errc::ok)
        return "closed";
    // What was wrong with bytes says so itself.
    if (error.text.starts_with("error["))
        return error.text;
    return "error[" + std::string(error_name(error.error.code)) + "]: " + error.text;
}

int failed(const std::string& url, const NetError& error) {
    say("gdvar: " + url + ": " + ending(error));
    return error.error.code == Errc::bad_syntax ? usage : io_error;
}

std::string plain_url(const std::string& url, Options& options) {
    constexpr std::string_view scheme = "debugger://";
    if (!url.starts_with(scheme))
        return url;
    options.protocol = "debugger";
    return "tcp://" + url.substr(scheme.size());
}

NetOptions net_options(const Options& options, const Dialect* dialect) {
    NetOptions out;
    if (dialect)
        out.decoding.dialect = out.encoding.dialect = dialect;
    out.encoding.allow_objects = options.objects;
    out.order = options.big_endian ? ByteOrder::big : ByteOrder::little;
    out.max_packet = std::min<std::uint64_t>(options.max_packet, 0x7FFF'FFFF);
    out.max_queued = static_cast<std::size_t>(2 * out.max_packet + (1u << 20));
    out.connect_timeout =
        std::chrono::milliseconds(static_cast<int>(options.connect_seconds * 1e3));
    out.tls.certificate_file = options.certificate_file;
    out.tls.key_file = options.tls_key_file;
    out.tls.authority_file = options.authority_file;
    out.tls.verify = !options.insecure;
    out.protocols = options.protocols;
    out.origins = options.origins;
    out.enet_channels = 255;
    out.enet_range_coder = options.range_coder;
    out.enet_connect_data = options.connect_data;
    return out;
}

std::FILE* create_private(const std::string& path) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return fd < 0 ? nullptr : ::fdopen(fd, "wb");
}

// ---- Packets ------------------------------------------------------------------------------------

PacketReader::PacketReader(const Options& options, const Dialect* dialect)
    : options_(options), dialect_(dialect) {
    decoding_.allow_objects = true;  // data, to be looked at
    // The limit also holds for a message that is made of several packets.
    decoding_.limits.max_bytes = std::min(decoding_.limits.max_bytes, options.max_packet);
    if (options.protocol == "multiplayer-3" && !dialect_)
        dialect_ = &dialects::godot_3_1;
    if (options.protocol == "multiplayer-4" && !dialect_)
        dialect_ = &dialects::godot_4_4;
}

namespace {

/// The dialect, by the first packet. A message of 4.x is an Array. A message of 3.x begins with its
/// name, or is an Array with another id.
const Dialect* debugger_dialect(ByteView packet, DecodeOptions decoding) {
    decoding.dialect = &dialects::godot_4_4;
    const auto value = decode(packet, decoding);
    return value && value->is(Type::array) ? &dialects::godot_4_4 : &dialects::godot_3_1;
}

}  // namespace

std::expected<std::optional<PacketReader::Shown>, Error> PacketReader::read(
    ByteView packet, const PacketFlags& flags, Transport transport) {
    if (!dialect_ && options_.protocol == "debugger")
        dialect_ = debugger_dialect(packet, decoding_);
    if (!dialect_) {
        const ByteView one[] = {packet};
        const Guess guess = guess_dialect(one);
        // A packet that no dialect reads says nothing of those that follow.
        if (!guess.dialect)
            return std::unexpected(guess.candidates.empty() ? Error{Errc::bad_packet}
                                                            : guess.candidates[0].error);
        // Nor does one that many read, as a bare int.
        if (!guess.ambiguous)
            dialect_ = guess.dialect;
        decoding_.dialect = guess.dialect;
    } else {
        decoding_.dialect = dialect_;
    }
    const auto shown = [&](Variant value) { return Shown{std::move(value), decoding_.dialect}; };
    if (options_.protocol == "debugger") {
        if (!debugger_)
            debugger_.emplace(decoding_);
        else if (lost_)
            return std::nullopt;  // the start of the next message is unknown
        auto message = debugger_->packet(packet);
        if (!message) {
            lost_ = true;
            return std::unexpected(message.error());
        }
        if (!*message)
            return std::nullopt;
        return shown((*message)->describe());
    }
    if (options_.protocol == "multiplayer-4") {
        if (transport == Transport::websocket && packet.size() == 4)
            if (const auto id = mp4::decode_peer_id(packet))
                return shown(Variant(Dictionary{{"command", "peer_id"}, {"peer", *id}}));
        auto message = mp4::decode(packet, {.decoding = decoding_});
        if (!message)
            return std::unexpected(message.error());
        return shown(mp4::describe(*message));
    }
    if (options_.protocol == "multiplayer-3")
        return read_multiplayer_3(packet, flags, transport);
    return Shown{std::nullopt, decoding_.dialect};
}

std::expected<std::optional<PacketReader::Shown>, Error> PacketReader::read_multiplayer_3(
    ByteView packet, const PacketFlags& flags, Transport transport) {
    Dictionary head;
    if (transport == Transport::enet && flags.channel == 0) {
        const auto notice = mp3::decode_enet_notice(packet);
        if (!notice)
            return std::unexpected(notice.error());
        return Shown{Variant(Dictionary{{"command", notice->kind ? "remove_peer" : "add_peer"},
                                        {"peer", notice->peer}}),
                     decoding_.dialect};
    }
    if (transport == Transport::enet) {
        const auto header = mp3::decode_enet(packet);
        if (!header)
            return std::unexpected(header.error());
        head = {{"from", header->source}, {"to", header->target}};
        packet = header->payload;
    } else if (transport == Transport::websocket) {
        const auto header = mp3::decode_websocket(packet);
        if (!header)
            return std::unexpected(header.error());
        head = {{"from", header->from}, {"to", header->to}};
        if (header->kind != mp3::WebSocketHeader::payload_) {
            constexpr const char* kinds[] = {"", "add_peer", "remove_peer", "your_id"};
            head.append("command", kinds[header->kind]);
            head.append("peer", header->peer);
            return Shown{Variant(std::move(head)), decoding_.dialect};
        }
        packet = header->payload;
    }
    auto message = mp3::decode(packet, decoding_);
    if (!message)
        return std::unexpected(message.error());
    Variant value = mp3::describe(*message);
    for (auto& pair : *value.get_if<Dictionary>())
        head.append(pair.key, pair.value);
    return Shown{Variant(std::move(head)), decoding_.dialect};
}

// ---- Saying and recording -----------------------------------------------------------------------

Monitor::Monitor(const Options& options, bool server)
    : options_(options), server_(server), terminal_(::isatty(STDOUT_FILENO)) {}

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
    Recorded recorded{now(),
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
std::expected<std::string, Error> in_form(const Options& options, const Value& value) {
    if (options.form == "json")
        return to_json(value);
    if (options.form == "plain")
        return to_plain_json(value, {});
    return to_text_full(value);
}

/// The text to show: the message that the packet completes, the packet's value, or its bytes.
std::expected<std::string, Error> in_form(const Options& options, const Recorded& packet,
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

// ---- Signals ------------------------------------------------------------------------------------

namespace {

/// What a polite end may take before it is made one, and what the loop may take for that.
constexpr timespec patience{2, 0};

}  // namespace

Signals::Signals(EventLoop& loop, double seconds, std::function<void()> end)
    : end_(std::move(end)) {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1})
        sigaddset(&set, number);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    thread_ = std::thread([this, &loop, set] {
        int number = 0;
        while (!done_ && (sigwait(&set, &number) != 0 || (number == SIGUSR1 && !done_))) {
        }
        if (done_)
            return;
        loop.post(end_);
        // A second signal, or time, stops the loop without goodbyes. One that is stuck in a pipe
        // that nobody reads does not hear of it: a third signal, or time, ends the process. What
        // was recorded is in its file already.
        if (sigtimedwait(&set, nullptr, &patience) >= 0 && done_)
            return;
        loop.stop();
        (void)sigtimedwait(&set, nullptr, &patience);
        if (!done_)
            std::_Exit(io_error);
    });
    if (seconds > 0)
        loop.after(std::chrono::milliseconds(
                       static_cast<std::int64_t>(std::min(seconds, longest_wait) * 1e3)),
                   [this] { end_(); });
}

Signals::~Signals() {
    done_ = true;
    pthread_kill(thread_.native_handle(), SIGUSR1);
    thread_.join();
}

}  // namespace gdvar::app
