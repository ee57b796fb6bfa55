// ENetConnection, over libenet: one host, a peer for each connection.
#include <enet/enet.h>

#include <cstring>

#include "transports.hpp"

namespace gdvar::detail {
namespace {

/// So many events are handled before others get their turn.
constexpr int rounds = 256;
/// How often a host with connections looks after its timeouts and repetitions.
constexpr std::chrono::milliseconds tick{10};

class ENetHostLoop;

class EnetPeer final : public PeerBase {
public:
    EnetPeer(const std::shared_ptr<ENetHostLoop>& host, LoopState loop, const Strand& strand,
             const NetOptions& options, SharedHandlers handlers)
        : PeerBase(std::move(loop), strand, Transport::enet, options, std::move(handlers)),
          host_(host) {}
    void begin(const std::string& address) {
        address_ = address;
        connecting();
    }
    void bound(ENetPeer* peer, const std::string& address, const std::string& local) {
        peer_ = peer;
        peer_->data = this;
        address_ = address;
        local_ = local;
    }
    void reached(std::uint32_t said) {
        connect_data_ = said;
        opened();
    }
    void failed(const error_code& code) { fail(code); }
    void gone() {
        peer_ = nullptr;
        finish();
    }
    void packet(const ENetPacket& packet, std::uint8_t channel) {
        heard(packet.dataLength);
        const bool reliable = packet.flags & ENET_PACKET_FLAG_RELIABLE;
        // ENet has acknowledged it already, so it can't wait outside; only the user's pause is
        // kept.
        if (!may_handle() && !reliable) {
            ++dropped_;
            return;
        }
        handle(ByteView(reinterpret_cast<const std::byte*>(packet.data), packet.dataLength),
               packet.dataLength,
               {.channel = channel,
                .reliable = reliable,
                .unsequenced = (packet.flags & ENET_PACKET_FLAG_UNSEQUENCED) != 0});
    }
    void freed(std::size_t bytes) noexcept {
        in_transport_ -= bytes;
        progress();
        freed_ = true;
    }
    void after_service() {
        if (!std::exchange(freed_, false) || is_done())
            return;
        flush();
        room_again();
    }

private:
    void start_read() override {}
    bool deliver() override { return true; }
    bool start_write() override;
    void say_goodbye() override;
    void release() override;

