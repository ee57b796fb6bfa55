// The workloads into and out of a program's own structs.
#include "structs.hpp"

#include "task.hpp"

namespace gdvar::bench {
namespace {

template <class T>
bool encodes_to(const T& value, const PackedByteArray& packet) {
    const auto bytes = encode(value);
    return bytes && *bytes == packet;
}

/// The struct is kept from message to message.
template <class T>
void decode_reused(benchmark::State& state, const Workload& of) {
    T kept{};
    run(
        state, of,
        [&](std::size_t i) {
            auto size = decode_to(kept, as_bytes(of.packets[i]));
            benchmark::DoNotOptimize(size);
        },
        [&](std::size_t i) { return encodes_to(kept, of.packets[i]); });
}

template <class T>
void decode_fresh(benchmark::State& state, const Workload& of) {
    std::expected<T, Error> made;
    run(
        state, of,
        [&](std::size_t i) {
            made = decode<T>(as_bytes(of.packets[i]));
            benchmark::DoNotOptimize(made);
        },
        [&](std::size_t i) { return made && encodes_to(*made, of.packets[i]); });
}

template <class T>
std::vector<T> decoded(const Workload& of) {
    std::vector<T> out(of.packets.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        if (!decode_to(out[i], as_bytes(of.packets[i])))
            std::abort();
    return out;
}

/// The buffer is kept from message to message.
template <class T>
void encode_reused(benchmark::State& state, const Workload& of) {
    const std::vector<T> values = decoded<T>(of);
    PackedByteArray kept;
    run(
        state, of,
        [&](std::size_t i) {
            kept.clear();
            auto size = encode_to(kept, values[i]);
            benchmark::DoNotOptimize(size);
        },
        [&](std::size_t i) { return kept == of.packets[i]; });
}

template <class T>
void encode_fresh(benchmark::State& state, const Workload& of) {
    const std::vector<T> values = decoded<T>(of);
    std::expected<PackedByteArray, Error> made;
    run(
        state, of,
        [&](std::size_t i) {
            made = encode(values[i]);
            benchmark::DoNotOptimize(made);
        },
        [&](std::size_t i) { return made && *made == of.packets[i]; });
}

template <class T>
void add_all(const std::string& name) {
    add("struct", {name}, decode_reused<T>);
    add("struct_fresh", {name}, decode_fresh<T>);
    add("encode_struct", {name}, encode_reused<T>);
    add("encode_struct_fresh", {name}, encode_fresh<T>);
}

[[maybe_unused]] const int registered = [] {
    add_all<std::vector<Entity>>("mmo_tick");
    add_all<Settings<4>>("settings");
    add_all<std::vector<ChatMessage>>("chat");
    add_all<Savegame>("savegame");
    add_all<SmallMessage>("small_packets");
    add_all<Untyped<std::vector<double>>>("float_array");
    add_all<Tilemap>("tilemap");
    add_all<Mesh>("mesh");
    return 0;
}();

}  // namespace
}  // namespace gdvar::bench
