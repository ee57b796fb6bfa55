#include "options/packets.hpp"

#include <vector>

#include "gdvar/file/layer.hpp"

namespace gdvar::app {

void add_frame(Arguments& arguments, PacketOptions& options, const char* what) {
    arguments.option("--frame", options.frame, what).one_of({"packet", "records", "records-be"});
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

void add_kept_frame(Arguments& arguments, PacketOptions& options) {
    add_form(arguments, options);
    add_frame(arguments, options, "packet, records, records-be; default: the input's own");
    arguments.flag("--update-sums", options.update_sums,
                   "mend sizes and checksums beside the changes, where one value fits");
}

void add_kept_packets(Arguments& arguments, PacketOptions& options) {
    add_kept_frame(arguments, options);
    add_container(arguments, options, true);
}

InputKind frame_of(const PacketOptions& options, InputKind own) {
    if (options.frame == "packet")
        return InputKind::packet;
    if (options.frame == "records")
        return InputKind::records;
    if (options.frame == "records-be")
        return InputKind::records_be;
    return own;
}

}  // namespace gdvar::app
