// diff, patch, stats.
#include <algorithm>
#include <map>

#include "command.hpp"
#include "gdvar/inspect/convert.hpp"
#include "gdvar/inspect/diff.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/stats.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/wire/quote.hpp"
#include "gdvar/inspect/children.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/wire/validate.hpp"
#include "path_cutter.hpp"

namespace gdvar::app {

// ---- diff and patch

namespace {

/// What a file's paths begin with: nothing, a record's number or a setting's name.
enum class Contents : std::uint8_t { packet, records, settings };

std::string name_of(Contents contents) {
    constexpr const char* names[] = {"one packet", "records", "settings"};
    return names[static_cast<std::size_t>(contents)];
}

Contents contents_of(const Input& input) {
    return input.has_records()                     ? Contents::records
           : input.kind() == InputKind::project ? Contents::settings
                                                : Contents::packet;
}

/// A file as one Document: the packet, an Array of its records, or a Dictionary of its settings.
struct Side {
    std::unique_ptr<Input> input;
    std::vector<std::byte> bytes;
    Document document;
    Contents contents = Contents::packet;
    std::vector<std::byte> behind;            ///< what follows a single packet
    std::map<std::string, std::string> keys;  ///< of settings: by name, as they stand in the file
    View root() const { return document.root(); }
};

void append(std::vector<std::byte>& to, ByteView bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
}

/// One packet on its way into the whole. Returns an exit code; `different` where it says something else in `to`.
int join_item(const Item& item, const DecodeOptions& decoding, const EncodeOptions& to, Side& side) {
    const auto size = validate(item.packet, decoding);
    if (!size) {
        side.input->complain(item, size.error(), decoding);
        return refused;
    }
    if (side.contents == Contents::settings) {
        const std::string name(setting_name(item.key));
        if (!side.keys.emplace(name, item.key).second) {
            say(side.input->name() +
                ": a setting is there twice, so they can't be compared or changed by name");
            return refused;
        }
        append(side.bytes, as_bytes(encode(Variant(name), to).value()));
    }
    if (to.dialect == decoding.dialect) {
        append(side.bytes, item.packet.first(*size));
        if (side.contents == Contents::packet)
            append(side.behind, item.packet.subspan(*size));
    } else {
        const auto done = convert(item.packet, decoding, to, {});
        if (!done || !done->losses.empty())
            return different;
        append(side.bytes, as_bytes(done->bytes));
    }
    // A final PackedByteArray may lack its padding.
    side.bytes.resize((side.bytes.size() + 3) / 4 * 4);
    return fine;
}

/// All packets, one behind the other, as the elements of an Array or the values of a Dictionary. Returns an exit code,
/// as `join_item`.
int join(const DecodeOptions& decoding, const Dialect& dialect, Side& side) {
    const EncodeOptions to{
        .dialect = &dialect, .allow_objects = true, .real_width = decoding.real_width};
    side.bytes.clear();
    side.behind.clear();
    side.keys.clear();
    side.bytes.reserve(static_cast<std::size_t>(side.input->size()) + 64);
    append(side.bytes, as_bytes(side.contents == Contents::settings ? encode(Dictionary(), to).value()
                                                                    : encode(Array(), to).value()));
    const std::size_t head = side.bytes.size() - 4;
    std::uint32_t count = 0;
    int worst = fine;
    const int exit = side.input->each([&](const Item& item) {
        worst = join_item(item, decoding, to, side);
        ++count;
        return worst == fine;
    });
    detail::store(side.bytes.data() + head, count);
    return exit != fine ? exit : worst;
}

/// The whole, as it is to be read: one packet is the only element of the Array.
ByteView joined(const Side& side) {
    const ByteView all = side.bytes;
    return side.contents == Contents::packet ? all.subspan(8) : all;
}
/// Each packet has been read once as strictly as asked for; now there is one level more around them.
DecodeOptions reading_joined(DecodeOptions decoding, const Dialect& dialect) {
    decoding.dialect = &dialect;
    decoding.strict = false;
    ++decoding.limits.max_depth;
    return decoding;
}

/// Two saves of one game are in one dialect: where the file fits `preferred`, that is meant; and where it says the same
/// in it, it is taken so.
int load(const Options& options, Side& to, const Dialect* preferred = nullptr) {
    int exit = fine;
    to.input = Input::open(options, exit);
    if (!to.input)
        return exit;
    to.contents = contents_of(*to.input);
    DecodeOptions decoding = to.input->decoding();
    for (const Candidate& candidate : to.input->guess().candidates)
        if (candidate.dialect == preferred && candidate.fits)
            decoding.dialect = preferred;
    const Dialect* target = preferred ? preferred : decoding.dialect;
    exit = join(decoding, *target, to);
    if (exit == different) {
        target = decoding.dialect;
        exit = join(decoding, *target, to);
    }
    if (exit != fine)
        return exit;
    if (auto done = to.document.read(joined(to), reading_joined(decoding, *target)); !done) {
        say(to.input->name() + ": " + in_words(done.error()));
        return refused;
    }
    return fine;
}

/// "#3 $.hp" instead of "$[3].hp", and a setting's name before the path in it. `first` is the first step and its text.
std::string place_text(std::string_view path, Contents contents, std::string_view first,
                       std::string_view name) {
    if (contents == Contents::packet || first.empty())
        return std::string(path);
    const std::string before = contents == Contents::settings
                                   ? std::string(name)
                                   : "#" + std::string(first.substr(1, first.size() - 2));
    return before + " $" + std::string(path.substr(1 + first.size()));
}
std::string place_text(const Difference& d, Contents contents) {
    std::string first;
    std::string_view name;
    if (contents != Contents::packet && !d.at.empty()) {
        append_step(first, d.at[0]);
        name = contents == Contents::settings ? d.at[0].key_view.text() : "";
    }
    return place_text(d.path, contents, first, name);
}
std::string place_text(const Change& change, Contents contents) {
    std::string first, name;
    if (contents != Contents::packet && !change.at.empty()) {
        first = path_text(Array{change.at[0]}).substr(1);
        name = change.at[0].is(Type::string) ? std::string(change.at[0].text()) : "?";
    }
    return place_text(path_text(change.at), contents, first, name);
}

std::string full_text(const View& view) { return to_text_full(view).value_or("?"); }

std::string shortened(std::string text) {
    constexpr std::size_t most = 100;
    if (text.size() <= most)
        return text;
    std::size_t cut = most;
    while (cut && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80)
        --cut;
    return text.substr(0, cut) + "...";
}

/// A value in a line; a large container is not printed for the sake of a hundred characters.
std::string brief(const View& view, bool full) {
    if (full)
        return full_text(view);
    const bool large = detail::is_container(view) && view.raw().size() > 4096;
    return large ? std::string(type_name(view.type())) + " of " + std::to_string(view.size()) +
                       ", in " + std::to_string(view.raw().size()) + " bytes"
                 : shortened(full_text(view));
}

std::string brief_bytes(const View& view) {
    const ByteView bytes = view.raw();
    return bytes.size() <= 16 ? to_hex(bytes)
                              : to_hex(bytes.first(12)) + "... (" + std::to_string(bytes.size()) +
                                    " bytes)";
}

void print_difference(const Difference& d, const std::string& place, bool full, Output& out) {
    switch (d.kind) {
        case Difference::set:
            out.line("~ " + place + ": " + brief(d.before, full) + " -> " + brief(d.after, full));
            break;
        case Difference::insert: out.line("+ " + place + ": " + brief(d.after, full)); break;
        case Difference::remove: out.line("- " + place + ": " + brief(d.before, full)); break;
        case Difference::order: out.line("> " + place + ": its pairs in another order"); break;
        case Difference::encoding:
            out.line("= " + place + ": " + brief_bytes(d.before) + " -> " + brief_bytes(d.after) +
                     ", the same value");
            break;
    }
}

/// A line of the patch: `{"set": [path...], "value": ...}`.
std::string patch_line(const Difference& d) {
    std::string out = "{\"" + std::string(change_name(static_cast<Change::Kind>(d.kind))) + "\": [";
    for (const detail::Child& step : d.at) {
        if (&step != &d.at.front())
            out += ", ";
        out += step.role == detail::Child::value      ? full_text(step.key_view)
               : step.role == detail::Child::property ? to_text_full(Variant(step.name)).value_or("?")
                                                      : std::to_string(step.ordinal);
    }
    out += "]";
    if (d.kind == Difference::order)
        out += ", \"keys\": " + to_text_full(change_of(d).value).value_or("?");
    else if (d.after)
        out += ", \"value\": " + full_text(d.after);
    return out + "}\n";
}

/// How much may be written unless all is asked for: ordinary patches are smaller than the files.
std::uint64_t most_output(const Side& from, const Side& to) {
    return std::max<std::uint64_t>(8u << 20, 50 * (from.bytes.size() + to.bytes.size()));
}

/// Writes or prints the differences. Returns how many there are; nothing after a message.
std::optional<std::size_t> write_differences(const Options& options, const Side& from,
                                             const Side& to, Output& out) {
    PathCutter paths = PathCutter::for_people(options.full);
    std::uint64_t left = options.full ? UINT64_MAX : most_output(from, to);
    bool too_long = false;
    if (options.patch) {
        Dictionary head{{"gdvar_patch", 1}, {"records", from.contents == Contents::records}};
        if (from.contents == Contents::settings)
            head.append("settings", true);
        out.text(to_text_full(Variant(head)).value_or("") + "\n");
    }
    const auto each = [&](const Difference& d) {
        if (!options.patch) {
            print_difference(d, paths(place_text(d, from.contents)), options.full, out);
            return true;
        }
        const std::string line = patch_line(d);
        too_long = line.size() > left;
        if (!too_long) {
            left -= line.size();
            out.text(line);
        }
        return !too_long;
    };
    const auto found = each_difference(from.root(), to.root(), {options.bytes}, each);
    paths.say_if_cut();
    if (found && !too_long)
        return *found;
    say(found ? "gdvar: the patch is more than 50 times as long as both files: many differences at long paths; "
                "--full writes it all"
              : "gdvar: " + in_words(found.error()));
    return std::nullopt;
}

}  // namespace

int diff_command(const Options& options) {
    Options second = options;
    second.file = options.value;
    if (options.file == "-" && second.file == "-") {
        say("gdvar: only one of the two can be standard input");
        return usage;
    }
    Side from, to;
    if (int exit = load(options, from); exit != fine)
        return exit;
    if (int exit = load(second, to, &from.input->dialect()); exit != fine)
        return exit;
    if (from.contents != to.contents) {
        say("gdvar: " + from.input->name() + " holds " + name_of(from.contents) + ", " +
            to.input->name() + " " + name_of(to.contents) + "; see --as");
        return usage;
    }
    Output out(options);
    const auto found = write_differences(options, from, to, out);
    if (!found)
        return refused;
    const int written = out.finish();
    return written != fine ? written : *found ? different : fine;
}

namespace {

/// What a patch's first line says it is for, if it is one.
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

/// The patch in a file, and what it is for.
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
    while (text.find_first_not_of(" \t\r\n", at) != text.npos) {
        std::size_t size = 0;
        auto value = parse_text_full(text.substr(at), {}, &size);
        if (!value)
            return refuse(to_string(value.error()));
        if (!contents) {
            contents = read_head(*value);
            if (!contents)
                return refuse("error[bad_magic]: this is no patch of gdvar's");
        } else {
            auto change = change_from(*value);
            if (!change)
                return refuse("error[bad_syntax]: this is no change");
            patch.push_back(*std::move(change));
        }
        for (const char c : text.substr(at, size))
            line += c == '\n';
        at += size;
    }
    if (!contents)
        return refuse("error[bad_magic]: this is no patch of gdvar's");
    return std::pair(std::move(patch), *contents);
}

int misfit(const Side& side, const Patch& patch, const PatchError& error) {
    if (error.change == PatchError::in_packet) {
        say(side.input->name() + ": " + in_words(error.error));
        return refused;
    }
    say(side.input->name() + ": " + place_text(patch[error.change], side.contents) +
        (error.error.code == Errc::bad_path ? ": the patch does not fit here"
                                            : ": " + in_words(error.error)));
    return refused;
}

int write_settings(const Side& side, const View& root, PacketOutput& out) {
    int exit = fine;
    for (const auto all = root.pairs(); const View::Pair& pair : all) {
        if (!pair.key.is(Type::string)) {
            say("gdvar: the patch adds a setting whose name is no String");
            return refused;
        }
        const std::string name(pair.key.text());
        const auto known = side.keys.find(name);
        exit = out.packet(pair.value.raw(), known == side.keys.end() ? name : known->second);
        if (exit != fine)
            break;
    }
    return exit;
}

/// The packet, the elements of the Array as records, or the pairs as settings. What can't be read again is not written.
int write_patched(const Options& options, const Side& side, ByteView packet,
                  const DecodeOptions& decoding) {
    const auto document = Document::parse(packet, decoding);
    if (!document) {
        say(side.input->name() + ": what the patch makes can't be read: " +
            in_words(document.error()));
        return refused;
    }
    int exit = fine;
    PacketOutput out(options, side.input->kind(), side.input->layers(), exit);
    if (exit == fine)
        exit = copy_skipped(*side.input, out);
    const View root = document->root();
    if (exit == fine && side.contents == Contents::packet) {
        std::vector<std::byte> whole(packet.begin(), packet.end());
        append(whole, side.behind);
        exit = out.packet(whole);
    }
    if (exit == fine && side.contents == Contents::settings)
        exit = write_settings(side, root, out);
    if (side.contents == Contents::records)
        for (const auto all = root.elements(); const View& record : all)
            if (exit == fine)
                exit = out.packet(record.raw());
    return exit != fine ? exit : out.finish();
}

}  // namespace

