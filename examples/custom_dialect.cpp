// A dialect of one's own: a fork of Godot 4.4 that has put a type of its own at id 39.
#include <gdvar/gdvar.hpp>

#include <cstdio>

int main() {
    using namespace gdvar;

    Dialect fork = dialects::godot_4_4;
    fork.name = "my-fork";
    fork.alias = "";
    // PackedVector2iArray, laid out like Pandemonium's.
    fork.rows[fork.row_count] = *dialects::pandemonium_5.row(Type::packed_vector2i_array);
    ++fork.row_count;
    fork.index_types();

    const Variant value = Array{1, PackedVector2iArray{{1, 2}, {3, 4}}};
    if (encode(value))
        return 1;  // Godot 4.4 has no such type
    auto packet = encode(value, {.dialect = &fork});
    if (!packet)
        return 1;
    auto again = decode(as_bytes(*packet), {.dialect = &fork});
    if (!again || !identical(*again, value))
        return 1;
    std::printf("%zu bytes\n", packet->size());
    return 0;
}
