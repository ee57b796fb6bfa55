#include "command.hpp"
#include "gdvar/inspect/convert.hpp"

namespace gdvar::app {
namespace {

/// The frame that `--frame` asks for, or the input's own.
InputKind frame_of(const Options& options, const Input& input) {
    if (options.frame == "packet") return InputKind::packet;
    if (options.frame == "records") return InputKind::records;
    if (options.frame == "records-be") return InputKind::records_be;
    return input.kind() == InputKind::project ? InputKind::records : input.kind();
}

}  // namespace

int convert_command(const Options& options) {
    const Dialect* target = find_dialect(options.to_dialect);
    if (!target) {
        say("gdvar: unknown dialect '" + options.to_dialect + "'; see gdvar dialects");
        return usage;
    }
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input) return exit;
    Output out(options);
    if (options.output_form == "binary" && out.is_terminal()) {
        say("gdvar: binary output is not written to a terminal; use -o FILE or --output hex");
        return usage;
    }
    const InputKind frame = frame_of(options, *input);
    const DecodeOptions from = input->decoding();
    const EncodeOptions to{.dialect = target,
                           .allow_objects = options.objects,
                           .real_width = static_cast<std::uint8_t>(options.real_width)};
    std::size_t losses = 0;
    int worst = fine;
    exit = input->each([&](const Item& item) {
        auto done = convert(item.packet, from, to);
        if (!done) {
            input->complain(item, done.error(), from);
            worst = refused;
            return true;
        }
        for (const Loss& loss : done->losses)
            say(input->name() + ": " + item.label + loss.path + ": " + loss.what +
                (options.lossy ? "; it " : "; with --lossy it ") + loss.substitution);
        losses += done->losses.size();
        if ((losses && !options.lossy) || worst != fine) return true;
        if (frame != InputKind::packet) {
            std::byte length[4];
            write_frame_length(length, static_cast<std::uint32_t>(done->bytes.size()),
                               frame == InputKind::records_be ? ByteOrder::big
                                                              : ByteOrder::little);
            out.binary(length);
        }
        out.binary(as_bytes(done->bytes));
        return true;
    });
    if (exit == fine && losses && !options.lossy) {
        say("gdvar: " + std::to_string(losses) + " values can't be expressed in " +
            std::string(target->name) + "; nothing was written (--lossy substitutes)");
        return refused;
    }
    if (exit != fine || worst != fine) return exit != fine ? exit : worst;
    return out.finish();
}

}  // namespace gdvar::app
