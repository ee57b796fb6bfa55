// The workloads as a program's own structs.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "gdvar/value/binding.hpp"

namespace gdvar::bench {

using Text = std::string_view;

struct Entity {
    std::int64_t id;
    Text name;
    Vector3 pos, vel;
    double yaw;
    std::int32_t hp, max_hp;
    Text state;
    bool alive;
    std::optional<std::int64_t> target;
};

struct SettingsLeaf {
    std::int32_t opt_0;
    double ratio_0;
    bool flag_0;
    Text label_0;
    std::int32_t opt_1;
    double ratio_1;
    bool flag_1;
    Text label_1;
    std::int32_t opt_2;
    double ratio_2;
    bool flag_2;
    Text label_2;
    std::int32_t opt_3;
    double ratio_3;
    bool flag_3;
    Text label_3;
    Color color;
    std::tuple<std::int32_t, std::int32_t, Text> keys;
};
template <int depth>
struct Settings {
    std::int32_t opt_0;
    double ratio_0;
    bool flag_0;
    Text label_0;
    std::int32_t opt_1;
    double ratio_1;
    bool flag_1;
    Text label_1;
    std::int32_t opt_2;
    double ratio_2;
    bool flag_2;
    Text label_2;
    std::int32_t opt_3;
    double ratio_3;
    bool flag_3;
    Text label_3;
    Color color;
    std::tuple<std::int32_t, std::int32_t, Text> keys;
    using Group = std::conditional_t<depth == 1, SettingsLeaf, Settings<depth - 1>>;
    Group group_0, group_1, group_2;
};
template <>
struct Settings<0> : SettingsLeaf {};

struct ChatMessage {
    std::int64_t ts;
    Text from, channel, text;
};

struct Item {
    Text item;
    std::int32_t count;
    double durability;
    std::vector<std::variant<Text, std::int32_t>> enchant;
};
struct Node {
    NodePathView path;
    Transform3D xform;
    Color tint;
    std::int32_t hp;
};
struct Quest {
    std::int32_t stage;
    double started;
    std::pair<Text, Text> log;
    bool done;
};
struct Stats {
    std::int32_t strength, dexterity, intelligence;
};
struct Player {
    Text name;
    Vector3 pos;
    std::int32_t level;
    std::int64_t xp;
    Stats stats;
};
struct Savegame {
    std::int32_t version;
    Player player;
    std::vector<Item> inventory;
    Pairs<Text, bool> flags;
    std::vector<Node> nodes;
    Pairs<Text, Quest> quests;
};

struct MoveMessage {
    Tag<"move"> tag;
    std::int64_t seq;
    Vector3 to;
    double speed;
};
struct StateMessage {
    std::int32_t op;
    std::int64_t seq;
    std::int32_t dx;
    bool jump;
};
struct HitMessage {
    Tag<"hit"> tag;
    std::int64_t whom;
    std::int32_t damage;
};
struct SayMessage {
    std::int64_t seq;
    Text text;
};
using SmallMessage = std::variant<MoveMessage, StateMessage, HitMessage, SayMessage>;

struct Layer {
    Text name;
    std::int32_t z;
    bool visible;
    std::vector<std::int32_t> tiles;
};
struct Tilemap {
    std::int32_t version;
    Vector2 size;
    Text tileset;
    std::vector<Layer> layers;
};
struct Mesh {
    Text name;
    AABB aabb;
    Transform3D xform;
    std::vector<Vector3> vertices, normals;
    std::vector<Vector2> uvs;
    std::vector<Color> colors;
    std::vector<std::int32_t> indices;
};

}  // namespace gdvar::bench

template <>
struct gdvar::meta<gdvar::bench::Stats> {
    using T = gdvar::bench::Stats;
    static constexpr auto fields =
        std::tuple(gdvar::field("str", &T::strength), gdvar::field("dex", &T::dexterity),
                   gdvar::field("int", &T::intelligence));
};
template <>
struct gdvar::meta<gdvar::bench::MoveMessage> {
    using T = gdvar::bench::MoveMessage;
    static constexpr auto fields =
        std::tuple(gdvar::field("tag", &T::tag), gdvar::field("seq", &T::seq),
                   gdvar::field("to", &T::to), gdvar::field("speed", &T::speed));
    static constexpr gdvar::StructOptions<gdvar::bench::MoveMessage> options{.as_array = true};
};
template <>
struct gdvar::meta<gdvar::bench::HitMessage> {
    using T = gdvar::bench::HitMessage;
    static constexpr auto fields =
        std::tuple(gdvar::field("tag", &T::tag), gdvar::field("whom", &T::whom),
                   gdvar::field("damage", &T::damage));
    static constexpr gdvar::StructOptions<gdvar::bench::HitMessage> options{.as_array = true};
};
template <>
struct gdvar::meta<gdvar::bench::SayMessage> {
    using T = gdvar::bench::SayMessage;
    static constexpr auto fields =
        std::tuple(gdvar::field("seq", &T::seq), gdvar::field("text", &T::text));
    static constexpr gdvar::StructOptions<gdvar::bench::SayMessage> options{.as_array = true};
};
