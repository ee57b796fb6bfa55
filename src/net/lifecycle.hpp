// The life of a connection as a table: its states, and the result of each event.
//
// No sockets, no threads, no memory here. docs/architecture.md prints the table, and a test
// compares the two.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gdvar::net::detail {

enum class PeerState : std::uint8_t {
    connecting,           ///< until the transport's last handshake
    connecting_shutdown,  ///< the user has called `shutdown` meanwhile
    connecting_close,     ///< the user has called `close` meanwhile
    open,                 ///< both directions
    peer_ended,           ///< the peer sends no more; this side may
    shutting_down,        ///< sends the queue, and nothing after that
    shut_down,            ///< this side has ended its direction; the peer may send
    closing,              ///< the queue is sent, received bytes are discarded
    close_handshake,      ///< the transport's close handshake
    aborting,  ///< the user has called `abort`, perhaps before the transport's handshake was done:
               ///< nothing is sent or read; it ends in the loop's next turn
    closed,    ///< final
};
inline constexpr std::size_t peer_states = 11;

enum class PeerEvent : std::uint8_t {
    connected,    ///< the transport's handshakes are done
    sent,         ///< the queue is sent, and the transport holds nothing back
    peer_ended,   ///< the peer has ended its direction; all its packets were handled
    half_closed,  ///< the same, and the user has a handler for it
    shutdown,     ///< by the user
    close,        ///< by the user
    abort,        ///< by the user
    finished,     ///< the transport failed, or its close handshake is done
    dropped,      ///< the loop ends
};
inline constexpr std::size_t peer_events = 9;

enum class PeerAction : std::uint8_t {
    none,
    impossible,       ///< a transport never reports this; nothing happens
    open,             ///< call `connected`, then read and send
    flush,            ///< send the queue; then `sent`
    begin_close,      ///< as flush, with a deadline, and discard received bytes
    begin_handshake,  ///< start the transport's close handshake, or end the sending direction
    tell_ended,       ///< call the handler `ended`
    post_finish,      ///< `finished`, in the strand
    release,          ///< close the socket and call `closed`
    drop,             ///< close the socket, no handler is called
};

struct PeerTransition {
    PeerState next;
    PeerAction action;
    friend constexpr bool operator==(PeerTransition, PeerTransition) = default;
};

/// A state's deadline. `write_timeout` also applies in every state while bytes are sent.
enum class StateDeadline : std::uint8_t { none, connect, idle, close };

struct PeerStateInfo {
    std::string_view name;
    bool accepts;   ///< `put_` queues packets
    bool sends;     ///< the queue is sent
    bool receives;  ///< received packets are handled
    bool discards;  ///< received bytes are read and discarded
    bool drains;    ///< waits for `sent`
    StateDeadline deadline;
};

// clang-format off
inline constexpr std::array<PeerStateInfo, peer_states> peer_state_table{{
    //                       accepts sends  receives discards drains
    {"connecting",           true,   false, false,   false,   false, StateDeadline::connect},
    {"connecting_shutdown",  false,  false, false,   false,   false, StateDeadline::connect},
    {"connecting_close",     false,  false, false,   false,   false, StateDeadline::connect},
    {"open",                 true,   true,  true,    false,   false, StateDeadline::idle},
    {"peer_ended",           true,   true,  true,    false,   false, StateDeadline::idle},
    {"shutting_down",        false,  true,  true,    false,   true,  StateDeadline::idle},
    {"shut_down",            false,  true,  true,    false,   false, StateDeadline::idle},
    {"closing",              false,  true,  false,   true,    true,  StateDeadline::close},
    {"close_handshake",      false,  true,  false,   true,    false, StateDeadline::close},
    {"aborting",             false,  false, false,   false,   false, StateDeadline::none},
    {"closed",               false,  false, false,   false,   false, StateDeadline::none},
}};

inline constexpr std::array<std::string_view, peer_events> peer_event_names{
    "connected", "sent", "peer_ended", "half_closed", "shutdown", "close", "abort", "finished", "dropped"};

