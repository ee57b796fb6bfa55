#include "options/packets.hpp"

#include <span>
#include <vector>

#include "gdvar/file/layer.hpp"

namespace gdvar::app {
namespace {

/// The last two are only for a game's settings.
constexpr InputKind frames[] = {InputKind::packet,     InputKind::packets, InputKind::records,
                                InputKind::records_be, InputKind::project, InputKind::config};

}  // namespace

void add_frame(Arguments& arguments, PacketOptions& options, const char* what, bool settings) {
    std::vector<std::string> names;
    for (const InputKind kind : std::span(frames).first(settings ? std::size(frames) : 4))
        names.emplace_back(input_kind_name(kind));
    arguments.option("--frame", options.frame, what).one_of(names);
}

void add_container(Arguments& arguments, PacketOptions& options, bool keep, const char* what) {
    std::vector<std::string> names = {"gcpf-fastlz", "gcpf-deflate", "gcpf-zstd", "gcpf-gzip"};
    for (const LayerKind& kind : layer_kinds())
        if (!kind.is_value() && kind.seen_as != InputKind::gcpf)
            names.emplace_back(kind.name);
    std::vector<std::string> alone = {"none"};
    if (keep)
        alone.emplace_back("keep");
    auto option = arguments.option("--container", options.container, what).stack_of(names, alone);
    if (!keep)
        option.required();
}

void add_kept_frame(Arguments& arguments, PacketOptions& options, bool settings) {
    add_form(arguments, options);
    add_frame(arguments, options,
              settings
                  ? "packet (one value), packets (without lengths), records, records-be; for the "
                    "settings of a game also project (project.binary) and config (project.godot);\n"
                    "default: the input's own"
                  : "packet (one value), packets (without lengths), records, records-be;\n"
                    "default: the input's own",
              settings);
    arguments.flag("--update-sums", options.update_sums,
                   "mend sizes and checksums beside the changes, where one value fits");
}

void add_kept_packets(Arguments& arguments, PacketOptions& options) {
    add_kept_frame(arguments, options);
    add_container(arguments, options, true);
}

InputKind frame_of(const PacketOptions& options, InputKind own) {
    for (const InputKind kind : frames)
        if (options.frame == input_kind_name(kind))
            return kind;
    return own;
}

}  // namespace gdvar::app
