#include "gdvar/inspect/diff.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <string_view>
#include <unordered_map>

#include "gdvar/inspect/lookup.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar {
namespace {

std::string_view raw_text(const View& view) noexcept {
    return detail::as_text(view.raw().data(), view.raw().size());
}
bool same(const View& a, const View& b) noexcept {
    return raw_text(a) == raw_text(b);
}
Variant copy_of(const View& view) {
    return view.get<Variant>().value_or(Variant());
}

bool same_type(const ContainerType& a, const ContainerType& b) {
    return a.kind == b.kind && a.type == b.type && a.name == b.name;
}

/// Two containers that are to be compared, and where they are.
struct Pending {
    View from, to;
    Array at;
};

class Differ {
public:
    explicit Differ(Patch& patch) : patch_(patch) {}

    void run(const View& from, const View& to) {
        pending_.push_back({from, to, {}});
        while (!pending_.empty()) {
            Pending next = std::move(pending_.front());
            pending_.pop_front();
            compare(next);
        }
    }

private:
    void compare(const Pending& p) {
        if (same(p.from, p.to))
            return;
        const bool arrays = p.from.type() == p.to.type() &&
                            (p.from.is(Type::array) || p.from.is(Type::packed_typed_array)) &&
                            same_type(p.from.element_type(), p.to.element_type());
        const bool dictionaries = p.from.is(Type::dictionary) && p.to.is(Type::dictionary) &&
                                  same_type(p.from.key_type(), p.to.key_type()) &&
                                  same_type(p.from.value_type(), p.to.value_type());
        if (arrays)
            return compare_arrays(p);
        if (dictionaries && compare_dictionaries(p))
            return;
        if (objects(p) && compare_objects(p))
            return;
        patch_.push_back({Change::set, p.at, copy_of(p.to)});
    }

    // ---- arrays -----------------------------------------------------------------------------

    /// Which elements of `to` stay where in `from`: pairs of places, rising in both.
    using Kept = std::vector<std::pair<std::size_t, std::size_t>>;

    void compare_arrays(const Pending& p) {
        std::vector<View> from, to;
        for (const auto all = p.from.elements(); const View& element : all)
            from.push_back(element);
        for (const auto all = p.to.elements(); const View& element : all)
            to.push_back(element);
        Kept kept = align(from, to);
        kept.emplace_back(from.size(), to.size());
        // Between two that stay: as many as there are on both sides are changed in place, the rest
        // is removed or inserted. From the end, so that the places before stay as they are.
        struct Gap {
            std::size_t a, b, removed, inserted;
        };
        std::vector<Gap> gaps;
        std::size_t a = 0, b = 0;
        for (const auto& [keep_a, keep_b] : kept) {
            gaps.push_back({a, b, keep_a - a, keep_b - b});
            a = keep_a + 1;
            b = keep_b + 1;
        }
        for (auto gap = gaps.rbegin(); gap != gaps.rend(); ++gap) {
            const std::size_t changed = std::min(gap->removed, gap->inserted);
            for (std::size_t i = gap->removed; i-- > changed;)
                patch_.push_back({Change::remove, inside(p.at, gap->a + i), {}});
            for (std::size_t i = gap->inserted; i-- > changed;)
                patch_.push_back(
                    {Change::insert, inside(p.at, gap->a + changed), copy_of(to[gap->b + i])});
        }
        for (const Gap& gap : gaps)
            for (std::size_t i = 0; i < std::min(gap.removed, gap.inserted); ++i)
                pending_.push_back({from[gap.a + i], to[gap.b + i], inside(p.at, gap.b + i)});
    }

    static Kept align(const std::vector<View>& from, const std::vector<View>& to) {
        std::size_t start = 0, tail = 0;
        const std::size_t most = std::min(from.size(), to.size());
        while (start < most && same(from[start], to[start]))
            ++start;
        while (tail < most - start && same(from[from.size() - 1 - tail], to[to.size() - 1 - tail]))
            ++tail;
        Kept kept;
        for (std::size_t i = 0; i < start; ++i)
            kept.emplace_back(i, i);
        middle(from, to, start, from.size() - tail, to.size() - tail, kept);
        for (std::size_t i = tail; i-- > 0;)
            kept.emplace_back(from.size() - 1 - i, to.size() - 1 - i);
        return kept;
    }

