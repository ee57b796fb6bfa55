#include "gdvar/net/multiplayer3.hpp"

#include "fields.hpp"

namespace gdvar::net::mp3 {
namespace {

using detail::FieldReader;
using detail::FieldWriter;

constexpr std::uint32_t path_bit = 0x8000'0000u;

Variant value_of(FieldReader& in) {
    return in.value(detail::decode_first);
}

/// The receiver: an id, or the place of a path at the end of the packet.
template <class Call>
void read_receiver(FieldReader& in, Call& out, ByteView packet) {
    out.node = in.number<std::uint32_t>();
    if (!(out.node & path_bit))
        return;
    const std::uint32_t at = out.node & ~path_bit;
    out.node = 0;
    if (at >= packet.size() || at < in.at())
        return in.fail(Errc::bad_packet);
    out.path = in.text_at_end(at);
}

Message read_message(FieldReader& in, ByteView packet) {
    switch (static_cast<Command>(in.number<std::uint8_t>())) {
        case Command::rpc: {
            Rpc out;
            read_receiver(in, out, packet);
            out.method = in.text();
            for (unsigned n = in.number<std::uint8_t>(); in.good() && n; --n)
                out.arguments.push_back(value_of(in));
            return out;
        }
        case Command::remote_set: {
            RemoteSet out;
            read_receiver(in, out, packet);
            out.property = in.text();
            out.value = value_of(in);
            return out;
        }
        case Command::simplify_path: {
            SimplifyPath out;
            out.id = in.number<std::uint32_t>();
            out.path = in.text();
            return out;
        }
        case Command::confirm_path:
            return ConfirmPath{in.text()};
        case Command::raw:
            return Raw{packed_bytes(in.rest())};
    }
    in.fail(Errc::bad_packet);
    return Raw{};
}

struct Appender {
    FieldWriter& out;

    void value(const Variant& v) {
        if (out.good())
            out.outcome(encode_to(out.bytes(), v, out.options()));
    }
    void first(Command command) { out.number(static_cast<std::uint8_t>(command)); }
    template <class Call, class Rest>
    void call(const Call& m, Rest&& rest) {
        if (!m.path && m.node & path_bit)
            return out.fail(Errc::number_out_of_range);
        const std::size_t at = out.size();
        out.number(m.node);
        rest();
        if (!m.path)
            return;
        out.patch(at, out.size(), path_bit);
        out.text(*m.path);
    }

    void operator()(const Rpc& m) {
        if (m.arguments.size() > 255)
            return out.fail(Errc::too_many_items);
        first(Command::rpc);
        call(m, [&] {
            out.text(m.method);
            out.number(static_cast<std::uint8_t>(m.arguments.size()));
            for (const Variant& v : m.arguments)
                value(v);
        });
    }
    void operator()(const RemoteSet& m) {
        first(Command::remote_set);
        call(m, [&] {
            out.text(m.property);
            value(m.value);
        });
    }
    void operator()(const SimplifyPath& m) {
        first(Command::simplify_path);
        out.number(m.id);
        out.text(m.path);
    }
    void operator()(const ConfirmPath& m) {
        first(Command::confirm_path);
        out.text(m.path);
    }
    void operator()(const Raw& m) {
        first(Command::raw);
        out.put(as_bytes(m.bytes));
    }
};

template <class Call>
Dictionary describe_call(const char* command, const Call& m) {
    Dictionary out{{"command", command}};
    if (m.path)
        out.append("path", Variant(*m.path));
    else
        out.append("node", m.node);
    return out;
}

struct Describer {
    Dictionary operator()(const Rpc& m) {
        Dictionary out = describe_call("rpc", m);
        out.append("method", Variant(m.method));
        out.append("arguments", Variant(m.arguments));
        return out;
    }
    Dictionary operator()(const RemoteSet& m) {
        Dictionary out = describe_call("remote_set", m);
        out.append("property", Variant(m.property));
        out.append("value", m.value);
        return out;
    }
    Dictionary operator()(const SimplifyPath& m) {
        return {{"command", "simplify_path"}, {"id", Variant(m.id)}, {"path", Variant(m.path)}};
    }
    Dictionary operator()(const ConfirmPath& m) {
        return {{"command", "confirm_path"}, {"path", Variant(m.path)}};
    }
    Dictionary operator()(const Raw& m) {
        return {{"command", "raw"}, {"bytes", Variant(m.bytes)}};
    }
};

const EncodeOptions no_values;
const DecodeOptions plain_fields;

}  // namespace

std::expected<Message, Error> decode(ByteView packet, const DecodeOptions& options) {
    return detail::decode_whole(packet, options,
                                [&](FieldReader& in) { return read_message(in, packet); });
}

std::expected<void, Error> append(PackedByteArray& to, const Message& message,
                                  const EncodeOptions& options) {
    FieldWriter out(to, options);
    std::visit(Appender{out}, message);
    return out.finish();
}

Variant describe(const Message& message) {
    return Variant(std::visit(Describer{}, message));
}

std::expected<ENetHeader, Error> decode_enet(ByteView packet) noexcept {
    FieldReader in(packet, plain_fields);
    ENetHeader out;
    out.source = in.number<std::int32_t>();
    out.target = in.number<std::int32_t>();
    if (!in.good())
        return std::unexpected(in.error());
    out.payload = in.rest();
    return out;
}

std::expected<void, Error> append_enet(PackedByteArray& to, const ENetHeader& header) noexcept {
    FieldWriter out(to, no_values);
    out.number(header.source);
    out.number(header.target);
    out.put(header.payload);
    return out.finish();
}

std::expected<ENetNotice, Error> decode_enet_notice(ByteView packet) noexcept {
    FieldReader in(packet, plain_fields);
    ENetNotice out;
    out.kind = in.number<std::uint32_t>();
    if (out.kind > ENetNotice::remove_peer)
        in.fail(Errc::bad_packet);
    out.peer = in.number<std::uint32_t>();
    if (in.good() && in.left())
        in.fail(Errc::bad_packet);
    if (!in.good())
        return std::unexpected(in.error());
    return out;
}

std::expected<void, Error> append_enet_notice(PackedByteArray& to,
                                              const ENetNotice& notice) noexcept {
    FieldWriter out(to, no_values);
    out.number(notice.kind);
    out.number(notice.peer);
    return out.finish();
}

std::expected<WebSocketHeader, Error> decode_websocket(ByteView message) noexcept {
    FieldReader in(message, plain_fields);
    WebSocketHeader out;
    out.kind = in.number<std::uint8_t>();
    if (out.kind > WebSocketHeader::your_id)
        in.fail(Errc::bad_packet);
    out.from = in.number<std::int32_t>();
    out.to = in.number<std::int32_t>();
    if (out.kind == WebSocketHeader::payload_) {
        out.payload = in.rest();
    } else {
        out.peer = in.number<std::int32_t>();
        if (in.good() && in.left())
            in.fail(Errc::bad_packet);
    }
    if (!in.good())
        return std::unexpected(in.error());
    return out;
}

std::expected<void, Error> append_websocket(PackedByteArray& to,
                                            const WebSocketHeader& header) noexcept {
    FieldWriter out(to, no_values);
    if (header.kind > WebSocketHeader::your_id)
        out.fail(Errc::bad_packet);
    out.number(header.kind);
    out.number(header.from);
    out.number(header.to);
    if (header.kind == WebSocketHeader::payload_)
        out.put(header.payload);
    else
        out.number(header.peer);
    return out.finish();
}

}  // namespace gdvar::net::mp3
