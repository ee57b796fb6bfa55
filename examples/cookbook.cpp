// The recipes of docs/cookbook.md; tests/cookbook_test.py compares the two, and ctest runs them.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <gdvar/gdvar.hpp>
#include <gdvar/save/records.hpp>
#include <set>

using namespace gdvar;

static void check(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
}

// --- struct
struct Enemy {
    std::string name;
    int hp = 0;
    Vector2 pos;
    std::vector<std::string> loot;
};

std::optional<Enemy> from_godot(ByteView packet) {
    auto enemy = decode<Enemy>(packet);
    if (!enemy)
        return std::nullopt;  // enemy.error(): the code, the offset and the field
    return *std::move(enemy);
}
PackedByteArray to_godot(const Enemy& enemy) {
    return encode(enemy).value();
}
// ---

// --- images
struct Sheet {
    std::string name;
    std::vector<std::span<const std::byte>> pngs;  // an Array of PackedByteArrays, not copied
};

std::size_t bytes_of_images(ByteView packet) {
    std::size_t sum = 0;
    if (auto sheet = decode<Sheet>(packet))
        for (const auto& png : sheet->pngs)
            sum += png.size();
    return sum;
}
// ---

// --- tilemap
struct TileLayer {
    std::string name;
    std::vector<std::int32_t> tiles;  // a PackedInt32Array, copied in one piece
};
struct TileLayerView {
    std::string_view name;
    PackedSpan<std::int32_t> tiles;  // points into the packet
};

std::int64_t sum_of_tiles(ByteView packet) {
    std::int64_t sum = 0;
    if (auto layer = decode<TileLayerView>(packet))
        for (const std::int32_t tile : layer->tiles)
            sum += tile;
    return sum;
}
// ---

// --- versions
struct Settings {
    int version = 1;
    std::string player;
    std::optional<float> gamma;             // missing or null: no value
    std::vector<std::string> keys{"wasd"};  // missing: this default, because meta says optional()
};
template <>
struct gdvar::meta<Settings> {
    static constexpr auto fields = std::tuple(gdvar::field("version", &Settings::version),
                                              gdvar::field("player", &Settings::player),
                                              gdvar::field("gamma", &Settings::gamma).omit_empty(),
                                              gdvar::field("keys", &Settings::keys).optional());
};
// ---

// --- tags
struct Join {
    Tag<"join"> type;
    std::string name;
};
struct Leave {
    Tag<"leave"> type;
    std::int64_t id = 0;
};
using Event = std::variant<Join, Leave, Variant>;  // Variant takes all other messages

std::string kind_of(ByteView packet) {
    auto event = decode<::Event>(packet);
    if (!event)
        return "broken";
    if (std::holds_alternative<Join>(*event))
        return "join of " + std::get<Join>(*event).name;
    return std::holds_alternative<Leave>(*event) ? "leave" : "unknown";
}
// ---

// --- enums
enum class Weather { sun, rain, snow };
template <>
struct gdvar::meta<Weather> {
    static constexpr auto values =
        std::array{gdvar::value("sun", Weather::sun), gdvar::value("rain", Weather::rain),
                   gdvar::value("snow", Weather::snow)};
};
// ---

// --- limits
struct Chat {
    std::string text;
    int channel = 0;
};
template <>
struct gdvar::meta<Chat> {
    static constexpr auto fields = std::tuple(gdvar::field("text", &Chat::text).max_length(200),
                                              gdvar::field("channel", &Chat::channel).range(0, 15));
    static constexpr StructOptions<Chat> options{
        .unknown_keys = UnknownKeys::refuse, .check = [](const Chat& of) {
            return of.channel == 0 && of.text.empty() ? "an empty text to all" : nullptr;
        }};
};

std::expected<Chat, Error> from_a_stranger(ByteView packet) {
    return decode<Chat>(packet, {.limits = Limits::network()},
                        {.repeated_keys = RepeatedKeys::refuse});
}
// ---

