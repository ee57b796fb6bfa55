// ENetConnection, over libenet: one host, a peer for each connection.
#include <cstring>
#include <deque>

#include "enet_gate.hpp"
#include "shared_socket.hpp"
#include "transports.hpp"

namespace gdvar::net {
namespace detail {
namespace {

/// Events handled before other endpoints get their turn.
constexpr int max_events_per_turn = 256;
/// Interval at which a host with connections is served, for timeouts and retransmissions.
constexpr std::chrono::milliseconds service_interval{10};

class ENetHostLoop;

class EnetPeer final : public PeerBase {
public:
    EnetPeer(SharedLoop loop, const Strand& strand, std::shared_ptr<ENetHostLoop> host,
             const NetOptions& options, SharedHandlers handlers)
        : PeerBase(std::move(loop), strand, Transport::enet, options, std::move(handlers)),
          host_(std::move(host)) {}
    ~EnetPeer() override {
        for (const Received& one : held_back_)
            enet_packet_destroy(one.packet);
    }
    const std::shared_ptr<ENetHostLoop>& host() const noexcept { return host_; }
    void begin(const std::string& address) {
        address_ = address;
        on_connecting();
    }
    void bound(ENetPeer* peer, const std::string& address, const std::string& local) {
        peer_ = peer;
        peer_->data = this;
        address_ = address;
        local_ = local;
    }
    void on_connect(std::uint32_t number) {
        connect_data_ = number;
        on_connected();
    }
    /// The peer is gone. Its waiting packets are handled first.
    void on_disconnect() {
        detach();
        if (held_back_.empty() || !receives())
            return finish();
        disconnected_ = true;
    }
    /// Takes ownership of the packet. ENet has already acknowledged a reliable packet, so it waits
    /// here until it may be handled. Packets beyond the gate's limits are not acknowledged.
    void packet(ENetPacket* packet, std::uint8_t channel) {
        on_receive(0);
        if (held_back_.empty() && may_deliver())
            return handle_packet({packet, channel});
        if (!(packet->flags & ENET_PACKET_FLAG_RELIABLE) || discards()) {
            ++dropped_;
            return enet_packet_destroy(packet);
        }
        held_back_.push_back({packet, channel});
        gate().hold(*peer_, *packet);
    }
    bool admits() {
        on_receive(0);
        return admit_control();
    }
    void on_part(std::size_t bytes) { on_partial_packet(bytes); }
    void on_oversized() { fail(Error{Errc::size_limit, Type::nil, 0, 0}); }
    void freed(std::size_t bytes);
    /// Called when ENet has freed some of the peer's packets.
    void after_service() {
        freed_ = false;
        if (is_over())
            return;
        flush();
        on_queue_drained();
    }

private:
    struct Received {
        ENetPacket* packet;
        std::uint8_t channel;
    };
    ENetGate& gate() const;
    void handle_packet(const Received& what);
    Received take_held_back();
    void detach();

    void start_read() override {}
    bool deliver() override;
    bool start_write() override;
    void start_close_handshake() override;
    void release() override;

    std::shared_ptr<ENetHostLoop> host_;
    ENetPeer* peer_ = nullptr;
    std::deque<Received> held_back_;  ///< reliable packets that may not be handled yet
    bool disconnected_ = false;       ///< the peer is gone
    bool freed_ = false;              ///< in the host's list of peers with freed packets
};

bool initialise() {
    static const bool done = enet_initialize() == 0;
    return done;
}

std::string text_of(const ENetAddress& address) {
    char host[64] = "";
    enet_address_get_host_ip(&address, host, sizeof host);
    return std::string(host) + ":" + std::to_string(address.port);
}

class ENetHostLoop final : public SharedSocket<ENetHostLoop, EnetPeer, std::uint64_t> {
public:
    ENetHostLoop(SharedLoop loop, NetOptions options, SharedHandlers handlers, bool server)
        : SharedSocket(std::move(loop), Transport::enet, std::move(options), std::move(handlers),
                       server),
          socket_(strand_),
          timer_(strand_) {}
    // NOLINTNEXTLINE(bugprone-exception-escape): without memory for the events, the program ends
    ~ENetHostLoop() override { drop(); }

