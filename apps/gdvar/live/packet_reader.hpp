#pragma once

#include <expected>
#include <optional>
#include <vector>

#include "gdvar/net/debugger.hpp"
#include "options/live.hpp"

namespace gdvar::app {

/// Turns packets of one direction of a connection into shown values.
class PacketReader {
public:
    /// `protocol`: packets, debugger, multiplayer-4, multiplayer-3, raw.
    PacketReader(const LiveOptions& options, const Dialect* dialect);
    /// The value that a packet completes, or for packets of plain values the packet itself.
    struct Shown {
        std::optional<Variant> value{};      ///< else the document is shown
        std::optional<Document> document{};  ///< of the packet; else its bytes are
        const Dialect* dialect = nullptr;
        std::vector<std::byte> opened{};  ///< content of the packet's layers; the document's bytes
        std::size_t behind = 0;           ///< number of bytes behind the packet's value
    };
    /// Why a packet, or the content of its layers, is refused.
    struct Refusal {
        Error error;
        std::optional<DecodeOptions>
            reading{};                    ///< as a value; nothing: not a value, without paths
        std::vector<std::byte> opened{};  ///< the content of its layers, if that is refused
        bool closed = false;              ///< its layers could not be opened
    };
    /// Nothing if the message goes on in another packet.
    std::expected<std::optional<Shown>, Refusal> read(ByteView packet, const PacketFlags& flags,
                                                      Transport transport);

    /// True if it begins like a layer that `--layers` opens.
    static bool may_have_layers(ByteView packet);

private:
    std::expected<Shown, Refusal> read_value(ByteView packet);
    std::expected<std::optional<Shown>, Error> read_multiplayer_3(ByteView packet,
                                                                  const PacketFlags& flags,
                                                                  Transport transport);
    const LiveOptions& options_;
    const Dialect* dialect_;  ///< null until guessed
    DecodeOptions decoding_;
    std::optional<DebuggerReader> debugger_;
    bool lost_ = false;  ///< a debugger message was broken; later ones can't be found
};

}  // namespace gdvar::app
