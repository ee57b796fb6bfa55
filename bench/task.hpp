// Registers benchmarks named TASK/WORKLOAD and runs them after their answer was checked.
#pragma once

#include <benchmark/benchmark.h>

#include <string>

#include "workloads.hpp"

namespace gdvar::bench {

/// Times `once(packet number)` over all packets of a workload. `right()` is asked first, once: a
/// task whose answer is wrong has no time.
template <class Once, class Right>
void run(benchmark::State& state, const Workload& of, Once&& once, Right&& right) {
    const std::size_t n = of.packets.size();
    for (std::size_t i = 0; i < n; ++i) {
        once(i);
        if (!right(i)) {
            state.SkipWithError("the answer is wrong");
            return;
        }
    }
    const std::size_t before = allocations();
    for (auto _ : state) {
        for (std::size_t i = 0; i < n; ++i)
            once(i);
    }
    const auto operations = static_cast<double>(state.iterations()) * static_cast<double>(n);
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(of.bytes));
    state.counters["allocations"] = static_cast<double>(allocations() - before) / operations;
    state.counters["ns"] =
        benchmark::Counter(operations, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["operations"] = static_cast<double>(n);
}

/// Registers `task` for the workloads named; the workload is built when its turn comes.
template <class Task>
void add(const std::string& task, const std::vector<std::string>& workloads, Task body) {
    for (const std::string& name : workloads)
        benchmark::RegisterBenchmark(
            (task + "/" + name).c_str(),
            [name, body](benchmark::State& state) { body(state, workload(name)); });
}

}  // namespace gdvar::bench
