// annotate, check, dialects.
#include "command.hpp"
#include "path_cutter.hpp"
#include "gdvar/inspect/annotate.hpp"
#include "gdvar/inspect/engine.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar::app {
namespace {

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width)
        text.append(width - text.size(), ' ');
    return text;
}

std::string bytes_column(ByteView bytes) {
    constexpr std::size_t most = 16;
    std::string out = to_hex(bytes.first(std::min(bytes.size(), most)));
    if (bytes.size() > most)
        out += "...";
    return out;
}

}  // namespace

std::expected<std::size_t, Error> annotate_lines(
    ByteView packet, std::uint64_t offset, const DecodeOptions& decoding, PathCutter& paths,
    const std::function<void(const std::string&)>& line) {
    return annotate(packet, decoding, [&](const AnnotateRow& row) {
        const ByteView bytes = packet.subspan(static_cast<std::size_t>(row.offset),
                                              static_cast<std::size_t>(row.size));
        std::string text = padded(hex(offset + row.offset), 10) + " " +
                           padded(bytes_column(bytes), 35) + " " + padded(paths(row.path), 24) + " " +
                           row.type;
        if (!row.value.empty())
            text += "  " + row.value;
        if (!row.note.empty())
            text += "  ; " + row.note;
        line(text);
    });
}

int annotate_command(const Options& given) {
    Options options = given;
    options.any_bytes = true;
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    Output out(options);
    PathCutter paths = PathCutter::for_people(options.full);
    int worst = fine;
    const DecodeOptions decoding = input->decoding();
    exit = input->each([&](const Item& item) {
        if (input->kind() == InputKind::records || input->kind() == InputKind::records_be) {
            std::byte length[4];
            write_frame_length(
                length, static_cast<std::uint32_t>(item.packet.size()),
                input->kind() == InputKind::records ? ByteOrder::little : ByteOrder::big);
            out.line(padded(hex(item.offset - 4), 10) + " " + padded(bytes_column(length), 35) +
                     " " + padded("#" + std::to_string(item.number), 24) + " record  " +
                     std::to_string(item.packet.size()) + " bytes");
        }
        auto done = annotate_lines(item.packet, item.offset, decoding, paths,
                                   [&](const std::string& line) { out.line(line); });
        if (!done) {
            input->complain(item, done.error(), decoding);
            worst = refused;
        }
        return true;
    }, Tail::keep);
    paths.say_if_cut();
    const int written = out.finish();
    return exit != fine ? exit : worst != fine ? worst : written;
}

namespace {

struct QuirkList : NullSink {
    std::vector<std::pair<Quirk, std::size_t>> found;
    void quirk(Quirk quirk, std::size_t offset) {
        if (found.size() < 100)
            found.emplace_back(quirk, offset);
    }
};

/// What is found out about an input before a word is said about it.
struct Verdict {
    std::size_t items = 0, sound = 0, canonical = 0;
    std::string in_words(const Input& input, int exit) const {
        if (sound < items || exit != fine)
            return "not sound" + (input.several() && items
                                      ? ": " + std::to_string(items - sound) + " of " + std::to_string(items) + " broken"
                                      : std::string());
        return canonical == items ? "sound and canonical" : "sound, not canonical";
    }
};

/// Reads everything once, quietly.
Verdict judge(Input& input, const DecodeOptions& lenient, int& exit) {
    Verdict verdict;
    exit = input.look([&](const Item& item) {
        ++verdict.items;
        QuirkList quirks;
        const auto size = read(item.packet, lenient, quirks);
        verdict.sound += size.has_value();
        bool canonical = size && *size == item.packet.size() &&
                         check_keys(item.packet.first(*size), lenient).has_value();
        for (const auto& [quirk, offset] : quirks.found)
            canonical = canonical && quirk_info(quirk).strict == Errc::ok;
        verdict.canonical += canonical;
        return true;
    });
    return verdict;
}

/// Sound or not, and what is odd about it.
bool check_item(const Input& input, const Item& item, const DecodeOptions& decoding, Output& out) {
    const std::string place = input.name() + ":" + hex(item.offset) + ": " + item.label;
    QuirkList quirks;
    DecodeOptions lenient = decoding;
    lenient.strict = false;
    auto size = read(item.packet, lenient, quirks);
    if (!size) {
        input.complain(item, size.error(), lenient);
        out.line(place + "not sound");
        return false;
    }
    bool canonical = *size == item.packet.size();
    for (const auto& [quirk, offset] : quirks.found) {
        canonical = canonical && quirk_info(quirk).strict == Errc::ok;
        out.line(input.name() + ":" + hex(item.offset + offset) + ": " + item.label +
                 path_at(item.packet, lenient, offset) + ": note[" +
                 std::string(quirk_info(quirk).name) +
                 "]: " + std::string(quirk_info(quirk).meaning));
    }
    if (auto clash = check_keys(item.packet.first(*size), lenient); !clash) {
        canonical = false;
        out.line(input.name() + ":" + hex(item.offset + clash.error().offset) + ": " + item.label +
                 error_path(item.packet, lenient, clash.error()) +
                 ": note[duplicate_key]: engines merge this key with an earlier one");
    }
    if (*size < item.packet.size())
        out.line(place + std::to_string(item.packet.size() - *size) +
                 " bytes follow the packet; engines ignore them");
    out.line(place + (canonical ? "sound and canonical" : "sound, not canonical"));
    return true;
}

void say_engines(const Item& item, const Options& options, Output& out) {
    for (const Engine& engine : all_engines()) {
        std::string line = "  " + std::string(engine.name) + ": ";
        auto reading = read_as(engine, item.packet, options.objects);
        if (!reading) {
            out.line(line + "refuses it at " + hex(reading.error().offset) + ": " +
                     to_string(reading.error()));
            continue;
        }
        auto back = reencoding(engine, item.packet, options.objects);
        const DecodeOptions decoding{.dialect = engine.dialect, .allow_objects = options.objects};
        const std::size_t size = *validate(item.packet, decoding);
        const bool same = back && back->size() == size &&
                          std::equal(back->begin(), back->end(),
                                     reinterpret_cast<const std::uint8_t*>(item.packet.data()));
        line +=
            "reads " + std::to_string(size) + " bytes, writes back " +
            (!back  ? "nothing"
             : same ? "the same"
                    : std::to_string(back->size()) + " other bytes: " + to_hex(as_bytes(*back)));
        for (const std::string& change : reading->changes)
            line += "; " + change;
        out.line(line + (engine.observed ? "" : " (from its source)"));
    }
}

}  // namespace

