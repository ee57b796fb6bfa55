#include "enet_gate.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "deadlines.hpp"

namespace gdvar::net::detail {
namespace {

using Clock = std::chrono::steady_clock;

/// ENet's maximum of commands in a datagram (ENET_PROTOCOL_MAXIMUM_PACKET_COMMANDS).
constexpr int max_commands = ENET_PROTOCOL_MAXIMUM_PACKET_COMMANDS;
/// Limits for the number of waiting packets, by Budget. `next_in_order` must hold a window of 64
/// KiB full of small packets.
constexpr std::array<std::size_t, 3> max_held = {2048, 16'384, 17'408};
/// Bytes under way in a reliable window.
constexpr std::size_t window = ENET_PROTOCOL_MAXIMUM_WINDOW_SIZE;
/// Steps over the waiting packets that each command pays for. libenet itself takes longer for a
/// command.
constexpr std::size_t steps_per_command = 16;

constexpr std::size_t malloc_overhead = 16;
constexpr std::size_t packet_cost =
    sizeof(ENetPacket) + sizeof(ENetIncomingCommand) + 3 * malloc_overhead;
constexpr std::size_t acknowledgement_cost = sizeof(ENetAcknowledgement) + malloc_overhead;

constexpr std::size_t bits_cost(std::size_t fragments) noexcept {
    return (fragments + 31) / 32 * 4 + malloc_overhead;
}

/// The size of each command in bytes, without its data.
constexpr std::array<std::size_t, ENET_PROTOCOL_COMMAND_COUNT> sizes = {
    0,
    sizeof(ENetProtocolAcknowledge),
    sizeof(ENetProtocolConnect),
    sizeof(ENetProtocolVerifyConnect),
    sizeof(ENetProtocolDisconnect),
    sizeof(ENetProtocolPing),
    sizeof(ENetProtocolSendReliable),
    sizeof(ENetProtocolSendUnreliable),
    sizeof(ENetProtocolSendFragment),
    sizeof(ENetProtocolSendUnsequenced),
    sizeof(ENetProtocolBandwidthLimit),
    sizeof(ENetProtocolThrottleConfigure),
    sizeof(ENetProtocolSendFragment),
};

std::uint32_t number(enet_uint16 wire) noexcept {
    return ENET_NET_TO_HOST_16(wire);
}
std::uint32_t number(enet_uint32 wire) noexcept {
    return ENET_NET_TO_HOST_32(wire);
}

std::size_t data_size(unsigned kind, const ENetProtocol& c) noexcept {
    switch (kind) {
        case ENET_PROTOCOL_COMMAND_SEND_RELIABLE:
            return number(c.sendReliable.dataLength);
        case ENET_PROTOCOL_COMMAND_SEND_UNRELIABLE:
            return number(c.sendUnreliable.dataLength);
        case ENET_PROTOCOL_COMMAND_SEND_UNSEQUENCED:
            return number(c.sendUnsequenced.dataLength);
        case ENET_PROTOCOL_COMMAND_SEND_FRAGMENT:
        case ENET_PROTOCOL_COMMAND_SEND_UNRELIABLE_FRAGMENT:
            return number(c.sendFragment.dataLength);
        default:
            return 0;
    }
}

/// Calls `look(command)` for the list's waiting commands, from the last, until it returns true.
template <class Look>
bool any_waiting(ENetList& list, Look look) {
    for (auto at = enet_list_previous(enet_list_end(&list)); at != enet_list_end(&list);
         at = enet_list_previous(at))
        if (look(*reinterpret_cast<const ENetIncomingCommand*>(at)))
            return true;
    return false;
}

void count(ENetList& list, ENetMemory& held) {
    any_waiting(list, [&](const ENetIncomingCommand& one) {
        held.add(packet_cost + (one.packet ? one.packet->dataLength : 0) +
                 (one.fragments ? bits_cost(one.fragmentCount) : 0));
        return false;
    });
}

}  // namespace

struct ENetGate::Command {
    ENetProtocol bytes;  ///< as on the wire
    unsigned kind;
    std::size_t data;  ///< bytes after it
    unsigned channel() const noexcept { return bytes.header.channelID; }
    unsigned sequence() const noexcept { return number(bytes.header.reliableSequenceNumber); }
};

ENetGate::ENetGate(ENetHost& host, const NetOptions& options, bool server, Callbacks callbacks)
    : host_(host),
      max_packet_(static_cast<std::size_t>(options.max_packet)),
      max_per_address_(options.max_peers_per_address ? options.max_peers_per_address : SIZE_MAX),
      connect_timeout_(bounded(options.connect_timeout)),
      server_(server),
      callbacks_(callbacks),
      slots_(host.peerCount) {
    // The host's only user pointer. Without functions nothing is compressed.
    host.compressor.context = this;
    if (options.enet_range_coder && (coder_ = enet_range_coder_create())) {
        host.compressor.compress = [](void* gate, const ENetBuffer* in, std::size_t buffers,
                                      std::size_t size, enet_uint8* out, std::size_t capacity) {
            return enet_range_coder_compress(static_cast<ENetGate*>(gate)->coder_, in, buffers,
                                             size, out, capacity);
        };
        host.compressor.decompress = decompress;
    }
    oversized_.reserve(host.peerCount);
    host.intercept = intercept;
    host.maximumPacketSize = max_packet_;
    // libenet's count includes freed bytes: after some losses it would accept nothing more.
    host.maximumWaitingData = SIZE_MAX;
}

ENetGate::~ENetGate() {
    if (coder_)
        enet_range_coder_destroy(coder_);
}

void ENetGate::hold(const ENetPeer& peer, const ENetPacket& packet) noexcept {
    slots_[peer.incomingPeerID].delivered.add(packet_cost + packet.dataLength);
}

void ENetGate::release(const ENetPeer& peer, const ENetPacket& packet) noexcept {
    ENetMemory& delivered = slots_[peer.incomingPeerID].delivered;
    delivered.bytes -= packet_cost + packet.dataLength;
    --delivered.count;
}

int ENetGate::intercept(ENetHost* host, ENetEvent*) noexcept {
    auto& gate = *static_cast<ENetGate*>(host->compressor.context);
    const std::size_t size = host->receivedDataLength;
    if (size < 2)
        return 1;
    // A compressed datagram is checked after decompression.
    if (host->receivedData[0] & ENET_PROTOCOL_HEADER_FLAG_COMPRESSED >> 8)
        return 0;
    const std::size_t head =
        host->receivedData[0] & ENET_PROTOCOL_HEADER_FLAG_SENT_TIME >> 8 ? 4 : 2;
    if (size < head)
        return 1;
    host->receivedDataLength = head + gate.admitted_size(host->receivedData + head, size - head);
    return 0;
}

std::size_t ENetGate::decompress(void* gate, const enet_uint8* in, std::size_t in_size,
                                 enet_uint8* out, std::size_t capacity) noexcept {
    auto& me = *static_cast<ENetGate*>(gate);
    // libenet subtracts the header's size from a datagram that may be shorter.
    if (in_size > sizeof me.host_.packetData[0])
        return 0;
    const std::size_t size = enet_range_coder_decompress(me.coder_, in, in_size, out, capacity);
    return size <= capacity ? me.admitted_size(out, size) : 0;
}

/// The check of libenet, made before a stranger's datagram counts for the peer.
bool ENetGate::is_from(const ENetPeer& peer, unsigned head) const noexcept {
    const unsigned session =
        (head & ENET_PROTOCOL_HEADER_SESSION_MASK) >> ENET_PROTOCOL_HEADER_SESSION_SHIFT;
    return host_.receivedAddress.host == peer.address.host &&
           host_.receivedAddress.port == peer.address.port &&
           (peer.outgoingPeerID >= ENET_PROTOCOL_MAXIMUM_PEER_ID ||
            session == peer.incomingSessionID);
}

std::size_t ENetGate::admitted_size(const enet_uint8* at, std::size_t size) {
    const unsigned head = static_cast<unsigned>(host_.receivedData[0]) << 8 | host_.receivedData[1];
    const unsigned id =
        head & ~unsigned{ENET_PROTOCOL_HEADER_FLAG_MASK | ENET_PROTOCOL_HEADER_SESSION_MASK};
    const bool no_peer = id == ENET_PROTOCOL_MAXIMUM_PEER_ID;
    if (!no_peer && (id >= host_.peerCount || !is_from(host_.peers[id], head)))
        return 0;
    std::size_t passed = 0;
    for (int i = 0; i < max_commands; ++i) {
        const std::size_t left = size - passed;
        if (left < sizeof(ENetProtocolCommandHeader))
            break;
        const unsigned kind = at[passed] & ENET_PROTOCOL_COMMAND_MASK;
        if (kind >= sizes.size() || sizes[kind] == 0 || sizes[kind] > left)
            break;
        Command command{{}, kind, 0};
        std::memcpy(&command.bytes, at + passed, sizes[kind]);
        command.data = data_size(kind, command.bytes);
        // A datagram without a peer may only ask to connect.
        if (no_peer) {
            const bool good =
                kind == ENET_PROTOCOL_COMMAND_CONNECT && admits_connect(command.bytes.connect);
            return good ? sizes[kind] : 0;
        }
        if (command.data > left - sizes[kind] || !admits(host_.peers[id], command))
            break;
        passed += sizes[kind] + command.data;
    }
    return passed;
}

// ---- Connect requests ---------------------------------------------------------------------------

namespace {

bool is_half_open(const ENetPeer& peer) noexcept {
    return peer.state == ENET_PEER_STATE_ACKNOWLEDGING_CONNECT ||
           peer.state == ENET_PEER_STATE_CONNECTION_PENDING;
}

}  // namespace

bool ENetGate::admits_connect(const ENetProtocolConnect& command) {
    if (!server_)
        return false;
    const ENetAddress& from = host_.receivedAddress;
    ENetPeer *free = nullptr, *oldest = nullptr, *oldest_of_address = nullptr;
    std::size_t there = 0, half_open_there = 0;
    const auto older = [&](ENetPeer* than, ENetPeer& peer) {
        return !than || slots_[peer.incomingPeerID].requested <
                            slots_[than->incomingPeerID].requested
                   ? &peer
                   : than;
    };
    for (std::size_t i = 0; i < host_.peerCount; ++i) {
        ENetPeer& peer = host_.peers[i];
        const bool same = peer.address.host == from.host;
        if (peer.state == ENET_PEER_STATE_DISCONNECTED) {
            free = free ? free : &peer;
            continue;
        }
        if (same && peer.address.port == from.port && peer.connectID == command.connectID)
            return true;  // a repeated request; libenet handles it
        there += same;
        if (!is_half_open(peer))
            continue;
        half_open_there += same;
        oldest = older(oldest, peer);
        if (same)
            oldest_of_address = older(oldest_of_address, peer);
    }
    const std::size_t share = std::max<std::size_t>(host_.peerCount / 4, 1);
    if (there >= max_per_address_ || (half_open_there >= share && oldest_of_address))
        oldest = oldest_of_address;
    else if (free)
        oldest = nullptr;
    if (oldest)
        enet_peer_reset(oldest);
    else if (!free || there >= max_per_address_)
        return false;
    // libenet takes the first free slot.
    if (oldest && (!free || oldest < free))
        free = oldest;
    slots_[free->incomingPeerID].requested = Clock::now();
    ++half_open_;
    return true;
}

void ENetGate::expire() {
    if (!half_open_)
        return;
    half_open_ = 0;
    const auto last = Clock::now() - connect_timeout_;
    for (std::size_t i = 0; i < host_.peerCount; ++i)
        if (ENetPeer& peer = host_.peers[i]; is_half_open(peer)) {
            if (slots_[i].requested <= last)
                enet_peer_reset(&peer);
            else
                ++half_open_;
        }
}

// ---- Packets of a peer --------------------------------------------------------------------------

bool ENetGate::admits(ENetPeer& peer, const Command& command) {
    slots_[peer.incomingPeerID].credit += steps_per_command;
    ENetChannel* const channel =
        command.channel() < peer.channelCount ? &peer.channels[command.channel()] : nullptr;
    const unsigned next = channel ? (channel->incomingReliableSequenceNumber + 1u) & 0xFFFF : 0;
    switch (command.kind) {
        case ENET_PROTOCOL_COMMAND_SEND_RELIABLE:
            if (command.data > max_packet_)
                return refuse_oversized(peer);
            return channel &&
                   admits(peer, command, packet_cost + command.data,
                          command.sequence() == next ? Budget::next_in_order : Budget::waiting);
        case ENET_PROTOCOL_COMMAND_SEND_UNRELIABLE:
        case ENET_PROTOCOL_COMMAND_SEND_UNSEQUENCED:
            return channel && command.data <= max_packet_ &&
                   admits(peer, command, packet_cost + command.data, Budget::waiting);
        case ENET_PROTOCOL_COMMAND_SEND_FRAGMENT:
        case ENET_PROTOCOL_COMMAND_SEND_UNRELIABLE_FRAGMENT:
            break;
        case ENET_PROTOCOL_COMMAND_PING:
        case ENET_PROTOCOL_COMMAND_BANDWIDTH_LIMIT:
        case ENET_PROTOCOL_COMMAND_THROTTLE_CONFIGURE:
            return callbacks_.admits_control(peer) && admits(peer, command, 0, Budget::control);
        default:
            return admits(peer, command, 0, Budget::control);
    }
    const bool reliable = command.kind == ENET_PROTOCOL_COMMAND_SEND_FRAGMENT;
    const ENetProtocolSendFragment& f = command.bytes.sendFragment;
    const std::size_t total = number(f.totalLength), fragments = number(f.fragmentCount);
    if (total > max_packet_ && reliable)
        return refuse_oversized(peer);
    // A fragment is never empty.
    if (!channel || total > max_packet_ || fragments > total)
        return false;
    const unsigned start = number(f.startSequenceNumber);
    const bool begun = any_waiting(
        reliable ? channel->incomingReliableCommands : channel->incomingUnreliableCommands,
        [&](const ENetIncomingCommand& one) {
            return (one.command.header.command & ENET_PROTOCOL_COMMAND_MASK) == command.kind &&
                   (reliable ? one.reliableSequenceNumber : one.unreliableSequenceNumber) ==
                       start &&
                   (reliable || one.reliableSequenceNumber == command.sequence());
        });
    if (begun)
        return admits(peer, command, 0, Budget::next_in_order);
    return admits(peer, command, packet_cost + total + bits_cost(fragments),
                  reliable && start == next ? Budget::next_in_order : Budget::waiting);
}

/// A refused reliable packet would be sent again and again, so the peer is marked.
bool ENetGate::refuse_oversized(ENetPeer& peer) {
    if (!std::exchange(slots_[peer.incomingPeerID].oversized, true))
        oversized_.push_back(peer.incomingPeerID);
    return false;
}

bool ENetGate::admits(ENetPeer& peer, const Command& command, std::size_t cost, Budget budget) {
    Slot& slot = slots_[peer.incomingPeerID];
    if (command.bytes.header.command & ENET_PROTOCOL_COMMAND_FLAG_ACKNOWLEDGE)
        cost += acknowledgement_cost;
    if (cost && !fits(slot.held, cost, budget) &&
        !(recount(peer, slot) && fits(slot.held, cost, budget)))
        return false;
    if (cost)
        slot.held.add(cost);
    if (command.data)
        callbacks_.on_part(peer, command.data);
    return true;
}

bool ENetGate::fits(const ENetMemory& held, std::size_t cost, Budget budget) const noexcept {
    const auto rank = static_cast<std::size_t>(budget);
    const std::size_t packets = budget == Budget::waiting ? 3 : 4;
    return held.bytes + cost <= packets * max_packet_ + (rank + 1) * window &&
           held.count < max_held[rank];
}

/// Recounts the packets that really wait. False if the credit does not pay for the walk yet.
bool ENetGate::recount(ENetPeer& peer, Slot& slot) const {
    if (slot.credit < slot.held.count + 2 * peer.channelCount)
        return false;
    slot.credit = 0;
    slot.held = slot.delivered;
    for (auto at = enet_list_begin(&peer.acknowledgements);
         at != enet_list_end(&peer.acknowledgements); at = enet_list_next(at))
        slot.held.add(acknowledgement_cost);
    count(peer.dispatchedCommands, slot.held);
    for (std::size_t i = 0; i < peer.channelCount; ++i) {
        count(peer.channels[i].incomingReliableCommands, slot.held);
        count(peer.channels[i].incomingUnreliableCommands, slot.held);
    }
    return true;
}

}  // namespace gdvar::net::detail
