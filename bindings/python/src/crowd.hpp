// Detects keys that a peer chose to make a dict or set slow. Python's hashes of numbers and tuples
// are no secret: a packet may hold as many different keys of one hash as it has room for, and each
// of them is compared with all before it.
#pragma once

#include <cstdint>
#include <vector>

namespace gdvar_py {

/// Simulates where a dict or set puts its keys, by their hashes, and detects too many collisions.
/// The rules are those of CPython's tables (Objects/dictobject.c, setobject.c).
class Crowd {
public:
    enum class Of : std::uint8_t { dict, set };
    /// So many keys may have one hash; smaller sets take no time worth watching.
    static constexpr std::size_t most_equal = 64;

    explicit Crowd(Of of) noexcept : of_(of) {}
    /// Adds a new key. False: more than `most_equal` have this hash, or the keys so far took many
    /// more steps than by chance. Throws bad_alloc.
    bool add(std::uint64_t hash);

private:
    /// Never an object's hash.
    static constexpr std::uint64_t empty = ~std::uint64_t{0};

    bool is_full() const noexcept;
    void grow();
    /// Puts a key into the table. Returns the number of keys with its hash on the way.
    std::size_t place(std::uint64_t hash) noexcept;

    Of of_;
    std::vector<std::uint64_t> hashes_;  ///< in the order of the keys
    std::vector<std::uint64_t> table_;
    std::uint64_t steps_ = 0, equal_ = 0;
};

}  // namespace gdvar_py
