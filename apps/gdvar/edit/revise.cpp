#include "edit/edit_text.hpp"

#include <algorithm>

#include "gdvar/inspect/diff.hpp"
#include "gdvar/inspect/edit.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/value/codec.hpp"
#include "inspect/packet_edit.hpp"
#include "options/values.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {

using Packet = std::expected<std::vector<std::byte>, std::string>;

/// A value as the dialect holds it. Errors, in words, with the path below `at`.
std::expected<Document, std::string> document_of(const Variant& value, const std::string& at,
                                                 const EncodeOptions& how) {
    auto bytes = encode(value, how);
    if (!bytes)
        return std::unexpected(at + error_path(value, how, bytes.error()).substr(1) + ": " +
                               in_words(bytes.error()));
    auto document = Document::parse(*std::move(bytes), reading(how));
    if (!document)
        return std::unexpected(at + ": " + in_words(document.error()));
    return *std::move(document);
}

/// The type that a typed container wants; `nil` if it takes any.
Type wanted_of(const ContainerType& type) {
    return type.kind == ContainerKind::builtin ? type.type : Type::nil;
}
Type wanted_in(const View& container) {
    if (!container)
        return Type::nil;
    return wanted_of(container.is(Type::dictionary) ? container.value_type()
                                                    : container.element_type());
}

std::string takes_only(Type type) {
    return "error[wrong_type]: the container takes only " + std::string(type_name(type));
}

/// The value in the type that the place has, or, where nothing is there yet, wants.
std::expected<Variant, std::string> fitted(const View& before, const View& container,
                                           const Variant& value) {
    const Type wanted = wanted_in(container);
    if (!before) {
        auto fits = wanted == Type::nil ? value : in_type(value, wanted);
        if (!fits)
            return std::unexpected(takes_only(wanted));
        return *std::move(fits);
    }
    SetRules rules{.whole = true};
    auto plan = plan_set(before, "$", value, rules);
    if (!plan && plan.error().needs == SetNeeds::type) {
        if (wanted != Type::nil && wanted != value.type())
            return std::unexpected(takes_only(wanted));
        rules.type = value.type();
        plan = plan_set(before, "$", value, rules);
    }
    if (!plan)
        return std::unexpected(in_words(plan.error().error.code, plan.error().what));
    return std::move(plan->value);
}

/// Whether writing the value anew gives its bytes. A Dictionary with a repeated key is replaced as
/// a whole, which would change odd encodings in it.
bool is_as_written(const View& value, const EncodeOptions& how) {
    const auto read = value.get<Variant>();
    const auto bytes = read ? encode(*read, how) : std::unexpected(read.error());
    return bytes && std::ranges::equal(as_bytes(*bytes), value.raw());
}

/// The differences as changes of the value that was there, in its types.
class Changes {
public:
    Changes(const EditedPlace& place, const EncodeOptions& how) : place_(place), how_(how) {}

    /// False after a problem.
    bool take(const Difference& d) {
        Change change = change_of(d);
        const std::string at = place_.path + std::string(d.path.substr(1));
        const View& container = d.container ? d.container : place_.container;
        if (d.kind == Difference::insert && container.is(Type::dictionary))
            if (!take_key(change, container, at))
                return false;
        if (d.kind == Difference::set || d.kind == Difference::insert) {
            auto value = fitted(d.before, container, change.value);
            if (!value)
                return refuse(at + ": " + value.error());
            change.value = *std::move(value);
            if (auto why = d.before && is_as_written(d.before, how_)
                               ? refused_replacement(at, change.value, how_)
                               : refused_value(at, change.value, how_))
                return refuse(*std::move(why));
        }
        patch.push_back(std::move(change));
        return true;
    }

    Patch patch;
    std::string problem;

private:
    bool refuse(std::string why) {
        problem = std::move(why);
        return false;
    }
    bool take_key(Change& change, const View& dictionary, const std::string& at) {
        const std::size_t last = change.at.size() - 1;
        if (const Type wanted = wanted_of(dictionary.key_type()); wanted != Type::nil) {
            auto fits = in_type(change.at[last], wanted);
            if (!fits)
                return refuse(at + ": " + takes_only(wanted) + " as keys");
            change.at[last] = *std::move(fits);
        }
        auto why = refused_value(at + " key", change.at[last], how_);
        return why ? refuse(*std::move(why)) : true;
    }

