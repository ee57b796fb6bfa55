// Writes what can be read of a damaged save: recover_save DAMAGED SOUND
#include <cstdio>

#include "gdvar/file/recover.hpp"
#include "gdvar/save/atomic_file.hpp"

namespace {

// --- recover
/// Writes what can be read of a damaged save to `to`. Returns the number of values.
std::expected<std::size_t, gdvar::FileError> rescue(gdvar::ByteView damaged, gdvar::Target& to) {
    auto recovery = gdvar::recover_save(damaged);
    if (!recovery)
        return std::unexpected(recovery.error());
    for (const gdvar::RecoveredItem& item : recovery->items())
        if (item.broken)
            std::printf("kept up to %s\n", item.broken->at.c_str());
    for (const gdvar::LostRange& range : recovery->lost())
        std::printf("bytes %llu to %llu lost: %s\n", static_cast<unsigned long long>(range.begin),
                    static_cast<unsigned long long>(range.end), range.reason.c_str());
    if (auto done = recovery->write(to, nullptr); !done)
        return std::unexpected(done.error());
    return recovery->items().size();
}
// ---

int fail(const gdvar::FileError& error) {
    std::fprintf(stderr, "%s\n", to_string(error).c_str());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3)
        return 2;
    auto file = gdvar::FileSource::open(argv[1]);
    if (!file)
        return fail(file.error());
    const auto damaged = gdvar::read_all(*file);
    if (!damaged)
        return fail(damaged.error());
    auto sound = gdvar::AtomicFile::open(argv[2]);
    if (!sound)
        return fail(sound.error());
    const auto values = rescue(*damaged, *sound);
    if (!values)
        return fail(values.error());
    std::printf("%zu values\n", *values);
    const auto done = sound->commit();
    return done ? 0 : fail(done.error());
}
