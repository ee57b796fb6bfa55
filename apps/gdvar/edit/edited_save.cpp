#include "edit/edited_save.hpp"

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <set>

#include "edit/editing.hpp"
#include "gdvar/inspect/diff.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/wire/validate.hpp"
#include "output/differences.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {

constexpr std::uint64_t most_edited = 8u << 20;
constexpr std::size_t most_lines = 100;
/// How much longer than its packet a text may be: a byte of a packed array is "255, ".
constexpr std::uint64_t text_per_byte = 8;

std::string type_word(const View& value) {
    return value.is(Type::nil) ? "null" : std::string(type_name(value.type()));
}

}  // namespace

EditedSave::EditedSave(Input& input, const EditForm& form, std::optional<std::uint64_t> max_bytes)
    : input_(input),
      form_{form.kind, &input.dialect(), input.decoding().allow_objects},
      how_(writing(input)),
      most_(max_bytes.value_or(most_edited)) {}

std::size_t EditedSave::most_text() const noexcept {
    return static_cast<std::size_t>(std::max(most_, most_edited) * text_per_byte);
}

int EditedSave::open(const std::string& path) {
    if (!path.empty()) {
        place_ = place_of(path, input_.has_settings());
        if (!place_)
            return usage;
        if (place_->every || place_->path.several())
            return give_up(usage,
                           "gdvar: edit takes a path to one value, or none for the whole file");
        if (const int exit = settle(*place_, input_); exit != fine)
            return exit;
    } else if (input_.has_settings() || input_.several()) {
        contents_ = input_.has_settings() ? Contents::settings : Contents::records;
    }
    if (const int exit = collect(); exit != fine)
        return exit;
    return print();
}

int EditedSave::too_large(std::uint64_t bytes) const {
    return give_up(refused,
                   input_.name() + ": error[size_limit]: " + std::to_string(bytes) +
                       " bytes of values are too many to edit as text; name a smaller part, as in "
                       "gdvar edit " +
                       input_.name() +
                       (contents_ == Contents::records ? " '#0 $.players'" : " '$.players'") +
                       ", or raise --max-bytes");
}

/// Copies the packets that are edited.
int EditedSave::collect() {
    std::size_t seen = 0;
    std::uint64_t bytes = 0;
    bool twice = false;
    const int exit = input_.each(
        [&](const Item& item) {
            const bool first = ++seen == 1;
            if (place_ && (!is_at(*place_, item) || (is_anywhere(*place_) && !first)))
                return true;
            bytes += item.packet.size();
            // With a path, only a part of the record may be edited.
            if (!place_ && bytes > most_)
                return true;
            if (place_ && place_->name)
                old_.clear();  // of equal names the last one counts
            const std::string name(setting_name(item.key));
            twice = !settings_.emplace(name, old_.size()).second || twice;
            old_.push_back({item.number, item.label, std::string(item.key),
                            std::vector<std::byte>(item.packet.begin(), item.packet.end())});
            return true;
        },
        Tail::keep_all);
    if (exit != fine)
        return exit;
    if (place_ && is_anywhere(*place_) && seen > 1)
        return no_record_named(input_, *place_, seen);
    if (!place_ && bytes > most_)
        return too_large(bytes);
    if (contents_ == Contents::settings && twice)
        return give_up(
            refused,
            input_.name() + ": a setting occurs twice; edit one of them by its number, as in '#0'");
    if (old_.empty() && place_)
        return nothing_there(*place_, input_, seen, false);
    if (old_.empty())
        say(input_.name() + ": there is nothing to edit");
    return old_.empty() ? refused : fine;
}

