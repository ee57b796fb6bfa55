// Bounds the memory that ENet's peers can make libenet allocate: checks each datagram before
// libenet does.
//
// libenet 1.3.17 bounds the length of one packet (maximumPacketSize) and the waiting bytes
// (maximumWaitingData). It does not bound other allocations: a bit for each announced fragment (up
// to 128 KiB for a packet of two bytes), a record for each packet, even an empty one, and a record
// for each acknowledgement. And it still counts unreliable packets that it has dropped as waiting.
#pragma once

#include <enet/enet.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gdvar/net/options.hpp"

namespace gdvar::net::detail {

/// Memory that waits for one peer, as libenet allocates it.
struct ENetMemory {
    std::size_t bytes = 0, count = 0;
    void add(std::size_t n) noexcept {
        bytes += n;
        ++count;
    }
};

/// Decides how many commands of each datagram libenet sees. The first command beyond a peer's
/// limits, and all after it, are treated as lost. Reliable ones are then not acknowledged, so the
/// sender sends them again later.
///
/// A peer's waiting packets, complete or begun, may take three times `max_packet` and 64 KiB, and
/// number 2,048. The next packet in order leaves as soon as it is complete. It has one `max_packet`
/// and 64 KiB more, because otherwise the packets that wait for it could block it. ENet's own
/// commands, such as pings, have another 64 KiB, so a paused peer stays connected however much
/// waits.
///
/// The sender address of a connect request can be forged. If no place is free, the oldest half-open
/// peer is evicted. Half-open peers of one address may take a quarter of all places; beyond that,
/// the address loses its own first.
class ENetGate {
public:
    struct Callbacks {
        /// Asks to admit one more of ENet's own commands, such as a ping.
        bool (*admits_control)(ENetPeer& peer);
        /// `bytes` bytes of a packet have arrived.
        void (*on_part)(ENetPeer& peer, std::size_t bytes);
    };
    /// Checks the traffic to `host`, which it must outlive. `server`: others may connect.
    ENetGate(ENetHost& host, const NetOptions& options, bool server, Callbacks callbacks);
    ENetGate(const ENetGate&) = delete;
    ENetGate& operator=(const ENetGate&) = delete;
    ~ENetGate();

    /// Peers that asked to connect and have not answered yet.
    std::size_t half_open() const noexcept { return half_open_; }
    /// Drops peers that have not answered for `connect_timeout`.
    void expire();

    /// Calls `what(peer)` for each peer that has sent a reliable packet over `max_packet` since the
    /// last call.
    template <class What>
    void each_oversized(What what) {
        for (const enet_uint16 id : oversized_) {
            slots_[id].oversized = false;
            what(host_.peers[id]);
        }
        oversized_.clear();
    }
    /// `hold`: a packet that libenet has handed out counts until `release`.
    void hold(const ENetPeer& peer, const ENetPacket& packet) noexcept;
    void release(const ENetPeer& peer, const ENetPacket& packet) noexcept;
    /// The peer's held packets no longer count.
    void forget(const ENetPeer& peer) noexcept { slots_[peer.incomingPeerID].delivered = {}; }

private:
    struct Slot {
        ENetMemory held;         ///< upper bound: memory that libenet has freed is not subtracted
        ENetMemory delivered;    ///< its part outside libenet
        std::size_t credit = 0;  ///< steps that `recount` may walk, paid for by commands
        bool oversized = false;  ///< it is in `oversized_`
        std::chrono::steady_clock::time_point requested;  ///< its connect request
    };
    struct Command;

    static int intercept(ENetHost* host, ENetEvent* event) noexcept;
    static std::size_t decompress(void* gate, const enet_uint8* in, std::size_t in_size,
                                  enet_uint8* out, std::size_t capacity) noexcept;
    bool is_from(const ENetPeer& peer, unsigned head) const noexcept;
    /// The number of command bytes that libenet may see.
    std::size_t admitted_size(const enet_uint8* at, std::size_t size);
    bool admits(ENetPeer& peer, const Command& command);
    /// The part of a peer's memory that a command may use; each includes the previous ones.
    enum class Budget : unsigned char { waiting, next_in_order, control };
    bool admits(ENetPeer& peer, const Command& command, std::size_t cost, Budget budget);
    bool fits(const ENetMemory& held, std::size_t cost, Budget budget) const noexcept;
    bool recount(ENetPeer& peer, Slot& slot) const;
    bool refuse_oversized(ENetPeer& peer);
    bool admits_connect(const ENetProtocolConnect& command);

    ENetHost& host_;
    const std::size_t max_packet_, max_per_address_;
    const std::chrono::milliseconds connect_timeout_;
    const bool server_;
    const Callbacks callbacks_;
    std::size_t half_open_ = 0;  ///< at most
    void* coder_ = nullptr;
    std::vector<Slot> slots_;  ///< parallel to host.peers
    std::vector<enet_uint16> oversized_;
};

}  // namespace gdvar::net::detail
