// Prints what the dialect tables say in the languages of other programs; see docs/wireshark.md.
//   gdvar_describe wireshark           a dissector in Lua, all dialects
//   gdvar_describe imhex [DIALECT]     a pattern
//   gdvar_describe kaitai [DIALECT]    a .ksy
//   gdvar_describe dialects            the names
//   gdvar_describe all FOLDER          everything, into files
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "describe.hpp"

namespace gdvar::describe {

std::string identifier(const Dialect& dialect) {
    std::string out(dialect.name);
    for (char& c : out)
        if (c == '-' || c == '.')
            c = '_';
    return out;
}

std::string filled(std::string_view pattern, std::string_view mark, std::string_view text) {
    std::string out(pattern);
    if (const std::size_t at = out.find(mark); at != out.npos)
        out.replace(at, mark.size(), text);
    return out;
}

namespace {

bool write(const std::filesystem::path& path, const std::string& text) {
    std::error_code failed;
    std::filesystem::create_directories(path.parent_path(), failed);
    std::ofstream file(path, std::ios::binary);
    file << text;
    return static_cast<bool>(file.flush());
}

bool write_all(const std::filesystem::path& folder) {
    bool fine = write(folder / "wireshark/gdvar.lua", wireshark());
    for (const Dialect* dialect : all_dialects()) {
        const std::string name = "gdvar_" + identifier(*dialect);
        fine = fine && write(folder / "imhex" / (name + ".hexpat"), imhex(*dialect)) &&
               write(folder / "kaitai" / (name + ".ksy"), kaitai(*dialect));
    }
    return fine;
}

}  // namespace
}  // namespace gdvar::describe

int main(int argc, char** argv) {
    using namespace gdvar;
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what == "all" && argc == 3)
        return describe::write_all(argv[2]) ? 0 : 3;
    const Dialect* dialect = find_dialect(argc > 2 ? argv[2] : "godot-4.4");
    if (!dialect) {
        std::fprintf(stderr, "no dialect is called %s\n", argv[2]);
        return 2;
    }
    std::string out;
    if (what == "wireshark" && argc == 2) {
        out = describe::wireshark();
    } else if (what == "imhex" && argc <= 3) {
        out = describe::imhex(*dialect);
    } else if (what == "kaitai" && argc <= 3) {
        out = describe::kaitai(*dialect);
    } else if (what == "dialects" && argc == 2) {
        for (const Dialect* each : all_dialects())
            out += std::string(each->name) + "\n";
    } else {
        std::fputs(
            "usage: gdvar_describe wireshark|dialects\n"
            "       gdvar_describe imhex|kaitai [DIALECT]\n"
            "       gdvar_describe all FOLDER\n",
            stderr);
        return 2;
    }
    return std::fwrite(out.data(), 1, out.size(), stdout) == out.size() && std::fflush(stdout) == 0
               ? 0
               : 3;
}
