#include <gdvar/gdvar.hpp>

#include <cstdio>

int main() {
    using namespace gdvar;

    // A value, and its packet as Godot 4's var_to_bytes writes it.
    Variant player = Dictionary{{"name", "Ada"}, {"hp", 100}, {"pos", Vector3{1, 2, 3}}};
    auto packet = var_to_bytes(player);
    if (!packet)
        return 1;

    // Back again: an owning value ...
    auto value = bytes_to_var(*packet);
    if (!value || !identical(*value, player))
        return 1;

    // ... or a read-only tree that borrows from the bytes, with limits for bytes from anywhere.
    auto document = Document::parse(as_bytes(*packet), {.limits = Limits::network()});
    if (!document)
        return 1;
    const Document& doc = *document;
    auto hp = doc["hp"].get<int>();
    auto pos = doc["pos"].get<Vector3>();
    if (!hp || !pos)
        return 1;
    std::printf("%d hp at x = %g\n", *hp, static_cast<double>(pos->x));

    // Errors say what, where in the bytes, and where in the value.
    auto cut = as_bytes(*packet).first(packet->size() - 2);
    auto error = validate(cut);
    if (error)
        return 1;
    std::printf("%s: %s\n", error_path(cut, {}, error.error()).c_str(),
                to_string(error.error()).c_str());
    return 0;
}
