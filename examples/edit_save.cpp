// Changes one value of a save, whatever it is wrapped in: edit_save SAVE [PATH NUMBER [PASSWORD]]
#include <cstdio>
#include <cstdlib>

#include "gdvar/file/save_file.hpp"

namespace {

// --- any save
/// `path`: "$.hp", "#0 $.players[3].hp", "application/config/name".
std::expected<void, gdvar::FileError> edit(const char* file, const char* path, std::int64_t value,
                                           const gdvar::SaveOptions& options) {
    auto save = gdvar::open_save(file, options);
    if (!save)
        return std::unexpected(save.error());
    for (const gdvar::Layer& layer : save->layers())
        std::printf("in %s\n", layer.name().c_str());
    std::printf("%zu values in %s\n", save->items().size(), save->dialect().name.data());
    if (!path)
        return {};
    if (auto set = save->set(path, value); !set)
        return set;
    // The same layers, order and bytes around the new value. "game.old" keeps the old file; save()
    // alone keeps none.
    return save->save("game.old");
}
// ---

}  // namespace

int main(int argc, char** argv) {
    gdvar::SaveOptions options;
    if (argc > 4)
        options.key = gdvar::key_from_password(argv[4]).value();
    const auto done = edit(argc > 1 ? argv[1] : "game.save", argc > 3 ? argv[2] : nullptr,
                           argc > 3 ? std::atoll(argv[3]) : 0, options);
    if (done)
        return 0;
    std::fprintf(stderr, "%s\n", to_string(done.error()).c_str());
    return 1;
}
