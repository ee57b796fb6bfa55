// Saves for the tests of sessions.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "gdvar/save/records.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/value/codec.hpp"
#include "session/session.hpp"
#include "support/data.hpp"

namespace gdvar::test {

using namespace session;

inline std::vector<std::byte> packet_of(const Variant& value, bool objects = false) {
    const auto packet = encode(value, {.allow_objects = objects}).value();
    const ByteView bytes = as_bytes(packet);
    return {bytes.begin(), bytes.end()};
}

inline std::vector<std::byte> records_of(const std::vector<std::vector<std::byte>>& packets) {
    std::vector<std::byte> out;
    MemoryTarget target(out);
    RecordWriter writer(target);
    for (const auto& packet : packets)
        EXPECT_TRUE(writer.store_packet(packet));
    return out;
}

/// A session of bytes in memory, as Godot 4.4 would have written them.
inline std::unique_ptr<Session> session_of(ByteView bytes, const SaveOptions& how = {}) {
    SaveOptions options = how;
    options.dialect = &dialects::godot_4_4;
    auto save = read_save(bytes, options);
    EXPECT_TRUE(save) << to_string(save.error());
    const DecodeOptions decoding{.dialect = options.dialect,
                                 .allow_objects = options.allow_objects,
                                 .strict = options.strict};
    return std::make_unique<Session>(*std::move(save), Origin{.name = "memory"}, decoding);
}

inline std::unique_ptr<Session> session_of_text(std::string_view text) {
    return session_of(packet_of(parse_text_full(text).value()));
}

/// "$", "  .a", "    [0]": all rows, by their labels.
inline std::vector<std::string> rows_of(const Session& session) {
    std::vector<std::string> out;
    const Tree& tree = session.tree();
    for (Tree::Row row = tree.rows() ? tree.row_at(0) : Tree::Row(); row; row = tree.next(row))
        out.push_back(std::string(2 * tree.depth(row), ' ') + tree.label(row));
    return out;
}

}  // namespace gdvar::test
