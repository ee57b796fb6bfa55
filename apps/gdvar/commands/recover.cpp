#include "gdvar/file/recover.hpp"

#include <algorithm>

#include "command.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/wire/path.hpp"
#include "input/complaints.hpp"
#include "options/input.hpp"
#include "output/output.hpp"
#include "output/packet_output.hpp"

namespace gdvar::app::commands::recover {
namespace {

/// Does not inherit OutputOptions: -o may never replace an input, even with --force.
struct Options : InputOptions {
    PacketOptions out;
    bool no_partial = false, json = false;
};

void declare(Arguments& arguments, Options& options) {
    arguments.option("-o", options.out.output_file, "the new save; never a file that is read")
        .required();
    add_source(arguments, options);
    add_file(arguments, options);
    add_as(arguments, options, "what the innermost layer holds");
    add_dialect(arguments, options.dialect);
    arguments.option("--skip", options.skip, "bytes before the save; they stay as they are");
    add_real_width(arguments, options.real_width);
    add_container(arguments, options.out, true);
    add_inside(arguments, options);
    arguments.flag("--no-partial", options.no_partial, "leave values out that break off");
    arguments.flag("--json", options.json, "print the report as JSON on standard output");
    arguments.flag("-v,--verbose", options.verbose, "print every message");
}

/// The report, for people and for programs.
class Report {
public:
    Report(const Options& options, const Recovery& recovery, std::uint64_t size)
        : options_(options), recovery_(recovery), complaints_(options.verbose), size_(size) {}
    void say_all();
    std::string json(int exit) const;

private:
    std::string place(std::uint64_t offset) const {
        return options_.name() + ":" + hex(offset) + ": ";
    }
    std::string place(const LostRange& range) const {
        return range.line ? options_.name() + ":" + std::to_string(range.line) + ": "
                          : place(range.begin);
    }
    std::string label(std::size_t number) const {
        return item_label(recovery_.kind(), number, recovery_.items()[number].key);
    }
    void say_damage();
    void say_item(std::size_t number);
    std::string counts() const;
    std::string lost() const;

    const Options& options_;
    const Recovery& recovery_;
    Complaints complaints_;
    std::uint64_t size_;
};

void Report::say_damage() {
    for (const LayerDamage& damage : recovery_.damage()) {
        const DamagedPart& part = damage.part;
        const std::string kind = part.doubtful ? " may be wrong: " : " lost: ";
        complaints_.add("damage", hex(part.begin), [&] {
            return options_.name() + ": " + recovery_.layers()[damage.layer].name() +
                   (part.code == Errc::trailing_bytes ? ": " : ": of its content, ") +
                   bytes_in_words(part.end - part.begin) + " from " + hex(part.begin) + " on" +
                   kind + part.what;
        });
    }
    for (const std::string& note : recovery_.notes())
        say(options_.name() + ": note: " + note);
}

void Report::say_item(std::size_t number) {
    const RecoveredItem& item = recovery_.items()[number];
    const std::string at = place(item.offset) + label(number);
    const auto add = [&](const char* kind, const auto& line) {
        complaints_.add(kind, hex(item.offset), line);
    };
    if (item.found_again)
        add("a value was found again behind a break",
            [&] { return at + "found again behind a break"; });
    if (item.state == Recovered::resized)
        add("a value's length was wrong",
            [&] { return at + "all of the value is there; the length before it was wrong"; });
    // Losses of a text have their own lines, unless only closing brackets are missing.
    if (item.broken && (!recovery_.kind().text || recovery_.lost().empty()))
        add("a value is kept up to a break", [&] {
            const RecoveredBreak& broken = *item.broken;
            return place(item.offset + broken.error.offset) + label(number) +
                   (broken.around ? "kept around " : "kept up to ") +
                   shortened_path(broken.at, 300) + ": " + to_string(broken.error);
        });
}

std::string Report::counts() const {
    std::size_t partial = 0, again = 0, resized = 0, doubtful = 0;
    for (const RecoveredItem& item : recovery_.items()) {
        partial += item.state == Recovered::partial;
        resized += item.state == Recovered::resized;
        again += item.found_again;
        doubtful += item.doubtful;
    }
    const std::size_t all = recovery_.items().size();
    std::string out = counted(all, "value") + " recovered";
    if (partial)
        out += ", " + std::to_string(partial) + " of them in part";
    if (resized)
        out += ", " + std::to_string(resized) + " with a corrected length";
    if (doubtful)
        out += ", " + std::to_string(doubtful) + " from bytes that may be wrong";
    if (again)
        out += ", " + std::to_string(again) + " found again behind a break";
    return out + "; " + lost();
}

/// The size of the loss: each byte of the innermost layer's content once, and bytes behind layers.
/// Bytes of outer layers are not bytes of values.
std::string Report::lost() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const LostRange& range : recovery_.lost())
        ranges.emplace_back(range.begin, range.end);
    std::uint64_t bytes = 0;
    std::vector<std::uint64_t> of_layer(recovery_.layers().size());
    for (const auto& [layer, part] : recovery_.damage()) {
        if (part.code == Errc::trailing_bytes)
            bytes += part.end - part.begin;
        else if (!part.doubtful && layer + 1 == of_layer.size())
            ranges.emplace_back(part.begin, part.end);
        else if (!part.doubtful)
            of_layer[layer] += part.end - part.begin;
    }
    std::ranges::sort(ranges);
    std::uint64_t counted_to = 0;
    for (const auto& [begin, end] : ranges) {
        bytes += std::max(end, counted_to) - std::max(begin, counted_to);
        counted_to = std::max(end, counted_to);
    }
    std::string out = bytes_in_words(bytes) + " lost";
    for (std::size_t i = 0; i < of_layer.size(); ++i)
        if (of_layer[i])
            out += ", " + bytes_in_words(of_layer[i]) + " of what " + recovery_.layers()[i].name() +
                   " holds";
    return out;
}

