// Writes docs/dialects.md, docs/errors.md and docs/conversions.md from the tables.
//   gen_docs dialects|errors|conversions     prints the page; tests/docs_test compares it with the
//   one in docs/
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gdvar/wire/conversion.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/quirk.hpp"

namespace {

using namespace gdvar;

std::string shape_text(const TypeRow& row) {
    switch (row.shape) {
        case Shape::absent:
            return "";
        case Shape::unsupported:
            return "can't be sent";
        case Shape::nothing:
            return "header only";
        case Shape::boolean:
            return "u32";
        case Shape::integer:
            return row.wide_bytes ? "i32, or i64 by bit 16" : "i" + std::to_string(row.bytes * 8);
        case Shape::real:
            return row.wide_bytes ? "f32, or f64 by bit 16" : "f" + std::to_string(row.bytes * 8);
        case Shape::string:
        case Shape::string_name:
            return "counted string";
        case Shape::math:
        case Shape::packed: {
            constexpr const char* components[] = {"", "u8", "i32", "i64", "f32", "f64"};
            std::string out = row.shape == Shape::packed ? "count, elements of " : "";
            out += std::to_string(row.components) + " x " +
                   components[static_cast<int>(row.component)];
            if (row.wide_bytes)
                out += row.flags ? ", or f64 by bit 16" : ", or f64 by option";
            return out;
        }
        case Shape::node_path:
            return "counts, flags, counted strings";
        case Shape::rid:
            return "u64";
        case Shape::object:
            return "null, id (bit 16) or class and properties";
        case Shape::signal:
            return "counted string, u64";
        case Shape::dictionary:
            return row.flags ? "[types by bits 16-19], count, pairs" : "count, pairs";
        case Shape::array:
            return row.flags ? "[type by bits 16-17], count, elements" : "count, elements";
        case Shape::typed_array:
            return "element type, [class], count, elements";
        case Shape::packed_bytes:
            return "count, bytes, padding";
        case Shape::packed_strings:
            return "count, counted strings";
        case Shape::image:
            return "five u32, bytes, padding";
        case Shape::input_event:
            return "type, device, length, up to two words";
    }
    return "";
}

void print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
}

std::string releases_text(const Releases& r) {
    if (r.engine.empty())
        return "";
    const auto number = [](const std::array<std::uint8_t, 2>& release) {
        return std::to_string(release[0]) + "." +
               (release[1] == Releases::any ? "*" : std::to_string(release[1]));
    };
    return number(r.first) + (r.first == r.last ? "" : " to " + number(r.last));
}

/// "16-19" for 0xF0000.
std::string bits_text(std::uint32_t flags) {
    std::string out;
    for (int bit = 0; bit < 32; ++bit) {
        if (!(flags >> bit & 1))
            continue;
        int last = bit;
        while (last < 31 && flags >> (last + 1) & 1)
            ++last;
        out += (out.empty() ? "" : ", ") + std::to_string(bit) +
               (last > bit ? "-" + std::to_string(last) : "");
        bit = last;
    }
    return out;
}

/// Which header bits above the type id count, and for which types.
void header_bits(const Dialect& d) {
    std::map<std::uint32_t, std::string> types;
    for (std::size_t id = 0; id < d.row_count; ++id)
        if (const TypeRow& row = d.rows[id]; row.flags && row.shape != Shape::unsupported) {
            std::string& names = types[row.flags];
            names += (names.empty() ? "" : ", ") + std::string(row.name);
        }
    if (types.empty())
        return print("- Header bits: none.\n");
    print("- Header bits:");
    const char* between = " ";
    for (const auto& [flags, names] : types) {
        print(between + bits_text(flags) + " of " + names);
        between = "; ";
    }
    print(". All others are ignored.\n");
}