    std::optional<NetError> open(const ENetAddress* address) {
        if (!initialise())
            return net_error(Errc::io, "ENet can't be initialised");
        const std::size_t peers =
            server_ ? std::min<std::size_t>(options_.max_peers, ENET_PROTOCOL_MAXIMUM_PEER_ID) : 1;
        host_ = enet_host_create(address, peers, options_.enet_channels, 0, 0);
        if (!host_)
            return net_error(Errc::io, "the address is in use or can't be bound");
        gate_.emplace(
            *host_, options_, server_,
            ENetGate::Callbacks{[](ENetPeer& peer) {
                                    auto* const known = static_cast<EnetPeer*>(peer.data);
                                    return !known || known->admits();
                                },
                                [](ENetPeer& peer, std::size_t bytes) {
                                    if (auto* const known = static_cast<EnetPeer*>(peer.data))
                                        known->on_part(bytes);
                                }});
        ENetAddress own{};
        if (enet_socket_get_address(host_->socket, &own) == 0) {
            address_ = text_of(own);
            port_ = own.port;
        }
        socket_.assign(asio::ip::udp::v4(), host_->socket);
        return std::nullopt;
    }
    void drop() override {
        resolver_.cancel();
        if (!host_)
            return;
        error_code ignored;
        socket_.cancel(ignored);
        timer_.cancel();
        const auto peers = all();
        clear();
        // Peers use the host when they are dropped.
        for (const auto& peer : peers)
            peer->drop();
        // Asio closes the socket, because not every Windows lets Asio release it.
        host_->socket = ENET_SOCKET_NULL;
        enet_host_destroy(std::exchange(host_, nullptr));
        socket_.close(ignored);
        gate_.reset();
        freed_.clear();
    }
    void freed(std::shared_ptr<EnetPeer> peer) { freed_.push_back(std::move(peer)); }
    ENetGate& gate() { return *gate_; }

    void send(ENetPeer* peer, std::uint8_t channel, ENetPacket* packet, std::uint64_t& lost) {
        if (enet_peer_send(peer, channel, packet) != 0) {
            enet_packet_destroy(packet);
            ++lost;
        }
        flush_soon();
    }
    void flush() { enet_host_flush(host_); }
    void flush_soon() {
        if (std::exchange(flushing_, true))
            return;
        loop_->post(strand_, [me = shared_from_this()] {
            me->flushing_ = false;
            if (me->host_)
                enet_host_flush(me->host_);
            me->after_service();
        });
    }
    void remove_peer(const EnetPeer& peer) {
        remove(peer.id(), peer);
        if (host_)
            enet_host_flush(host_);
        loop_->post(strand_, [me = shared_from_this()] { me->close_if_idle(); });
    }

private:
    friend SharedSocket;

