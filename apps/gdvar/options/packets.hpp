#pragma once

#include <string>

#include "gdvar/save/recognise.hpp"
#include "options/output.hpp"

namespace gdvar::app {

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
