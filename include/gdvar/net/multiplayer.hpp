// Godot 4's high-level multiplayer: compressed variants and the command packets. No sockets here.
// Rules: wire-format 4.3.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

/// Appends the value as `encode_and_compress_variant` does: bools in one byte, ints in two to nine,
/// everything else as its packet. Returns the bytes written. Errors: those of `encode`; `to` is
/// then unchanged.
[[nodiscard]] std::expected<std::size_t, Error> append_compressed(
    PackedByteArray& to, const Variant& value,
    const EncodeOptions& options = default_encode_options);
/// Reads one compressed variant from the start of `bytes`. A lone header at the end of the bytes,
/// which engines send for a freed object, is a null Object. Errors: those of `decode`; unknown_type
/// if mode bits are set for anything but bool and int.
[[nodiscard]] std::expected<Decoded, Error> decode_compressed(
    ByteView bytes, const DecodeOptions& options = default_decode_options);

namespace mp4 {

/// The low three bits of a packet's first byte.
enum class Command : std::uint8_t {
    rpc,
    simplify_path,
    confirm_path,
    raw,
    spawn,
    despawn,
    sync,
    system
};

/// A remote call. The receiver is a confirmed node id, or a path before the confirmation.
struct Rpc {
    std::uint32_t node = 0;         ///< id in the sender's cache; with a path: 0
    std::optional<String> path{};   ///< of a node that is not confirmed yet
    std::uint16_t method = 0;       ///< bit 15: configured by node, else by script
    std::uint8_t node_width = 4;    ///< bytes of the id: 1, 2 or 4; used if it fits
    std::uint8_t method_width = 1;  ///< 1 or 2
    /// The single PackedByteArray argument sent raw, or no arguments at all.
    bool bytes_only = false;
    Array arguments{};
};
/// "This id will stand for this path."
struct SimplifyPath {
    String methods_md5{};  ///< of the node's RPC names; 32 hex digits
    std::uint32_t id = 0;
    String path{};
};
/// The answer: the id (4.3 and later) or the path (4.0 to 4.2).
struct ConfirmPath {
    bool valid = false;  ///< the checksums agree
    std::uint32_t id = 0;
    std::optional<String> path{};
};
/// The bytes of `send_bytes`.
struct Raw {
    PackedByteArray bytes{};
};
/// A MultiplayerSpawner made a node: its scene, its name and the first state of its synchronizers
/// (wire-format 4.3). Owns its values.
struct Spawn {
    std::uint8_t scene = 0;  ///< 255: a custom spawn
    std::uint32_t spawner = 0, node = 0;
    std::vector<std::uint32_t> synchronizers{};
    String name{};
    std::optional<Variant> custom{};
    Array state{};
};
/// A MultiplayerSpawner removed a node (wire-format 4.3).
struct Despawn {
    std::uint32_t node = 0;
};
/// State of synchronizers: all of it at a time stamp, or (delta) the properties in the mask.
struct Sync {
    /// One synchronizer's properties. Owns its values.
    struct Entry {
        std::uint32_t node = 0;
        std::uint64_t mask = 0;  ///< delta only
        Array values{};
    };
    bool delta = false;
    std::uint16_t time = 0;  ///< not in a delta
    std::vector<Entry> entries{};
};
/// Messages of SceneMultiplayer itself: authentication, joining and leaving peers, packets relayed
/// by the server (wire-format 4.3). Owns its bytes.
struct System {
    enum Kind : std::uint8_t { authentication, add_peer, remove_peer, relay };
    Kind kind = authentication;
    std::int32_t peer = 0;    ///< not in an authentication
    PackedByteArray bytes{};  ///< authentication: the user's; relay: the whole inner packet
};

using Message = std::variant<Rpc, SimplifyPath, ConfirmPath, Raw, Spawn, Despawn, Sync, System>;

/// Options of `mp4::decode` and `mp4::append`. `decoding.dialect` is borrowed and must outlive the
/// calls.
struct Options {
    DecodeOptions decoding{.limits = Limits::network()};
    /// Godot 4.0 to 4.2: a confirmation carries the path.
    bool confirms_by_path = false;
};

/// Reads one packet of SceneMultiplayer: an ENet packet, a WebSocket message or one of a data
/// channel. The whole packet is limited by `decoding.limits`: max_bytes, and max_nodes for all its
/// values, nested ones included. Errors: bad_packet, truncated, bad_utf8, size_limit, node_limit,
/// no_memory, and those of `decode`; offsets count from the packet's start.
[[nodiscard]] std::expected<Message, Error> decode(ByteView packet, const Options& options = {});
/// Appends the packet. Errors: those of `encode`; number_out_of_range (an id over its width);
/// too_many_items (over 255 arguments). After an error `to` is unchanged.
[[nodiscard]] std::expected<void, Error> append(
    PackedByteArray& to, const Message& message,
    const EncodeOptions& options = default_encode_options);
/// The message as a Dictionary with its command's name, for printing. A relay's inner packet is
/// shown as bytes: decode it in turn.
Variant describe(const Message& message);

/// WebSocketMultiplayerPeer's first message, from server to client: the client's id, four bytes.
/// Errors: bad_packet.
[[nodiscard]] std::expected<std::int32_t, Error> decode_peer_id(ByteView message) noexcept;
[[nodiscard]] std::expected<void, Error> append_peer_id(PackedByteArray& to,
                                                        std::int32_t id) noexcept;

}  // namespace mp4
}  // namespace net
}  // namespace gdvar
