// Texts with their values and outlines, random changes of values, and random layouts: for the tests
// and the fuzzing of rewriting.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdvar/inspect/rewrite.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar::test {

/// A value as a packet and as its root View.
class Packed {
public:
    explicit Packed(const Variant& value, const Dialect& dialect = dialects::godot_4_4) {
        DecodeOptions reading{.dialect = &dialect, .allow_objects = true};
        reading.limits = {
            .max_depth = UINT32_MAX, .max_bytes = UINT64_MAX, .max_nodes = UINT64_MAX};
        auto bytes =
            encode(value, {.dialect = &dialect, .allow_objects = true, .max_depth = UINT32_MAX});
        if (!bytes)
            return;
        auto read = Document::parse(*std::move(bytes), reading);
        if (read)
            document_ = *std::move(read);
    }
    explicit operator bool() const { return document_.node_count() != 0; }
    View root() const { return std::as_const(document_).root(); }

private:
    Document document_;
};

/// A kind of text: how it is read and written.
struct Kind {
    const inspect::TextSyntax* syntax;
    const Dialect* dialect;
    /// Null: plain JSON.
    std::optional<ParseOptions> text;

    std::optional<Variant> read(std::string_view from, Outline* outline = nullptr) const {
        Outline unused;
        if (!outline)
            outline = &unused;
        std::expected<Variant, TextError> value;
        if (text) {
            ParseOptions options = *text;
            options.outline = outline;
            options.whole = true;
            value = parse_text(from, options);
        } else {
            value = parse_plain_json(from, {.outline = outline});
        }
        return value ? std::optional<Variant>(*std::move(value)) : std::nullopt;
    }
    /// The text of `from` with the value `after`. Nothing if `from` is no text of the kind.
    std::optional<std::expected<std::string, inspect::RewriteError>> rewritten(
        std::string_view from, const Variant& after) const {
        Outline outline;
        const auto before = read(from, &outline);
        if (!before)
            return std::nullopt;
        const Packed old(*before, *dialect), made(after, *dialect);
        if (!old || !made)
            return std::nullopt;
        return inspect::rewrite(from, outline, old.root(), made.root(), *syntax);
    }
};

/// Changes one thing somewhere in the value. `choose(n)` gives a number below n; `make()` gives a
/// new value.
template <class Choose, class Make>
class Mutation {
public:
    Mutation(Choose& choose, Make& make) : choose_(choose), make_(make) {}

    /// The edit, at which nodes of an outline that is parallel to the value: the container and
    /// the item in it, or the value itself.
    enum Kind { set, insert, erase, rename, reorder };
    Kind kind = set;
    std::vector<std::size_t> place;  ///< ordinals from the root inwards: of the value that was set,
                                     ///< else of the container

    void run(Variant& root) {
        Variant* at = &root;
        for (;;) {
            const std::size_t size = at->size();
            const bool container = at->is(Type::array) || at->is(Type::dictionary) || object(*at);
            if (!container || choose_(8) == 0) {
                *at = make_();
                return;
            }
            if (size && choose_(3)) {
                const std::size_t i = choose_(size);
                place.push_back(i);
                at = child(*at, i);
                continue;
            }
            change(*at);
            return;
        }
    }

private:
    static bool object(const Variant& value) {
        const auto* object = value.get_if<Object>();
        return object && object->kind() == ObjectKind::full;
    }
    static Variant* child(Variant& value, std::size_t i) {
        if (auto* array = value.get_if<Array>())
            return &(*array)[i];
        if (auto* pairs = value.get_if<Dictionary>())
            return &pairs->begin()[i].value;
        return &value.get_if<Object>()->begin()[i].value;
    }

    using Pairs = std::vector<std::pair<Variant, Variant>>;

    void change(Variant& value) {
        if (auto* array = value.get_if<Array>()) {
            if (array->empty() || choose_(2)) {
                kind = insert;
                array->insert(choose_(array->size() + 1), make_());
            } else {
                kind = erase;
                array->erase(choose_(array->size()));
            }
            return;
        }
        Pairs pairs;
        const bool names = object(value);
        if (names)
            for (const auto& property : *value.get_if<Object>())
                pairs.emplace_back(Variant(property.name), property.value);
        else
            for (const auto& pair : *value.get_if<Dictionary>())
                pairs.emplace_back(pair.key, pair.value);
        change(pairs, names);
        if (names) {
            Object made(value.get_if<Object>()->class_name());
            for (auto& [key, item] : pairs)
                made.append(key.text(), std::move(item));
            value = std::move(made);
        } else {
            const auto* old = value.get_if<Dictionary>();
            Dictionary made(old->key_type(), old->value_type());
            for (auto& [key, item] : pairs)
                made.append(std::move(key), std::move(item));
            value = std::move(made);
        }
    }
    void change(Pairs& pairs, bool names) {
        const auto at = [&](std::size_t i) {
            return pairs.begin() + static_cast<std::ptrdiff_t>(i);
        };
        const auto key = [&] {
            Variant made = choose_(3) ? Variant("key" + std::to_string(choose_(9))) : make_();
            return names && !made.is(Type::string) ? Variant("name") : made;
        };
        if (pairs.empty() || choose_(4) == 0) {
            kind = insert;
            pairs.emplace(at(choose_(pairs.size() + 1)), key(), make_());
        } else if (choose_(3) == 0) {
            kind = erase;
            pairs.erase(at(choose_(pairs.size())));
        } else if (choose_(2)) {
            kind = rename;
            pairs[choose_(pairs.size())].first = key();
        } else {
            kind = reorder;
            for (std::size_t i = 0; i < pairs.size(); ++i)
                std::swap(pairs[i], pairs[choose_(pairs.size())]);
        }
    }

    Choose& choose_;
    Make& make_;
};

}  // namespace gdvar::test
