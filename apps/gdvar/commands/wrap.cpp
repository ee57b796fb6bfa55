#include "command.hpp"
#include "output/packet_output.hpp"

namespace gdvar::app::commands::wrap {
namespace {

struct Options : SourceOptions, PacketOptions {};

void declare(Arguments& arguments, Options& options) {
    add_output(arguments, options);
    add_source(arguments, options);
    add_file(arguments, options);
    add_form(arguments, options);
    add_container(arguments, options, false);
}

int run(Options& options) {
    int exit = fine;
    PacketOutput out(options, options, InputKind::packet, {}, exit);
    if (exit != fine)
        return exit;
    auto source = open_source(options.file);
    if (!source)
        return give_up(io_error, options.file + ": " + in_words(source.error()));
    exit = each_piece(*source, options, [&](ByteView part) { return out.raw(part); });
    return exit != fine ? exit : out.finish();
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "wrap",
         .does = "puts any bytes into layers: a container (GCPF, GDEC), compression, Base64",
         .examples = "gdvar wrap --container gcpf-deflate settings.json -o settings.gcpf\n"
                     "gdvar wrap --container gdec-4 --password-file pass.txt settings.json -o "
                     "settings.gdec"},
        declare, run);
}

}  // namespace gdvar::app::commands::wrap