    /// The longest common subsequence of what differs, where that is affordable; else nothing
    /// stays.
    static void middle(const std::vector<View>& from, const std::vector<View>& to,
                       std::size_t start, std::size_t from_end, std::size_t to_end, Kept& kept) {
        const std::size_t n = from_end - start, m = to_end - start;
        if (n == 0 || m == 0 || n > 4'000'000 / m)
            return;
        // Equal elements get equal numbers, so that the table compares numbers.
        std::unordered_map<std::string_view, std::uint32_t> numbers;
        const auto number = [&](const View& view) {
            return numbers.try_emplace(raw_text(view), static_cast<std::uint32_t>(numbers.size()))
                .first->second;
        };
        std::vector<std::uint32_t> a(n), b(m);
        for (std::size_t i = 0; i < n; ++i)
            a[i] = number(from[start + i]);
        for (std::size_t i = 0; i < m; ++i)
            b[i] = number(to[start + i]);
        std::vector<std::uint32_t> length((n + 1) * (m + 1), 0);
        const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
            return length[i * (m + 1) + j];
        };
        for (std::size_t i = n; i-- > 0;)
            for (std::size_t j = m; j-- > 0;)
                at(i, j) =
                    a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
        for (std::size_t i = 0, j = 0; i < n && j < m;) {
            if (a[i] == b[j])
                kept.emplace_back(start + i++, start + j++);
            else if (at(i + 1, j) >= at(i, j + 1))
                ++i;
            else
                ++j;
        }
    }

    // ---- dictionaries and objects -------------------------------------------------------------

    struct Entry {
        std::string_view key;  ///< its bytes
        View key_view, value;
    };
    using Entries = std::vector<Entry>;

    static Entries entries_of(const View& dictionary) {
        Entries out;
        for (const auto all = dictionary.pairs(); const View::Pair& pair : all)
            out.push_back({raw_text(pair.key), pair.key, pair.value});
        return out;
    }

    /// False when a key comes twice, or is not equal to itself (a NaN deep inside), by the rule
    /// with which `apply` finds keys.
    static bool unique(const Entries& entries) {
        Dictionary seen;
        for (const Entry& entry : entries) {
            const Variant key = copy_of(entry.key_view);
            if (seen.contains(key))
                return false;
            seen.append(key, nullptr);
            if (!seen.contains(key))
                return false;
        }
        return true;
    }

    bool compare_dictionaries(const Pending& p) {
        const Entries from = entries_of(p.from), to = entries_of(p.to);
        if (!unique(from) || !unique(to))
            return false;
        return compare_entries(p, from, to, [](const Entry& e) { return copy_of(e.key_view); });
    }

    static bool objects(const Pending& p) {
        const auto full = [](const View& v) {
            return v.is(Type::object) && v.object_kind() == ObjectKind::full;
        };
        return full(p.from) && full(p.to) && p.from.class_name() == p.to.class_name();
    }
    bool compare_objects(const Pending& p) {
        Entries from, to;
        for (const auto all = p.from.properties(); const View::Property& e : all)
            from.push_back({e.name, {}, e.value});
        for (const auto all = p.to.properties(); const View::Property& e : all)
            to.push_back({e.name, {}, e.value});
        const auto repeats = [](const Entries& entries) {
            std::unordered_map<std::string_view, int> seen;
            for (const Entry& entry : entries)
                if (++seen[entry.key] > 1)
                    return true;
            return false;
        };
        if (repeats(from) || repeats(to))
            return false;
        return compare_entries(p, from, to, [](const Entry& e) { return Variant(e.key); });
    }

