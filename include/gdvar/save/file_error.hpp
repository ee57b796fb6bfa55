// FileError: why a file, or a stream of bytes, could not be read or written.
#pragma once

#include <cstdint>
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
    /// Where `offset` stands in a text, both from 1, as in TextError; 0: what was refused is no
    /// text.
    std::uint32_t line = 0, column = 0;

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
/// Error; of a text with line and column in front, "3:14: error[bad_syntax]: ...".
std::string to_string(const FileError& error);

}  // namespace gdvar
