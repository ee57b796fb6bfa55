// diff, patch, stats.
#include <algorithm>

#include "command.hpp"
#include "gdvar/inspect/convert.hpp"
#include "gdvar/inspect/diff.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/stats.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"

namespace gdvar::app {

// ---- diff and patch

namespace {

/// All packets of a file, as bytes and as Documents on them.
struct Whole {
    std::unique_ptr<Input> input;
    std::vector<std::vector<std::byte>> packets;
    std::vector<Document> documents;
    bool records = false;
};

/// The packet in another dialect, where that says the same; values are compared by their bytes.
std::vector<std::byte> translated(ByteView packet, DecodeOptions& decoding, const Dialect& to) {
    const EncodeOptions writing{
        .dialect = &to, .allow_objects = true, .real_width = decoding.real_width};
    const auto done = convert(packet, decoding, writing, {});
    if (!done || !done->losses.empty())
        return {packet.begin(), packet.end()};
    decoding.dialect = &to;
    const ByteView bytes = as_bytes(done->bytes);
    return {bytes.begin(), bytes.end()};
}

/// Two saves of one game are in one dialect: where the file fits `preferred`, that is meant.
int load(const Options& options, Whole& to, const Dialect* preferred = nullptr) {
    int exit = fine;
    to.input = Input::open(options, exit);
    if (!to.input)
        return exit;
    to.records = to.input->several();
    DecodeOptions decoding = to.input->decoding();
    for (const Candidate& candidate : to.input->guess().candidates)
        if (candidate.dialect == preferred && candidate.fits)
            decoding.dialect = preferred;
    int worst = fine;
    exit = to.input->each([&](const Item& item) {
        DecodeOptions reading = decoding;
        if (preferred && preferred != decoding.dialect)
            to.packets.push_back(translated(item.packet, reading, *preferred));
        else
            to.packets.emplace_back(item.packet.begin(), item.packet.end());
        auto document = Document::parse(to.packets.back(), reading);
        if (!document) {
            to.input->complain(item, document.error(), decoding);
            worst = refused;
            return false;
        }
        to.documents.push_back(*std::move(document));
        return true;
    });
    return exit != fine ? exit : worst;
}

std::string one_line(const Variant& value) {
    const auto bytes = encode(value, EncodeOptions{.allow_objects = true});
    if (!bytes)
        return "?";
    auto document = Document::parse(as_bytes(*bytes), {.allow_objects = true});
    if (!document)
        return "?";
    const Document& read_back = *document;
    return to_text_full(read_back.root()).value_or("?");
}

std::string shortened(std::string text) {
    constexpr std::size_t most = 100;
    if (text.size() <= most)
        return text;
    std::size_t cut = most;
    while (cut && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80)
        --cut;
    return text.substr(0, cut) + "...";
}

std::string full_text(const View& view) {
    return to_text_full(view).value_or("?");
}

Array with_record(const Array& at, std::size_t record) {
    Array out{static_cast<std::int64_t>(record)};
    for (const Variant& step : at)
        out.push_back(step);
    return out;
}

/// The changes between two files; where they hold records, every path begins with the record's
/// number.
std::expected<Patch, Error> compare(const Whole& from, const Whole& to) {
    Patch all;
    const std::size_t common = std::min(from.documents.size(), to.documents.size());
    for (std::size_t i = 0; i < common; ++i) {
        auto part =
            diff(std::as_const(from.documents[i]).root(), std::as_const(to.documents[i]).root());
        if (!part)
            return part;
        for (Change& change : *part) {
            if (from.records)
                change.at = with_record(change.at, i);
            all.push_back(std::move(change));
        }
    }
    for (std::size_t i = from.documents.size(); i-- > common;)
        all.push_back({Change::remove, with_record(Array(), i), {}});
    for (std::size_t i = common; i < to.documents.size(); ++i)
        all.push_back({Change::insert, with_record(Array(), i),
                       std::as_const(to.documents[i]).root().get<Variant>().value_or(Variant())});
    return all;
}

std::string place_text(const Change& change, bool records) {
    if (!records || change.at.empty())
        return path_text(change.at);
    Array inner;
    for (std::size_t i = 1; i < change.at.size(); ++i)
        inner.push_back(change.at[i]);
    return "#" + std::to_string(change.at[0].integer()) + " " + path_text(inner);
}

/// What stands at a change's place before it, as far as that can be found there.
std::string before(const Change& change, const Whole& from) {
    const std::size_t record =
        from.records && !change.at.empty() ? static_cast<std::size_t>(change.at[0].integer()) : 0;
    if (record >= from.documents.size())
        return "";
    Array inner;
    for (std::size_t i = from.records; i < change.at.size(); ++i)
        inner.push_back(change.at[i]);
    const auto found = lookup(std::as_const(from.documents[record]).root(), path_text(inner));
    return found ? shortened(full_text(*found)) : "";
}

void print_changes(const Patch& patch, const Whole& from, Output& out) {
    for (const Change& change : patch) {
        const std::string place = place_text(change, from.records);
        switch (change.kind) {
            case Change::set:
                out.text("~ " + place + ": " + before(change, from) + " -> " +
                         shortened(one_line(change.value)) + "\n");
                break;
            case Change::insert:
                out.text("+ " + place + ": " + shortened(one_line(change.value)) + "\n");
                break;
            case Change::remove:
                out.text("- " + place + ": " + before(change, from) + "\n");
                break;
            case Change::order:
                out.text("> " + place + ": its pairs in another order\n");
                break;
        }
    }
}

}  // namespace

int diff_command(const Options& options) {
    Options second = options;
    second.file = options.value;
    if (options.file == "-" && second.file == "-") {
        say("gdvar: only one of the two can be standard input");
        return usage;
    }
    Whole from, to;
    if (int exit = load(options, from); exit != fine)
        return exit;
    if (int exit = load(second, to, &from.input->dialect()); exit != fine)
        return exit;
    if (from.records != to.records) {
        say("gdvar: one of the files holds records and the other does not; see --as");
        return usage;
    }
    const auto patch = compare(from, to);
    if (!patch) {
        say("gdvar: " + in_words(patch.error()));
        return refused;
    }
    Output out(options);
    if (options.full) {
        out.text(one_line(Dictionary{{"gdvar_patch", 1}, {"records", from.records}}) + "\n");
        for (const Change& change : *patch)
            out.text(one_line(to_variant(change)) + "\n");
    } else {
        print_changes(*patch, from, out);
    }
    const int written = out.finish();
    return written != fine ? written : patch->empty() ? fine : different;
}

namespace {

/// The patch in a file, and whether it is one of records.
std::optional<std::pair<Patch, bool>> read_patch(const std::string& path, int& exit) {
    auto source = path == "-" ? std::expected<FileSource, Error>(FileSource::borrow(0))
                              : FileSource::open(path);
    auto bytes = source ? read_all(*source) : std::unexpected(source.error());
    if (!bytes) {
        say(path + ": " + in_words(bytes.error()));
        exit = io_error;
        return std::nullopt;
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    Patch patch;
    std::optional<bool> records;
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
        if (!records) {
            const Dictionary* head = value->get_if<Dictionary>();
            const Variant* version = head ? head->find("gdvar_patch") : nullptr;
            const Variant* kind = head ? head->find("records") : nullptr;
            if (!version || !version->is(Type::integer) || version->integer() != 1 || !kind ||
                !kind->is(Type::boolean))
                return refuse("error[bad_magic]: this is no patch of gdvar's");
            records = kind->boolean();
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
    if (!records)
        return refuse("error[bad_magic]: this is no patch of gdvar's");
    return std::pair(std::move(patch), *records);
}

}  // namespace

int patch_command(const Options& given) {
    Options options = given;
    int exit = fine;
    const auto patch = read_patch(options.value, exit);
    if (!patch)
        return exit;
    auto input = open_to_change(options, exit);
    if (!input)
        return exit;
    if (input->several() != patch->second) {
        say("gdvar: the patch is for " + std::string(patch->second ? "records" : "one packet") +
            ", the file is not");
        return refused;
    }
    const DecodeOptions decoding = input->decoding();
    Array all;
    int worst = fine;
    exit = input->each([&](const Item& item) {
        auto value = decode(item.packet, decoding);
        if (!value) {
            input->complain(item, value.error(), decoding);
            worst = refused;
            return false;
        }
        all.push_back(*std::move(value));
        return true;
    });
    if (exit != fine || worst != fine)
        return exit != fine ? exit : worst;
    Variant root = patch->second ? Variant(std::move(all)) : std::move(all[0]);
    if (auto done = apply_patch(root, patch->first); !done) {
        const Change& change = patch->first[static_cast<std::size_t>(done.error().offset)];
        say(input->name() + ": " + place_text(change, patch->second) +
            ": the patch does not fit here");
        return refused;
    }
    PacketOutput out(options, input->kind(), input->layers(), exit);
    if (exit == fine)
        exit = copy_skipped(*input, out);
    if (exit != fine)
        return exit;
    const EncodeOptions to{
        .dialect = decoding.dialect, .allow_objects = true, .real_width = decoding.real_width};
    const auto write = [&](const Variant& value) {
        auto packet = encode(value, to);
        if (packet)
            return out.packet(as_bytes(*packet));
        say("gdvar: " + error_path(value, to, packet.error()) + ": " + in_words(packet.error()));
        return static_cast<int>(refused);
    };
    if (!patch->second) {
        exit = write(root);
    } else {
        for (const Variant& record : *root.get_if<Array>())
            if (exit == fine)
                exit = write(record);
    }
    return exit != fine ? exit : out.finish();
}

// ---- stats

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
        statistics.add(document.root());
        ++packets;
        return true;
    });
    Output out(options);
    const auto table = [&](const char* title, const std::map<std::string, Share>& shares) {
        std::vector<std::pair<std::string, Share>> rows(shares.begin(), shares.end());
        std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
            return a.second.bytes != b.second.bytes ? a.second.bytes > b.second.bytes
                                                    : a.first < b.first;
        });
        out.text(std::string("       bytes    %       count  ") + title + "\n");
        for (std::size_t i = 0; i < rows.size() && i < options.top; ++i) {
            char line[64];
            const double percent = statistics.bytes
                                       ? 100.0 * static_cast<double>(rows[i].second.bytes) /
                                             static_cast<double>(statistics.bytes)
                                       : 0;
            std::snprintf(line, sizeof line, "%12llu %5.1f %11llu  ",
                          static_cast<unsigned long long>(rows[i].second.bytes), percent,
                          static_cast<unsigned long long>(rows[i].second.count));
            out.text(line + rows[i].first + "\n");
        }
        if (rows.size() > options.top)
            out.text("  ... and " + std::to_string(rows.size() - options.top) + " more (--top)\n");
    };
    if (options.typed_json) {
        const auto as_value = [](const std::map<std::string, Share>& shares) {
            Dictionary all;
            for (const auto& [name, share] : shares)
                all.append(name, Dictionary{{"count", static_cast<std::int64_t>(share.count)},
                                            {"bytes", static_cast<std::int64_t>(share.bytes)}});
            return all;
        };
        const Variant all = Dictionary{{"packets", static_cast<std::int64_t>(packets)},
                                       {"values", static_cast<std::int64_t>(statistics.values)},
                                       {"bytes", static_cast<std::int64_t>(statistics.bytes)},
                                       {"depth", static_cast<std::int64_t>(statistics.depth)},
                                       {"by_type", as_value(statistics.by_type)},
                                       {"by_path", as_value(statistics.by_path)}};
        const auto bytes = encode(all);
        auto read_back = bytes ? Document::parse(as_bytes(*bytes)) : std::unexpected(bytes.error());
        if (read_back) {
            const Document& document_of = *read_back;
            out.text(to_plain_json(document_of.root(), {2}).value_or("") + "\n");
        }
    } else {
        out.text(std::to_string(packets) + (packets == 1 ? " packet, " : " packets, ") +
                 std::to_string(statistics.values) + " values, " +
                 std::to_string(statistics.bytes) + " bytes, depth " +
                 std::to_string(statistics.depth) + "\n");
        table("type", statistics.by_type);
        table("path", statistics.by_path);
        if (statistics.paths_cut)
            out.text("  (paths beyond the first " + std::to_string(statistics.max_paths) +
                     " were left out)\n");
    }
    const int written = out.finish();
    return exit != fine ? exit : worst != fine ? worst : written;
}

}  // namespace gdvar::app
