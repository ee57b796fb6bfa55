// Deadlines of a connection. No timers here.
#pragma once

#include <algorithm>

#include "lifecycle.hpp"
#include "limits.hpp"

namespace gdvar::net::detail {

/// The time, at most a hundred years: added to now, it must not overflow the clock.
inline std::chrono::milliseconds bounded(std::chrono::milliseconds time) noexcept {
    constexpr std::chrono::milliseconds most = std::chrono::years(100);
    return std::min(time, most);
}

/// Deadlines of one connection. Most only move into the future, so the timer is set again only for
/// a nearer one.
class Deadlines {
public:
    using Time = Clock::time_point;
    enum class Expired : std::uint8_t { none, connect, close, write, idle };
    /// The connection's activity, which decides the deadlines that apply.
    struct Doing {
        StateDeadline state = StateDeadline::none;
        bool writing = false;
        bool reads = true;  ///< else the peer is not read from
    };

    explicit Deadlines(const NetOptions& options) noexcept
        : connect_timeout_(bounded(options.connect_timeout)),
          idle_timeout_(bounded(options.idle_timeout.value_or(std::chrono::milliseconds{0}))),
          write_timeout_(bounded(options.write_timeout)) {}

    void on_connecting(Time now) noexcept { connect_until_ = now + connect_timeout_; }
    void on_closing(Time now) noexcept { close_until_ = now + write_timeout_; }
    void on_receive(Time now) noexcept { last_received_ = now; }
    /// Received bytes will not be read before then.
    void delay_idle(Time until) noexcept { last_received_ = std::max(last_received_, until); }
    void on_send(Time now) noexcept { last_sent_ = now; }

    /// The first deadline that applies; `max`: none.
    Time next(const Doing& doing) const noexcept {
        Time out = Time::max();
        if (doing.state == StateDeadline::connect)
            out = connect_until_;
        if (doing.state == StateDeadline::close)
            out = close_until_;
        if (doing.state == StateDeadline::idle && idle_timeout_.count())
            out = last_received_ + idle_timeout_;
        if (doing.writing)
            out = std::min(out, last_sent_ + write_timeout_);
        return out;
    }
    /// The deadline that has passed, if any. A peer that is not read from is not idle; its time
    /// starts again.
    Expired expired(Time now, const Doing& doing) noexcept {
        if (doing.state == StateDeadline::connect && connect_until_ <= now)
            return Expired::connect;
        if (doing.state == StateDeadline::close && close_until_ <= now)
            return Expired::close;
        if (doing.writing && last_sent_ + write_timeout_ <= now)
            return Expired::write;
        if (!doing.reads)
            last_received_ = now;
        else if (doing.state == StateDeadline::idle && idle_timeout_.count() &&
                 last_received_ + idle_timeout_ <= now)
            return Expired::idle;
        return Expired::none;
    }

    /// True if the timer must be set to `at`: it does not go off early enough.
    bool arm(Time at) noexcept {
        if (at >= armed_)
            return false;
        armed_ = at;
        return true;
    }
    /// Called when the timer has gone off.
    void disarm() noexcept { armed_ = Time::max(); }

private:
    std::chrono::milliseconds connect_timeout_, idle_timeout_, write_timeout_;
    Time connect_until_ = Time::max(), close_until_ = Time::max();
    Time last_received_{}, last_sent_{};
    Time armed_ = Time::max();
};

}  // namespace gdvar::net::detail
