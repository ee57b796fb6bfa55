#include "gdvar/inspect/convert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "base/escape.hpp"
#include "base/exceptions.hpp"
#include "gdvar/wire/conversion.hpp"
#include "gdvar/wire/encoder.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/reader.hpp"
#include "inspect/convert_for.hpp"
#include "inspect/loss_taker.hpp"
#include "inspect/skipping.hpp"
#include "inspect/wanted_types.hpp"
#include "text/rules.hpp"
#include "wire/real_twin.hpp"
#include "wire/repeated_keys.hpp"

namespace gdvar::inspect {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr float largest = std::numeric_limits<float>::max();

/// An Encoder that replaces each value that the target can't express by the nearest one.
class Converter {
public:
    Converter(BufferOutput& bytes, const EncodeOptions& options, Conversion& out,
              const Renames* renames, ConversionReport* report, bool text)
        : probe_(count_, options),
          real_(bytes, options),
          dialect_(*options.dialect),
          losses_{out.losses, report},
          made_(out.renames),
          renames_(renames),
          direction_(is_godot_4(dialect_.family) ? Renames::Direction::to_new
                                                 : Renames::Direction::to_old),
          joins_halves_(detail::text_rules(dialect_.family).surrogates ==
                        detail::Surrogates::spaces),
          lacks_numbers_(text && !detail::text_rules(dialect_.family).special_components) {}
    using Source = detail::Skipping<Converter>;
    void follow(const PathTracker<Source>& tracker) { tracker_ = &tracker; }

    /// Some engines accept only null and a resource's path for `script`. For them null replaces
    /// every other value.
    bool skips(Type type, std::string_view text, Errc& code) {
        if (const Type wanted = wanted_.misfit(type); wanted != Type::nil)
            losses_.take(type, detail::misfit_in_words(type, wanted), detail::misfit_stays,
                         *tracker_);
        // A number's own handler checks for 0.
        if (!differs_.empty() && type != Type::boolean && type != Type::integer &&
            type != Type::real)
            lose_property(type, type != Type::nil);
        if (type != Type::integer && std::exchange(at_key_, false) && type != Type::nil)
            lose(type, "a key that is no int", "stays as it is");
        if (!std::exchange(at_script_, false))
            return false;
        const bool is_path = type == Type::string && text.starts_with("res://");
        if (type == Type::nil || is_path)
            return false;
        lose(type,
             std::string(dialect_.name) + " takes no " + std::string(type_name(type)) +
                 " for an Object's script but the path of a resource",
             "becomes null");
        code = real_.nil();
        return true;
    }

