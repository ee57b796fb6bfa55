#include "command.hpp"
#include "gdvar/save/records.hpp"
#include "input/input.hpp"
#include "output/annotate_lines.hpp"
#include "output/output.hpp"
#include "output/path_cutter.hpp"

namespace gdvar::app {
namespace {

struct Options : InputOptions, OutputOptions {
    bool full = false;
};

void declare(Arguments& arguments, Options& options) {
    add_reading(arguments, options, options);
    add_dialect(arguments, options.dialect);
    arguments.flag("--full", options.full, "nothing shortened: long paths, deep indentation");
}

int run(Options& options) {
    options.any_bytes = true;
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    Output out(options);
    PathCutter paths = PathCutter::for_people(options.full);
    int worst = fine;
    const DecodeOptions decoding = input->decoding();
    exit = input->each(
        [&](const Item& item) {
            if (input->kind() == InputKind::records || input->kind() == InputKind::records_be) {
                std::byte length[4];
                write_frame_length(
                    length, static_cast<std::uint32_t>(item.packet.size()),
                    input->kind() == InputKind::records ? ByteOrder::little : ByteOrder::big);
                out.line(annotate_line(item.offset - 4, length, "#" + std::to_string(item.number),
                                       "record  " + bytes_in_words(item.packet.size())));
            }
            auto done = annotate_lines(item.packet, item.offset, decoding, paths,
                                       [&](const std::string& line) { out.line(line); });
            if (!done) {
                input->complain(item, done.error(), decoding);
                worst = refused;
            }
            return true;
        },
        Tail::keep);
    paths.say_if_cut();
    const int written = out.finish();
    return exit != fine ? exit : worst != fine ? worst : written;
}

}  // namespace

Command annotate_command() {
    return make_command<Options>(
        {.name = "annotate",
         .does = "lists every byte: offset, bytes, path, type, value",
         .examples = "gdvar annotate game.save\n"
                     "gdvar annotate --as records --dialect godot3 old.save"},
        declare, run);
}

}  // namespace gdvar::app
