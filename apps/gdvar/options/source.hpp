// FILE, with its secret and limit, for commands that read a file of any kind.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "gdvar/file/layer.hpp"
#include "gdvar/save/source.hpp"
#include "options/secret.hpp"

namespace gdvar::app {

struct LimitOptions {
    std::optional<std::uint64_t> max_bytes;

    /// The most bytes read from a pipe, a device or a container. Files have no such limit.
    std::uint64_t most_streamed() const { return max_bytes.value_or(1u << 30); }
    /// The most bytes held in memory at once: a packet, a record, settings. The limit is lower for
    /// containers, which may be a thousand times smaller than their contents.
    std::uint64_t most_held(bool from_container) const {
        return max_bytes.value_or(from_container ? 256u << 20 : 1u << 30);
    }
    /// The most bytes of a text in a container. Reading takes up to 100 times as much memory.
    std::uint64_t most_text() const { return max_bytes.value_or(default_max_text); }
};

struct SourceOptions : SecretOptions, LimitOptions {
    std::string file = "-";
    std::string name() const { return file == "-" ? "<stdin>" : file; }
};

void add_source(Arguments& arguments, SourceOptions& options);
/// FILE; the default is standard input.
Argument add_file(Arguments& arguments, SourceOptions& options);

/// The input of a command that takes any bytes, `-` for standard input. Errors: those of
/// FileSource.
std::expected<FileSource, FileError> open_source(const std::string& file);
/// FILE as a source that can rewind: a pipe or a device is read to its end, up to `most_streamed`.
/// Null after a message, with `exit` set.
std::unique_ptr<Source> open_whole(const SourceOptions& options, int& exit);
/// All bytes of a file, `-` for standard input, if they are not more than `most`. Errors: an exit
/// code, after a message.
std::expected<std::vector<std::byte>, int> load(const std::string& file, std::uint64_t most);
/// Passes the remaining bytes to `use`, in pieces, until `use` returns another exit code than fine.
/// Reads a pipe or a device up to `most_streamed`. Returns an exit code, after a message.
int each_piece(Source& source, const SourceOptions& options,
               const std::function<int(ByteView)>& use);

}  // namespace gdvar::app
