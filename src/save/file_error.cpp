#include "gdvar/save/file_error.hpp"

#include <system_error>

namespace gdvar {

std::string to_string(const FileError& error) {
    if (error.line)
        return std::to_string(error.line) + ':' + std::to_string(error.column) + ": " +
               to_string(error.error);
    if (error.error.code != Errc::io || error.system == 0)
        return to_string(error.error);
    return "error[io]: " + std::generic_category().message(error.system);
}

}  // namespace gdvar
