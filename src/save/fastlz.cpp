#include "save/fastlz.hpp"

#include <algorithm>
#include <array>

namespace gdvar::save {
namespace {

constexpr std::size_t far_distance = 8191;  ///< the largest that 13 bits hold
constexpr std::size_t most_literals = 32, least_match = 3, most_match = 264;

/// Reads the instructions byte by byte. A read past the end gives 0 and sets a flag.
class Instructions {
public:
    explicit Instructions(ByteView bytes) noexcept : rest_(bytes) {}
    bool more() const noexcept { return !rest_.empty(); }
    bool ran_out() const noexcept { return ran_out_; }
    unsigned next() noexcept {
        if (rest_.empty()) {
            ran_out_ = true;
            return 0;
        }
        const auto byte = static_cast<unsigned>(rest_[0]);
        rest_ = rest_.subspan(1);
        return byte;
    }
    ByteView take(std::size_t n) noexcept {
        if (rest_.size() < n) {
            ran_out_ = true;
            return {};
        }
        const ByteView taken = rest_.first(n);
        rest_ = rest_.subspan(n);
        return taken;
    }

private:
    ByteView rest_;
    bool ran_out_ = false;
};

struct Copy {
    std::size_t length, distance;
};

Copy read_copy(unsigned first, bool second_level, Instructions& in) noexcept {
    std::size_t length = (first >> 5) + 2;
    std::size_t distance = (first & 31u) << 8;
    if (first >> 5 == 7) {
        unsigned more = in.next();
        length += more;
        while (second_level && more == 255 && !in.ran_out())
            length += more = in.next();
    }
    distance |= in.next();
    if (second_level && distance == far_distance) {
        distance += in.next() << 8;
        distance += in.next();
    }
    return {length, distance + 1};
}

std::uint32_t three_bytes(const std::byte* at) noexcept {
    return static_cast<std::uint32_t>(at[0]) | static_cast<std::uint32_t>(at[1]) << 8 |
           static_cast<std::uint32_t>(at[2]) << 16;
}

void put_literals(ByteView bytes, std::vector<std::byte>& to) {
    while (!bytes.empty()) {
        const std::size_t n = std::min(bytes.size(), most_literals);
        to.push_back(static_cast<std::byte>(n - 1));
        to.insert(to.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
        bytes = bytes.subspan(n);
    }
}

void put_copy(Copy copy, std::vector<std::byte>& to) {
    const std::size_t distance = copy.distance - 1;
    const std::size_t length = std::min<std::size_t>(copy.length - 2, 7);
    to.push_back(static_cast<std::byte>(length << 5 | distance >> 8));
    if (length == 7)
        to.push_back(static_cast<std::byte>(copy.length - 9));
    to.push_back(static_cast<std::byte>(distance & 255));
}

}  // namespace

std::expected<std::size_t, Errc> fastlz_decode(ByteView from, std::span<std::byte> to,
                                               FastlzBreak* before) noexcept {
    std::size_t done = 0;
    const auto fail = [&](Errc code, bool cut = false) {
        if (before)
            *before = {done, cut};
        return std::unexpected(code);
    };
    if (from.empty() || static_cast<unsigned>(from[0]) >> 5 > 1)
        return fail(Errc::bad_block, from.empty());
    const bool second_level = static_cast<unsigned>(from[0]) >> 5 == 1;
    Instructions in(from);
    unsigned instruction = in.next() & 31u;
    for (;;) {
        if (instruction < 32) {
            const ByteView literals = in.take(instruction + 1);
            if (in.ran_out())
                return fail(Errc::bad_block, true);
            if (literals.size() > to.size() - done)
                return fail(Errc::size_limit);
            std::memcpy(to.data() + done, literals.data(), literals.size());
            done += literals.size();
        } else {
            const Copy copy = read_copy(instruction, second_level, in);
            if (in.ran_out() || copy.distance > done)
                return fail(Errc::bad_block, in.ran_out());
            if (copy.length > to.size() - done)
                return fail(Errc::size_limit);
            // Byte by byte, because a copy may overlap its own output.
            for (std::size_t i = 0; i < copy.length; ++i, ++done)
                to[done] = to[done - copy.distance];
        }
        if (!in.more())
            return done;
        instruction = in.next();
    }
}

void fastlz_encode(ByteView from, std::vector<std::byte>& to) {
    // The last position of each hash of three bytes, plus one. No match reaches the last bytes, so
    // that the stream ends with literals, as all decoders expect.
    constexpr std::size_t tail = 12;
    std::array<std::uint32_t, 1 << 13> positions{};
    const std::byte* data = from.data();
    const std::size_t end = from.size() > tail ? from.size() - tail : 0;
    std::size_t at = 1, pending = 0;  // the first instruction must be literals
    while (at + least_match <= end) {
        const std::uint32_t here = three_bytes(data + at);
        std::uint32_t& position = positions[here * 2654435769u >> 19];
        const std::size_t earlier = position;
        position = static_cast<std::uint32_t>(at + 1);
        const std::size_t distance = at + 1 - earlier;
        if (!earlier || distance > far_distance || three_bytes(data + earlier - 1) != here) {
            ++at;
            continue;
        }
        std::size_t length = least_match;
        const std::size_t most = std::min(most_match, end - at);
        while (length < most && data[at + length] == data[at + length - distance])
            ++length;
        put_literals(from.subspan(pending, at - pending), to);
        put_copy({length, distance}, to);
        at += length;
        pending = at;
    }
    put_literals(from.subspan(pending), to);
}

}  // namespace gdvar::save
