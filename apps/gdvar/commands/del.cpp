#include "command.hpp"
#include "edit/editing.hpp"
#include "gdvar/inspect/edit.hpp"
#include "gdvar/inspect/edit_all.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/inspect/lookup.hpp"

namespace gdvar::app::commands::del {
namespace {

using Options = PathEditOptions;

void declare(Arguments& arguments, Options& options) {
    add_reading(arguments, options, options).required();
    add_dialect(arguments, options.dialect);
    add_path(arguments, options, "remove all values that PATH leads to");
    add_kept_packets(arguments, options);
}

std::string why_misplaced(Type type) {
    return type == Type::nil ? "the whole value can't be removed ('#2' alone removes a record)"
                             : "a part of a " + std::string(type_name(type)) + " can't be removed";
}

std::optional<Changed> erased(const Input& input, const Item& item, const std::string& path, int&) {
    const DecodeOptions decoding = input.decoding();
    const auto document = Document::parse(item.packet, decoding);
    if (!document) {
        input.complain(item, document.error(), decoding);
        return std::nullopt;
    }
    const View root = document->root();
    std::size_t removed = 0;
    auto made = erase_value(item.packet, path, decoding, &removed);
    if (!made && made.error().code == Errc::misplaced)
        return refuse(input, item, path, made.error(), why_misplaced(made.error().type));
    if (!made) {
        say(input.missing(item, root, Path::parse(path).value(), made.error()));
        return std::nullopt;
    }
    const auto old = lookup(root, path);
    std::string done = path + ": removed " + (old ? brief_value(*old) : "");
    if (removed > 1)
        done += ", with " + counted(removed - 1, "other value") + " of the same key";
    return Changed{*std::move(made), std::move(done)};
}

std::optional<ChangedAll> all_erased(const Input& input, const Item& item, const Path& path, int&) {
    auto made = erase_all(item.packet, path, input.decoding());
    if (made)
        return ChangedAll{*made, std::move(made->packet)};
    const SetRefusal& why = made.error();
    refuse(input, item, why.at, why.error,
           why.error.code == Errc::misplaced ? why_misplaced(why.error.type) : why.what);
    return std::nullopt;
}

int run(Options& options) {
    return change_at(options, {.does = "removes",
                               .done = "removed",
                               .whole = Whole::goes,
                               .one = erased,
                               .all = all_erased});
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "del",
         .does = "removes the pair or element at a path",
         .examples = "gdvar del game.save '#0 $.players[-1]'\n"
                     "gdvar del game.save '#0 $.players[0].inventory' -o less.save\n"
                     "gdvar del --all game.save '#0 $..inventory'"},
        declare, run);
}

}  // namespace gdvar::app::commands::del
