#pragma once

#include <unordered_map>
#include <vector>

#include "peer.hpp"

namespace gdvar::net::detail {

/// A listener with its connections, or a client's socket with its one. Its strand is that of its
/// peers. Self has `begin()`, which starts reading, `resolve(peer, url)`, which connects a client's
/// peer, and Endpoint's `drop`; both may be called again.
template <class Self, class P, class Key, class Hash = std::hash<Key>>
class SharedSocket : public Listener, public Endpoint, public std::enable_shared_from_this<Self> {
public:
    std::shared_ptr<Peer> connect(const NetUrl& url) {
        auto peer = new_peer();
        loop_->post(strand_, [me = this->shared_from_this(), peer, url] {
            if (!peer->is_over())
                me->resolve(peer, url);
        });
        return peer;
    }
    void start() {
        loop_->add(this->shared_from_this(), id_,
                   server_ ? LoopState::Kind::listener : LoopState::Kind::peer);
        loop_->post(strand_, [me = this->shared_from_this()] { me->begin(); });
    }
    std::size_t peers() const override {
        const std::scoped_lock lock(mutex_);
        return peers_.size();
    }
    void close(bool close_peers) override {
        {
            const std::scoped_lock lock(mutex_);
            closed_ = true;
        }
        if (close_peers)
            for (const auto& peer : all())
                peer->close();
        loop_->post(strand_, [me = this->shared_from_this()] { me->close_if_idle(); });
    }

protected:
    SharedSocket(SharedLoop loop, Transport transport, NetOptions options, SharedHandlers handlers,
                 bool server)
        : loop_(std::move(loop)),
          id_(loop_->next_id()),
          options_(std::move(options)),
          handlers_(std::move(handlers)),
          strand_(asio::make_strand(loop_->context)),
          resolver_(strand_),
          server_(server) {
        transport_ = transport;
    }

    std::shared_ptr<P> new_peer() {
        return make_peer<P>(loop_, strand_, this->shared_from_this(), options_, handlers_);
    }
    /// A server's new peer, registered under `key_of(peer)`. Null once the listener is closed.
    template <class KeyOf>
    std::shared_ptr<P> admit(KeyOf key_of) {
        const std::scoped_lock lock(mutex_);
        if (closed_)
            return nullptr;
        auto peer = new_peer();
        peers_[key_of(*peer)] = peer;
        return peer;
    }
    void add(const Key& key, std::shared_ptr<P> peer) {
        const std::scoped_lock lock(mutex_);
        peers_[key] = std::move(peer);
    }
    void remove(const Key& key, const P& peer) {
        const std::scoped_lock lock(mutex_);
        const auto it = peers_.find(key);
        if (it != peers_.end() && it->second.get() == &peer)
            peers_.erase(it);
    }
    std::shared_ptr<P> find(const Key& key) const {
        const std::scoped_lock lock(mutex_);
        const auto it = peers_.find(key);
        return it == peers_.end() ? nullptr : it->second;
    }
    std::vector<std::shared_ptr<P>> all() const {
        const std::scoped_lock lock(mutex_);
        std::vector<std::shared_ptr<P>> out;
        out.reserve(peers_.size());
        for (const auto& [key, peer] : peers_)
            out.push_back(peer);
        return out;
    }
    void clear() {
        const std::scoped_lock lock(mutex_);
        peers_.clear();
    }
    /// A client's socket closes with its peer, a closed server's with its last.
    void close_if_idle() {
        if ((server_ && !closed_) || peers() != 0)
            return;
        drop();
        loop_->remove(id_);
    }

    SharedLoop loop_;
    const std::uint64_t id_;
    NetOptions options_;
    SharedHandlers handlers_;
    Strand strand_;
    asio::ip::udp::resolver resolver_;
    const bool server_;
    std::atomic<bool> closed_{false};  ///< set under the mutex

private:
    mutable std::mutex mutex_;
    std::unordered_map<Key, std::shared_ptr<P>, Hash> peers_;
};

}  // namespace gdvar::net::detail
