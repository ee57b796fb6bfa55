// What differs between two values, as a list of changes that can be applied.
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

#include "gdvar/inspect/children.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar {

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

/// One difference, as `each_difference` finds it. All of it is valid during the call alone.
struct Difference {
    enum Kind : std::uint8_t {
        set,
        insert,
        remove,
        order,    ///< as in Change
        encoding  ///< the same value in other bytes: wider, with other padding
    };
    Kind kind = set;
    std::span<const detail::Child> at;  ///< steps from the root in, as in Change
    std::string_view path;              ///< the same as text: `$.players[3].hp`
    View before;                        ///< leads nowhere for insert
    View after;                         ///< leads nowhere for remove
};

struct DiffOptions {
    bool encodings = false;  ///< also tell of values that are the same in other bytes
};

/// Gives what must change to make `to` out of `from`, the identical one (NaNs, widths of math values and types
/// included), to `use`, one at a time, until it returns false. Values are compared, not their bytes. Elements of Arrays
/// are aligned: what is the same in both stays, what stands between is changed in place, inserted and removed.
/// Dictionaries go by key; those that hold a key twice are replaced whole. Returns how many it gave.
/// Iterative. Time: n log n (and up to 512 steps for each element of an Array). Memory: at most 10 times the bytes of
/// both, beside their Documents, and the path. Errors: no_memory; a lost View's.
[[nodiscard]] std::expected<std::size_t, Error> each_difference(
    const View& from, const View& to, const DiffOptions& options,
    const std::function<bool(const Difference&)>& use);

/// The difference, which is no encoding, as a change that can be kept.
Change change_of(const Difference& difference);

/// All of them as changes. Each repeats the path to its container, which may be long: where paths
/// and values come to more than `max_bytes`, or without it to 8 MB and to 50 times the bytes of
/// both, size_limit. Whoever needs more takes `each_difference`. Memory: at most 16 times that.
/// Errors: those of `each_difference`, size_limit.
[[nodiscard]] std::expected<Patch, Error> diff(const View& from, const View& to,
                                               std::optional<std::uint64_t> max_bytes = {});

/// Makes the changes, in order. Time: n log n. Errors: bad_path (a step that leads nowhere, an index that is not there,
/// an order of other keys; offset: the number of the change), no_memory; `value` is then as it was, unless memory gave
/// out.
[[nodiscard]] std::expected<void, Error> apply_patch(Variant& value, const Patch& patch);

struct PatchError {
    static constexpr std::size_t in_packet = SIZE_MAX;
    Error error;
    std::size_t change = in_packet;  ///< the number of the change that does not fit
};

/// Bytes that are the same before and after: a packet's place of them, and the changed packet's.
struct KeptBytes {
    std::uint64_t before, after, size;
};

/// The packet with the changes made in it, in order: one pass over the bytes, in which all that no
/// change touches stays as it is, odd bytes too. Time: n log n. Memory: the packet's Document and
/// result, and at most 8 times the bytes of the containers that something is put into or taken
/// from, or lies in, and 500 bytes for each of them. `kept`, where it is given: what was copied from the packet, in order, a few for each
/// change. It makes whatever the patch says; whether engines take that, `check_written` and
/// `check_edited` tell (inspect/written.hpp). Errors: of the packet, those of `read`; of a change,
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

}  // namespace gdvar