inline constexpr std::array<std::string_view, 10> peer_action_names{
    "none", "impossible", "open", "flush", "begin_close", "begin_handshake", "tell_ended", "post_finish",
    "release", "drop"};

/// One row a state, one column an event.
inline constexpr auto peer_transitions = [] {
    using enum PeerState;
    using A = PeerAction;
    using T = PeerTransition;
    // `stay` and `never` lead to the row's own state, which is filled in below.
    constexpr T stay{connecting, A::none},       never{connecting, A::impossible};
    constexpr T later_s{connecting_shutdown, A::none}, later_c{connecting_close, A::none};
    constexpr T opens{open, A::open},            opens_s{shutting_down, A::open};
    constexpr T ended{peer_ended, A::tell_ended};
    constexpr T shuts{shutting_down, A::flush},  shut{shut_down, A::begin_handshake};
    constexpr T close{closing, A::begin_close},  flush{closing, A::flush};
    constexpr T hands{close_handshake, A::begin_handshake}, waits{close_handshake, A::begin_close};
    constexpr T abort{aborting, A::post_finish}, end{closed, A::release}, drop{closed, A::drop};
    std::array<std::array<T, peer_events>, peer_states> table{{
    //                          connected sent   peer_ended half_closed shutdown close  abort  finished dropped
    /* connecting          */ {{opens,   never,  never,     never,      later_s, later_c, abort, end,   drop}},
    /* connecting_shutdown */ {{opens_s, never,  never,     never,      stay,    later_c, abort, end,   drop}},
    /* connecting_close    */ {{close,   never,  never,     never,      stay,    stay,    abort, end,   drop}},
    /* open                */ {{never,   stay,   close,     ended,      shuts,   close,   abort, end,   drop}},
    /* peer_ended          */ {{never,   stay,   stay,      stay,       shuts,   close,   abort, end,   drop}},
    /* shutting_down       */ {{never,   shut,   close,     close,      stay,    close,   abort, end,   drop}},
    /* shut_down           */ {{never,   stay,   end,       end,        stay,    waits,   abort, end,   drop}},
    /* closing             */ {{never,   hands,  flush,     flush,      stay,    stay,    abort, end,   drop}},
    /* close_handshake     */ {{never,   stay,   end,       end,        stay,    stay,    abort, end,   drop}},
    /* aborting            */ {{stay,    stay,   stay,      stay,       stay,    stay,    stay,  end,   drop}},
    /* closed              */ {{stay,    stay,   stay,      stay,       stay,    stay,    stay,  stay,  stay}},
    }};
    for (std::size_t i = 0; i < peer_states; ++i)
        for (T& cell : table[i])
            if (cell == stay || cell == never)
                cell.next = static_cast<PeerState>(i);
    return table;
}();
// clang-format on

constexpr PeerTransition transition(PeerState state, PeerEvent event) noexcept {
    return peer_transitions[static_cast<std::size_t>(state)][static_cast<std::size_t>(event)];
}
constexpr const PeerStateInfo& info(PeerState state) noexcept {
    return peer_state_table[static_cast<std::size_t>(state)];
}

/// A connection's state in the table. `apply` is called under the lock of its owner, the others by
/// any thread.
class Lifecycle {
public:
    PeerAction apply(PeerEvent event) noexcept {
        const PeerTransition to = transition(state(), event);
        state_.store(to.next, std::memory_order_release);
        return to.action;
    }
    PeerState state() const noexcept { return state_.load(std::memory_order_acquire); }
    const PeerStateInfo& may() const noexcept { return info(state()); }
    /// It has ended, or ends with the loop's next turn: only `finished` is left to come.
    bool over() const noexcept {
        const PeerState now = state();
        return now == PeerState::closed || now == PeerState::aborting;
    }

private:
    std::atomic<PeerState> state_{PeerState::connecting};
};

}  // namespace gdvar::net::detail
