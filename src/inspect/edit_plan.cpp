#include "gdvar/inspect/edit_plan.hpp"

#include <charconv>
#include <cmath>
#include <new>

#include "base/exceptions.hpp"
#include "base/number.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/builder.hpp"
#include "inspect/brief.hpp"
#include "inspect/edit_bytes.hpp"
#include "inspect/part.hpp"
#include "inspect/plan_there.hpp"
#include "wire/real_twin.hpp"

namespace gdvar::inspect {
namespace {

using detail::with_article;

std::optional<Variant> number_in(const Variant& value, Type type) {
    constexpr double limit = 9223372036854775808.0;
    if (type == Type::real && value.is(Type::integer)) {
        const auto real = static_cast<double>(value.integer());
        if (real < limit && static_cast<std::int64_t>(real) == value.integer())
            return Variant(real);
    }
    if (type == Type::integer && value.is(Type::real)) {
        const double real = value.real();
        if (std::trunc(real) == real && real >= -limit && real < limit)
            return Variant(static_cast<std::int64_t>(real));
    }
    return std::nullopt;
}

std::optional<Variant> text_in(const Variant& value, Type type) {
    std::string_view text;
    if (value.is(Type::string) || value.is(Type::string_name))
        text = value.text();
    else
        return std::nullopt;
    if (type == Type::string)
        return Variant(text);
    if (type == Type::string_name)
        return Variant(StringName(text));
    if (type == Type::node_path && value.is(Type::string))
        return Variant(NodePath(text));
    return std::nullopt;
}

/// The components converted to the type; nothing if one does not fit.
std::optional<Variant> math_in(const MathView& from, Type type, bool wide) {
    const TypeInfo& to = type_info(type);
    if (from.type != type && detail::real_twin(type) != from.type &&
        detail::real_twin(from.type) != type)
        return std::nullopt;
    const bool integral = to.component == ComponentType::i32;
    alignas(8) std::byte components[16 * 8];
    for (std::size_t i = 0; i < from.components(); ++i) {
        const double value = from.integral() ? from.integer(i) : from.real(i);
        if (integral) {
            if (std::trunc(value) != value || value < -2147483648.0 || value > 2147483647.0)
                return std::nullopt;
            const auto whole = static_cast<std::int32_t>(value);
            std::memcpy(components + 4 * i, &whole, 4);
        } else if (wide) {
            std::memcpy(components + 8 * i, &value, 8);
        } else {
            // Rounded, as engines do it; but not out of its range.
            const auto single = static_cast<float>(value);
            if (std::isinf(single) && !std::isinf(value))
                return std::nullopt;
            std::memcpy(components + 4 * i, &single, 4);
        }
    }
    Variant out;
    VariantBuilder builder(out);
    if (builder.math({type, wide && !integral, true, components}) != Errc::ok)
        return std::nullopt;
    return out;
}

/// The required element types, as far as they are builtin types.
Type element_of(const ContainerType& type) noexcept {
    return type.kind == ContainerKind::builtin ? type.type : Type::nil;
}

/// Converts each element to the typed container's type. False if one does not fit.
bool retyped(Array& array, const ContainerType& type) {
    if (!type.typed())
        return true;
    const Type element = element_of(type);
    for (std::size_t i = 0; i < array.size() && element != Type::nil; ++i) {
        auto fits = in_type(array[i], element);
        if (!fits)
            return false;
        array[i] = *std::move(fits);
    }
    array.set_element_type(type);
    return true;
}

bool retyped(Dictionary& dictionary, const ContainerType& key, const ContainerType& value) {
    if (!key.typed() && !value.typed())
        return true;
    Dictionary out;
    for (const auto& pair : dictionary) {
        std::optional<Variant> k(pair.key), v(pair.value);
        if (element_of(key) != Type::nil)
            k = in_type(pair.key, element_of(key));
        if (element_of(value) != Type::nil)
            v = in_type(pair.value, element_of(value));
        if (!k || !v)
            return false;
        out.append(*std::move(k), *std::move(v));
    }
    out.set_types(key, value);
    dictionary = std::move(out);
    return true;
}

/// Where a value is to be put.
struct Place {
    std::string_view path;
    std::uint64_t offset = 0;
};

std::unexpected<SetRefusal> refuse(SetNeeds needs, Errc code, const Place& place, std::string what,
                                   Type type = Type::nil) {
    return std::unexpected(SetRefusal{needs, Error{code, type, place.offset, 0},
                                      std::string(place.path), std::move(what), type});
}

/// The place of a value of type `wanted`.
std::unexpected<SetRefusal> refuse_type(SetNeeds needs, const Place& place, Type wanted, Type found,
                                        std::string what) {
    auto refusal = refuse(needs, Errc::wrong_type, place, std::move(what), found);
    refusal.error().error = refusal.error().error.about_types(wanted);
    return refusal;
}

std::unexpected<SetRefusal> refuse(SetNeeds needs, const Misstep& misstep) {
    return std::unexpected(
        SetRefusal{needs, misstep.error, misstep.at, to_string(misstep), misstep.type});
}

/// In the type that the place wants, or `wanted` none.
std::expected<Variant, SetRefusal> as_wanted(const Variant& value, Type wanted, const Place& place,
                                             const char* who) {
    if (auto fits = in_type(value, wanted))
        return *std::move(fits);
    return refuse_type(SetNeeds::another_value, place, wanted, value.type(),
                       who + with_article(wanted) + ", the value is " + with_article(value.type()));
}
constexpr const char *asked_for = "asked for is ", *takes_only = "this takes only ";

/// The type that a container has for its elements or values; nil for any.
Type element_in(const View& container) noexcept {
    return element_of(container.is(Type::dictionary) ? container.value_type()
                                                     : container.element_type());
}

/// In the place of a value that is there, of that type.
std::expected<Variant, SetRefusal> in_place_of(const View& old, Type wanted, const Place& place,
                                               const Variant& value, const SetRules& rules) {
    auto fits = in_type(value, wanted, is_math(wanted) && wanted == old.type() && old.wide());
    if (!fits && rules.type)
        return as_wanted(value, *rules.type, place, asked_for);
    if (!fits && wanted != old.type())
        return as_wanted(value, wanted, place, takes_only);
    if (!fits)
        return refuse_type(
            SetNeeds::type, place, wanted, value.type(),
            "this is " + with_article(old.type()) + ", the value is " + with_article(value.type()));
    bool good = true;
    Array* array = fits->get_if<Array>();
    if (array && old.is(Type::array) && !array->element_type().typed())
        good = retyped(*array, old.element_type());
    Dictionary* pairs = fits->get_if<Dictionary>();
    if (pairs && old.is(Type::dictionary) && !pairs->key_type().typed() &&
        !pairs->value_type().typed())
        good = retyped(*pairs, old.key_type(), old.value_type());
    if (good)
        return *std::move(fits);
    return refuse(
        SetNeeds::another_value, Errc::wrong_type, place,
        "this typed " + std::string(type_name(old.type())) + " does not take these elements",
        value.type());
}

/// Whether the float of 32 bits reads as another number than was asked for, by its shortest digits.
bool reads_differently(double asked, float stored) {
    if (static_cast<double>(stored) == asked || asked != asked)
        return false;
    const detail::Shortest<float> digits(stored);
    double read = 0;
    std::from_chars(digits.view().data(), digits.view().data() + digits.view().size(), read);
    return read != asked;
}

/// The same for a value that became another one.
bool reads_differently(const Variant& asked, const Variant& stored) {
    if (asked.is(Type::real) && stored.is(Type::real))
        return reads_differently(asked.real(), static_cast<float>(stored.real()));
    if (!is_math(asked.type()) || !is_math(stored.type()))
        return false;
    const MathView from = asked.math(), to = stored.math();
    if (to.integral() || to.wide || from.components() != to.components())
        return false;
    for (std::size_t i = 0; i < from.components(); ++i) {
        const double number = from.integral() ? from.integer(i) : from.real(i);
        if (reads_differently(number, static_cast<float>(to.real(i))))
            return true;
    }
    return false;
}

/// Rounds floats that are stored in 32 bits, as `set_value` does. Numbers out of their range are
/// left as they are; `set_value` refuses them.
void round_to_width(SetPlan& plan, bool narrow) {
    Variant& value = plan.value;
    std::optional<Variant> rounded;
    if (narrow && value.is(Type::integer))
        rounded = number_in(value, Type::real);
    const double number = rounded ? rounded->real() : value.is(Type::real) ? value.real() : 0;
    if (narrow && (rounded || value.is(Type::real))) {
        const auto single = static_cast<float>(number);
        if (!std::isinf(single) || std::isinf(number))
            rounded = Variant(static_cast<double>(single));
    } else if (narrow && is_math(value.type()) && value.math().wide) {
        rounded = math_in(value.math(), value.type(), false);
    }
    if (!rounded)
        return;
    const Variant asked = value.is(Type::integer) ? Variant(number) : value;
    if (reads_differently(asked, *rounded))
        plan.asked = asked;
    value = *std::move(rounded);
}

/// Plans a value behind the last element, or at a new key.
std::expected<SetPlan, SetRefusal> plan_added(const View& root, const Misstep& misstep,
                                              const Variant& value, const SetRules& rules) {
    const auto parent = lookup(root, misstep.at);
    if (!parent)
        return refuse(SetNeeds::another_path, misstep);
    if (misstep.step != "[+]" && !rules.create)
        return refuse(SetNeeds::create, misstep);
    const Place place{misstep.at, misstep.error.offset};
    SetPlan plan{.value = value, .added = true};
    Type wanted = Type::nil;
    const char* who = takes_only;
    if (parent->is(Type::array) || parent->is(Type::packed_typed_array) ||
        parent->is(Type::dictionary))
        wanted = element_in(*parent);
    if (wanted == Type::nil && rules.type) {
        wanted = *rules.type;
        who = asked_for;
    }
    if (type_info(parent->type()).packed)
        round_to_width(plan, parent->packed().component() == ComponentType::f32);
    if (wanted == Type::nil && !rules.type)
        return plan;
    auto fits = as_wanted(value, wanted, place, who);
    if (!fits)
        return std::unexpected(std::move(fits.error()));
    plan.value = *std::move(fits);
    return plan;
}

bool takes_elements(Type type) noexcept {
    return type == Type::array || type == Type::packed_typed_array ||
           type == Type::packed_string_array || type_info(type).packed;
}

/// Where the path leads nowhere.
std::expected<SetPlan, SetRefusal> plan_beside(const View& root, const Misstep& misstep,
                                               const Variant& value, const SetRules& rules) {
    const bool appends = misstep.step == "[+]" && takes_elements(misstep.type);
    const bool new_key = misstep.error.code == Errc::missing_key &&
                         (misstep.type == Type::dictionary || misstep.type == Type::object);
    if (misstep.last && !misstep.several && (appends || new_key))
        return plan_added(root, misstep, value, rules);
    const bool behind = misstep.last && takes_elements(misstep.type) &&
                        misstep.step == "[" + std::to_string(misstep.size) + "]";
    return refuse(behind ? SetNeeds::append : SetNeeds::another_path, misstep);
}

std::expected<SetPlan, SetRefusal> plan(const View& root, const Path& path, const Variant& value,
                                        const SetRules& rules) {
    if (const auto misstep = detail::first_misstep_alone(root, path)) {
        auto beside = plan_beside(root, *misstep, value, rules);
        // Words also say what may have been meant.
        if (!beside)
            if (const auto in_words = first_misstep(root, path))
                return plan_beside(root, *in_words, value, rules);
        return beside;
    }
    auto old = lookup(root, path);
    const std::string text = detail::to_string(path.steps);
    if (!old)
        return refuse(SetNeeds::another_path, Errc::no_memory, {text},
                      std::string(error_meaning(Errc::no_memory)));
    View parent;
    if (!path.whole() && !old->part()) {
        Path outside = path;
        outside.steps.pop_back();
        if (const auto found = lookup(root, outside))
            parent = *found;
    }
    return detail::plan_there(*std::move(old), parent, text, path.whole(), value, rules);
}

}  // namespace

std::optional<Variant> in_type(const Variant& value, Type type, bool wide) {
    if (is_math(type) && is_math(value.type())) {
        if (value.type() == type && value.math().wide == wide)
            return value;
        if (value.type() == type && value.math().wide && !wide)
            return value;
        return math_in(value.math(), type, wide);
    }
    if (value.is(type))
        return value;
    if (auto number = number_in(value, type))
        return number;
    return text_in(value, type);
}

std::expected<SetPlan, SetRefusal> plan_set(const View& root, const Path& path,
                                            const Variant& value, const SetRules& rules) GDVAR_TRY {
    return plan(root, path, value, rules);
}
GDVAR_CATCH_NO_MEMORY(return refuse(SetNeeds::another_value, Errc::no_memory, {},
                                    std::string(error_meaning(Errc::no_memory))))

std::expected<SetPlan, SetRefusal> plan_set(const View& root, std::string_view path,
                                            const Variant& value, const SetRules& rules) {
    const auto parsed = detail::parse_value_path(path);
    if (parsed)
        return plan_set(root, *parsed, value, rules);
    Misstep misstep;
    misstep.error = parsed.error();
    misstep.at = path;
    return refuse(SetNeeds::another_path, misstep);
}

std::string cut_text(std::string text, std::size_t most) {
    if (text.size() <= most)
        return text;
    text.resize(utf8::cut(text, most));
    return text + "...";
}

std::string brief_value(const View& value) {
    constexpr std::size_t most_bytes = 4096;
    const std::string type(type_name(value.type()));
    if (value.raw().size() <= most_bytes)
        return cut_text(to_text_full(value).value_or(type));
    if (value.is(Type::string) || value.is(Type::string_name))
        return type + " (" + std::to_string(value.raw().size()) + " bytes)";
    const std::size_t count =
        detail::has_parts(value) ? detail::element_count(value) : value.size();
    return type + " (" + std::to_string(count) +
           (value.is(Type::dictionary) ? " pairs)"
            : value.is(Type::object)   ? " properties)"
                                       : " elements)");
}

std::string brief_value(const Found& value) {
    if (value.narrow() && value.is(Type::real))
        if (const auto number = value.get<double>())
            return brief::number(static_cast<float>(*number));
    return brief_value(static_cast<const View&>(value));
}

std::string brief_value(const Variant& value) {
    return cut_text(to_text_full(value).value_or(std::string(type_name(value.type()))));
}

}  // namespace gdvar::inspect

