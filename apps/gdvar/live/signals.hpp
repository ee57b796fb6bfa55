#pragma once

#include <functional>
#include <thread>

#include "base/platform/signals.hpp"
#include "gdvar/net/endpoint.hpp"

namespace gdvar::app {

/// The longest timer in seconds: longer waits are endless.
constexpr double longest_wait = 1e9;

/// Calls `end` in the loop at SIGINT, SIGTERM and SIGHUP, or after the options' time.
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