void features(const Dialect& d) {
    constexpr const char* numbers[] = {"32 bits when the value survives, else 64 with the flag",
                                       "every int 64 bits with the flag, floats by value",
                                       "32 bits only", "always 8 bytes, no flag"};
    print("- Numbers: " + std::string(numbers[static_cast<int>(d.numbers)]) + ".\n");
    header_bits(d);
    print(d.utf8 == Utf8Rule::strict
              ? "- Text: strict UTF-8.\n"
              : "- Text: UTF-8 as Godot 3 takes it (surrogates and long forms pass).\n");
    print(std::string("- PackedStringArray elements: ") +
          (d.string_array_nul ? "with a counted NUL.\n" : "without a NUL.\n"));
    if (d.matrix == MatrixOrder::columns)
        print("- Basis and Transform3D by columns.\n");
    if (d.script == ScriptForm::resource_path)
        print("- An object's `script` is null or a `res://` path.\n");
    if (d.type_mask != 0xFF)
        print(d.type_mask == 0xFFFF ? "- The type is the header's low 16 bits.\n"
                                    : "- The type is the whole header.\n");
    if (d.node_path_text)
        print("- NodePath's old text form is read.\n");
    if (d.documented)
        print("- Follows a page, not an engine; never guessed.\n");
}

/// Where the rules of each dialect come from. Programs that read packets have no use for it.
constexpr std::pair<std::string_view, const char*> sources[] = {
    {"godot-4.4", "release headers 4.4 to 4.5; source and runs of 4.6.3"},
    {"godot-4.3", "release header and source of 4.3"},
    {"godot-4.0", "release headers 4.0 to 4.2; source of 4.2.3-rc"},
    {"godot-4-dev", "marshalls.cpp of master, 2020-02-24 to a December 2021 snapshot"},
    {"godot-3.1", "source of 3.1 to 3.2.2, 3.5.3 and 3.6; runs of 3.2.3 and 3.6.2"},
    {"godot-3.0", "source of 3.0 to 3.0.6"},
    {"godot-2", "source of 1.0 to 2.1.6"},
    {"pandemonium-5", "source of v5.0.0 to v5.3-dev; runs of 5.3-dev"},
    {"pandemonium-3.8", "source of v3.8.0 to v4.9.0"},
    {"pandemonium-3.5", "source of v3.5.0 to v3.7.0"},
    {"page-3", "the page as Godot 3 and Pandemonium carry it, 27 types"},
    {"page-4", "the page as Godot 4 carries it, 29 types"},
    {"page-4-dev", "the development edition, 29 types, int and float always 8 bytes"},
};

const char* source_of(const Dialect& dialect) {
    for (const auto& [name, source] : sources)
        if (name == dialect.name)
            return source;
    throw std::logic_error("no source is named here for " + std::string(dialect.name));
}

void dialects_page() {
    print(
        "# Dialects\n\nGenerated from the tables in src/wire/dialects by tools/gen_docs. The "
        "payloads are described in [wire-format.md](wire-format.md).\n\n"
        "Type ids changed from version to version, and the table in Godot's documentation was "
        "never "
        "that of any engine. So each set of rules is a dialect with a name. The library reads and "
        "writes `godot-4.4` unless told otherwise. The command reads `auto`: the most plausible "
        "dialect that fits, and of equally plausible ones the newest "
        "([recognition](recognition.md)).\n\n"
        "An alias and every release are names, too (`godot4`, `godot-4.5`, `godot-3.5.3`), and so "
        "is "
        "a major version that is all one dialect (`pandemonium-4`). Your own dialect: "
        "[cookbook](cookbook.md#a-dialect-of-your-own), "
        "[contributing](../CONTRIBUTING.md#add-a-dialect-in-six-steps).\n\n"
        "Values out of texts of Godot 2 are in `godot-2-text`: godot-2 with ints and floats of 64 "
        "bits, and Objects in full for references to resources. No engine writes it, and it is in "
        "no list.\n\n"
        "| name | alias | releases | types | text | who writes it |\n|---|---|---|---|---|---|\n");
    for (const Dialect* d : all_dialects())
        print("| `" + std::string(d->name) + "` | " +
              (d->alias.empty() ? "" : "`" + std::string(d->alias) + "`") + " | " +
              releases_text(d->releases) + " | " + std::to_string(d->row_count) + " | " +
              std::string(family_name(d->family)) + " | " + std::string(d->title) + " |\n");
    for (const Dialect* d : all_dialects()) {
        print("\n## " + std::string(d->name) + "\n\n" + std::string(d->title) +
              ". Source: " + source_of(*d) + ".\n\n");
        features(*d);
        print(
            "\n| id | type | its own name | payload | least bytes | note "
            "|\n|---|---|---|---|---|---|\n");
        for (std::size_t id = 0; id < d->row_count; ++id) {
            const TypeRow& row = d->rows[id];
            print("| " + std::to_string(id) + " | " + std::string(type_name(row.type)) + " | " +
                  (row.name == type_name(row.type) ? "" : std::string(row.name)) + " | " +
                  shape_text(row) + " | " + std::to_string(row.least) + " | " +
                  std::string(row.note) + " |\n");
        }
    }
}

