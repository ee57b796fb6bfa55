// The states of a connection: the table, state by state and event by event, the page that shows it,
// and random lives of a connection over a transport that is made up.
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>

#include "net/peer.hpp"
#include "support/data.hpp"

namespace gdvar::net::detail {
namespace {

using enum PeerState;

std::vector<PeerState> all_states() {
    std::vector<PeerState> out;
    for (std::size_t i = 0; i < peer_states; ++i)
        out.push_back(static_cast<PeerState>(i));
    return out;
}
std::vector<PeerEvent> all_events() {
    std::vector<PeerEvent> out;
    for (std::size_t i = 0; i < peer_events; ++i)
        out.push_back(static_cast<PeerEvent>(i));
    return out;
}
std::string name(PeerState s) {
    return std::string(info(s).name);
}
std::string name(PeerEvent e) {
    return std::string(peer_event_names[static_cast<std::size_t>(e)]);
}
std::string name(PeerAction a) {
    return std::string(peer_action_names[static_cast<std::size_t>(a)]);
}
bool is_user(PeerEvent e) {
    return e == PeerEvent::shutdown || e == PeerEvent::close || e == PeerEvent::abort;
}
bool is_connecting(PeerState s) {
    return s <= connecting_close;
}

TEST(Lifecycle, EveryStateAndEventHasAResult) {
    std::size_t pairs = 0, impossible = 0;
    for (const PeerState s : all_states())
        for (const PeerEvent e : all_events()) {
            SCOPED_TRACE(name(s) + " " + name(e));
            const auto [next, action] = transition(s, e);
            ++pairs;
            ASSERT_LT(static_cast<std::size_t>(next), peer_states);
            // Only what ends a connection leads to its end, and only once.
            const bool ends = action == PeerAction::release || action == PeerAction::drop;
            EXPECT_EQ(ends, next == closed && s != closed);
            EXPECT_EQ(action == PeerAction::drop, e == PeerEvent::dropped && s != closed);
            if (e == PeerEvent::finished || e == PeerEvent::dropped) {
                EXPECT_EQ(next, closed);
            }
            if (e == PeerEvent::abort && s != closed && s != aborting) {
                EXPECT_EQ(transition(s, e), (PeerTransition{aborting, PeerAction::post_finish}));
            }
            // An impossible event changes nothing; the user may call everything at any time.
            if (action == PeerAction::impossible) {
                ++impossible;
                EXPECT_EQ(next, s);
                EXPECT_FALSE(is_user(e) || e == PeerEvent::finished || e == PeerEvent::dropped);
            }
            const bool before = is_connecting(s);
            const bool of_stream =
                e == PeerEvent::sent || e == PeerEvent::peer_ended || e == PeerEvent::half_closed;
            if ((before && of_stream) ||
                (!before && s != aborting && s != closed && e == PeerEvent::connected)) {
                EXPECT_EQ(action, PeerAction::impossible);
            } else {
                EXPECT_NE(action, PeerAction::impossible);
            }
            // No way back: neither into connecting nor to taking packets again.
            if (!before) {
                EXPECT_FALSE(is_connecting(next));
            }
            EXPECT_LE(info(next).accepts, info(s).accepts);
            if (e == PeerEvent::close || e == PeerEvent::shutdown || e == PeerEvent::abort) {
                EXPECT_FALSE(info(next).accepts);
            }
            if (!before) {
                EXPECT_LE(info(next).receives, info(s).receives);
            }
            if (e == PeerEvent::close || e == PeerEvent::abort) {
                EXPECT_FALSE(info(next).receives);
            }
            // The handshake begins when all is sent, and nowhere else.
            EXPECT_EQ(action == PeerAction::begin_handshake,
                      e == PeerEvent::sent && info(s).drains);
            // A close that begins has the deadline of closing.
            if (action == PeerAction::begin_close) {
                EXPECT_EQ(info(next).deadline, StateDeadline::close);
            }
        }
    EXPECT_EQ(pairs, 99u) << "docs/architecture.md";
    EXPECT_EQ(impossible, 15u) << "docs/architecture.md";
}

TEST(Lifecycle, ClosedIsFinal) {
    for (const PeerEvent e : all_events())
        EXPECT_EQ(transition(closed, e), (PeerTransition{closed, PeerAction::none})) << name(e);
}

TEST(Lifecycle, EveryStateIsReachedAndLeft) {
    std::set<PeerState> reached{connecting};
    for (std::size_t before = 0; before != reached.size();) {
        before = reached.size();
        for (const PeerState s : std::set(reached))
            for (const PeerEvent e : all_events())
                reached.insert(transition(s, e).next);
    }
    EXPECT_EQ(reached.size(), peer_states);
    // From each state, whatever the user does, the transport's own events lead to the end.
    for (PeerState s : all_states()) {
        s = transition(s, PeerEvent::connected).next;
        s = transition(s, PeerEvent::peer_ended).next;
        s = transition(s, PeerEvent::sent).next;
        s = transition(s, PeerEvent::finished).next;
        EXPECT_EQ(s, closed);
    }
}

/// The tables of docs/architecture.md.
std::string page() {
    const auto deadline = [](StateDeadline d) -> std::string {
        switch (d) {
            case StateDeadline::none:
                return "";
            case StateDeadline::connect:
                return "`connect_timeout`";
            case StateDeadline::idle:
                return "`idle_timeout`";
            case StateDeadline::close:
                return "`write_timeout`";
        }
        return {};
    };
    const auto yes = [](bool b) { return std::string(b ? "yes" : ""); };
    std::string out =
        "| state | takes `put_` | sends | handles packets | reads and discards | deadline |\n"
        "|---|---|---|---|---|---|\n";
    for (const PeerState s : all_states()) {
        const PeerStateInfo& i = info(s);
        out += "| `" + name(s) + "` | " + yes(i.accepts) + " | " + yes(i.sends) + " | " +
               yes(i.receives) + " | " + yes(i.discards) + " | " + deadline(i.deadline) + " |\n";
    }
    out += "\n| in | event | leads to | action |\n|---|---|---|---|\n";
    for (const PeerState s : all_states())
        for (const PeerEvent e : all_events()) {
            const auto [next, action] = transition(s, e);
            if (e >= PeerEvent::abort || action == PeerAction::impossible ||
                (next == s && action == PeerAction::none))
                continue;
            out += "| `" + name(s) + "` | `" + name(e) + "` | `" + name(next) + "` | " +
                   (action == PeerAction::none ? "" : "`" + name(action) + "`") + " |\n";
        }
    return out;
}

TEST(Lifecycle, ThePageShowsTheTable) {
    const std::string shown = test::read_text(test::source_dir() / "docs/architecture.md");
    EXPECT_NE(shown.find(page()), shown.npos) << "docs/architecture.md should hold\n\n" << page();
}

// ---- Random lives -------------------------------------------------------------------------------

/// A transport of nothing: what it should send is counted, what arrives is made up.
class MadeUpPeer final : public PeerBase {
public:
    MadeUpPeer(SharedLoop loop, const Strand& strand, std::mt19937* random,
               const NetOptions& options, SharedHandlers handlers)
        : PeerBase(std::move(loop), strand, Transport::tcp, options, std::move(handlers)),
          random_(*random) {}