void Report::say_all() {
    const std::string name = options_.name();
    say(name + ": " + bytes_in_words(size_) + ", " +
        stack_in_words(recovery_.layers(), recovery_.kind().seen_as) + ", " +
        std::string(recovery_.dialect().name) + (recovery_.dialect_certain() ? "" : " (a guess)"));
    if (recovery_.sound())
        return say(name + ": sound; " + counts());
    say_damage();
    for (std::size_t i = 0; i < recovery_.items().size(); ++i)
        say_item(i);
    for (const LostRange& range : recovery_.lost())
        complaints_.add("lost bytes", hex(range.begin), [&] {
            return place(range) + (range.at.empty() ? "" : shortened_path(range.at, 300) + ": ") +
                   bytes_in_words(range.end - range.begin) + " lost: " + range.reason;
        });
    complaints_.say_rest(name);
    say(name + ": " + counts());
}

std::string Report::json(int exit) const {
    std::string out = "{\"file\":" + json_string(options_.name());
    const auto number = [&](const char* key, std::uint64_t value) {
        out += std::string(",\"") + key + "\":" + std::to_string(value);
    };
    const auto text = [&](const char* key, std::string_view value) {
        out += std::string(",\"") + key + "\":" + json_string(value);
    };
    const auto truth = [&](const char* key, bool value) {
        out += std::string(",\"") + key + "\":" + (value ? "true" : "false");
    };
    const auto list = [&](const char* key, std::size_t size, const auto& each) {
        out += std::string(",\"") + key + "\":[";
        for (std::size_t i = 0; i < size; ++i) {
            out += i ? ",\n {" : "\n {";
            const std::size_t start = out.size();
            each(i);
            out.erase(start, 1);  // the first comma
            out += '}';
        }
        out += "]";
    };
    text("output", options_.out.output_file);
    number("exit", static_cast<std::uint64_t>(exit));
    truth("sound", recovery_.sound());
    text("document", input_kind_name(recovery_.kind().seen_as));
    text("dialect", recovery_.dialect().name);
    truth("dialect_certain", recovery_.dialect_certain());
    list("layers", recovery_.layers().size(),
         [&](std::size_t i) { text("name", recovery_.layers()[i].name()); });
    list("items", recovery_.items().size(), [&](std::size_t i) {
        const RecoveredItem& item = recovery_.items()[i];
        number("number", i);
        if (!item.key.empty())
            text("name", setting_name(item.key));
        number("offset", item.offset);
        number("bytes", item.packet.size());
        text("state", recovered_name(item.state));
        truth("found_again", item.found_again);
        truth("doubtful", item.doubtful);
        if (!item.broken)
            return;
        text("at", item.broken->at);
        text("error", error_name(item.broken->error.code));
        number("break", item.offset + item.broken->error.offset);
        if (item.broken->around)
            out += ",\"around\":true";
        if (item.broken->line)
            number("line", item.broken->line);
    });
    list("lost", recovery_.lost().size(), [&](std::size_t i) {
        const LostRange& range = recovery_.lost()[i];
        number("begin", range.begin);
        number("end", range.end);
        text("error", error_name(range.code));
        text("reason", range.reason);
        if (range.line)
            number("line", range.line);
        if (!range.at.empty())
            text("at", range.at);
    });
    list("damage", recovery_.damage().size(), [&](std::size_t i) {
        const auto& [layer, part] = recovery_.damage()[i];
        number("layer", layer);
        number("begin", part.begin);
        number("end", part.end);
        truth("doubtful", part.doubtful);
        text("error", error_name(part.code));
        text("reason", part.what);
    });
    list("notes", recovery_.notes().size(),
         [&](std::size_t i) { text("note", recovery_.notes()[i]); });
    return out + "}\n";
}

