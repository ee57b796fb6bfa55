#include "gdvar/value/path.hpp"
#include "gdvar/value/step.hpp"
#include "gdvar/value/walk.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar {

using Step = Path::Step;

namespace {

const Variant nil;

/// The value of the pair whose key, or whose number, is printed like `printed`: the only way to
/// find keys that are neither texts nor ints.
const Variant* find_printed(const Dictionary& dictionary, const std::string& printed) {
    const Variant* found = nullptr;
    std::uint32_t ordinal = 0;
    for (const auto& [key, value] : dictionary) {
        detail::PathStep step;
        step.kind = detail::PathStep::value;
        step.index = ordinal;
        (void)drive(key, detail::KeyStep(step));
        std::string text;
        detail::append_step(text, step);
        if (text == printed || printed == "[@" + std::to_string(ordinal) + "]")
            found = &value;
        ++ordinal;
    }
    return found;
}

bool is_name(const Step& step) noexcept {
    return !step.descends && step.kind == Path::StepKind::name;
}

/// Takes one step. Null, with the reason in `why`, if it leads nowhere.
const Variant* follow(const Variant& in, const Step& step, Error& why) {
    if (is_name(step))
        return detail::step_into(in, step.text, why);
    if (!step.descends && step.kind == Path::StepKind::index) {
        const Array* array = in.get_if<Array>();
        const bool from_end = array && step.index < 0;
        return detail::step_into(
            in, from_end ? step.index + static_cast<std::int64_t>(array->size()) : step.index, why);
    }
    const std::string printed = step.to_string();
    const Dictionary* dictionary = in.get_if<Dictionary>();
    why = Error{dictionary ? Errc::missing_key : Errc::wrong_type, in.type()}.about_key(printed);
    return dictionary ? find_printed(*dictionary, printed) : nullptr;
}

Variant* follow(Variant& in, const Step& step, Error& why) {
    const Variant* found = follow(std::as_const(in), step, why);
    if (found)
        VariantAccess::block(in)->touch();
    return const_cast<Variant*>(found);
}

/// Follows the path as far as it leads; `done` is the number of steps taken.
template <class V>
V& walk(V& root, const std::vector<Step>& parts, std::size_t& done, Error& why) {
    V* at = &root;
    for (done = 0; done < parts.size(); ++done) {
        V* next = follow(*at, parts[done], why);
        if (!next)
            break;
        at = next;
    }
    return *at;
}

template <class V>
std::expected<std::reference_wrapper<V>, Error> lookup_in(V& root, std::string_view path) {
    const auto parsed = detail::parse_value_path(path);
    if (!parsed)
        return std::unexpected(parsed.error());
    Error why;
    std::size_t done;
    V& at = walk(root, parsed->steps, done, why);
    if (done < parsed->steps.size())
        return std::unexpected(why);
    return at;
}

}  // namespace

std::expected<std::reference_wrapper<Variant>, Error> Variant::lookup(std::string_view path) & {
    return lookup_in(*this, path);
}
std::expected<std::reference_wrapper<const Variant>, Error> Variant::lookup(
    std::string_view path) const& {
    return lookup_in(*this, path);
}

std::expected<std::reference_wrapper<Variant>, Error> Variant::set_path(std::string_view path,
                                                                        Variant value) & {
    const auto parsed = detail::parse_value_path(path);
    if (!parsed)
        return std::unexpected(parsed.error());
    Error why;
    std::size_t done;
    Variant& at = walk(*this, parsed->steps, done, why);
    if (done == parsed->steps.size()) {
        at = std::move(value);
        return at;
    }
    if (!is_name(parsed->steps[done]))
        return std::unexpected(why);
    for (std::size_t i = parsed->steps.size(); --i > done;)
        if (!is_name(parsed->steps[i])) {
            (void)follow(nil, parsed->steps[i], why);
            return std::unexpected(why);
        }
    Variant* made = nullptr;
    for (std::size_t i = parsed->steps.size(); --i > done;)
        detail::wrap(parsed->steps[i].text, value, made);
    auto set = at[parsed->steps[done].text].set(std::move(value));
    if (set && made)
        return *made;
    return set;
}

}  // namespace gdvar
