// The core's own tasks: bytes to Document and Variant, validating, encoding, converting; and
// copying the same bytes, which is what the memory allows.
#include <cstring>
#include <memory>

#include "task.hpp"

namespace gdvar::bench {
namespace {

bool same_bytes(const PackedByteArray& a, const PackedByteArray& b) {
    return a == b;
}

void copy(benchmark::State& state, const Workload& of) {
    std::unique_ptr<std::byte[]> made;
    run(
        state, of,
        [&](std::size_t i) {
            const PackedByteArray& from = of.packets[i];
            made.reset(static_cast<std::byte*>(::operator new[](from.size())));
            std::memcpy(made.get(), from.data(), from.size());
            benchmark::DoNotOptimize(made.get());
            benchmark::ClobberMemory();
        },
        [&](std::size_t i) {
            return !std::memcmp(made.get(), of.packets[i].data(), of.packets[i].size());
        });
}

bool document_is(const Document& document, const PackedByteArray& packet) {
    PackedByteArray out;
    {
        BufferOutput output(out);
        const EncodeOptions options;
        Encoder<BufferOutput> encoder(output, options);
        if (!document.root().drive(encoder))
            return false;
    }
    return same_bytes(out, packet);
}

void document(benchmark::State& state, const Workload& of) {
    std::expected<Document, Error> made;
    run(
        state, of,
        [&](std::size_t i) {
            made = Document::parse(as_bytes(of.packets[i]));
            benchmark::DoNotOptimize(made);
        },
        [&](std::size_t i) { return made && document_is(*made, of.packets[i]); });
}

void document_reused(benchmark::State& state, const Workload& of) {
    Document kept;
    run(
        state, of,
        [&](std::size_t i) {
            auto done = kept.read(as_bytes(of.packets[i]));
            benchmark::DoNotOptimize(done);
        },
        [&](std::size_t i) { return document_is(kept, of.packets[i]); });
}

void variant(benchmark::State& state, const Workload& of) {
    std::expected<Variant, Error> made;
    run(
        state, of,
        [&](std::size_t i) {
            made = decode(as_bytes(of.packets[i]));
            benchmark::DoNotOptimize(made);
        },
        [&](std::size_t i) { return made && identical(*made, of.values[i]); });
}

void copy_variant(benchmark::State& state, const Workload& of) {
    Variant made;
    run(
        state, of,
        [&](std::size_t i) {
            made = of.values[i];
            benchmark::DoNotOptimize(made);
        },
        [&](std::size_t i) { return identical(made, of.values[i]); });
}

void validating(benchmark::State& state, const Workload& of) {
    std::expected<std::size_t, Error> size;
    run(
        state, of,
        [&](std::size_t i) {
            size = validate(as_bytes(of.packets[i]));
            benchmark::DoNotOptimize(size);
        },
        [&](std::size_t i) { return size && *size == of.packets[i].size(); });
}

void encode_variant(benchmark::State& state, const Workload& of) {
    std::expected<PackedByteArray, Error> made;
    run(
        state, of,
        [&](std::size_t i) {
            made = encode(of.values[i]);
            benchmark::DoNotOptimize(made);
        },
        [&](std::size_t i) { return made && same_bytes(*made, of.packets[i]); });
}

void encode_variant_reused(benchmark::State& state, const Workload& of) {
    PackedByteArray kept;
    run(
        state, of,
        [&](std::size_t i) {
            kept.clear();
            auto size = encode_to(kept, of.values[i]);
            benchmark::DoNotOptimize(size);
        },
        [&](std::size_t i) { return same_bytes(kept, of.packets[i]); });
}

void convert(benchmark::State& state, const Workload& of) {
    DecodeOptions from;
    EncodeOptions to;
    to.dialect = &dialects::godot_3_1;
    PackedByteArray kept;
    run(
        state, of,
        [&](std::size_t i) {
            kept.clear();
            BufferOutput output(kept);
            Encoder<BufferOutput> encoder(output, to);
            auto size = read(as_bytes(of.packets[i]), from, encoder);
            benchmark::DoNotOptimize(size);
        },
        [&](std::size_t i) {
            DecodeOptions back;
            back.dialect = &dialects::godot_3_1;
            const auto value = decode(as_bytes(kept), back);
            return value && identical(*value, of.values[i]);
        });
}

[[maybe_unused]] const int registered = [] {
    const auto& all = workload_names();
    add("memcpy", all, copy);
    add("document", all, document);
    add("document_reused", all, document_reused);
    add("variant", all, variant);
    add("copy_variant", all, copy_variant);
    add("validate", all, validating);
    add("encode_variant", all, encode_variant);
    add("encode_variant_reused", all, encode_variant_reused);
    add("convert_g4_to_g3", all, convert);
    return 0;
}();

}  // namespace
}  // namespace gdvar::bench
