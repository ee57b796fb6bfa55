// Shared by the files of the C interface: handles, and how C++ values become C's and back.
#pragma once

#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/exceptions.hpp"
#include "gdvar/gdvar.h"
#include "gdvar/inspect/diff.hpp"
#include "gdvar/save/file_error.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/text_error.hpp"

struct gdvar_buffer {
    gdvar::PackedByteArray bytes;
};

struct gdvar_document {
    gdvar::Document document;
    gdvar::PackedByteArray kept;  ///< the packet, where the caller does not keep it
};

namespace gdvar::c {

// ---- views ----

/// Without data there are no bytes, whatever the size says.
inline ByteView view(gdvar_bytes bytes) noexcept {
    return {static_cast<const std::byte*>(bytes.data), bytes.data ? bytes.size : 0};
}
inline std::string_view view(gdvar_text text) noexcept {
    return text.data ? std::string_view(text.data, text.size) : std::string_view();
}
inline gdvar_bytes give(ByteView bytes) noexcept {
    return {bytes.data(), bytes.size()};
}
inline gdvar_text give(std::string_view text) noexcept {
    return {text.data(), text.size()};
}

inline const gdvar_dialect* give(const Dialect* dialect) noexcept {
    return reinterpret_cast<const gdvar_dialect*>(dialect);
}
inline const Dialect& take(const gdvar_dialect* dialect) noexcept {
    return dialect ? *reinterpret_cast<const Dialect*>(dialect) : dialects::godot_4_4;
}

inline void append(gdvar_buffer& to, ByteView bytes) {
    to.bytes.append({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}
inline void append(gdvar_buffer& to, std::string_view text) {
    append(to, as_bytes(text));
}

// ---- arguments ----

/// Why a pointer can't be what the caller means; null: it can.
template <class T>
const char* why_not(T* pointer) noexcept {
    return pointer ? nullptr : "NULL, where gdvar.h does not allow it";
}
/// Options may be NULL. Their size is that of an older or newer struct, and no member is missing
/// that every version has.
template <class Options>
const char* why_no_options(const Options* options) noexcept {
    constexpr std::uint32_t least = 8, most = 4096;
    return options && (options->size < least || options->size > most)
               ? "the size of the options is that of no such struct"
               : nullptr;
}
inline const char* why_not(const gdvar_options* options) noexcept {
    return why_no_options(options);
}
inline const char* why_not(const gdvar_save_options* options) noexcept {
    return why_no_options(options);
}
/// An array that the caller gives: NULL only if it is empty.
template <class T>
const char* why_no_array(const T* data, std::size_t count) noexcept {
    return count ? why_not(data) : nullptr;
}
/// Why a call can't be made with these pointers, the first of them; null: it can.
///
/// Small builds don't ask: the npm package, which alone calls them, never passes NULL.
template <class... T>
const char* given([[maybe_unused]] T*... pointers) noexcept {
    if constexpr (detail::small_build)
        return nullptr;
    const char* why = nullptr;
    (void)(... || ((why = why_not(pointers)) != nullptr));
    return why;
}

// ---- options ----

/// The options as the caller's own size of the struct has them; members beyond it have their
/// defaults.
gdvar_options complete(const gdvar_options* options) noexcept;
DecodeOptions decoding(const gdvar_options* options) noexcept;
EncodeOptions encoding(const gdvar_options* options) noexcept;

// ---- errors ----

/// Fills in `to`, if there is one, and returns the code.
std::uint16_t fail(gdvar_error* to, const Error& error) noexcept;
std::uint16_t fail(gdvar_error* to, const TextError& error) noexcept;
std::uint16_t fail(gdvar_error* to, const FileError& error) noexcept;
std::uint16_t fail(gdvar_error* to, const inspect::PatchError& error) noexcept;
/// An argument that is not allowed.
std::uint16_t refuse(gdvar_error* to, const char* why) noexcept;
/// The error that `fail` was given.
Error packet_error(const gdvar_error& error) noexcept;
inline std::uint16_t succeed(gdvar_error* to) noexcept {
    if (to)
        *to = {};
    return 0;
}

/// Calls `use`, which may be null, and returns the code.
std::uint16_t give_refusal(gdvar_refusal_use use, void* user, const Error& error, gdvar_needs needs,
                           Type type, std::string_view at, std::string_view what);

/// The end of a call that gives nothing but a verdict.
template <class Result>
std::uint16_t answer(gdvar_error* error, const Result& result) {
    return result ? succeed(error) : fail(error, result.error());
}
/// The end of a call that gives something: `use` takes it.
template <class Result, class Use>
std::uint16_t answer(gdvar_error* error, Result&& result, Use&& use) {
    if (!result)
        return fail(error, result.error());
    use(*std::forward<Result>(result));
    return succeed(error);
}

// ---- documents ----

/// The View of a node; lost for an index off the tape, and for a property's name.
View view_of(const gdvar_document* document, std::uint32_t node) noexcept;
/// The node of a View; GDVAR_NO_NODE for one of another Document.
std::uint32_t node_of(const gdvar_document* document, const View& view) noexcept;

/// Runs `body`, which returns the code, unless `why` says why not (`given`). Bytes that it appended
/// to `to` are removed after an error. Exceptions end here: memory that ran out becomes
/// no_memory.
template <class Body>
std::uint16_t call([[maybe_unused]] gdvar_error* error, gdvar_buffer* to, const char* why,
                   Body&& body) noexcept {
    if (why)
        return refuse(error, why);
    const std::size_t before = to ? to->bytes.size() : 0;
    std::uint16_t code;
    GDVAR_TRY {
        code = body();
    }
    GDVAR_CATCH_ALL(code = fail(error, Error{Errc::no_memory}))
    if (code != 0 && to)
        to->bytes.set_size(before);
    return code;
}

}  // namespace gdvar::c
