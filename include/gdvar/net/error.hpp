// NetError: why a connection failed.
#pragma once

#include <string>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

/// An error of a connection. The code `ok`: no error, as after a regular close.
struct NetError {
    /// The code. docs/networking.md lists those of connections.
    Errc code = Errc::ok;
    /// The error's number from the system or the transport's library: for `io` errno or a number of
    /// getaddrinfo. 0: none. It is for logs; gdvar does not evaluate it.
    int system = 0;
    /// The error of a refused packet; its code is also `code`. Its code is `ok` if the error is not
    /// about a packet's bytes.
    Error packet{};
    /// For people: the meaning, or the system's own message. May change.
    std::string text{};
};

}  // namespace net
}  // namespace gdvar
