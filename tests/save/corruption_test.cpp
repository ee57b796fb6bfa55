// Every byte of every save damaged, and every cut: an error or a value, and no memory beyond the
// limit.
#include <cstdlib>
#include <new>

#include <nlohmann/json.hpp>

#include "gdvar/save/atomic_file.hpp"
#include "gdvar/save/coding.hpp"
#include "save/support.hpp"

namespace {
// The largest single request since it was last set to zero.
std::size_t largest_request = 0;
// Counts down to the request that fails; negative: none does.
int requests_until_failure = -1;
bool request_failed = false;
void* allocate(std::size_t size) {
    if (requests_until_failure >= 0 && requests_until_failure-- == 0) {
        request_failed = true;
        return nullptr;
    }
    largest_request = std::max(largest_request, size);
    return std::malloc(size ? size : 1);
}
}  // namespace

void* operator new(std::size_t size) {
    if (void* at = allocate(size))
        return at;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocate(size);
}
void operator delete(void* at) noexcept {
    std::free(at);
}
void operator delete(void* at, std::size_t) noexcept {
    std::free(at);
}

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;

// Small limits make an accepted lie visible.
constexpr std::uint64_t max_memory = 1 << 20;

struct Outcome {
    bool opened = false, read = false;
};

Outcome try_save(ByteView bytes, const ContainerKey& key, bool wrapped, bool from_pipe) {
    Outcome outcome;
    MemorySource memory(bytes);
    Dribble pipe(bytes, 4096);
    Source& source = from_pipe ? static_cast<Source&>(pipe) : memory;
    std::unique_ptr<ContainerSource> container;
    Source* inner = &source;
    if (wrapped) {
        auto opened = open_container(source, {.key = &key, .max_memory = max_memory});
        if (!opened) {
            EXPECT_NE(to_string(opened.error()), "");
            return outcome;
        }
        container = *std::move(opened);
        inner = container.get();
    }
    outcome.opened = true;
    RecordReader reader(*inner);
    for (;;) {
        auto record = reader.next();
        if (!record)
            return outcome;
        if (!*record)
            break;
    }
    outcome.read = true;
    return outcome;
}

TEST(Corruption, EverySingleByteOfEverySave) {
    int saves = 0;
    for (const char* engine : {"godot-3.2.3", "godot-3.6.2", "godot-4.6.3", "pandemonium-5.3"}) {
        const auto folder = data_dir() / "saves" / engine;
        std::istringstream lines(read_text(folder / "expected.ndjson"));
        std::string last, line;
        while (std::getline(lines, line))
            last = line;
        const auto secrets = nlohmann::json::parse(last);
        const auto pass = key_from_password(secrets["pass"].get<std::string>()).value();
        const auto raw = key_from_bytes(as_bytes(secrets["key"].get<std::string>())).value();
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            const std::string name = entry.path().stem().string();
            if (entry.path().extension() != ".save" || name == "plain_big_endian")
                continue;
            SCOPED_TRACE(std::string(engine) + "/" + name);
            ++saves;
            const bool wrapped = name != "plain";
            const ContainerKey& key = name == "gdec_pass" ? pass : raw;
            Bytes bytes = read_bytes(entry.path());
            ASSERT_TRUE(try_save(bytes, key, wrapped, false).read);
            const bool sealed = name.starts_with("gdec");
            largest_request = 0;
            for (std::size_t i = 0; i < bytes.size(); ++i) {
                const std::byte good = bytes[i];
                for (const unsigned change : {0x01u, 0x80u, 0xFFu}) {
                    bytes[i] = good ^ static_cast<std::byte>(change);
                    const Outcome outcome = try_save(bytes, key, wrapped, i % 2);
                    // Only what fills the last block up is not under the checksum.
                    EXPECT_FALSE(sealed && i + 16 < bytes.size() && outcome.opened) << i;
                }
                bytes[i] = good;
            }
            for (std::size_t n = 0; n < bytes.size(); ++n) {
                const Outcome outcome = try_save(ByteView(bytes).first(n), key, wrapped, n % 2);
                EXPECT_FALSE(sealed && outcome.opened) << n;
            }
            EXPECT_LT(largest_request, 2 * max_memory + 65536);
        }
    }
    EXPECT_EQ(saves, 28);
}

