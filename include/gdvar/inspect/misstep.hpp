// Why a path leads nowhere, in words: which step fails, where, and what is there instead.
// Room: inspect.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/path.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// The first step of a path that leads nowhere.
struct Misstep {
    Error error{};          ///< that of `lookup`
    std::string at;         ///< the path up to there: "$.players[3]"
    std::string step;       ///< as it is printed: ".hpp", "[9]"
    bool several = false;   ///< it stands for several values: `[*]`, `[1:3]`, `..hp`
    bool last = false;      ///< it is the path's last step
    Type type = Type::nil;  ///< of what stands at `at`
    std::size_t size = 0;   ///< how many elements, pairs or properties that has
    std::string near{};     ///< the step (or two of them) that may have been meant, or empty
};

/// The first step below `root` that leads nowhere. Nothing if the path leads to a value, or if
/// out of memory. Paths are those of `lookup`. `near` is searched for among the first 10,000 keys.
std::optional<Misstep> first_misstep(const View& root, std::string_view path);
std::optional<Misstep> first_misstep(const View& root, const Path& path);

/// The failure in words, without the place: "no .hpp (did you mean .hp?)", "no [9]: 8 elements, [0]
/// to [7]", "an int has no [3]". Where brackets are meant, the whole path in the quotes of a shell:
/// "no .hp (did you mean '$[\"\"].hp'?)".
std::string to_string(const Misstep& misstep);

/// The message of an error without the `error[code]: ` at its front.
std::string message_without_code(const Error& error);

}  // namespace inspect
}  // namespace gdvar

namespace gdvar GDVAR_EXPORT {
namespace detail {
/// "an int", "a Vector3", "null".
std::string with_article(Type type);
}  // namespace detail
}  // namespace gdvar
