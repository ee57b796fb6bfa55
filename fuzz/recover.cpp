// Recovers any bytes as a damaged save. The result must be sound: each value decodes in the
// dialect that is named, and the save that is written opens with the same values.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "gdvar/file/recover.hpp"
#include "gdvar/file/save_file.hpp"
#include "gdvar/wire/validate.hpp"

namespace {

using namespace gdvar;

void check(bool holds, const char* law) {
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", law);
    std::abort();
}

constexpr InputKind texts[] = {InputKind::json, InputKind::json_lines, InputKind::config,
                               InputKind::resource, InputKind::text};

/// A text that was written is sound, and no less when it is recovered again.
void recover_again(const Recovery& recovery, const Dialect& dialect,
                   const std::vector<std::byte>& written) {
    // Digits alone may be hex.
    const auto seen = recognise(ByteView(written));
    if (!seen.empty() && find_layer_kind(seen.front()))
        return;
    const auto again = recover_save(written, {.dialect = &dialect, .as = recovery.kind().seen_as});
    check(again.has_value() && again->sound(), "a mended text is sound");
    std::vector<std::byte> same;
    MemoryTarget target(same);
    check(again->write(target, nullptr) && same == written, "a sound text comes back as it was");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const ContainerKey key = key_from_password("fuzz").value();
    ByteView bytes(reinterpret_cast<const std::byte*>(data), size);
    // Costs are counted for each byte of what the layers hold, too; 4 KiB of it are free.
    SaveOptions options{.key = key, .max_bytes = std::min<std::size_t>(4096 + 8 * size, 1 << 20)};
    // The last byte chooses the dialect, so that most inputs are read as one alone.
    const auto dialects = all_dialects();
    if (const unsigned choice = size ? data[size - 1] % 16 : 0; choice < dialects.size())
        options.dialect = dialects[choice];
    // And whether they are a text.
    if (const unsigned kind = size ? data[size - 1] / 16 : 0;
        kind >= 8 && kind - 8 < std::size(texts)) {
        options.as = texts[kind - 8];
        bytes = bytes.first(size - 1);
    }
    const auto recovery = recover_save(bytes, options);
    if (!recovery)
        return 0;
    const DecodeOptions decoding{.dialect = &recovery->dialect(), .allow_objects = true};
    for (const RecoveredItem& item : recovery->items()) {
        const auto read = validate(item.packet, decoding);
        check(read && *read == item.packet.size(), "what is recovered is sound");
        check((item.state == Recovered::partial) == (item.broken != nullptr),
              "what is in part has a break");
    }
    for (const LostRange& range : recovery->lost())
        check(range.begin < range.end, "what is lost has bytes");
    std::vector<std::byte> written;
    MemoryTarget target(written);
    if (!recovery->write(target, &key))
        return 0;  // too large for its layers
    // Packets of texts are in the newest dialect of a family, which may read Strings of files
    // otherwise than the one that was given.
    const Dialect& dialect =
        recovery->kind().text && options.dialect ? *options.dialect : recovery->dialect();
    if (recovery->kind().text && recovery->layers().empty())
        recover_again(*recovery, dialect, written);
    const auto save = read_save(written, {.key = key,
                                          .dialect = &dialect,
                                          .as = recovery->kind().seen_as,
                                          .allow_objects = true,
                                          .max_bytes = 4 << 20});
    // Other bytes may be recognised as other layers.
    if (!save || save->layers().size() != recovery->layers().size())
        return 0;
    check(std::ranges::equal(save->items(), recovery->items(),
                             [](const SaveItem& a, const RecoveredItem& b) {
                                 return a.key == b.key && std::ranges::equal(a.packet, b.packet);
                             }),
          "what is written holds the same values");
    return 0;
}
