// Values out of the packets of a connection.
#pragma once

#include <expected>
#include <optional>

#include "gdvar/net/debugger.hpp"
#include "options/live.hpp"

namespace gdvar::app {

/// Packets of one direction of one connection, made into what is shown.
class PacketReader {
public:
    /// `protocol`: packets, debugger, multiplayer-4, multiplayer-3, raw.
    PacketReader(const LiveOptions& options, const Dialect* dialect);
    /// What this packet completes, if anything: a value, or for packets of plain values the packet
    /// itself. Errors: in words.
    struct Shown {
        std::optional<Variant> value;  ///< else the packet is shown
        const Dialect* dialect;
    };
    std::expected<std::optional<Shown>, Error> read(ByteView packet, const PacketFlags& flags,
                                                    Transport transport);

private:
    std::expected<std::optional<Shown>, Error> read_multiplayer_3(ByteView packet,
                                                                  const PacketFlags& flags,
                                                                  Transport transport);
    const LiveOptions& options_;
    const Dialect* dialect_;  ///< null until guessed
    DecodeOptions decoding_;
    std::optional<DebuggerReader> debugger_;
    bool lost_ = false;  ///< a debugger message was broken; the later ones can't be found
};

}  // namespace gdvar::app