    template <class KeyOf>
    bool compare_entries(const Pending& p, const Entries& from, const Entries& to, KeyOf&& key_of) {
        std::unordered_map<std::string_view, std::size_t> in_from, in_to;
        for (std::size_t i = 0; i < from.size(); ++i)
            in_from.emplace(from[i].key, i);
        for (std::size_t i = 0; i < to.size(); ++i)
            in_to.emplace(to[i].key, i);
        // The order that removing and adding give by themselves.
        std::vector<std::string_view> natural;
        for (const Entry& entry : from) {
            if (in_to.contains(entry.key))
                natural.push_back(entry.key);
            else
                patch_.push_back({Change::remove, inside(p.at, key_of(entry)), {}});
        }
        for (const Entry& entry : to) {
            if (in_from.contains(entry.key))
                continue;
            patch_.push_back({Change::insert, inside(p.at, key_of(entry)), copy_of(entry.value)});
            natural.push_back(entry.key);
        }
        const bool ordered =
            std::equal(natural.begin(), natural.end(), to.begin(), to.end(),
                       [](std::string_view key, const Entry& entry) { return key == entry.key; });
        if (!ordered) {
            Array keys;
            for (const Entry& entry : to)
                keys.push_back(key_of(entry));
            patch_.push_back({Change::order, p.at, std::move(keys)});
        }
        for (const Entry& entry : to)
            if (const auto found = in_from.find(entry.key); found != in_from.end())
                if (const View& before = from[found->second].value; !same(before, entry.value))
                    pending_.push_back({before, entry.value, inside(p.at, key_of(entry))});
        return true;
    }

    static Array inside(const Array& at, Variant step) {
        Array out;
        out.reserve(at.size() + 1);
        for (const Variant& key : at)
            out.push_back(key);
        out.push_back(std::move(step));
        return out;
    }
    static Array inside(const Array& at, std::size_t index) {
        return inside(at, Variant(static_cast<std::int64_t>(index)));
    }

    Patch& patch_;
    std::deque<Pending> pending_;
};

// ---- applying ---------------------------------------------------------------------------------

Variant* step_to(Variant& at, const Variant& step) {
    if (Array* array = at.get_if<Array>()) {
        const auto* i = step.get_if<std::int64_t>();
        return i && *i >= 0 && static_cast<std::uint64_t>(*i) < array->size()
                   ? &(*array)[static_cast<std::size_t>(*i)]
                   : nullptr;
    }
    if (Dictionary* dictionary = at.get_if<Dictionary>())
        return dictionary->find(step);
    if (Object* object = at.get_if<Object>();
        object && object->kind() == ObjectKind::full && step.is(Type::string))
        return object->find(step.text());
    return nullptr;
}

bool insert(Variant& at, const Variant& step, const Variant& value) {
    if (Array* array = at.get_if<Array>()) {
        const auto* i = step.get_if<std::int64_t>();
        if (!i || *i < 0 || static_cast<std::uint64_t>(*i) > array->size())
            return false;
        array->insert(static_cast<std::size_t>(*i), value);
        return true;
    }
    if (Dictionary* dictionary = at.get_if<Dictionary>()) {
        if (dictionary->contains(step))
            return false;
        dictionary->append(step, value);
        return true;
    }
    Object* object = at.get_if<Object>();
    if (!object || object->kind() != ObjectKind::full || !step.is(Type::string) ||
        object->find(step.text()))
        return false;
    object->set(step.text(), value);
    return true;
}

/// The object again, without a property or in another order.
bool rebuild(Object& object, const std::vector<std::string>& names) {
    Object out(object.class_name());
    for (const std::string& name : names) {
        Variant* value = object.find(name);
        if (!value)
            return false;
        out.set(name, std::move(*value));
    }
    object = std::move(out);
    return true;
}

bool remove(Variant& at, const Variant& step) {
    if (Array* array = at.get_if<Array>()) {
        const auto* i = step.get_if<std::int64_t>();
        if (!i || *i < 0 || static_cast<std::uint64_t>(*i) >= array->size())
            return false;
        array->erase(static_cast<std::size_t>(*i));
        return true;
    }
    if (Dictionary* dictionary = at.get_if<Dictionary>())
        return dictionary->erase(step);
    Object* object = at.get_if<Object>();
    if (!object || object->kind() != ObjectKind::full || !step.is(Type::string) ||
        !object->find(step.text()))
        return false;
    std::vector<std::string> names;
    for (const Object::Property& property : *object)
        if (std::string_view(property.name) != step.text())
            names.emplace_back(std::string_view(property.name));
    return rebuild(*object, names);
}

