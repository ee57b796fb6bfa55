// A lobby: players join with a name, chat and move about, and everyone is told. Over TCP and
// WebSocket at once, for Godot 4 and Godot 3 at once. client4.gd and client3.gd are the other side.
//
//     lobby DIALECT TCP_PORT WS_PORT [DIALECT TCP_PORT WS_PORT]...
//     lobby godot4 4000 4001 godot3 4002 4003
#include <cmath>
#include <csignal>
#include <cstdio>
#include <gdvar/net/endpoint.hpp>
#include <map>

// --- requests
// From a player: peer.put_var({"type": "say", "text": "hello"}). A text that is kept is a
// std::string; a std::string_view points into the packet.
struct Join {
    gdvar::Tag<"join"> type;
    std::string name;
};
struct Say {
    gdvar::Tag<"say"> type;
    std::string_view text;
};
struct Move {
    gdvar::Tag<"move"> type;
    gdvar::Vector2 to;
};
using Request = std::variant<Join, Say, Move>;
template <>
struct gdvar::meta<Join> {
    static constexpr auto fields = std::tuple(gdvar::field("type", &Join::type),
                                              gdvar::field("name", &Join::name).max_length(24));
};
template <>
struct gdvar::meta<Say> {
    static constexpr auto fields = std::tuple(gdvar::field("type", &Say::type),
                                              gdvar::field("text", &Say::text).max_length(200));
};
// ---

// To the players.
struct Player {
    std::int64_t id = 0;
    std::string name;
    gdvar::Vector2 at;
};
struct Welcome {
    gdvar::Tag<"welcome"> type;
    std::int64_t id = 0;
    std::vector<Player> players;  // those who joined before
};
struct Joined {
    gdvar::Tag<"joined"> type;
    Player player;
};
struct Left {
    gdvar::Tag<"left"> type;
    std::int64_t id = 0;
};
struct Said {
    gdvar::Tag<"said"> type;
    std::int64_t id = 0;
    std::string_view text;
};
struct Moved {
    gdvar::Tag<"moved"> type;
    std::int64_t id = 0;
    gdvar::Vector2 to;
};
struct Refused {
    gdvar::Tag<"refused"> type;
    std::string why;
};

class Lobby {
public:
    gdvar::net::PeerHandlers handlers() {
        gdvar::net::PeerHandlers out;
        out.packet = [this](gdvar::net::Peer& peer, gdvar::ByteView packet) { take(peer, packet); };
        out.closed = [this](gdvar::net::Peer& peer, const gdvar::net::NetError&) { leave(peer); };
        return out;
    }

private:
    struct Seat {
        std::shared_ptr<gdvar::net::Peer> peer;
        Player player;
    };

    // --- taking and telling
    void take(gdvar::net::Peer& peer, gdvar::ByteView packet) {
        const auto request = gdvar::decode<Request>(packet, peer.options().decoding);
        if (!request) {
            send(peer, Refused{{}, gdvar::to_string(request.error())});
            return peer.close();
        }
        std::visit([&](const auto& what) { handle(peer, what); }, *request);
    }
    /// Encodes with each connection's options, so players with Godot 3 and 4 understand each other.
    template <class Message>
    void tell_all(const Message& message) {
        for (const auto& [id, seat] : seats_)
            send(*seat.peer, message);
    }
    /// A peer that does not read is disconnected; otherwise its messages would pile up.
    template <class Message>
    static void send(gdvar::net::Peer& peer, const Message& message) {
        const auto sent = peer.put_var(message);
        if (!sent && sent.error().code == gdvar::Errc::buffer_full)
            peer.abort();
    }
    // ---

    void handle(gdvar::net::Peer& peer, const Join& join) {
        for (const auto& [id, seat] : seats_)
            if (seat.player.name == join.name || id == peer.id())
                return send(peer, Refused{{}, "the name is taken, or you are here already"});
        Welcome welcome{{}, static_cast<std::int64_t>(peer.id()), {}};
        for (const auto& [id, seat] : seats_)
            welcome.players.push_back(seat.player);
        send(peer, welcome);
        const Player player{welcome.id, join.name, {}};
        seats_[peer.id()] = {peer.shared_from_this(), player};
        tell_all(Joined{{}, player});
    }
    void handle(gdvar::net::Peer& peer, const Say& say) {
        if (const Player* player = player_of(peer))
            tell_all(Said{{}, player->id, say.text});
    }
    void handle(gdvar::net::Peer& peer, const Move& move) {
        Player* player = player_of(peer);
        if (!player || !std::isfinite(move.to.x) || !std::isfinite(move.to.y))
            return;
        player->at = move.to;
        tell_all(Moved{{}, player->id, move.to});
    }
    void leave(gdvar::net::Peer& peer) {
        if (seats_.erase(peer.id()) != 0)
            tell_all(Left{{}, static_cast<std::int64_t>(peer.id())});
    }

    Player* player_of(gdvar::net::Peer& peer) {
        const auto seat = seats_.find(peer.id());
        return seat == seats_.end() ? nullptr : &seat->second.player;
    }

    std::map<std::uint64_t, Seat> seats_;  // by the peers' ids
};

static gdvar::net::NetOptions options_for(const gdvar::Dialect& dialect) {
    gdvar::net::NetOptions out;
    out.decoding.dialect = out.encoding.dialect = &dialect;
    out.max_packet = 1024;                // no message of a player is longer
    out.decoding.limits = {4, 1024, 32};  // depth, bytes, values
    out.packets_per_second = 100;         // more are read later
    out.max_queued = 256 * 1024;          // for each player
    out.max_peers = 100;                  // of each listener
    out.connect_timeout = std::chrono::seconds(5);
    out.write_timeout = std::chrono::seconds(5);
    out.idle_timeout = std::chrono::minutes(10);
    return out;
}

static volatile std::sig_atomic_t stopping = 0;

int main(int argc, char** argv) {
    for (const int signal : {SIGINT, SIGTERM})
        std::signal(signal, [](int) { stopping = 1; });
    Lobby lobby;
    gdvar::net::EventLoop loop;  // destroyed before the lobby, which its handlers use
    std::vector<std::shared_ptr<gdvar::net::Listener>> listeners;
    for (int i = 1; i + 2 < argc; i += 3) {
        const gdvar::Dialect* dialect = gdvar::find_dialect(argv[i]);
        if (!dialect)
            return std::fprintf(stderr, "%s is no dialect\n", argv[i]), 2;
        for (const std::string& url : {std::string("tcp://127.0.0.1:") + argv[i + 1],
                                       std::string("ws://127.0.0.1:") + argv[i + 2]}) {
            auto made = gdvar::net::listen(loop, url, options_for(*dialect), lobby.handlers());
            if (!made)
                return std::fprintf(stderr, "%s: %s\n", url.c_str(), made.error().text.c_str()), 1;
            std::printf("%s %s://%s\n", argv[i], url.substr(0, url.find(':')).c_str(),
                        (*made)->address().c_str());
            listeners.push_back(*std::move(made));
        }
    }
    std::fflush(stdout);
    // --- ending well
    while (!stopping && !listeners.empty())
        loop.run_for(std::chrono::milliseconds(100));
    for (const auto& listener : listeners)
        listener->close(/*close_peers=*/true);
    loop.run_for(std::chrono::seconds(6));  // until all are closed, or write_timeout
    // ---
    return listeners.empty() ? 2 : 0;
}
