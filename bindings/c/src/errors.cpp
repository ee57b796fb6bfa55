// Errors, types, dialects, options and buffers in C.
#include <algorithm>
#include <new>

#include "common.hpp"
#include "gdvar/version.hpp"
#include "wire/any_script.hpp"

namespace gdvar::c {
namespace {

static_assert(sizeof(Error) <= sizeof(gdvar_error::detail) && std::is_trivially_copyable_v<Error>);

std::uint16_t fill(gdvar_error* to, Errc code, const Error& error, gdvar_error_source source) {
    if (!to)
        return static_cast<std::uint16_t>(code);
    *to = {};
    to->code = static_cast<std::uint16_t>(code);
    to->type = static_cast<std::uint8_t>(error.type);
    to->source = static_cast<std::uint8_t>(source);
    to->offset = error.offset;
    to->need = error.need;
    std::memcpy(to->detail, &error, sizeof error);
    return to->code;
}

/// A TextError's detail is static text; its place and size stand where other errors have an Error.
struct StaticText {
    const char* data;
    std::size_t size;
};

std::string message(const gdvar_error& error) {
    switch (error.source) {
        case GDVAR_FROM_TEXT: {
            StaticText detail;
            std::memcpy(&detail, error.detail, sizeof detail);
            return to_string(TextError{.code = static_cast<Errc>(error.code),
                                       .type = static_cast<Type>(error.type),
                                       .offset = error.offset,
                                       .line = error.line,
                                       .column = error.column,
                                       .detail = {detail.data, detail.size}});
        }
        case GDVAR_FROM_FILE: {
            FileError file(packet_error(error));
            file.system = error.system;
            file.line = error.line;
            file.column = error.column;
            return to_string(file);
        }
        case GDVAR_FROM_PATCH:
            return to_string(
                inspect::PatchError(packet_error(error), static_cast<std::size_t>(error.change)));
        default:
            return to_string(packet_error(error));
    }
}

}  // namespace

std::uint16_t fail(gdvar_error* to, const Error& error) noexcept {
    return fill(to, error.code, error, GDVAR_FROM_PACKET);
}
std::uint16_t fail(gdvar_error* to, const FileError& error) noexcept {
    fill(to, error.code, error.error, GDVAR_FROM_FILE);
    if (to) {
        to->system = error.system;
        to->line = error.line;
        to->column = error.column;
    }
    return static_cast<std::uint16_t>(error.code);
}
std::uint16_t fail(gdvar_error* to, const inspect::PatchError& error) noexcept {
    fill(to, error.code, error.error, GDVAR_FROM_PATCH);
    if (to)
        to->change = error.change;
    return static_cast<std::uint16_t>(error.code);
}
std::uint16_t fail(gdvar_error* to, const TextError& error) noexcept {
    if (!to)
        return static_cast<std::uint16_t>(error.code);
    *to = {};
    to->code = static_cast<std::uint16_t>(error.code);
    to->type = static_cast<std::uint8_t>(error.type);
    to->source = GDVAR_FROM_TEXT;
    to->offset = error.offset;
    to->line = error.line;
    to->column = error.column;
    const StaticText detail{error.detail.data(), error.detail.size()};
    std::memcpy(to->detail, &detail, sizeof detail);
    return to->code;
}
std::uint16_t refuse(gdvar_error* to, const char* why) noexcept {
    const Error error = Error{Errc::misplaced}.about_reason(why);
    return fill(to, error.code, error, GDVAR_FROM_CALL);
}

std::uint16_t give_refusal(gdvar_refusal_use use, void* user, const Error& error, gdvar_needs needs,
                           Type type, std::string_view at, std::string_view what) {
    const auto code = static_cast<std::uint16_t>(error.code);
    const gdvar_refusal refusal{code, static_cast<std::uint8_t>(needs),
                                static_cast<std::uint8_t>(type), give(at), give(what)};
    if (use)
        use(user, &refusal);
    return code;
}

Error packet_error(const gdvar_error& error) noexcept {
    Error out;
    if (error.source == GDVAR_FROM_TEXT)  // its detail is no Error
        return {static_cast<Errc>(error.code), static_cast<Type>(error.type), error.offset};
    std::memcpy(&out, error.detail, sizeof out);
    out.code = static_cast<Errc>(error.code);
    out.offset = error.offset;  // all that an error of the caller's own has
    return out;
}

gdvar_options complete(const gdvar_options* options) noexcept {
    gdvar_options out = GDVAR_OPTIONS_INIT;
    if (options)
        std::memcpy(&out, options, std::min<std::size_t>(options->size, sizeof out));
    return out;
}
DecodeOptions decoding(const gdvar_options* options) noexcept {
    const gdvar_options o = complete(options);
    const Dialect& dialect = take(o.dialect);
    return {.dialect = o.flags & GDVAR_ANY_SCRIPT ? &detail::with_any_script(dialect) : &dialect,
            .limits = {o.max_depth, o.max_bytes, o.max_nodes},
            .allow_objects = (o.flags & GDVAR_ALLOW_OBJECTS) != 0,
            .strict = (o.flags & GDVAR_STRICT) != 0,
            .node_path_text = (o.flags & GDVAR_NODE_PATH_TEXT) != 0,
            .real_width = static_cast<std::uint8_t>(o.flags & GDVAR_WIDE_PAGE ? 8 : 4)};
}
EncodeOptions encoding(const gdvar_options* options) noexcept {
    const gdvar_options o = complete(options);
    return {.dialect = &take(o.dialect),
            .allow_objects = (o.flags & GDVAR_ALLOW_OBJECTS) != 0,
            .real_width = static_cast<std::uint8_t>(o.flags & GDVAR_WIDE_PAGE ? 8 : 4),
            .max_depth = o.max_depth};
}

}  // namespace gdvar::c

