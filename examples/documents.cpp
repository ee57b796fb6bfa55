// The recipes of docs/documents.md; tests/cookbook_test.py compares the two, and ctest runs them.
#include <cstdio>
#include <cstdlib>
#include <gdvar/gdvar.hpp>

using namespace gdvar;

static void check(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
}

// --- steps
std::expected<int, Error> hp_of_first(const Document& doc) {
    // Each step that fails makes the View lost. `get` then returns the error of the first one.
    return doc["players"][0]["hp"].get<int>();
}
std::string name_of_first(const Document& doc) {
    return doc["players"][0]["name"].get_or(std::string("nobody"));
}
// ---

// --- containers
/// Prints one level of a value.
void list(View value) {
    std::printf("%s, %zu\n", std::string(type_name(value.type())).c_str(), value.size());
    for (const View element : value.elements())  // an Array
        std::printf("  %s\n", std::string(type_name(element.type())).c_str());
    for (const auto& [key, item] : value.pairs())  // a Dictionary, in its own order
        std::printf("  %s: %s\n", key.get_or(std::string("(no text)")).c_str(),
                    std::string(type_name(item.type())).c_str());
    for (const auto& [name, item] : value.properties())  // an Object in full
        std::printf("  %.*s: %s\n", static_cast<int>(name.size()), name.data(),
                    std::string(type_name(item.type())).c_str());
    for (const std::string_view text : value.strings())  // a PackedStringArray
        std::printf("  %.*s\n", static_cast<int>(text.size()), text.data());
}
// ---

// --- whole tree
/// The sum of all ints in a document. The depth of the packet is not the depth of the C++ stack.
std::int64_t sum_of_ints(const Document& doc) {
    std::int64_t sum = 0;
    std::vector<View> rest{doc.root()};
    while (!rest.empty()) {
        const View value = rest.back();
        rest.pop_back();
        if (value.is(Type::integer))
            sum += value.integer();  // unchecked access: the type is known
        for (const View element : value.elements())
            rest.push_back(element);
        for (const auto& [key, item] : value.pairs()) {
            rest.push_back(key);
            rest.push_back(item);
        }
        for (const auto& [name, item] : value.properties())
            rest.push_back(item);
    }
    return sum;
}
// ---

// --- packed
float highest(View heights) {
    float most = 0;
    // A PackedFloat32Array, read where it lies in the packet.
    if (const auto floats = heights.get<PackedSpan<float>>())
        for (const float height : *floats)
            most = std::max(most, height);
    return most;
}
// ---

// --- structs
struct Player {
    std::string name;
    int hp = 0;
};

std::expected<std::vector<Player>, Error> players(const Document& doc) {
    return doc["players"].get<std::vector<Player>>();
}
// ---

// --- paths
int total_hp(const Document& doc) {
    int sum = 0;
    // lookup finds one value; lookup_each takes [*], which stands for every element.
    const auto add = [&](const inspect::MatchView& match) {
        sum += match.value.get_or(0);
        return true;  // go on
    };
    (void)inspect::lookup_each(doc.root(), "$.players[*].hp", add);
    return sum;
}
// ---

// --- print
std::string describe(View value) {
    return to_json(value).value_or("") + "\n" + to_text(value).value_or("");
}
/// The value as a packet of its own: its bytes stand in the packet in one piece.
ByteView packet_of(View value) {
    return value.raw();
}
// ---

// --- reuse
/// One Document for all packets: its memory is kept, so a warm one allocates nothing.
std::size_t count_sound(std::span<const PackedByteArray> packets) {
    const DecodeOptions untrusted{.limits = Limits::network()};
    Document doc;
    std::size_t sound = 0;
    for (const PackedByteArray& packet : packets)
        if (doc.read(packet, untrusted))  // all Views of the previous packet end here
            ++sound;
    return sound;
}
// ---

// --- moved
struct Level {
    Document doc;  // owns the bytes
    View spawn;    // points into the block that `doc` owns, not into `doc`
};

std::expected<Level, Error> load(PackedByteArray bytes) {
    auto doc = Document::parse(std::move(bytes));
    if (!doc)
        return std::unexpected(doc.error());
    const Document& packet = *doc;
    const View spawn = packet["players"][0];
    return Level{*std::move(doc), spawn};  // the View stays valid while the Document moves
}
// ---

int main() {
    const Variant game = Dictionary{
        {"players", Array{Dictionary{{"name", "Ada"}, {"hp", 30}}, Dictionary{{"hp", 12}}}},
        {"heights", PackedFloat32Array{1.5F, 4.5F, 3.0F}},
        {"names", PackedStringArray{"a", "b"}}};
    const PackedByteArray packet = var_to_bytes(game).value();
    const auto parsed = Document::parse(packet);
    check(parsed.has_value(), "parse");
    const Document& doc = *parsed;

    check(hp_of_first(doc) == 30, "steps");
    check(name_of_first(doc) == "Ada", "get_or");
    const auto lost = doc["players"][7]["hp"].get<int>();
    check(
        !lost && to_string(lost.error()) == "error[index_out_of_range]: no element 7: there are 2",
        to_string(lost.error()).c_str());
    list(doc.root());
    list(doc["players"]);
    list(doc["names"]);
    check(sum_of_ints(doc) == 42, "whole tree");
    check(highest(doc["heights"]) == 4.5F, "packed");
    const auto refused = players(doc);
    check(!refused && refused.error().code == Errc::missing_key, "structs");
    check(total_hp(doc) == 42, "paths");
    check(describe(doc["players"][1]["hp"]) == "\"i:12\"\n12", "print");
    check(decode(packet_of(doc["heights"])) == game["heights"].get<Variant>(), "raw");
    check(count_sound(std::array{packet, packet}) == 2, "reuse");
    auto level = load(PackedByteArray(packet));
    check(level && level->spawn["name"].get<std::string>() == "Ada", "moved");
    return 0;
}
