// Rewriting of Godot's text and of plain JSON. The last byte of the input chooses the kind, the
// four before it what changes; the text begins at the first.
#include "gdvar/inspect/rewrite.hpp"

#include "packet.hpp"
#include "support/rewriting.hpp"

using namespace gdvar;
using namespace gdvar::test;

namespace {

const inspect::PlainJson plain_json;
const inspect::GodotText texts[] = {
    inspect::GodotText({.family = TextFamily::godot_3_2, .resources = true}),
    inspect::GodotText({.family = TextFamily::godot_3_6, .resources = true}),
    inspect::GodotText({.family = TextFamily::godot_4, .resources = true}),
    inspect::GodotText({.family = TextFamily::pandemonium, .resources = true}),
};

Kind kind_of(unsigned choice) {
    if (choice & 4)
        return {&plain_json, &dialects::godot_4_4, std::nullopt};
    const auto& syntax = texts[choice & 3];
    const TextFamily family = syntax.options().family;
    const Dialect* dialect = family == TextFamily::godot_4       ? &dialects::godot_4_4
                             : family == TextFamily::pandemonium ? &dialects::pandemonium_5
                                                                 : &dialects::godot_3_1;
    return {&syntax, dialect,
            ParseOptions{.family = family, .tolerant = (choice & 8) != 0, .resources = true}};
}

Variant new_value(std::size_t pick) {
    switch (pick) {
        case 0:
            return 7;
        case 1:
            return 0.1;
        case 2:
            return "new\n\"text\"";
        case 3:
            return Array{1, Array(), Dictionary()};
        case 4:
            return Dictionary{{"a", 1}, {"b", Dictionary{{"c", Array{"x"}}}}};
        case 5:
            return Vector2{1, 0.5f};
        case 6:
            return {};
        case 7:
            return Object("Node");
        default:
            return PackedByteArray{1, 2};
    }
}

/// The outermost Array on the way to a container, or that container: what is outside of it stays.
/// (An element that becomes like another may be aligned with that one.)
const OutlineNode& bounds(const Outline& outline, const std::vector<std::size_t>& place) {
    std::uint32_t node = 0;
    for (const std::size_t i : place) {
        if (outline.nodes[node].kind == OutlineKind::array ||
            outline.nodes[node].kind == OutlineKind::leaf)
            break;
        std::uint32_t child = node + 1;
        for (std::size_t left = i; left; --left)
            child = outline.nodes[child].next;
        node = child;
    }
    return outline.nodes[node];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 5)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data), size - 5);
    const Kind kind = kind_of(data[size - 1]);
    Outline outline;
    const auto before = kind.read(text, &outline);
    if (!before)
        return 0;
    const Packed old(*before, *kind.dialect);
    if (!old)
        return 0;
    // (a) No difference: the same text.
    const auto same = inspect::rewrite(text, outline, old.root(), old.root(), *kind.syntax);
    fuzz::require(same && *same == text, "without a difference the text stays");

    std::uint64_t seed = 1;
    for (std::size_t i = size - 5; i < size - 1; ++i)
        seed = seed << 8 | data[i];
    auto choose = [&](std::size_t n) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::size_t>(seed >> 33) % n;
    };
    auto make = [&] { return new_value(choose(9)); };
    Variant after = *before;
    for (int changes = 0; changes < 3; ++changes) {
        Mutation mutation(choose, make);
        mutation.run(after);
        const Packed made(after, *kind.dialect);
        if (!made)
            return 0;
        const auto result = inspect::rewrite(text, outline, old.root(), made.root(), *kind.syntax);
        if (!result) {
            fuzz::require(!inspect::to_string(result.error()).empty(), "a refusal says why");
            fuzz::require(result.error().error.code != Errc::wrong_arguments,
                          "the outline is that of the value");
            fuzz::require(result.error().error.code != Errc::misplaced, "edits do not overlap");
            return 0;
        }
        // (b) The new text has the new value.
        const auto read = kind.read(*result);
        fuzz::require(read && identical(*read, after), "the new text has the new value");
        // (c) All that is outside of what changed stays.
        if (changes == 0) {
            const OutlineNode& at = bounds(outline, mutation.place);
            fuzz::require(result->starts_with(text.substr(0, at.begin)), "what is in front stays");
            fuzz::require(result->ends_with(text.substr(at.end)), "what is behind stays");
        }
    }
    return 0;
}