    std::size_t written = 0, handshakes = 0, releases = 0, reads = 0;
    bool writing = false;

    using PeerBase::discards;
    using PeerBase::receives;
    void start() { on_connecting(); }
    void connected() {
        is_connected_ = true;
        on_connected();
    }
    void arrive() {
        const Batch batch(*this);
        on_receive(4);
        if (!discards() && receives() && may_deliver())
            handle(ByteView());
    }
    void end_of_stream() { on_peer_ended(); }
    void write_done() {
        if (!std::exchange(writing, false) || is_closed())
            return;
        written += sending().size();
        on_written();
    }
    bool is_closed() const { return state() == PeerState::closed; }
    void break_off() { fail(net_error(Errc::io, "made up")); }
    void handshake_done() {
        if (handshakes)
            finish();
    }

private:
    void start_read() override {
        EXPECT_TRUE(is_connected_) << "nothing is read before the transport's handshake is done";
        ++reads;
    }
    bool deliver() override { return !is_closed(); }
    bool start_write() override {
        EXPECT_TRUE(is_connected_) << "nothing is sent before the transport's handshake is done";
        EXPECT_FALSE(writing) << "one write at a time";
        EXPECT_EQ(handshakes, 0u) << "nothing is sent after the close handshake began";
        if (random_() % 2) {
            written += sending().size();
            return true;
        }
        writing = true;
        return false;
    }
    void start_close_handshake() override {
        EXPECT_TRUE(is_connected_);
        ++handshakes;
        if (random_() % 4 == 0)
            finish();
    }
    void release() override { ++releases; }

