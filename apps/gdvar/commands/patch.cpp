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
                                              : Contents::packet;
}

/// The patch in a file, and the contents that it is for.
std::optional<std::pair<Patch, Contents>> read_patch(const std::string& path, std::uint64_t most,
                                                     int& exit) {
    auto source = open_source(path);
    auto bytes = source ? read_all(*source, most) : std::unexpected(source.error());
    if (!bytes) {
        const bool large = bytes.error().code == Errc::size_limit;
        say(path + ": " + (large ? too_much(most) : in_words(bytes.error())));
        exit = large ? refused : io_error;
        return std::nullopt;
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    Patch patch;
    std::optional<Contents> contents;
    std::size_t at = 0, line = 1;
    const auto refuse = [&](const std::string& what) {
        say(path + ":" + std::to_string(line) + ": " + what);
        exit = refused;
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
        for (const char c : text.substr(at, size))
            line += c == '\n';
        at += size;
    }
    if (!contents)
        return refuse("error[bad_magic]: this is not a gdvar patch");
    return std::pair(std::move(patch), *contents);
}

/// Why a change does not fit the file, as far as the file without the patch shows it.
std::string why_not(const Side& side, const Change& change, const DecodeOptions& reading) {
    const auto document = Document::parse(side.joined(), reading);
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

int misfit(const Side& side, const Patch& patch, const PatchError& error,
           const DecodeOptions& reading) {
    if (error.change == PatchError::in_packet) {
        say(side.input->name() + ": " + in_words(error.error));
        return refused;
    }
    say(side.input->name() + ": " + place_text(patch[error.change], side.contents) +
        (error.error.code == Errc::bad_path
             ? ": the patch does not apply here" + why_not(side, patch[error.change], reading)
             : ": " + in_words(error.error)));
    return refused;
}

/// The whole after the patch.
struct Patched {
    ByteView bytes;
    std::span<const KeptBytes> kept;
};

/// A packet of the patched whole. Padding that `join` added is removed if the packet still has its
/// old end.
ByteView as_it_was(const Side& side, const Patched& patched, ByteView packet) {
    const auto end =
        static_cast<std::uint64_t>(packet.data() + packet.size() - patched.bytes.data());
    const auto kept = std::ranges::lower_bound(patched.kept, end, {},
                                               [](const KeptBytes& k) { return k.after + k.size; });
    if (kept == patched.kept.end() || kept->after >= end)
        return packet;
    const std::uint64_t head = side.bytes.size() - side.joined().size();
    const std::uint64_t was = head + kept->before + (end - kept->after);
    const auto lent = std::ranges::lower_bound(side.lent, was, {}, &Side::Lent::end);
    const bool same = lent != side.lent.end() && lent->end == was;
    return same ? packet.first(packet.size() - lent->size) : packet;
}

int write_settings(const Side& side, const Patched& patched, const View& before, const View& root,
                   PacketOutput& out) {
    int exit = fine;
    for (const auto all = root.pairs(); const View::Pair& pair : all) {
        if (!pair.key.is(Type::string)) {
            say("gdvar: the patch adds a setting whose name is not a String");
            return refused;
        }
        const std::string name(pair.key.text());
        const auto known = side.keys.find(name);
        exit = out.packet(as_it_was(side, patched, pair.value.raw()),
                          known == side.keys.end() ? name : known->second, SaveItem::added,
                          before[name].raw());
        if (exit != fine)
            break;
    }
    return exit;
}

std::vector<ByteView> records_of(const View& root) {
    std::vector<ByteView> out;
    for (const auto all = root.elements(); const View& record : all)
        out.push_back(record.raw());
    return out;
}

int write_records(const Side& side, const Patched& patched, const View& before, const View& root,
                  PacketOutput& out) {
    const std::vector<ByteView> old = records_of(before), now = records_of(root);
    // Behind the last difference, records are counted from the end.
    std::size_t same = 0;
    while (same < std::min(old.size(), now.size()) &&
           std::ranges::equal(old[old.size() - 1 - same], now[now.size() - 1 - same]))
        ++same;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const std::size_t from_end = now.size() - i;
        const ByteView was = from_end <= same        ? old[old.size() - from_end]
                             : i + same < old.size() ? old[i]
                                                     : ByteView();
        const int exit = out.packet(as_it_was(side, patched, now[i]), {}, SaveItem::added, was);
        if (exit != fine)
            return exit;
    }
    return fine;
}

/// Writes the packet, the elements of the Array as records, or the pairs as settings. Writes
/// nothing if the result can't be read again.
int write_patched(const Options& options, const Side& side, const Patched& patched,
                  const DecodeOptions& decoding) {
    const auto document = Document::parse(patched.bytes, decoding);
    const auto before = Document::parse(side.joined(), decoding);
    if (!document) {
        say(side.input->name() + ": the patched file can't be read: " + in_words(document.error()));
        return refused;
    }
    int exit = fine;
    PacketOutput out(options, options, side.input->kind(), side.input->layers(), exit);
    out.replaces(side.input->document());
    out.replaces(side.input->found());
    out.keeps_sums(side.input->decoding(), writing(*side.input), options.finding());
    // Padding that `join` added is compared with itself, so nothing is known then.
    if (!side.lent.empty() || !std::ranges::equal(patched.bytes, side.joined()))
        out.differs();
    if (exit == fine)
        exit = copy_skipped(*side.input, out);
    const View root = document->root(), old = before ? before->root() : View();
    if (exit == fine && side.contents == Contents::packet)
        exit = out.packet(as_it_was(side, patched, patched.bytes), {}, 0, side.joined());
    if (exit == fine && side.contents == Contents::settings)
        exit = write_settings(side, patched, old, root, out);
    if (exit == fine && side.contents == Contents::records)
        exit = write_records(side, patched, old, root, out);
    return exit != fine ? exit : out.finish();
}

/// Checks that the values of the patch decode strictly, and that nothing else got worse. Returns an
/// exit code.
int check_patch(const Side& side, const Patch& patch, ByteView after, const EncodeOptions& how) {
    for (const Change& change : patch) {
        const bool has_value = change.kind == Change::set || change.kind == Change::insert;
        const std::string at = has_value ? place_text(change, side.contents) : std::string();
        auto why = change.kind == Change::set ? refused_replacement(at, change.value, how)
                   : has_value                ? refused_value(at, change.value, how)
                                              : std::nullopt;
        // A step into an Object or Array is a name or a number, and always passes.
        if (!why && change.kind == Change::insert && !change.at.empty())
            why = refused_value(at + " key", change.at[change.at.size() - 1], how);
        if (why) {
            say(side.input->name() + ": " + *why);
            return refused;
        }
    }
    const auto sound = check_edited(side.joined(), after, how);
    if (sound)
        return fine;
    say(side.input->name() + ": the patched file: " + in_words(after, how, sound.error()));
    return refused;
}

/// The changes of a patch, one line each. The old value is shown unless an earlier change may have
/// moved it. Large patches show none, since the look-ups would take long.
std::vector<std::string> changes_in_words(const Patch& patch, Contents contents, ByteView packet,
                                          const DecodeOptions& reading) {
    constexpr std::size_t most_looked_for = 1000;
    const auto document = Document::parse(packet, reading);
    bool moved = !document || patch.size() > most_looked_for;
    std::vector<std::string> out;
    for (const Change& change : patch) {
        const auto old = moved ? std::expected<Found, Error>(std::unexpect)
                               : lookup(document->root(), path_text(change.at));
        const std::string was = old ? brief_value(*old) : std::string();
        std::string line = place_text(change, contents) + ": ";
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
    side.contents = contents_of(*side.input);
    if (side.contents != patch->second) {
        say("gdvar: the patch is for " + name_of(patch->second) + ", the file holds " +
            name_of(side.contents));
        return refused;
    }
    const DecodeOptions decoding = side.input->decoding();
    if (exit = join(decoding, *decoding.dialect, side); exit != fine)
        return exit;
    const DecodeOptions reading = reading_joined(decoding, *decoding.dialect);
    std::vector<KeptBytes> kept;
    auto changed = patch_packet(side.joined(), patch->first, reading, &kept);
    if (!changed)
        return misfit(side, patch->first, changed.error(), reading);
    const Patched patched{as_bytes(*changed), kept};
    if (exit = check_patch(side, patch->first, patched.bytes,
                           {.dialect = reading.dialect,
                            .allow_objects = reading.allow_objects,
                            .real_width = reading.real_width,
                            .max_depth = reading.limits.max_depth});
        exit != fine)
        return exit;
    const auto changes = changes_in_words(patch->first, side.contents, side.joined(), reading);
    exit = write_patched(options, side, patched, reading);
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
