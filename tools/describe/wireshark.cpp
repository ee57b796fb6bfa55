// The dissector: a hand-written body (wireshark/*.lua) and the tables it works from.
#include "describe.hpp"
#include "wireshark_body.hpp"

namespace gdvar::describe {
namespace {

constexpr std::string_view shape_names[] = {
    "absent", "unsupported", "nothing",   "boolean", "integer", "real",   "string",
    "string", "math",        "node_path", "rid",     "object",  "signal", "dictionary",
    "array",  "typed_array", "packed",    "bytes",   "strings", "image",  "input_event"};
constexpr std::string_view component_names[] = {"none", "u8", "i32", "i64", "f32", "f64"};
constexpr std::string_view family_names[] = {"godot-3",     "godot-3", "godot-4",
                                             "pandemonium", "godot-3", "godot-4"};
static_assert(std::size(shape_names) == static_cast<std::size_t>(Shape::input_event) + 1);

std::string quoted(std::string_view text) {
    return '"' + std::string(text) + '"';
}

std::string row(const TypeRow& r) {
    std::string out = "name = " + quoted(r.name) +
                      ", shape = " + quoted(shape_names[static_cast<std::size_t>(r.shape)]) +
                      ", least = " + std::to_string(r.least);
    if (r.component != ComponentType::none)
        out += ", component = " + quoted(component_names[static_cast<std::size_t>(r.component)]) +
               ", components = " + std::to_string(r.components);
    if (r.bytes)
        out += ", bytes = " + std::to_string(r.bytes);
    if (widens(r))
        out += ", wide = " + std::to_string(r.wide_bytes);
    if (r.flags)
        out += ", flags = " + std::to_string(r.flags >> 16);
    if (r.type == Type::object)
        out += ", object = true";
    if (r.type == Type::string_name)
        out += ", string_name = true";
    if (!r.note.empty())
        out += ", note = " + quoted(r.note);
    return "{ " + out + " }";
}

std::string table(const Dialect& d) {
    std::string out = "    {\n        name = " + quoted(d.name) + ", title = " + quoted(d.title) +
                      ", family = " + quoted(family_names[static_cast<std::size_t>(d.family)]) +
                      ",\n        mask = " + std::to_string(std::uint64_t{d.type_mask} + 1) +
                      ", lenient = " + (d.utf8 == Utf8Rule::lenient ? "true" : "false") +
                      ", path_text = " + (d.node_path_text ? "true" : "false") +
                      ", columns = " + (d.matrix == MatrixOrder::columns ? "true" : "false") +
                      ",\n        rows = {\n";
    for (std::size_t id = 0; id < d.row_count; ++id)
        if (d.rows[id].shape != Shape::absent)
            out += "            [" + std::to_string(id) + "] = " + row(d.rows[id]) + ",\n";
    return out + "        },\n    },\n";
}

}  // namespace

std::string wireshark() {
    std::string tables = "local dialects = {\n";
    for (const Dialect* dialect : all_dialects())
        tables += table(*dialect);
    return filled(wireshark_body, "--@DIALECTS@", tables + "}");
}

}  // namespace gdvar::describe