    Errc nil() { return real_.nil(); }
    Errc boolean(bool v) {
        lose_property(Type::boolean, v);
        return real_.boolean(v);
    }
    Errc integer(std::int64_t v) {
        lose_property(Type::integer, v != 0);
        if (std::exchange(at_key_, false))
            v = other_key(v);
        if (probe_.integer(v) == Errc::ok)
            return real_.integer(v);
        const std::int64_t nearest = v < 0 ? INT32_MIN : INT32_MAX;
        lose(Type::integer, "an int beyond 32 bits", "becomes " + std::to_string(nearest));
        return real_.integer(nearest);
    }
    Errc real(double v) {
        lose_property(Type::real, v != 0);
        if (lacks_numbers_ && v == -infinity) {
            lose_number(Type::real);
            v = static_cast<double>(-largest);
        }
        if (probe_.real(v) == Errc::ok)
            return real_.real(v);
        lose(Type::real, "a float that single precision does not hold", "is rounded");
        return real_.real(static_cast<double>(narrow(v)));
    }
    Errc string(std::string_view v) { return real_.string(fitting(Type::string, v)); }
    Errc string_name(std::string_view v) {
        const std::string_view text = fitting(Type::string_name, v);
        if (dialect_.has(Type::string_name))
            return real_.string_name(text);
        lose_type(Type::string_name, "becomes a String");
        return real_.string(text);
    }
    Errc node_path(const NodePathView& v) {
        const Errc code = probe_.node_path(v);
        if (code == Errc::ok)
            return real_.node_path(v);
        lose(Type::node_path, "a path that is not UTF-8 there", "becomes null");
        return real_.nil();
    }
    Errc math(const MathView& v) {
        if (probe_.math(v) == Errc::ok) {
            const bool single = !v.integral() && !v.wide;
            const auto other = finite(v.type, v.data, single ? v.components() : 0, v.host_order);
            return real_.math(other.empty() ? v : MathView{v.type, false, true, bytes_of(other)});
        }
        float components[16];
        for (std::size_t i = 0; i < v.components(); ++i)
            components[i] = v.integral() ? static_cast<float>(v.integer(i)) : narrow(v.real(i));
        const Type twin = v.integral() ? detail::real_twin(v.type) : v.type;
        const MathView single{twin, false, true, reinterpret_cast<const std::byte*>(components)};
        if (probe_.math(single) == Errc::ok) {
            if (v.integral())
                lose_type(v.type, "becomes a " + std::string(type_name(twin)));
            else
                lose(v.type, "double precision", "becomes single precision");
            return math(single);
        }
        lose_type(v.type, "becomes an Array of its components");
        Errc code = real_.begin_array(Type::array, {}, static_cast<std::uint32_t>(v.components()));
        for (std::size_t i = 0; i < v.components() && code == Errc::ok; ++i)
            code = v.integral() ? integer(v.integer(i)) : real(static_cast<double>(components[i]));
        return code == Errc::ok ? real_.end() : code;
    }
    Errc packed(const PackedView& v) {
        if (probe_.packed(v) == Errc::ok) {
            const bool single = v.component() == ComponentType::f32 && !v.wide;
            const auto other =
                finite(v.type, v.data, single ? v.count * v.components() : 0, v.host_order);
            return real_.packed(
                other.empty() ? v : PackedView{v.type, false, true, v.count, bytes_of(other)});
        }
        if (v.wide) {
            std::vector<float> components(v.count * v.components());
            for (std::size_t i = 0; i < components.size(); ++i)
                components[i] = narrow(v.component_at<double>(i));
            lose(v.type, "double precision", "becomes single precision");
            return packed({v.type, false, true, v.count, bytes_of(components)});
        }
        // Each element by itself, in the target's form for it.
        const bool vectors = v.components() > 1;
        lose_type(v.type, "becomes an Array");
        Errc code = real_.begin_array(Type::array, {}, v.count);
        const auto element = [&](std::size_t i) -> Errc {
            if (v.component() == ComponentType::i64)
                return integer(v.component_at<std::int64_t>(i));
            if (v.component() == ComponentType::f64)
                return real(v.component_at<double>(i));
            if (!vectors)
                return v.component() == ComponentType::i32
                           ? integer(v.component_at<std::int32_t>(i))
                           : real(static_cast<double>(v.component_at<float>(i)));
            return math(
                {packed_element(v.type), false, v.host_order, v.data + i * v.element_size()});
        };
        for (std::size_t i = 0; i < v.count && code == Errc::ok; ++i)
            code = element(i);
        return code == Errc::ok ? real_.end() : code;
    }
    Errc rid(std::uint64_t v) {
        if (probe_.rid(v) == Errc::ok)
            return real_.rid(v);
        if (probe_.rid(0) == Errc::ok) {
            lose(Type::rid, "a RID's number", "becomes an empty RID");
            return real_.rid(0);
        }
        return to_null(Type::rid);
    }
    Errc object_null() {
        if (probe_.object_null() == Errc::ok)
            return real_.object_null();
        lose(Type::object, "a null Object", "becomes null");
        return real_.nil();
    }
    Errc object_id(std::uint64_t v) {
        return or_null(Type::object, [&](auto& to) { return to.object_id(v); });
    }
    Errc begin_object(std::string_view name, std::uint32_t count) {
        // Without a form for objects, a Dictionary of the properties keeps the most.
        if (dialect_.has(Type::object) && dialect_.objects == ObjectForm::full_or_id) {
            open_.push_back(Open::object);
            const std::string_view renamed = renamed_class(name);
            // Properties are listed under the class's old name.
            classes_.push_back(direction_ == Renames::Direction::to_new ? name : renamed);
            wanted_.open();
            return real_.begin_object(renamed, count);
        }
        lose_type(Type::object, "becomes a Dictionary of its properties");
        open_.push_back(Open::object_as_dictionary);
        wanted_.open();
        return real_.begin_dictionary({}, {}, count);
    }
    Errc property(std::string_view name) {
        name = fitting(Type::object, name);
        if (open_.back() == Open::object_as_dictionary)
            return real_.string(name);
        if (renames_) {
            const Renames::Name becomes = renames_->property(classes_.back(), name, direction_);
            differs_ = becomes.differs;
            if (!differs_.empty())
                differing_ = name;
            at_key_ = becomes.keys;
            name = noted(Type::object, name, becomes);
        }
        at_script_ = dialect_.script == ScriptForm::resource_path && name == "script";
        return real_.property(name);
    }
    Errc callable() {
        return or_null(Type::callable, [&](auto& to) { return to.callable(); });
    }
    Errc signal(std::string_view name, std::uint64_t object) {
        return or_null(Type::signal, [&](auto& to) { return to.signal(name, object); });
    }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value,
                          std::uint32_t count) {
        open_.push_back(Open::container);
        const bool typed = key.typed() || value.typed();
        const bool stays = !typed || (dialect_.typed_dictionaries() && has(key) && has(value));
        wanted_.open(stays ? key : ContainerType(), stays ? value : ContainerType());
        if (stays)
            return real_.begin_dictionary(renamed(key), renamed(value), count);
        lose(Type::dictionary, "the key and value types of a Dictionary", "loses them");
        return real_.begin_dictionary({}, {}, count);
    }
    Errc begin_array(Type type, const ContainerType& element, std::uint32_t count) {
        open_.push_back(Open::container);
        if (type == Type::packed_typed_array && !dialect_.has(type)) {
            lose_type(type, "becomes an Array");
            type = Type::array;
        }
        const bool stays = !element.typed() || (takes_typed(type) && has(element));
        wanted_.open(stays ? element : ContainerType(), stays ? element : ContainerType());
        if (stays)
            return real_.begin_array(type, renamed(element), count);
        lose(type, "the element type of an Array", "loses it");
        return real_.begin_array(type, {}, count);
    }
    Errc begin_packed_strings(std::uint32_t count) {
        open_.push_back(Open::container);
        wanted_.open();
        return real_.begin_packed_strings(count);
    }
    Errc packed_string(std::string_view v) { return real_.packed_string(fitting(Type::string, v)); }
    Errc image(const ImageView& v) {
        return or_null(Type::image, [&](auto& to) { return to.image(v); });
    }
    Errc input_event(const InputEventView& v) {
        return or_null(Type::input_event, [&](auto& to) { return to.input_event(v); });
    }
    Errc end() {
        if (open_.back() == Open::object)
            classes_.pop_back();
        open_.pop_back();
        wanted_.close();
        return real_.end();
    }

