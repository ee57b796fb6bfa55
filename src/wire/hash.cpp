#include "gdvar/wire/hash.hpp"

#include "wire/key_hash.hpp"

namespace gdvar::detail {

std::uint64_t hash_text(std::string_view text) noexcept {
    return siphash<1, 3>(process_key(), text);
}

std::uint64_t hash_integer(std::int64_t value) noexcept {
    return KeyHash::of_integer(value);
}

std::uint64_t hash_math(const MathView& value) noexcept {
    KeyHash hash(value_key_rules);
    (void)hash.math(value);
    return hash.digest().low;
}

}  // namespace gdvar::detail