/// The value that is edited in a packet. None, with the reason in `why`, if there is nothing.
std::optional<EditedPlace> EditedSave::place_in(const Old& old, const View& root,
                                                std::string& why) const {
    EditedPlace out{old.packet, Found(root), {}, "$"};
    if (!place_ || place_->path.whole())
        return out;
    auto found = lookup(root, place_->path);
    if (!found) {
        const Item item{0, old.number, old.label, old.packet, old.key};
        why = input_.missing(item, root, place_->path, found.error());
        return std::nullopt;
    }
    Path outside = place_->path;
    outside.steps.pop_back();
    if (const auto container = lookup(root, outside); container && !container->part())
        out.container = *container;
    out.value = *std::move(found);
    out.path = place_->path.to_string();
    return out;
}

/// The comment above the values, in a form that has comments.
std::string EditedSave::comments() const {
    if (form_.is_json())
        return {};
    std::string name = std::filesystem::path(input_.name()).filename().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, '?');
    std::string out = "; " + name + (place_ ? ", " + text_of(*place_) : "") + ", " +
                      std::string(form_.dialect->name) +
                      (form_.kind == EditForm::full ? ", in gdvar's own form" : "") + "\n";
    if (contents_ == Contents::records)
        out += "; A value without a line \"; record #N\" before it becomes a new record.\n";
    if (contents_ == Contents::settings)
        out += "; A value behind a line \"; setting NAME\" with a new name is added.\n";
    return out;
}

/// Makes the text. Godot's form does not express all values, such as ids and odd NaNs. Our own form
/// does: then all is printed in that.
int EditedSave::print() {
    text_ = comments();
    std::uint64_t bytes = 0;
    for (const Old& old : old_) {
        const auto refuse = [&](const std::string& why) {
            return give_up(refused, input_.name() + ": " + old.label + why);
        };
        const auto document = Document::parse(old.packet, reading(how_));
        if (!document) {
            const Item item{0, old.number, old.label, old.packet, old.key};
            input_.complain(item, document.error(), reading(how_));
            return refused;
        }
        std::string why;
        const auto place = place_in(old, document->root(), why);
        if (!place)
            return give_up(refused, why);
        const Found& value = place->value;
        bytes += value.part() ? 0 : value.raw().size();
        if (bytes > most_)
            return too_large(bytes);
        if (contents_ != Contents::value)
            text_ += (text_.empty() ? "" : "\n") +
                     header(form_, old.key, old.number, contents_ == Contents::settings);
        if (value.part() && !form_.is_json()) {
            text_ += brief_value(value);
        } else if (value.part() || !form_.lossless()) {
            const auto text = print_value(value, form_);
            if (!text)
                return refuse(in_words(text.error()));
            text_ += *text;
        } else if (const auto text = expressed(form_, value, how_)) {
            text_ += *text;
        } else if (form_.kind == EditForm::text) {
            say(input_.name() + ": note: edited in gdvar's own form (--full): " + old.label +
                text.error());
            form_.kind = EditForm::full;
            return print();
        } else {
            return refuse(text.error() + "; gdvar set changes single values around it");
        }
        text_ += text_.ends_with('\n') ? "" : "\n";
        if (text_.size() > most_text())
            return too_large(text_.size());
    }
    return fine;
}

