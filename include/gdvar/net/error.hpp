// NetError: why a connection failed.
// Room: net.
#pragma once

#include <string>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

/// An error of a connection. `ok` as its code: no error, as when a connection was closed in good
/// order.
struct NetError {
    /// The code. docs/networking.md lists those of connections.
    Errc code = Errc::ok;
    /// The number that the system, or the library of the transport, gave the error: for `io` errno
    /// or a number of getaddrinfo. 0: none. It is for logs; gdvar makes no decision by it.
    int system = 0;
    /// The error of a packet that was refused; its code is also `code`. Its code is `ok` if the
    /// error is not about a packet's bytes.
    Error packet{};
    /// For people: the meaning, or the system's own message. May change.
    std::string text{};
};

}  // namespace net
}  // namespace gdvar
