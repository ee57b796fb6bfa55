#include <algorithm>
#include <map>
#include <set>

#include "command.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/value/losses.hpp"
#include "input/complaints.hpp"
#include "input/input.hpp"
#include "options/values.hpp"
#include "output/packet_output.hpp"
#include "text/rules.hpp"

namespace gdvar::app::commands::pack {
namespace {

struct Options : SourceOptions, PacketOptions {
    ValueOptions values;
    std::string dialect = "auto";
    std::string like;  ///< the save whose dialect, frame and layers the result takes
    std::uint32_t real_width = 4;
    bool objects = false, verbose = false;

    std::vector<std::string> other_files() const { return {like}; }
};

void declare(Arguments& arguments, Options& options) {
    add_output(arguments, options);
    add_source(arguments, options);
    add_file(arguments, options);
    add_form(arguments, options);
    add_values(arguments, options.values, "text or json",
               "with text: gdvar's own form, as text --full prints it");
    add_dialect(arguments, options.dialect, "--dialect",
                "the dialect to write; default: godot-4.4");
    arguments.option("--like", options.like,
                     "use the dialect, frame, layers and kind of document of this save");
    add_real_width(arguments, options.real_width);
    add_family(arguments, options.values.family);
    arguments.flag("--objects", options.objects, "write objects in full");
    arguments.flag("-v,--verbose", options.verbose,
                   "report on stderr everything that is dropped or changed");
    add_frame(arguments, options,
              "packet (one value), packets (without lengths), records, records-be");
    add_container(arguments, options, true);
}

/// The dialect, frame and layers of a packed save.
struct Shape {
    const Dialect* dialect = nullptr;
    InputKind frame = InputKind::packet;
    std::vector<Layer> layers;
    InputOptions reading;         ///< for the `like` save, which borrows it
    std::unique_ptr<Input> like;  ///< null: none was named
};

/// Takes dialect, frame, layers and text form from another save. `note` describes them. Returns an
/// exit code.
int shape_like(Options& options, Shape& shape, std::string& note) {
    InputOptions& reading = shape.reading;
    static_cast<SourceOptions&>(reading) = options;
    reading.file = options.like;
    reading.dialect = options.dialect;
    reading.real_width = options.real_width;
    reading.objects = options.objects;
    reading.verbose = options.verbose;
    int exit = fine;
    shape.like = Input::open(reading, exit);
    const auto& input = shape.like;
    if (!input)
        return exit;
    shape.dialect = &input->dialect();
    shape.frame = input->kind();
    shape.layers = input->layers();
    note = "packed like " + options.like + ": " +
           stack_in_words(shape.layers, shape.frame, shape.dialect);
    return fine;
}

/// The parts of the text that `pack` drops, by kind, with lines and columns; and the parts that
/// engines will drop, by path.
class Dropped {
public:
    explicit Dropped(bool verbose) : misfits(verbose, "note: ") {}

    LossReport misfits;

