#include "command.hpp"
#include "gdvar/save/records.hpp"
#include "input/input.hpp"
#include "output/annotate_table.hpp"
#include "output/output.hpp"

namespace gdvar::app::commands::annotate {
namespace {

struct Options : InputOptions, OutputOptions {
    bool wide = false, full = false;
};

void declare(Arguments& arguments, Options& options) {
    add_reading(arguments, options, options);
    add_dialect(arguments, options.dialect);
    arguments.flag("--wide", options.wide, "one line for each row, however long");
    arguments.flag("--full", options.full, "like --wide, and never shorten a path");
}

int run(Options& options) {
    options.any_bytes = true;
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    if (input->is_made())
        return give_up(usage, input->name() + ": this is " +
                                  (input->is_text() ? "text (" : "no packet (") +
                                  std::string(input_kind_name(input->kind())) +
                                  "), and annotate lists the bytes of packets; see gdvar show");
    Output out(options);
    PathCutter paths = PathCutter::for_people(options.full);
    AnnotateTable table(out, paths, options.wide || options.full);
    int worst = fine;
    const DecodeOptions decoding = input->decoding();
    exit = input->each(
        [&](const Item& item) {
            if (input->has_records()) {
                std::byte length[4];
                write_frame_length(
                    length, static_cast<std::uint32_t>(item.packet.size()),
                    input->kind() == InputKind::records ? ByteOrder::little : ByteOrder::big);
                const std::string number = "#" + std::to_string(item.number);
                table.row(item.offset - 4, length,
                          {.size = 4,
                           .path = number,
                           .type = "record",
                           .value = bytes_in_words(item.packet.size()),
                           .note = {}});
            }
            const auto done = inspect::annotate(item.packet, decoding, [&](const AnnotateRow& row) {
                table.row(item.offset,
                          item.packet.subspan(static_cast<std::size_t>(row.offset),
                                              static_cast<std::size_t>(row.size)),
                          row);
            });
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

Command command() {
    return make_command<Options>(
        {.name = "annotate",
         .does = "lists every byte: offset, bytes, path, type, value",
         .examples = "gdvar annotate game.save\n"
                     "gdvar annotate --as records --dialect godot3 old.save"},
        declare, run);
}

}  // namespace gdvar::app::commands::annotate
