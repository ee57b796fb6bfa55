// PacketPeerUDP: one socket, a peer for each remote address.
#include <algorithm>
#include <cstring>
#include <list>

#include "gdvar/wire/hash.hpp"
#include "shared_socket.hpp"
#include "transports.hpp"

namespace gdvar::net {
namespace detail {
namespace {

using asio::ip::udp;

constexpr std::size_t datagram_buffer_size = 64 * 1024;
/// Datagrams read or sent before other endpoints get their turn.
constexpr int max_datagrams_per_turn = 64;
/// A peer whose datagrams span this time is no longer a newcomer. Forging the same address for so
/// long brings no gain.
constexpr std::chrono::milliseconds newcomer_time{1'000};
/// After this time without a datagram, other peers may be evicted for a new one, too.
constexpr std::chrono::milliseconds min_eviction_age{5'000};

class UdpHost;
class UdpPeer;

/// Peers by their last datagram, the least recently active first.
using ActivityList = std::list<UdpPeer*>;

class UdpPeer final : public PeerBase {
public:
    UdpPeer(SharedLoop loop, const Strand& strand, std::shared_ptr<UdpHost> host,
            const NetOptions& options, SharedHandlers handlers)
        : PeerBase(std::move(loop), strand, Transport::udp, options, std::move(handlers)),
          host_(std::move(host)) {}
    const std::shared_ptr<UdpHost>& host() const noexcept { return host_; }
    void begin() { on_connecting(); }
    void on_address(const udp::endpoint& to, const std::string& local) {
        to_ = to;
        address_ = to_text(to);
        local_ = local;
        on_connected();
    }
    void datagram(ByteView bytes) {
        // A dropped datagram does not count against the limits. Otherwise a sender of twice the
        // allowed amount would never be received again.
        if (bytes.size() > options_.max_packet || !may_deliver())
            return drop_datagram();
        on_receive(bytes.size());
        handle(bytes);
    }
    void drop_datagram() {
        on_receive(0);
        ++dropped_;
    }
    const udp::endpoint& to() const noexcept { return to_; }

private:
    friend class UdpHost;
    void evict() { fail(net_error(Errc::timed_out, "was silent for longest when another came")); }
    void start_read() override;
    bool deliver() override { return true; }
    bool start_write() override;
    void start_close_handshake() override { finish(); }
    void release() override;

    std::shared_ptr<UdpHost> host_;
    udp::endpoint to_;
    std::size_t at_ = 0;
    ActivityList::iterator position_;  ///< in its host's
    Clock::time_point first_, last_;
    bool listed_ = false, newcomer_ = true;
};

struct EndpointHash {
    /// Keyed, because sender addresses can be forged.
    std::size_t operator()(const udp::endpoint& e) const noexcept {
        char bytes[18] = {static_cast<char>(e.port() >> 8), static_cast<char>(e.port())};
        if (e.address().is_v4())
            std::memcpy(bytes + 2, e.address().to_v4().to_bytes().data(), 4);
        else
            std::memcpy(bytes + 2, e.address().to_v6().to_bytes().data(), 16);
        return KeyedHash()(std::string_view(bytes, sizeof bytes));
    }
};

class UdpHost final : public SharedSocket<UdpHost, UdpPeer, udp::endpoint, EndpointHash> {
public:
    UdpHost(SharedLoop loop, NetOptions options, SharedHandlers handlers, bool server)
        : SharedSocket(std::move(loop), Transport::udp, std::move(options), std::move(handlers),
                       server),
          socket_(strand_),
          places_(options_),
          newcomer_limits_(options_) {
        if (server && options_.idle_timeout == std::chrono::milliseconds{0})
            options_.idle_timeout = ListenDefaults::idle_timeout;
    }

    std::optional<NetError> bind(const udp::endpoint& endpoint) {
        error_code code;
        socket_.open(endpoint.protocol(), code);
        if (!code)
            socket_.bind(endpoint, code);
        if (!code)
            socket_.non_blocking(true, code);
        if (code)
            return net_error(code);
        const auto own = socket_.local_endpoint(code);
        address_ = to_text(own);
        port_ = own.port();
        return std::nullopt;
    }
    void drop() override {
        error_code ignored;
        socket_.close(ignored);
        resolver_.cancel();
        clear();
    }

private:
    friend SharedSocket;
    friend class UdpPeer;

    void begin() { read(); }
    void resolve(const std::shared_ptr<UdpPeer>& peer, const NetUrl& url) {
        peer->begin();
        resolver_.async_resolve(
            url.host, std::to_string(url.port), asio::ip::resolver_base::numeric_service,
            when_found(loop_, peer, [](const std::shared_ptr<UdpPeer>& there, const auto& found) {
                const auto& me = there->host();
                const udp::endpoint to = found.begin()->endpoint();
                if (me->bind({to.protocol(), 0}))
                    return there->failed(error_code(asio::error::address_family_not_supported));
                me->start();
                me->add(to, there);
                there->on_address(to, me->address_);
            }));
    }
    void remove_peer(UdpPeer& peer) {
        remove(peer.to(), peer);
        if (std::exchange(peer.listed_, false)) {
            list_of(peer).erase(peer.position_);
            places_.remove(network_of(peer.to().address()));
        }
        close_if_idle();
    }
    ActivityList& list_of(const UdpPeer& peer) { return peer.newcomer_ ? newcomers_ : settled_; }
    void add_newcomer(UdpPeer& peer) {
        peer.first_ = peer.last_ = Clock::now();
        peer.position_ = newcomers_.insert(newcomers_.end(), &peer);
        peer.listed_ = true;
        places_.add(network_of(peer.to().address()));
    }
    void touch(UdpPeer& peer) {
        if (!peer.listed_)
            return;
        peer.last_ = Clock::now();
        ActivityList& before = list_of(peer);
        peer.newcomer_ = peer.newcomer_ && peer.last_ - peer.first_ < newcomer_time;
        ActivityList& now = list_of(peer);
        now.splice(now.end(), before, peer.position_);
    }
    /// The peer to evict for a new one: the least recently active newcomer, else the least recently
    /// active other peer if it is old enough. `among(peer)` selects candidates. Null: none.
    template <class Among>
    UdpPeer* least_recently_active(Among among) {
        const auto first = [&](ActivityList& list) -> UdpPeer* {
            const auto it = std::ranges::find_if(list, among);
            return it == list.end() ? nullptr : *it;
        };
        if (UdpPeer* const newcomer = first(newcomers_))
            return newcomer;
        UdpPeer* const other = first(settled_);
        return other && Clock::now() - other->last_ >= min_eviction_age ? other : nullptr;
    }
    /// Ensures a place for one more peer of the address. False: none can be evicted.
    bool ensure_place(std::uint64_t there) {
        const auto same = [&](const UdpPeer* peer) {
            return network_of(peer->to().address()) == there;
        };
        const bool own = places_.address_full(there);
        if (!own && !places_.full(peers()))
            return true;
        // An address that fills its places loses one of its own peers.
        UdpPeer* const evicted = own || places_.address_has_share(there)
                                     ? least_recently_active(same)
                                     : least_recently_active([](const UdpPeer*) { return true; });
        if (evicted)
            evicted->evict();
        return evicted != nullptr;
    }

    void read() {
        if (!socket_.is_open())
            return;
        socket_.async_wait(udp::socket::wait_read,
                           [me = shared_from_this()](const error_code& code) {
                               if (code || !me->socket_.is_open())
                                   return;
                               me->readable();
                               me->read();
                           });
    }
    void readable() {
        thread_local std::vector<std::byte> scratch(datagram_buffer_size);
        for (int round = 0; round < max_datagrams_per_turn && socket_.is_open(); ++round) {
            error_code code;
            udp::endpoint from;
            const std::size_t n = socket_.receive_from(asio::buffer(scratch), from, 0, code);
            if (code == asio::error::would_block)
                break;
            if (code)
                continue;  // an ICMP error of an earlier datagram
            const auto peer = peer_of(from, n);
            if (!peer)
                continue;
            const UdpPeer::Batch batch(*peer);
            peer->datagram(ByteView(scratch).first(n));
        }
    }
    /// Null: the datagram is dropped.
    std::shared_ptr<UdpPeer> peer_of(const udp::endpoint& from, std::size_t size) {
        auto known = find(from);
        if (known)
            touch(*known);
        // A client receives only from the address that it sends to.
        if (!server_ || (known && !known->newcomer_))
            return known;
        const std::uint64_t address = network_of(from.address());
        if (!newcomer_limits_.admit(address, size, Clock::now())) {
            if (known)
                known->drop_datagram();
            return nullptr;
        }
        if (known)
            return known;
        if (closed_ || !ensure_place(address))
            return nullptr;
        auto peer = admit([&](const UdpPeer&) { return from; });
        if (!peer)
            return nullptr;  // `closed` of the evicted peer has closed the listener
        peer->to_ = from;
        add_newcomer(*peer);
        peer->begin();
        peer->on_address(from, address_);
        return peer;
    }

    udp::socket socket_;
    ActivityList newcomers_, settled_;  ///< a server's peers
    PeerPlaces<std::uint64_t, KeyedHash> places_;
    NewcomerLimits newcomer_limits_;
};

/// The host reads for all its peers.
void UdpPeer::start_read() {}

bool UdpPeer::start_write() {
    for (int round = 0; at_ < sending().size(); on_send_progress()) {
        if (++round > max_datagrams_per_turn) {
            loop_->post(strand_, [me = self<UdpPeer>()] {
                if (!me->is_over() && me->start_write())
                    me->on_written();
            });
            return false;
        }
        Entry entry;
        std::memcpy(&entry, sending().data() + at_, sizeof entry);
        error_code code;
        host_->socket_.send_to(asio::buffer(sending().data() + at_ + sizeof entry, entry.size), to_,
                               0, code);
        if (code == asio::error::would_block) {
            host_->socket_.async_wait(udp::socket::wait_write,
                                      [me = self<UdpPeer>()](const error_code& failed) {
                                          if (me->is_over())
                                              return;
                                          if (failed)
                                              return me->fail(failed);
                                          if (me->start_write())
                                              me->on_written();
                                      });
            return false;
        }
        // A datagram that is too large, or that the network refuses, is lost.
        if (code)
            ++dropped_;
        at_ += sizeof entry + entry.size;
    }
    at_ = 0;
    return true;
}

void UdpPeer::release() {
    const auto host = host_;
    host->remove_peer(*this);
}

ListenResult listen_udp(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                        SharedHandlers handlers) {
    const auto address = listen_address(url.host);
    if (!address)
        return std::unexpected(address.error());
    auto host = std::make_shared<UdpHost>(loop, std::move(options), std::move(handlers), true);
    if (auto failed = host->bind(udp::endpoint(*address, url.port)))
        return std::unexpected(*failed);
    host->start();
    return host;
}

ConnectResult connect_udp(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                          SharedHandlers handlers) {
    auto host = std::make_shared<UdpHost>(loop, std::move(options), std::move(handlers), false);
    return host->connect(url);
}

}  // namespace

const Opening open_udp{listen_udp, connect_udp};

}  // namespace detail

constinit const Transports transports::udp(Transport::udp, detail::open_udp);

}  // namespace gdvar::net
