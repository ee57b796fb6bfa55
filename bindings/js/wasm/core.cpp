// What gdvar-core.wasm has in place of larger things.
#include <charconv>

#include "gdvar/save/file_error.hpp"
#include "shortest.hpp"

namespace {
template <class Real>
std::to_chars_result print(char* first, char* last, Real value) {
    char* at = first;
    if (__builtin_signbit(value) && at != last) {
        *at++ = '-';
        value = -value;
    }
    at = gdvar::wasm::print_shortest(at, last, value);
    return at ? std::to_chars_result{at, std::errc{}}
              : std::to_chars_result{last, std::errc::value_too_large};
}
}  // namespace

/// libc++'s own bring 11 kB of tables. Floats that are not finite have words of gdvar's own.
_LIBCPP_BEGIN_NAMESPACE_STD
to_chars_result to_chars(char* first, char* last, double value) {
    return print(first, last, value);
}
to_chars_result to_chars(char* first, char* last, float value) {
    return print(first, last, value);
}
_LIBCPP_END_NAMESPACE_STD

/// There are no files, so no texts for errors of the system either.
std::string gdvar::to_string(const FileError& error) {
    return to_string(error.error);
}
