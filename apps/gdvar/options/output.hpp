// The output's destination and form, and the files that a command may replace.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "gdvar/save/atomic_file.hpp"
#include "gdvar/save/recognise.hpp"

namespace gdvar::app {

struct OutputOptions {
    std::string output_file;
    std::string output_form = "binary";
    std::string color = "auto";
    std::string backup;
    bool force = false;  ///< the output may replace an input
    // Set by the command, not the user:
    /// If set, `output_file` is in this folder, and no link below it is followed.
    std::string within;
    std::shared_ptr<const EditLock> lock;  ///< for the file that the command replaces
    std::vector<std::string>
        made_of;  ///< the input files; a new file is no more accessible than these
};

/// -o, --force and --color.
void add_output(Arguments& arguments, OutputOptions& options);
/// --output and --backup, for bytes.
void add_form(Arguments& arguments, OutputOptions& options);

enum class Rewrites : std::uint8_t {
    none,       ///< only reads it
    to_output,  ///< writes a new file of the same kind; -o may name FILE
    in_place    ///< replaces it, unless -o names another file
};

/// The files that a command reads. Names may be empty.
struct Reads {
    std::vector<std::string> inputs;  ///< FILE; the first may be rewritten
    std::vector<std::string> others;  ///< keys, patches, tables of names
};

/// Notes the input files of the output.
void made_of(OutputOptions& options, const std::vector<std::string>& inputs);
/// Decides what -o is, before anything is read. Locks a file that is changed in place. Refuses an
/// output that would replace another input. Returns an exit code.
int settle_output(OutputOptions& options, const Reads& reads, Rewrites rewrites);
/// True if two names are one file, also through links.
bool same_file(const std::string& one, const std::string& other);
std::string replacing_in_words(const FileError& error);

struct PacketOptions : OutputOptions {
    std::string frame = "auto";
    std::string container = "keep";
    bool update_sums = false;
};

/// --frame; `what` describes the default frame. `settings`: also for a game's settings.
void add_frame(Arguments& arguments, PacketOptions& options, const char* what,
               bool settings = false);
/// --container, required unless `keep`.
void add_container(
    Arguments& arguments, PacketOptions& options, bool keep,
    const char* what = "layers of the result, the outermost first: 'base64 > gdec-4'");
/// Form and frame of a command that keeps the input's own, and its treatment of checksums.
void add_kept_frame(Arguments& arguments, PacketOptions& options, bool settings = false);
void add_kept_packets(Arguments& arguments, PacketOptions& options);
/// The frame of `--frame`, or the input's own.
InputKind frame_of(const PacketOptions& options, InputKind own);

}  // namespace gdvar::app