// --- reuse
std::size_t serve(std::span<const PackedByteArray> packets) {
    Enemy enemy;          // its strings and vectors keep their memory
    PackedByteArray out;  // and so does the buffer
    std::size_t sent = 0;
    for (const PackedByteArray& packet : packets) {
        if (!decode_to(enemy, as_bytes(packet)))
            continue;
        enemy.hp -= 1;
        out.clear();
        sent += encode_to(out, enemy).value_or(0);
    }
    return sent;
}
// ---

// --- by hand
double sum_of_floats(ByteView packet) {
    Cursor cursor(packet);
    double sum = 0;
    for (std::uint32_t n = cursor.begin_array(); n && cursor; --n)
        sum += cursor.real();
    cursor.end();
    return cursor.finish() ? sum : 0;  // else see cursor.error() and cursor.path()
}

PackedByteArray countdown(int from) {
    PackedByteArray packet;
    BufferOutput output(packet);
    Writer writer(output, EncodeOptions{});
    writer.begin_array();  // the count is patched in at the end
    for (int i = from; i > 0; --i)
        writer.integer(i);
    writer.end();
    check(writer.finish().has_value(), "countdown");
    return packet;
}
// ---

// --- convert
std::optional<PackedByteArray> to_godot_4(ByteView godot_3_packet) {
    auto done = inspect::convert(godot_3_packet, {.dialect = &dialects::godot_3_1},
                                 {.dialect = &dialects::godot_4_4});
    if (!done || !done->losses.empty())
        return std::nullopt;  // done->losses: what would be lost, by path
    return std::move(done->bytes);
}
// ---

// --- trees
struct Stats {
    int level = 1;
    float speed = 1;
    std::set<std::string> tags;
    std::chrono::milliseconds cooldown{500};  // an int
    int seen = 0;                             // not sent
};
template <>
struct gdvar::meta<Stats> {
    static constexpr auto fields = std::tuple(
        gdvar::field("level", &Stats::level).range(1, 99), gdvar::field("speed", &Stats::speed),
        gdvar::field("tags", &Stats::tags), gdvar::field("cooldown", &Stats::cooldown));
    static constexpr auto left_out = std::tuple(&Stats::seen);
};

/// Raises the level of every player; false if a player is not a valid Stats, before or after.
bool level_up(Variant& players) {
    for (Variant& player : *players.get_if<Array>()) {
        auto stats = player.get<Stats>();
        if (!stats)
            return false;
        ++stats->level;
        auto raised = to_variant(*stats);
        if (!raised)
            return false;  // over 99
        player = *std::move(raised);
    }
    return true;
}
// ---

// --- errors
std::string why_not(ByteView packet) {
    auto enemy = decode<Enemy>(packet);
    if (enemy)
        return "";
    return error_path(packet, {}, enemy.error()) + ": " + to_string(enemy.error());
}
// ---

// --- variant
std::expected<Variant, Error> heal(ByteView save) {
    auto v = decode(save);
    if (!v)
        return v;
    Variant& game = *v;
    // Reading changes nothing. A missing value is an error that names the first step that failed.
    auto hp = game["players"][0]["hp"].get<int>();
    if (!hp)
        return std::unexpected(hp.error());
    // Assigning creates missing values, in Nil and Dictionaries. It does not extend an Array.
    game["players"][0]["hp"] = *hp + 10;
    game["log"]["healed"] = 1;
    // Keys are const; sort_keys, sort and rename change them.
    if (auto* log = game["log"].get_if<Dictionary>())
        for (auto& [key, value] : *log)
            value = key;
    return v;
}
// ---

