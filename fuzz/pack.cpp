// Packs and browsers' exports over any bytes: an error, or files of which each is as large as the
// list says, is found by its name, and comes out of open_layers as it does alone.
#include <cstdio>
#include <cstdlib>

#include "gdvar/file/archive.hpp"
#include "gdvar/file/open_layers.hpp"

namespace {

using namespace gdvar;

void check(bool holds, const char* law) {
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", law);
    std::abort();
}

/// Files may overlap, so that all of them together have any size.
constexpr std::size_t most_opened = 8;

void open_one(const Archive& archive, ByteView bytes, std::size_t number,
              const SaveOptions& options) {
    const ArchiveEntry& entry = archive.entries()[number];
    const auto found = archive.find("#" + std::to_string(number));
    check(found.has_value(), "each file is found by its number, unless another has that name");
    const auto inside = archive.open(number);
    check(inside.has_value() <= entry.opens, "what opens is said to open");
    if (!inside)
        return;
    const auto all = read_all(**inside);
    check(all.has_value(), "what was verified can be read");
    check(all->size() == entry.size, "a file has the size that the list says");
    if (*found != number || number >= 2)
        return;
    SaveOptions how = options;
    how.entries = {"#" + std::to_string(number)};
    how.layers = 1;
    const auto opened = open_layers(std::make_unique<MemorySource>(bytes), how);
    if (!opened || opened->layers.empty() || !opened->inside().rewind())
        return;
    const auto again = read_all(opened->inside());
    check(again && *again == *all, "open_layers gives the same bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ByteView bytes(reinterpret_cast<const std::byte*>(data), size);
    static const ContainerKey key =
        key_from_bytes(
            as_bytes(std::string_view("00112233445566778899aabbccddeeff00112233445566778899"
                                      "aabbccddeeff")))
            .value();
    const bool text = size && (data[0] == '{' || data[0] == '[');
    const InputKind kind = text ? InputKind::browser_files : InputKind::pack;
    // Bytes decompressed inside count as input.
    const SaveOptions options{.key = key, .max_bytes = 4 * size + 64};
    MemorySource source(bytes);
    const auto archive = open_archive(source, kind, options);
    if (!archive)
        return 0;
    const std::size_t count = (*archive)->entries().size();
    for (std::size_t i = 0; i < count && i < most_opened; ++i) {
        open_one(**archive, bytes, i, options);
        const std::string& name = (*archive)->entries()[i].name;
        const auto found = (*archive)->find(name);
        check(name.empty() || (found && *found >= i), "a name leads to the last file of that name");
    }
    return 0;
}