using namespace gdvar;

uint32_t gdvar_abi(void) {
    return GDVAR_C_ABI;
}
const char* gdvar_version(void) {
    return version_string.data();
}

size_t gdvar_error_message(const gdvar_error* error, char* to, size_t capacity) {
    if (!error)
        return 0;
    std::string text;
    GDVAR_TRY {  // the message takes memory, too
        text = c::message(*error);
    }
    GDVAR_CATCH_ALL(text.clear())
    if (capacity && to) {
        const std::size_t n = std::min(text.size(), capacity - 1);
        std::memcpy(to, text.data(), n);
        to[n] = '\0';
    }
    return text.size();
}
// The tables' texts are literals, which end with a NUL. A number that is no code gets another row.
const char* gdvar_error_name(uint16_t code) {
    const ErrorInfo& row = error_info(static_cast<Errc>(code));
    return row.code == static_cast<Errc>(code) ? row.name.data() : "";
}
const char* gdvar_error_kind(uint16_t code) {
    const ErrorInfo& row = error_info(static_cast<Errc>(code));
    return row.code == static_cast<Errc>(code) ? error_kind_name(row.kind).data() : "";
}
const char* gdvar_error_meaning(uint16_t code) {
    const ErrorInfo& row = error_info(static_cast<Errc>(code));
    return row.code == static_cast<Errc>(code) ? row.meaning.data() : "";
}
uint16_t gdvar_error_code(const char* name) {
    for (const ErrorInfo& row : error_table())
        if (name && row.name == name)
            return static_cast<std::uint16_t>(row.code);
    return UINT16_MAX;
}

gdvar_type_info gdvar_describe_type(uint8_t type) {
    if (type >= type_count)
        return {};
    const TypeInfo& info = type_info(static_cast<Type>(type));
    return {c::give(info.name), static_cast<std::uint8_t>(info.component), info.components,
            info.packed, info.widens};
}

gdvar_buffer* gdvar_buffer_new(void) {
    return new (std::nothrow) gdvar_buffer;
}
void gdvar_buffer_free(gdvar_buffer* buffer) {
    delete buffer;
}
gdvar_bytes gdvar_buffer_bytes(const gdvar_buffer* buffer) {
    return buffer ? c::give(as_bytes(buffer->bytes)) : gdvar_bytes{};
}
void gdvar_buffer_clear(gdvar_buffer* buffer) {
    if (buffer)
        buffer->bytes.clear();
}

const gdvar_dialect* gdvar_find_dialect(const char* name) {
    return name ? c::give(find_dialect(name)) : nullptr;
}
const gdvar_dialect* gdvar_dialect_at(size_t index) {
    const auto all = all_dialects();
    return index < all.size() ? c::give(all[index]) : nullptr;
}
gdvar_text gdvar_dialect_name(const gdvar_dialect* dialect) {
    return c::give(c::take(dialect).name);
}
gdvar_text gdvar_dialect_title(const gdvar_dialect* dialect) {
    return c::give(c::take(dialect).title);
}
int gdvar_dialect_has(const gdvar_dialect* dialect, uint8_t type) {
    return type < type_count && c::take(dialect).has(static_cast<Type>(type));
}
