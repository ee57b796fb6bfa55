// listen and proxy.
#include <cstring>
#include <deque>

#include "live.hpp"

namespace gdvar::app {
namespace {

std::string ending(const NetError& error) {
    if (error.error.code == Errc::ok)
        return "closed";
    return "error[" + std::string(error_name(error.error.code)) + "]: " + error.text;
}

int failed(const std::string& url, const NetError& error) {
    say("gdvar: " + url + ": " + ending(error));
    return error.error.code == Errc::bad_syntax ? usage : io_error;
}

/// Stops when enough has come, or when nobody reads what is printed.
void stop_when_done(const Monitor& monitor, const Options& options, EventLoop& loop) {
    if ((options.count && monitor.packets() >= options.count) || !monitor.good())
        loop.stop();
}

}  // namespace

// ---- listen -------------------------------------------------------------------------------------

int listen_command(const Options& given) {
    Options options = given;
    const std::string url = plain_url(options.url, options);
    const Dialect* dialect = nullptr;
    if (!find_dialect(options, dialect))
        return usage;
    Monitor monitor(options, true);
    if (const int exit = monitor.open())
        return exit;
    EventLoop loop;
    const Signals signals(loop, options.seconds);

    PeerHandlers handlers;
    handlers.connected = [&](Peer& peer) { monitor.note(peer, "connected"); };
    handlers.packet = [&](Peer& peer, ByteView packet) {
        monitor.packet(peer, Direction::to_server, packet, peer.packet_flags());
        if (options.answer == "echo") {
            if (const auto sent = peer.put_packet(packet, peer.packet_flags()); !sent)
                monitor.error(peer, "not answered: " + to_string(sent.error()));
            else
                monitor.packet(peer, Direction::to_client, packet, peer.packet_flags());
        }
        stop_when_done(monitor, options, loop);
    };
    handlers.closed = [&](Peer& peer, const NetError& error) {
        if (error.error.code == Errc::ok)
            monitor.note(peer, "closed");
        else
            monitor.error(peer, ending(error));
        monitor.forget(peer);
    };
    auto listener = gdvar::listen(loop, url, net_options(options, dialect), handlers);
    if (!listener)
        return failed(url, listener.error());
    say("gdvar: listening at " + std::string(transport_name((*listener)->transport())) +
        ((*listener)->transport() == Transport::local ? ":" : "://") + (*listener)->address());
    loop.run();
    return monitor.exit();
}

// ---- proxy --------------------------------------------------------------------------------------

namespace {

/// One side of a connection through the proxy, and what could not be sent to it yet.
struct Side {
    std::shared_ptr<Peer> peer;
    std::deque<std::pair<std::vector<std::byte>, PacketFlags>> waiting;
    StreamFramer framer;
    bool open = true, lost = false, closing = false;
};

/// A client and its connection to the target.
struct Pair {
    Side client, target;
};

class Proxy {
public:
    Proxy(const Options& options, EventLoop& loop, Monitor& monitor, const NetOptions& net,
          std::string target)
        : options_(options),
          loop_(loop),
          monitor_(monitor),
          net_(net),
          target_(std::move(target)) {}

    PeerHandlers handlers(bool stream, bool client) {
        PeerHandlers out;
        if (client)
            out.connected = [this, stream](Peer& peer) { connect(peer, stream); };
        if (stream)
            // As they are: what isn't understood still has to arrive.
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
                stop_when_done(monitor_, options_, loop_);
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

    void connect(Peer& peer, bool stream) {
        auto pair = std::make_shared<Pair>();
        pair->client.peer = peer.shared_from_this();
        pair->client.framer = StreamFramer(net_.order, net_.max_packet);
        pair->target.framer = StreamFramer(net_.order, net_.max_packet);
        NetOptions options = net_;
        options.enet_connect_data = peer.connect_data();
        if (!peer.protocol().empty())
            options.protocols = {peer.protocol()};
        auto target = gdvar::connect(loop_, target_, options, handlers(stream, false));
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
                monitor_.error(*pair->client.peer,
                               std::string(client ? "from the client" : "from the target") +
                                   ": these are no packets, only passed on from here: " +
                                   to_string(packet.error()));
                return;
            }
            if (!*packet)
                break;
            monitor_.packet(*pair->client.peer,
                            client ? Direction::to_server : Direction::to_client, **packet, {});
        }
        stop_when_done(monitor_, options_, loop_);
    }

    static bool put(Peer& peer, ByteView bytes, const PacketFlags& flags) {
        const auto sent = is_stream(peer.transport())
                              ? peer.put([&](StreamWriter& out) { return out.put_data(bytes); })
                              : peer.put_packet(bytes, flags);
        return sent || sent.error().code != Errc::buffer_full;
    }

    void forward(Pair& pair, bool client, ByteView bytes, const PacketFlags& flags) {
        Side& there = to(pair, client);
        if (there.waiting.empty() && put(*there.peer, bytes, flags))
            return;
        there.waiting.emplace_back(std::vector<std::byte>(bytes.begin(), bytes.end()), flags);
        from(pair, client).peer->pause_reading();
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
        else
            from(pair, client).peer->resume_reading();
    }

    void closed(Peer& peer, const NetError& error, bool client) {
        const auto pair = std::static_pointer_cast<Pair>(peer.data);
        if (!pair)
            return;
        const std::string who = client ? "the client " : "the target ";
        if (error.error.code == Errc::ok)
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
            // The peers hold the pair, and the pair the peers.
            pair->client.peer->data = pair->target.peer->data = nullptr;
            const auto both = std::pair(pair->client.peer, pair->target.peer);
            pair->client.peer = pair->target.peer = nullptr;
        }
    }

    const Options& options_;
    EventLoop& loop_;
    Monitor& monitor_;
    const NetOptions net_;
    const std::string target_;
};

}  // namespace

int proxy_command(const Options& given) {
    Options options = given;
    const std::string url = plain_url(options.url, options);
    const std::string target = plain_url(options.target_url, options);
    const auto here = parse_url(url), there = parse_url(target);
    if (!here)
        return failed(url, here.error());
    if (!there)
        return failed(target, there.error());
    const Dialect* dialect = nullptr;
    if (!find_dialect(options, dialect))
        return usage;
    Monitor monitor(options, true);
    if (const int exit = monitor.open())
        return exit;
    EventLoop loop;
    const Signals signals(loop, options.seconds);
    // Between two streams bytes are passed on as they are, else packet by packet.
    const bool stream = is_stream(here->transport) && is_stream(there->transport);
    Proxy proxy(options, loop, monitor, net_options(options, dialect), target);
    auto listener =
        gdvar::listen(loop, url, net_options(options, dialect), proxy.handlers(stream, true));
    if (!listener)
        return failed(url, listener.error());
    say("gdvar: listening at " + std::string(transport_name((*listener)->transport())) +
        ((*listener)->transport() == Transport::local ? ":" : "://") + (*listener)->address() +
        ", passing on to " + target);
    loop.run();
    return monitor.exit();
}

}  // namespace gdvar::app
