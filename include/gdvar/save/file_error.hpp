// FileError: why a file, or a stream of bytes, could not be read or written.
#pragma once

#include <string>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {

/// Why a file or a stream of bytes was refused. Trivially copyable. An Error converts implicitly to
/// a FileError, so that one function can pass on both.
struct FileError {
    Errc code = Errc::ok;
    /// `io` only: the system's own number (errno); 0 if it gave none.
    int system = 0;
    /// The refusal, with the same code. `offset` is a byte of the file or stream, `need` the number
    /// of missing bytes.
    Error error{};

    constexpr FileError() = default;
    constexpr FileError(const Error& what) noexcept : code(what.code), error(what) {}
    /// An `io` error with the system's number.
    static constexpr FileError io(int number) noexcept {
        FileError out(Error{Errc::io});
        out.system = number;
        return out;
    }

    friend constexpr bool operator==(const FileError&, const FileError&) = default;
};

/// The message, without the file's name: "error[io]: No such file or directory", or that of the
/// Error.
std::string to_string(const FileError& error);

}  // namespace gdvar
