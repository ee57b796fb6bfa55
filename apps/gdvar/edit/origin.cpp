#include "edit/origin.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <random>
#include <span>
#include <vector>

#include "base/siphash.hpp"
#include "gdvar/base/quote.hpp"

namespace gdvar::app {
namespace {

constexpr char first_line[] = "gdvar edit 1";
constexpr std::size_t word_digits = 16;

std::string word_in_hex(std::uint64_t word) {
    std::array<char, word_digits> digits{};
    const char* end = std::to_chars(digits.data(), digits.data() + word_digits, word, 16).ptr;
    const std::string out(static_cast<const char*>(digits.data()), end);
    return std::string(word_digits - out.size(), '0') + out;
}

std::uint64_t word_of(std::string_view digits) {
    std::uint64_t out = 0;
    (void)std::from_chars(digits.data(), digits.data() + digits.size(), out, 16);
    return out;
}

std::uint64_t random_word() {
    std::random_device random;
    return std::uint64_t{random()} << 32 | random();
}

/// Fills `to`, but at the end of the source.
std::expected<std::size_t, FileError> fill(Source& source, std::span<std::byte> to) {
    std::size_t done = 0;
    while (done < to.size()) {
        const auto got = source.read(to.subspan(done));
        if (!got)
            return std::unexpected(got.error());
        if (!*got)
            break;
        done += *got;
    }
    return done;
}

}  // namespace

std::expected<std::string, FileError> hash_of(const std::string& file, std::string_view like) {
    const bool given = like.size() >= 2 * word_digits;
    const gdvar::detail::SipKey key =
        given ? gdvar::detail::SipKey{word_of(like.substr(0, word_digits)),
                                      word_of(like.substr(word_digits, word_digits))}
              : gdvar::detail::SipKey{random_word(), random_word()};
    auto source = FileSource::open(file);
    if (!source)
        return std::unexpected(source.error());
    gdvar::detail::Sip<2, 4> hash(key);
    std::vector<std::byte> block(1 << 16);
    for (std::uint64_t size = 0;;) {
        const auto got = fill(*source, block);
        if (!got)
            return std::unexpected(got.error());
        size += *got;
        if (*got == block.size()) {
            for (std::size_t at = 0; at < block.size(); at += 8)
                hash.word(gdvar::detail::load<std::uint64_t>(block.data() + at));
            continue;
        }
        hash.text(gdvar::detail::as_text(block.data(), *got), static_cast<std::uint8_t>(size));
        const gdvar::detail::Digest digest = hash.finish_twice();
        return word_in_hex(key.low) + word_in_hex(key.high) + word_in_hex(digest.low) +
               word_in_hex(digest.high);
    }
}

std::string Origin::text() const {
    return std::string(first_line) + "\n" + hash + "\n" + path + "\n" + form + "\n" + dialect +
           "\n";
}

std::expected<Origin, std::string> Origin::of_text(std::string_view text) {
    std::array<std::string, 5> lines;
    for (std::string& line : lines) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (lines[0] != first_line)
        return std::unexpected("what stands beside the text was made by another version of gdvar");
    return Origin{lines[1], lines[2], lines[3], lines[4]};
}

std::string Origin::differs_from(const Origin& now) const {
    if (hash != now.hash)
        return "the save has changed since this text was made";
    if (path != now.path)
        return path == quote("") ? "this text is of the whole save, so no PATH stands there"
                                 : "this text is of the PATH " + path;
    if (form != now.form)
        return "this text is in the form " + form + ", and now it would be " + now.form;
    if (dialect != now.dialect)
        return "this text is of the dialect " + dialect + ", and the save is read as " +
               now.dialect;
    return {};
}

}  // namespace gdvar::app