void errors_page() {
    print(
        "# Errors\n\nGenerated from the tables in src/wire/error.cpp by tools/gen_docs.\n\n"
        "The command prints an error with its place:\n\n"
        "    cap.bin:0x2c: $.players[3].pos: error[truncated]: need 4 more bytes for a Vector3\n\n"
        "That is the file, the byte's offset, the path of the value, the code's name, and the "
        "details. In C++ the same is an `Error` with a code (`Errc::truncated`), an offset and "
        "details; `to_string` prints them, `error_path` finds the path ([what an error looks "
        "like](cookbook.md#what-an-error-looks-like)). Numbers and names of codes never change "
        "meaning. The kind says what an error is about (`error_info(code).kind`): the packet's "
        "`bytes` are wrong; the `options` or limits refuse sound bytes; a `request` asks for "
        "what is not there; `writing` is impossible; the `system` fails; a `container` around the "
        "packets, a `connection`, or `text` (Godot's or JSON) is wrong.\n\n"
        "| number | name | kind | meaning |\n|---|---|---|---|\n");
    for (const ErrorInfo& e : error_table())
        print("| " + std::to_string(static_cast<int>(e.code)) + " | `" + std::string(e.name) +
              "` | " + std::string(error_kind_name(e.kind)) + " | " + std::string(e.meaning) +
              " |\n");
    print(
        "\n## `need`: how many bytes are missing\n\n"
        "`Error::need` is a lower bound:\n\n"
        "- `truncated`: at least this many more bytes must come before decoding can get past this "
        "place. The least bytes that the open containers still need are counted, too.\n"
        "- `buffer_full`: the buffer lacks at least this many bytes.\n"
        "- All other codes: 0.\n\n"
        "A program that reads a stream waits for `need` bytes before it tries again "
        "([a stream of your own](networking.md#a-stream-of-your-own)).\n"
        "\n## What carries an Error\n\n"
        "An `Error` is about the bytes of a packet: its `offset` and `need` count bytes and "
        "nothing "
        "else. Where something else was refused, a result of its own carries it. `to_string` gives "
        "the message of each.\n\n"
        "| result | about | holds |\n|---|---|---|\n"
        "| `Error` | packets and values: decode, encode, look up, bind, convert | `code`, `type`, "
        "`offset`, `need`, details for the message |\n"
        "| `FileError` | files and streams: sources, targets, containers, records, saves | "
        "`code`, `error`; "
        "`system`, the errno of `io` |\n"
        "| `TextError` | text and JSON, Base64 and hex | `code`, `type`; `offset`, `line` and "
        "`column` in the text; `detail` |\n"
        "| `inspect::PatchError` | applying a patch | `code`, `error`; `change`, the number of the "
        "change "
        "|\n"
        "| `inspect::SetRefusal` | what `set` would do | `error`; the path, the reason and the "
        "missing rule "
        "|\n"
        "| `net::NetError` | connections | `code`, `system`; `packet`, the Error of a refused "
        "packet; "
        "`text`, for people |\n");
    print(
        "\n## Quirks\n\nA quirk is odd but accepted, because engines accept it. `gdvar check` "
        "reports "
        "quirks; `annotate` reports all but `duplicate_key` and `engine_rewrites`. A packet "
        "without quirks "
        "is canonical: the engines of its dialect write the same bytes. With `strict` they are "
        "refused with "
        "the code in the last "
        "column; "
        "those without a code are never refused.\n\n"
        "| name | meaning | strict |\n|---|---|---|\n");
    for (const QuirkInfo& q : quirk_table())
        print("| `" + std::string(q.name) + "` | " + std::string(q.meaning) + " | " +
              (q.strict == Errc::ok ? "" : "`" + std::string(error_name(q.strict)) + "`") + " |\n");
}