namespace {

/// What a patch changes, line by line: the old value where no change before it has moved its place, and where
/// looking for all of them takes no long time.
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
            case Change::insert: line += "added " + brief_value(change.value); break;
            case Change::remove: line += "removed" + (old ? " " + was : ""); break;
            case Change::order: line += "its pairs in another order"; break;
        }
        out.push_back(std::move(line));
        // Elements behind it have other places now; keys have not.
        if (change.kind == Change::insert || change.kind == Change::remove)
            moved = moved || change.at.empty() || change.at[change.at.size() - 1].is(Type::integer);
    }
    return out;
}

}  // namespace

int patch_command(const Options& given) {
    Options options = given;
    int exit = fine;
    const auto patch = read_patch(options.value, options.most_held(false), exit);
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
    auto changed = patch_packet(joined(side), patch->first, reading);
    if (!changed)
        return misfit(side, patch->first, changed.error());
    const auto changes = changes_in_words(patch->first, side.contents, joined(side), reading);
    exit = write_patched(options, side, as_bytes(*changed), reading);
    for (const std::string& change : changes)
        if (exit == fine)
            say(side.input->name() + ": " + change);
    return exit;
}

// ---- stats

namespace {

using Row = std::pair<std::string_view, Share>;

std::vector<Row> types_by_size(const Statistics& statistics) {
    std::vector<Row> rows(statistics.by_type.begin(), statistics.by_type.end());
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.second.bytes != b.second.bytes ? a.second.bytes > b.second.bytes
                                                : a.first < b.first;
    });
    return rows;
}

