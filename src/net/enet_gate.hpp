// What ENet's peers may make libenet hold: looks at each datagram before libenet does.
//
// libenet 1.3.17 bounds the length of one packet (maximumPacketSize) and the bytes that wait
// (maximumWaitingData), but allocates besides, unbounded, a bit for each announced fragment (up to
// 128 KiB for a packet of two bytes), a record for each packet be it empty, and one for each
// acknowledgement; and bytes of unreliable packets that it drops go on counting as waiting.
#pragma once

#include <enet/enet.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gdvar/net/endpoint.hpp"

namespace gdvar::detail {

/// Memory that waits for one peer, as libenet allocates it.
struct ENetHeld {
    std::size_t bytes = 0, count = 0;
    void add(std::size_t n) noexcept {
        bytes += n;
        ++count;
    }
};

/// For each datagram says how many of its commands libenet gets to see; the first that a peer's
/// limits do not allow, and all behind it, are as if they had been lost on the way. What is
/// reliable is then not acknowledged, so that its sender sends it again later.
///
/// For a peer may wait: packets that are whole or begun up to three times `max_packet` and 64 KiB,
/// and 2,048 of them. What is next in line, and so leaves at once or as soon as it is whole, has one
/// packet and 64 KiB more: else it could be refused because of what waits for it. ENet's own commands,
/// as pings, have 64 KiB more again: a peer that is paused stays connected however much waits.
///
/// Who asks to connect may have written any address there. When no place is free, the one that has
/// not answered for longest makes way; one address has a quarter of all places for such, and
/// loses its own first.
class ENetGate {
public:
    /// What the gate asks and tells of a peer.
    struct Callbacks {
        /// Whether one more of ENet's own commands may come, as pings.
        bool (*admits_control)(ENetPeer& peer);
        /// So many bytes of a packet have come.
        void (*part_came)(ENetPeer& peer, std::size_t bytes);
    };
    /// Looks at what comes to `host`, which it must outlive. `server`: whether others may connect.
    ENetGate(ENetHost& host, const NetOptions& options, bool server, Callbacks callbacks);
    ENetGate(const ENetGate&) = delete;
    ENetGate& operator=(const ENetGate&) = delete;
    ~ENetGate();

    /// Peers that asked to connect and have not answered yet.
    std::size_t half_open() const noexcept { return half_open_; }
    /// Lets those go that have not answered for `connect_timeout`.
    void expire();

    /// Calls `what(peer)` for those that have sent a reliable packet over `max_packet` since.
    template <class What>
    void each_oversized(What what) {
        for (const enet_uint16 id : oversized_) {
            slots_[id].oversized = false;
            what(host_.peers[id]);
        }
        oversized_.clear();
    }
    /// A packet that libenet has given out is kept, and counts on, until it is let go.
    void keep(const ENetPeer& peer, const ENetPacket& packet) noexcept;
    void let_go(const ENetPeer& peer, const ENetPacket& packet) noexcept;
    /// The packets kept count for nobody any more.
    void forget(const ENetPeer& peer) noexcept { slots_[peer.incomingPeerID].kept = {}; }

private:
    struct Slot {
        ENetHeld held;  ///< at most: what libenet has let go is not taken off
        ENetHeld kept;  ///< of that, outside of libenet
        std::size_t credit = 0;  ///< how far `recount` may walk, paid for by commands
        bool oversized = false;  ///< and in the list of those
        std::chrono::steady_clock::time_point asked;  ///< to connect
    };
    struct Command;

    static int intercept(ENetHost* host, ENetEvent* event) noexcept;
    static std::size_t decompress(void* gate, const enet_uint8* in, std::size_t in_size,
                                  enet_uint8* out, std::size_t room) noexcept;
    /// How many of the bytes of commands may pass.
    std::size_t pass(const enet_uint8* at, std::size_t size);
    bool admits(ENetPeer& peer, const Command& command);
    /// Which part of a peer's memory a command may use: each has what those before it have, and more.
    enum class Share : unsigned char { waiting, in_line, control };
    bool admits(ENetPeer& peer, const Command& command, std::size_t cost, Share share);
    bool fits(const ENetHeld& held, std::size_t cost, Share share) const noexcept;
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
    std::vector<Slot> slots_;  ///< as host.peers
    std::vector<enet_uint16> oversized_;
};

}  // namespace gdvar::detail