    /// True if a text has changed, so that different keys may have become equal.
    bool changed_texts() const { return changed_texts_; }

private:
    static float narrow(double v) {
        constexpr double most = std::numeric_limits<float>::max();
        if (v != v)
            return std::numeric_limits<float>::quiet_NaN();
        if (v > most)
            return std::numeric_limits<float>::infinity();
        if (v < -most)
            return -std::numeric_limits<float>::infinity();
        return static_cast<float>(v);
    }
    /// The text in the target's form. In Godot 3 on Windows a character beyond U+FFFF is a pair of
    /// surrogates. Valid until the next call.
    std::string_view fitting(Type type, std::string_view text) {
        if (!joins_halves_ && probe_.string(text) == Errc::ok)
            return text;
        auto joined = utf8::with_joined_halves(text);
        if (!joined && probe_.string(text) == Errc::ok && !utf8::with_joined_halves(text, true))
            return text;
        changed_texts_ = true;
        text_ = joined ? *std::move(joined) : std::string(text);
        auto spaced = joins_halves_ ? utf8::with_joined_halves(text_, true) : std::nullopt;
        if (!spaced && probe_.string(text_) == Errc::ok) {
            losses_.note(
                "note: characters in two halves, as Godot 3 wrote them on Windows, were joined",
                *tracker_);
        } else if (spaced && probe_.string(*spaced) == Errc::ok) {
            lose(type, "half of a character, as Godot 3 wrote them on Windows", "becomes a space");
            text_ = *std::move(spaced);
        } else {
            lose(type, "text that is not UTF-8 there", "loses the bytes that are not");
            std::string out;
            detail::append_replaced(
                out, text_, [](std::uint32_t) { return true; }, [](auto, auto) {});
            text_ = std::move(out);
        }
        return text_;
    }
    bool takes_typed(Type type) const {
        return type == Type::packed_typed_array || dialect_.typed_arrays() ||
               dialect_.typed_array_id != Dialect::absent;
    }
    bool has(const ContainerType& type) const {
        if (!type.typed())
            return true;
        if (type.kind == ContainerKind::script && !type.name.starts_with("res://"))
            return false;
        const bool own_form = dialect_.typed_array_id != Dialect::absent;
        if (type.kind == ContainerKind::builtin)
            return dialect_.has(type.type) && !(own_form && type.type == Type::object);
        return type.kind == ContainerKind::class_name || !own_form;
    }

