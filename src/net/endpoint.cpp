#include "gdvar/net/endpoint.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <thread>

#include "transports.hpp"

namespace gdvar::net {

// ---- EventLoop ----------------------------------------------------------------------------------

void EventLoop::State::drop_all() {
    std::vector<std::shared_ptr<detail::Endpoint>> all;
    {
        const std::scoped_lock lock(mutex_);
        for (const auto& [id, weak] : endpoints_)
            if (auto there = weak.lock())
                all.push_back(std::move(there));
        endpoints_.clear();
    }
    for (const auto& endpoint : all)
        endpoint->drop();
}

namespace {

/// Timers of `after`: what they would call may hold a peer.
class Later final : public detail::Endpoint {
public:
    Later(asio::io_context& context, std::chrono::milliseconds time) : timer(context, time) {}
    void drop() override { timer.cancel(); }
    asio::steady_timer timer;
};

/// In a thread of its own, where there may be one more.
void finish_elsewhere(detail::LoopState state) {
    const auto finish = [state] { state->context.run(); };
    try {
        std::thread(finish).detach();
    } catch (const std::system_error&) {
        finish();
    }
}

}  // namespace

EventLoop::EventLoop() : state_(std::make_shared<State>()) {}

EventLoop::~EventLoop() {
    state_->end();
    state_->stop();
    state_->drop_all();
    // What was cancelled still has to be told, so that it lets go of its endpoints; and some is
    // only begun while that happens.
    for (int round = 0; round < 2; ++round) {
        state_->restart();
        state_->context.poll();
        state_->drop_all();
    }
    // Only lookups of names can't be cancelled. Asio's end would wait for them here, or in the
    // thread that lets the last peer go.
    if (!state_->context.stopped())
        finish_elsewhere(std::move(state_));
}

void EventLoop::run() {
    state_->enter([&] { state_->context.run(); });
}

void EventLoop::run_for(std::chrono::milliseconds time) {
    state_->enter([&] { state_->context.run_for(time); });
}

bool EventLoop::run_one_for(std::chrono::milliseconds time) {
    bool done = false;
    state_->enter([&] {
        // Asio's run_one_for does not look at all when there is no time.
        done = (time.count() > 0 ? state_->context.run_one_for(time)
                                 : state_->context.poll_one()) != 0;
    });
    return done;
}

void EventLoop::stop() {
    state_->stop();
}
void EventLoop::restart() {
    state_->restart();
}

void EventLoop::post(std::function<void()> what) {
    asio::post(state_->context, [state = state_.get(), what = std::move(what)] {
        if (!state->ending)
            what();
    });
}

void EventLoop::after(std::chrono::milliseconds time, std::function<void()> what) {
    const auto later = std::make_shared<Later>(state_->context, time);
    const std::uint64_t id = state_->next_id();
    state_->add(later, id);
    later->timer.async_wait(
        [later, id, state = state_.get(), what = std::move(what)](const error_code& code) {
            state->remove(id);
            if (!code && !state->ending)
                what();
        });
}

// ---- URLs ---------------------------------------------------------------------------------------

namespace {

struct Scheme {
    std::string_view name;
    Transport transport;
};
constexpr Scheme schemes[] = {
    {"tcp", Transport::tcp},   {"tls", Transport::tls},      {"unix", Transport::local},
    {"udp", Transport::udp},   {"ws", Transport::websocket}, {"wss", Transport::websocket_tls},
    {"enet", Transport::enet},
};
/// Of a Unix socket's path, its final NUL included.
constexpr std::size_t max_path = 108;

std::unexpected<NetError> bad_url(const char* why) {
    return std::unexpected(detail::net_error(Errc::bad_syntax, why));
}

bool parse_port(std::string_view text, std::uint16_t& port) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace

std::string_view transport_name(Transport transport) noexcept {
    for (const Scheme& scheme : schemes)
        if (scheme.transport == transport)
            return scheme.name;
    return {};
}

std::expected<NetUrl, NetError> parse_url(std::string_view url) {
    const std::size_t colon = url.find(':');
    const auto* scheme = std::ranges::find(schemes, url.substr(0, colon), &Scheme::name);
    if (colon == url.npos || scheme == std::end(schemes))
        return bad_url("a URL begins with tcp://, tls://, unix:, udp://, ws://, wss:// or enet://");
    NetUrl out;
    out.transport = scheme->transport;
    std::string_view rest = url.substr(colon + 1);
    const bool slashes = rest.starts_with("//");
    if (slashes)
        rest.remove_prefix(2);
    if (out.transport == Transport::local) {
        out.host = std::string(rest);
        if (rest.empty() || rest.size() >= max_path || rest.find('\0') != rest.npos)
            return bad_url("a path of 1 to 107 bytes is needed");
        return out;
    }
    if (!slashes)
        return bad_url("// is missing behind the scheme");
    if (const std::size_t slash = rest.find('/'); slash != rest.npos) {
        const bool web =
            out.transport == Transport::websocket || out.transport == Transport::websocket_tls;
        if (!web && slash + 1 != rest.size())
            return bad_url("only ws:// and wss:// URLs have a path");
        out.path = std::string(rest.substr(slash));
        rest = rest.substr(0, slash);
    }
    const std::size_t port_at = rest.rfind(':');
    if (port_at == rest.npos || !parse_port(rest.substr(port_at + 1), out.port))
        return bad_url("a port from 0 to 65535 is missing, as in tcp://127.0.0.1:4000");
    std::string_view host = rest.substr(0, port_at);
    if (host.starts_with('[') && host.ends_with(']'))
        host = host.substr(1, host.size() - 2);
    else if (host.find(':') != host.npos)
        return bad_url("an IPv6 address needs brackets");
    if (host.empty())
        return bad_url("a host is missing");
    for (const char c : out.path)
        if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f')
            return bad_url("the path holds a space or a control character");
    out.host = std::string(host);
    return out;
}

// ---- Endpoints ----------------------------------------------------------------------------------

std::expected<std::shared_ptr<Listener>, NetError> listen(EventLoop& loop, std::string_view url,
                                                          NetOptions options,
                                                          PeerHandlers handlers) {
    const auto where = parse_url(url);
    if (!where)
        return std::unexpected(where.error());
    auto shared = std::make_shared<const PeerHandlers>(std::move(handlers));
    switch (where->transport) {
        case Transport::udp:
            return detail::listen_udp(loop.state(), *where, std::move(options), shared);
        case Transport::enet:
            return detail::listen_enet(loop.state(), *where, std::move(options), shared);
        default:
            return detail::listen_stream(loop.state(), *where, std::move(options), shared);
    }
}

std::expected<std::shared_ptr<Peer>, NetError> connect(EventLoop& loop, std::string_view url,
                                                       NetOptions options, PeerHandlers handlers) {
    const auto where = parse_url(url);
    if (!where)
        return std::unexpected(where.error());
    if (where->transport != Transport::local && (where->port == 0 || where->host == "*"))
        return bad_url("a host and a port are needed to connect");
    auto shared = std::make_shared<const PeerHandlers>(std::move(handlers));
    switch (where->transport) {
        case Transport::udp:
            return detail::connect_udp(loop.state(), *where, std::move(options), shared);
        case Transport::enet:
            return detail::connect_enet(loop.state(), *where, std::move(options), shared);
        case Transport::websocket:
        case Transport::websocket_tls:
            return detail::connect_websocket(loop.state(), *where, std::move(options), shared);
        default:
            return detail::connect_stream(loop.state(), *where, std::move(options), shared);
    }
}

}  // namespace gdvar::net
