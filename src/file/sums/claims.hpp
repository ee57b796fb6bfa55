// Numbers and texts as sizes and checksums of data beside them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "file/sums/summed_data.hpp"
#include "gdvar/file/sums.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/frame.hpp"

namespace gdvar::sums {

/// Smaller numbers are seldom sizes.
inline constexpr std::uint64_t least_number = 16;
/// So long a text may be: SHA-256 in hex, and white space.
inline constexpr std::size_t longest_text = 80;

/// How a sum is spelled, so that another one can be spelled alike.
struct Spelling {
    enum Form : std::uint8_t { integer, real, decimal, digits, raw } form = integer;
    DigitForm digit_form{};  ///< of `digits`
    bool negative = false;   ///< a CRC-32 as a signed number
    std::size_t width = 0;   ///< bytes of a `raw` or hex number (0: a digest); padded `decimal`
    char pad = '0';          ///< of a padded `decimal`: a zero, or a space before or behind it
    bool behind = false;
    ByteOrder order = ByteOrder::little;
};

/// One thing that a number or a text may be.
struct Claim {
    Sum sum;
    Spelling spelling;
};

/// All that a value may be. None for most.
std::vector<Claim> claims_of(const View& value);
/// The same of a text, and of the last bytes of a head.
std::vector<Claim> claims_of_text(std::string_view text);

/// A number as it stands there: a negative CRC-32 with its sign.
std::int64_t spelled_number(const Sum& sum, const Spelling& spelling) noexcept;
/// A sum in that spelling: as a value of the type that the old one has, and as its bytes.
std::optional<Variant> spelled(const Sum& sum, const Spelling& spelling, Type type);
std::string spelled_text(const Sum& sum, const Spelling& spelling);

/// Values beside data, each with its claims and those of them that were found to be true.
class Claimants {
public:
    struct Fit {
        std::string of;
        std::optional<Sum> now;  ///< none: the data has nothing of the kind any more
        std::size_t claim;
        bool digits;  ///< it is the length of a text of digits, which nobody needs to know
        bool size;    ///< it is a size, which a number may be by chance
    };
    /// Adds claims. Returns the number of the claimant.
    std::size_t add(std::vector<Claim> claims);
    bool empty() const noexcept { return all_.empty(); }
    /// Compares them with data as it was and as it is. `name`: what messages call it. `digests`:
    /// whether it may be hashed.
    using Name = std::function<std::string()>;
    void compare(const Name& name, SummedData& before, SummedData& after, bool digests);

    const Claim& claim(std::size_t claimant, std::size_t number) const {
        return all_[claimant].claims[number];
    }
    /// The fits of a claimant that is wrong now; none if nothing makes it so. The length of a text
    /// of hex or Base64 is left out where anything else fits.
    const std::vector<Fit>* stale(std::size_t claimant);
    /// Whether anything fits so far.
    bool any_fits() const noexcept;
    /// The sum that a stale one has to be, if that is certain: all that fits says the same, and
    /// there is one number for a size.
    std::optional<Sum> only(const std::vector<Fit>& fits) const;
    /// Names what it is a sum of. `certain`: whether `only` has one; if not, the reason stands with
    /// it.
    std::string words(const std::vector<Fit>& fits, bool certain) const;
    /// The finding. `now`: the result of `only`.
    StaleSum in_words(std::string path, std::size_t claimant, const std::vector<Fit>& fits,
                      const std::optional<Sum>& now) const;

private:
    struct Claimant {
        std::vector<Claim> claims;
        std::vector<Fit> fits;
    };
    enum class Of : std::uint8_t { digest, size, size_of_digits };
    void fit(const Sum& was, const std::optional<Sum>& now, const Name& of, Of what);
    void compare_level(const Name& name, std::size_t level, SummedData& before, SummedData& after,
                       bool digests);

    std::vector<Claimant> all_;
    std::multimap<std::string, std::pair<std::size_t, std::size_t>> by_sum_;
    std::map<std::string, std::size_t> sizes_;  ///< how many fit a size, by its name
    bool has_[std::size(digest_kinds)]{};       ///< whether one may be such a digest
};

}  // namespace gdvar::sums