    void begin() { wait(); }
    void resolve(const std::shared_ptr<EnetPeer>& peer, const NetUrl& url) {
        add(peer->id(), peer);
        peer->begin(url.host + ":" + std::to_string(url.port));
        resolver_.async_resolve(
            asio::ip::udp::v4(), url.host, std::to_string(url.port),
            asio::ip::resolver_base::numeric_service,
            when_found(loop_, peer, [](const std::shared_ptr<EnetPeer>& there, const auto& found) {
                there->host()->connect_to(there, found.begin()->endpoint());
            }));
    }
    void connect_to(const std::shared_ptr<EnetPeer>& peer, const asio::ip::udp::endpoint& to) {
        ENetAddress address{};
        address.host = ENET_HOST_TO_NET_32(to.address().to_v4().to_uint());
        address.port = to.port();
        if (open(nullptr))
            return peer->failed(asio::error::address_in_use);
        ENetPeer* there =
            enet_host_connect(host_, &address, options_.enet_channels, options_.enet_connect_data);
        if (!there)
            return peer->failed(asio::error::no_memory);
        peer->bound(there, to_text(to), address_);
        start();
        flush_soon();
    }
    void wait() {
        if (!host_)
            return;
        socket_.async_wait(asio::socket_base::wait_read,
                           [me = shared_from_this()](const error_code& code) {
                               if (code || !me->host_)
                                   return;
                               me->service();
                               me->wait();
                           });
        start_service_timer();
    }
    void start_service_timer() {
        if (!host_ || timer_running_ || host_->connectedPeers + peers() + gate_->half_open() == 0)
            return;
        timer_running_ = true;
        timer_.expires_after(service_interval);
        timer_.async_wait([me = shared_from_this()](const error_code& code) {
            me->timer_running_ = false;
            if (code || !me->host_)
                return;
            me->service();
            me->start_service_timer();
        });
    }
    void service() {
        ENetEvent event;
        for (int i = 0; i < max_events_per_turn && host_ && enet_host_service(host_, &event, 0) > 0;
             ++i)
            handle(event);
        if (!host_)
            return;
        gate_->each_oversized([](ENetPeer& peer) {
            if (auto* known = static_cast<EnetPeer*>(peer.data))
                known->on_oversized();
        });
        if (!host_)
            return;
        gate_->expire();
        enet_host_flush(host_);
        after_service();
        start_service_timer();
    }
    void after_service() {
        for (const auto& peer : std::exchange(freed_, {}))
            peer->after_service();
    }
    void handle(const ENetEvent& event) {
        auto* known = static_cast<EnetPeer*>(event.peer->data);
        switch (event.type) {
            case ENET_EVENT_TYPE_CONNECT:
                if (known)
                    known->on_connect(event.data);
                else
                    accept(event);
                break;
            case ENET_EVENT_TYPE_DISCONNECT:
                event.peer->data = nullptr;
                if (known)
                    known->on_disconnect();
                break;
            case ENET_EVENT_TYPE_RECEIVE:
                if (known)
                    known->packet(event.packet, event.channelID);
                else
                    enet_packet_destroy(event.packet);
                break;
            case ENET_EVENT_TYPE_NONE:
                break;
        }
    }
    void accept(const ENetEvent& event) {
        // Peers that are gone count as long as their packets wait.
        const auto peer = peers() >= options_.max_peers
                              ? nullptr
                              : admit([](const EnetPeer& made) { return made.id(); });
        if (!peer)
            return enet_peer_disconnect_now(event.peer, 0);
        peer->begin(text_of(event.peer->address));
        peer->bound(event.peer, text_of(event.peer->address), address_);
        peer->on_connect(event.data);
    }

