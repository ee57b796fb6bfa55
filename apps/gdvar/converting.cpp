#include "command.hpp"
#include "gdvar/inspect/convert.hpp"

namespace gdvar::app {
int convert_command(const Options& options) {
    const Dialect* target = find_dialect(options.to_dialect);
    if (!target) {
        say("gdvar: unknown dialect '" + options.to_dialect + "'; see gdvar dialects");
        return usage;
    }
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    PacketOutput out(options,
                     input->kind() == InputKind::project ? InputKind::records : input->kind(),
                     input->layers(), exit);
    if (exit != fine)
        return exit;
    for (const Layer& layer : out.layers()) {
        const bool four = target->family == TextFamily::godot_4;
        if (layer.kind == (four ? Wrapping::gdec_3 : Wrapping::gdec_4))
            say("gdvar: note: " + std::string(target->name) + "'s engines read gdec-" +
                (four ? "4" : "3") + "; see --container");
    }
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
        if ((losses && !options.lossy) || worst != fine)
            return true;
        worst = out.packet(as_bytes(done->bytes));
        return true;
    });
    if (exit == fine && losses && !options.lossy) {
        say("gdvar: " + std::to_string(losses) + " values can't be expressed in " +
            std::string(target->name) + "; nothing was written (--lossy substitutes)");
        return refused;
    }
    if (exit != fine || worst != fine)
        return exit != fine ? exit : worst;
    return out.finish();
}

}  // namespace gdvar::app
