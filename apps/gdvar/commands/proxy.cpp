#include <deque>

#include "command.hpp"
#include "live/serving.hpp"

namespace gdvar::app::commands::proxy {
namespace {

struct Options : LiveOptions {
    std::string target_url;
};

void declare(Arguments& arguments, Options& options) {
    add_url(arguments, options);
    add_origins(arguments, options);
    arguments.option("TARGET", options.target_url, "the URL that connections are forwarded to")
        .required();
    add_live(arguments, options);
}

#ifdef GDVAR_NET

/// The most bytes that wait for a side that does not read. Beyond that, the other side is not read
/// from. A longer packet is held whole.
constexpr std::size_t most_waiting = 256 * 1024;
/// Interval at which the proxy checks a side with waiting packets.
constexpr std::chrono::milliseconds glance{5};

/// One side of a connection through the proxy, with the bytes not sent to it yet.
struct Side {
    std::shared_ptr<Peer> peer;
    std::deque<std::pair<std::vector<std::byte>, PacketFlags>> waiting;
    StreamFramer framer;
    bool open = true, lost = false, closing = false, ending = false;
    bool watched = false;  ///< a check is scheduled, until fewer bytes wait
};

struct Pair : std::enable_shared_from_this<Pair> {
    Side client, target;
};

class Proxy {
public:
    /// `stream`: bytes are passed on unchanged, else packet by packet.
    Proxy(Serving& serving, Monitor& monitor, const NetOptions& net, std::string target,
          bool stream)
        : serving_(serving),
          monitor_(monitor),
          net_(net),
          target_(std::move(target)),
          stream_(stream) {}
    /// The options for both sides. A stream may be cut anywhere, so its queue gets a limit.
    static NetOptions options(NetOptions net, bool stream) {
        if (stream)
            net.max_queued = most_waiting;
        return net;
    }

    PeerHandlers handlers(bool client) {
        PeerHandlers out;
        if (client)
            out.connected = [this](Peer& peer) { connect(peer); };
        if (stream_)
            // Unchanged: bytes that we can't parse must still arrive.
            out.data = [this, client](Peer& peer, StreamReader& in) {
                auto bytes = in.get_data(in.available_bytes());
                if (bytes)
                    this->bytes(peer, as_bytes(*bytes), client);
            };
        else
            out.packet = [this, client](Peer& peer, ByteView packet) {
                auto pair = std::static_pointer_cast<Pair>(peer.data);
                if (!pair)
                    return;
                monitor_.packet(*pair->client.peer,
                                client ? Direction::to_server : Direction::to_client, packet,
                                peer.packet_flags());
                forward(*pair, client, packet, peer.packet_flags());
                serving_.look();
            };
        if (stream_)
            out.ended = [client](Peer& peer) {
                auto pair = std::static_pointer_cast<Pair>(peer.data);
                if (!pair)
                    return peer.close();
                Side& there = to(*pair, client);
                there.ending = true;
                if (there.waiting.empty())
                    there.peer->shutdown();
            };
        out.drained = [this, client](Peer& peer) {
            if (auto pair = std::static_pointer_cast<Pair>(peer.data))
                drain(*pair, !client);
        };
        out.closed = [this, client](Peer& peer, const NetError& error) {
            closed(peer, error, client);
        };
        return out;
    }

private:
    static Side& from(Pair& pair, bool client) { return client ? pair.client : pair.target; }
    static Side& to(Pair& pair, bool client) { return client ? pair.target : pair.client; }

    void connect(Peer& peer) {
        auto pair = std::make_shared<Pair>();
        pair->client.peer = peer.shared_from_this();
        pair->client.framer = StreamFramer(net_.order, net_.max_packet);
        pair->target.framer = StreamFramer(net_.order, net_.max_packet);
        NetOptions options = net_;
        options.enet_connect_data = peer.connect_data();
        if (!peer.protocol().empty())
            options.protocols = {peer.protocol()};
        auto target = net::connect(serving_.loop(), target_, options, handlers(false));
        if (!target) {
            monitor_.error(peer, target_ + ": " + ending(target.error()));
            return peer.close();
        }
        pair->target.peer = *target;
        (*target)->data = pair;
        peer.data = pair;
        monitor_.note(peer, "connected to " + target_);
    }

