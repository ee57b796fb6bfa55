// The library's answers for packets, for comparison with Python's.
//
//   verdicts < LINES      each line: a dialect, flags (1: objects, 2: strict), max_depth,
//   max_bytes,
//                         max_nodes, the packet in hex
//
// Prints a line for each: "ok SIZE", or the error's name, offset, need, type and path with tabs
// between.
#include <charconv>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "gdvar/value/document.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/validate.hpp"

namespace {

std::vector<std::byte> unhex(std::string_view text) {
    std::vector<std::byte> out;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
        unsigned value = 0;
        std::from_chars(text.data() + i, text.data() + i + 2, value, 16);
        out.push_back(static_cast<std::byte>(value));
    }
    return out;
}

/// The fields of a line.
std::vector<std::string_view> split(std::string_view line) {
    std::vector<std::string_view> out;
    for (std::size_t at = 0;;) {
        const std::size_t space = line.find(' ', at);
        out.push_back(line.substr(at, space - at));
        if (space == std::string_view::npos)
            return out;
        at = space + 1;
    }
}

template <class T>
T number(std::string_view text) {
    T value{};
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::string verdict(gdvar::ByteView packet, const gdvar::DecodeOptions& options) {
    const auto document = gdvar::Document::parse(packet, options);
    const auto size = gdvar::validate(packet, options);
    if (document.has_value() != size.has_value())
        return "Document and validate disagree";
    if (size)
        return "ok " + std::to_string(*size);
    const gdvar::Error& error = document.error();
    std::string out(gdvar::error_name(error.code));
    for (const std::uint64_t value : {error.offset, error.need})
        out.append("\t").append(std::to_string(value));
    out += '\t';
    if (error.type != gdvar::Type::nil)
        out += gdvar::type_info(error.type).name;
    return out + '\t' + gdvar::error_path(packet, options, error);
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);) {
        const auto fields = split(line);
        const gdvar::Dialect* dialect =
            fields.size() == 6 ? gdvar::find_dialect(fields[0]) : nullptr;
        if (!dialect)
            return 2;
        const auto flags = number<unsigned>(fields[1]);
        const gdvar::DecodeOptions options{
            .dialect = dialect,
            .limits = {number<std::uint32_t>(fields[2]), number<std::uint64_t>(fields[3]),
                       number<std::uint64_t>(fields[4])},
            .allow_objects = (flags & 1) != 0,
            .strict = (flags & 2) != 0};
        std::cout << verdict(unhex(fields[5]), options) << '\n';
    }
}
