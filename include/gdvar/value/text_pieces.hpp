// Printing in pieces, so that a long text is never in memory as a whole.
// Room: value.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gdvar {

/// Takes what a printer has printed so far, piece by piece and in order; a piece is valid during the
/// call. Pieces are of some 64 KiB, whatever the value.
using TextPieces = std::function<void(std::string_view piece)>;

namespace detail {

/// The end of a text that is being printed.
class PieceOutput {
public:
    explicit PieceOutput(const TextPieces* to) : to_(to) {}
    std::string& text() noexcept { return text_; }
    /// Between any two appended things.
    void check() {
        if (to_ && text_.size() >= size)
            flush();
    }
    void flush() {
        if (!to_ || text_.empty())
            return;
        (*to_)(text_);
        text_.clear();
    }
    /// Calls `append(part)` with parts of a text that end between two characters.
    template <class Append>
    void in_parts(std::string_view text, Append&& append) {
        while (to_ && text.size() > size) {
            std::size_t n = size;
            // More than three continuation bytes in a row are no character.
            for (int i = 0; i < 3 && (static_cast<unsigned char>(text[n]) & 0xC0) == 0x80; ++i)
                --n;
            append(text.substr(0, n));
            text.remove_prefix(n);
            check();
        }
        append(text);
    }

    static constexpr std::size_t size = std::size_t{1} << 16;

private:
    const TextPieces* to_;
    std::string text_;
};

/// How far a line is indented: nesting beyond 64 columns adds none, or the output would grow with
/// the square of the depth.
constexpr std::size_t columns(std::size_t depth, int indent) noexcept {
    const std::size_t wanted = depth * static_cast<std::size_t>(indent);
    return wanted < 64 ? wanted : 64;
}

}  // namespace detail
}  // namespace gdvar