/// Explains why nothing could be recovered. Returns the exit code.
int nothing(const Options& options, const FileError& error, bool key) {
    const std::string name = options.name();
    switch (error.code) {
        case Errc::bad_key:
            say(name +
                ": error[bad_key]: the file is encrypted (GDEC): " + options.no_key(options.file));
            break;
        case Errc::bad_checksum:
            say(name + ": error[bad_checksum]: " +
                (key ? "decrypted with this key it makes no sense: the key is wrong, or too much "
                       "is damaged"
                     : "nothing comes before the damage"));
            break;
        case Errc::size_limit:
            say(name + ": " + too_much(options.most_held(true), "the contents are") +
                ", or a text in them larger than " + std::to_string(options.most_text()));
            break;
        default:
            say(name + ": " + in_words(error) + "; nothing can be recovered");
    }
    return refused;
}

/// An undamaged file keeps its kind. Damage may have removed the marks of another one's kind.
void note_written(const Options& options, const Recovery& recovery, std::span<const Layer> layers,
                  const ContainerKey* key, ByteView written) {
    const InputKind kind = recovery.kind().seen_as;
    if (recovery.sound() || options.kind() == kind)
        return;
    SaveOptions how = options.finding();
    if (key)
        how.key = *key;
    how.skip = 0;
    how.dialect = options.dialect == "auto" ? nullptr : &recovery.dialect();
    how.allow_objects = true;
    note_kind(written.subspan(options.skip), layers, kind, how);
}

int write(const Options& options, const Recovery& recovery, const ContainerKey* key) {
    const bool keep = options.out.container == "keep";
    std::vector<Layer> layers = keep ? recovery.layers() : std::vector<Layer>();
    if (!keep && options.out.container != "none")
        layers = {*find_layer(options.out.container)};
    if (needs_key(layers) && !key)
        return give_up(
            usage,
            "gdvar: error[bad_key]: encryption needs a key: use --password-file or --key-file (a "
            "passwords file only opens what is encrypted)");
    Spool written;
    const auto done = keep ? recovery.write(written, key) : recovery.write(written, layers, key);
    if (!done) {
        say(options.name() + ": " + in_words(done.error()));
        return done.error().code == Errc::io ? io_error : refused;
    }
    constexpr std::uint64_t small = 1 << 20;  // more is recognised by itself
    if (const auto bytes = read_all(written, small))
        note_written(options, recovery, layers, key, *bytes);
    const auto back = written.rewind();
    if (back)
        return write_out(written, options.out, options);
    return give_up(io_error, options.name() + ": " + in_words(back.error()));
}

/// Reads the input and recovers its content. `size`: of the input. Exit codes come after a message.
std::expected<Recovery, int> recovered(const Options& options, SaveOptions how,
                                       std::uint64_t& size) {
    if (options.dialect != "auto") {
        how.dialect = dialect_named(options.dialect);
        if (!how.dialect)
            return std::unexpected(usage);
    }
    const auto bytes = load(options.file, options.most_held(false));
    if (!bytes)
        return std::unexpected(bytes.error());
    size = bytes->size();
    auto recovery = recover_save(*bytes, how);
    if (!recovery && recovery.error().code == Errc::bad_key && !how.key) {
        auto more = options.keys(options.file);
        if (!more)
            return std::unexpected(more.error());
        how.keys = *std::move(more);
        if (!how.keys.empty())
            recovery = recover_save(*bytes, how);
    }
    if (!recovery)
        return std::unexpected(nothing(options, recovery.error(), how.key || !how.keys.empty()));
    for (const Layer& layer : recovery->layers())
        if (layer.opened_with)
            say(options.name() + ": note: opened with " + layer.opened_with->name);
    return *std::move(recovery);
}

int run(Options& options) {
    std::vector<std::string> reads = options.secret_files();
    reads.push_back(options.file);
    for (const std::string& read : reads)
        if (!read.empty() && same_file(options.out.output_file, read))
            return give_up(
                usage, options.out.output_file + ": recover never replaces a file that it reads");
    made_of(options.out, {options.file});
    const auto key = options.key();
    if (!key)
        return key.error();
    const ContainerKey* const bytes_of_key = *key ? &**key : nullptr;
    std::uint64_t size = 0;
    SaveOptions how = options.in_memory();
    how.key = *key;
    how.partial = !options.no_partial;
    const auto recovery = recovered(options, std::move(how), size);
    if (!recovery)
        return recovery.error();
    if (const int exit = write(options, *recovery, bytes_of_key); exit != fine)
        return exit;
    const int exit = recovery->sound() ? fine : different;
    Report report(options, *recovery, size);
    report.say_all();
    if (!options.json)
        return exit;
    const OutputOptions standard;
    Output out(standard);
    out.text(report.json(exit));
    const int printed = out.finish();
    return printed != fine ? printed : exit;
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "recover",
         .does = "saves what can be read of a damaged file; exit code 4 if that is not all",
         .examples = "gdvar recover broken.save -o sound.save\n"
                     "gdvar recover --no-partial --json broken.save -o sound.save"},
        declare, run);
}

}  // namespace gdvar::app::commands::recover
