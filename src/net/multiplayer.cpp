#include "gdvar/net/multiplayer.hpp"

#include <array>

#include "fields.hpp"

namespace gdvar::net::mp4 {
namespace {

using detail::FieldReader;
using detail::FieldWriter;

constexpr std::uint32_t path_bit = 0x8000'0000u;
constexpr std::uint8_t custom_scene = 255;
constexpr std::uint32_t widths[] = {1, 2, 4};

Variant value_of(FieldReader& in) {
    return in.value(detail::decode_compressed_first);
}

Array values_until_end(FieldReader& in) {
    Array out;
    while (in.good() && in.left())
        out.push_back(value_of(in));
    return out;
}

Array values(FieldReader& in, std::size_t count) {
    Array out;
    for (; in.good() && count; --count)
        out.push_back(value_of(in));
    return out;
}

Message read_rpc(FieldReader& in, std::uint8_t first, ByteView packet) {
    Rpc out;
    const unsigned width = first >> 4 & 3;
    if (width == 3) {
        in.fail(Errc::bad_packet);
        return out;
    }
    out.node_width = static_cast<std::uint8_t>(widths[width]);
    out.method_width = first & 0x40 ? 2 : 1;
    out.bytes_only = first & 0x80;
    out.node = in.number_of(out.node_width);
    if (out.node_width == 4 && out.node & path_bit) {
        const std::uint32_t at = out.node & ~path_bit;
        if (at >= packet.size() || at < in.at() + out.method_width) {
            in.fail(Errc::bad_packet);
            return out;
        }
        out.node = 0;
        out.path = in.text_at_end(at);
    }
    out.method = static_cast<std::uint16_t>(in.number_of(out.method_width));
    if (out.bytes_only) {
        if (in.left())
            out.arguments.push_back(Variant(packed_bytes(in.rest())));
    } else {
        out.arguments = values(in, in.number<std::uint8_t>());
    }
    return out;
}

Message read_simplify(FieldReader& in) {
    SimplifyPath out;
    out.methods_md5 = in.text();
    if (in.good() && out.methods_md5.view().size() != 32)
        in.fail(Errc::bad_packet);
    out.id = in.number<std::uint32_t>();
    out.path = in.text();
    return out;
}

Message read_confirm(FieldReader& in, bool by_path) {
    ConfirmPath out;
    out.valid = in.number<std::uint8_t>() != 0;
    if (by_path)
        out.path = in.text();
    else
        out.id = in.number<std::uint32_t>();
    return out;
}

Message read_spawn(FieldReader& in) {
    Spawn out;
    out.scene = in.number<std::uint8_t>();
    out.spawner = in.number<std::uint32_t>();
    out.node = in.number<std::uint32_t>();
    const auto count = in.number<std::uint32_t>();
    const auto name_size = in.number<std::uint32_t>();
    if (count > in.left() / 4) {
        in.fail(Errc::truncated, std::uint64_t{count} * 4 - in.left());
        return out;
    }
    out.synchronizers.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i)
        out.synchronizers.push_back(in.number<std::uint32_t>());
    const std::size_t before = in.at();
    out.name = in.text();
    if (in.good() && in.at() - before != name_size)
        in.fail(Errc::bad_packet);
    if (out.scene == custom_scene) {
        const auto size = in.number<std::uint32_t>();
        const std::size_t start = in.at();
        out.custom = value_of(in);
        if (in.good() && in.at() - start != size)
            in.fail(Errc::bad_packet);
    }
    out.state = values_until_end(in);
    return out;
}

Message read_sync(FieldReader& in, bool delta) {
    Sync out;
    out.delta = delta;
    if (!delta)
        out.time = in.number<std::uint16_t>();
    while (in.good() && in.left()) {
        Sync::Entry entry;
        entry.node = in.number<std::uint32_t>();
        if (delta)
            entry.mask = in.number<std::uint64_t>();
        const auto size = in.number<std::uint32_t>();
        const std::size_t start = in.at();
        const ByteView bytes = in.take(size);
        if (!in.good())
            break;
        FieldReader inner(bytes, in.options());
        inner.close();
        inner.values_left(in.values_left());
        entry.values = values_until_end(inner);
        in.values_left(inner.values_left());
        if (!inner.good()) {
            Error error = inner.error();
            error.offset += start;
            in.fail_as(error);
        }
        out.entries.push_back(std::move(entry));
    }
    return out;
}

Message read_system(FieldReader& in) {
    System out;
    const auto kind = in.number<std::uint8_t>();
    if (kind > System::relay)
        in.fail(Errc::bad_packet);
    out.kind = static_cast<System::Kind>(kind & 3);
    if (kind != System::authentication)
        out.peer = in.number<std::int32_t>();
    if (kind == System::authentication || kind == System::relay)
        out.bytes = packed_bytes(in.rest());
    return out;
}

Message read_message(FieldReader& in, ByteView packet, const Options& options) {
    const auto first = in.number<std::uint8_t>();
    switch (static_cast<Command>(first & 7)) {
        case Command::rpc:
            return read_rpc(in, first, packet);
        case Command::simplify_path:
            return read_simplify(in);
        case Command::confirm_path:
            return read_confirm(in, options.confirms_by_path);
        case Command::raw:
            return Raw{packed_bytes(in.rest())};
        case Command::spawn:
            return read_spawn(in);
        case Command::despawn:
            return Despawn{in.number<std::uint32_t>()};
        case Command::sync:
            return read_sync(in, first & 0x10);
        case Command::system:
            return read_system(in);
    }
    return Raw{};
}

}  // namespace