    /// The new name, noted if it differs.
    std::string_view noted(Type type, std::string_view name, const Renames::Name& becomes) {
        if (becomes.name == name)
            return name;
        if (becomes.candidates.empty()) {
            if (!losses_.report)
                made_.push_back({shortened_path(tracker_->current_path(), Loss::most_path),
                                 std::string(name), std::string(becomes.name)});
            else if (losses_.report->renamed)
                losses_.report->renamed(
                    {shortened_path(tracker_->current_path(), Losses::most_path), std::string(name),
                     std::string(becomes.name)});
            return becomes.name;
        }
        std::string what =
            std::string(name) + " has several names in " + std::string(dialect_.name);
        for (const std::string_view candidate : becomes.candidates)
            what += (candidate == becomes.name ? ": " : ", ") + std::string(candidate);
        lose(type, std::move(what), "becomes " + std::string(becomes.name));
        return becomes.name;
    }
    std::string_view renamed_class(std::string_view name) {
        return renames_ ? noted(Type::object, name, renames_->class_name(name, direction_)) : name;
    }
    ContainerType renamed(ContainerType type) {
        // To an engine a container of nil is untyped.
        if (type.kind == ContainerKind::builtin && type.type == Type::nil)
            return {};
        if (type.kind == ContainerKind::class_name)
            type.name = renamed_class(type.name);
        return type;
    }

    void lose(Type type, std::string what, std::string substitution) {
        losses_.take(type, std::move(what), std::move(substitution), *tracker_);
    }
    /// Loses the value of a property whose values have another meaning in the target. Zero, for
    /// which `set` is false, is the engines' default.
    void lose_property(Type type, bool set) {
        const std::string_view other = std::exchange(differs_, {});
        if (set && !other.empty())
            lose(type,
                 differing_ + " is " + std::string(other) + " in " + std::string(dialect_.name) +
                     ", whose values mean something else",
                 "stays " + differing_ + ", which engines ignore");
    }
    /// The number of a key in the target's engines; 0 (none) if they lack it.
    std::int64_t other_key(std::int64_t number) {
        const auto other = renames_->key(number, direction_);
        if (!other)
            lose(Type::integer,
                 "the key " + std::to_string(number) + ", which does not exist in " +
                     std::string(dialect_.name),
                 "becomes 0, which is no key");
        return other.value_or(0);
    }
    void lose_number(Type type) {
        lose(type, "-inf, or nan or inf in brackets, which Godot 3.2 and older do not read",
             "becomes 0, or 3.4028235e+38 with its sign");
    }
    /// The numbers, without those that the text lacks: a loss. Empty if none is lacking.
    std::vector<float> finite(Type type, const std::byte* data, std::size_t count,
                              bool host_order) {
        std::vector<float> out(lacks_numbers_ ? count : 0);
        bool lost = false;
        for (std::size_t i = 0; i < out.size(); ++i) {
            const auto number = detail::component<float>(data + i * sizeof(float), host_order);
            out[i] = std::isnan(number) ? 0 : std::clamp(number, -largest, largest);
            lost = lost || out[i] != number;
        }
        if (!lost)
            return {};
        lose_number(type);
        return out;
    }
    static const std::byte* bytes_of(const std::vector<float>& numbers) noexcept {
        return reinterpret_cast<const std::byte*>(numbers.data());
    }
    void lose_type(Type type, std::string substitution) {
        lose(type,
             std::string(type_name(type)) + " does not exist in " + std::string(dialect_.name),
             std::move(substitution));
    }
    Errc to_null(Type type) {
        lose_type(type, "becomes null");
        return real_.nil();
    }
    /// A value that the target has, or null.
    template <class Event>
    Errc or_null(Type type, Event event) {
        return event(probe_) == Errc::ok ? event(real_) : to_null(type);
    }

