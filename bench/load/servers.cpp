#include "servers.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "../structs.hpp"
#include "messages.hpp"

namespace gdvar::load {
namespace {

std::expected<void, Error> answer(Peer& peer, ByteView packet) {
    // Kept from message to message.
    static bench::SmallMessage message;
    if (auto decoded = decode_to(message, packet, peer.options().decoding); !decoded)
        return std::unexpected(decoded.error());
    return peer.put_var(message);
}

/// A program of its own, so that its memory is not this one's.
[[noreturn]] void start_anew(const ServerOptions& options, const std::string& path, int tell) {
    const std::string kind = std::to_string(static_cast<int>(options.kind)),
                      transport = std::to_string(static_cast<int>(options.transport)),
                      to = std::to_string(tell);
    ::execl("/proc/self/exe", "net_load", "--serve", kind.c_str(), transport.c_str(),
            options.folder.c_str(), path.c_str(), to.c_str(), nullptr);
    std::_Exit(1);
}

[[noreturn]] void serve_ours(const ServerOptions& options, const std::string& path, int tell) {
    NetOptions net = NetOptions::unlimited();
    net.tls.certificate_file = options.folder + "/server.pem";
    net.tls.key_file = options.folder + "/server.key";
    PeerHandlers handlers;
    handlers.packet = [](Peer& peer, ByteView packet) {
        if (auto done = answer(peer, packet); !done) {
            std::fprintf(stderr, "net_load: our server: %s\n", to_string(done.error()).c_str());
            peer.abort();
        }
    };
    EventLoop loop;
    const std::string url = options.transport == Transport::local
                                ? "unix:" + path
                                : std::string(transport_name(options.transport)) + "://127.0.0.1:0";
    const auto listener = listen(loop, url, net, handlers);
    const std::uint16_t port =
        !listener ? 0 : (path.empty() ? (*listener)->port() : std::uint16_t{1});
    if (!listener)
        std::fprintf(stderr, "net_load: %s: %s\n", url.c_str(), listener.error().text.c_str());
    if (::write(tell, &port, sizeof port) == sizeof port && port != 0)
        loop.run();
    std::_Exit(1);
}

}  // namespace

ServerProcess::ServerProcess(const ServerOptions& options) {
    if (options.transport == Transport::local)
        path_ = options.folder + (options.kind == Kind::ours ? "/ours" : "/plain") + ".sock";
    int told[2];
    if (::pipe(told) != 0)
        give_up("no pipe");
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent)
            std::_Exit(1);
        start_anew(options, path_, told[1]);
    }
    ::close(told[1]);
    const bool heard = ::read(told[0], &port_, sizeof port_) == sizeof port_ && port_ != 0;
    ::close(told[0]);
    if (!heard)
        give_up("a server did not start: " + std::string(transport_name(options.transport)));
}

void ServerProcess::serve(char** arguments) {
    const ServerOptions options{static_cast<Kind>(std::stoi(arguments[0])),
                                static_cast<Transport>(std::stoi(arguments[1])), arguments[2]};
    const int tell = std::stoi(arguments[4]);
    if (options.kind == Kind::ours)
        serve_ours(options, arguments[3], tell);
    serve_plain(options, arguments[3], tell);
}

ServerProcess::~ServerProcess() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    if (!path_.empty())
        ::unlink(path_.c_str());
}

std::size_t ServerProcess::memory() const {
    std::ifstream in("/proc/" + std::to_string(pid_) + "/statm");
    std::size_t size = 0, resident = 0, shared = 0;
    in >> size >> resident >> shared;
    return (resident - shared) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t ServerProcess::time() const {
    std::ifstream in("/proc/" + std::to_string(pid_) + "/schedstat");
    std::uint64_t nanoseconds = 0;
    in >> nanoseconds;
    return nanoseconds;
}

}  // namespace gdvar::load
