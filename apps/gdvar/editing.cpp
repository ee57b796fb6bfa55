// get, set, del.
#include <charconv>

#include "command.hpp"
#include "gdvar/inspect/edit.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"

namespace gdvar::app {

std::expected<Variant, TextError> parse_value(const Options& options, const Dialect& dialect,
                                              std::string_view text, std::size_t* size) {
    const bool whole = !size;
    if (options.input != "json")
        return parse_text(text, {.family = dialect.family, .full = options.full, .whole = whole},
                          size);
    const JsonParseOptions json{.whole = whole};
    return options.plain ? parse_plain_json(text, json, size) : parse_json(text, json, size);
}

std::unique_ptr<Input> open_to_change(Options& options, int& exit) {
    if (options.output_file.empty() && options.file != "-")
        options.output_file = options.file;
    if (auto stamp = options.file == "-" ? std::expected<FileStamp, Error>(std::unexpect)
                                         : file_stamp(options.file))
        if (options.output_file == options.file)
            options.stamp = *stamp;
    auto input = Input::open(options, exit);
    if (!input)
        return nullptr;
    if (input->kind() == InputKind::project) {
        say(input->name() + ": project settings are shown, not changed");
        exit = usage;
        return nullptr;
    }
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

namespace {

/// A path as the command line has it: `#2 $.players[3]`, the record left out where there is one
/// only.
struct Place {
    std::optional<std::int64_t> record;  ///< negative: from the end
    std::string path;
};

std::optional<Place> place_of(const std::string& text) {
    Place out{std::nullopt, text};
    if (!text.starts_with('#'))
        return out;
    std::int64_t number = 0;
    const auto [end, code] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
    if (code != std::errc())
        return std::nullopt;
    out.record = number;
    out.path.erase(0, static_cast<std::size_t>(end - text.data()));
    out.path.erase(0, out.path.find_first_not_of(' ') == std::string::npos
                          ? out.path.size()
                          : out.path.find_first_not_of(' '));
    if (out.path.empty())
        out.path = "$";
    return out;
}

int bad_place(const std::string& text) {
    say("gdvar: error[bad_path]: '" + text + "'");
    return usage;
}

/// The number of records, where a place counts from the end.
int settle(Place& place, Input& input) {
    if (!place.record || *place.record >= 0)
        return fine;
    std::int64_t count = 0;
    const int exit = input.each([&](const Item&) { return ++count, true; });
    *place.record += count;
    return exit;
}

bool is_at(const Place& place, const Item& item) {
    return !place.record || *place.record == static_cast<std::int64_t>(item.number);
}

/// Copies all packets but the one at the place, which `change` gives anew.
template <class Edit>
int change_one(Options options, Edit&& change) {
    auto place = place_of(options.path);
    if (!place)
        return bad_place(options.path);
    int exit = fine;
    auto input = open_to_change(options, exit);
    if (!input)
        return exit;
    if (exit = settle(*place, *input); exit != fine)
        return exit;
    PacketOutput out(options, input->kind(), input->layers(), exit);
    if (exit == fine)
        exit = copy_skipped(*input, out);
    if (exit != fine)
        return exit;
    std::size_t changed = 0, seen = 0;
    const DecodeOptions decoding = input->decoding();
    int worst = fine;
    exit = input->each([&](const Item& item) {
        ++seen;
        if (!is_at(*place, item) || (!place->record && changed)) {
            worst = out.packet(item.packet);
            return worst == fine;
        }
        std::expected<PackedByteArray, Error> made =
            change(*input, item.packet, place->path, decoding, worst);
        if (worst != fine)
            return false;
        if (!made) {
            say(input->name() + ": " + item.label + place->path + ": " + to_string(made.error()));
            worst = refused;
            return false;
        }
        ++changed;
        worst = out.packet(as_bytes(*made));
        return worst == fine;
    });
    if (exit != fine || worst != fine)
        return exit != fine ? exit : worst;
    if (!place->record && seen > 1) {
        say(input->name() + ": it holds " + std::to_string(seen) +
            " records: say which, as in '#0 " + place->path + "'");
        return usage;
    }
    if (!changed) {
        say(input->name() + ": error[index_out_of_range]: there is no record #" +
            std::to_string(*place->record));
        return refused;
    }
    return out.finish();
}

}  // namespace

int get_command(const Options& options) {
    auto place = place_of(options.path);
    if (!place)
        return bad_place(options.path);
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    if (exit = settle(*place, *input); exit != fine)
        return exit;
    Output out(options);
    Document document;
    const DecodeOptions decoding = input->decoding();
    std::size_t found = 0;
    int worst = fine;
    std::optional<std::string> missing;
    exit = input->each([&](const Item& item) {
        if (!is_at(*place, item))
            return true;
        if (auto done = document.read(item.packet, decoding); !done) {
            input->complain(item, done.error(), decoding);
            worst = refused;
            return true;
        }
        auto matches = lookup_all(document.root(), place->path);
        if (!matches) {
            missing = item.label + place->path + ": " + to_string(matches.error());
            return true;
        }
        for (const Match& match : *matches) {
            ++found;
            std::expected<std::string, Error> printed;
            if (options.typed_json || options.plain) {
                const JsonOptions style{options.indent < 0 ? 0 : options.indent};
                std::vector<std::string> losses;
                printed = options.plain ? to_plain_json(match.value, style, &losses)
                                        : to_json(match.value, style);
                for (const std::string& loss : losses)
                    say(input->name() + ": " + item.label + match.path + loss.substr(1));
            } else {
                printed = options.full ? to_text_full(match.value)
                                       : to_text(match.value, input->dialect().family);
            }
            if (!printed) {
                input->complain(item, printed.error(), decoding);
                worst = refused;
                continue;
            }
            if (options.lines)
                out.text(item.label + match.path + "\t");
            out.text(*printed + "\n");
        }
        return true;
    });
    const int written = out.finish();
    if (exit != fine || worst != fine)
        return exit != fine ? exit : worst;
    if (!found) {
        say(input->name() + ": " +
            missing.value_or(options.path + ": error[missing_key]: nothing is there"));
        return refused;
    }
    return written;
}

int set_command(const Options& options) {
    return change_one(options, [&](const Input& input, ByteView packet, const std::string& path,
                                   const DecodeOptions& decoding, int& worst) {
        auto value = parse_value(options, input.dialect(), options.value);
        if (value)
            return set_value(packet, path, *value, decoding);
        say("gdvar: the value: " + to_string(value.error()));
        worst = usage;
        return std::expected<PackedByteArray, Error>();
    });
}

int del_command(const Options& options) {
    return change_one(options, [&](const Input& input, ByteView packet, const std::string& path,
                                   const DecodeOptions& decoding, int& worst) {
        auto made = erase_value(packet, path, decoding);
        if (!made && made.error().code == Errc::misplaced) {
            say(input.name() + ": " + options.path + ": error[misplaced]: " +
                (made.error().type == Type::nil
                     ? "the whole value can't be removed"
                     : "a part of a " + std::string(type_name(made.error().type)) +
                           " can't be removed"));
            worst = refused;
        }
        return made;
    });
}

}  // namespace gdvar::app