std::expected<Message, Error> decode(ByteView packet, const Options& options) {
    return detail::decode_whole(packet, options.decoding,
                                [&](FieldReader& in) { return read_message(in, packet, options); });
}

namespace {

struct Appender {
    FieldWriter& out;

    void value(const Variant& v) {
        if (out.good())
            out.outcome(append_compressed(out.bytes(), v, out.options()));
    }
    void first(Command command, unsigned flags = 0) {
        out.number(static_cast<std::uint8_t>(static_cast<unsigned>(command) | flags));
    }
    void sized(std::size_t at) { out.patch(at, out.size() - at - 4); }
    void bytes(const PackedByteArray& b) { out.put(as_bytes(b)); }

    void operator()(const Rpc& m) {
        const unsigned code = m.path || m.node_width == 4 ? 2u : m.node_width == 2 ? 1u : 0u;
        first(Command::rpc,
              code << 4 | (m.method_width == 2 ? 0x40u : 0u) | (m.bytes_only ? 0x80u : 0u));
        const std::size_t node_at = out.size();
        if (!m.path && m.node & path_bit)
            return out.fail(Errc::number_out_of_range);
        out.number_of(widths[code], m.path ? 0 : m.node);
        out.number_of(m.method_width == 2 ? 2 : 1, m.method);
        if (m.bytes_only) {
            const auto* raw =
                m.arguments.size() == 1 ? m.arguments[0].get_if<PackedByteArray>() : nullptr;
            if (!raw && !m.arguments.empty())
                return out.fail(Errc::wrong_type);
            if (raw)
                bytes(*raw);
        } else {
            if (m.arguments.size() > 255)
                return out.fail(Errc::too_many_items);
            out.number(static_cast<std::uint8_t>(m.arguments.size()));
            for (const Variant& v : m.arguments)
                value(v);
        }
        if (!m.path)
            return;
        out.patch(node_at, out.size(), path_bit);
        out.text(*m.path);
    }
    void operator()(const SimplifyPath& m) {
        if (m.methods_md5.view().size() != 32)
            return out.fail(Errc::length_out_of_range);
        first(Command::simplify_path);
        out.text(m.methods_md5);
        out.number(m.id);
        out.text(m.path);
    }
    void operator()(const ConfirmPath& m) {
        first(Command::confirm_path);
        out.number(static_cast<std::uint8_t>(m.valid));
        if (m.path)
            out.text(*m.path);
        else
            out.number(m.id);
    }
    void operator()(const Raw& m) {
        first(Command::raw);
        bytes(m.bytes);
    }
    void operator()(const Spawn& m) {
        if (m.custom.has_value() != (m.scene == custom_scene))
            return out.fail(Errc::misplaced);
        first(Command::spawn);
        out.number(m.scene);
        out.number(m.spawner);
        out.number(m.node);
        out.number(static_cast<std::uint32_t>(m.synchronizers.size()));
        out.number(static_cast<std::uint32_t>(m.name.view().size() + 1));
        for (const std::uint32_t id : m.synchronizers)
            out.number(id);
        out.text(m.name);
        if (m.custom) {
            const std::size_t at = out.size();
            out.number(std::uint32_t{0});
            value(*m.custom);
            sized(at);
        }
        for (const Variant& v : m.state)
            value(v);
    }
    void operator()(const Despawn& m) {
        first(Command::despawn);
        out.number(m.node);
    }
    void operator()(const Sync& m) {
        first(Command::sync, m.delta ? 0x10u : 0u);
        if (!m.delta)
            out.number(m.time);
        for (const Sync::Entry& entry : m.entries) {
            out.number(entry.node);
            if (m.delta)
                out.number(entry.mask);
            const std::size_t at = out.size();
            out.number(std::uint32_t{0});
            for (const Variant& v : entry.values)
                value(v);
            sized(at);
        }
    }
    void operator()(const System& m) {
        first(Command::system);
        out.number(static_cast<std::uint8_t>(m.kind));
        if (m.kind != System::authentication)
            out.number(m.peer);
        if (m.kind == System::authentication || m.kind == System::relay)
            bytes(m.bytes);
    }
};

struct Describer {
    Dictionary operator()(const Rpc& m) {
        Dictionary out{{"command", "rpc"}};
        if (m.path)
            out.append("path", Variant(*m.path));
        else
            out.append("node", m.node);
        out.append("method", m.method);
        out.append("arguments", Variant(m.arguments));
        return out;
    }
    Dictionary operator()(const SimplifyPath& m) {
        return {{"command", "simplify_path"},
                {"id", Variant(m.id)},
                {"path", Variant(m.path)},
                {"methods_md5", Variant(m.methods_md5)}};
    }
    Dictionary operator()(const ConfirmPath& m) {
        Dictionary out{{"command", "confirm_path"}, {"valid", Variant(m.valid)}};
        if (m.path)
            out.append("path", Variant(*m.path));
        else
            out.append("id", m.id);
        return out;
    }
    Dictionary operator()(const Raw& m) {
        return {{"command", "raw"}, {"bytes", Variant(m.bytes)}};
    }
    Dictionary operator()(const Spawn& m) {
        Array ids;
        for (const std::uint32_t id : m.synchronizers)
            ids.push_back(id);
        Dictionary out{{"command", "spawn"},
                       {"scene", Variant(m.scene)},
                       {"spawner", Variant(m.spawner)},
                       {"node", Variant(m.node)},
                       {"synchronizers", Variant(std::move(ids))},
                       {"name", Variant(m.name)}};
        if (m.custom)
            out.append("custom", *m.custom);
        out.append("state", Variant(m.state));
        return out;
    }
    Dictionary operator()(const Despawn& m) {
        return {{"command", "despawn"}, {"node", Variant(m.node)}};
    }
    Dictionary operator()(const Sync& m) {
        Dictionary out{{"command", m.delta ? "delta" : "sync"}};
        if (!m.delta)
            out.append("time", m.time);
        Array entries;
        for (const Sync::Entry& entry : m.entries) {
            Dictionary one{{"node", Variant(entry.node)}};
            if (m.delta)
                one.append("mask", static_cast<std::int64_t>(entry.mask));
            one.append("values", Variant(entry.values));
            entries.push_back(Variant(std::move(one)));
        }
        out.append("entries", Variant(std::move(entries)));
        return out;
    }
    Dictionary operator()(const System& m) {
        constexpr std::array kinds{"authentication", "add_peer", "remove_peer", "relay"};
        Dictionary out{{"command", kinds[m.kind]}};
        if (m.kind != System::authentication)
            out.append("peer", m.peer);
        if (m.kind == System::authentication || m.kind == System::relay)
            out.append("bytes", Variant(m.bytes));
        return out;
    }
};

}  // namespace

std::expected<void, Error> append(PackedByteArray& to, const Message& message,
                                  const EncodeOptions& options) {
    FieldWriter out(to, options);
    std::visit(Appender{out}, message);
    return out.finish();
}

Variant describe(const Message& message) {
    return Variant(std::visit(Describer{}, message));
}

std::expected<std::int32_t, Error> decode_peer_id(ByteView message) noexcept {
    if (message.size() != 4)
        return std::unexpected(Error{Errc::bad_packet, Type::nil, 0, 0});
    return detail::load<std::int32_t>(message.data());
}

std::expected<void, Error> append_peer_id(PackedByteArray& to, std::int32_t id) noexcept {
    const EncodeOptions none;
    FieldWriter out(to, none);
    out.number(id);
    return out.finish();
}

}  // namespace gdvar::net::mp4
