// Compiled by compile_fail_test.py, with one wrong thing at a time.
#include <algorithm>
#include <string>
#include <vector>

#include "gdvar/value/binding.hpp"
#include "gdvar/value/variant.hpp"

using namespace gdvar;

struct Borrower {
    std::string_view name;
};

Variant made() {
    return Dictionary{{"list", Array{1, 2}}};
}

int main() {
    Variant v = made();
    Dictionary d{{"a", 1}};
#if defined(GET_IF_INT)
    return v.get_if<int>() != nullptr;
#elif defined(GET_IF_TEXT)
    return v.get_if<std::string>() != nullptr;
#elif defined(ASSIGN_KEY)
    for (auto& [key, value] : d)
        key = "b";
#elif defined(SORT_PAIRS)
    std::ranges::sort(d, {}, [](const auto& pair) { return pair.key.text(); });
#elif defined(SWAP_PAIRS)
    std::swap(*d.begin(), d.begin()[0]);
#elif defined(ASSIGN_PAIR)
    *d.begin() = {"a", 1};
#elif defined(ASSIGN_TO_CONST)
    const Variant& c = v;
    c["a"] = 1;
#elif defined(ASSIGN_LATER)
    auto step = v["a"];
    step = 1;
#elif defined(COPY_STEP)
    auto step = v["a"];
    auto other = step;
#elif defined(SUBSCRIPT_BOOL)
    return v[true].is_nil();
#elif defined(SUBSCRIPT_REAL)
    return v[1.5].is_nil();
#elif defined(DANGLING_PARSE)
    return Document::parse(std::vector<std::byte>(4)).has_value();
#elif defined(DANGLING_READ)
    Document document;
    return document.read(std::string("text")).has_value();
#elif defined(DANGLING_READ_PACKED)
    Document document;
    return document.read(encode(v).value()).has_value();
#elif defined(DANGLING_DECODE)
    return decode<Borrower>(std::string("text")).has_value();
#elif defined(DANGLING_DECODE_PACKED)
    return decode<Borrower>(encode(v).value()).has_value();
#elif defined(DANGLING_DECODE_TO)
    Borrower borrower;
    return decode_to(borrower, encode(v).value()).has_value();
#elif defined(DANGLING_LOOKUP)
    return made().lookup("$.list")->get().is_nil();
#elif defined(DANGLING_AT)
    return made().at("list")->get().is_nil();
#elif defined(DANGLING_FIND)
    return made().find("list")->is_nil();
#elif defined(DANGLING_GET_IF)
    for (const Variant& item : *made().get_if<Array>())
        return item.is_nil();
#elif defined(DANGLING_TEXT)
    return made().text().empty();
#else
    v["b"]["c"] = 5;
    v["list"][0] = "x";
    for (auto& [key, value] : d)
        value = key;
    for (const auto& [key, value] : std::as_const(d))
        v["copy"] = key;
    const auto kept = std::as_const(v)["b"]["c"];
    return made()["list"][0].get_or(0) + kept.get_or(0) + (v["b"] == d);
#endif
}
