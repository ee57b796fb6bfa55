// annotate, check, dialects.
#include "command.hpp"
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
    ByteView packet, std::uint64_t offset, const DecodeOptions& decoding,
    const std::function<void(const std::string&)>& line) {
    return annotate(packet, decoding, [&](const AnnotateRow& row) {
        const ByteView bytes = packet.subspan(static_cast<std::size_t>(row.offset),
                                              static_cast<std::size_t>(row.size));
        std::string text = padded(hex(offset + row.offset), 10) + " " +
                           padded(bytes_column(bytes), 35) + " " + padded(row.path, 24) + " " +
                           row.type;
        if (!row.value.empty())
            text += "  " + row.value;
        if (!row.note.empty())
            text += "  ; " + row.note;
        line(text);
    });
}

int annotate_command(const Options& options) {
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    Output out(options);
    int worst = fine;
    const DecodeOptions decoding = input->decoding();
    exit = input->each([&](const Item& item) {
        if (input->kind() == InputKind::records || input->kind() == InputKind::records_be) {
            std::byte length[4];
            write_frame_length(
                length, static_cast<std::uint32_t>(item.packet.size()),
                input->kind() == InputKind::records ? ByteOrder::little : ByteOrder::big);
            out.text(padded(hex(item.offset - 4), 10) + " " + padded(bytes_column(length), 35) +
                     " " + padded("#" + std::to_string(item.number), 24) + " record  " +
                     std::to_string(item.packet.size()) + " bytes\n");
        }
        auto done = annotate_lines(item.packet, item.offset, decoding,
                                   [&](const std::string& line) { out.text(line + "\n"); });
        if (!done) {
            input->complain(item, done.error(), decoding);
            worst = refused;
        }
        return true;
    });
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

/// Sound or not, and what is odd about it.
bool check_item(const Input& input, const Item& item, const DecodeOptions& decoding, Output& out) {
    const std::string place = input.name() + ":" + hex(item.offset) + ": " + item.label;
    QuirkList quirks;
    DecodeOptions lenient = decoding;
    lenient.strict = false;
    auto size = read(item.packet, lenient, quirks);
    if (!size) {
        input.complain(item, size.error(), lenient);
        out.text(place + "not sound\n");
        return false;
    }
    bool canonical = *size == item.packet.size();
    for (const auto& [quirk, offset] : quirks.found) {
        canonical = canonical && quirk_info(quirk).strict == Errc::ok;
        out.text(input.name() + ":" + hex(item.offset + offset) + ": " + item.label +
                 path_at(item.packet, lenient, offset) + ": note[" +
                 std::string(quirk_info(quirk).name) +
                 "]: " + std::string(quirk_info(quirk).meaning) + "\n");
    }
    if (auto clash = check_keys(item.packet.first(*size), lenient); !clash) {
        canonical = false;
        out.text(input.name() + ":" + hex(item.offset + clash.error().offset) + ": " + item.label +
                 error_path(item.packet, lenient, clash.error()) +
                 ": note[duplicate_key]: engines merge this key with an earlier one\n");
    }
    if (*size < item.packet.size())
        out.text(place + std::to_string(item.packet.size() - *size) +
                 " bytes follow the packet; engines ignore them\n");
    out.text(place + (canonical ? "sound and canonical\n" : "sound, not canonical\n"));
    return true;
}

void say_engines(const Item& item, const Options& options, Output& out) {
    for (const Engine& engine : all_engines()) {
        std::string line = "  " + std::string(engine.name) + ": ";
        auto reading = read_as(engine, item.packet, options.objects);
        if (!reading) {
            out.text(line + "refuses it at " + hex(reading.error().offset) + ": " +
                     to_string(reading.error()) + "\n");
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
        out.text(line + (engine.observed ? "\n" : " (from its source)\n"));
    }
}

}  // namespace

int check(const Options& given) {
    Options options = given;
    options.all_readings = true;
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    Output out(options);
    out.text(input->name() + ": " + std::to_string(input->size()) + " bytes, read as " +
             std::string(input_kind_name(input->kind())));
    for (const Layer& layer : input->layers())
        out.text(", in a " + layer.name() + " container");
    for (const Reading& other : input->readings())
        if (other.kind != input->kind())
            out.text(", could also be " + std::string(input_kind_name(other.kind)));
    out.text("\n");
    for (const Candidate& candidate : input->guess().candidates)
        out.text("  " + candidate.reason + "\n");
    out.text(input->name() + ": dialect " + std::string(input->dialect().name));
    if (options.dialect == "auto")
        out.text(!input->guess().dialect    ? " (none fits; this is the default)"
                 : input->guess().ambiguous ? " (ambiguous: the newest that fits)"
                                            : " (the only one that fits)");
    out.text("\n");
    bool sound = true;
    const DecodeOptions decoding = input->decoding();
    exit = input->each([&](const Item& item) {
        sound = check_item(*input, item, decoding, out) && sound;
        if (!input->several())
            say_engines(item, options, out);
        return true;
    });
    const int written = out.finish();
    return exit != fine ? exit : !sound ? refused : written;
}

int dialects_command(const Options& options) {
    Output out(options);
    for (const Dialect* dialect : all_dialects()) {
        if (options.file != "-" && options.file != dialect->name && options.file != dialect->alias)
            continue;
        std::string line = padded(std::string(dialect->name), 17) +
                           padded(std::string(dialect->alias), 12) +
                           padded(std::to_string(dialect->row_count) + " types", 10) +
                           padded("text " + std::string(family_name(dialect->family)), 17) +
                           std::string(dialect->title);
        out.text(line + "\n");
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
            out.text(entry + "\n");
        }
    }
    if (options.file != "-" && !find_dialect(options.file)) {
        say("gdvar: unknown dialect '" + options.file + "'");
        return usage;
    }
    return out.finish();
}

}  // namespace gdvar::app
