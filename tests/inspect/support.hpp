// The tests of this room share it.
#pragma once

#include "gdvar/inspect/engine.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/value/document.hpp"

namespace gdvar::test {

inline constexpr EncodeOptions writing_all{.allow_objects = true};
inline DecodeOptions reading_all() {
    DecodeOptions options;
    options.allow_objects = true;
    return options;
}

inline PackedByteArray packed(const Variant& value) {
    return encode(value, writing_all).value();
}

/// The engine of that name; null if there is none.
inline const inspect::Engine* engine_named(std::string_view name) {
    for (const inspect::Engine& engine : inspect::all_engines())
        if (engine.name == name)
            return &engine;
    return nullptr;
}

/// A value as a packet, and the Document of that.
struct Packet {
    PackedByteArray bytes;
    Document document;
    explicit Packet(const Variant& value)
        : bytes(encode(value).value()), document(Document::parse(as_bytes(bytes)).value()) {}
    View root() const { return std::as_const(document).root(); }
    std::size_t size() const { return bytes.size(); }
};

}  // namespace gdvar::test
