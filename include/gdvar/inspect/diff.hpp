// The differences between two values, as a list of changes that can be applied.
// Room: inspect. The patch file: docs/patch.md.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// One change. `at` is where: keys of Dictionaries as they are, indices of Arrays as ints, names of
/// properties as Strings, from the root in. Indices are those at the time when all changes before
/// this one have been made.
struct Change {
    enum Kind : std::uint8_t {
        set,     ///< the value there becomes `value`
        insert,  ///< a new element before that index, or a new pair or property at the end
        remove,  ///< that element, pair or property goes
        order    ///< the pairs of the Dictionary there get the order of the keys in `value` (an
                 ///< Array)
    };
    Kind kind = set;
    Array at;
    Variant value;
};

using Patch = std::vector<Change>;

/// One difference, as `each_difference` gives it. All members are valid only during the call.
struct Difference {
    enum Kind : std::uint8_t {
        set,
        insert,
        remove,
        order,    ///< as in Change
        encoding  ///< the same value in other bytes: wider, with other padding
    };
    Kind kind = set;
    std::span<const detail::Child> at;  ///< steps from the root inwards, as in Change
    std::string_view path;              ///< the same as text: `$.players[3].hp`
    View before;                        ///< leads nowhere for insert
    View after;                         ///< leads nowhere for remove
    /// The container in `from` that has, had or gets the value. Leads nowhere at the root, and for
    /// encoding.
    View container;
};

/// Decides which differences count.
struct DiffOptions {
    bool encodings = false;  ///< also give equal values that have other bytes
};

/// Gives to `use`, one by one, the differences that turn `from` into a value identical to `to`
/// (NaNs, widths of math values and types included). Stops when `use` returns false. Returns how
/// many differences it gave. Compares values, not their bytes. Elements of Arrays are aligned:
/// elements that are in both stay; those between them are changed in place, inserted and removed.
/// Dictionaries are compared by key; one that holds a key twice is replaced whole. Iterative. Time:
/// n log n, and up to 512 steps for each element of an Array. Memory: the two Documents, the path,
/// and at most 10 times the bytes of both packets. Errors: no_memory; that of a lost View.
[[nodiscard]] std::expected<std::size_t, Error> each_difference(
    const View& from, const View& to, const DiffOptions& options,
    const std::function<bool(const Difference&)>& use);

/// The difference as a Change that can be kept. Its kind may not be `encoding`.
Change change_of(const Difference& difference);

/// The differences from `from` to `to` as changes. Each change holds the whole path to its
/// container, which may be long. `max_bytes` limits the bytes of all paths and values together;
/// beyond it the error is size_limit. Default limit: 8 MB, or 50 times the bytes of both packets if
/// that is more. For larger results use `each_difference`. Memory: at most 16 times the limit.
/// Errors: those of `each_difference`, size_limit.
[[nodiscard]] std::expected<Patch, Error> diff(const View& from, const View& to,
                                               std::optional<std::uint64_t> max_bytes = {});

/// Why a patch could not be applied. Trivially copyable.
struct PatchError {
    static constexpr std::size_t in_packet = SIZE_MAX;
    Errc code = Errc::ok;
    /// The number of the change that does not fit, from 0; `in_packet` if no change is to blame.
    std::size_t change = in_packet;
    /// The refused part, with the same code.
    Error error{};

    constexpr PatchError() = default;
    constexpr PatchError(const Error& what, std::size_t number = in_packet) noexcept
        : code(what.code), change(number), error(what) {}

    friend constexpr bool operator==(const PatchError&, const PatchError&) = default;
};

/// "change 3: error[bad_path]: Not a path, or a path that leads nowhere"
std::string to_string(const PatchError& error);

/// Makes the changes, in order. Time: n log n. Errors: bad_path with the number of the change (a
/// step that leads nowhere, an index that is not there, an order of other keys), no_memory. After
/// bad_path `value` is unchanged; after no_memory it may be changed in part.
[[nodiscard]] std::expected<void, PatchError> apply_patch(Variant& value, const Patch& patch);

/// A run of bytes that is in both packets: its offset in the original and in the changed packet,
/// and its size.
struct KeptBytes {
    std::uint64_t before, after, size;
};

/// Makes the changes, in order, in one pass over the packet. Returns the changed packet. All bytes
/// that no change touches stay as they are, unusual encodings included. Time: n log n. Memory: the
/// packet's Document and the result; at most 8 times the bytes of the containers that the changes
/// add to or remove from, and of those around them; and 500 bytes for each of these containers.
/// `kept`, if given, receives the runs that were copied from the packet, in order, a few for each
/// change. The result is not checked against what engines accept: use `check_written` and
/// `check_edited` (inspect/written.hpp). Errors: of the packet, those of `read`; of a change,
/// bad_path as in `apply_patch`; those of `encode`; no_memory.
[[nodiscard]] std::expected<PackedByteArray, PatchError> patch_packet(
    ByteView packet, const Patch& patch, const DecodeOptions& options = default_decode_options,
    std::vector<KeptBytes>* kept = nullptr);

/// A change as a Dictionary: `{"set": [path...], "value": ...}`, and back. Errors: bad_syntax.
Variant to_variant(const Change& change);
[[nodiscard]] std::expected<Change, Error> change_from(const Variant& value);

/// "set", "insert", "remove", "order"
std::string_view change_name(Change::Kind kind) noexcept;

/// "$.players[3].hp"
std::string path_text(const Array& at);

}  // namespace inspect
}  // namespace gdvar
