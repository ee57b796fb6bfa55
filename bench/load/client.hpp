// The client that drives every server: raw sockets and one epoll, so that it is in nobody's way.
#pragma once

#include <chrono>

#include "messages.hpp"
#include "servers.hpp"

namespace gdvar::load {

struct Traffic {
    std::size_t messages;  ///< of all connections together
    std::size_t window;    ///< of each connection: messages on their way
};

struct Outcome {
    double seconds = 0;
    std::size_t answered = 0;
    std::size_t lost = 0;  ///< datagrams without an answer
};

/// Connections to one server. Each sends messages from another place on and compares every byte of
/// the answers, in order where the transport promises that. Exits with a message when an answer is
/// wrong, or none comes for five seconds.
class Client {
public:
    virtual ~Client() = default;
    virtual Outcome run(const Traffic& traffic) = 0;

    static std::unique_ptr<Client> connect(Transport transport, const ServerProcess& server,
                                           std::size_t connections);
};

std::unique_ptr<Client> connect_enet(const ServerProcess& server, std::size_t connections);

}  // namespace gdvar::load
