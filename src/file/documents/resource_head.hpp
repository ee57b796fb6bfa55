// The front of a binary resource, before its values: header, names, tables.
// Room: file, private. Rules: wire-format 8.2.
#pragma once

#include <string>
#include <vector>

#include "file/documents/resource_bytes.hpp"

namespace gdvar::detail {

/// Texts are borrowed from the bytes.
struct ResourceHead {
    struct External {
        std::string_view type, path;
        std::int64_t uid = -1;
    };
    struct Internal {
        std::string_view path;
        std::uint64_t offset = 0;

        /// The path without "local://".
        std::string_view id() const noexcept {
            constexpr std::string_view scheme = "local://";
            return path.substr(path.starts_with(scheme) ? scheme.size() : 0);
        }
    };

    std::uint32_t major = 0, minor = 0, format = 0, flags = 0;
    bool big = false;
    std::string_view type{}, script_class{};
    std::int64_t uid = -1;        ///< -1: none
    std::uint64_t import_at = 0;  ///< 0: there are none
    std::size_t end = 0;          ///< behind the tables
    std::vector<std::string_view> names{};
    std::vector<External> externals{};
    std::vector<Internal> internals{};  ///< the last one is the resource itself

    static constexpr std::uint32_t newest_format = 6;
    enum Flag : std::uint32_t {
        named_ids = 1,         ///< references to internal resources are places in the table
        uids = 2,              ///< external resources have a uid
        double_precision = 4,  ///< real_t has 64 bits
        has_script_class = 8
    };
    bool has(Flag flag) const noexcept { return flags & flag; }
    /// The number in a path `local://1`, which is what names the resource without `named_ids`.
    std::optional<std::int64_t> number_of(const Internal& one) const noexcept;
    /// Whether Godot 4 wrote the file. Pandemonium 4 and 5 kept format 3.
    bool godot_4() const noexcept { return format >= 4; }

    /// Reads it from the bytes behind the magic. False: `in` knows why. Throws std::bad_alloc.
    bool read(ResourceBytes& in);

private:
    bool read_versions(ResourceBytes& in);
    bool read_names(ResourceBytes& in);
    bool read_tables(ResourceBytes& in);
};

/// A uid as the engine writes it: "uid://b5x...".
std::string uid_text(std::int64_t uid);

}  // namespace gdvar::detail