/// Calls `work`, which returns an error's code, with each of its allocations failing in turn.
template <class Work>
void each_allocation_fails(const char* name, Work&& work) {
    SCOPED_TRACE(name);
    for (int request = 0;; ++request) {
        request_failed = false;
        requests_until_failure = request;
        Errc code = Errc::timed_out;
        try {
            code = work();
        } catch (...) {
            requests_until_failure = -1;
            ADD_FAILURE() << "throws at allocation " << request;
        }
        requests_until_failure = -1;
        if (!request_failed) {
            EXPECT_EQ(code, Errc::ok);
            return;
        }
        EXPECT_TRUE(code == Errc::no_memory || code == Errc::ok) << error_name(code);
    }
}

template <class T, class E>
Errc code_of(const std::expected<T, E>& result) {
    return result ? Errc::ok : result.error().code;
}

TEST(Memory, EachAllocationFailing) {
    const Bytes plain = sample_bytes(20'000);
    const ContainerKey key = key_from_password("x").value();
    const std::string hex = to_hex(plain), base64 = to_base64(plain);
    each_allocation_fails("hex", [&] { return code_of(from_hex(hex)); });
    each_allocation_fails("base64", [&] { return code_of(from_base64(base64)); });
    each_allocation_fails("key", [&] { return code_of(key_from_bytes(as_bytes(hex).first(64))); });
    const std::vector<ProjectEntry> entries{{"a", 0, plain}, {"b", 0, plain}};
    const Bytes project = write_project(entries).value();
    each_allocation_fails("write_project", [&] { return code_of(write_project(entries)); });
    each_allocation_fails("read_project", [&] { return code_of(read_project(project)); });
    each_allocation_fails("recognise", [&] {
        MemorySource source(project);
        return code_of(recognise(source));
    });
    for (const Compression mode : {Compression::fastlz, Compression::deflate, Compression::zstd}) {
        const Bytes packed = compress(plain, mode).value();
        each_allocation_fails("compress", [&] { return code_of(compress(plain, mode)); });
        each_allocation_fails("decompress",
                              [&] { return code_of(decompress(packed, mode, plain.size())); });
    }
    for (const Wrapping kind : {Wrapping::gcpf, Wrapping::gdec_3, Wrapping::gdec_4}) {
        const Bytes wrapped = wrap(plain, {.kind = kind, .key = &key});
        each_allocation_fails("open_container", [&] {
            Dribble source(wrapped, 1000);
            auto opened = open_container(source, {.key = &key});
            return opened ? code_of(read_all(**opened)) : opened.error().code;
        });
        each_allocation_fails("write_container", [&] {
            Bytes out;
            MemorySource from(plain);
            MemoryTarget to(out);
            return code_of(write_container(from, to, {.kind = kind, .key = &key}));
        });
    }
    const Bytes records = from_hex(
                              "03000000616263"
                              "0400000000000000")
                              .value();
    each_allocation_fails("records", [&] {
        MemorySource source(records);
        RecordReader reader(source);
        auto text = reader.get_pascal_string();
        return text ? code_of(reader.next()) : text.error().code;
    });
    const std::string path = text_of(std::filesystem::temp_directory_path() /
                                     ("gdvar-memory-test-with-a-long-name" + hex.substr(0, 32)));
    const ReplaceOptions replace{.backup = path + ".bak"};
    each_allocation_fails("atomic_replace",
                          [&] { return code_of(atomic_replace(path, plain, replace)); });
    std::filesystem::remove(path);
    std::filesystem::remove(path + ".bak");
}

}  // namespace
}  // namespace gdvar::test
