// What packets are wrapped in on their way out: frame, container.
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

/// --frame; what it says of the frame that is used without it. `settings`: those of a game, too.
void add_frame(Arguments& arguments, PacketOptions& options, const char* what,
               bool settings = false);
/// --container, required unless `keep` is one of its words; what it says.
void add_container(
    Arguments& arguments, PacketOptions& options, bool keep,
    const char* what = "layers of the result, the outermost first: 'base64 > gdec-4'");
/// Form and frame of a command that keeps the input's own, and what it does with sums.
void add_kept_frame(Arguments& arguments, PacketOptions& options, bool settings = false);
/// The same, and the container.
void add_kept_packets(Arguments& arguments, PacketOptions& options);
/// The frame that `--frame` asks for, or the input's own.
InputKind frame_of(const PacketOptions& options, InputKind own);

}  // namespace gdvar::app