int check(const Options& given) {
    Options options = given;
    options.all_readings = options.any_bytes = true;
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    Output out(options);
    const DecodeOptions decoding = input->decoding();
    DecodeOptions lenient = decoding;
    lenient.strict = false;
    out.line(input->name() + ": " + judge(*input, lenient, exit).in_words(*input, exit));
    out.piece(input->name() + ": " + std::to_string(input->size()) + " bytes, read as " +
              std::string(input_kind_name(input->kind())));
    for (const Layer& layer : input->layers())
        out.piece(", in a " + layer.name() + " container");
    for (const Reading& other : std::span(input->readings()).subspan(input->readings().empty() ? 0 : 1))
        if (other.kind != input->kind())
            out.piece(", could also be " + std::string(input_kind_name(other.kind)));
    out.end_line();
    for (const Candidate& candidate : input->guess().candidates)
        out.line("  " + candidate.reason);
    out.piece(input->name() + ": dialect " + std::string(input->dialect().name));
    if (options.dialect == "auto")
        out.piece(!input->guess().likely     ? " (none fits; this is the default)"
                  : !input->guess().dialect  ? " (none fits; this one gets furthest)"
                  : input->guess().ambiguous ? " (ambiguous: the most plausible that fits, the newest)"
                                             : " (the only one that fits)");
    out.end_line();
    bool sound = true;
    exit = input->each([&](const Item& item) {
        sound = check_item(*input, item, decoding, out) && sound;
        if (!input->several())
            say_engines(item, options, out);
        return true;
    }, Tail::keep);
    const int written = out.finish();
    return exit != fine ? exit : !sound ? refused : written;
}

int dialects_command(const Options& options) {
    Output out(options);
    for (const Dialect* dialect : all_dialects()) {
        if (options.file != "-" && dialect != find_dialect(options.file))
            continue;
        std::string line = padded(std::string(dialect->name), 17) +
                           padded(std::string(dialect->alias), 12) +
                           padded(std::to_string(dialect->row_count) + " types", 10) +
                           padded("text " + std::string(family_name(dialect->family)), 17) +
                           std::string(dialect->title);
        out.line(line);
        if (options.file == "-")
            continue;
        for (std::size_t id = 0; id < dialect->row_count; ++id) {
            const TypeRow& row = dialect->rows[id];
            std::string entry =
                "  " + padded(std::to_string(id), 4) + padded(std::string(row.name), 22);
            if (row.name != type_name(row.type))
                entry += "= " + std::string(type_name(row.type));
            if (row.shape == Shape::unsupported)
                entry += "(unsupported)";
            if (!row.note.empty())
                entry += "  ; " + std::string(row.note);
            while (entry.ends_with(' '))
                entry.pop_back();
            out.line(entry);
        }
    }
    if (options.file != "-" && !dialect_named(options.file))
        return usage;
    return out.finish();
}

}  // namespace gdvar::app
