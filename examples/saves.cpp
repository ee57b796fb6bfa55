// The recipes of docs/saves.md; tests/cookbook_test.py compares the two, and ctest runs them.
//
//     saves FOLDER       a folder to write into
#include <cstdio>
#include <cstdlib>
#include <gdvar/base/quote.hpp>
#include <gdvar/gdvar.hpp>
#include <gdvar/save/atomic_file.hpp>
#include <gdvar/save/container.hpp>

using namespace gdvar;

static void check(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
}

// --- list files
/// Prints the files of a pack, or of a browser's export.
std::expected<void, FileError> list_files(const std::string& file) {
    auto source = FileSource::open(file);
    if (!source)
        return std::unexpected(source.error());
    auto found =
        open_layers(std::make_unique<FileSource>(*std::move(source)), {.only_entry = false});
    if (!found)
        return std::unexpected(found.error().error);
    auto archive = open_archive(found->inside(), found->kind);
    if (!archive)
        return std::unexpected(archive.error());             // bad_magic: it is something else
    for (const ArchiveEntry& entry : (*archive)->entries())  // names may be anything: quote them
        std::printf("%s: %llu bytes\n", quote(entry.name).c_str(),
                    static_cast<unsigned long long>(entry.size));
    return {};
}
// ---

// --- code in a save
/// Whether a game may open the save without running what somebody else wrote.
std::expected<bool, Error> holds_no_code(const SaveFile& save) {
    const auto code = find_code(save);
    if (!code)
        return std::unexpected(code.error());
    for (const FoundCode& found : code->first)
        std::printf("%s: %s: %s\n", quote(found.path).c_str(), quote(found.what).c_str(),
                    code_kind_info(found.kind).name.data());
    return code->count == 0;
}
// ---

// --- write encrypted
/// Writes what Godot 4 reads with FileAccess.open_encrypted_with_pass and get_var.
std::expected<void, FileError> write_encrypted(const std::string& file, const Variant& value,
                                               std::string_view password) {
    auto key = key_from_password(password);
    auto packet = encode(value);
    if (!key)
        return std::unexpected(key.error());
    if (!packet)
        return std::unexpected(packet.error());
    std::vector<std::byte> records;
    MemoryTarget memory(records);
    if (auto stored = RecordWriter(memory).store_packet(as_bytes(*packet)); !stored)
        return stored;
    MemorySource from(records);
    auto to = AtomicFile::open(file);  // `file` keeps its old content until commit
    if (!to)
        return std::unexpected(to.error());
    // Godot 3: Wrapping::gdec_3, and `encode(value, {.dialect = &dialects::godot_3_1})` above.
    auto written = write_container(from, *to, {.kind = Wrapping::gdec_4, .key = &*key});
    if (!written)
        return std::unexpected(written.error());
    return to->commit();
}
// ---

// --- open encrypted
std::expected<void, FileError> set_hp(const std::string& file, std::string_view password, int hp) {
    auto key = key_from_password(password);  // open_encrypted's 32 bytes: key_from_bytes
    if (!key)
        return std::unexpected(key.error());
    SaveOptions options;
    options.key = *key;
    auto save = open_save(file, options);
    if (!save)
        return std::unexpected(save.error());
    if (auto set = save->set("$.hp", hp); !set)  // with several records: "#0 $.hp"
        return std::unexpected(set.error());
    return save->save();
}
// ---

// --- stream encrypted
/// Reads a save of any size; memory holds one record at a time.
std::expected<std::size_t, FileError> records_in(const std::string& file, const ContainerKey& key) {
    auto source = FileSource::open(file);
    if (!source)
        return std::unexpected(source.error());
    auto content = open_container(*source, {.key = &key});  // verifies the checksum first
    if (!content)
        return std::unexpected(content.error());
    RecordReader records(**content);
    for (std::size_t count = 0;; ++count) {
        auto record = records.next();
        if (!record)
            return std::unexpected(record.error());
        if (!*record)
            return count;  // the end; else (*record)->packet is valid until the next call
    }
}
// ---

int main(int argc, char** argv) {
    const std::string file = std::string(argc > 1 ? argv[1] : "/tmp") + "/gdvar-example.save";
    const auto written = write_encrypted(file, Dictionary{{"hp", 97}}, "secret");
    check(written.has_value(), "write");
    check(set_hp(file, "secret", 98).has_value(), "open");
    SaveOptions options;
    options.key = key_from_password("secret").value();
    check(open_save(file, options).value().get<int>("$.hp") == 98, "set");
    const auto wrong = set_hp(file, "another", 99);
    check(!wrong && wrong.error().code == Errc::bad_checksum, "another password");
    const auto none = open_save(file);
    check(!none && none.error().code == Errc::bad_key, "no key");
    check(records_in(file, key_from_password("secret").value()) == 1, "stream");
    check(!list_files(file), "no archive");
    check(holds_no_code(open_save(file, options).value()) == true, "no code");
    const std::string_view stranger = "[a]\nx=Resource(\"user://x.tres\")\n";
    check(holds_no_code(read_save(as_bytes(stranger)).value()) == false, "code");
    std::remove(file.c_str());
    return 0;
}
