// Real engines read what we wrap.
#include <unistd.h>

#include <cstdlib>
#include <map>

#include "gdvar/save/coding.hpp"
#include "save/support.hpp"

namespace gdvar::test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

/// A folder with files for an engine to read, and what it should find in each.
class Jobs {
public:
    explicit Jobs(fs::path folder) : folder_(std::move(folder)) {}
    void add(const std::string& name, const std::string& kind, const std::string& argument,
             const std::string& content, ByteView bytes, std::string expected) {
        std::ofstream(folder_ / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        lines_ += name + ' ' + kind + ' ' + argument + ' ' + content + '\n';
        expected_[name] = std::move(expected);
    }
    void write() const { std::ofstream(folder_ / "jobs.txt") << lines_; }
    void check() const {
        std::map<std::string, std::string> found;
        std::istringstream results(read_text(folder_ / "results.txt"));
        for (std::string line; std::getline(results, line);) {
            const std::size_t space = line.find(' ');
            found[line.substr(0, space)] = line.substr(space + 1);
        }
        EXPECT_EQ(found.size(), expected_.size());
        for (const auto& [name, expected] : expected_)
            EXPECT_TRUE(found[name] == expected)
                << name << ": " << found[name].substr(0, 200) << " (" << found[name].size()
                << " instead of " << expected.size() << " digits)";
    }

private:
    fs::path folder_;
    std::string lines_;
    std::map<std::string, std::string> expected_;
};

constexpr Compression modes[] = {Compression::fastlz, Compression::deflate, Compression::zstd,
                                 Compression::gzip};

void add_records(Jobs& jobs, ByteView plain, Wrapping gdec) {
    MemorySource source(plain);
    const auto packets = packets_of(source);
    std::string expected;
    for (const Bytes& packet : packets)
        expected += to_hex(packet) + ' ';
    Bytes big;
    MemoryTarget target(big);
    RecordWriter writer(target, ByteOrder::big);
    for (const Bytes& packet : packets)
        ASSERT_TRUE(writer.store_packet(packet));
    jobs.add("little", "plain", "little", "records", plain, expected);
    jobs.add("big", "plain", "big", "records", big, expected);
    for (const Compression mode : modes) {
        const auto number = std::to_string(static_cast<int>(mode));
        jobs.add("records_gcpf" + number, "gcpf", number, "records",
                 wrap(plain, {.compression = mode}), expected);
    }
    const ContainerKey pass = key_from_password("p\u00e4ss").value();
    const std::string hex = to_hex(sample_bytes(32));
    const ContainerKey key = key_from_bytes(as_bytes(hex)).value();
    jobs.add("pass", "pass", "p\u00e4ss", "records", wrap(plain, {.kind = gdec, .key = &pass}),
             expected);
    jobs.add("key", "key", hex, "records", wrap(plain, {.kind = gdec, .key = &key}), expected);
}

void add_bytes(Jobs& jobs, Wrapping gdec) {
    const ContainerKey pass = key_from_password("secret").value();
    for (const std::size_t size : {1u, 5u, 4095u, 4096u, 4097u, 8192u, 150'000u}) {
        const Bytes plain = sample_bytes(size);
        const std::string content = "bytes:" + std::to_string(size), expected = to_hex(plain);
        for (const Compression mode : modes) {
            const auto number = std::to_string(static_cast<int>(mode));
            const std::string name = number + '_' + std::to_string(size);
            jobs.add("bytes" + name, "gcpf", number, content, wrap(plain, {.compression = mode}),
                     expected);
            jobs.add("wide" + name, "gcpf", number, content,
                     wrap(plain, {.compression = mode, .block_size = 10'000}), expected);
            // Godot 3.2.3 shows memory of its own behind FastLZ buffers that were zero-extended.
            if (gdec == Wrapping::gdec_3 && size < 16 && mode == Compression::fastlz)
                continue;
            jobs.add("raw" + name, "raw", number, content, compress(plain, mode).value(), expected);
        }
        jobs.add("gdec_" + std::to_string(size), "pass", "secret", content,
                 wrap(plain, {.kind = gdec, .key = &pass}), expected);
    }
}

/// The saves that an engine wrote, put by the command into every container and mode, from every
/// container and mode.
void add_by_command(Jobs& jobs, const fs::path& folder, const fs::path& saves, Wrapping gdec) {
    const char* command = std::getenv("GDVAR_COMMAND");
    ASSERT_NE(command, nullptr);
    const std::string dialect = gdec == Wrapping::gdec_4 ? "godot-4.4" : "godot-3.1";
    const std::string password = "correct horse 1", secret = to_hex(sample_bytes(32));
    std::ofstream(folder / "pass.txt") << password << "\n";
    std::ofstream(folder / "key.txt") << secret << "\n";
    const Bytes framed = read_bytes(saves / "plain.save");
    MemorySource plain(framed);
    std::string expected;
    for (const Bytes& packet : packets_of(plain))
        expected += to_hex(packet) + ' ';

    struct Target {
        std::string option, kind, argument;
    };
    const std::string encrypted(wrapping_name(gdec));
    const Target targets[] = {
        {"none", "plain", "little"},   {"gcpf-fastlz", "gcpf", "0"},
        {"gcpf-deflate", "gcpf", "1"}, {"gcpf-zstd", "gcpf", "2"},
        {"gcpf-gzip", "gcpf", "3"},    {encrypted, "pass", "correct%20horse%201"},
        {encrypted, "key", secret},    {"records-be", "plain", "big"}};
    const auto run = [&](const std::string& words, const std::string& name, const Target& target) {
        const std::string out = (folder / name).string();
        const std::string line = std::string(command) + " " + words + " -o " + out;
        ASSERT_EQ(std::system(line.c_str()), 0) << line;
        jobs.add(name, target.kind, target.argument, "records", read_bytes(out), expected);
    };
    for (const char* save :
         {"plain", "gcpf_fastlz", "gcpf_deflate", "gcpf_zstd", "gcpf_gzip", "gdec_pass"}) {
        const std::string file = (saves / (save + std::string(".save"))).string();
        for (const Target& target : targets) {
            const bool from_key = target.kind == "key";
            if (from_key && save == std::string("gdec_pass"))
                continue;  // one secret at a time
            const std::string how = from_key ? " --key-file " + (folder / "key.txt").string()
                                             : " --password-file " + (folder / "pass.txt").string();
            const std::string name = std::string(save) + "_to_" + target.option + "_" + target.kind;
            const std::string frame = target.option == "records-be"
                                          ? " --frame records-be --container none"
                                          : " --container " + target.option;
            run("convert --from " + dialect + " --to " + dialect + how + frame + " " + file,
                "convert_" + name, target);
            if (save == std::string("plain") && target.kind != "plain")
                run("wrap" + how + frame + " " + file, "wrap_" + name, target);
        }
    }
}

/// Runs `command` with %D for the folder as the engine sees it, below `root`.
void run(const fs::path& root, const char* save, const char* script, Wrapping gdec,
         std::string command) {
    std::string folder = (root / "tmp" / "gdvar-live-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    fs::copy_file(source_dir() / "tests" / "save" / script, fs::path(folder) / "script.gd");
    Jobs jobs(folder);
    add_records(jobs, read_bytes(data_dir() / "saves" / save / "plain.save"), gdec);
    add_bytes(jobs, gdec);
    add_by_command(jobs, folder, data_dir() / "saves" / save, gdec);
    jobs.write();
    const std::string seen = root == "/" ? folder : folder.substr(root.string().size());
    for (std::size_t place; (place = command.find("%D")) != std::string::npos;)
        command.replace(place, 2, seen);
    (void)!std::system(("HOME=" + seen + " timeout 120 " + command + " >/dev/null 2>&1").c_str());
    if (fs::exists(folder + "/results.txt"))
        jobs.check();
    else
        ADD_FAILURE() << "the engine wrote no results: " << command;
    fs::remove_all(folder);
}

TEST(Live, Godot323) {
    const char* engine = "/usr/bin/godot3-server";
    if (::access(engine, X_OK) != 0)
        GTEST_SKIP() << "no godot3-server";
    run("/", "godot-3.2.3", "live3.gd", Wrapping::gdec_3,
        std::string(engine) + " --no-window -s %D/script.gd %D/");
}

TEST(Live, Godot362) {
    const auto root = engines_dir();
    if (!root || ::geteuid() != 0)
        GTEST_SKIP() << "no engines, or no right to enter their tree";
    run(*root, "godot-3.6.2", "live3.gd", Wrapping::gdec_3,
        "chroot " + root->string() + " godot3-server --no-window -s %D/script.gd %D/");
}

TEST(Live, Godot463) {
    const auto root = engines_dir();
    if (!root || ::geteuid() != 0)
        GTEST_SKIP() << "no engines, or no right to enter their tree";
    run(*root, "godot-4.6.3", "live4.gd", Wrapping::gdec_4,
        "chroot " + root->string() + " godot --headless -s %D/script.gd -- %D/");
}

}  // namespace
}  // namespace gdvar::test
