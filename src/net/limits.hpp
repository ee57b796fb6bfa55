// Limits for the traffic and the number of peers. No sockets here.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>

#include "gdvar/net/options.hpp"
#include "gdvar/wire/hash.hpp"

namespace gdvar::net::detail {

using Clock = std::chrono::steady_clock;

inline NetOptions with_listen_defaults(NetOptions options) {
    using Default = ListenDefaults;
    const bool rated = options.bytes_per_second || options.packets_per_second;
    if (!options.burst && !rated)
        options.burst = Default::burst;
    options.bytes_per_second = options.bytes_per_second.value_or(Default::bytes_per_second);
    options.packets_per_second = options.packets_per_second.value_or(Default::packets_per_second);
    options.idle_timeout = options.idle_timeout.value_or(Default::idle_timeout);
    return options;
}

/// A token bucket: `rate` tokens a second, at most those of the time `burst`. It may go into debt,
/// because a packet's size is known only on arrival.
class TokenBucket {
public:
    /// `rate` 0: no limit.
    TokenBucket(std::uint64_t rate, Clock::time_point now,
                std::chrono::milliseconds burst = std::chrono::seconds(1)) noexcept
        : rate_(static_cast<double>(rate)),
          most_(std::max(rate_ * std::chrono::duration<double>(burst).count(), 1.0)),
          tokens_(most_),
          refilled_(now) {}
    void take(std::uint64_t n) noexcept { tokens_ -= static_cast<double>(n); }
    /// Time until there is a token; zero: now.
    Clock::duration wait(Clock::time_point now) noexcept {
        if (rate_ == 0)
            return {};
        const double seconds = std::chrono::duration<double>(now - refilled_).count();
        tokens_ = std::min(most_, tokens_ + rate_ * seconds);
        refilled_ = now;
        if (tokens_ > 0)
            return {};
        return std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(-tokens_ / rate_ + 1e-3));
    }

private:
    double rate_, most_, tokens_;
    Clock::time_point refilled_;
};

/// Limits for one peer: bytes, packets and the transport's control messages, such as pings.
class ReceiveLimits {
public:
    /// A harmless rate of control messages per second, however few packets a peer may send.
    static constexpr std::uint64_t min_control_rate = 16;

    ReceiveLimits(const NetOptions& options, Clock::time_point now) noexcept
        : ReceiveLimits(options.bytes_per_second.value_or(0),
                        options.packets_per_second.value_or(0),
                        options.burst.value_or(std::chrono::seconds(1)), now) {}
    void take_bytes(std::uint64_t n) noexcept { bytes_.take(n); }
    void take_packet() noexcept { packets_.take(1); }
    void take_control() noexcept { control_.take(1); }
    bool limited() const noexcept { return limited_; }
    /// Time until the next packet may be handled; zero: now.
    Clock::duration packet_delay(Clock::time_point now) noexcept {
        return limited_ ? std::max(bytes_.wait(now), packets_.wait(now)) : Clock::duration{};
    }
    /// Time until more may be read from the socket, if control messages can't be told apart before
    /// they are read.
    Clock::duration read_delay(Clock::time_point now) noexcept {
        return std::max(bytes_.wait(now), control_.wait(now));
    }
    /// Takes one more control message, if it may be handled now.
    bool admit_control(Clock::time_point now) noexcept {
        if (control_.wait(now) > Clock::duration::zero())
            return false;
        control_.take(1);
        return true;
    }

private:
    ReceiveLimits(std::uint64_t bytes, std::uint64_t packets, std::chrono::milliseconds burst,
                  Clock::time_point now) noexcept
        : bytes_(bytes, now, burst),
          packets_(packets, now, burst),
          control_(packets ? std::max(packets, min_control_rate) : 0, now, burst),
          limited_(bytes || packets) {}

    TokenBucket bytes_, packets_, control_;
    bool limited_;
};

/// Limits the newcomers of an address together, whatever their number and lifetime: to the limits
/// of one peer. An address is a number of `network_of`.
class NewcomerLimits {
public:
    /// Beyond it all are forgotten. An attacker with so many addresses gains nothing: each of them
    /// has a burst anyway.
    static constexpr std::size_t max_addresses = 1024;

    /// The options must outlive it.
    explicit NewcomerLimits(const NetOptions& options)
        : options_(options), limited_(ReceiveLimits(options, {}).limited()) {}
    /// Takes one more packet, if it may come.
    bool admit(std::uint64_t address, std::size_t bytes, Clock::time_point now) {
        if (!limited_)
            return true;
        auto known = known_.find(address);
        if (known == known_.end()) {
            if (known_.size() == max_addresses)
                known_.clear();
            known = known_.try_emplace(address, options_, now).first;
        }
        ReceiveLimits& limits = known->second;
        if (limits.packet_delay(now) > Clock::duration::zero())
            return false;
        limits.take_bytes(bytes);
        limits.take_packet();
        return true;
    }
    std::size_t addresses() const noexcept { return known_.size(); }

private:
    const NetOptions& options_;
    const bool limited_;
    std::unordered_map<std::uint64_t, ReceiveLimits, KeyedHash> known_;
};

/// Why a peer is not read from: the user has paused reading, or the limits hold its packets back.
class ReadControl {
public:
    void pause() noexcept { paused_ = true; }
    /// False: reading was not paused.
    bool resume() noexcept { return std::exchange(paused_, false); }
    /// Until `release`; `until`: when to try again. Without it: when the send queue is shorter.
    void hold(Clock::time_point until = Clock::time_point::max()) noexcept {
        held_ = true;
        retry_at_ = until;
    }
    void release() noexcept {
        held_ = false;
        retry_at_ = Clock::time_point::max();
    }
    void reset() noexcept {
        paused_ = false;
        release();
    }
    bool paused() const noexcept { return paused_; }
    bool held() const noexcept { return held_; }
    bool reads() const noexcept { return !paused_ && !held_; }
    Clock::time_point retry_at() const noexcept { return retry_at_; }

private:
    bool paused_ = false, held_ = false;
    Clock::time_point retry_at_ = Clock::time_point::max();
};

template <class Address, class Hash = std::hash<Address>>
class PeerPlaces {
public:
    explicit PeerPlaces(const NetOptions& options)
        : max_peers_(options.max_peers), max_per_address_(options.max_peers_per_address) {}
    void add(const Address& address) { ++counts_[address]; }
    void remove(const Address& address) {
        const auto it = counts_.find(address);
        if (it != counts_.end() && --it->second == 0)
            counts_.erase(it);
    }
    std::size_t count(const Address& address) const {
        const auto it = counts_.find(address);
        return it == counts_.end() ? 0 : it->second;
    }
    bool address_full(const Address& address) const {
        return max_per_address_ && count(address) >= max_per_address_;
    }
    /// True if the address has a quarter of all places. It then loses its own peers first.
    bool address_has_share(const Address& address) const {
        return count(address) >= std::max<std::size_t>(max_peers_ / 4, 1);
    }
    bool full(std::size_t peers) const noexcept { return peers >= max_peers_; }

private:
    std::size_t max_peers_, max_per_address_;
    std::unordered_map<Address, std::size_t, Hash> counts_;
};

}  // namespace gdvar::net::detail
