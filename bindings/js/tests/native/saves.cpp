// Answers on saves.
#include <algorithm>
#include <cstdlib>
#include <list>

#include "lines.hpp"

namespace verdicts {
namespace {

std::string unhex(std::string_view digits) {
    std::string out;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        out +=
            static_cast<char>(std::strtoul(std::string(digits.substr(i, 2)).c_str(), nullptr, 16));
    return out;
}

/// A gdvar_save_options of lines "name=value", and what it points to.
class Options {
public:
    explicit Options(std::string_view lines) {
        given_.flags = GDVAR_NO_LOCK;
        for (const std::string_view line : split(lines, '\n'))
            if (const std::size_t sign = line.find('='); sign != std::string_view::npos)
                set(line.substr(0, sign), line.substr(sign + 1));
        if (!inside_.empty()) {
            given_.inside = inside_.data();
            given_.inside_count = inside_.size();
        }
        if (!entries_.empty()) {
            given_.entries = entries_.data();
            given_.entry_count = entries_.size();
        }
        if (!keys_.empty()) {
            given_.keys = keys_.data();
            given_.key_count = keys_.size();
        }
    }
    const gdvar_save_options* get() const { return &given_; }

private:
    void set(std::string_view name, std::string_view value) {
        if (name == "password")
            given_.password = text_of(value);
        else if (name == "key")
            given_.key = bytes_of(kept_.emplace_back(unhex(value)));
        else if (name == "named")
            keys_.push_back(
                {text_of("key " + std::to_string(keys_.size()), kept_), text_of(value), {}});
        else if (name == "dialect")
            given_.dialect = gdvar_find_dialect(std::string(value).c_str());
        else if (name == "as")
            given_.as = text_of(value);
        else if (name == "inside")
            inside_.push_back(text_of(value));
        else if (name == "entry")
            entries_.push_back(text_of(value));
        else if (name == "skip")
            given_.skip = number(value);
        else if (name == "layers")
            given_.max_layers = number(value);
        else if (name == "bytes")
            given_.max_bytes = number(value);
        else if (name == "flags")
            given_.flags |= static_cast<std::uint32_t>(number(value));
    }
    static gdvar_text text_of(std::string_view text) { return verdicts::text_of(text); }
    static gdvar_text text_of(std::string text, std::list<std::string>& kept) {
        return verdicts::text_of(kept.emplace_back(std::move(text)));
    }

    gdvar_save_options given_ = GDVAR_SAVE_OPTIONS_INIT;
    std::vector<gdvar_text> inside_, entries_;
    std::vector<gdvar_named_key> keys_;
    std::list<std::string> kept_;
};

void say_kind(const gdvar_kind& kind, Lines& out) {
    out.say("kind", kind.name, int{kind.text}, int{kind.named}, int{kind.several},
            int{kind.only_read});
}

void say_finding(void* lines, const gdvar_finding* finding) {
    Lines& out = *static_cast<Lines*>(lines);
    out.say("finding", finding->name, finding->reason, finding->at, finding->opened_with,
            finding->layer == GDVAR_NO_LAYER ? "-" : std::to_string(finding->layer));
    for (std::size_t i = 0; i < finding->other_count; ++i)
        out.say("other", finding->others[i].name, finding->others[i].reason);
    for (std::size_t i = 0; i < finding->ruled_out_count; ++i)
        out.say("ruled out", finding->ruled_out[i].name, finding->ruled_out[i].reason);
}

void say_identified(std::string_view bytes, const Options& options, Lines& out) {
    gdvar_error error{};
    Buffer stack;
    if (gdvar_identify(bytes_of(bytes), options.get(), say_finding, &out, stack.get(), &error) != 0)
        out.error(error);
    out.say("stack", stack.take());
}

Handle<gdvar_save> open(std::string_view bytes, const Options& options, Lines& out) {
    gdvar_save* save = nullptr;
    gdvar_error error{};
    if (gdvar_save_read(bytes_of(bytes), options.get(), &save, &error) != 0)
        out.error(error);
    return Handle<gdvar_save>(save);
}

/// Encryption has another IV each time, and the modules write Brotli in another way: what is
/// written is compared without its layers, and where a value of it is encrypted, by what it holds.
void say_written(std::string_view bytes, const Options& options, Lines& out) {
    Buffer inner, layers, stack;
    gdvar_error error{};
    if (gdvar_unwrap(bytes_of(bytes), options.get(), inner.get(), layers.get(), &error) != 0)
        return out.error(error);
    const std::string content = inner.take();
    const std::string names = layers.take();
    if (content.find("GDEC") == std::string::npos)
        return out.say("written", names, digest(content));
    const auto save = open(bytes, options, out);
    if (!save)
        return;
    gdvar_save_stack(save.get(), stack.get(), nullptr);
    std::string line = stack.take();
    for (std::size_t i = 0; i < gdvar_save_count(save.get()); ++i)
        line.append("\t").append(digest(view(gdvar_save_at(save.get(), i).packet)));
    out.say("written", line);
}

/// The packet as typed JSON. Objects in a packet out of a text need no flag.
std::string json_of(gdvar_bytes packet, const gdvar_dialect* dialect) {
    gdvar_options options = GDVAR_OPTIONS_INIT;
    options.dialect = dialect;
    options.flags = GDVAR_ALLOW_OBJECTS;
    const Handle<gdvar_document> document(gdvar_document_new());
    Buffer json;
    if (gdvar_document_read(document.get(), packet, &options, nullptr) != 0 ||
        gdvar_print(document.get(), 0, GDVAR_JSON, 0, json.get(), nullptr, nullptr, nullptr) != 0)
        return "none";
    return json.take();
}

void say_items(const gdvar_save* save, Lines& out) {
    const std::size_t count = gdvar_save_count(save);
    out.say("count", count);
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 40); ++i) {
        const gdvar_save_item item = gdvar_save_at(save, i);
        out.say("item", item.name, digest(view(item.packet)),
                json_of(item.packet, gdvar_save_dialect(save)));
    }
}

