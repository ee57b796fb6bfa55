// annotate accounts for every byte of anything; guessing, engines and conversion take anything.
#include "gdvar/inspect/annotate.hpp"
#include "gdvar/inspect/convert.hpp"
#include "gdvar/inspect/engine.hpp"
#include "gdvar/inspect/guess.hpp"
#include "gdvar/wire/validate.hpp"
#include "packet.hpp"

using namespace gdvar;

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
        if (!broken) at += row.size;
    });
    fuzz::require(at == size, "every byte has a row");
    fuzz::require(broken == !done.has_value(), "a break is shown");
    auto checked = validate(input.bytes, lenient);
    fuzz::require(checked.has_value() == done.has_value(), "annotate and validate agree");
    if (size > 600) return 0;  // the rest reads the bytes dozens of times

    const ByteView packets[] = {input.bytes};
    (void)guess_dialect(packets);
    for (const Engine& engine : all_engines()) {
        auto reading = read_as(engine, input.bytes, input.decoding.allow_objects);
        if (reading) (void)reencoding(engine, input.bytes, input.decoding.allow_objects);
    }
    if (!checked) return 0;
    for (const Dialect* dialect : all_dialects()) {
        const bool objects = input.decoding.allow_objects;
        const EncodeOptions target{.dialect = dialect, .allow_objects = objects};
        auto there = convert(input.bytes, lenient, target);
        if (!there) continue;
        const DecodeOptions reading{.dialect = dialect, .allow_objects = objects};
        fuzz::require(validate(as_bytes(there->bytes), reading).has_value(),
                      "what was converted is a packet there");
    }
    return 0;
}
