// send and replay.
#include <cmath>
#include <set>

#include "live.hpp"

namespace gdvar::app {
namespace {

/// The most datagrams and bytes to send over UDP before a pause. UDP has no flow control, and a
/// socket's buffer holds a few hundred small datagrams.
constexpr std::size_t burst_datagrams = 20, burst_bytes = 64 * 1024;
constexpr std::chrono::milliseconds burst_pause{5};

/// One packet that is to be sent, and when, in seconds from the start.
struct Outgoing {
    double time = 0;
    std::string peer;
    std::vector<std::byte> packet;
    PacketFlags flags;
};

PacketFlags flags_of(const Options& options) {
    return {.channel = static_cast<std::uint8_t>(options.channel), .reliable = !options.unreliable};
}

/// The values of the command line, encoded.
int add_values(const Options& options, const Dialect& dialect, std::vector<Outgoing>& out) {
    EncodeOptions encoding;
    encoding.dialect = &dialect;
    encoding.allow_objects = options.objects;
    for (std::string_view text : options.values) {
        if (text.starts_with(" ["))
            text.remove_prefix(1);  // set before it in main
        auto value = parse_value(options, dialect, text);
        if (!value) {
            say("gdvar: the value " + std::string(text) + ": " + to_string(value.error()) +
                plain_hint(options, text));
            return usage;
        }
        auto packet = encode(*value, encoding);
        if (!packet) {
            say("gdvar: the value " + std::string(text) + ": " +
                error_path(*value, encoding, packet.error()) + ": " + to_string(packet.error()));
            return refused;
        }
        const auto bytes = as_bytes(*packet);
        out.push_back({0, "", {bytes.begin(), bytes.end()}, flags_of(options)});
    }
    return fine;
}

/// What is to be sent, one after the other; nothing at the end.
using Feed = std::function<std::optional<Outgoing>()>;

Feed feed_of(std::vector<Outgoing> packets) {
    return [packets = std::move(packets), next = std::size_t{0}]() mutable {
        return next < packets.size() ? std::optional(std::move(packets[next++])) : std::nullopt;
    };
}

/// The packets of a file as they are. Of records only one is held; they are looked through first,
/// so that a damaged file is refused before anything is sent.
class PacketFile {
public:
    explicit PacketFile(const Options& options) : reading_(options) {
        reading_.file = options.values_file;
    }
    /// Returns an exit code.
    int open() {
        input_ = Input::open(reading_, exit_);
        if (!input_)
            return exit_;
        std::vector<Outgoing> all;
        exit_ = input_->each(
            [&](const Item& item) {
                if (!input_->has_records())
                    all.push_back(outgoing(item));
                return true;
            },
            Tail::keep);
        all_ = feed_of(std::move(all));
        if (exit_ == fine && input_->has_records())
            exit_ = input_->rewind();
        return exit_;
    }
    std::optional<Outgoing> next() {
        if (!input_->has_records())
            return all_();
        const auto item = input_->next(exit_);
        return item ? std::optional(outgoing(*item)) : std::nullopt;
    }
    /// As reading has gone so far.
    int exit() const { return exit_; }

private:
    Outgoing outgoing(const Item& item) const {
        return {0, "", {item.packet.begin(), item.packet.end()}, flags_of(reading_)};
    }
    Options reading_;
    std::unique_ptr<Input> input_;
    Feed all_;  ///< of what is no records
    int exit_ = fine;
};

/// The packets that a recording says went that way.
int add_recording(const Options& options, std::vector<Outgoing>& out) {
    Options reading = options;
    reading.dialect = "godot-4.4";
    // Else one with a damaged length would be looked at as something else.
    reading.as = "records";
    int exit = fine;
    auto input = Input::open(reading, exit);
    if (!input)
        return exit;
    const Direction wanted =
        options.direction == "to_client" ? Direction::to_client : Direction::to_server;
    int worst = fine;
    std::size_t good = 0;
    exit = input->each([&](const Item& item) {
        if (item.cut)
            return false;
        auto recorded = decode<Recorded>(item.packet);
        if (!recorded) {
            input->complain(item, recorded.error(), {});
            worst = refused;
            return false;
        }
        if (recorded->channel < 0 || recorded->channel > 254 || !std::isfinite(recorded->time)) {
            say(input->name() + ":" + hex(item.offset) + ": " + item.label +
                "a time or channel that can't be");
            worst = refused;
            return false;
        }
        ++good;
        if (recorded->direction != wanted)
            return true;
        const auto bytes = as_bytes(recorded->packet);
        out.push_back({recorded->time,
                       recorded->client,
                       {bytes.begin(), bytes.end()},
                       {.channel = static_cast<std::uint8_t>(recorded->channel),
                        .reliable = recorded->reliable,
                        .text = recorded->text}});
        return true;
    });
    worst = exit != fine ? exit : worst;
    if (worst == fine && !good) {
        say(input->name() + ": error[not_recognised]: the input is empty");
        return refused;
    }
    if (worst == refused)
        say("gdvar: " + input->name() +
            (good ? ": the recording is damaged at #" + std::to_string(good)
                  : ": this is no recording of listen or proxy"));
    return worst;
}

/// The client's side of send and replay: connections, what they still have to send, what came.
class Sender {
public:
    Sender(const Options& options, EventLoop& loop, Monitor& monitor)
        : options_(options), loop_(loop), monitor_(monitor) {}

