// The servers that are measured, each in a process of its own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "gdvar/net/endpoint.hpp"

namespace gdvar::load {

using namespace net;

/// Ours decodes each message into a struct and answers with the struct; the plain one sends back
/// what came, over Asio, Beast or ENet alone.
enum class Kind : std::uint8_t { ours, plain };

struct ServerOptions {
    Kind kind;
    Transport transport;
    std::string folder;  ///< of Unix sockets, server.pem and server.key
};

/// Ends with its process when it goes.
class ServerProcess {
public:
    explicit ServerProcess(const ServerOptions& options);
    ~ServerProcess();
    ServerProcess(const ServerProcess&) = delete;
    /// The process's work, given the words behind `--serve`.
    [[noreturn]] static void serve(char** arguments);
    std::uint16_t port() const noexcept { return port_; }
    const std::string& path() const noexcept { return path_; }
    /// Resident memory, the program's own text excluded.
    std::size_t memory() const;
    /// Nanoseconds that it has been running.
    std::uint64_t time() const;

private:
    pid_t pid_;
    std::uint16_t port_ = 0;
    std::string path_;
};

/// A plain server that tells its port and serves until the process ends.
[[noreturn]] void serve_plain(const ServerOptions& options, const std::string& path, int tell);

}  // namespace gdvar::load