void print_row(const Share& share, std::uint64_t all, std::string_view name, Output& out) {
    char line[64];
    const double percent =
        all ? 100.0 * static_cast<double>(share.bytes) / static_cast<double>(all) : 0;
    std::snprintf(line, sizeof line, "%12llu %5.1f %11llu  ",
                  static_cast<unsigned long long>(share.bytes), percent,
                  static_cast<unsigned long long>(share.count));
    out.line(line + std::string(name));
}

void print_tables(const Statistics& statistics, std::size_t packets, std::size_t top, Output& out) {
    out.line(std::to_string(packets) + (packets == 1 ? " packet, " : " packets, ") +
             std::to_string(statistics.values) + " values, " + std::to_string(statistics.bytes) +
             " bytes, depth " + std::to_string(statistics.depth));
    const auto table = [&](const char* title, std::size_t count, auto&& print) {
        out.line(std::string("       bytes    %       count  ") + title);
        for (std::size_t i = 0; i < count && i < top; ++i)
            print(i);
        if (count > top)
            out.line("  ... and " + std::to_string(count - top) + " more (--top)");
    };
    const std::vector<Row> types = types_by_size(statistics);
    table("type", types.size(), [&](std::size_t i) {
        print_row(types[i].second, statistics.bytes, types[i].first, out);
    });
    const PathShares& paths = statistics.by_path;
    const std::vector<std::uint32_t> order = paths.by_size();
    PathCutter cut = PathCutter::for_people(false);
    table("path", order.size(), [&](std::size_t i) {
        print_row(paths[order[i]].share, statistics.bytes, cut(paths.path(order[i])), out);
    });
    if (statistics.paths_cut)
        out.line("  (paths beyond the first " + std::to_string(statistics.max_paths) +
                 " were left out)");
}

