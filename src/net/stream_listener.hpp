// A listener of sockets that are accepted: TCP with all that runs over it, and Unix sockets.
#pragma once

#include "accepting.hpp"
#include "base/platform/file.hpp"

namespace gdvar::net::detail {

/// Accepting fails repeatedly while the machine has no descriptors left, and on Windows once for
/// each connection that was reset before it. The listener pauses after so many failures.
inline constexpr unsigned failed_at_once = 64;
inline constexpr std::chrono::milliseconds accept_pause{100};

template <class Protocol>
class StreamListener final : public Listener,
                             public Endpoint,
                             public std::enable_shared_from_this<StreamListener<Protocol>> {
public:
    using Acceptor = typename Protocol::acceptor;
    using Socket = typename Protocol::socket;
    static constexpr bool is_local = std::same_as<Protocol, asio::local::stream_protocol>;

    StreamListener(SharedLoop loop, Transport transport, NetOptions options,
                   SharedHandlers handlers, Accept<Socket> accept)
        : loop_(std::move(loop)),
          id_(loop_->next_id()),
          options_(std::move(options)),
          handlers_(std::move(handlers)),
          make_(std::move(accept)),
          strand_(asio::make_strand(loop_->context)),
          acceptor_(strand_),
          pause_(strand_),
          places_(options_) {
        transport_ = transport;
    }
    ~StreamListener() override { remove_path(); }

    std::optional<NetError> open(const typename Protocol::endpoint& endpoint) {
        error_code code;
        acceptor_.open(endpoint.protocol(), code);
        if constexpr (!is_local)
            if (!code)
                acceptor_.set_option(asio::socket_base::reuse_address(true), code);
        if (!code)
            acceptor_.bind(endpoint, code);
        if (!code)
            acceptor_.listen(asio::socket_base::max_listen_connections, code);
        if (code)
            return net_error(code);
        const auto own = acceptor_.local_endpoint(code);
        if constexpr (is_local) {
            address_ = path_ = endpoint.path();
            made_ = platform::info_of_name(path_).value_or(platform::FileInfo());
        } else {
            address_ = to_text(own);
            port_ = own.port();
        }
        return std::nullopt;
    }
    void start() {
        loop_->add(this->shared_from_this(), id_, LoopState::Kind::listener);
        loop_->post(strand_, [me = this->shared_from_this()] { me->accept(); });
    }

    std::size_t peers() const override {
        const std::scoped_lock lock(mutex_);
        return peers_.size();
    }
    void close(bool close_peers) override {
        std::vector<std::shared_ptr<PeerBase>> open;
        {
            const std::scoped_lock lock(mutex_);
            closed_ = true;
            for (const auto& [id, peer] : peers_)
                if (auto there = close_peers ? peer.lock() : nullptr)
                    open.push_back(std::move(there));
        }
        for (const auto& peer : open)
            peer->close();
        loop_->post(strand_, [me = this->shared_from_this()] {
            me->drop();
            me->loop_->remove(me->id_);
        });
    }
    void drop() override {
        error_code ignored;
        acceptor_.close(ignored);
        pause_.cancel();
        remove_path();
    }

private:
    /// Removes only the file that this listener made.
    void remove_path() {
        if (path_.empty())
            return;
        if (const auto there = platform::info_of_name(path_); there && there->same_file(made_))
            platform::remove_name(path_);
        path_.clear();
    }
    void accept() {
        if (!acceptor_.is_open())
            return;
        const Strand strand = asio::make_strand(loop_->context);
        acceptor_.async_accept(
            strand, [me = this->shared_from_this(), strand](const error_code& code, auto socket) {
                if (!me->acceptor_.is_open() || code == asio::error::operation_aborted)
                    return;
                if (!code)
                    me->add_peer(Socket(std::move(socket)), strand);
                else if (++me->failed_ % failed_at_once == 0)
                    return me->pause_accepting();
                me->accept();
            });
    }
    void pause_accepting() {
        pause_.expires_after(accept_pause);
        pause_.async_wait([me = this->shared_from_this()](const error_code& code) {
            if (!code)
                me->accept();
        });
    }
    /// Unix sockets: none.
    static std::uint64_t address_of(const Socket& socket) {
        if constexpr (is_local) {
            return 0;
        } else {
            error_code gone;
            return network_of(socket.remote_endpoint(gone).address());
        }
    }
    /// Called under the mutex.
    bool has_place(std::uint64_t from) const {
        return !closed_ && !places_.full(peers_.size()) &&
               (is_local || !places_.address_full(from));
    }
    void add_peer(Socket socket, const Strand& strand) {
        const std::uint64_t from = address_of(socket);
        std::shared_ptr<AcceptedPeer> made;
        {
            const std::scoped_lock lock(mutex_);
            if (!has_place(from))
                return;  // closes it
            made = make_(std::move(socket), {loop_, strand, options_, handlers_});
            peers_[made->peer->id()] = made->peer;
            places_.add(from);
        }
        const std::uint64_t id = made->peer->id();
        made->peer->when_closed([weak = this->weak_from_this(), id, from] {
            if (const auto me = weak.lock()) {
                const std::scoped_lock lock(me->mutex_);
                me->peers_.erase(id);
                me->places_.remove(from);
            }
        });
        loop_->post(strand, [made] { made->begin(); });
    }

    SharedLoop loop_;
    std::uint64_t id_;
    const NetOptions options_;
    SharedHandlers handlers_;
    const Accept<Socket> make_;
    Strand strand_;
    Acceptor acceptor_;
    asio::steady_timer pause_;
    unsigned failed_ = 0;  ///< number of failures to accept
    std::string path_;
    platform::FileInfo made_;   ///< the socket's file
    mutable std::mutex mutex_;  ///< protects:
    bool closed_ = false;
    std::unordered_map<std::uint64_t, std::weak_ptr<PeerBase>> peers_;
    PeerPlaces<std::uint64_t, KeyedHash> places_;
};

template <class Protocol>
ListenResult start_listener(const SharedLoop& loop, const NetUrl& url,
                            const typename Protocol::endpoint& endpoint, NetOptions options,
                            SharedHandlers handlers, Accept<typename Protocol::socket> accept) {
    auto listener = std::make_shared<StreamListener<Protocol>>(
        loop, url.transport, std::move(options), std::move(handlers), std::move(accept));
    if (auto failed = listener->open(endpoint))
        return std::unexpected(*failed);
    listener->start();
    return listener;
}

}  // namespace gdvar::net::detail
