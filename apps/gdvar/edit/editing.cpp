#include "edit/editing.hpp"

#include <algorithm>

#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/wire/validate.hpp"
#include "output/messages.hpp"

namespace gdvar::app {

void add_path(Arguments& arguments, PathEditOptions& options, const char* all) {
    arguments
        .option("PATH", options.path,
                "where: '$.players[3].hp', '#2 $.odd[\"key\"]', '$.players[*].hp'")
        .required();
    arguments.flag("--all", options.all, all);
}

namespace {

std::string archive_in_words(const std::vector<Layer>& layers) {
    const auto at =
        std::ranges::find_if(layers, [](const Layer& layer) { return layer.kind->is_archive(); });
    return at->kind->seen_as == InputKind::pack ? "a pack" : "a browser's export";
}

}  // namespace

std::unique_ptr<Input> open_to_change(const InputOptions& options, int& exit) {
    auto input = Input::open(options, exit);
    if (!input)
        return nullptr;
    if (const DocumentKind* kind = find_document_kind(input->kind()); kind && kind->only_read) {
        const auto written = kind->write({}, *input->decoding().dialect);
        exit = give_up(refused, input->name() + ": " + to_string(written.error().error));
        return nullptr;
    }
    if (has_archive(input->layers())) {
        exit = give_up(refused,
                       input->name() + ": error[misplaced]: what is in " +
                           archive_in_words(input->layers()) +
                           " is read, but not written; gdvar unwrap --entry takes the file out");
        return nullptr;
    }
    return input;
}

int replace_input(Input& input, PacketOutput& out) {
    out.replaces(input.document());
    out.replaces(input.found());
    out.keeps_sums(input.decoding(), writing(input), input.finding());
    if (!input.skipped())
        return fine;
    std::vector<std::byte> bytes(static_cast<std::size_t>(input.skipped()));
    if (!input.file().rewind())
        return io_error;
    std::size_t done = 0;
    while (done < bytes.size()) {
        auto n = input.file().read(std::span(bytes).subspan(done));
        if (!n || *n == 0)
            return io_error;
        done += *n;
    }
    return out.head(bytes);
}

std::optional<Changed> refuse(const Input& input, const Item& item, const std::string& at,
                              const Error& error, const std::string& what) {
    say(input.place(item, error.offset) + at + ": " + in_words(error.code, what));
    return std::nullopt;
}

EncodeOptions writing(const Input& input) {
    const DecodeOptions decoding = input.decoding();
    return {.dialect = decoding.dialect,
            .allow_objects = decoding.allow_objects,
            .real_width = decoding.real_width};
}

void say_dialect(const Input& input, const InputOptions& options) {
    // A text that may be of any family is left to say_change_notes.
    if (options.dialect != "auto" || !input.guess().ambiguous || input.is_text())
        return;
    std::string others;
    for (const Candidate& candidate : input.guess().candidates)
        if (candidate.fits && candidate.dialect != &input.dialect())
            others += (others.empty() ? "" : ", ") + std::string(candidate.dialect->name);
    say(input.name() + ": note: taken as " + std::string(input.dialect().name) +
        "; it could also be " + others + " (--dialect)");
}

int finish(Input& input, PacketOutput& out, std::size_t behind) {
    const ByteView rest = input.behind_records();
    int exit = out.raw(rest);
    if (exit == fine)
        exit = out.finish();
    if (exit != fine)
        return exit;
    const auto say_kept = [&](std::size_t bytes, const char* what) {
        if (bytes)
            say(input.name() + ": note: " + bytes_in_words(bytes) + " after " + what +
                (bytes == 1 ? " was kept" : " were kept"));
    };
    say_kept(behind, "the value");
    say_kept(rest.size(), "the last record");
    if (!out.left_alone())
        input.say_kept();
    return fine;
}

int no_record_named(const Input& input, const SavePath& place, std::size_t seen) {
    return give_up(usage, input.name() + ": the file has " + std::to_string(seen) +
                              " records; name one, as in '#0 " + place.path.to_string() +
                              "', or all of them: '#* " + place.path.to_string() + "'");
}

bool is_anywhere(const SavePath& place) {
    return !place.number && !place.name && !place.every;
}

namespace {

/// Whether the engine accepts the changed packet as well as the old one. Prints a message if not.
bool is_no_worse(const Input& input, const Item& item, ByteView changed) {
    const EncodeOptions how = writing(input);
    const auto sound = check_edited(item.packet, changed, how);
    if (!sound)
        say(input.name() + ": " + item.label + in_words(changed, how, sound.error()));
    return sound.has_value();
}

/// The matches of a path that may lead to several values.
struct Matches {
    std::size_t count = 0, seen = 0;  ///< values; records or settings
    std::size_t number = 0;           ///< of the record of the first match
    std::string first;                ///< its path
    std::optional<std::string> missing;
    bool astray = false;  ///< that path does not lead back to it, since keys repeat
    bool here = false;    ///< a record or setting is at the place
};

/// Whether the path of a match may lead to another value: one behind a later pair with the same
/// key.
bool leads_astray(ByteView packet, const View& root, const MatchView& match,
                  const DecodeOptions& decoding) {
    if (match.value.part())
        return !check_keys(packet, decoding);
    const auto there = lookup(root, match.path);
    return !there || there->part() || there->offset() != match.value.offset();
}

/// Returns an exit code.
int find(const SavePath& place, Input& input, Matches& out) {
    int worst = fine;
    const int exit = input.each(
        [&](const Item& item) {
            if (++out.seen > 1 && is_anywhere(place))
                return true;
            if (!is_at(place, item))
                return true;
            out.here = true;
            const DecodeOptions decoding = input.decoding();
            const auto document = Document::parse(item.packet, decoding);
            if (!document) {
                input.complain(item, document.error(), decoding);
                worst = refused;
                return false;
            }
            const View root = document->root();
            const auto matches = lookup_each(root, place.path, [&](const MatchView& match) {
                if (out.count++ == 0) {
                    out.number = item.number;
                    out.first = match.path;
                    out.astray = leads_astray(item.packet, root, match, decoding);
                }
                return true;
            });
            if (!matches)
                out.missing = input.missing(item, root, place.path, matches.error());
            return true;
        },
        Tail::keep_all);
    return exit != fine ? exit : worst;
}

/// Makes a path that leads to one value the path of that value. Where it leads to several values
/// and all may change, `several` is set. Returns an exit code.
int choose(SavePath& place, Input& input, const PathEditOptions& options, const Edit& edit,
           bool& several) {
    several = false;
    if (!place.every && !place.path.several())
        return fine;
    Matches found;
    if (const int exit = find(place, input, found); exit != fine)
        return exit;
    if (is_anywhere(place) && found.seen > 1)
        return no_record_named(input, place, found.seen);
    if (!found.here)
        return nothing_there(place, input, found.seen, false);
    if (found.count == 0)
        return no_match(place, input, found.seen, found.missing);
    if (found.count > 1 && !options.all)
        return give_up(refused, input.name() + ": " + text_of(place) + ": " +
                                    std::to_string(found.count) + " values match; --all " +
                                    std::string(edit.does) + " them all");
    auto one =
        found.count == 1 && !found.astray ? Path::parse(found.first) : std::unexpected(PathError());
    several = !one.has_value();
    if (one) {
        place.path = *std::move(one);
        if (place.every && input.is_numbered())
            place.number = static_cast<std::int64_t>(found.number);
        place.every = false;
    }
    return fine;
}

/// Whether a record as a whole is meant, "#2". "#2 $" is its value: a script may have made it of a
/// path that came out empty.
bool is_record(std::string_view path, const SavePath& place, const Input& input) {
    return input.is_numbered() && place.number && !place.every && path.find('$') == path.npos;
}

/// One run of a command that changes FILE at a path.
class ChangeRun {
public:
    /// `record`: the place is a record as a whole.
    ChangeRun(const Edit& edit, const Input& input, const SavePath& place, bool several,
              bool record, PacketOutput& out)
        : edit_(edit),
          input_(input),
          place_(place),
          several_(several),
          record_(record),
          out_(out) {}