int main() {
    const PackedByteArray sent =
        *var_to_bytes(Dictionary{{"name", "Orc"},
                                 {"hp", 30},
                                 {"pos", Vector2{1, 2}},
                                 {"loot", PackedStringArray{"axe", "gold"}},
                                 {"color", Color{}}});
    const auto enemy = from_godot(as_bytes(sent));
    check(enemy && enemy->hp == 30 && enemy->loot.size() == 2, "struct");
    check(from_godot(as_bytes(to_godot(*enemy)))->name == "Orc", "struct back");

    const PackedByteArray sheet = *var_to_bytes(Dictionary{
        {"name", "hero"}, {"pngs", Array{PackedByteArray{1, 2, 3}, PackedByteArray{4}}}});
    check(bytes_of_images(as_bytes(sheet)) == 4, "images");
    const PackedByteArray layer =
        *var_to_bytes(Dictionary{{"name", "ground"}, {"tiles", PackedInt32Array{1, -1, 7}}});
    check(
        sum_of_tiles(as_bytes(layer)) == 7 && decode<TileLayer>(as_bytes(layer))->tiles.size() == 3,
        "tilemap");

    const auto old =
        decode<Settings>(as_bytes(*var_to_bytes(Dictionary{{"version", 1}, {"player", "Ada"}})));
    check(old && !old->gamma && old->keys.size() == 1, "versions");
    const auto fresh = decode<Settings>(as_bytes(*var_to_bytes(
        Dictionary{{"version", 2}, {"player", "Ada"}, {"gamma", 2.2}, {"later", 1}})));
    check(fresh && *fresh->gamma == 2.2f, "versions with a field");

    check(kind_of(as_bytes(*var_to_bytes(Dictionary{{"type", "join"}, {"name", "Bob"}}))) ==
              "join of Bob",
          "tags");
    check(kind_of(as_bytes(*var_to_bytes(Array{1, 2}))) == "unknown", "tags of nothing known");
    check(*decode<Weather>(as_bytes(*var_to_bytes("snow"))) == Weather::snow, "enums");
    check(decode<Weather>(as_bytes(*var_to_bytes("hail"))).error().code == Errc::unknown_name,
          "enums refuse");
    check(from_a_stranger(as_bytes(*var_to_bytes(Dictionary{{"text", "hi"}, {"channel", 3}})))
              .has_value(),
          "limits");
    check(!from_a_stranger(as_bytes(*var_to_bytes(Dictionary{{"text", "hi"}, {"channel", 16}}))),
          "limits refuse");
    check(serve(std::array{sent, sent}) == 2 * to_godot(*enemy).size(), "reuse");
    check(sum_of_floats(as_bytes(*var_to_bytes(Array{1.5, 2, 3.25}))) == 6.75, "by hand");
    check(bytes_to_var(countdown(3))->size() == 3, "by hand, writing");
    const auto healed =
        heal(as_bytes(*var_to_bytes(Dictionary{{"players", Array{Dictionary{{"hp", 5}}}}})));
    check(healed && (*healed)["players"][0]["hp"] == 15 && (*healed)["log"]["healed"] == "healed",
          "variant");
    const auto nobody = heal(as_bytes(*var_to_bytes(Dictionary{{"players", Array{}}})));
    check(to_string(nobody.error()) == "error[index_out_of_range]: no element 0: there are 0",
          "variant refuses");
    const PackedByteArray three =
        *encode(Variant(Array{1, "x", Vector3{1, 2, 3}}), {.dialect = &dialects::godot_3_1});
    check(to_godot_4(as_bytes(three)).has_value(), "convert");
    Variant players = Array{*to_variant(Stats()), *to_variant(Stats{98, 0.5f, {"boss"}})};
    check(level_up(players) && players[1]["level"].get<int>() == 99, "trees");
    check(!level_up(players), "trees refuse");
    check(why_not(as_bytes(*var_to_bytes(Dictionary{{"name", "Orc"}, {"hp", "many"}}))) ==
              "$.hp: error[wrong_type]: expected an int or a float, found a String",
          why_not(as_bytes(*var_to_bytes(Dictionary{{"name", "Orc"}, {"hp", "many"}}))).c_str());
    return 0;
}
