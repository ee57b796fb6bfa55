#pragma once

#include <memory>
#include <string>
#include <utility>

#include "live/monitor.hpp"
#include "live/signals.hpp"
#include "options/live.hpp"

namespace gdvar::app {

/// A listener in its loop, with a clean end: connections are closed first.
class Serving {
public:
    explicit Serving(const LiveOptions& options, Monitor& monitor)
        : options_(options),
          monitor_(monitor),
          signals_(loop_, options.seconds, [this] { end(); }) {}
    EventLoop& loop() { return loop_; }
    int run(const std::string& url, const NetOptions& net, PeerHandlers handlers,
            const std::string& more) {
        auto listener = net::listen(loop_, url, net, std::move(handlers));
        if (!listener)
            return failed(url, listener.error());
        listener_ = *listener;
        say("gdvar: listening at " + std::string(transport_name(listener_->transport())) +
            (listener_->transport() == Transport::local ? ":" : "://") + listener_->address() +
            more);
        loop_.run();
        return monitor_.exit();
    }
    /// Ends after enough packets, or when nobody reads the output.
    void look() {
        if ((options_.count && monitor_.packets() >= options_.count) || !monitor_.good())
            end();
    }

private:
    void end() {
        if (!listener_ || std::exchange(ending_, true))
            return;
        listener_->close(true);
        wait(100);
    }
    /// For two seconds at most.
    void wait(int turns) {
        if (turns == 0 || listener_->peers() == 0)
            return loop_.stop();
        loop_.after(std::chrono::milliseconds(20), [this, turns] { wait(turns - 1); });
    }

    const LiveOptions& options_;
    Monitor& monitor_;
    EventLoop loop_;
    std::shared_ptr<Listener> listener_;
    bool ending_ = false;
    Signals signals_;
};

}  // namespace gdvar::app
