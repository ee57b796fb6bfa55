#include "command.hpp"
#include "live/serving.hpp"

namespace gdvar::app::commands::listen {
namespace {

struct Options : LiveOptions {
    std::string answer = "none";
};

void declare(Arguments& arguments, Options& options) {
    add_url(arguments, options);
    add_origins(arguments, options);
    add_live(arguments, options);
    arguments.option("--answer", options.answer, "none, or echo: send every packet back")
        .one_of({"none", "echo"});
}

#ifdef GDVAR_NET

int run(Options& options) {
    const std::string url = transport_url(options.url, options);
    Monitor monitor(options, true);
    if (const int exit = monitor.start())
        return exit;
    Serving serving(options, monitor);

    PeerHandlers handlers;
    handlers.connected = [&](Peer& peer) { monitor.note(peer, "connected"); };
    handlers.packet = [&](Peer& peer, ByteView packet) {
        monitor.packet(peer, Direction::to_server, packet, peer.packet_flags());
        if (options.answer == "echo") {
            if (const auto sent = peer.put_packet(packet, peer.packet_flags()); !sent)
                monitor.error(peer, "not answered: " + to_string(sent.error()));
            else
                monitor.packet(peer, Direction::to_client, packet, peer.packet_flags());
        }
        serving.look();
    };
    handlers.closed = [&](Peer& peer, const NetError& error) {
        if (error.code == Errc::ok)
            monitor.note(peer, "closed");
        else
            monitor.error(peer, error);
        monitor.forget(peer);
    };
    return serving.run(url, net_options(options, monitor.dialect()), std::move(handlers), "");
}

#endif

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "listen",
         .does = "accepts connections and prints the packets that arrive",
         .examples = "gdvar listen tcp://127.0.0.1:4000\n"
                     "gdvar listen ws://127.0.0.1:4001 --form json --record game.rec\n"
                     "gdvar listen debugger://127.0.0.1:6007 --dialect godot4"},
        declare, run);
}

}  // namespace gdvar::app::commands::listen
