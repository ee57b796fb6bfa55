#include "gdvar/net/debugger.hpp"

#include <new>

#include "fields.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar::net {
namespace {

/// Name and arguments of a message that is one Array.
std::optional<DebuggerMessage> from_array(Array& items, DebuggerProtocol protocol) {
    DebuggerMessage message;
    message.protocol = protocol;
    if (items.empty() || !items[0].is(Type::string))
        return std::nullopt;
    message.name = String(items[0].text());
    if (protocol == DebuggerProtocol::godot_4) {
        if (items.size() != 3 || !items[1].is(Type::integer) || !items[2].is(Type::array))
            return std::nullopt;
        message.thread = items[1].integer();
        message.arguments = std::move(*items[2].get_if<Array>());
        return message;
    }
    if (protocol == DebuggerProtocol::godot_4_0) {
        if (items.size() != 2 || !items[1].is(Type::array))
            return std::nullopt;
        message.arguments = std::move(*items[1].get_if<Array>());
        return message;
    }
    message.arguments.reserve(items.size() - 1);
    for (std::size_t i = 1; i < items.size(); ++i)
        message.arguments.push_back(std::move(items[i]));
    return message;
}

/// Godot 4's messages end with an Array; the first value of Godot 3's commands does not.
DebuggerProtocol protocol_of(const Variant& value) {
    const auto* items = value.get_if<Array>();
    if (!items)
        return DebuggerProtocol::godot_3;
    if (items->size() == 3 && (*items)[1].is(Type::integer) && (*items)[2].is(Type::array))
        return DebuggerProtocol::godot_4;
    if (items->size() == 2 && (*items)[1].is(Type::array))
        return DebuggerProtocol::godot_4_0;
    return DebuggerProtocol::godot_3_command;
}

}  // namespace

Variant DebuggerMessage::describe() const {
    Dictionary out{{"name", Variant(name)}};
    if (protocol == DebuggerProtocol::godot_4)
        out.append("thread", thread);
    out.append("data", Variant(arguments));
    return Variant(std::move(out));
}

std::unexpected<Error> DebuggerReader::fail(Errc code, Type type) {
    broken_ = Error{code, type, 0, 0};
    return std::unexpected(*broken_);
}

std::expected<std::optional<DebuggerMessage>, Error> DebuggerReader::packet(ByteView bytes) {
    if (broken_)
        return std::unexpected(*broken_);
    bytes_ += bytes.size();
    if (bytes_ > decoding_.limits.max_bytes)
        return fail(Errc::size_limit);
    auto there = detail::decode_counted(bytes, decoding_, nodes_left_);
    if (!there) {
        broken_ = there.error();
        return std::unexpected(*broken_);
    }
    try {
        auto message = take(std::move(there->value));
        if (expected_ == Expected::name) {
            bytes_ = 0;
            nodes_left_ = decoding_.limits.max_nodes;
        }
        return message;
    } catch (const std::bad_alloc&) {
        return fail(Errc::no_memory);
    }
}

std::expected<std::optional<DebuggerMessage>, Error> DebuggerReader::take(Variant&& value) {
    if (protocol_ == DebuggerProtocol::unknown)
        protocol_ = protocol_of(value);
    if (protocol_ == DebuggerProtocol::godot_3)
        return take_godot_3(std::move(value));
    auto* items = value.get_if<Array>();
    auto message = items ? from_array(*items, protocol_) : std::nullopt;
    if (!message)
        return fail(Errc::bad_packet, value.type());
    return message;
}

std::expected<std::optional<DebuggerMessage>, Error> DebuggerReader::take_godot_3(Variant&& value) {
    switch (expected_) {
        case Expected::name:
            if (!value.is(Type::string))
                return fail(Errc::bad_packet, value.type());
            message_ = {protocol_, String(value.text()), 0, Array()};
            expected_ = Expected::count;
            return std::nullopt;
        case Expected::count:
            if (!value.is(Type::integer) || value.integer() < 0)
                return fail(Errc::bad_packet, value.type());
            left_ = static_cast<std::uint64_t>(value.integer());
            if (left_ > nodes_left_)
                return fail(Errc::node_limit);
            expected_ = Expected::arguments;
            break;
        case Expected::arguments:
            message_.arguments.push_back(std::move(value));
            --left_;
            break;
    }
    if (left_)
        return std::nullopt;
    expected_ = Expected::name;
    return std::move(message_);
}

std::expected<void, Error> DebuggerReader::finish() const noexcept {
    if (broken_)
        return std::unexpected(*broken_);
    if (expected_ == Expected::name)
        return {};
    return std::unexpected(Error{Errc::truncated, Type::nil, 0, 1});
}

std::expected<void, Error> append_debugger_message(PackedByteArray& to,
                                                   const DebuggerMessage& message,
                                                   const EncodeOptions& options) try {
    const std::size_t before = to.size();
    const auto put = [&](const Variant& value) { return append_var_frame(to, value, options); };
    if (message.protocol == DebuggerProtocol::godot_4)
        return put(Array{message.name, message.thread, Variant(message.arguments)});
    if (message.protocol == DebuggerProtocol::godot_4_0)
        return put(Array{message.name, Variant(message.arguments)});
    if (message.protocol == DebuggerProtocol::godot_3_command) {
        Array items{Variant(message.name)};
        for (const Variant& argument : message.arguments)
            items.push_back(argument);
        return put(Variant(std::move(items)));
    }
    if (message.protocol != DebuggerProtocol::godot_3)
        return std::unexpected(Error{Errc::misplaced, Type::nil, 0, 0});
    auto done = put(Variant(message.name));
    if (done)
        done = put(Variant(message.arguments.size()));
    for (auto it = message.arguments.begin(); done && it != message.arguments.end(); ++it)
        done = put(*it);
    if (!done)
        to.set_size(before);
    return done;
} catch (const std::bad_alloc&) {
    return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
}

}  // namespace gdvar::net
