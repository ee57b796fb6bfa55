#include "live/packet_reader.hpp"

#include <algorithm>

#include "gdvar/inspect/guess.hpp"
#include "gdvar/net/multiplayer.hpp"
#include "gdvar/net/multiplayer3.hpp"

namespace gdvar::app {

PacketReader::PacketReader(const LiveOptions& options, const Dialect* dialect)
    : options_(options), dialect_(dialect) {
    decoding_.allow_objects = true;  // data, to be looked at
    // The limit also holds for a message that is made of several packets.
    decoding_.limits.max_bytes = std::min(decoding_.limits.max_bytes, options.max_packet);
    if (options.protocol == "multiplayer-3" && !dialect_)
        dialect_ = &dialects::godot_3_1;
    if (options.protocol == "multiplayer-4" && !dialect_)
        dialect_ = &dialects::godot_4_4;
}

namespace {

/// The dialect, by the first packet. A message of 4.x is an Array. A message of 3.x begins with its
/// name, or is an Array with another id.
const Dialect* debugger_dialect(ByteView packet, DecodeOptions decoding) {
    decoding.dialect = &dialects::godot_4_4;
    const auto value = decode(packet, decoding);
    return value && value->is(Type::array) ? &dialects::godot_4_4 : &dialects::godot_3_1;
}

}  // namespace

std::expected<std::optional<PacketReader::Shown>, Error> PacketReader::read(
    ByteView packet, const PacketFlags& flags, Transport transport) {
    if (!dialect_ && options_.protocol == "debugger")
        dialect_ = debugger_dialect(packet, decoding_);
    if (!dialect_) {
        const ByteView one[] = {packet};
        const Guess guess = guess_dialect(one);
        // A packet that no dialect reads says nothing of those that follow.
        if (!guess.dialect)
            return std::unexpected(guess.candidates.empty() ? Error{Errc::bad_packet}
                                                            : guess.candidates[0].error);
        // Nor does one that many read, as a bare int.
        if (!guess.ambiguous)
            dialect_ = guess.dialect;
        decoding_.dialect = guess.dialect;
    } else {
        decoding_.dialect = dialect_;
    }
    const auto shown = [&](Variant value) { return Shown{std::move(value), decoding_.dialect}; };
    if (options_.protocol == "debugger") {
        if (!debugger_)
            debugger_.emplace(decoding_);
        else if (lost_)
            return std::nullopt;  // the start of the next message is unknown
        auto message = debugger_->packet(packet);
        if (!message) {
            lost_ = true;
            return std::unexpected(message.error());
        }
        if (!*message)
            return std::nullopt;
        return shown((*message)->describe());
    }
    if (options_.protocol == "multiplayer-4") {
        if (transport == Transport::websocket && packet.size() == 4)
            if (const auto id = mp4::decode_peer_id(packet))
                return shown(Variant(Dictionary{{"command", "peer_id"}, {"peer", *id}}));
        auto message = mp4::decode(packet, {.decoding = decoding_});
        if (!message)
            return std::unexpected(message.error());
        return shown(mp4::describe(*message));
    }
    if (options_.protocol == "multiplayer-3")
        return read_multiplayer_3(packet, flags, transport);
    return Shown{std::nullopt, decoding_.dialect};
}

std::expected<std::optional<PacketReader::Shown>, Error> PacketReader::read_multiplayer_3(
    ByteView packet, const PacketFlags& flags, Transport transport) {
    Dictionary head;
    if (transport == Transport::enet && flags.channel == 0) {
        const auto notice = mp3::decode_enet_notice(packet);
        if (!notice)
            return std::unexpected(notice.error());
        return Shown{Variant(Dictionary{{"command", notice->kind ? "remove_peer" : "add_peer"},
                                        {"peer", notice->peer}}),
                     decoding_.dialect};
    }
    if (transport == Transport::enet) {
        const auto header = mp3::decode_enet(packet);
        if (!header)
            return std::unexpected(header.error());
        head = {{"from", header->source}, {"to", header->target}};
        packet = header->payload;
    } else if (transport == Transport::websocket) {
        const auto header = mp3::decode_websocket(packet);
        if (!header)
            return std::unexpected(header.error());
        head = {{"from", header->from}, {"to", header->to}};
        if (header->kind != mp3::WebSocketHeader::payload_) {
            constexpr const char* kinds[] = {"", "add_peer", "remove_peer", "your_id"};
            head.append("command", kinds[header->kind]);
            head.append("peer", header->peer);
            return Shown{Variant(std::move(head)), decoding_.dialect};
        }
        packet = header->payload;
    }
    auto message = mp3::decode(packet, decoding_);
    if (!message)
        return std::unexpected(message.error());
    Variant value = mp3::describe(*message);
    for (auto& pair : *value.get_if<Dictionary>())
        head.append(pair.key, pair.value);
    return Shown{Variant(std::move(head)), decoding_.dialect};
}

}  // namespace gdvar::app