    void bytes(Peer& peer, ByteView bytes, bool client) {
        auto pair = std::static_pointer_cast<Pair>(peer.data);
        if (!pair)
            return;
        Side& side = from(*pair, client);
        forward(*pair, client, bytes, {});
        if (side.lost)
            return;
        auto fed = side.framer.feed(bytes);
        for (;;) {
            auto packet = fed ? side.framer.next() : std::unexpected(fed.error());
            if (!packet) {
                side.lost = true;
                monitor_.error(
                    *pair->client.peer,
                    std::string(client ? "from the client" : "from the target") + ":" +
                        hex(packet.error().offset) +
                        ": not a packet, so the bytes are only forwarded from here on: " +
                        to_string(packet.error()));
                return;
            }
            if (!*packet)
                break;
            monitor_.packet(*pair->client.peer,
                            client ? Direction::to_server : Direction::to_client, **packet, {});
        }
        serving_.look();
    }

    bool put(Peer& peer, ByteView bytes, const PacketFlags& flags) {
        const auto sent = stream_ ? peer.put([&](StreamWriter& out) { return out.put_data(bytes); })
                                  : peer.put_packet(bytes, flags);
        if (!sent && sent.error().code == Errc::buffer_full)
            return false;
        if (!sent)
            monitor_.error(peer, "not forwarded: " + to_string(sent.error()));
        return true;
    }

    void forward(Pair& pair, bool client, ByteView bytes, const PacketFlags& flags) {
        Side& there = to(pair, client);
        if (there.waiting.empty() && put(*there.peer, bytes, flags)) {
            if (!stream_ && there.peer->queued() > most_waiting) {
                from(pair, client).peer->pause_reading();
                watch(pair.shared_from_this(), client);
            }
            return;
        }
        there.waiting.emplace_back(std::vector<std::byte>(bytes.begin(), bytes.end()), flags);
        from(pair, client).peer->pause_reading();
    }

    /// Checks the queue until fewer bytes wait. The event `drained` follows only a refusal, and
    /// whole packets are refused only when far more waits.
    void watch(const std::shared_ptr<Pair>& pair, bool client) {
        if (std::exchange(to(*pair, client).watched, true))
            return;
        serving_.loop().after(glance, [this, pair, client] {
            Side& there = to(*pair, client);
            there.watched = false;
            if (!there.peer || !there.open)
                return;
            if (there.peer->queued() > most_waiting / 2)
                return watch(pair, client);
            drain(*pair, client);
        });
    }

    void drain(Pair& pair, bool client) {
        Side& there = to(pair, client);
        while (!there.waiting.empty()) {
            auto& [bytes, flags] = there.waiting.front();
            if (!put(*there.peer, bytes, flags))
                return;
            there.waiting.pop_front();
        }
        if (there.closing)
            there.peer->close();
        else if (there.ending)
            there.peer->shutdown();
        else
            from(pair, client).peer->resume_reading();
    }

    void closed(Peer& peer, const NetError& error, bool client) {
        const auto pair = std::static_pointer_cast<Pair>(peer.data);
        if (!pair)
            return;
        const std::string who = client ? "the client " : "the target ";
        if (error.code == Errc::ok)
            monitor_.note(*pair->client.peer, who + "closed");
        else
            monitor_.error(*pair->client.peer, who + ending(error));
        from(*pair, client).open = false;
        Side& other = to(*pair, client);
        other.closing = true;
        if (other.open && other.waiting.empty())
            other.peer->close();
        if (!other.open) {
            monitor_.forget(*pair->client.peer);
            // The peers hold the pair, and the pair holds the peers.
            pair->client.peer->data = pair->target.peer->data = nullptr;
            const auto both = std::pair(pair->client.peer, pair->target.peer);
            pair->client.peer = pair->target.peer = nullptr;
        }
    }

    Serving& serving_;
    Monitor& monitor_;
    const NetOptions net_;
    const std::string target_;
    const bool stream_;
};

int run(Options& options) {
    const std::string url = transport_url(options.url, options);
    const std::string target = transport_url(options.target_url, options);
    const auto here = parse_url(url), there = parse_url(target);
    if (!here)
        return failed(url, here.error());
    if (!there)
        return failed(target, there.error());
    Monitor monitor(options, true);
    if (const int exit = monitor.start())
        return exit;
    Serving serving(options, monitor);
    const bool stream = is_stream(here->transport) && is_stream(there->transport);
    const NetOptions net = Proxy::options(net_options(options, monitor.dialect()), stream);
    Proxy proxy(serving, monitor, net, target, stream);
    return serving.run(url, net, proxy.handlers(true), ", forwarding to " + target);
}

#endif

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "proxy",
         .does = "forwards connections to a server and prints both directions",
         .examples = "gdvar proxy tcp://127.0.0.1:4000 tcp://127.0.0.1:4001 --record game.rec\n"
                     "gdvar proxy debugger://127.0.0.1:6008 debugger://127.0.0.1:6007"},
        declare, run);
}

}  // namespace gdvar::app::commands::proxy
