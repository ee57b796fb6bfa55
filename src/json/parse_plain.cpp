// Plain JSON: the rules are in docs/json.md.
#include <limits>

#include "base/special_bytes.hpp"
#include "building.hpp"
#include "gdvar/base/utf8.hpp"
#include "value/value_stack.hpp"

namespace gdvar {
namespace {

using detail::JsonBuilder;
using detail::JsonEntry;
using detail::JsonNode;
using detail::PlainNumber;

/// For a number out of the range of floats: true if it is too small, false if too large. It is too
/// small if, after applying the exponent, its first digit other than 0 is behind the point.
bool is_small(std::string_view text) noexcept {
    std::int64_t exponent = 0;
    const std::size_t e = text.find_first_of("eE");
    if (e != text.npos) {
        std::string_view digits = text.substr(e + 1);
        const bool minus = digits.starts_with('-');
        if (minus || digits.starts_with('+'))
            digits.remove_prefix(1);
        for (const char c : digits)
            if (exponent < std::int64_t{1} << 40)
                exponent = exponent * 10 + (c - '0');
        if (minus)
            exponent = -exponent;
    }
    const std::string_view mantissa = text.substr(0, e);
    const std::size_t first = mantissa.find_first_of("123456789");
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    return first == mantissa.npos ||
           static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) + exponent <= 0;
}

class PlainReader {
public:
    static constexpr bool outlines = true;
    explicit PlainReader(JsonBuilder& to) : to_(to) {}

    bool read(std::uint32_t index) {
        const JsonNode& node = to_.tree.nodes[index];
        switch (node.kind) {
            case JsonNode::null:
                return to_.complete(index, Variant());
            case JsonNode::boolean:
                return to_.complete(index, Variant(node.truth));
            case JsonNode::number:
                return number(index);
            case JsonNode::string:
                return to_.text(index, Type::string, to_.tree.text(node));
            default:
                return container(index);
        }
    }

private:
    bool number(std::uint32_t index) {
        const std::string_view text = to_.tree.text(to_.tree.nodes[index]);
        if (PlainNumber plain; plain.read_all(text) && !plain.real && plain.held())
            return to_.number(index, plain.whole());
        const bool whole = detail::SpecialBytes<0, '.', 'e', 'E'>::find(text, 0) == text.size();
        if (whole) {
            std::int64_t value = 0;
            const auto [stop, error] =
                std::from_chars(text.data(), text.data() + text.size(), value);
            if (error == std::errc())
                return to_.complete(index, Variant(value));
        }
        if (whole && to_.options.strict_numbers)
            return to_.fail(index, Errc::bad_number, "does not fit a 64-bit int", Type::integer);
        const auto value = detail::json_real(text);
        const bool small = !value && is_small(text);
        if (!value && !small && to_.options.loose_numbers && !to_.options.strict_numbers) {
            constexpr double infinity = std::numeric_limits<double>::infinity();
            return to_.complete(index, Variant(text.starts_with('-') ? -infinity : infinity));
        }
        if (!value && (to_.options.strict_numbers || !small))
            return to_.fail(index, Errc::bad_number, "does not fit a 64-bit float", Type::real);
        return to_.complete(index, Variant(value.value_or(text.starts_with('-') ? -0.0 : 0.0)));
    }

    bool container(std::uint32_t index) {
        const JsonNode& node = to_.tree.nodes[index];
        JsonEntry entry;
        entry.next = index + 1;
        if (node.kind == JsonNode::object) {
            entry.kind = JsonEntry::dictionary;
            if (!to_.options.repeated_names && !to_.options.outline && to_.repeats_names(index))
                entry.made = Type::nil;  // equal names replace
            entry.left = 2 * node.count;
            entry.container = Variant(Dictionary());
        } else {
            entry.left = node.count;
            entry.container = Variant(Array());
        }
        return to_.push(index, std::move(entry));
    }

    JsonBuilder& to_;
};

/// Reads a text in one pass, without a tree: strings without escapes, short numbers, different
/// names, all within the limits. Most texts are like that. False for anything else.
class SimpleReader {
public:
    SimpleReader(std::string_view text, const JsonParseOptions& options)
        : text_(text), options_(options) {}

    bool run() {
        do
            if (!value())
                return false;
        while (!open_.empty());
        return !options_.whole || (next(), at_ == text_.size());
    }
    std::size_t position() const noexcept { return at_; }
    Variant& result() noexcept { return values_[0]; }

private:
    struct Open {
        std::size_t first;  ///< its first value
        bool object, at_value;
    };

