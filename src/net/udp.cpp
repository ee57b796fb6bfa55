// PacketPeerUDP: one socket, a peer for each address that it talks with.
#include "transports.hpp"

namespace gdvar::detail {
namespace {

using asio::ip::udp;

constexpr std::size_t scratch_size = 64 * 1024;
/// So many datagrams are read, or sent, before others get their turn.
constexpr int rounds = 64;
/// A server forgets an address that was silent for so long.
constexpr std::chrono::milliseconds silence{60'000};

class UdpHost;

/// One address.
class UdpPeer final : public PeerBase {
public:
    UdpPeer(const std::shared_ptr<UdpHost>& host, LoopState loop, const Strand& strand,
            const NetOptions& options, SharedHandlers handlers)
        : PeerBase(std::move(loop), strand, Transport::udp, options, std::move(handlers)),
          host_(host) {}
    void begin() { connecting(); }
    void reached(const udp::endpoint& to, const std::string& local) {
        to_ = to;
        address_ = to_text(to);
        local_ = local;
        opened();
    }
    void failed(const error_code& code) { fail(code); }
    void datagram(ByteView bytes) {
        heard(bytes.size());
        if (bytes.size() > options_.max_packet || !may_handle()) {
            ++dropped_;
            return;
        }
        handle(bytes, bytes.size());
    }
    const udp::endpoint& to() const noexcept { return to_; }

private:
    friend class UdpHost;
    void start_read() override;
    bool deliver() override { return true; }
    bool start_write() override;
    void say_goodbye() override { finish(); }
    void release() override;

    std::shared_ptr<UdpHost> host_;
    udp::endpoint to_;
    std::size_t at_ = 0;
};

struct EndpointHash {
    std::size_t operator()(const udp::endpoint& e) const noexcept {
        return std::hash<asio::ip::address>()(e.address()) * 31 + e.port();
    }
};

/// The socket. Its strand is that of its peers.
class UdpHost final : public Listener,
                      public Endpoint,
                      public std::enable_shared_from_this<UdpHost> {
public:
    UdpHost(LoopState loop, NetOptions options, SharedHandlers handlers, bool server)
        : loop_(std::move(loop)),
          id_(loop_->next_id()),
          options_(std::move(options)),
          handlers_(std::move(handlers)),
          strand_(asio::make_strand(loop_->context)),
          socket_(strand_),
          resolver_(strand_),
          server_(server) {
        transport_ = Transport::udp;
        if (server && options_.idle_timeout.count() == 0)
            options_.idle_timeout = silence;
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
    void start() {
        loop_->add(weak_from_this(), id_);
        asio::post(strand_, [me = shared_from_this()] { me->read(); });
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
        error_code ignored;
        socket_.close(ignored);
        resolver_.cancel();
        const std::scoped_lock lock(mutex_);
        peers_.clear();
    }

private:
    friend class UdpPeer;

    std::shared_ptr<UdpPeer> make_peer() {
        auto peer =
            std::make_shared<UdpPeer>(shared_from_this(), loop_, strand_, options_, handlers_);
        loop_->add(std::weak_ptr<Endpoint>(peer), peer->id());
        return peer;
    }
    std::vector<std::shared_ptr<UdpPeer>> all() const {
        const std::scoped_lock lock(mutex_);
        std::vector<std::shared_ptr<UdpPeer>> out;
        for (const auto& [address, peer] : peers_)
            out.push_back(peer);
        return out;
    }
    void resolve(const std::shared_ptr<UdpPeer>& peer, const NetUrl& url) {
        peer->begin();
        resolver_.async_resolve(
            url.host, std::to_string(url.port), asio::ip::resolver_base::numeric_service,
            [me = shared_from_this(), peer](const error_code& code, const auto& found) {
                if (peer->is_done())
                    return;
                if (code)
                    return peer->failed(code);
                const udp::endpoint to = found.begin()->endpoint();
                if (auto failed = me->bind({to.protocol(), 0}))
                    return peer->failed(error_code(asio::error::address_family_not_supported));
                me->start();
                me->add(to, peer);
                peer->reached(to, me->address_);
            });
    }
    void add(const udp::endpoint& from, std::shared_ptr<UdpPeer> peer) {
        const std::scoped_lock lock(mutex_);
        peers_[from] = std::move(peer);
    }
    void forget(const UdpPeer& peer) {
        {
            const std::scoped_lock lock(mutex_);
            const auto it = peers_.find(peer.to());
            if (it != peers_.end() && it->second.get() == &peer)
                peers_.erase(it);
        }
        end_if_idle();
    }
    /// A client's socket goes with its peer, a closed server's with its last.
    void end_if_idle() {
        if ((server_ && !closed_) || peers() != 0)
            return;
        error_code ignored;
        socket_.close(ignored);
        loop_->remove(id_);
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
        thread_local std::vector<std::byte> scratch(scratch_size);
        std::vector<std::shared_ptr<UdpPeer>> busy;  // what they answer goes out together
        for (int round = 0; round < rounds && socket_.is_open(); ++round) {
            error_code code;
            udp::endpoint from;
            const std::size_t n = socket_.receive_from(asio::buffer(scratch), from, 0, code);
            if (code == asio::error::would_block)
                break;
            if (code)
                continue;  // what the network says of an earlier datagram
            const auto peer = find(from);
            if (!peer)
                continue;
            const UdpPeer::Batch batch(*peer);
            peer->datagram(ByteView(scratch).first(n));
        }
    }
    std::shared_ptr<UdpPeer> find(const udp::endpoint& from) {
        {
            const std::scoped_lock lock(mutex_);
            if (const auto it = peers_.find(from); it != peers_.end())
                return it->second;
            // A client hears only whom it talks to.
            if (!server_ || closed_ || peers_.size() >= options_.max_peers)
                return nullptr;
        }
        auto peer = make_peer();
        add(from, peer);
        peer->begin();
        peer->reached(from, address_);
        return peer;
    }

    LoopState loop_;
    std::uint64_t id_;
    NetOptions options_;
    SharedHandlers handlers_;
    Strand strand_;
    udp::socket socket_;
    udp::resolver resolver_;
    const bool server_;
    bool closed_ = false;
    mutable std::mutex mutex_;
    std::unordered_map<udp::endpoint, std::shared_ptr<UdpPeer>, EndpointHash> peers_;
};

/// The host reads for all of its peers.
void UdpPeer::start_read() {}

bool UdpPeer::start_write() {
    for (int round = 0; at_ < sending_.size(); progress()) {
        if (++round > rounds) {
            asio::post(strand_, [me = self<UdpPeer>()] {
                if (!me->is_done() && me->start_write())
                    me->written();
            });
            return false;
        }
        Head head;
        std::memcpy(&head, sending_.data() + at_, sizeof head);
        error_code code;
        host_->socket_.send_to(asio::buffer(sending_.data() + at_ + sizeof head, head.size), to_, 0,
                               code);
        if (code == asio::error::would_block) {
            host_->socket_.async_wait(udp::socket::wait_write,
                                      [me = self<UdpPeer>()](const error_code& failed) {
                                          if (me->is_done())
                                              return;
                                          if (failed)
                                              return me->fail(failed);
                                          if (me->start_write())
                                              me->written();
                                      });
            return false;
        }
        // What doesn't fit a datagram, or what the network refuses, is lost, as datagrams are.
        if (code)
            ++dropped_;
        at_ += sizeof head + head.size;
    }
    at_ = 0;
    return true;
}

void UdpPeer::release() {
    const auto host = host_;
    host->forget(*this);
}

}  // namespace

ListenResult listen_udp(const LoopState& loop, const NetUrl& url, NetOptions options,
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

ConnectResult connect_udp(const LoopState& loop, const NetUrl& url, NetOptions options,
                          SharedHandlers handlers) {
    auto host = std::make_shared<UdpHost>(loop, std::move(options), std::move(handlers), false);
    return host->connect(url);
}

}  // namespace gdvar::detail
