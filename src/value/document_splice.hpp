// Changes a Document along with the bytes that it shows, without reading all of them again.
// Room: value, private.
#pragma once

#include <cstdint>
#include <optional>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/value/document.hpp"

namespace gdvar::detail {

/// A change of a packet at one place, as a change of nodes. Make one, have it `reserve`, change the
/// bytes, then `apply` it: only `reserve` can fail.
struct GDVAR_EXPORT DocumentSplice {
    static constexpr std::uint32_t nowhere = UINT32_MAX;

    std::uint32_t first = 0, gone = 0;  ///< nodes that go
    std::uint32_t around = nowhere;     ///< the container whose count changes
    std::int32_t count = 0;             ///< by so much
    std::size_t at = 0, size = 0;       ///< bytes that go
    /// The new parts, each read by itself: a value, or a key and its value.
    Document made[2]{};
    std::size_t made_at[2]{};  ///< where they begin, from `at` on
    std::uint32_t parts = 0;   ///< how many of both there are

    /// Another value in place of `old`.
    static DocumentSplice replacing(const View& old) noexcept;
    /// A value goes, with its key or name if it has one. Nothing if the key is no text or int.
    static std::optional<DocumentSplice> erasing(const View& container, const View& value) noexcept;
    /// A value comes behind the last one of a Dictionary or an Array.
    static std::optional<DocumentSplice> adding(const View& container) noexcept;

    /// Reads what comes. False if it is no packet that ends with its bytes.
    [[nodiscard]] bool take(ByteView value, std::size_t begin, const DecodeOptions& how) noexcept;
    /// Has the memory that `apply` needs. All Views end.
    [[nodiscard]] bool reserve(Document& document) const noexcept;
    /// The bytes have changed, and stand at `bytes` now.
    void apply(Document& document, const std::byte* bytes, std::size_t come) const noexcept;

    /// The same bytes stand at another place in memory now.
    static void move_to(Document& document, const std::byte* bytes) noexcept;
    /// Where the pair or property of a value begins: with its key or name. Nothing as for
    /// `erasing`.
    static std::optional<std::size_t> begin_of(const View& container, const View& value) noexcept;
    /// Whether the node holds a copy of components, which other bytes would make stale.
    static bool is_copied(const View& view) noexcept {
        return (view.node().flags & Node::copied) != 0;
    }

private:
    std::uint32_t come() const noexcept;
    void shift(Arena& arena, std::size_t bytes) const noexcept;
    void put(Arena& arena) const noexcept;
};

}  // namespace gdvar::detail