    const EditedPlace& place_;
    const EncodeOptions& how_;
};

/// A component of a math value, or an element of a packed array.
Packet revised_part(const EditedPlace& place, const Variant& now, const EncodeOptions& how) {
    const auto document = Document::parse(place.packet, reading(how));
    if (!document)
        return std::unexpected(in_words(document.error()));
    const auto plan = plan_set(document->root(), place.path, now);
    if (!plan)
        return std::unexpected(place.path + ": " +
                               in_words(plan.error().error.code, plan.error().what));
    auto made = set_value(place.packet, place.path, plan->value, reading(how));
    if (!made)
        return std::unexpected(place.path + ": " + in_words(made.error()));
    const ByteView bytes = as_bytes(*made);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

/// The value that a text in plain JSON stands for.
std::expected<Variant, std::string> lifted(const EditedPlace& place, const Variant& now,
                                           const EditForm& form, const EncodeOptions& how) {
    const auto text = print_value(place.value, form);
    if (!text)
        return std::unexpected(in_words(text.error()));
    std::size_t size = 0;
    auto read = parse_value(*text, form, size);
    if (!read)
        return std::unexpected(read.error().what);
    const auto shown = document_of(*read, place.path, how);
    const auto changed = document_of(now, place.path, how);
    if (!shown || !changed)
        return std::unexpected(shown ? changed.error() : shown.error());
    auto lifted = with_plain_changes(place.value, shown->root(), changed->root());
    if (!lifted)
        return std::unexpected(place.path + lifted.error());
    return lifted;
}

}  // namespace

DecodeOptions reading(const EncodeOptions& how) {
    DecodeOptions out{
        .dialect = how.dialect, .allow_objects = how.allow_objects, .real_width = how.real_width};
    out.limits.max_depth = how.max_depth;
    return out;
}

std::expected<std::string, std::string> expressed(const EditForm& form, const View& value,
                                                  const EncodeOptions& how) {
    const auto refuse = [&](const std::string& at, const std::string& why) {
        return std::unexpected(at + ": " + form.name() + " does not express this" + why);
    };
    auto text = print_value(value, form);
    if (!text)
        return std::unexpected("$: " + in_words(text.error()));
    std::size_t size = 0;
    const auto read = parse_value(*text, form, size);
    if (!read)
        return refuse("$", " (" + read.error().what + ")");
    const auto document = document_of(*read, "$", how);
    if (!document)
        return refuse("$", " (" + document.error() + ")");
    std::string first;
    const auto found = each_difference(value, document->root(), {}, [&](const Difference& d) {
        first = d.path;
        return false;
    });
    if (!found)
        return std::unexpected("$: " + in_words(found.error()));
    if (*found)
        return refuse(first, "");
    return *std::move(text);
}

Packet revised(const EditedPlace& place, const Variant& now, const EditForm& form,
               const EncodeOptions& how) {
    if (place.value.part())
        return revised_part(place, now, how);
    std::optional<Variant> made;
    if (!form.lossless()) {
        auto value = lifted(place, now, form, how);
        if (!value)
            return std::unexpected(value.error());
        made = *std::move(value);
    }
    const auto changed = document_of(made ? *made : now, place.path, how);
    if (!changed)
        return std::unexpected(changed.error());
    Changes changes(place, how);
    const auto found = each_difference(place.value, changed->root(), {},
                                       [&](const Difference& d) { return changes.take(d); });
    if (!found)
        return std::unexpected(in_words(found.error()));
    if (!changes.problem.empty())
        return std::unexpected(std::move(changes.problem));
    const ByteView old = place.value.raw();
    const auto value = patch_packet(old, changes.patch, reading(how));
    if (!value)
        return std::unexpected(place.path + ": " + in_words(value.error().error));
    const std::size_t at = static_cast<std::size_t>(old.data() - place.packet.data());
    auto out = inspect::with_bytes(place.packet, at, old.size(), as_bytes(*value));
    if (const auto sound = check_edited(place.packet, out, how); !sound)
        return std::unexpected(in_words(out, how, sound.error()));
    return out;
}

Packet new_packet(const Variant& value, const EncodeOptions& how) {
    if (auto why = refused_value("$", value, how))
        return std::unexpected(*std::move(why));
    auto packet = encode(value, how);
    if (!packet)
        return std::unexpected(in_words(packet.error()));
    const ByteView bytes = as_bytes(*packet);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

}  // namespace gdvar::app