    int worst = fine;         ///< exit code, once `write` has returned false
    std::size_t changed = 0;  ///< packets
    std::size_t behind = 0;   ///< bytes behind the values of these

    /// Writes the changed packet. False if the command ends here.
    bool write(const Item& item) {
        if (edit_.whole == Whole::goes && (record_ || is_setting(place_, input_))) {
            const auto old = Document::parse(item.packet, input_.decoding());
            ++changed;
            out_.differs();
            one_ = !record_
                       ? item.label + "removed"
                       : '#' + std::to_string(item.number) + ": removed" +
                             (old ? ' ' + inspect::brief_value(std::as_const(*old).root()) : "");
            return true;
        }
        const auto packet = several_ ? all_of(item) : one_of(item);
        if (!packet) {
            worst = worst == fine ? refused : worst;
            return false;
        }
        if (packet->empty())
            return copy(item);
        if (!is_no_worse(input_, item, as_bytes(*packet))) {
            worst = refused;
            return false;
        }
        ++changed;
        if (!std::ranges::equal(as_bytes(*packet), item.packet))
            out_.differs();
        const auto size = validate(item.packet, input_.decoding());
        behind += size ? item.packet.size() - *size : 0;
        worst = out_.packet(as_bytes(*packet), item.key, item.number, item.packet);
        return worst == fine;
    }
    /// Writes the packet as it is. False after an error.
    bool copy(const Item& item) {
        worst = out_.packet(item.packet, item.key, item.number, item.packet);
        return worst == fine;
    }
    /// "#0 $.hp: 97 -> 9999", "#0 $.players[*].hp: 20 values set"
    std::string done() const {
        if (!several_)
            return one_;
        std::string out =
            text_of(place_) + ": " + counted(all_.changed, "value") + ' ' + std::string(edit_.done);
        if (all_.inside)
            out += ", with " + std::to_string(all_.inside) + " more inside of these";
        if (all_.earlier)
            out += ", with " + counted(all_.earlier, "other value") + " of the same keys";
        if (all_.rounded)
            out += "; " + counted(all_.rounded, "value") + " rounded, first " + all_.rounding;
        return out;
    }

private:
    std::optional<PackedByteArray> one_of(const Item& item) {
        auto made = edit_.one(input_, item, place_.path.to_string(), worst);
        if (!made)
            return std::nullopt;
        one_ = item.label + made->done;
        return std::move(made->packet);
    }
    /// An empty packet if nothing matches.
    std::optional<PackedByteArray> all_of(const Item& item) {
        auto made = edit_.all(input_, item, place_.path, worst);
        if (!made)
            return std::nullopt;
        if (made->rounded && !all_.rounded)
            all_.rounding = item.label + made->rounding;
        all_ += *made;
        return made->changed ? std::move(made->packet) : PackedByteArray();
    }