std::string json_member(std::string_view name, const Share& share) {
    // Nothing in a path or a type's name needs more than a backslash: its own quotes have escaped the rest.
    return quote(name) + ": {\"count\": " +
           std::to_string(share.count) + ", \"bytes\": " + std::to_string(share.bytes) + "}";
}

/// All rows, the largest first; but paths only until they outweigh the input many times.
void print_json(const Statistics& statistics, std::size_t packets, std::uint64_t input_size,
                Output& out) {
    const auto member = [&](const char* name, std::uint64_t value) {
        out.text("  \"" + std::string(name) + "\": " + std::to_string(value) + ",\n");
    };
    out.text("{\n");
    member("packets", packets);
    member("values", statistics.values);
    member("bytes", statistics.bytes);
    member("depth", statistics.depth);
    out.text("  \"by_type\": {");
    const char* between = "\n    ";
    for (const Row& row : types_by_size(statistics)) {
        out.text(between + json_member(row.first, row.second));
        between = ",\n    ";
    }
    out.text("\n  },\n  \"by_path\": {");
    const PathShares& paths = statistics.by_path;
    std::uint64_t left = std::max<std::uint64_t>(8u << 20, 50 * input_size);
    std::size_t printed = 0;
    between = "\n    ";
    for (const std::uint32_t i : paths.by_size()) {
        if (paths[i].length > left)
            continue;
        left -= paths[i].length;
        ++printed;
        out.text(between + json_member(paths.path(i), paths[i].share));
        between = ",\n    ";
    }
    const bool left_out = statistics.paths_cut || printed < paths.size();
    out.text("\n  },\n  \"paths_left_out\": " + std::string(left_out ? "true" : "false") + "\n}\n");
}

}  // namespace

int stats_command(const Options& options) {
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    Statistics statistics;
    Document document;
    const DecodeOptions decoding = input->decoding();
    std::size_t packets = 0;
    int worst = fine;
    exit = input->each([&](const Item& item) {
        if (auto done = document.read(item.packet, decoding); !done) {
            input->complain(item, done.error(), decoding);
            worst = refused;
            return true;
        }
        (void)statistics.add(document.root());  // a document that was read has a root
        ++packets;
        return true;
    });
    Output out(options);
    if (options.typed_json)
        print_json(statistics, packets, input->size(), out);
    else
        print_tables(statistics, packets, options.top, out);
    const int written = out.finish();
    return exit != fine ? exit : worst != fine ? worst : written;
}

}  // namespace gdvar::app
