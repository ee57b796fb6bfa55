// Every byte of every save damaged, and every cut: an error or a value, and no memory beyond the limit.
#include <cstdlib>
#include <new>

#include <nlohmann/json.hpp>

#include "gdvar/save/coding.hpp"
#include "save/support.hpp"

namespace {
// The largest single request since it was last set to zero.
std::size_t largest_request = 0;
void* allocate(std::size_t size) {
    largest_request = std::max(largest_request, size);
    return std::malloc(size ? size : 1);
}
}  // namespace

void* operator new(std::size_t size) {
    if (void* at = allocate(size)) return at;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* at) noexcept { std::free(at); }
void operator delete(void* at, std::size_t) noexcept { std::free(at); }

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;

// Small limits make a lie that is believed visible.
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
        if (!record) return outcome;
        if (!*record) break;
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
        while (std::getline(lines, line)) last = line;
        const auto secrets = nlohmann::json::parse(last);
        const auto pass = key_from_password(secrets["pass"].get<std::string>()).value();
        const auto raw = key_from_bytes(as_bytes(secrets["key"].get<std::string>())).value();
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            const std::string name = entry.path().stem();
            if (entry.path().extension() != ".save" || name == "plain_big_endian") continue;
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

}  // namespace
}  // namespace gdvar::test