bool reorder(Variant& at, const Variant& order) {
    const Array* keys = order.get_if<Array>();
    if (!keys)
        return false;
    if (Object* object = at.get_if<Object>(); object && object->kind() == ObjectKind::full) {
        std::vector<std::string> names;
        for (const Variant& key : *keys)
            names.emplace_back(key.is(Type::string) ? key.text() : "");
        return names.size() == object->size() && rebuild(*object, names);
    }
    Dictionary* dictionary = at.get_if<Dictionary>();
    if (!dictionary || keys->size() != dictionary->size())
        return false;
    Dictionary out(dictionary->key_type(), dictionary->value_type());
    out.reserve(keys->size());
    for (const Variant& key : *keys) {
        Variant* value = dictionary->find(key);
        if (!value || out.contains(key))
            return false;
        out.append(key, std::move(*value));
    }
    *dictionary = std::move(out);
    return true;
}

bool apply_one(Variant& root, const Change& change) {
    const bool itself = change.kind == Change::set || change.kind == Change::order;
    if (!itself && change.at.empty())
        return false;
    Variant* at = &root;
    for (std::size_t i = 0; i + !itself < change.at.size(); ++i) {
        at = step_to(*at, change.at[i]);
        if (!at)
            return false;
    }
    switch (change.kind) {
        case Change::set:
            *at = change.value;
            return true;
        case Change::order:
            return reorder(*at, change.value);
        case Change::insert:
            return insert(*at, change.at[change.at.size() - 1], change.value);
        case Change::remove:
            return remove(*at, change.at[change.at.size() - 1]);
    }
    return false;
}

constexpr std::string_view kind_names[] = {"set", "insert", "remove", "order"};

}  // namespace

std::expected<Patch, Error> diff(const View& from, const View& to) {
    Patch patch;
    Differ(patch).run(from, to);
    return patch;
}

std::expected<void, Error> apply_patch(Variant& value, const Patch& patch) {
    for (std::size_t i = 0; i < patch.size(); ++i)
        if (!apply_one(value, patch[i]))
            return std::unexpected(Error{Errc::bad_path, Type::nil, i, 0});
    return {};
}

Variant to_variant(const Change& change) {
    Dictionary out;
    out.append(kind_names[change.kind], change.at);
    if (change.kind != Change::remove)
        out.append(change.kind == Change::order ? "keys" : "value", change.value);
    return out;
}

std::expected<Change, Error> change_from(const Variant& value) {
    const auto refuse = [] {
        return std::unexpected(Error{Errc::bad_syntax, Type::dictionary, 0, 0});
    };
    const Dictionary* pairs = value.get_if<Dictionary>();
    if (!pairs || pairs->empty())
        return refuse();
    for (std::size_t kind = 0; kind < std::size(kind_names); ++kind) {
        const Variant* at = pairs->find(kind_names[kind]);
        if (!at)
            continue;
        const auto* path = at->get_if<Array>();
        Change out{static_cast<Change::Kind>(kind), path ? *path : Array(), {}};
        const bool has_value = out.kind != Change::remove;
        const Variant* with =
            has_value ? pairs->find(out.kind == Change::order ? "keys" : "value") : nullptr;
        if (!path || (has_value && !with) || pairs->size() != 1u + has_value)
            return refuse();
        if (with)
            out.value = *with;
        return out;
    }
    return refuse();
}

std::string path_text(const Array& at) {
    std::string out = "$";
    for (std::size_t i = 0; i < at.size(); ++i) {
        const auto bytes = encode(at[i], EncodeOptions{.allow_objects = true});
        auto document = bytes ? Document::parse(as_bytes(*bytes), {.allow_objects = true})
                              : std::expected<Document, Error>(std::unexpect, bytes.error());
        const Document* key = document ? &*document : nullptr;
        out += key ? key_step(key->root(), i) : "[?]";
    }
    return out;
}

}  // namespace gdvar