void say_opened(std::string_view bytes, const Options& options, Lines& out) {
    const auto save = open(bytes, options, out);
    if (!save)
        return;
    Buffer layers, stack;
    gdvar_save_layers(save.get(), layers.get(), nullptr);
    gdvar_save_stack(save.get(), stack.get(), nullptr);
    out.say("save", gdvar_dialect_name(gdvar_save_dialect(save.get())), layers.take(), stack.take(),
            gdvar_save_only_read(save.get()));
    say_kind(gdvar_save_kind(save.get()), out);
    gdvar_save_findings(save.get(), say_finding, &out, nullptr);
    say_items(save.get(), out);
}

/// "convert": the save for the engines of another dialect.
void say_converted(const Case& asked, Lines& out) {
    const Options options(asked.at(1));
    const auto save = open(asked.at(2), options, out);
    if (!save)
        return;
    gdvar_error error{};
    Buffer to, path;
    const gdvar_dialect* dialect = gdvar_find_dialect(std::string(asked.at(3)).c_str());
    Lines losses;
    if (gdvar_save_convert(save.get(), dialect, {nullptr, 0}, to.get(), say_loss, &losses, &error,
                           path.get()) == 0) {
        out.say_all(losses);
        return say_written(to.take(), options, out);
    }
    const std::string where = path.take();
    out.error(error, where.empty() ? "-" : where);
}

/// A packet of godot-4.4 in another dialect.
std::string converted(std::string_view packet, const gdvar_dialect* dialect) {
    const gdvar_options from = GDVAR_OPTIONS_INIT;
    gdvar_options to = GDVAR_OPTIONS_INIT;
    to.dialect = dialect;
    Buffer out;
    gdvar_convert(bytes_of(packet), &from, &to, out.get(), nullptr, nullptr, nullptr);
    return out.take();
}

/// "change": a value put at a path, one erased, and what is different afterwards.
void say_edited(const Case& asked, Lines& out) {
    const Options options(asked.at(1));
    const auto save = open(asked.at(2), options, out);
    const auto before = save ? open(asked.at(2), options, out) : nullptr;
    if (!before)
        return;
    const gdvar_text path = text_of(asked.at(3));
    gdvar_error error{};
    Buffer to;
    const auto refused = [&] {
        out.error(error);
        gdvar_save_explain(save.get(), say_refusal, &out);
    };
    if (gdvar_save_get(save.get(), path, to.get(), &error) != 0)
        refused();
    else
        out.say("value", digest(to.take()));
    const std::string value = converted(asked.at(4), gdvar_save_dialect(save.get()));
    if (gdvar_save_set(save.get(), path, bytes_of(value),
                       static_cast<std::uint32_t>(number(asked.at(5))), &error) != 0)
        return refused();
    if (gdvar_save_bytes(save.get(), to.get(), &error) != 0)
        return out.error(error);
    say_written(to.take(), options, out);
    if (gdvar_save_diff(before.get(), save.get(), to.get(), &error) != 0)
        out.error(error);
    else
        out.say("patch", digest(to.take()));
    if (gdvar_save_erase(save.get(), path, &error) != 0)
        return refused();
    if (gdvar_save_bytes(save.get(), to.get(), &error) != 0)
        return out.error(error);
    say_written(to.take(), options, out);
}

