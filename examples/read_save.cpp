// A save file record by record into structs, whatever container it is in.
#include <cstdio>
#include <gdvar/gdvar.hpp>
#include <gdvar/save/container.hpp>

struct Player {
    std::string name;
    int hp = 0;
    gdvar::Vector3 pos;
    std::vector<std::int32_t> inventory;  // a PackedInt32Array
};
struct World {
    int version = 0;
    std::vector<Player> players;
};

int main(int argc, char** argv) {
    using namespace gdvar;
    if (argc < 2)
        return 2;
    auto file = FileSource::open(argv[1]);
    if (!file)
        return 1;
    // GCPF or GDEC; a file without a container is read as it is.
    Source* source = &*file;
    std::unique_ptr<ContainerSource> inner;
    if (auto opened = open_container(*file)) {
        inner = *std::move(opened);
        source = inner.get();
    } else if (opened.error().code != Errc::bad_magic || !file->rewind()) {
        return 1;
    }

    RecordReader records(*source);
    auto first = records.next();
    if (!first || !*first)
        return 1;
    World world;
    // Keys of the save that have no member in the struct are ignored.
    auto size = decode_to(world, (*first)->packet);
    if (!size) {
        std::fprintf(stderr, "%s: %s\n", error_path((*first)->packet, {}, size.error()).c_str(),
                     to_string(size.error()).c_str());
        return 1;
    }
    std::printf("version %d, %zu players\n", world.version, world.players.size());
    for (const Player& player : world.players) {
        std::printf("%s: %d hp at x = %g, %zu things\n", player.name.c_str(), player.hp,
                    static_cast<double>(player.pos.x), player.inventory.size());
        if (&player - world.players.data() == 1)
            break;
    }
    return 0;
}