    std::mt19937& random_;
    bool is_connected_ = false;
};

struct Life {
    std::size_t connected = 0, packets = 0, ended = 0, closed = 0, accepted = 0, put_bytes = 0;
    bool close_called = false, abort_called = false, shutdown_called = false, broke = false;
    Errc end = Errc::ok;
};

void live(std::uint32_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Life life;
    std::shared_ptr<MadeUpPeer> peer;
    const auto put = [&] {
        const std::size_t n = 1 + random() % 40;
        const std::string bytes(n, 'x');
        const auto done = peer->put_packet(as_bytes(bytes));
        const bool may = !life.close_called && !life.abort_called && !life.shutdown_called;
        if (done) {
            ++life.accepted;
            life.put_bytes += 4 + n;
            EXPECT_TRUE(may) << "nothing is taken after close, shutdown or abort";
            EXPECT_EQ(life.closed, 0u);
        } else if (!may) {
            EXPECT_EQ(done.error().code, Errc::closed);
        }
    };
    const auto act = [&] {
        switch (random() % 12) {
            case 0:
                life.close_called = true;
                return peer->close();
            case 1:
                life.shutdown_called = true;
                return peer->shutdown();
            case 2:
                if (random() % 4)
                    return;
                life.abort_called = true;
                return peer->abort();
            case 3:
                return peer->pause_reading();
            case 4:
                return peer->resume_reading();
            default:
                return put();
        }
    };
    const auto handler = [&] {
        EXPECT_EQ(life.closed, 0u) << "no handler after closed";
        if (random() % 3 == 0)
            act();
    };
    PeerHandlers handlers;
    handlers.connected = [&](Peer&) {
        ++life.connected;
        EXPECT_FALSE(life.close_called || life.abort_called);
        handler();
    };
    handlers.packet = [&](Peer&, ByteView) {
        ++life.packets;
        EXPECT_EQ(life.connected, 1u);
        EXPECT_FALSE(life.close_called || life.abort_called)
            << "packets that arrive after close are not handled";
        handler();
    };
    handlers.drained = [&](Peer&) { handler(); };
    if (random() % 2)
        handlers.ended = [&](Peer&) {
            ++life.ended;
            handler();
        };
    handlers.closed = [&](Peer&, const NetError& error) {
        ++life.closed;
        life.end = error.code;
    };
    NetOptions options;
    options.max_queued = 100 + random() % 200;
    EventLoop loop;
    const SharedLoop& state = LoopAccess::of(loop);
    const Strand strand = asio::make_strand(state->context);
    peer = make_peer<MadeUpPeer>(state, strand, &random, options,
                                 std::make_shared<const PeerHandlers>(handlers));
    const auto in_strand = [&](auto work) {
        asio::post(strand, [&, work] {
            if (!peer->is_closed())
                work();
        });
    };
    in_strand([&] { peer->start(); });
    bool was_connected = false;
    for (int i = 0; i < 60; ++i) {
        switch (random() % 8) {
            case 0:
                in_strand([&] {
                    if (!std::exchange(was_connected, true))
                        peer->connected();
                });
                break;
            case 1:
            case 2:
                in_strand([&] {
                    if (was_connected)
                        peer->arrive();
                });
                break;
            case 3:
                in_strand([&] { peer->write_done(); });
                break;
            case 4:
                if (was_connected && random() % 3 == 0)
                    in_strand([&] { peer->end_of_stream(); });
                else
                    in_strand([&] { peer->handshake_done(); });
                break;
            case 5:
                if (random() % 30 == 0) {
                    in_strand([&] {
                        life.broke = true;
                        peer->break_off();
                    });
                }
                break;
            default:
                act();
        }
        const PeerState before = peer->state();
        for (unsigned n = random() % 4; n; --n)
            loop.run_one_for(std::chrono::milliseconds(0));
        if (before == closed) {
            EXPECT_EQ(peer->state(), closed);
        }
        EXPECT_EQ(life.closed, peer->is_closed() ? 1u : 0u);
        EXPECT_EQ(peer->releases, life.closed);
        EXPECT_LE(peer->handshakes, 1u);
        EXPECT_LE(life.connected, 1u);
        EXPECT_LE(life.ended, 1u) << "the end of the peer's direction is told once";
        if (peer->handshakes && !life.broke) {
            EXPECT_EQ(peer->written, life.put_bytes) << "all is sent before the close handshake";
        }
    }
    // It ends, whatever was before: with a deadline, or because the loop goes.
    if (random() % 2) {
        life.abort_called = true;
        peer->abort();
        while (loop.run_one_for(std::chrono::milliseconds(0))) {
        }
        EXPECT_EQ(life.closed, 1u);
        EXPECT_EQ(peer->releases, 1u);
    } else {
        const std::size_t before = life.closed;
        state->drop_all();
        EXPECT_TRUE(peer->is_closed());
        EXPECT_EQ(peer->releases, 1u);
        EXPECT_EQ(life.closed, before) << "the end of the loop calls no handler";
    }
    life.close_called = true;
    put();
    peer->close();
    peer->shutdown();
    peer->abort();
    peer->break_off();
    while (loop.run_one_for(std::chrono::milliseconds(0))) {
    }
    EXPECT_EQ(peer->releases, 1u);
    EXPECT_LE(life.closed, 1u);
    EXPECT_FALSE(life.end != Errc::ok && !life.broke);
}

TEST(Lifecycle, RandomLives) {
    for (std::uint32_t seed = 1; seed <= 5000 && !testing::Test::HasFailure(); ++seed)
        live(seed);
}

}  // namespace
}  // namespace gdvar::net::detail