    const Edit& edit_;
    const Input& input_;
    const SavePath& place_;
    const bool several_, record_;
    PacketOutput& out_;
    std::string one_;
    ChangedAll all_;
};

}  // namespace

int change_at(PathEditOptions& options, const Edit& edit) {
    int exit = fine;
    auto input = open_to_change(options, exit);
    if (!input)
        return exit;
    auto place = place_of(options.path, input->has_settings());
    if (!place)
        return usage;
    if (exit = settle(*place, *input); exit != fine)
        return exit;
    bool several = false;
    if (exit = choose(*place, *input, options, edit, several); exit != fine)
        return exit;
    PacketOutput out(options, options, input->kind(), input->layers(), exit);
    if (exit == fine)
        exit = replace_input(*input, out);
    if (exit != fine)
        return exit;
    std::size_t seen = 0;
    const bool record = is_record(options.path, *place, *input);
    ChangeRun change(edit, *input, *place, several, record, out);
    const bool anywhere = is_anywhere(*place);
    exit = input->each(
        [&](const Item& item) {
            ++seen;
            const bool here = is_at(*place, item) && (!anywhere || !change.changed);
            return here ? change.write(item) : change.copy(item);
        },
        Tail::keep_all);
    if (exit != fine || change.worst != fine)
        return exit != fine ? exit : change.worst;
    if (anywhere && seen > 1)
        return no_record_named(*input, *place, seen);
    if (seen == 1 && change.changed && edit.whole == Whole::goes && record)
        return give_up(refused,
                       input->name() + ": the only record can't be removed: no file would be left");
    if (!change.changed && edit.create && place->name && is_setting(*place, *input)) {
        constexpr std::byte null[4]{};  // `edit` replaces this value
        out.differs();
        if (!change.write({0, seen, *place->name + ' ', null, *place->name}))
            return change.worst;
    }
    const bool sets = edit.whole == Whole::may_come;
    if (!change.changed)
        return nothing_there(*place, *input, seen, sets);
    if (sets)
        say_dialect(*input, options);
    exit = finish(*input, out, change.behind);
    if (exit == fine)
        say(input->name() + ": " + change.done() +
            (out.left_alone() ? "; nothing has changed, so nothing was written" : ""));
    return exit;
}

}  // namespace gdvar::app
