// Shared by the functions on saves: their handle, options, layers by name.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common.hpp"
#include "gdvar/file/open_layers.hpp"
#include "gdvar/file/save_file.hpp"

namespace gdvar::c {

/// The last request to a save, if it was refused: the reason is worked out when it is asked for.
struct Refused {
    Error error{};  ///< ok: it was not refused
    std::string path{};
    std::optional<Variant> value{};  ///< that was to be put
    bool several = false;            ///< the path may lead to several values
    inspect::SetRules rules{};
    std::string why{};  ///< in words, if it was not the path or the place that was refused
    inspect::SetNeeds needs = inspect::SetNeeds::another_value;  ///< with `why`
    Type type = Type::nil;                                       ///< with SetNeeds::type
};

}  // namespace gdvar::c

struct gdvar_save {
    gdvar::SaveFile file;
    gdvar::c::Refused refused{};
    /// Findings of the last call that made the file's bytes, also one that leaves the save as it
    /// is.
    mutable gdvar::SumsKept sums{};
};

namespace gdvar::c {

/// The options of a save. They borrow nothing of the caller's.
std::expected<SaveOptions, Error> opening(const gdvar_save_options* options);

/// `call` of a `body` that takes these options.
template <class Body>
std::uint16_t call_opening(gdvar_error* error, gdvar_buffer* to, const char* why,
                           const gdvar_save_options* options, Body&& body) noexcept {
    return call(error, to, why, [&] {
        auto opened = opening(options);
        return opened ? body(*opened) : fail(error, opened.error());
    });
}

/// "base64 gdec-4": the outermost first.
std::string names_of(std::span<const Layer> layers);
std::expected<std::vector<Layer>, Error> layers_named(std::string_view names);

gdvar_kind give(const DocumentKind& kind) noexcept;
/// Appends a text to a buffer.
std::uint16_t give_text(gdvar_buffer* to, gdvar_error* error, std::string_view text);

}  // namespace gdvar::c
