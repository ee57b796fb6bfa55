#include "live/packet_reader.hpp"

#include <algorithm>
#include <memory>

#include "gdvar/file/open_layers.hpp"
#include "gdvar/inspect/guess.hpp"
#include "gdvar/net/multiplayer.hpp"
#include "gdvar/net/multiplayer3.hpp"
#include "gdvar/save/source.hpp"

namespace gdvar::app {

PacketReader::PacketReader(const LiveOptions& options, const Dialect* dialect)
    : options_(options), dialect_(dialect) {
    decoding_.allow_objects = true;  // data, to be shown
    decoding_.real_width = static_cast<std::uint8_t>(options.real_width);
    // The limit also holds for a message of several packets.
    decoding_.limits.max_bytes = std::min(decoding_.limits.max_bytes, options.net.max_packet);
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

/// The content of the layers around the packet, at most `most` layers; nothing if it has none.
/// Errors: those of open_layers and read_all.
std::expected<std::vector<std::byte>, Error> without_layers(ByteView packet, std::size_t most,
                                                            std::uint64_t max_bytes) {
    const auto opened = open_layers(std::make_unique<MemorySource>(packet),
                                    {.layers = most, .values = false, .max_bytes = max_bytes});
    if (!opened)
        return std::unexpected(opened.error().error.error);
    if (opened->layers.empty())
        return {};
    if (const auto again = opened->inside().rewind(); !again)
        return std::unexpected(again.error().error);
    auto all = read_all(opened->inside(), max_bytes);
    if (!all)
        return std::unexpected(all.error().error);
    return *std::move(all);
}

}  // namespace

bool PacketReader::may_have_layers(ByteView packet) {
    const char* hint = packet_hint(packet, false);
    return hint && std::string_view(hint).find("compressed") != std::string_view::npos;
}

std::expected<PacketReader::Shown, PacketReader::Refusal> PacketReader::read_value(
    ByteView packet) {
    DecodeOptions reading = decoding_;
    if (!dialect_) {
        const ByteView one[] = {packet};
        const Guess guess = guess_dialect(one);
        // A packet that no dialect reads, or one by chance, says nothing about later ones. Nor does
        // one that many read, such as a bare int.
        if (guess.dialect && guess.dialect == guess.likely && !guess.ambiguous)
            dialect_ = guess.dialect;
        reading.dialect = guess.likely ? guess.likely : &dialects::godot_4_4;
    }
    auto document = Document::parse(packet, reading);
    if (!document)
        return std::unexpected(Refusal{document.error(), reading});
    Shown out{.document = *std::move(document), .dialect = reading.dialect};
    out.behind = packet.size() - out.document->root().raw().size();
    return out;
}

std::expected<std::optional<PacketReader::Shown>, PacketReader::Refusal> PacketReader::read(
    ByteView packet, const PacketFlags& flags, Transport transport) {
    if (!dialect_ && options_.protocol == "debugger")
        dialect_ = debugger_dialect(packet, decoding_);
    if (dialect_)
        decoding_.dialect = dialect_;
    if (options_.protocol == "packets") {
        auto shown = read_value(packet);
        if (shown || !options_.most_layers || !may_have_layers(packet))
            return shown;
        auto inside = without_layers(packet, *options_.most_layers, decoding_.limits.max_bytes);
        if (!inside)
            return std::unexpected(Refusal{.error = inside.error(), .closed = true});
        if (inside->empty())
            return shown;
        shown = read_value(*inside);
        (shown ? shown->opened : shown.error().opened) = *std::move(inside);
        return shown;
    }
    const auto shown = [&](Variant value) {
        return Shown{.value = std::move(value), .dialect = decoding_.dialect};
    };
    if (options_.protocol == "debugger") {
        if (!debugger_)
            debugger_.emplace(decoding_);
        else if (lost_)
            return std::nullopt;  // the start of the next message is unknown
        auto message = debugger_->packet(packet);
        if (!message) {
            lost_ = true;
            return std::unexpected(Refusal{message.error(), decoding_});
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
            return std::unexpected(Refusal{message.error()});
        return shown(mp4::describe(*message));
    }
    auto message = read_multiplayer_3(packet, flags, transport);
    if (!message)
        return std::unexpected(Refusal{message.error()});
    return *std::move(message);
}

std::expected<std::optional<PacketReader::Shown>, Error> PacketReader::read_multiplayer_3(
    ByteView packet, const PacketFlags& flags, Transport transport) {
    Dictionary head;
    if (transport == Transport::enet && flags.channel == 0) {
        const auto notice = mp3::decode_enet_notice(packet);
        if (!notice)
            return std::unexpected(notice.error());
        return Shown{
            .value = Variant(Dictionary{{"command", notice->kind ? "remove_peer" : "add_peer"},
                                        {"peer", notice->peer}}),
            .dialect = decoding_.dialect};
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
            return Shown{.value = Variant(std::move(head)), .dialect = decoding_.dialect};
        }
        packet = header->payload;
    }
    auto message = mp3::decode(packet, decoding_);
    if (!message)
        return std::unexpected(message.error());
    Variant value = mp3::describe(*message);
    for (auto& pair : *value.get_if<Dictionary>())
        head.append(pair.key, pair.value);
    return Shown{.value = Variant(std::move(head)), .dialect = decoding_.dialect};
}

}  // namespace gdvar::app