    /// The next character other than white space; 0 at the end.
    char next() noexcept {
        at_ = detail::behind_space(text_, at_);
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    /// A value or a name, and the text up to the next one.
    bool value() {
        const char c = next();
        const bool name = !open_.empty() && open_.back().object && !open_.back().at_value;
        if (c == '[' || c == '{') {
            if (name || open_.size() > options_.limits.max_depth)
                return false;
            ++at_;
            open_.push_back({values_.size(), c == '{', false});
            return next() != (c == '{' ? '}' : ']') || (close() && behind());
        }
        if (open_.size() > options_.limits.max_depth)
            return false;
        return (c == '"' ? string() : !name && (number(c) || word())) && behind();
    }
    bool behind() {
        for (;;) {
            if (++nodes_ > options_.limits.max_nodes)
                return false;
            if (open_.empty())
                return true;
            Open& top = open_.back();
            const char c = next();
            if (top.object && !std::exchange(top.at_value, !top.at_value))
                return c == ':' && ++at_;
            if (c == ',')
                return ++at_;
            if (c != (top.object ? '}' : ']') || !close())
                return false;
        }
    }
    bool close() {
        ++at_;
        const Open closed = open_.back();
        open_.pop_back();
        made_ +=
            sizeof(detail::DictionaryBlock) + (values_.size() - closed.first) * sizeof(Variant);
        if (made_ > soon_ && !no_name_twice(closed.first))
            return false;
        if (!closed.object)
            values_.emplace(values_.take_array(closed.first, maker_));
        else if (options_.repeated_names || values_.keys_differ(closed.first, values_.size()))
            values_.emplace(values_.take_pairs(closed.first, maker_));
        else
            return false;
        return true;
    }
    /// Values of equal names must not be held for long: they can take 40 times their text.
    bool no_name_twice(std::size_t end) {
        soon_ = made_ + made_ / 4;
        for (std::size_t i = options_.repeated_names ? 0 : open_.size(); i-- > 0;) {
            if (open_[i].object && !values_.keys_differ(open_[i].first, end))
                return false;
            end = open_[i].first;
        }
        return true;
    }
    bool string() {
        const std::size_t from = at_ + 1;
        at_ = detail::SpecialBytes<1, '"', '\\'>::find(text_, from);
        const std::string_view content = text_.substr(from, at_ - from);
        if (at_ == text_.size() || text_[at_] != '"' ||
            !detail::valid_text_inline(content, Utf8Rule::strict))
            return false;
        ++at_;
        values_.emplace_text(content, maker_);
        return true;
    }
    bool number(char c) {
        PlainNumber number;
        if ((c != '-' && !detail::is_digit(c)) || !number.read(text_, at_) || !number.well_formed())
            return false;
        if (number.real && !number.exact()) {
            const auto value = detail::json_real(number.text);
            if (!value)
                return false;
            values_.emplace(*value);
        } else if (number.real) {
            values_.emplace(number.quotient());
        } else if (number.held()) {
            values_.emplace(number.whole());
        } else {
            return false;
        }
        at_ += number.text.size();
        return true;
    }
    bool word() {
        const auto take = [&](std::string_view word) {
            const bool there = text_.substr(at_, word.size()) == word;
            at_ += there ? word.size() : 0;
            return there;
        };
        if (take("null"))
            values_.emplace();
        else if (take("true"))
            values_.emplace(true);
        else if (take("false"))
            values_.emplace(false);
        else
            return false;
        return true;
    }

    std::string_view text_;
    const JsonParseOptions& options_;
    std::size_t at_ = 0;
    std::uint64_t nodes_ = 0;
    std::size_t made_ = 0, soon_ = std::size_t{1} << 16;  ///< bytes of all containers
    detail::ValueStack values_;
    std::vector<Open> open_;
    detail::PartMaker maker_;
};

}  // namespace

std::expected<Variant, TextError> parse_plain_json(std::string_view text,
                                                   const JsonParseOptions& options,
                                                   std::size_t* size) GDVAR_TRY {
    if (!options.outline &&
        text.size() <= std::min<std::uint64_t>(options.limits.max_bytes, UINT32_MAX)) {
        SimpleReader reader(text, options);
        if (reader.run()) {
            if (size)
                *size = reader.position();
            return std::move(reader.result());
        }
    }
    return detail::parse_json_with<PlainReader>(text, options, size);
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(TextError{.code = Errc::no_memory}))

}  // namespace gdvar
