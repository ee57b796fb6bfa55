#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/file/layer.hpp"
#include "options/output.hpp"
#include "options/source.hpp"

namespace gdvar::app {

struct InputOptions : SourceOptions {
    std::string as = "auto";
    std::string dialect = "auto";
    std::uint64_t skip = 0;
    std::uint32_t real_width = 4;
    bool objects = false, strict = false, verbose = false;
    std::optional<std::uint64_t> layers;  ///< the most layers to open
    std::vector<std::string> inside;      ///< paths of values whose content is the input
    bool no_inside = false;
    std::vector<std::string> entries;  ///< names of files in a pack, or among a browser's files
    // Set by the command, not the user:
    bool all_readings = false;  ///< lists all possible readings of the input
    bool any_bytes = false;     ///< reads an unrecognised input as a packet

    /// That of --as; `unknown` for "auto".
    InputKind kind() const;
    /// Options of open_layers, without keys and dialect.
    SaveOptions finding() const;
    /// The same for what is held in memory: a SaveFile, recover_save.
    SaveOptions in_memory() const;
};

struct FilesOptions {
    std::vector<std::string> files;  ///< and folders; none: standard input
    bool recursive = false;
    std::uint32_t jobs = 0;  ///< 0: the machine's number of threads
    // Set by the command, not the user:
    bool several = false;  ///< this is one of several files
};

/// Options of reading the input, without FILE and the dialect.
void add_input(Arguments& arguments, InputOptions& options);
/// Options of every command that reads packets, without the dialect: -o, --color and the like,
/// secrets and limits, FILE, and how it is read. Returns FILE.
Argument add_reading(Arguments& arguments, InputOptions& options, OutputOptions& output);
/// The same for a command that takes several files and folders. Returns FILE.
Argument add_reading_files(Arguments& arguments, InputOptions& options, OutputOptions& output,
                           FilesOptions& files,
                           const char* what = "the inputs, files or folders; - is standard input");
/// --entry, --inside, --no-inside and --layers: choose the layers to open.
void add_layers(Arguments& arguments, InputOptions& options);
/// --inside and --no-inside.
void add_inside(Arguments& arguments, InputOptions& options);
/// --as, the kinds that can be recognised.
Argument add_as(Arguments& arguments, InputOptions& options, const char* what);
/// --dialect, of the input.
Argument add_dialect(Arguments& arguments, std::string& dialect, const char* names = "--dialect",
                     const char* what = "a dialect's name, or auto");
/// --real-width, only for page dialects.
void add_real_width(Arguments& arguments, std::uint32_t& width);
/// Refuses a width of 8 if none of the dialects is a page's: the others would ignore it. Returns an
/// exit code.
int settle_real_width(std::uint32_t width, std::initializer_list<std::string_view> dialects,
                      const char* name = "--real-width");
/// --path: only the value there.
void add_path(Arguments& arguments, std::string& path);

}  // namespace gdvar::app