void say_entry(void* lines, const gdvar_entry* entry) {
    Lines& out = *static_cast<Lines*>(lines);
    const auto has = [&](std::uint32_t flag) { return (entry->flags & flag) != 0; };
    const std::string_view md5{reinterpret_cast<const char*>(entry->md5), sizeof entry->md5};
    out.say("entry", entry->name, entry->size,
            has(GDVAR_ENTRY_OFFSET) ? std::to_string(entry->offset) : "-",
            has(GDVAR_ENTRY_MD5) ? digest(md5) : "-", int{has(GDVAR_ENTRY_ENCRYPTED)},
            int{!has(GDVAR_ENTRY_ABSENT)}, int{has(GDVAR_ENTRY_HOSTILE)});
    for (std::size_t i = 0; i < entry->note_count; ++i)
        out.say("note", entry->notes[i]);
}

void say_entries(std::string_view bytes, const Options& options, Lines& out) {
    gdvar_error error{};
    Buffer description;
    Lines entries;
    if (gdvar_read_entries(bytes_of(bytes), options.get(), say_entry, &entries, description.get(),
                           &error) != 0)
        return out.error(error);
    out.say_all(entries);
    out.say("archive", description.take());
}

void say_recovered(const gdvar_recovery* recovery, Lines& out) {
    static constexpr std::string_view states[] = {"whole", "resized", "partial"};
    for (std::size_t i = 0; i < gdvar_recovery_count(recovery); ++i) {
        const gdvar_recovered item = gdvar_recovery_at(recovery, i);
        out.say("item", item.name, digest(view(item.packet)), item.offset, states[item.state],
                int{item.found_again}, int{item.doubtful}, item.line);
        if (item.state == GDVAR_PARTIAL)
            out.error(item.broken, item.break_at.size > 0 ? view(item.break_at) : "-");
    }
    for (std::size_t i = 0; i < gdvar_recovery_lost_count(recovery); ++i) {
        const gdvar_lost lost = gdvar_recovery_lost_at(recovery, i);
        out.say("lost", lost.begin, lost.end,
                lost.layer == GDVAR_NO_LAYER ? "-" : std::to_string(lost.layer),
                gdvar_error_name(lost.code), int{lost.doubtful}, lost.reason, lost.at, lost.line);
    }
    for (std::size_t i = 0; gdvar_recovery_note_at(recovery, i).size > 0; ++i)
        out.say("note", gdvar_recovery_note_at(recovery, i));
}

void say_recovery(std::string_view bytes, const Options& options, Lines& out) {
    gdvar_recovery* made = nullptr;
    gdvar_error error{};
    if (gdvar_recover(bytes_of(bytes), options.get(), &made, &error) != 0)
        return out.error(error);
    const Handle<gdvar_recovery> recovery(made);
    int certain = 0;
    Buffer layers, stack, to;
    const gdvar_dialect* dialect = gdvar_recovery_dialect(made, &certain);
    gdvar_recovery_layers(made, layers.get(), nullptr);
    gdvar_recovery_stack(made, stack.get(), nullptr);
    out.say("recovery", gdvar_recovery_sound(made), gdvar_dialect_name(dialect), certain,
            layers.take(), stack.take());
    say_kind(gdvar_recovery_kind(made), out);
    say_recovered(made, out);
    if (gdvar_recovery_write(made, {nullptr, 0}, options.get(), to.get(), &error) != 0)
        out.error(error);
    else
        say_written(to.take(), options, out);
}

/// Built-in parts.
void say_tables(Lines& out) {
    out.say(gdvar_version());
    for (const char* code : {"ok", "truncated", "wrong_arguments", "no_code"})
        out.say(gdvar_error_meaning(gdvar_error_code(code)));
    for (std::size_t i = 0; const gdvar_dialect* dialect = gdvar_dialect_at(i); ++i) {
        std::string types;
        for (std::uint8_t type = 0; type < GDVAR_TYPE_COUNT; ++type)
            if (gdvar_dialect_has(dialect, type) != 0)
                types.append(view(gdvar_describe_type(type).name)).append(" ");
        out.say(gdvar_dialect_name(dialect), gdvar_dialect_title(dialect), types);
    }
    for (std::size_t i = 0; gdvar_kind_at(i).name.size > 0; ++i)
        say_kind(gdvar_kind_at(i), out);
    for (std::size_t i = 0; gdvar_layer_name_at(i).size > 0; ++i)
        out.say(gdvar_layer_name_at(i));
}

}  // namespace

void say_save(const Case& asked, Lines& out) {
    const std::string_view what = asked.at(0);
    if (what == "tables")
        return say_tables(out);
    if (what == "save convert")
        return say_converted(asked, out);
    if (what == "save change")
        return say_edited(asked, out);
    const Options options(asked.at(1));
    if (what == "identify")
        say_identified(asked.at(2), options, out);
    else if (what == "save")
        say_opened(asked.at(2), options, out);
    else if (what == "unwrap")
        say_written(asked.at(2), options, out);
    else if (what == "entries")
        say_entries(asked.at(2), options, out);
    else if (what == "recover")
        say_recovery(asked.at(2), options, out);
    else
        std::abort();
}

}  // namespace verdicts