    TextLoss taker(std::uint64_t from) {
        return [this, from](std::uint64_t offset, std::string_view what) {
            all_.emplace_back(from + offset, what);
        };
    }
    void say_all(const std::string& name, std::string_view text, bool verbose) {
        std::ranges::sort(all_);
        Losses losses;
        if (verbose)
            losses.each = [&](std::string_view place, std::string_view what) {
                say(name + ":" + std::string(place) + ": note: " + std::string(what));
            };
        std::uint64_t at = 0;
        std::size_t line = 1, column = 1;
        for (const auto& [offset, what] : all_)
            losses.add(what, [&] {
                for (; at < offset; ++at) {
                    const char c = text[at];
                    line += c == '\n';
                    column = c == '\n' ? 1 : column + !utf8::continues(c);
                }
                return std::to_string(line) + ":" + std::to_string(column);
            });
        for (const Losses::Kind& kind : losses.kinds())
            if (!verbose)
                say(name + ": note: " + kind.what + ": " + in_words(kind));
        misfits.say_all();
    }

private:
    std::vector<std::pair<std::uint64_t, std::string_view>> all_;
};

/// Writes one value, with the key of a setting. `label` precedes its path in messages. Returns an
/// exit code.
int put(Variant&& value, std::string_view key, const EncodeOptions& to, const std::string& label,
        Losses& misfits, PacketOutput& out) {
    const auto packet = encode(value, to);
    if (!packet)
        return give_up(refused, label + not_encoded(value, to, packet.error()));
    value = Variant();  // frees it before the check, which takes as much memory
    auto sound = check_written(as_bytes(*packet), to);
    if (sound)
        sound = find_misfits(as_bytes(*packet), to, misfits);
    if (!sound)
        return give_up(refused, label + in_words(as_bytes(*packet), to, sound.error()));
    return out.packet(as_bytes(*packet), key);
}

/// Behind white space as engines have it, in Godot's text and in JSON alike.
std::size_t behind_space(std::string_view text, std::size_t at = 0) {
    return gdvar::detail::json_text_rules.blanks.behind(text, at);
}

/// The name before a setting's value, as `text --full` and `json` print it: `name=` and `{"name":`.
/// Its size is 0 if there is none.
struct SettingName {
    std::string name;
    std::size_t size = 0;
    bool braced = false;  ///< a brace follows the value
};
SettingName setting_name_at(std::string_view text, bool json) {
    SettingName out;
    std::size_t at = behind_space(text);
    if (!json) {
        const std::size_t equal = text.find('=', at);
        const bool name = equal != text.npos && text.find_first_of("{\n", at) > equal;
        if (name)
            out = {std::string(text.substr(at, equal - at)), equal + 1};
        return out;
    }
    if (!text.substr(at).starts_with('{'))
        return out;
    at = behind_space(text, at + 1);
    std::size_t size = 0;
    const auto name = parse_plain_json(text.substr(at), {.whole = false}, &size);
    at = behind_space(text, at + size);
    const bool known = name && name->is(Type::string) && text.substr(at).starts_with(':');
    // A value of typed JSON.
    if (known && name->text() != "type")
        out = {std::string(name->text()), at + 1, true};
    return out;
}

/// Settings are one Dictionary by name, or values preceded by names. Their keys are written as in
/// the other save, where they may end in NULs. Returns an exit code.
int put_settings(const Variant& value, const Shape& shape, const EncodeOptions& to,
                 const std::string& label, std::set<std::string>& seen, Losses& misfits,
                 PacketOutput& out) {
    const Dictionary* settings = value.get_if<Dictionary>();
    if (!settings)
        return give_up(refused, label + "error[wrong_type]: settings are a Dictionary by name");
    std::map<std::string_view, std::string_view> keys;
    for (const SaveItem& item : shape.like->document()->items())
        keys.emplace(setting_name(item.key), item.key);
    for (const auto& pair : *settings) {
        const bool text = pair.key.is(Type::string) || pair.key.is(Type::string_name);
        const std::string_view name = text ? pair.key.text() : std::string_view();
        if (name.empty() || !seen.insert(std::string(name)).second)
            return give_up(refused, label + "error[" +
                                        (name.empty() ? "wrong_type" : "duplicate_key") +
                                        "]: a setting's name is " +
                                        (name.empty() ? "missing or no String" : "there twice"));
        const auto known = keys.find(name);
        misfits.prefix = std::string(name) + " $";
        if (const int exit = put(Variant(pair.value), known == keys.end() ? name : known->second,
                                 to, label + std::string(name) + " ", misfits, out);
            exit != fine)
            return exit;
    }
    return fine;
}

int run(Options& options) {
    Shape shape;
    int exit = fine;
    std::string note;  // printed once a value was packed so
    if (!options.like.empty())
        if (exit = shape_like(options, shape, note); exit != fine)
            return exit;
    if (options.like.empty() || options.dialect != "auto")
        shape.dialect = options.dialect == "auto" ? &gdvar::dialects::godot_4_4
                                                  : dialect_named(options.dialect);
    const Dialect* dialect = shape.dialect;
    if (!dialect)
        return usage;
    if (options.like.empty() && options.dialect == "auto")
        note = "packed as godot-4.4, since neither --dialect nor --like says otherwise";
    const std::string name = options.name();
    const auto all = load(options.file, options.most_held(false));
    if (!all)
        return all.error();
    PacketOutput out(options, options, shape.frame, shape.layers, exit);
    if (exit != fine)
        return exit;
    out.made_like(shape.like ? shape.like->document() : nullptr, *dialect);
    // In a text document Objects are data, as in reading one.
    const DocumentKind& kind = *find_document_kind(out.frame());
    options.values.resources = kind.text;
    const EncodeOptions to{.dialect = dialect,
                           .allow_objects = options.objects || kind.text,
                           .real_width = static_cast<std::uint8_t>(options.real_width)};
    const std::string_view whole = gdvar::detail::as_text(all->data(), all->size());
    Dropped dropped(options.verbose);
    std::set<std::string> seen;  // names of settings
    std::size_t at = 0, values = 0, line = 1;
    while (values == 0 || behind_space(whole, at) < whole.size()) {
        if (values == 1 && !kind.several && !kind.named)
            return give_up(refused, name + ": error[trailing_bytes]: a " +
                                        std::string(input_kind_name(out.frame())) +
                                        " holds one value; --frame records takes several");
        std::size_t size = 0;
        const SettingName named =
            kind.named && !options.values.plain
                ? setting_name_at(whole.substr(at), options.values.input == "json")
                : SettingName();
        line += lines_in(whole.substr(at, named.size));
        at += named.size;
        const TextLoss loss = dropped.taker(at);
        auto value = parse_value(options.values, *dialect, whole.substr(at), &size, &loss);
        if (!value) {
            const TextError& e = value.error();
            const std::string what = to_string(e);
            return give_up(refused, name + ":" + std::to_string(line - 1 + e.line) + ":" +
                                        std::to_string(e.column) + ": " +
                                        what.substr(what.find("error[")) +
                                        plain_hint(options.values, whole.substr(at)));
        }
        const std::string number = values ? "#" + std::to_string(values) + " " : "";
        std::string label = name;
        label += ": " + number;
        dropped.misfits.at(name, number + "$");
        if (named.size) {
            Dictionary one;
            one.set(Variant(named.name), *std::move(value));
            value = Variant(std::move(one));
        }
        exit = kind.named
                   ? put_settings(*value, shape, to, label, seen, dropped.misfits.losses, out)
                   : put(*std::move(value), {}, to, label, dropped.misfits.losses, out);
        if (exit != fine)
            return exit;
        line += lines_in(whole.substr(at, size));
        at += size;
        if (named.braced) {
            const std::size_t brace = behind_space(whole, at);
            if (brace == whole.size() || whole[brace] != '}') {
                return give_up(refused, name + ":" + std::to_string(line) +
                                            ": error[bad_syntax]: expected '}' behind the value");
            }
            at = brace + 1;
        }
        ++values;
    }
    exit = out.finish();
    if (exit == fine)
        dropped.say_all(name, whole, options.verbose);
    if (exit == fine && !note.empty())
        say("gdvar: note: " + note);
    return exit;
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "pack",
         .does = "writes text or JSON as a packet, records or a container",
         .examples =
             "echo '{\"hp\": 7}' | gdvar pack --output hex\n"
             "gdvar pack --frame records values.txt --container gcpf-zstd -o packed.save\n"
             "gdvar pack --input json --plain --dialect godot3 settings.json -o settings.bin"},
        declare, run);
}

}  // namespace gdvar::app::commands::pack
