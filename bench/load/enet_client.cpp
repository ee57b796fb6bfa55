#include <enet/enet.h>
#include <netinet/in.h>

#include <algorithm>

#include "client.hpp"

namespace gdvar::load {
namespace {

using Clock = std::chrono::steady_clock;

/// One host for all connections, reliable packets on channel 0.
class EnetClient final : public Client {
public:
    EnetClient(const ServerProcess& server, std::size_t connections)
        : host_(enet_host_create(nullptr, connections, 8, 0, 0)) {
        ENetAddress to{};
        to.host = ENET_HOST_TO_NET_32(INADDR_LOOPBACK);
        to.port = server.port();
        for (std::size_t i = 0; i < connections; ++i)
            all_.push_back({enet_host_connect(host_, &to, 8, 0), i * 157, 0, 0, 0});
        ENetEvent event;
        for (std::size_t i = 0; i < connections;) {
            if (enet_host_service(host_, &event, 5000) <= 0)
                give_up("ENet does not connect");
            i += event.type == ENET_EVENT_TYPE_CONNECT;
        }
        for (One& one : all_)
            one.peer->data = &one;
    }
    ~EnetClient() override {
        for (const One& one : all_)
            enet_peer_disconnect_now(one.peer, 0);
        enet_host_destroy(host_);
    }

    Outcome run(const Traffic& traffic) override {
        Outcome out;
        const auto start = Clock::now();
        window_ = traffic.window;
        for (One& one : all_) {
            one.sent = one.answered = one.first;
            one.last = one.first + traffic.messages / all_.size();
            send(one);
        }
        ENetEvent event;
        for (std::size_t unfinished = all_.size(); unfinished;) {
            if (enet_host_service(host_, &event, 5000) <= 0)
                give_up("answers are missing");
            if (event.type != ENET_EVENT_TYPE_RECEIVE)
                give_up("the server has closed the connection");
            One& one = *static_cast<One*>(event.peer->data);
            take(one, *event.packet);
            enet_packet_destroy(event.packet);
            ++out.answered;
            unfinished -= one.answered == one.last;
            send(one);
        }
        out.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return out;
    }

private:
    struct One {
        ENetPeer* peer;
        std::size_t first, sent, answered, last;
    };
    void send(One& one) {
        const Blob& all = bare_messages().sent;
        for (; one.sent < std::min(one.last, one.answered + window_); ++one.sent) {
            const auto message = all[one.sent % all.count()];
            enet_peer_send(
                one.peer, 0,
                enet_packet_create(message.data(), message.size(), ENET_PACKET_FLAG_RELIABLE));
        }
    }
    static void take(One& one, const ENetPacket& packet) {
        const Blob& all = bare_messages().answered;
        if (all[one.answered % all.count()] !=
            std::string_view(reinterpret_cast<const char*>(packet.data), packet.dataLength))
            give_up("an answer is wrong");
        ++one.answered;
    }

    ENetHost* host_;
    std::size_t window_ = 0;
    std::vector<One> all_;
};

}  // namespace

std::unique_ptr<Client> connect_enet(const ServerProcess& server, std::size_t connections) {
    return std::make_unique<EnetClient>(server, connections);
}

}  // namespace gdvar::load
