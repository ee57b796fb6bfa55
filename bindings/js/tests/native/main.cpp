// The native library's answers to cases, for comparison with the npm package's.
//
//   js_verdicts CASES          prints a hash for each case
//   js_verdicts CASES NUMBER   prints what is said of that one
//
// The file: for each case the number of its fields, and for each field its size and its bytes;
// numbers have 32 bits, the lowest first. cases.mjs writes it, answers.mjs says the same.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

#include "lines.hpp"

namespace {

/// The next number of the file.
std::uint32_t word(std::string_view file, std::size_t& at) {
    std::uint32_t out = 0;
    for (unsigned i = 0; i < 4; ++i)
        out |= std::uint32_t{static_cast<unsigned char>(file[at++])} << (8 * i);
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2)
        return 2;
    std::ifstream stream(argv[1], std::ios::binary);
    const std::string file{std::istreambuf_iterator<char>(stream), {}};
    const std::uint64_t wanted = argc > 2 ? verdicts::number(argv[2]) : UINT64_MAX;
    std::string hashes;
    std::uint64_t count = 0;
    for (std::size_t at = 0; at < file.size(); ++count) {
        verdicts::Case asked(word(file, at));
        for (std::string_view& field : asked) {
            const std::uint32_t size = word(file, at);
            field = std::string_view(file).substr(at, size);
            at += size;
        }
        if (argc > 2 && count != wanted)
            continue;
        verdicts::Lines out;
        verdicts::say_packet(asked, out);
        if (count == wanted)
            std::cout << out.text();
        else
            hashes += verdicts::hash(out.text()) + "\n";
    }
    std::cout << hashes;
    return count > 0 ? 0 : 2;
}
