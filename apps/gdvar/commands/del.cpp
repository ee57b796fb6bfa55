#include "command.hpp"
#include "edit/editing.hpp"
#include "gdvar/inspect/edit.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/inspect/lookup.hpp"

namespace gdvar::app {
namespace {

struct Options : EditOptions {
    std::string path;
};

void declare(Arguments& arguments, Options& options) {
    add_reading(arguments, options, options).required();
    add_dialect(arguments, options.dialect);
    arguments.option("PATH", options.path, "where: '$.players[3].hp', '#2 $.odd[\"key\"]'")
        .required();
    add_kept_packets(arguments, options);
}

int run(Options& options) {
    const auto change = [&](const Input& input, const Item& item, const std::string& path,
                            int&) -> std::optional<Changed> {
        const DecodeOptions decoding = input.decoding();
        const auto document = Document::parse(item.packet, decoding);
        if (!document) {
            input.complain(item, document.error(), decoding);
            return std::nullopt;
        }
        const View root = document->root();
        auto made = erase_value(item.packet, path, decoding);
        if (!made && made.error().code == Errc::misplaced)
            return refuse(input, item, path, made.error(),
                          made.error().type == Type::nil
                              ? "the whole value can't be removed"
                              : "a part of a " + std::string(type_name(made.error().type)) +
                                    " can't be removed");
        if (!made)
            return refuse_path(input, item, path, made.error(), root);
        const auto old = lookup(root, path);
        return Changed{*std::move(made), path + ": removed " + (old ? brief_value(*old) : "")};
    };
    return change_one(options, options.path, Whole::goes, false, change);
}

}  // namespace

Command del_command() {
    return make_command<Options>(
        {.name = "del",
         .does = "removes the pair or element at a path",
         .examples = "gdvar del game.save '#0 $.players[-1]'\n"
                     "gdvar del game.save '#0 $.players[0].inventory' -o less.save"},
        declare, run);
}

}  // namespace gdvar::app
