// Opens any bytes as a whole save. The result is an error, or values that can be changed and
// written. Unchanged bytes must come back as they were. A written save must open with the values
// that it was written from.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "gdvar/file/save_file.hpp"

namespace {

using namespace gdvar;

void check(bool holds, const char* law) {
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", law);
    std::abort();
}

bool same_items(const SaveFile& a, const SaveFile& b) {
    return std::ranges::equal(a.items(), b.items(), [](const SaveItem& x, const SaveItem& y) {
        return x.key == y.key && std::ranges::equal(x.packet, y.packet);
    });
}

/// Reads the save again with the same dialect and kind, since new bytes may be recognised as
/// something else.
void reopen(const SaveFile& save, const SaveOptions& options) {
    const auto written = save.bytes();
    if (!written)
        return;  // too large for its layers
    SaveOptions same = options;
    same.dialect = &save.dialect();
    same.as = save.kind().seen_as;
    same.max_bytes *= 4;
    const auto again = read_save(*written, same);
    if (!again || again->layers().size() != save.layers().size())
        return;
    check(same_items(save, *again), "what is written holds the same values");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const SaveOptions options{
        .key = key_from_password("fuzz").value(), .allow_objects = true, .max_bytes = 1 << 20};
    const ByteView bytes(reinterpret_cast<const std::byte*>(data), size);
    auto save = read_save(bytes, options);
    if (!save)
        return 0;
    if (save->layers().empty()) {
        const auto same = save->bytes();
        check(same && std::ranges::equal(*same, bytes), "an unchanged save is written as it was");
    }
    // Another type is what is wanted here.
    const inspect::SetRules any_type{.create = true, .type = Type::integer};
    if (save->set("#0 $", Variant(std::int64_t{7}), any_type)) {
        check(save->get<std::int64_t>("#0 $").value_or(0) == 7, "what is set is there");
        reopen(*save, options);
    }
    const bool named = save->kind().named;
    const bool added = save->set("new/setting", Variant(true), {.create = true}).has_value();
    check(!added || !named || save->get<bool>("new/setting").value_or(false), "a setting is added");
    if (added && named) {
        check(save->erase("new/setting").has_value(), "and taken out");
        reopen(*save, options);
    }
    return 0;
}
