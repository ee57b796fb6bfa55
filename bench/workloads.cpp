#include "workloads.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <new>

namespace {
std::atomic<std::size_t> allocated{0};
}

// Counts what the benchmarks allocate.
void* operator new(std::size_t n) {
    allocated.fetch_add(1, std::memory_order_relaxed);
    if (void* p = std::malloc(n))
        return p;
    throw std::bad_alloc();
}
void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
    allocated.fetch_add(1, std::memory_order_relaxed);
    return std::malloc(n);
}
void operator delete(void* p) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
    std::free(p);
}

namespace gdvar::bench {

namespace {

/// The generator of workloads_g4.gd.
class Random {
public:
    explicit Random(std::int64_t seed) : state_(seed) {}
    std::int64_t next() {
        state_ = (state_ * 1103515245 + 12345) & 0x7FFF'FFFF;
        return state_ >> 8;
    }
    std::int64_t below(std::int64_t n) { return next() % n; }
    double real() { return static_cast<double>(next()) / 8388608.0; }
    float scaled(double by) { return static_cast<float>(real() * by); }

    std::string name() {
        static const char* const all[] = {
            "Aldric", "Brynn",  "Caspian", "Dagny",    "Eirik",  "Freya", "Gunnar", "Hilde",
            "Ivar",   "Jorunn", "Łukasz",  "Małgosia", "Żaneta", "天野",  "Søren",  "Zoë"};
        return all[below(std::size(all))];
    }
    std::string sentence(std::int64_t words) {
        static const char* const all[] = {
            "hello",  "anyone", "selling", "iron",   "sword", "party", "for",   "the",
            "dragon", "lol",    "brb",     "gg",     "where", "is",    "quest", "npc",
            "kupię",  "miecz",  "żelazny", "gdzie",  "北の",  "洞窟",  "🎮",    "🔥",
            "ok",     "thanks", "need",    "healer", "tank",  "level"};
        std::string out;
        for (std::int64_t i = 0; i < words; ++i) {
            if (i)
                out += ' ';
            out += all[below(std::size(all))];
        }
        return out;
    }

private:
    std::int64_t state_;
};

template <class... Arguments>
std::string format(const char* pattern, Arguments... arguments) {
    char out[128];
    std::snprintf(out, sizeof out, pattern, arguments...);
    return out;
}

Variant mmo_tick() {
    Random r(1);
    Array out;
    for (std::int64_t i = 0; i < 200; ++i) {
        Dictionary entity;
        entity.set("id", 100000 + i);
        entity.set("name", r.name() + std::to_string(i));
        const float x = r.scaled(500), y = r.scaled(20), z = r.scaled(500);
        entity.set("pos", Vector3{x, y, z});
        const auto vx = static_cast<float>(r.real() - 0.5), vz = static_cast<float>(r.real() - 0.5);
        entity.set("vel", Vector3{vx, 0, vz});
        entity.set("yaw", r.real() * 6.28);
        entity.set("hp", r.below(1000));
        entity.set("max_hp", 1000);
        static const char* const states[] = {"idle", "run", "attack", "dead"};
        entity.set("state", states[r.below(4)]);
        entity.set("alive", r.below(10) != 0);
        const bool aims = r.below(3) == 0;
        entity.set("target", aims ? Variant(100000 + r.below(200)) : Variant());
        out.push_back(std::move(entity));
    }
    return out;
}

Variant tilemap() {
    Random r(2);
    Array layers;
    for (int layer = 0; layer < 4; ++layer) {
        PackedInt32Array tiles;
        tiles.resize(512 * 512);
        for (std::int32_t& tile : tiles) {
            if (layer == 0)
                tile = static_cast<std::int32_t>(r.below(256));
            else
                tile = r.below(5) == 0 ? static_cast<std::int32_t>(r.below(64)) : -1;
        }
        layers.push_back(Dictionary{{"name", "layer" + std::to_string(layer)},
                                    {"z", layer},
                                    {"visible", true},
                                    {"tiles", std::move(tiles)}});
    }
    return Dictionary{{"version", 3},
                      {"size", Vector2{512, 512}},
                      {"tileset", "res://tiles/overworld.tres"},
                      {"layers", std::move(layers)}};
}

Variant mesh() {
    Random r(3);
    constexpr std::size_t n = 50000;
    PackedVector3Array vertices, normals;
    PackedVector2Array uvs;
    PackedColorArray colors;
    PackedInt32Array indices;
    for (std::size_t i = 0; i < n; ++i) {
        const float x = r.scaled(10), y = r.scaled(10), z = r.scaled(10);
        vertices.push_back({x, y, z});
        normals.push_back({0, 1, 0});
        const float u = r.scaled(1), v = r.scaled(1);
        uvs.push_back({u, v});
        const float red = r.scaled(1), green = r.scaled(1), blue = r.scaled(1);
        colors.push_back({red, green, blue, 1});
    }
    for (std::size_t i = 0; i < n * 3; ++i)
        indices.push_back(static_cast<std::int32_t>(r.below(n)));
    return Dictionary{{"name", "terrain_chunk"},       {"aabb", AABB{{0, 0, 0}, {10, 10, 10}}},
                      {"xform", Transform3D()},        {"vertices", std::move(vertices)},
                      {"normals", std::move(normals)}, {"uvs", std::move(uvs)},
                      {"colors", std::move(colors)},   {"indices", std::move(indices)}};
}

Color opaque(Random& r) {
    const float red = r.scaled(1), green = r.scaled(1), blue = r.scaled(1);
    return {red, green, blue, 1};
}

Dictionary settings_group(Random& r, int depth) {
    Dictionary out;
    for (int i = 0; i < 4; ++i) {
        out.set(format("opt_%d", i), r.below(100));
        out.set(format("ratio_%d", i), r.real());
        out.set(format("flag_%d", i), r.below(2) == 0);
        out.set(format("label_%d", i), r.sentence(2));
    }
    out.set("color", opaque(r));
    const std::int64_t first = r.below(512), second = r.below(512);
    out.set("keys", Array{first, second, "ui_accept"});
    if (depth > 0)
        for (int i = 0; i < 3; ++i)
            out.set(format("group_%d", i), settings_group(r, depth - 1));
    return out;
}

Variant settings() {
    Random r(4);
    return settings_group(r, 4);
}

Variant chat() {
    Random r(5);
    Array out;
    for (std::int64_t i = 0; i < 1000; ++i) {
        static const char* const channels[] = {"say", "trade", "guild"};
        Dictionary message;
        message.set("ts", 1753000000000 + i * 1713);
        message.set("from", r.name());
        message.set("channel", channels[r.below(3)]);
        const std::int64_t words = 3 + r.below(20);
        message.set("text", r.sentence(words));
        out.push_back(std::move(message));
    }
    return out;
}

std::vector<Variant> small_packets() {
    Random r(6);
    std::vector<Variant> out;
    for (std::int64_t i = 0; i < 10000; ++i) {
        switch (r.below(4)) {
            case 0: {
                const float x = r.scaled(100), z = r.scaled(100);
                out.push_back(Array{"move", i, Vector3{x, 0, z}, r.real()});
                break;
            }
            case 1: {
                const std::int64_t dx = r.below(3) - 1;
                const bool jump = r.below(5) == 0;
                out.push_back(Dictionary{{"op", 7}, {"seq", i}, {"dx", dx}, {"jump", jump}});
                break;
            }
            case 2: {
                const std::int64_t whom = 100000 + r.below(200), damage = r.below(50);
                out.push_back(Array{"hit", whom, damage});
                break;
            }
            default:
                out.push_back(Array{i, r.sentence(4)});
        }
    }
    return out;
}

Variant savegame() {
    Random r(7);
    Array inventory;
    for (int i = 0; i < 300; ++i) {
        Dictionary item;
        item.set("item", format("item_%03d", static_cast<int>(r.below(400))));
        item.set("count", 1 + r.below(99));
        item.set("durability", r.real());
        Array enchant;
        if (r.below(4) == 0) {
            enchant.push_back(r.sentence(1));
            enchant.push_back(r.below(5));
        }
        item.set("enchant", std::move(enchant));
        inventory.push_back(std::move(item));
    }
    Dictionary flags;
    for (int i = 0; i < 2000; ++i)
        flags.set(format("flag_chapter%d_event_%04d", i % 7, i), r.below(2) == 0);
    Array nodes;
    for (int i = 0; i < 250; ++i) {
        Dictionary node;
        node.set("path", NodePath(format("/root/World/Region%d/Enemy%d:visible", i % 9, i)));
        const float x = r.scaled(100), z = r.scaled(100);
        node.set("xform", Transform3D{Basis(), {x, 0, z}});
        node.set("tint", opaque(r));
        node.set("hp", r.below(300));
        nodes.push_back(std::move(node));
    }
    Dictionary quests;
    for (int i = 0; i < 120; ++i) {
        Dictionary quest;
        quest.set("stage", r.below(9));
        quest.set("started", 1753000000.25 + i);
        const std::string first = r.sentence(8), second = r.sentence(8);
        quest.set("log", Array{first, second});
        quest.set("done", r.below(2) == 0);
        quests.set(format("quest_%d", i), std::move(quest));
    }
    return Dictionary{
        {"version", 12},
        {"player", Dictionary{{"name", "Żaneta"},
                              {"pos", Vector3{1.5, 2.5, 3.5}},
                              {"level", 42},
                              {"xp", 5000000000},
                              {"stats", Dictionary{{"str", 10}, {"dex", 12}, {"int", 14}}}}},
        {"inventory", std::move(inventory)},
        {"flags", std::move(flags)},
        {"nodes", std::move(nodes)},
        {"quests", std::move(quests)}};
}

Variant float_array() {
    Random r(8);
    Array out;
    for (int i = 0; i < 100000; ++i)
        out.push_back(r.real() * 50.0);
    return out;
}

[[noreturn]] void give_up(const std::string& why) {
    std::fprintf(stderr, "error: %s\n", why.c_str());
    std::exit(1);
}

std::vector<Variant> build(std::string_view name) {
    const std::map<std::string_view, Variant (*)()> single = {
        {"mmo_tick", mmo_tick}, {"settings", settings},       {"chat", chat},
        {"savegame", savegame}, {"float_array", float_array}, {"tilemap", tilemap},
        {"mesh", mesh}};
    if (name == "small_packets")
        return small_packets();
    const auto found = single.find(name);
    if (found == single.end())
        give_up("there is no workload " + std::string(name));
    return {found->second()};
}

/// The engine's bytes: one packet, or framed ones.
std::vector<PackedByteArray> engine_packets(const std::string& name) {
    const bool framed = name == "small_packets";
    const std::string path = std::string(GDVAR_SOURCE_DIR) + "/tests/data/workloads/g4/" + name +
                             (framed ? ".frames" : ".bin");
    std::ifstream in(path, std::ios::binary);
    if (!in)
        give_up("cannot read " + path);
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    ByteView rest = std::as_bytes(std::span(all));
    if (!framed)
        return {packed_bytes(rest)};
    std::vector<PackedByteArray> out;
    while (!rest.empty()) {
        const auto frame = read_frame(rest, ByteOrder::little);
        if (!frame)
            give_up(path + ": " + to_string(frame.error()));
        out.push_back(packed_bytes(frame->packet));
        rest = rest.subspan(frame->size);
    }
    return out;
}

Workload make(const std::string& name) {
    Workload out{name, build(name), engine_packets(name)};
    if (out.values.size() != out.packets.size())
        give_up(name + ": not as many values as packets");
    for (std::size_t i = 0; i < out.values.size(); ++i) {
        const auto bytes = encode(out.values[i]);
        if (!bytes || *bytes != out.packets[i])
            give_up(name + ": what we encode is not what the engine wrote");
        out.bytes += bytes->size();
    }
    return out;
}

}  // namespace

const std::vector<std::string>& workload_names() {
    static const std::vector<std::string> names = {"mmo_tick", "settings",      "chat",
                                                   "savegame", "small_packets", "float_array",
                                                   "tilemap",  "mesh"};
    return names;
}

const Workload& workload(std::string_view name) {
    static std::map<std::string, Workload, std::less<>> made;
    auto found = made.find(name);
    if (found == made.end())
        found = made.emplace(name, make(std::string(name))).first;
    return found->second;
}

std::size_t allocations() noexcept {
    return allocated.load(std::memory_order_relaxed);
}

}  // namespace gdvar::bench