namespace gdvar::detail {

std::expected<inspect::SetPlan, inspect::SetRefusal> plan_there(inspect::Found old,
                                                                const View& parent,
                                                                std::string_view path, bool root,
                                                                const Variant& value,
                                                                const inspect::SetRules& rules) {
    using namespace inspect;
    const Place place{path, old.part() ? 0 : old.offset()};
    // A record of one number is set as any other number is.
    const bool much = is_packed(old.type()) || old.is(Type::dictionary) || old.is(Type::array) ||
                      old.is(Type::object);
    if (root && much && !rules.type && !rules.whole)
        return refuse(SetNeeds::type, Errc::wrong_type, place,
                      "this is the whole value, " + with_article(old.type()) + " of " +
                          std::to_string(old.raw().size()) + " bytes",
                      value.type());
    // Parts of values have fixed types. Values for typed containers are converted.
    const SetRules none{};
    const SetRules& allowed = old.part() ? none : rules;
    const Type element = old.part() || !parent ? Type::nil : element_in(parent);
    const Type wanted = allowed.type.value_or(element == Type::nil ? old.type() : element);
    auto put = in_place_of(old, wanted, place, value, allowed);
    if (!put) {
        // So are the elements of a typed container: no rule puts another type there.
        if (old.part() || (parent && !taken_in(parent, value, 0)))
            put.error().needs = SetNeeds::another_value;
        return std::unexpected(std::move(put.error()));
    }
    SetPlan plan{.value = *std::move(put), .before = std::move(old)};
    const Found& there = plan.before;
    if (there.part())
        round_to_width(plan, there.narrow() || (is_math(there.type()) && !there.wide()));
    else if (is_math(value.type()) && reads_differently(value, plan.value))
        plan.asked = value;  // ints, or wider floats
    return plan;
}

}  // namespace gdvar::detail
