// get, set, del.
#include "command.hpp"
#include "gdvar/inspect/edit.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/wire/validate.hpp"
#include "path_cutter.hpp"

namespace gdvar::app {

std::expected<Variant, TextError> parse_value(const Options& options, const Dialect& dialect,
                                              std::string_view text, std::size_t* size,
                                              const TextLoss* loss) {
    const bool whole = !size;
    if (options.input != "json")
        return parse_text(text,
                          {.family = family_of(options, dialect),
                           .full = options.full,
                           .strict_numbers = true,
                           .whole = whole,
                           .loss = loss},
                          size);
    const JsonParseOptions json{.whole = whole, .strict_numbers = true, .loss = loss};
    return options.plain ? parse_plain_json(text, json, size) : parse_json(text, json, size);
}

std::string plain_hint(const Options& options, std::string_view text) {
    const bool typed = options.input == "json" && !options.plain;
    std::size_t size = 0;
    return typed && parse_plain_json(text, {}, &size) ? "; as plain JSON it can be read: --plain"
                                                      : "";
}

std::optional<std::string> refused_value(const std::string& at, const Variant& value,
                                         const EncodeOptions& how) {
    const auto sound = check_value(value, how);
    if (sound)
        return std::nullopt;
    const auto packet = encode(value, how);
    if (packet)
        return at + in_words(as_bytes(*packet), how, sound.error()).substr(1);
    return at + error_path(value, how, packet.error()).substr(1) + ": " + in_words(packet.error());
}

std::unique_ptr<Input> open_to_change(Options& options, int& exit) {
    auto input = Input::open(options, exit);
    if (!input)
        return nullptr;
    // What came as text goes back as text.
    for (const InputKind kind : {InputKind::hex, InputKind::base64})
        if (options.output_form == "binary" && !input->readings().empty() &&
            input->readings()[0].kind == kind)
            options.output_form = std::string(input_kind_name(kind));
    return input;
}

int copy_skipped(Input& input, PacketOutput& out) {
    if (!input.skipped())
        return fine;
    std::vector<std::byte> bytes(static_cast<std::size_t>(input.skipped()));
    if (!input.bytes().rewind())
        return io_error;
    std::size_t done = 0;
    while (done < bytes.size()) {
        auto n = input.bytes().read(std::span(bytes).subspan(done));
        if (!n || *n == 0)
            return io_error;
        done += *n;
    }
    return out.raw(bytes);
}

std::optional<SavePath> place_of(const std::string& text, const Input& input) {
    auto place = parse_save_path(text, input.kind() == InputKind::project);
    if (place)
        return *std::move(place);
    say("gdvar: error[bad_path]: '" + text + "' is no path; paths are written as in " +
        (input.kind() == InputKind::project ? "'application/config/name', 'input/jump $.deadzone'"
                                            : "'#0 $.players[3].hp'"));
    return std::nullopt;
}

bool is_at(const SavePath& place, const Item& item) {
    if (place.name)
        return setting_name(item.key) == *place.name;
    return !place.number || *place.number == static_cast<std::int64_t>(item.number);
}

/// Whether the place is a whole setting.
static bool is_setting(const SavePath& place, const Input& input) {
    return input.kind() == InputKind::project && place.path == "$";
}

int nothing_there(const SavePath& place, const Input& input, std::size_t seen, bool settable) {
    if (place.name)
        say(input.name() + ": error[missing_key]: there is no setting '" + *place.name + "'" +
            (settable && is_setting(place, input) ? "; --create adds it" : ""));
    else
        say(input.name() + ": error[index_out_of_range]: there is no record #" +
            std::to_string(place.number.value_or(0)) + ": " +
            (seen == 0   ? std::string("there is none")
             : seen == 1 ? std::string("there is one, #0")
                         : std::to_string(seen) + " records, #0 to #" + std::to_string(seen - 1)));
    return refused;
}

int settle(SavePath& place, Input& input) {
    if (!place.number || *place.number >= 0)
        return fine;
    std::int64_t count = 0;
    const int exit = input.each([&](const Item&) { return ++count, true; }, Tail::keep_all);
    if (exit != fine)
        return exit;
    if (*place.number + count < 0)
        return nothing_there(place, input, static_cast<std::size_t>(count), false);
    *place.number += count;
    return fine;
}

namespace {

/// What a command may do to a whole setting.
enum class Whole : std::uint8_t { stays, goes, may_come };

/// A changed packet: its bytes, and the message for after they are written.
struct Changed {
    PackedByteArray packet;
    std::string done;  ///< "$.hp: 97 -> 9999"
};

/// Says why nothing is changed. Returns null.
std::optional<Changed> refuse(const Input& input, const Item& item, const std::string& at,
                              const Error& error, const std::string& what) {
    // The offset of bad_path is a position in the path.
    const bool in_file = error.code != Errc::bad_path;
    say(input.place(item, in_file ? error.offset : 0) + at + ": error[" +
        std::string(error_name(error.code)) + "]: " + what);
    return std::nullopt;
}

/// Refuses a path at which no value can be set.
std::optional<Changed> refuse_path(const Input& input, const Item& item, const std::string& path,
                                   const Error& error, const View& root) {
    if (const auto misstep = first_misstep(root, path))
        return refuse(input, item, misstep->at, misstep->error, to_string(*misstep));
    const std::string words = to_string(error);
    return refuse(input, item, path, error, words.substr(words.find("]: ") + 3));
}

/// Names the dialect that is used for a file that fits several.
void say_dialect(const Input& input, const Options& options) {
    if (options.dialect != "auto" || !input.guess().ambiguous)
        return;
    std::string others;
    for (const Candidate& candidate : input.guess().candidates)
        if (candidate.fits && candidate.dialect != &input.dialect())
            others += (others.empty() ? "" : ", ") + std::string(candidate.dialect->name);
    say(input.name() + ": note: taken as " + std::string(input.dialect().name) +
        "; it could also be " + others + " (--dialect)");
}

/// The options for writing a changed packet.
EncodeOptions writing(const Input& input) {
    const DecodeOptions decoding = input.decoding();
    return {.dialect = decoding.dialect,
            .allow_objects = decoding.allow_objects,
            .real_width = decoding.real_width};
}

/// Whether the engine accepts the changed packet as well as the old one. Prints a message if not.
bool is_no_worse(const Input& input, const Item& item, ByteView changed) {
    const EncodeOptions how = writing(input);
    const auto sound = check_edited(item.packet, changed, how);
    if (!sound)
        say(input.name() + ": " + item.label + in_words(changed, how, sound.error()));
    return sound.has_value();
}

/// Says that bytes outside of any value were kept.
void say_kept(const Input& input, std::size_t bytes, const std::string& what) {
    say(input.name() + ": note: " + bytes_in_words(bytes) + " behind " + what + ", kept as " +
        (bytes == 1 ? "it is" : "they are"));
}

/// Copies all packets. `change` makes the new packet for the one at the place.
template <class Edit>
int change_one(Options options, Whole whole, Edit&& change) {
    int exit = fine;
    auto input = open_to_change(options, exit);
    if (!input)
        return exit;
    auto place = place_of(options.path, *input);
    if (!place)
        return usage;
    if (exit = settle(*place, *input); exit != fine)
        return exit;
    PacketOutput out(options, input->kind(), input->layers(), exit);
    if (exit == fine)
        exit = copy_skipped(*input, out);
    if (exit != fine)
        return exit;
    std::size_t changed = 0, seen = 0;
    int worst = fine;
    std::string done;
    std::size_t behind_value = 0;
    const auto write_changed = [&](const Item& item) {
        ++changed;
        if (whole == Whole::goes && is_setting(*place, *input)) {
            done = item.label + "removed";
            return true;
        }
        const auto made = change(*input, item, place->path, worst);
        if (!made) {
            worst = worst == fine ? refused : worst;
            return false;
        }
        if (!is_no_worse(*input, item, as_bytes(made->packet))) {
            worst = refused;
            return false;
        }
        done = item.label + made->done;
        const auto size = validate(item.packet, input->decoding());
        behind_value = size ? item.packet.size() - *size : 0;
        worst = out.packet(as_bytes(made->packet), item.key);
        return worst == fine;
    };
    const bool anywhere = !place->number && !place->name;
    exit = input->each(
        [&](const Item& item) {
            ++seen;
            if (is_at(*place, item) && (!anywhere || !changed))
                return write_changed(item);
            worst = out.packet(item.packet, item.key);
            return worst == fine;
        },
        Tail::keep_all);
    if (exit != fine || worst != fine)
        return exit != fine ? exit : worst;
    if (anywhere && seen > 1) {
        say(input->name() + ": it holds " + std::to_string(seen) +
            " records: say which, as in '#0 " + place->path + "'");
        return usage;
    }
    if (!changed && whole == Whole::may_come && options.create && place->name &&
        is_setting(*place, *input)) {
        constexpr std::byte null[4]{};  // `change` replaces this value
        if (!write_changed({0, seen, *place->name + ' ', null, *place->name}))
            return worst;
    }
    if (!changed)
        return nothing_there(*place, *input, seen, whole == Whole::may_come);
    if (whole == Whole::may_come)
        say_dialect(*input, options);
    const ByteView behind = input->behind_records();
    exit = out.raw(behind);
    if (exit == fine)
        exit = out.finish();
    if (exit == fine && behind_value)
        say_kept(*input, behind_value, "the value");
    if (exit == fine && !behind.empty())
        say_kept(*input, behind.size(), "the last record");
    if (exit == fine)
        say(input->name() + ": " + done);
    return exit;
}

/// The type with that name in messages and text.
std::optional<Type> type_named(std::string_view name) {
    if (name == "null" || name == "nil")
        return Type::nil;
    for (std::size_t i = 0; i < type_count; ++i)
        if (type_name(static_cast<Type>(i)) == name)
            return static_cast<Type>(i);
    return std::nullopt;
}

/// The option or path step that makes a refused change possible.
std::string word_for(const SetRefusal& refusal) {
    switch (refusal.needs) {
        case SetNeeds::create:
            return "; --create adds it";
        case SetNeeds::append:
            return "; [+] adds one";
        case SetNeeds::type:
            return "; --type " +
                   (refusal.type == Type::nil ? "null" : std::string(type_name(refusal.type))) +
                   " puts it there";
        default:
            return "";
    }
}

/// "16777216.0 (16777217.0 rounded to 32 bits)": the value at the path now, read from the bytes.
/// The requested value follows if it is another number.
std::string stored(ByteView packet, std::string path, const SetPlan& plan,
                   const DecodeOptions& decoding) {
    // An appended value is the last element now.
    if (path.ends_with("[+]"))
        path.replace(path.size() - 3, 3, "[-1]");
    const auto document = Document::parse(packet, decoding);
    const auto found =
        document ? lookup(document->root(), path) : std::unexpected(document.error());
    const std::string now = found ? brief_value(*found) : brief_value(plan.value);
    return plan.asked ? now + " (" + brief_value(*plan.asked) + " rounded to 32 bits)" : now;
}

/// The packet with the value set at the path, if the value is allowed there.
std::optional<Changed> planned(const Input& input, const Item& item, const std::string& path,
                               const Variant& value, SetRules rules) {
    const DecodeOptions decoding = input.decoding();
    auto document = Document::parse(item.packet, decoding);
    if (!document) {
        input.complain(item, document.error(), decoding);
        return std::nullopt;
    }
    const View root = std::as_const(*document).root();
    // A setting that is added had no value.
    const bool comes = rules.whole && rules.create && path == "$" && root.is(Type::nil);
    if (comes && !rules.type)
        rules.type = value.type();
    auto plan = plan_set(root, path, value, rules);
    if (!plan)
        return refuse(input, item, plan.error().at, plan.error().error,
                      plan.error().what + word_for(plan.error()));
    const std::string was = plan->added || comes ? "added " : brief_value(plan->before) + " -> ";
    const std::uint64_t at = plan->added || plan->before.part() ? 0 : plan->before.offset();
    // The old value and document are freed before the new packet is made.
    plan->before = Found();
    document = Document();
    if (const auto why = refused_value(path, plan->value, writing(input))) {
        say(input.place(item, at) + *why);
        return std::nullopt;
    }
    auto made = set_value(item.packet, path, plan->value, decoding);
    if (!made) {
        const std::string words = to_string(made.error());
        return refuse(input, item, path, made.error(), words.substr(words.find("]: ") + 3));
    }
    const std::string done = path + ": " + was + stored(as_bytes(*made), path, *plan, decoding);
    return Changed{*std::move(made), done};
}

/// A value as `get` prints it.
std::expected<std::string, Error> in_form(const View& value, const Options& options,
                                          const Input& input, const std::string& path,
                                          LossReport& losses) {
    const JsonOptions style{options.indent < 0 ? 0 : options.indent};
    losses.at(input, path);
    if (options.plain)
        return to_plain_json(value, style, &losses.losses);
    if (options.typed_json)
        return to_json(value, style);
    return options.full ? to_text_full(value) : to_text(value, input.dialect().family);
}

}  // namespace

int get_command(const Options& options) {
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    auto place = place_of(options.path, *input);
    if (!place)
        return usage;
    if (exit = settle(*place, *input); exit != fine)
        return exit;
    LossReport losses(options);
    Output out(options);
    Document document;
    const DecodeOptions decoding = input->decoding();
    std::size_t found = 0, seen = 0;
    int worst = fine;
    std::optional<std::string> missing;
    PathCutter paths = PathCutter::for_programs(options.full, input->size());
    exit = input->each([&](const Item& item) {
        ++seen;
        if (!is_at(*place, item))
            return true;
        std::optional<Error> broken;
        if (!input->read_to_break(item, document, broken)) {
            worst = refused;
            return true;
        }
        const auto print = [&](const MatchView& match) {
            const bool shown = options.lines || options.plain;
            const std::string path = shown ? item.label + paths(match.path) : std::string();
            const auto printed = in_form(match.value, options, *input, path, losses);
            if (!printed) {
                input->complain(item, printed.error(), decoding);
                worst = refused;
                return true;
            }
            out.text((options.lines ? path + "\t" : std::string()) + *printed + "\n");
            return true;
        };
        const auto matches = lookup_each(document.root(), place->path, print);
        if (matches)
            found += *matches;
        else
            missing = input->missing(item, document.root(), place->path, matches.error());
        if (broken) {
            input->complain(item, *broken, decoding);
            worst = refused;
            // The path may lead behind the break, or nowhere.
            if (!matches)
                input->complain(item, matches.error().code, [&] { return *missing; });
        }
        return true;
    });
    paths.say_if_cut();
    losses.say_all();
    const int written = out.finish();
    if (exit != fine || worst != fine)
        return exit != fine ? exit : worst;
    if (!found && !missing && (place->name || place->number))
        return nothing_there(*place, *input, seen, false);
    if (!found) {
        say(missing.value_or(input->name() + ": " + options.path +
                             ": error[missing_key]: nothing is there"));
        return refused;
    }
    return written;
}

int set_command(const Options& options) {
    SetRules rules{.create = options.create};
    if (!options.type.empty()) {
        rules.type = type_named(options.type);
        if (!rules.type)
            return unknown_name("type", options.type, type_names());
    }
    const auto change = [&](const Input& input, const Item& item, const std::string& path,
                            int& worst) -> std::optional<Changed> {
        auto value = parse_value(options, input.dialect(), options.value);
        if (!value) {
            say("gdvar: the value: " + to_string(value.error()) +
                plain_hint(options, options.value));
            worst = usage;
            return std::nullopt;
        }
        SetRules here = rules;
        here.whole = input.kind() == InputKind::project;
        return planned(input, item, path, *value, here);
    };
    return change_one(options, Whole::may_come, change);
}

int del_command(const Options& options) {
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
    return change_one(options, Whole::goes, change);
}

}  // namespace gdvar::app
