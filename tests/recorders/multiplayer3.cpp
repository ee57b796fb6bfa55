// Two clients without an engine, that record what a server of Godot 3's NetworkedMultiplayerENet
// sends them. They confirm each path and leave when told.
//   g++ -std=c++20 multiplayer3.cpp -lenet -o record
//   godot3-server --no-window -s multiplayer3.gd PORT & ./record PORT OUT.ndjson
// Lines: {"peer": to whom, "channel", "packet": hex}. The calls are in the packets themselves:
// before each step the server sends it as bytes, JSON, values as var2bytes in hex.
#include <enet/enet.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

int main(int, char** arguments) {
    ENetAddress address;
    enet_address_set_host(&address, "127.0.0.1");
    address.port = static_cast<enet_uint16>(std::atoi(arguments[1]));
    std::FILE* out = std::fopen(arguments[2], "w");
    ENetHost* host = enet_host_create(nullptr, 2, 8, 0, 0);
    ENetPeer* peers[2];
    for (unsigned id : {2u, 3u}) {
        peers[id - 2] = enet_host_connect(host, &address, 8, id);
        peers[id - 2]->data = reinterpret_cast<void*>(static_cast<std::size_t>(id));
    }
    ENetEvent event;
    while (enet_host_service(host, &event, 10000) > 0) {
        const auto id = reinterpret_cast<std::size_t>(event.peer->data);
        if (event.type == ENET_EVENT_TYPE_DISCONNECT && id == 2)
            break;
        if (event.type != ENET_EVENT_TYPE_RECEIVE)
            continue;
        const std::string bytes(reinterpret_cast<char*>(event.packet->data),
                                event.packet->dataLength);
        std::fprintf(out, "{\"peer\": %zu, \"channel\": %d, \"packet\": \"", id, event.channelID);
        for (const unsigned char c : bytes)
            std::fprintf(out, "%02x", c);
        std::fprintf(out, "\"}\n");
        if (event.channelID > 0 && bytes.size() > 13 && bytes[8] == 2) {
            // From this client to the server: the path behind the id.
            std::string answer(8, '\0');
            answer[0] = static_cast<char>(id);
            answer[4] = 1;
            answer += '\3' + bytes.substr(13);
            enet_peer_send(
                event.peer, 1,
                enet_packet_create(answer.data(), answer.size(), ENET_PACKET_FLAG_RELIABLE));
        }
        if (id == 3 && bytes.find("\"leave\"") != bytes.npos)
            enet_peer_disconnect(event.peer, 0);
        enet_packet_destroy(event.packet);
    }
    std::fclose(out);
}