    /// `names`: of the peers that the packets name.
    int run(const std::string& url, const NetOptions& net, const std::set<std::string>& names,
            Feed feed) {
        std::map<std::string, std::shared_ptr<Peer>> peers;
        last_ = now();
        for (const std::string& name : names)
            peers.try_emplace(name);
        for (auto& [name, peer] : peers) {
            auto made = connect(loop_, url, net, handlers());
            if (!made)
                return failed(url, made.error());
            peer = *made;
            udp_ = peer->transport() == Transport::udp;
            ++open_;
        }
        feed_ = std::move(feed);
        peers_ = std::move(peers);
        next_ = feed_();
        first_ = next_ ? next_->time : 0;
        loop_.run();
        return exit_ != fine ? exit_ : monitor_.exit();
    }

    void finish() {
        for (const auto& [name, peer] : peers_)
            peer->close();
        // One that connects still, or whose server does not say goodbye.
        loop_.after(std::chrono::seconds(2), [this] { loop_.stop(); });
    }

private:
    PeerHandlers handlers() {
        PeerHandlers out;
        out.connected = [this](Peer&) {
            if (++connected_ < peers_.size())
                return;
            start_ = last_ = now();
            send_due();
            watch();
        };
        out.packet = [this](Peer& peer, ByteView packet) {
            last_ = now();
            monitor_.packet(peer, Direction::to_client, packet, peer.packet_flags());
            if (!monitor_.good())
                loop_.stop();
            if (options_.count && monitor_.packets() >= options_.count + sent_)
                finish();
        };
        out.drained = [this](Peer&) { send_due(); };
        out.closed = [this](Peer& peer, const NetError& error) {
            if (error.error.code != Errc::ok) {
                say("gdvar: " + peer.address() + ": " + ending(error));
                exit_ = io_error;
            }
            // One that can't be reached, or that goes early, ends the rest.
            if (--open_ == 0)
                return loop_.stop();
            if (exit_ != fine)
                finish();
        };
        return out;
    }

