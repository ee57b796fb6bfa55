// The remote debugger's messages, Godot 3.x and 4.x. No sockets here. Rules: wire-format 4.2; on a
// connection each packet is framed (StreamFramer).
#pragma once

#include <optional>

#include "gdvar/base/export.hpp"
#include "gdvar/net/framer.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

/// The grouping of a debugger connection's packets into messages.
enum class DebuggerProtocol : std::uint8_t {
    unknown,  ///< taken from the first packet
    godot_3,  ///< from the engine: String name, int count, that many arguments, a packet each
    godot_3_command,  ///< to the engine: one Array `[name, arguments...]` a packet
    godot_4,          ///< 4.2 on, both ways: one Array `[name, thread, data]` a packet
    godot_4_0,        ///< 4.0 and 4.1, both ways: one Array `[name, data]` a packet
};

/// One message of the remote debugger.
struct DebuggerMessage {
    DebuggerProtocol protocol = DebuggerProtocol::unknown;
    String name;
    std::int64_t thread = 0;  ///< godot_4 only
    Array arguments;
    /// The message as one Dictionary `{name, thread (godot_4), data}` for printing.
    Variant describe() const;
};

/// Makes messages from packets. One for each direction of a connection. Memory: the current
/// message, whose packets together are limited by `decoding.limits` (max_bytes and max_nodes).
/// After an error every call returns that error; its offset counts within the packet.
class DebuggerReader {
public:
    /// The options' dialect must outlive it.
    explicit DebuggerReader(const DecodeOptions& decoding,
                            DebuggerProtocol protocol = DebuggerProtocol::unknown)
        : decoding_(decoding), protocol_(protocol), nodes_left_(decoding.limits.max_nodes) {}

    /// The message that this packet completes, or nothing if more packets belong to it. Errors:
    /// those of `decode`; bad_packet if the protocol does not allow the packet here; node_limit,
    /// size_limit.
    [[nodiscard]] std::expected<std::optional<DebuggerMessage>, Error> packet(ByteView bytes);
    /// Call at the end of the connection. Errors: truncated in the middle of a message.
    [[nodiscard]] std::expected<void, Error> finish() const noexcept;
    DebuggerProtocol protocol() const noexcept { return protocol_; }

private:
    enum class Expected : std::uint8_t { name, count, arguments };
    [[nodiscard]] std::expected<std::optional<DebuggerMessage>, Error> take(Variant&& value);
    [[nodiscard]] std::expected<std::optional<DebuggerMessage>, Error> take_godot_3(
        Variant&& value);
    std::unexpected<Error> fail(Errc code, Type type = Type::nil);

    DecodeOptions decoding_;
    DebuggerProtocol protocol_;
    Expected expected_ = Expected::name;
    std::uint64_t left_ = 0;    ///< remaining arguments
    std::uint64_t bytes_ = 0;   ///< of the message's packets so far
    std::uint64_t nodes_left_;  ///< values that the limits still allow
    DebuggerMessage message_;
    std::optional<Error> broken_;
};

/// Appends the message, framed, in its own protocol. Errors: those of `encode`; misplaced for
/// DebuggerProtocol::unknown. After an error `to` is unchanged.
[[nodiscard]] std::expected<void, Error> append_debugger_message(
    PackedByteArray& to, const DebuggerMessage& message,
    const EncodeOptions& options = default_encode_options);

}  // namespace net
}  // namespace gdvar