    ENetHost* host_ = nullptr;
    std::optional<ENetGate> gate_;
    asio::ip::udp::socket socket_;  ///< ENet's own
    asio::steady_timer timer_;
    std::vector<std::shared_ptr<EnetPeer>> freed_;
    bool timer_running_ = false, flushing_ = false;
};

std::uint32_t wire_flags(const PacketFlags& flags) noexcept {
    if (flags.reliable)
        return ENET_PACKET_FLAG_RELIABLE;
    // An unreliable packet of several parts stays unreliable, as in Godot.
    return (flags.unsequenced ? std::uint32_t{ENET_PACKET_FLAG_UNSEQUENCED} : 0u) |
           ENET_PACKET_FLAG_UNRELIABLE_FRAGMENT;
}

ENetGate& EnetPeer::gate() const {
    return host_->gate();
}

void EnetPeer::handle_packet(const Received& what) {
    const std::unique_ptr<ENetPacket, decltype(&enet_packet_destroy)> packet(what.packet,
                                                                             enet_packet_destroy);
    on_receive(packet->dataLength);
    handle(ByteView(reinterpret_cast<const std::byte*>(packet->data), packet->dataLength),
           {.channel = what.channel,
            .reliable = (packet->flags & ENET_PACKET_FLAG_RELIABLE) != 0,
            .unsequenced = (packet->flags & ENET_PACKET_FLAG_UNSEQUENCED) != 0});
}

EnetPeer::Received EnetPeer::take_held_back() {
    const Received first = held_back_.front();
    held_back_.pop_front();
    if (peer_)
        gate().release(*peer_, *first.packet);
    return first;
}

bool EnetPeer::deliver() {
    while (!held_back_.empty() && !discards()) {
        if (!may_deliver())
            return false;
        handle_packet(take_held_back());
    }
    while (!held_back_.empty())
        enet_packet_destroy(take_held_back().packet);
    if (disconnected_)
        finish();
    return !is_over();
}

/// libenet no longer knows this peer.
void EnetPeer::detach() {
    if (peer_)
        gate().forget(*peer_);
    peer_ = nullptr;
}

void EnetPeer::freed(std::size_t bytes) {
    in_transport() -= bytes;
    on_send_progress();
    if (!std::exchange(freed_, true))
        host_->freed(self<EnetPeer>());
}

bool EnetPeer::start_write() {
    std::uint64_t lost = 0;
    for (std::size_t at = 0; at < sending().size();) {
        Entry entry;
        std::memcpy(&entry, sending().data() + at, sizeof entry);
        at += sizeof entry;
        ENetPacket* packet =
            enet_packet_create(sending().data() + at, entry.size, wire_flags(entry.flags));
        at += entry.size;
        if (!packet || !peer_) {
            if (packet)
                enet_packet_destroy(packet);
            ++lost;
            continue;
        }
        // ENet keeps packets until they are sent or acknowledged: until then they count as queued.
        packet->userData = new std::shared_ptr<EnetPeer>(self<EnetPeer>());
        packet->freeCallback = [](ENetPacket* done) {
            auto* owner = static_cast<std::shared_ptr<EnetPeer>*>(done->userData);
            (*owner)->freed(done->dataLength);
            delete owner;
        };
        in_transport() += entry.size;
        host_->send(peer_, entry.flags.channel, packet, lost);
    }
    dropped_ += lost;
    return true;
}

void EnetPeer::start_close_handshake() {
    if (!peer_)
        return finish();
    // libenet drops pending acknowledgements when it disconnects: without that of the handshake the
    // server never accepts this connection.
    host_->flush();
    enet_peer_disconnect_later(peer_, 0);
    host_->flush_soon();
}

void EnetPeer::release() {
    if (ENetPeer* const there = peer_) {
        detach();
        there->data = nullptr;
        enet_peer_disconnect_now(there, 0);
    }
    const auto host = host_;
    host->remove_peer(*this);
}

ListenResult listen_enet(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                         SharedHandlers handlers) {
    const auto address = listen_address(url.host);
    if (!address)
        return std::unexpected(address.error());
    if (!address->is_v4())
        return std::unexpected(net_error(Errc::bad_syntax, "ENet has IPv4 addresses only"));
    auto host = std::make_shared<ENetHostLoop>(loop, std::move(options), std::move(handlers), true);
    ENetAddress at{};
    at.host = ENET_HOST_TO_NET_32(address->to_v4().to_uint());
    at.port = url.port;
    if (auto failed = host->open(&at))
        return std::unexpected(*failed);
    host->start();
    return host;
}

ConnectResult connect_enet(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                           SharedHandlers handlers) {
    auto host =
        std::make_shared<ENetHostLoop>(loop, std::move(options), std::move(handlers), false);
    return host->connect(url);
}

}  // namespace

const Opening open_enet{listen_enet, connect_enet};

}  // namespace detail

constinit const Transports transports::enet(Transport::enet, detail::open_enet);

}  // namespace gdvar::net
