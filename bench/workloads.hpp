// The eight workloads: the values of bench/engine/workloads_g4.gd, built by the same generator, so
// that encoding them gives the engine's own bytes (tests/data/workloads/g4).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gdvar/gdvar.hpp"

namespace gdvar::bench {

struct Workload {
    std::string name;
    /// One value, or for small_packets 10,000 of them.
    std::vector<Variant> values;
    /// Godot 4.6.3's bytes for each of them.
    std::vector<PackedByteArray> packets;
    std::size_t bytes = 0;  ///< of all packets
};

/// The names, in the order of docs/performance.md.
const std::vector<std::string>& workload_names();
/// Built, encoded and compared with the engine's bytes; exits with a message where they differ, as
/// no figure would mean anything then. Built once and kept.
const Workload& workload(std::string_view name);

/// Allocations by this program so far.
std::size_t allocations() noexcept;

}  // namespace gdvar::bench