    /// Sends what is due and comes back when the next is.
    void send_due() {
        const double speed = options_.speed;
        if (pausing_)
            return;
        for (std::size_t datagrams = 0, bytes = 0; next_; ++datagrams) {
            const Outgoing& packet = *next_;
            if (udp_ && datagrams && (datagrams >= burst_datagrams || bytes >= burst_bytes))
                return pause();
            bytes += packet.packet.size();
            const double due = std::isinf(speed) ? 0 : (packet.time - first_) / speed;
            const double wait = due - (now() - start_);
            if (wait > 0) {
                loop_.after(std::chrono::milliseconds(
                                static_cast<std::int64_t>(std::min(wait, longest_wait) * 1e3) + 1),
                            [this] { send_due(); });
                return;
            }
            Peer& peer = *peers_[packet.peer];
            const auto sent = peer.put_packet(packet.packet, packet.flags);
            if (!sent && sent.error().code == Errc::buffer_full)
                return;  // `drained` comes here
            if (!sent) {
                say("gdvar: " + peer.address() + ": not sent: " + to_string(sent.error()));
                exit_ = io_error;
            } else {
                ++sent_;
                monitor_.packet(peer, Direction::to_server, packet.packet, packet.flags);
            }
            next_ = feed_();
            last_ = now();
        }
    }

    void pause() {
        pausing_ = true;
        loop_.after(burst_pause, [this] {
            pausing_ = false;
            send_due();
        });
    }

    /// A number that changes while bytes go out or come in, even parts of a long packet.
    std::uint64_t progress() const {
        std::uint64_t out = 0;
        for (const auto& [name, peer] : peers_)
            out += peer->statistics().received - peer->queued();
        return out;
    }

    /// Ends when everything is sent and nothing was received or sent for the requested time.
    void watch() {
        loop_.after(std::chrono::milliseconds(20), [this] {
            if (const auto so_far = progress(); std::exchange(progress_, so_far) != so_far)
                last_ = now();
            if (!next_ && now() - last_ >= options_.wait_seconds)
                return finish();
            watch();
        });
    }

    const Options& options_;
    EventLoop& loop_;
    Monitor& monitor_;
    Feed feed_;
    std::optional<Outgoing> next_;
    std::map<std::string, std::shared_ptr<Peer>> peers_;
    std::size_t open_ = 0, connected_ = 0;
    std::uint64_t sent_ = 0;
    double last_ = 0, first_ = 0, start_ = 0;
    std::uint64_t progress_ = 0;
    bool udp_ = false, pausing_ = false;
    int exit_ = fine;
};

int send_all(const Options& options, Monitor& monitor, const std::string& url,
             const std::set<std::string>& names, Feed feed) {
    if (const int exit = monitor.open())
        return exit;
    EventLoop loop;
    Sender sender(options, loop, monitor);
    const Signals signals(loop, options.seconds, [&] { sender.finish(); });
    return sender.run(url, net_options(options, monitor.dialect()), names, std::move(feed));
}

}  // namespace

int send_command(const Options& given) {
    Options options = given;
    const std::string url = plain_url(options.url, options);
    if (const auto parsed = parse_url(url); !parsed)
        return failed(url, parsed.error());
    Monitor monitor(options, false);
    if (const int exit = monitor.find_dialect())
        return exit;
    const Dialect& dialect = monitor.dialect() ? *monitor.dialect() : dialects::godot_4_4;
    std::vector<Outgoing> packets;
    if (const int exit = add_values(options, dialect, packets))
        return exit;
    std::optional<PacketFile> file;
    if (!options.values_file.empty())
        if (const int exit = file.emplace(options).open())
            return exit;
    options.speed = INFINITY;
    const int exit =
        send_all(options, monitor, url, {""}, [&, first = feed_of(std::move(packets))]() {
            auto packet = first();
            return packet || !file ? packet : file->next();
        });
    return exit == fine && file ? file->exit() : exit;
}

int replay_command(const Options& given) {
    Options options = given;
    const std::string url = plain_url(options.url, options);
    if (const auto parsed = parse_url(url); !parsed)
        return failed(url, parsed.error());
    std::vector<Outgoing> packets;
    if (const int exit = add_recording(options, packets))
        return exit;
    if (options.speed <= 0)
        options.speed = INFINITY;
    Monitor monitor(options, false);
    if (const int exit = monitor.find_dialect())
        return exit;
    std::set<std::string> names;
    for (const Outgoing& packet : packets)
        names.insert(packet.peer);
    if (names.empty())
        names.insert("");  // only to listen
    return send_all(options, monitor, url, names, feed_of(std::move(packets)));
}

}  // namespace gdvar::app