std::optional<std::size_t> EditedSave::old_of(const EditedValue& value) const {
    if (contents_ == Contents::value)
        return 0;
    if (contents_ == Contents::records)
        return value.number;
    const auto found = settings_.find(value.key);
    return found == settings_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> EditedSave::take(std::string_view text, const std::string& name) {
    made_.clear();
    auto values = parse_values(text, form_, contents_, old_.size());
    if (!values)
        return shown(values.error(), text, name);
    if (values->empty())
        return {name + ": error[bad_syntax]: the text holds no value"};
    return make(*std::move(values));
}

std::vector<std::string> EditedSave::make(std::vector<EditedValue>&& values) {
    for (EditedValue& value : values) {
        const std::optional<std::size_t> of = old_of(value);
        const Old* old = of ? &old_[*of] : nullptr;
        std::expected<std::vector<std::byte>, std::string> packet;
        if (old) {
            const auto document = Document::parse(old->packet, reading(how_));
            std::string why;
            const auto place = place_in(*old, document.value().root(), why);
            packet = revised(place.value(), value.value, form_, how_);
        } else {
            packet = new_packet(value.value, how_);
        }
        value.value = Variant();
        if (!packet) {
            made_.clear();
            const std::string label = old                               ? old->label
                                      : contents_ == Contents::settings ? value.key + " "
                                                                        : "the new record ";
            return {input_.name() + ": " + label + packet.error()};
        }
        made_.push_back({of, old ? old->key : value.key, *std::move(packet)});
    }
    return {};
}

bool EditedSave::changed() const {
    return !std::ranges::equal(made_, old_, [&](const Made& made, const Old& old) {
        return made.of == static_cast<std::size_t>(&old - old_.data()) && made.packet == old.packet;
    });
}

bool EditedSave::reordered() const {
    auto known = made_ | std::views::filter([](const Made& made) { return made.of.has_value(); });
    return !std::ranges::is_sorted(known, {}, &Made::of);
}

void EditedSave::list_changes(std::vector<std::string>& out) const {
    const auto brief = [&](ByteView packet) {
        const auto document = Document::parse(packet, reading(how_));
        return document ? brief_value(document->root()) : in_words(document.error());
    };
    std::set<std::size_t> stays;
    for (std::size_t i = 0; i < made_.size(); ++i) {
        const Made& made = made_[i];
        if (!made.of) {
            const std::string label =
                contents_ == Contents::settings ? made.key : "#" + std::to_string(i);
            out.push_back("+ " + label + " $: " + brief(made.packet));
            continue;
        }
        const Old& old = old_[*made.of];
        stays.insert(*made.of);
        const auto before = Document::parse(old.packet, reading(how_));
        const auto after = Document::parse(made.packet, reading(how_));
        if (!before || !after)
            continue;
        (void)each_difference(before->root(), after->root(), {}, [&](const Difference& d) {
            std::string line = difference_line(d, old.label + std::string(d.path), false);
            if (d.kind == Difference::set && d.before.type() != d.after.type())
                line += " (" + type_word(d.before) + " becomes " + type_word(d.after) + ")";
            out.push_back(std::move(line));
            return true;
        });
    }
    for (std::size_t i = 0; i < old_.size(); ++i)
        if (!stays.contains(i))
            out.push_back("- " + old_[i].label + "$: " + brief(old_[i].packet));
    if (reordered())
        out.push_back(std::string("> ") +
                      (contents_ == Contents::settings ? "settings" : "records") +
                      " in another order");
}

std::vector<std::string> EditedSave::changes(bool all) const {
    std::vector<std::string> out;
    list_changes(out);
    if (all || out.size() <= most_lines)
        return out;
    const std::string more =
        "... and " + std::to_string(out.size() - most_lines) + " more changes (--verbose)";
    out.resize(most_lines);
    out.push_back(more);
    return out;
}

int EditedSave::write(PacketOutput& out) {
    out.differs();
    int exit = replace_input(input_, out);
    std::size_t behind = 0;
    const auto put = [&](const Old& old, const std::vector<std::byte>& packet) {
        const auto size = validate(old.packet, input_.decoding());
        if (packet != old.packet)
            behind += size ? old.packet.size() - *size : 0;
        return out.packet(packet, old.key, old.number, old.packet);
    };
    if (place_) {
        const int read = input_.each(
            [&](const Item& item) {
                exit = item.number == old_[0].number
                           ? put(old_[0], made_[0].packet)
                           : out.packet(item.packet, item.key, item.number, item.packet);
                return exit == fine;
            },
            Tail::keep_all);
        exit = exit == fine ? read : exit;
    } else {
        for (const Made& made : made_)
            if (exit == fine)
                exit =
                    made.of ? put(old_[*made.of], made.packet) : out.packet(made.packet, made.key);
    }
    if (exit == fine)
        exit = finish(input_, out, behind);
    if (exit != fine)
        return exit;
    say(input_.name() + ": written");
    return fine;
}

}  // namespace gdvar::app
