// Containers, compressed buffers, records, project settings and recognition over any bytes: an
// error or a value, within small limits. An opened container is wrapped again and must come back
// the same.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "gdvar/save/container.hpp"
#include "gdvar/save/project.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/save/records.hpp"

namespace {

using namespace gdvar;
using Bytes = std::vector<std::byte>;

constexpr std::uint64_t most = 1 << 20;

void check(bool holds, const char* law) {
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", law);
    std::abort();
}

void wrap(ByteView bytes, Wrapping kind, const ContainerKey& key) {
    Bytes wrapped;
    MemorySource from(bytes);
    MemoryTarget to(wrapped);
    check(write_container(from, to, {.kind = kind, .compression = Compression::fastlz, .key = &key})
              .has_value(),
          "anything can be wrapped");
    MemorySource source(wrapped);
    auto opened = open_container(source, {.key = &key});
    check(opened.has_value(), "what we wrap opens");
    auto plain = read_all(**opened);
    check(plain && std::ranges::equal(*plain, bytes), "and holds the same");
}

void open(ByteView bytes, const ContainerKey& key) {
    MemorySource source(bytes);
    const OpenOptions options{.key = &key, .max_bytes = most, .max_memory = most};
    auto opened = open_container(source, options);
    if (!opened)
        return;
    auto plain = read_all(**opened, bytes.size() + most);
    if (!plain)
        return;
    check(plain->size() == (*opened)->size(), "a container holds what it says");
    wrap(*plain, (*opened)->kind(), key);
}

void buffers(ByteView bytes) {
    for (const Compression mode : {Compression::fastlz, Compression::deflate, Compression::zstd,
                                   Compression::gzip, Compression::brotli}) {
        auto plain = decompress(bytes, mode, most);
        if (!plain || mode == Compression::brotli)
            continue;
        auto packed = compress(*plain, mode);
        check(packed.has_value(), "anything can be compressed");
        check(decompress(*packed, mode, plain->size()) == *plain, "decompress(compress(b)) is b");
    }
}

void records(ByteView bytes) {
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
        MemorySource source(bytes);
        RecordReader reader(source, order);
        Bytes again;
        MemoryTarget target(again);
        RecordWriter writer(target, order);
        for (;;) {
            auto record = reader.next();
            if (!record)
                break;
            if (!*record) {
                check(std::ranges::equal(again, bytes), "records are written as they were");
                break;
            }
            check((*record)->offset == again.size(), "offsets are those of the file");
            check(writer.store_packet((*record)->packet).has_value(), "a record can be written");
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const ContainerKey key = key_from_password("fuzz").value();
    const ByteView bytes(reinterpret_cast<const std::byte*>(data), size);
    open(bytes, key);
    for (const Wrapping kind : {Wrapping::gcpf, Wrapping::gdec_3, Wrapping::gdec_4})
        wrap(bytes, kind, key);
    buffers(bytes);
    records(bytes);
    if (auto entries = read_project(bytes)) {
        auto again = write_project(*entries);
        check(again && std::ranges::equal(*again, bytes), "settings are written as they were");
    }
    (void)recognise(bytes);
    return 0;
}