    std::shared_ptr<ENetHostLoop> host_;
    ENetPeer* peer_ = nullptr;
    bool freed_ = false;
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

/// The host. Its strand is that of its peers.
class ENetHostLoop final : public Listener,
                           public Endpoint,
                           public std::enable_shared_from_this<ENetHostLoop> {
public:
    ENetHostLoop(LoopState loop, NetOptions options, SharedHandlers handlers, bool server)
        : loop_(std::move(loop)),
          id_(loop_->next_id()),
          options_(std::move(options)),
          handlers_(std::move(handlers)),
          strand_(asio::make_strand(loop_->context)),
          descriptor_(strand_),
          timer_(strand_),
          resolver_(strand_),
          server_(server) {
        transport_ = Transport::enet;
    }
    ~ENetHostLoop() override { drop(); }

    std::optional<NetError> open(const ENetAddress* address) {
        if (!initialise())
            return net_error(Errc::io, "ENet can't be initialised");
        const std::size_t peers =
            server_ ? std::min<std::size_t>(options_.max_peers, ENET_PROTOCOL_MAXIMUM_PEER_ID) : 1;
        host_ = enet_host_create(address, peers, options_.enet_channels, 0, 0);
        if (!host_)
            return net_error(Errc::io, "the address is in use or can't be bound");
        host_->maximumPacketSize = static_cast<std::size_t>(options_.max_packet);
        host_->maximumWaitingData = 4 * static_cast<std::size_t>(options_.max_packet);
        if (options_.enet_range_coder)
            enet_host_compress_with_range_coder(host_);
        ENetAddress own{};
        if (enet_socket_get_address(host_->socket, &own) == 0) {
            address_ = text_of(own);
            port_ = own.port;
        }
        descriptor_.assign(host_->socket);
        return std::nullopt;
    }
    void start() {
        loop_->add(weak_from_this(), id_);
        asio::post(strand_, [me = shared_from_this()] { me->wait(); });
    }
    std::shared_ptr<Peer> connect(const NetUrl& url) {
        auto peer = make_peer();
        asio::post(strand_, [me = shared_from_this(), peer, url] { me->resolve(peer, url); });
        return peer;
    }
    std::size_t peers() const override {
        const std::scoped_lock lock(mutex_);
        return peers_.size();
    }
    void close(bool close_peers) override {
        asio::post(strand_, [me = shared_from_this(), close_peers] {
            me->closed_ = true;
            if (close_peers)
                for (const auto& peer : me->all())
                    peer->close();
            me->end_if_idle();
        });
    }
    void drop() override {
        if (!host_)
            return;
        error_code ignored;
        descriptor_.cancel(ignored);
        descriptor_.release();
        timer_.cancel();
        resolver_.cancel();
        std::unordered_map<std::uint64_t, std::shared_ptr<EnetPeer>> peers;
        {
            const std::scoped_lock lock(mutex_);
            peers.swap(peers_);
        }
        // They use the host when they go.
        for (const auto& [id, peer] : peers)
            peer->drop();
        enet_host_destroy(std::exchange(host_, nullptr));
    }

    void send(ENetPeer* peer, std::uint8_t channel, ENetPacket* packet, std::uint64_t& lost) {
        if (enet_peer_send(peer, channel, packet) != 0) {
            enet_packet_destroy(packet);
            ++lost;
        }
        flush_soon();
    }
    void flush_soon() {
        if (std::exchange(flushing_, true))
            return;
        asio::post(strand_, [me = shared_from_this()] {
            me->flushing_ = false;
            if (me->host_)
                enet_host_flush(me->host_);
            me->after_service();
        });
    }
    void forget(const EnetPeer& peer) {
        {
            const std::scoped_lock lock(mutex_);
            peers_.erase(peer.id());
        }
        if (host_)
            enet_host_flush(host_);
        asio::post(strand_, [me = shared_from_this()] { me->end_if_idle(); });
    }

private:
    std::shared_ptr<EnetPeer> make_peer() {
        auto peer =
            std::make_shared<EnetPeer>(shared_from_this(), loop_, strand_, options_, handlers_);
        loop_->add(std::weak_ptr<Endpoint>(peer), peer->id());
        const std::scoped_lock lock(mutex_);
        peers_[peer->id()] = peer;
        return peer;
    }
    std::vector<std::shared_ptr<EnetPeer>> all() const {
        const std::scoped_lock lock(mutex_);
        std::vector<std::shared_ptr<EnetPeer>> out;
        for (const auto& [id, peer] : peers_)
            out.push_back(peer);
        return out;
    }
    void resolve(const std::shared_ptr<EnetPeer>& peer, const NetUrl& url) {
        peer->begin(url.host + ":" + std::to_string(url.port));
        resolver_.async_resolve(
            asio::ip::udp::v4(), url.host, std::to_string(url.port),
            asio::ip::resolver_base::numeric_service,
            [me = shared_from_this(), peer](const error_code& code, const auto& found) {
                if (peer->is_done())
                    return;
                if (code)
                    return peer->failed(code);
                me->reach(peer, found.begin()->endpoint());
            });
    }
    void reach(const std::shared_ptr<EnetPeer>& peer, const asio::ip::udp::endpoint& to) {
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
    /// A client's host goes with its peer, a closed server's with its last.
    void end_if_idle() {
        if ((server_ && !closed_) || peers() != 0)
            return;
        drop();
        loop_->remove(id_);
    }

    void wait() {
        if (!host_)
            return;
        descriptor_.async_wait(asio::posix::stream_descriptor::wait_read,
                               [me = shared_from_this()](const error_code& code) {
                                   if (code || !me->host_)
                                       return;
                                   me->service();
                                   me->wait();
                               });
        beat();
    }
    void beat() {
        if (!host_ || ticking_ || host_->connectedPeers + peers() == 0)
            return;
        ticking_ = true;
        timer_.expires_after(tick);
        timer_.async_wait([me = shared_from_this()](const error_code& code) {
            me->ticking_ = false;
            if (code || !me->host_)
                return;
            me->service();
            me->beat();
        });
    }
    void service() {
        ENetEvent event;
        for (int i = 0; i < rounds && host_ && enet_host_service(host_, &event, 0) > 0; ++i)
            handle(event);
        if (!host_)
            return;
        enet_host_flush(host_);
        after_service();
        beat();
    }
    void after_service() {
        for (const auto& peer : all())
            peer->after_service();
    }
    void handle(const ENetEvent& event) {
        auto* known = static_cast<EnetPeer*>(event.peer->data);
        switch (event.type) {
            case ENET_EVENT_TYPE_CONNECT:
                if (known)
                    known->reached(event.data);
                else
                    greet(event);
                break;
            case ENET_EVENT_TYPE_DISCONNECT:
                event.peer->data = nullptr;
                if (known)
                    known->gone();
                break;
            case ENET_EVENT_TYPE_RECEIVE:
                if (known)
                    known->packet(*event.packet, event.channelID);
                enet_packet_destroy(event.packet);
                break;
            case ENET_EVENT_TYPE_NONE:
                break;
        }
    }
    void greet(const ENetEvent& event) {
        if (closed_)
            return enet_peer_disconnect(event.peer, 0);
        const auto peer = make_peer();
        peer->begin(text_of(event.peer->address));
        peer->bound(event.peer, text_of(event.peer->address), address_);
        peer->reached(event.data);
    }

    LoopState loop_;
    std::uint64_t id_;
    const NetOptions options_;
    SharedHandlers handlers_;
    Strand strand_;
    ENetHost* host_ = nullptr;
    asio::posix::stream_descriptor descriptor_;
    asio::steady_timer timer_;
    asio::ip::udp::resolver resolver_;
    const bool server_;
    bool closed_ = false, ticking_ = false, flushing_ = false;
    mutable std::mutex mutex_;
    std::unordered_map<std::uint64_t, std::shared_ptr<EnetPeer>> peers_;
};

std::uint32_t wire_flags(const PacketFlags& flags) noexcept {
    if (flags.reliable)
        return ENET_PACKET_FLAG_RELIABLE;
    // An unreliable packet of several parts stays unreliable, as Godot has it.
    return (flags.unsequenced ? std::uint32_t{ENET_PACKET_FLAG_UNSEQUENCED} : 0u) |
           ENET_PACKET_FLAG_UNRELIABLE_FRAGMENT;
}

bool EnetPeer::start_write() {
    std::uint64_t lost = 0;
    for (std::size_t at = 0; at < sending_.size();) {
        Head head;
        std::memcpy(&head, sending_.data() + at, sizeof head);
        at += sizeof head;
        ENetPacket* packet =
            enet_packet_create(sending_.data() + at, head.size, wire_flags(head.flags));
        at += head.size;
        if (!packet || !peer_) {
            if (packet)
                enet_packet_destroy(packet);
            ++lost;
            continue;
        }
        // ENet keeps packets until they are sent, or acknowledged: they count as queued until then.
        packet->userData = new std::shared_ptr<EnetPeer>(self<EnetPeer>());
        packet->freeCallback = [](ENetPacket* done) {
            auto* owner = static_cast<std::shared_ptr<EnetPeer>*>(done->userData);
            (*owner)->freed(done->dataLength);
            delete owner;
        };
        in_transport_ += head.size;
        host_->send(peer_, head.flags.channel, packet, lost);
    }
    dropped_ += lost;
    return true;
}

void EnetPeer::say_goodbye() {
    if (!peer_)
        return finish();
    enet_peer_disconnect_later(peer_, 0);
    host_->flush_soon();
}

void EnetPeer::release() {
    if (ENetPeer* there = std::exchange(peer_, nullptr)) {
        there->data = nullptr;
        enet_peer_disconnect_now(there, 0);
    }
    const auto host = host_;
    host->forget(*this);
}

}  // namespace

ListenResult listen_enet(const LoopState& loop, const NetUrl& url, NetOptions options,
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

ConnectResult connect_enet(const LoopState& loop, const NetUrl& url, NetOptions options,
                           SharedHandlers handlers) {
    auto host =
        std::make_shared<ENetHostLoop>(loop, std::move(options), std::move(handlers), false);
    return host->connect(url);
}

}  // namespace gdvar::detail
