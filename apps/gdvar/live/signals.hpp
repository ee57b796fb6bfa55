#pragma once

#include <functional>
#include <thread>

#include "base/platform/signals.hpp"
#include "gdvar/net/endpoint.hpp"

namespace gdvar::app {

/// Seconds that a timer is set for at most: longer waits are for ever.
constexpr double longest_wait = 1e9;

/// Calls `end` in the loop at SIGINT, SIGTERM and SIGHUP, or when the options' time is over.
class Signals {
public:
    Signals(net::EventLoop& loop, double seconds, std::function<void()> end);
    ~Signals();

private:
    platform::EndSignals signals_;
    std::function<void()> end_;
    std::thread thread_;
};

}  // namespace gdvar::app
