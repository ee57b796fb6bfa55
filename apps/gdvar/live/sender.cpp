#include "live/sender.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "live/signals.hpp"
#include "output/messages.hpp"

namespace gdvar::app {

namespace {

/// The most datagrams and bytes to send over UDP before a pause. UDP has no flow control, and a
/// socket's buffer holds a few hundred small datagrams.
constexpr std::size_t burst_datagrams = 20, burst_bytes = 64 * 1024;
constexpr std::chrono::milliseconds burst_pause{5};

/// The client's side of send and replay: connections, their remaining packets, the answers.
class Sender {
public:
    Sender(const SendingOptions& options, double speed, EventLoop& loop, Monitor& monitor)
        : options_(options), speed_(speed), loop_(loop), monitor_(monitor) {}

    /// `names`: the peers named by the packets.
    int run(const std::string& url, const NetOptions& net, const std::set<std::string>& names,
            Feed feed) {
        std::map<std::string, std::shared_ptr<Peer>> peers;
        last_ = now();
        for (const std::string& name : names)
            peers.try_emplace(name);
        for (auto& [name, peer] : peers) {
            auto made = connect(loop_, url, net, handlers());
            if (!made)
                return failed(url, made.error());
            peer = *made;
            udp_ = peer->transport() == Transport::udp;
            ++open_;
        }
        feed_ = std::move(feed);
        peers_ = std::move(peers);
        next_ = feed_();
        first_ = next_ ? next_->time : 0;
        loop_.run();
        return exit_ != fine ? exit_ : monitor_.exit();
    }

    void finish() {
        for (const auto& [name, peer] : peers_)
            peer->close();
        // For a connection that is not established, or whose server does not finish the close
        // handshake.
        loop_.after(std::chrono::seconds(2), [this] { loop_.stop(); });
    }

private:
    PeerHandlers handlers() {
        PeerHandlers out;
        out.connected = [this](Peer&) {
            if (++connected_ < peers_.size())
                return;
            start_ = last_ = now();
            send_due();
            watch();
        };
        out.packet = [this](Peer& peer, ByteView packet) {
            last_ = now();
            monitor_.packet(peer, Direction::to_client, packet, peer.packet_flags());
            if (!monitor_.good())
                loop_.stop();
            if (options_.count && monitor_.packets() >= options_.count + sent_)
                finish();
        };
        out.drained = [this](Peer&) { send_due(); };
        out.closed = [this](Peer& peer, const NetError& error) {
            if (error.code != Errc::ok) {
                if (exit_of(error) == refused)
                    monitor_.error(peer, error);
                else
                    say("gdvar: " + peer.address() + ": " + ending(error));
                exit_ = std::max<int>(exit_, exit_of(error));
            }
            // A connection that fails, or ends early, ends the others.
            if (--open_ == 0)
                return loop_.stop();
            if (exit_ != fine)
                finish();
        };
        return out;
    }

    /// Sends the packets that are due; schedules itself for the next.
    void send_due() {
        if (pausing_)
            return;
        for (std::size_t datagrams = 0, bytes = 0; next_; ++datagrams) {
            const Outgoing& packet = *next_;
            if (udp_ && datagrams && (datagrams >= burst_datagrams || bytes >= burst_bytes))
                return pause();
            bytes += packet.packet.size();
            const double due = std::isinf(speed_) ? 0 : (packet.time - first_) / speed_;
            const double wait = due - (now() - start_);
            if (wait > 0) {
                loop_.after(std::chrono::milliseconds(
                                static_cast<std::int64_t>(std::min(wait, longest_wait) * 1e3) + 1),
                            [this] { send_due(); });
                return;
            }
            Peer& peer = *peers_[packet.peer];
            const auto sent = peer.put_packet(packet.packet, packet.flags);
            if (!sent && sent.error().code == Errc::buffer_full)
                return;  // `drained` calls this again
            if (!sent) {
                say("gdvar: " + peer.address() + ": not sent: " + to_string(sent.error()));
                exit_ = io_error;
            } else {
                ++sent_;
                monitor_.packet(peer, Direction::to_server, packet.packet, packet.flags);
            }
            next_ = feed_();
            last_ = now();
        }
    }

    void pause() {
        pausing_ = true;
        loop_.after(burst_pause, [this] {
            pausing_ = false;
            send_due();
        });
    }

    /// A number that changes with every transfer, even of parts of a long packet.
    std::uint64_t progress() const {
        std::uint64_t out = 0;
        for (const auto& [name, peer] : peers_)
            out += peer->statistics().received - peer->queued();
        return out;
    }

    /// Ends when everything is sent and the connections were idle for the requested time.
    void watch() {
        loop_.after(std::chrono::milliseconds(20), [this] {
            if (const auto so_far = progress(); std::exchange(progress_, so_far) != so_far)
                last_ = now();
            if (!next_ && now() - last_ >= options_.wait_seconds)
                return finish();
            watch();
        });
    }

    const SendingOptions& options_;
    const double speed_;
    EventLoop& loop_;
    Monitor& monitor_;
    Feed feed_;
    std::optional<Outgoing> next_;
    std::map<std::string, std::shared_ptr<Peer>> peers_;
    std::size_t open_ = 0, connected_ = 0;
    std::uint64_t sent_ = 0;
    double last_ = 0, first_ = 0, start_ = 0;
    std::uint64_t progress_ = 0;
    bool udp_ = false, pausing_ = false;
    int exit_ = fine;
};

}  // namespace

Feed feed_of(std::vector<Outgoing> packets) {
    return [packets = std::move(packets), next = std::size_t{0}]() mutable {
        return next < packets.size() ? std::optional(std::move(packets[next++])) : std::nullopt;
    };
}

int send_all(const SendingOptions& options, double speed, Monitor& monitor, const std::string& url,
             const std::set<std::string>& names, Feed feed) {
    if (const int exit = monitor.open())
        return exit;
    EventLoop loop;
    Sender sender(options, speed, loop, monitor);
    const Signals signals(loop, options.seconds, [&] { sender.finish(); });
    return sender.run(url, net_options(options, monitor.dialect()), names, std::move(feed));
}

}  // namespace gdvar::app
