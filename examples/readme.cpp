#include <cstdio>
#include <gdvar/gdvar.hpp>

// GDScript: peer.put_var({"name": "Ada", "hp": 100, "pos": Vector3(1, 2, 3)})
struct Player {
    std::string name;
    int hp = 0;
    gdvar::Vector3 pos;
};

int main() {
    using namespace gdvar;

    // A struct, and its packet as Godot 4's var_to_bytes writes it.
    const auto packet = encode(Player{"Ada", 100, {1, 2, 3}});
    if (!packet)
        return 1;

    // Back again: as a struct, with limits for bytes from anywhere,
    const auto player = decode<Player>(*packet, {.limits = Limits::network()});
    if (!player)
        return 1;
    std::printf("%s: %d hp\n", player->name.c_str(), player->hp);

    // as a read-only tree that borrows from the bytes,
    const auto document = Document::parse(*packet);
    if (!document)
        return 1;
    const Document& tree = *document;
    std::printf("at x = %g\n", tree["pos"].get<Vector3>().value_or(Vector3{}).x);

    // or as a value of its own, to be changed.
    auto value = decode(*packet);
    if (!value)
        return 1;
    (*value)["hp"] = 99;
    std::printf("%s\n", to_text_full(*value).value_or("").c_str());

    // Errors say what, where in the bytes, and where in the value.
    const auto cut = as_bytes(*packet).first(packet->size() - 2);
    if (const auto error = validate(cut); !error)
        std::printf("%s: %s\n", error_path(cut, {}, error.error()).c_str(),
                    to_string(error.error()).c_str());
    return 0;
}
