// Godot 3's high-level multiplayer (and Pandemonium's): command packets and the transports'
// headers. No sockets here. Rules: wire-format 4.4.
#pragma once

#include <optional>
#include <variant>

#include "gdvar/base/export.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net::mp3 {

/// A packet's first byte.
enum class Command : std::uint8_t { rpc, remote_set, simplify_path, confirm_path, raw };

/// A remote call. The receiver is an id, or a path if there is none.
struct Rpc {
    std::uint32_t node = 0;  ///< with a path: 0
    std::optional<String> path{};
    String method{};
    Array arguments{};
};
/// A property set remotely by `rset`: the receiver as in Rpc (wire-format 4.4). Owns its value.
struct RemoteSet {
    std::uint32_t node = 0;
    std::optional<String> path{};
    String property{};
    Variant value{};
};
/// "This id will stand for this path" (wire-format 4.4). Owns the path.
struct SimplifyPath {
    std::uint32_t id = 0;
    String path{};
};
/// The answer to SimplifyPath: the path, confirmed (wire-format 4.4). Owns the path.
struct ConfirmPath {
    String path{};
};
/// The bytes of `send_bytes`. Owns them.
struct Raw {
    PackedByteArray bytes{};
};
using Message = std::variant<Rpc, RemoteSet, SimplifyPath, ConfirmPath, Raw>;

/// Reads one command packet, without the transport's header. Limited as in mp4. Errors: bad_packet,
/// truncated, bad_utf8, size_limit, node_limit, no_memory, and those of `decode`; offsets count
/// from the packet's start.
[[nodiscard]] std::expected<Message, Error> decode(ByteView packet,
                                                   const DecodeOptions& options = {
                                                       .dialect = &dialects::godot_3_1,
                                                       .limits = Limits::network()});
/// Appends the packet. Errors: those of `encode`; too_many_items (over 255 arguments);
/// number_out_of_range (an id with the top bit). After an error `to` is unchanged.
[[nodiscard]] std::expected<void, Error> append(PackedByteArray& to, const Message& message,
                                                const EncodeOptions& options = {
                                                    .dialect = &dialects::godot_3_1});
/// The message as a Dictionary with its command's name, for printing.
Variant describe(const Message& message);

/// NetworkedMultiplayerENet, channels 1 and up: eight bytes, then the payload (borrowed).
struct ENetHeader {
    std::int32_t source = 0;
    std::int32_t target = 0;  ///< 0: all, negative: all but that one, 1: the server
    ByteView payload{};
};
/// Errors: truncated.
[[nodiscard]] std::expected<ENetHeader, Error> decode_enet(ByteView packet) noexcept;
/// Errors: no_memory.
[[nodiscard]] std::expected<void, Error> append_enet(PackedByteArray& to,
                                                     const ENetHeader& header) noexcept;

/// NetworkedMultiplayerENet, channel 0: the server's notice of joining and leaving peers.
struct ENetNotice {
    enum Kind : std::uint32_t { add_peer, remove_peer };
    std::uint32_t kind = add_peer;
    std::uint32_t peer = 0;
};
/// Errors: truncated, bad_packet (another kind, or more than eight bytes).
[[nodiscard]] std::expected<ENetNotice, Error> decode_enet_notice(ByteView packet) noexcept;
/// Errors: no_memory.
[[nodiscard]] std::expected<void, Error> append_enet_notice(PackedByteArray& to,
                                                            const ENetNotice& notice) noexcept;

/// WebSocketServer and WebSocketClient in multiplayer mode: nine bytes, then the payload
/// (borrowed).
struct WebSocketHeader {
    enum Kind : std::uint8_t { payload_, add_peer, remove_peer, your_id };
    std::uint8_t kind = payload_;
    std::int32_t from = 0, to = 0;
    std::int32_t peer = 0;  ///< of the kinds other than payload
    ByteView payload{};
};
/// Errors: truncated, bad_packet (another kind, or a notice of the wrong size).
[[nodiscard]] std::expected<WebSocketHeader, Error> decode_websocket(ByteView message) noexcept;
/// Errors: no_memory.
[[nodiscard]] std::expected<void, Error> append_websocket(PackedByteArray& to,
                                                          const WebSocketHeader& header) noexcept;

}  // namespace net::mp3
}  // namespace gdvar
