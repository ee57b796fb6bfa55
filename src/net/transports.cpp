// Alone in its object, for whoever links it links all transports.
#include "transports.hpp"

namespace gdvar::net {

// Made of the parts, since the other constants may not be set yet.
constinit const Transports transports::all =
    Transports(Transport::tcp, detail::open_tcp) | Transports(Transport::tls, detail::open_tls) |
    Transports(Transport::local, detail::open_local) |
    Transports(Transport::udp, detail::open_udp) |
    Transports(Transport::websocket, detail::open_websocket) |
    Transports(Transport::websocket_tls, detail::open_websocket_tls) |
    Transports(Transport::enet, detail::open_enet);

}  // namespace gdvar::net
