// FILE, with its secret and limit, for commands that read a file of any kind.
#pragma once

#include <functional>
#include <string>

#include "gdvar/save/source.hpp"
#include "options/limits.hpp"
#include "options/secret.hpp"

namespace gdvar::app {

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
/// Passes the remaining bytes to `use`, in pieces, until `use` returns another exit code than fine.
/// Reads a pipe or a device up to `most_streamed`. Returns an exit code, after a message.
int each_piece(Source& source, const SourceOptions& options,
               const std::function<int(ByteView)>& use);

}  // namespace gdvar::app
