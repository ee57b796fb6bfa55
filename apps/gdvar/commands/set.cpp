#include <algorithm>

#include "command.hpp"
#include "edit/editing.hpp"
#include "file/references.hpp"
#include "gdvar/base/quote.hpp"
#include "gdvar/inspect/edit.hpp"
#include "gdvar/inspect/edit_all.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/misstep.hpp"
#include "gdvar/inspect/written.hpp"
#include "options/values.hpp"

namespace gdvar::app::commands::set {
namespace {

struct Options : PathEditOptions {
    ValueOptions values;
    std::string value, type;
    bool create = false;
};

void declare(Arguments& arguments, Options& options) {
    add_reading(arguments, options, options).required();
    add_dialect(arguments, options.dialect);
    add_path(arguments, options, "change all values that PATH leads to");
    arguments.option("VALUE", options.value, "the new value, as text or JSON").required();
    arguments.flag("--create", options.create, "add the key or setting if it is missing");
    arguments.option("--type", options.type, "change the type to this one: int, Vector3")
        .value(type_value);
    add_values(arguments, options.values, "what VALUE is: text or json");
    add_kept_packets(arguments, options);
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

/// A section that is missing in a ConfigFile, as it is added with its first key.
struct NewSection {
    std::string path;
    Dictionary pairs;
};

/// For a path to a key of a section that is not there.
std::optional<NewSection> new_section(const Input& input, const View& root, const std::string& path,
                                      const Variant& value) {
    if (input.kind() != InputKind::config)
        return std::nullopt;
    const auto misstep = first_misstep(root, path);
    const auto parsed = Path::parse(path);
    if (!misstep || !parsed || misstep->at != "$" || misstep->error.code != Errc::missing_key ||
        parsed->steps.size() != 2)
        return std::nullopt;
    const Path::Step& key = parsed->steps[1];
    if (key.kind != Path::StepKind::name || key.descends || parsed->steps[0].several())
        return std::nullopt;
    NewSection out{"$" + parsed->steps[0].to_string(), {}};
    out.pairs.append(Variant(key.text), value);
    return out;
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
    if (!plan) {
        auto section = new_section(input, root, path, value);
        if (section && rules.create && !rules.type)
            return planned(input, item, section->path, Variant(std::move(section->pairs)), rules);
        return refuse(input, item, plan.error().at, plan.error().error,
                      plan.error().what + word_for(plan.error()) +
                          (section ? "; --create adds the section" : ""));
    }
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
    if (!made)
        return refuse(input, item, path, made.error(), message_without_code(made.error()));
    const std::string done = path + ": " + was + stored(as_bytes(*made), path, *plan, decoding);
    return Changed{*std::move(made), done};
}

/// The packet with the value set at all places, if it is allowed at each.
std::optional<ChangedAll> all_planned(const Input& input, const Item& item, const Path& path,
                                      const Variant& value, const SetRules& rules) {
    const DecodeOptions decoding = input.decoding();
    std::optional<std::string> refused_here;
    SetAllRules all{rules};
    all.accept = [&](std::string_view at, const Variant& put) {
        if (!check_value(put, writing(input)))
            refused_here = refused_value(std::string(at), put, writing(input));
        return !refused_here;
    };
    auto made = set_all(item.packet, path, value, all, decoding);
    if (!made) {
        const SetRefusal& why = made.error();
        if (refused_here)
            say(input.place(item, why.error.offset) + *refused_here);
        else
            refuse(input, item, why.at, why.error, why.what + word_for(why));
        return std::nullopt;
    }
    ChangedAll out{*made};
    if (made->rounded)
        out.rounding =
            made->rounded_at + ": " +
            stored(as_bytes(made->packet), made->rounded_at, *made->rounded_to, decoding);
    out.packet = std::move(made->packet);
    return out;
}

constexpr std::size_t most_shown = 100;

/// In the quotes of a shell.
std::string write_this(const std::string& value) {
    return value.size() > most_shown || value.contains('\'') ? "" : "; write '" + value + "'";
}

std::string in_small_letters(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return out;
}

std::string_view without_brackets(std::string_view text) {
    const bool round = text.starts_with('(') && text.ends_with(')');
    const bool square = text.starts_with('[') && text.ends_with(']');
    return text.size() >= 2 && (round || square) ? text.substr(1, text.size() - 2) : text;
}

/// "; write 'Vector2i(1, 2)'" for the text `(1,2)` where a Vector2i stands, "; write '\"Bob\"'" for
/// Bob where a String stands. `old`: what stands there; leads nowhere if that is nothing. Empty
/// where nothing better is known.
std::string value_hint(const ValueOptions& options, const Dialect& dialect, std::string_view text,
                       const View& old) {
    if (options.input != "text")
        return {};
    const Type type = old ? old.type() : Type::nil;
    if (type == Type::string || type == Type::string_name || type == Type::node_path)
        return write_this(quote(text));
    const std::string small = in_small_letters(text);
    if (small == "true" || small == "false")
        return write_this(small);
    if (small == "none" || small == "nil" || small == "null")
        return write_this("null");
    if (is_math(type)) {
        const std::string made =
            std::string(type_name(type)) + '(' + std::string(without_brackets(text)) + ')';
        const auto value = parse_value(options, dialect, made);
        if (value && value->type() == type)
            return write_this(inspect::brief_value(*value));
    }
    if (old && type != Type::nil)
        return "; there is " + gdvar::detail::with_article(type) + ": " + inspect::brief_value(old);
    return text.contains('"')
               ? ""
               : "; a text is written with its quotes: '" + quote(text.substr(0, 40)) + "'";
}

/// How to write a value that can't be read, by the first one that is there.
std::string hint_for(const Options& options, const Input& input, const Item& item,
                     const std::string& path) {
    const auto document = Document::parse(item.packet, input.decoding());
    Found old;
    if (document)
        (void)lookup_each(document->root(), path, [&](const MatchView& match) {
            old = match.value;
            return false;
        });
    return value_hint(options.values, input.dialect(), options.value, old);
}

int run(Options& options) {
    SetRules rules{.create = options.create};
    if (!options.type.empty()) {
        rules.type = type_named(options.type);
        if (!rules.type)
            return unknown_name("type", options.type, type_names());
    }
    std::optional<Variant> value;  // parsed once, when the file's dialect is known
    const auto parsed = [&](const Input& input, int& worst, const Item& item,
                            const std::string& path) {
        rules.whole = input.kind() == InputKind::project;
        if (value)
            return true;
        options.values.resources = gdvar::detail::has_references(input.kind());
        auto read = parse_value(options.values, input.dialect(), options.value);
        if (read) {
            value = *std::move(read);
            return true;
        }
        say("gdvar: the value: " + to_string(read.error()) +
            plain_hint(options.values, options.value) + hint_for(options, input, item, path));
        worst = usage;
        return false;
    };
    const auto one = [&](const Input& input, const Item& item, const std::string& path,
                         int& worst) -> std::optional<Changed> {
        return parsed(input, worst, item, path) ? planned(input, item, path, *value, rules)
                                                : std::nullopt;
    };
    const auto all = [&](const Input& input, const Item& item, const Path& path,
                         int& worst) -> std::optional<ChangedAll> {
        return parsed(input, worst, item, path.to_string())
                   ? all_planned(input, item, path, *value, rules)
                   : std::nullopt;
    };
    return change_at(options, {.does = "changes",
                               .done = "set",
                               .whole = Whole::may_come,
                               .create = options.create,
                               .one = one,
                               .all = all});
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "set",
         .does = "changes the value at a path; every other byte stays",
         .examples =
             "gdvar set game.save '#0 $.players[3].hp' 9999 --backup game.old\n"
             "gdvar set --all game.save '#0 $.players[*].hp' 100\n"
             "gdvar set --password-file pass.txt secret.save '#0 $.players[0].name' '\"Ada\"'"},
        declare, run);
}

}  // namespace gdvar::app::commands::set
