// Every type of every dialect in one table, in the order of Type. No engine's dialect: it carries
// Variants to code that reads packets, inside one process.
#include "rows.hpp"

// The tables are laid out by hand: a row a line.
// clang-format off
namespace gdvar {
namespace {
using namespace rows;

constexpr TypeRow row_of(Type type) {
    switch (type) {
        case Type::boolean:
            return boolean();
        case Type::integer:
            return integer();
        case Type::real:
            return real();
        case Type::string:
            return string();
        case Type::string_name:
            return string_name();
        case Type::node_path:
            return node_path();
        case Type::rid:
            return rid();
        case Type::object:
            return object();
        case Type::signal:
            return signal();
        case Type::dictionary:
            return dictionary(bits16_19);
        case Type::array:
            return array(bits16_17);
        case Type::packed_string_array:
            return packed_strings();
        case Type::packed_typed_array:
            return typed_array(type, "PackedTypedArray");
        case Type::image:
            return image();
        case Type::input_event:
            return input_event();
        default: {
            const TypeInfo& info = type_info(type);
            if (info.components == 0)
                return nothing(type);
            const TypeRow row = info.packed ? packed(type) : math(type);
            return info.widens ? flagged(row) : row;
        }
    }
}

constexpr Dialect every() {
    Dialect out{.name = "every-type", .utf8 = Utf8Rule::lenient, .node_path_property = true,
                .null_object_free = true};
    for (std::size_t i = 0; i < type_count; ++i)
        out.rows[out.row_count++] = row_of(static_cast<Type>(i));
    out.index_types();
    return out;
}

}  // namespace

constexpr Dialect detail::every_type = every();

}  // namespace gdvar
// clang-format on
