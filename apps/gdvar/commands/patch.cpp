#include <algorithm>

#include "base/ascii.hpp"
#include "command.hpp"
#include "edit/editing.hpp"
#include "edit/sides.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/misstep.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "options/values.hpp"

namespace gdvar::app::commands::patch {
namespace {

struct Options : EditOptions {
    std::string patch_file;

    std::vector<std::string> other_files() const { return {patch_file}; }
};

void declare(Arguments& arguments, Options& options) {
    add_reading(arguments, options, options).required();
    add_dialect(arguments, options.dialect);
    arguments.option("PATCH", options.patch_file, "what diff --patch wrote").required();
    add_kept_packets(arguments, options);
}

/// The contents that a patch is for, by its first line. Nothing if it is no patch.
std::optional<Contents> read_head(const Variant& value) {
    const Dictionary* head = value.get_if<Dictionary>();
    const auto says = [&](const char* key) {
        const Variant* found = head ? head->find(key) : nullptr;
        return found && found->is(Type::boolean) ? std::optional(found->boolean()) : std::nullopt;
    };
    const Variant* version = head ? head->find("gdvar_patch") : nullptr;
    const auto records = says("records");
    if (!version || !version->is(Type::integer) || version->integer() != 1 || !records)
        return std::nullopt;
    return *records                           ? Contents::records
           : says("settings").value_or(false) ? Contents::settings
                                              : Contents::value;
}

/// The patch in a file, and the contents that it is for.
std::optional<std::pair<Patch, Contents>> read_patch(const std::string& path, std::uint64_t most,
                                                     int& exit) {
    const auto bytes = load(path, most);
    if (!bytes) {
        exit = bytes.error();
        return std::nullopt;
    }
    const std::string_view text = gdvar::detail::as_text(bytes->data(), bytes->size());
    Patch patch;
    std::optional<Contents> contents;
    std::size_t at = 0, line = 1;
    const auto refuse = [&](const std::string& what) {
        exit = give_up(refused, path + ":" + std::to_string(line) + ": " + what);
        return std::nullopt;
    };
    while (gdvar::detail::behind_space(text, at) < text.size()) {
        std::size_t size = 0;
        auto value = parse_text_full(text.substr(at), {}, &size);
        if (!value)
            return refuse(to_string(value.error()));
        if (!contents) {
            contents = read_head(*value);
            if (!contents)
                return refuse("error[bad_magic]: this is not a gdvar patch");
        } else {
            auto change = change_from(*value);
            if (!change)
                return refuse("error[bad_syntax]: this is not a change");
            patch.push_back(*std::move(change));
        }
        line += lines_in(text.substr(at, size));
        at += size;
    }
    if (!contents)
        return refuse("error[bad_magic]: this is not a gdvar patch");
    return std::pair(std::move(patch), *contents);
}

/// Why a change does not fit the file, as far as the file without the patch shows it.
std::string why_not(const Joined& joined, const Change& change) {
    const auto document = Document::parse(joined.bytes(), joined.reading());
    if (!document)
        return {};
    if (const auto misstep = first_misstep(document->root(), path_text(change.at))) {
        const bool comes = change.kind == Change::insert && misstep->last;
        return comes ? std::string() : ": " + to_string(*misstep);
    }
    if (change.kind == Change::insert) {
        const auto there = lookup(document->root(), path_text(change.at));
        const std::string is = there ? brief_value(*there) : "", comes = brief_value(change.value);
        return ": it is there already" + (is.empty() ? "" : ", as " + is) +
               (is.empty() || is == comes ? "" : "; the patch adds " + comes);
    }
    return change.kind == Change::order ? ": it has other keys"
                                        : ": an earlier change of the patch took it away";
}

int misfit(const Side& side, const Patch& patch, const PatchError& error) {
    const bool in_packet = error.change == PatchError::in_packet;
    const std::string place =
        in_packet ? "" : place_text(patch[error.change], side.joined->contents()) + ": ";
    return give_up(refused, side.input->name() + ": " + place +
                                (!in_packet && error.error.code == Errc::bad_path
                                     ? "the patch does not apply here" +
                                           why_not(*side.joined, patch[error.change])
                                     : in_words(error.error)));
}

/// Writes the values of the patched whole. Writes nothing if the result can't be read again.
int write_patched(const Options& options, const Side& side, ByteView after,
                  std::span<const KeptBytes> kept) {
    const Joined& before = *side.joined;
    const auto document = Document::parse(after, before.reading());
    const auto refuse = [&](const std::string& why, const Error& error) {
        return give_up(refused,
                       side.input->name() + ": the patched file" + why + ": " + in_words(error));
    };
    if (!document)
        return refuse(" can't be read", document.error());
    const auto parts = before.split(document->root(), kept);
    if (!parts && before.contents() == Contents::settings && document->root().is(Type::dictionary))
        return give_up(refused, "gdvar: the patch adds a setting whose name is not a String");
    if (!parts)
        return refuse("", parts.error());
    int exit = fine;
    PacketOutput out(options, options, side.input->kind(), side.input->layers(), exit);
    if (!std::ranges::equal(after, before.bytes()))
        out.differs();
    if (exit == fine)
        exit = replace_input(*side.input, out);
    for (std::size_t i = 0; exit == fine && i < parts->size(); ++i) {
        const auto& [key, packet, of, whole] = (*parts)[i];
        // In the whole, padding that was lent to a value is that of the value.
        if (i < before.size() && !std::ranges::equal(packet, before.packet(i)))
            out.differs();
        const bool in_place = of || parts->size() == before.size();
        exit = out.packet(packet, key, of.value_or(SaveItem::added),
                          in_place ? before.packet(of.value_or(i)) : ByteView());
    }
    return exit != fine ? exit : out.finish();
}

/// Checks that the values of the patch decode strictly, and that nothing else got worse. Returns an
/// exit code.
int check_patch(const Side& side, const Patch& patch, ByteView after) {
    const EncodeOptions how = side.joined->writing();
    for (const Change& change : patch) {
        const bool has_value = change.kind == Change::set || change.kind == Change::insert;
        const std::string at =
            has_value ? place_text(change, side.joined->contents()) : std::string();
        auto why = change.kind == Change::set ? refused_replacement(at, change.value, how)
                   : has_value                ? refused_value(at, change.value, how)
                                              : std::nullopt;
        // A step into an Object or Array is a name or a number, and always passes.
        if (!why && change.kind == Change::insert && !change.at.empty())
            why = refused_value(at + " key", change.at[change.at.size() - 1], how);
        if (why)
            return give_up(refused, side.input->name() + ": " + *why);
    }
    const auto sound = check_edited(side.joined->bytes(), after, how);
    if (sound)
        return fine;
    return give_up(
        refused, side.input->name() + ": the patched file: " + in_words(after, how, sound.error()));
}

/// The changes of a patch, one line each. The old value is shown unless an earlier change may have
/// moved it. Large patches show none, since the look-ups would take long.
std::vector<std::string> changes_in_words(const Patch& patch, const Joined& before) {
    constexpr std::size_t most_looked_for = 1000;
    const auto document = Document::parse(before.bytes(), before.reading());
    bool moved = !document || patch.size() > most_looked_for;
    std::vector<std::string> out;
    for (const Change& change : patch) {
        const auto old = moved ? std::expected<Found, Error>(std::unexpect)
                               : lookup(document->root(), path_text(change.at));
        const std::string was = old ? brief_value(*old) : std::string();
        std::string line = place_text(change, before.contents()) + ": ";
        switch (change.kind) {
            case Change::set:
                line += (old ? was + " -> " : "now ") + brief_value(change.value);
                break;
            case Change::insert:
                line += "added " + brief_value(change.value);
                break;
            case Change::remove:
                line += "removed" + (old ? " " + was : "");
                break;
            case Change::order:
                line += "pairs in another order";
                break;
        }
        out.push_back(std::move(line));
        // Later elements have other indices now. Keys stay.
        if (change.kind == Change::insert || change.kind == Change::remove)
            moved = moved || change.at.empty() || change.at[change.at.size() - 1].is(Type::integer);
    }
    return out;
}

int run(Options& options) {
    int exit = fine;
    const auto patch = read_patch(options.patch_file, options.most_held(false), exit);
    if (!patch)
        return exit;
    Side side;
    side.input = open_to_change(options, exit);
    if (!side.input)
        return exit;
    if (const Contents contents = contents_of(*side.input); contents != patch->second)
        return give_up(refused, "gdvar: the patch is for " + name_of(patch->second) +
                                    ", the file holds " + name_of(contents));
    const DecodeOptions decoding = side.input->decoding();
    if (exit = join(decoding, *decoding.dialect, side); exit != fine)
        return exit;
    std::vector<KeptBytes> kept;
    const auto changed =
        patch_packet(side.joined->bytes(), patch->first, side.joined->reading(), &kept);
    if (!changed)
        return misfit(side, patch->first, changed.error());
    if (exit = check_patch(side, patch->first, as_bytes(*changed)); exit != fine)
        return exit;
    const auto changes = changes_in_words(patch->first, *side.joined);
    exit = write_patched(options, side, as_bytes(*changed), kept);
    for (const std::string& change : changes)
        if (exit == fine)
            say(side.input->name() + ": " + change);
    return exit;
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "patch",
         .does = "applies a patch that diff --patch wrote",
         .examples = "gdvar patch game.save to-other.patch --backup game.old"},
        declare, run);
}

}  // namespace gdvar::app::commands::patch