/// The C++ types that stand for a Type.
std::string cpp_types(Type type) {
    switch (type) {
        case Type::nil:
            return "`std::nullptr_t`, `std::monostate`";
        case Type::boolean:
            return "`bool`";
        case Type::integer:
            return "`std::int8_t` to `std::uint64_t`";
        case Type::real:
            return "`float`, `double`";
        case Type::string:
            return "`std::string`, `std::string_view`, `String`";
        case Type::dictionary:
            return "`Dictionary`, `std::map`, `std::unordered_map`, `Pairs`, structs";
        case Type::array:
            return "`std::vector`, `std::array`, `std::deque`, `std::list`, `std::set`, "
                   "`std::unordered_set`";
        case Type::packed_string_array:
            return "`PackedStringArray`";
        default:
            break;
    }
    const TypeInfo& info = type_info(type);
    const std::string name(type == Type::input_event ? "InputEvent" : info.name);
    if (!info.packed)
        return info.widens ? "`" + name + "`, `" + name + "d`" : "`" + name + "`";
    const std::string_view items[] = {"std::uint8_t", "std::int32_t", "std::int64_t", "float",
                                      "double"};
    if (info.components == 1)
        return "`PackedArray<" +
               std::string(
                   items[static_cast<int>(type) - static_cast<int>(Type::packed_byte_array)]) +
               ">`";
    const std::string item(type_name(packed_element(type)));
    return "`PackedArray<" + item + ">`" + (info.widens ? ", `PackedArray<" + item + "d>`" : "");
}
std::string check_text(Check check) {
    switch (check) {
        case Check::never:
            return "";
        case Check::none:
            return "none";
        case Check::range:
            return "the C++ type's range";
        case Check::whole:
            return "no fraction, then as an int";
        case Check::exact:
            return "at most 2^53 either way, then as a float";
        case Check::rounds:
            return "within `float`'s range, to its nearest; NaN and infinities pass";
        case Check::components:
            return "each component as a float";
        case Check::elements:
            return "each element as if it were by itself";
    }
    return "";
}

void conversions_page() {
    print(
        "# Conversions\n\nGenerated from the table in include/gdvar/wire/conversion.hpp by "
        "tools/gen_docs. `View::get`, `Variant::get`, `Cursor` and `Bind` (`decode<T>`) accept and "
        "refuse the same pairs, with the same codes.\n\n"
        "A pair that is not in the table is refused with `wrong_type`: a bool never becomes a "
        "number, "
        "a number never a bool, a NodePath never a text. Where the check in the last column fails, "
        "the error is `number_out_of_range`. Besides:\n\n"
        "- A `float` takes the float nearest to a double, because GDScript's floats are all "
        "doubles. "
        "With `BindOptions::round_floats` off, or `field(...).exact()`, it takes only doubles that "
        "it "
        "holds exactly.\n"
        "- Types that point into the packet (`PackedSpan`, `std::span`) convert nothing.\n"
        "- `std::optional` also takes null.\n"
        "- `std::variant` prefers an alternative that takes the value without a conversion.\n"
        "- Enums take their numbers, or the names that `meta` lists; durations take their counts.\n"
        "- `Variant` takes everything; `Array`, `Object`, `NodePath`, `RID` and the other types of "
        "a "
        "Variant's own take values as they are.\n\n"
        "| C++ type | from | check |\n|---|---|---|\n");
    for (std::size_t to = 0; to < type_count; ++to) {
        const auto to_type = static_cast<Type>(to);
        if (to_type == Type::packed_typed_array)
            continue;
        // One row for all types that are checked in the same way.
        std::vector<std::pair<Check, std::string>> rows;
        for (std::size_t from = 0; from < type_count; ++from) {
            const auto from_type = static_cast<Type>(from);
            const Check check = conversion(from_type, to_type);
            if (check == Check::never)
                continue;
            const auto row = std::ranges::find(rows, check, &std::pair<Check, std::string>::first);
            const std::string name(type_name(from_type));
            if (row == rows.end())
                rows.emplace_back(check, name);
            else
                row->second += ", " + name;
        }
        for (const auto& [check, names] : rows)
            print("| " + cpp_types(to_type) + " | " + names + " | " + check_text(check) + " |\n");
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "dialects") == 0)
        return dialects_page(), 0;
    if (argc == 2 && std::strcmp(argv[1], "errors") == 0)
        return errors_page(), 0;
    if (argc == 2 && std::strcmp(argv[1], "conversions") == 0)
        return conversions_page(), 0;
    std::fputs("usage: gen_docs dialects|errors|conversions\n", stderr);
    return 2;
}
