// Load on the loopback: messages a second and memory a connection, ours against plain Asio.
//
//   net_load FOLDER [--only SCHEME] [--shape CONNECTIONS WINDOW] [--quick]   FOLDER: server.pem,
//   server.key; for Unix sockets
//
// Prints a table and writes FOLDER/net.json. Every answer is checked.
#include <enet/enet.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "client.hpp"

using namespace gdvar;
using namespace gdvar::load;

namespace {

struct Row {
    Transport transport;
    std::size_t most;  ///< messages on their way, of all connections together; 0: as many as wanted
};
// A socket's buffer holds some 250 small datagrams, and more would only be lost.
constexpr Row rows[] = {
    {Transport::tcp, 0},       {Transport::local, 0}, {Transport::udp, 128},
    {Transport::websocket, 0}, {Transport::tls, 0},   {Transport::websocket_tls, 0},
    {Transport::enet, 256},
};

/// How the messages come: connections at once, and of each, messages on their way.
struct Shape {
    std::size_t connections, window;
};
constexpr Shape shapes[] = {{1, 1}, {1, 256}, {64, 1}, {64, 256}};

template <class Values>
double median(Values values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

struct Speed {
    double per_second = 0, nanoseconds = 0;  ///< of the server's processor, a message
    std::size_t lost = 0;
};

/// As many messages as take about `seconds`.
std::size_t count_for(Client& client, const Shape& shape, double seconds) {
    const std::size_t first = 20 * shape.connections;
    (void)client.run({first, shape.window});
    const Outcome warm = client.run({first * 10, shape.window});
    const double count = static_cast<double>(warm.answered) / warm.seconds * seconds;
    return std::max<std::size_t>(1, static_cast<std::size_t>(count) / shape.connections) *
           shape.connections;
}

/// Medians of runs in turn, so that what the machine does meanwhile meets both.
std::array<Speed, 2> measure(Transport transport, const Shape& shape, bool quick,
                             const std::array<ServerProcess*, 2>& servers) {
    std::array<std::vector<double>, 2> speed, time;
    std::array<Speed, 2> out;
    std::array<std::unique_ptr<Client>, 2> clients;
    std::array<std::size_t, 2> count;
    for (std::size_t kind = 0; kind < 2; ++kind) {
        clients[kind] = Client::connect(transport, *servers[kind], shape.connections);
        count[kind] = count_for(*clients[kind], shape, quick ? 0.05 : 0.2);
    }
    for (int run = 0; run < (quick ? 3 : 7); ++run)
        for (std::size_t kind = 0; kind < 2; ++kind) {
            const auto before = servers[kind]->time();
            const Outcome outcome = clients[kind]->run({count[kind], shape.window});
            const auto n = static_cast<double>(outcome.answered);
            speed[kind].push_back(n / outcome.seconds);
            time[kind].push_back(static_cast<double>(servers[kind]->time() - before) / n);
            out[kind].lost += outcome.lost;
        }
    for (std::size_t kind = 0; kind < 2; ++kind) {
        out[kind].per_second = median(speed[kind]);
        out[kind].nanoseconds = median(time[kind]);
    }
    return out;
}

struct Memory {
    double connected = 0, after = 0;  ///< bytes a connection
    double per_second = 0;
};

/// Many connections at once, each exchanging messages.
Memory measure_memory(Transport transport, std::size_t connections, ServerProcess& server) {
    Memory out;
    {  // Memory that a server keeps after its first connection is not counted.
        const auto first = Client::connect(transport, server, 1);
        first->run({1000, 16});
    }
    ::usleep(50'000);
    const auto before = static_cast<double>(server.memory());
    const auto count = static_cast<double>(connections);
    const auto client = Client::connect(transport, server, connections);
    ::usleep(100'000);
    out.connected = (static_cast<double>(server.memory()) - before) / count;
    const Outcome outcome = client->run({connections * 50, 4});
    if (outcome.answered != connections * 50)
        give_up("answers are missing");
    out.per_second = static_cast<double>(outcome.answered) / outcome.seconds;
    ::usleep(100'000);
    out.after = (static_cast<double>(server.memory()) - before) / count;
    return out;
}

std::size_t raise_descriptors() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

class Report {
public:
    explicit Report(const std::string& path) : json_(std::fopen(path.c_str(), "w")) {
        if (!json_)
            give_up("can't write " + path);
        std::fputs("[", json_);
    }
    ~Report() {
        std::fputs("\n]\n", json_);
        std::fclose(json_);
    }
    void speed(Transport transport, const Shape& shape, const std::array<Speed, 2>& of,
               double plain_tcp) {
        const std::string name(transport_name(transport));
        const double ratio = of[0].per_second / of[1].per_second;
        std::printf("%-5s %5zu %6zu %12.0f %12.0f %7.2f %8.2f %9.0f %9.0f %6zu %6zu\n",
                    name.c_str(), shape.connections, shape.window, of[0].per_second,
                    of[1].per_second, ratio, plain_tcp > 0 ? of[0].per_second / plain_tcp : 0.,
                    of[0].nanoseconds, of[1].nanoseconds, of[0].lost, of[1].lost);
        std::fflush(stdout);
        next();
        std::fprintf(json_,
                     "{\"transport\": \"%s\", \"connections\": %zu, \"window\": %zu, \"ours\": "
                     "%.0f, \"plain\": %.0f, \"ratio\": %.3f, \"ours_ns\": %.0f, "
                     "\"plain_ns\": %.0f, \"lost\": %zu}",
                     name.c_str(), shape.connections, shape.window, of[0].per_second,
                     of[1].per_second, ratio, of[0].nanoseconds, of[1].nanoseconds, of[0].lost);
    }
    void memory(Transport transport, std::size_t connections, const std::array<Memory, 2>& of) {
        const std::string name(transport_name(transport));
        std::printf("%-5s %5zu %12.0f %12.0f %12.0f %12.0f %12.0f %12.0f\n", name.c_str(),
                    connections, of[0].connected, of[1].connected, of[0].after, of[1].after,
                    of[0].per_second, of[1].per_second);
        std::fflush(stdout);
        next();
        std::fprintf(json_,
                     "{\"transport\": \"%s\", \"connections\": %zu, \"ours_bytes\": %.0f, "
                     "\"plain_bytes\": %.0f}",
                     name.c_str(), connections, of[0].after, of[1].after);
    }

private:
    void next() { std::fputs(std::exchange(first_, false) ? "\n" : ",\n", json_); }
    std::FILE* json_;
    bool first_ = true;
};

struct Arguments {
    std::string folder, only;
    Shape shape{0, 0};  ///< this alone, if set
    bool quick = false;
};

void measure_speeds(const Arguments& arguments, Report& report) {
    std::printf(
        "small_packets, echoed; a bare server sends back what came, gdvar's decodes into "
        "structs and answers with them\n%-5s %5s %6s %12s %12s %7s %8s %9s %9s %6s %6s\n",
        "", "conns", "window", "gdvar/s", "bare/s", "ratio", "to tcp", "gdvar ns", "bare ns",
        "lost", "lost");
    std::array<double, std::size(shapes)> plain_tcp{};
    for (const Row& row : rows) {
        if (!arguments.only.empty() && arguments.only != transport_name(row.transport))
            continue;
        ServerProcess ours({Kind::ours, row.transport, arguments.folder});
        ServerProcess plain({Kind::plain, row.transport, arguments.folder});
        for (std::size_t i = 0; i < std::size(shapes); ++i) {
            Shape shape = shapes[i];
            if (arguments.shape.connections && (shape.connections != arguments.shape.connections ||
                                                shape.window != arguments.shape.window))
                continue;
            if (row.most)
                shape.window =
                    std::clamp<std::size_t>(row.most / shape.connections, 1, shape.window);
            const auto speeds = measure(row.transport, shape, arguments.quick, {&ours, &plain});
            if (row.transport == Transport::tcp)
                plain_tcp[i] = speeds[1].per_second;
            report.speed(row.transport, shape, speeds, plain_tcp[i]);
        }
    }
}

void measure_memories(const Arguments& arguments, Report& report) {
    const std::size_t connections = std::min<std::size_t>(2000, raise_descriptors() - 100);
    std::printf(
        "\nmany connections at once, 50 messages each; bytes of the server's memory a "
        "connection, when connected and after the messages\n%-5s %5s %12s %12s %12s %12s "
        "%12s %12s\n",
        "", "conns", "gdvar", "bare", "gdvar after", "bare after", "gdvar/s", "bare/s");
    for (const Transport transport :
         {Transport::tcp, Transport::websocket, Transport::tls, Transport::websocket_tls}) {
        if (!arguments.only.empty() && arguments.only != transport_name(transport))
            continue;
        std::array<Memory, 2> memories;
        for (std::size_t kind = 0; kind < 2; ++kind) {
            ServerProcess server({static_cast<Kind>(kind), transport, arguments.folder});
            memories[kind] = measure_memory(transport, connections, server);
        }
        report.memory(transport, connections, memories);
    }
}

/// 200 players at 20 Hz, each at its own moment: the server's processor time a message, in
/// nanoseconds.
double measure_players(Transport transport, const ServerProcess& server, int seconds) {
    using std::chrono::steady_clock;
    constexpr std::size_t groups = 20, players = 10;
    constexpr auto pause = std::chrono::microseconds(50'000 / groups);
    std::vector<std::unique_ptr<Client>> clients;
    for (std::size_t i = 0; i < groups; ++i)
        clients.push_back(Client::connect(transport, server, players));
    const auto before = server.time();
    auto next = steady_clock::now();
    std::size_t answered = 0;
    for (std::size_t i = 0; i < groups * 20 * static_cast<std::size_t>(seconds); ++i) {
        answered += clients[i % groups]->run({players, 1}).answered;
        next += pause;
        std::this_thread::sleep_until(next);
    }
    return static_cast<double>(server.time() - before) / static_cast<double>(answered);
}

void measure_all_players(const Arguments& arguments) {
    const int seconds = arguments.quick ? 1 : 10;
    std::printf(
        "\n200 players at 20 Hz for %d s; the server's processor time a message, ns\n"
        "%-5s %9s %9s %7s\n",
        seconds, "", "gdvar", "bare", "ratio");
    for (const Transport transport : {Transport::tcp, Transport::udp, Transport::websocket}) {
        if (!arguments.only.empty() && arguments.only != transport_name(transport))
            continue;
        double time[2];
        for (const Kind kind : {Kind::ours, Kind::plain}) {
            const ServerProcess server({kind, transport, arguments.folder});
            time[kind == Kind::plain] = measure_players(transport, server, seconds);
        }
        std::printf("%-5s %9.0f %9.0f %7.2f\n", std::string(transport_name(transport)).c_str(),
                    time[0], time[1], time[0] / time[1]);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 7 && std::string(argv[1]) == "--serve")
        ServerProcess::serve(argv + 2);
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string one = argv[i];
        if (one == "--quick")
            arguments.quick = true;
        else if (one == "--only" && i + 1 < argc)
            arguments.only = argv[++i];
        else if (one == "--shape" && i + 2 < argc)
            arguments.shape = {std::stoul(argv[i + 1]), std::stoul(argv[i + 2])}, i += 2;
        else
            arguments.folder = one;
    }
    if (arguments.folder.empty() || enet_initialize() != 0)
        give_up("usage: net_load FOLDER [--only SCHEME] [--shape CONNECTIONS WINDOW] [--quick]");
    raise_descriptors();
    Report report(arguments.folder + "/net.json");
    measure_speeds(arguments, report);
    if (arguments.shape.connections)
        return 0;
    measure_memories(arguments, report);
    measure_all_players(arguments);
}