    CountOutput count_;
    Encoder<CountOutput> probe_;
    Encoder<BufferOutput> real_;
    const Dialect& dialect_;
    const detail::LossTaker losses_;
    const PathTracker<Source>* tracker_ = nullptr;
    bool at_script_ = false;      ///< an Object's `script` is next
    std::string_view differs_{};  ///< for the property whose value is next: Renames::Name::differs
    std::string differing_{};     ///< and its name
    bool at_key_ = false;         ///< the number of a key is next: Renames::Name::keys
    std::vector<Rename>& made_;
    const Renames* renames_;  ///< null: names stay
    Renames::Direction direction_;
    const bool joins_halves_;
    bool changed_texts_ = false;
    std::string text_;    ///< the last changed text
    bool lacks_numbers_;  ///< the target is a text without nan and infinities in brackets
    enum class Open : std::uint8_t { container, object, object_as_dictionary };
    std::vector<Open> open_;                 ///< from the outermost in
    detail::WantedTypes wanted_;             ///< for the same containers
    std::vector<std::string_view> classes_;  ///< old names of the open objects' classes
};

/// Reports keys that have become equal. For packets `make_strict` does.
std::expected<void, Error> lose_same_keys(Conversion& out, ByteView packet,
                                          const DecodeOptions& from, const EncodeOptions& to,
                                          ConversionReport* report) {
    const DecodeOptions made{.dialect = to.dialect, .allow_objects = true};
    const auto before = detail::replaced_keys(packet, from);
    const auto after = detail::replaced_keys(as_bytes(out.bytes), made);
    if (!before || !after)
        return std::unexpected((before ? after : before).error());
    if (after->size() <= before->size())
        return {};
    const auto path = [&] {
        return before->empty() ? error_path(as_bytes(out.bytes), made,
                                            Error{Errc::duplicate_key, {}, (*after)[0].begin, 0})
                               : std::string("$");
    };
    const std::string what = "a key that is that of a later pair there (" +
                             std::to_string(after->size() - before->size()) + " of them)";
    const std::string substitution = "is dropped with its value, where an engine reads the text";
    if (report)
        report->losses.add(what + "; each " + substitution, path);
    else
        out.losses.push_back({path(), Type::dictionary, what, substitution});
    return {};
}

}  // namespace

std::expected<Conversion, Error> convert_for(bool text, ByteView packet, const DecodeOptions& from,
                                             const EncodeOptions& to, const Renames& renames,
                                             ConversionReport* report) GDVAR_TRY {
    Conversion out;
    bool changed_texts = false;
    {
        BufferOutput output(out.bytes);
        const bool other_names = is_godot_4(from.dialect->family) != is_godot_4(to.dialect->family);
        Converter converter(output, to, out, other_names ? &renames : nullptr, report, text);
        Converter::Source source(converter);
        PathTracker<Converter::Source> tracker(source);
        converter.follow(tracker);
        auto size = read(packet, from, tracker);
        if (!size)
            return std::unexpected(size.error());
        out.size = *size;
        changed_texts = converter.changed_texts();
    }
    if (text && changed_texts)
        if (auto told = lose_same_keys(out, packet.first(out.size), from, to, report); !told)
            return std::unexpected(told.error());
    return out;
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

std::expected<Conversion, Error> convert(ByteView packet, const DecodeOptions& from,
                                         const EncodeOptions& to, const Renames& renames,
                                         ConversionReport* report) {
    return convert_for(false, packet, from, to, renames, report);
}

}  // namespace gdvar::inspect
