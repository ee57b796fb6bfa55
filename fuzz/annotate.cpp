// annotate accounts for every byte of anything; guessing, engines and conversion take anything.
#include "gdvar/inspect/annotate.hpp"
#include "gdvar/inspect/convert.hpp"
#include "gdvar/inspect/engine.hpp"
#include "gdvar/inspect/guess.hpp"
#include "gdvar/wire/validate.hpp"
#include "packet.hpp"

using namespace gdvar;
using namespace gdvar::inspect;

constexpr std::size_t most_read_by_all = 600;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::Input input(data, size);
    std::uint64_t at = 0;
    bool broken = false;
    DecodeOptions lenient = input.decoding;
    lenient.strict = false;
    auto done = annotate(input.bytes, lenient, [&](const AnnotateRow& row) {
        fuzz::require(!broken, "nothing follows the break");
        broken = row.size == 0;
        fuzz::require(broken || row.offset == at, "rows leave no gap");
        if (!broken)
            at += row.size;
    });
    fuzz::require(at == size, "every byte has a row");
    fuzz::require(broken == !done.has_value(), "a break is shown");
    auto checked = validate(input.bytes, lenient);
    fuzz::require(checked.has_value() == done.has_value(), "annotate and validate agree");

    // Small inputs go through all engines and dialects, larger ones through those that the last
    // byte chooses.
    const auto chosen = [&](std::size_t i, std::size_t count) {
        return size <= most_read_by_all || i == data[size - 1] % count;
    };
    const ByteView packets[] = {input.bytes};
    (void)guess_dialect(packets);
    for (std::size_t i = 0; i < all_engines().size(); ++i) {
        if (!chosen(i, all_engines().size()))
            continue;
        const Engine& engine = all_engines()[i];
        auto reading = read_as(engine, input.bytes, input.decoding.allow_objects);
        if (reading)
            (void)reencoding(engine, input.bytes, input.decoding.allow_objects);
    }
    if (!checked)
        return 0;
    for (std::size_t i = 0; i < all_dialects().size(); ++i) {
        if (!chosen(i, all_dialects().size()))
            continue;
        const Dialect* dialect = all_dialects()[i];
        const bool objects = input.decoding.allow_objects;
        const EncodeOptions target{.dialect = dialect, .allow_objects = objects};
        // Without a report each loss has a path. Long paths would take many bytes.
        Losses losses;
        ConversionReport report{losses};
        auto there = convert(input.bytes, lenient, target, Renames::godot_3_to_4(),
                             size <= most_read_by_all ? nullptr : &report);
        if (!there)
            continue;
        const DecodeOptions reading{.dialect = dialect, .allow_objects = objects};
        fuzz::require(validate(as_bytes(there->bytes), reading).has_value(),
                      "what was converted is a packet there");
    }
    return 0;
}
