// The tags and assignments of ConfigFiles and text resources, one by one, as the engines scan them
// (wire-format 9.1).
#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <new>
#include <string>
#include <string_view>

#include "base/exceptions.hpp"
#include "gdvar/file/sections.hpp"
#include "gdvar/text/parse.hpp"
#include "text/rules.hpp"
#include "value/text_fault.hpp"

namespace gdvar::detail {

/// A stretch of the text.
struct TextSpan {
    std::uint32_t begin = 0, end = 0;
};

/// Every member that returns bool returns false with `fault` set. May throw bad_alloc.
class SectionScanner {
public:
    SectionScanner(std::string_view text, const SectionsOptions& options);

    enum class Item : std::uint8_t {
        end,
        tag,   ///< `[` comes next: go on with `section_name` or `tag_name`
        pair,  ///< `key` has been read: go on with `value`
    };
    /// Notes of `next` on text that is no part of a row.
    static constexpr std::string_view glued = "text without '=' becomes a part of the next key";
    static constexpr std::string_view skipped = "engines skip text without '='";
    static constexpr std::string_view marked = "engines take the byte order mark for text";
    /// Notes of the reader of ConfigFiles on rows without an effect.
    static constexpr std::string_view nameless =
        "a header without a name does not end the section above";
    static constexpr std::string_view keyless = "engines skip a value without a key";
    static constexpr std::string_view dropped =
        "engines drop a key with null, and its earlier values";
    /// Finds the next assignment or tag. Text between them is a part of the next key.
    bool next(Item& item);
    /// Finds the next tag, before which only white space and comments may stand.
    bool next_tag(Item& item);

    /// Reads a ConfigFile's header, from `[` to `]`.
    bool section_name(std::string& name);
    /// Reads `[` and the name of a tag. `field` reads the rest.
    bool tag_name(std::string& name);
    /// Reads `key=` of an attribute, with its name in `key`; or the tag's `]`, and sets `done`.
    bool field(bool& done);

    /// Reads the value behind `=`, inside of so many containers. Its nodes are added to `nodes`;
    /// the first one has the span of the key.
    bool value(Variant& to, std::uint32_t depth);

    /// The scanner's place in the text.
    std::size_t position() const noexcept { return at_; }
    /// Goes back to the begin of a tag.
    void seek(std::size_t position) noexcept { at_ = position; }
    /// The key of the last pair or field.
    const std::string& key() const noexcept { return key_; }
    TextSpan key_span() const noexcept { return key_span_; }
    /// The last header or tag, from `[` to behind `]`.
    TextSpan header() const noexcept { return header_; }
    /// Behind the name of the last tag.
    std::uint32_t name_end() const noexcept { return name_end_; }
    const TextRules& rules() const noexcept { return rules_; }
    const SectionsOptions& options() const noexcept { return options_; }

    bool fail(Errc code, std::size_t offset, std::string_view detail, Type type = Type::nil) {
        fault = {code, offset, detail, type};
        return false;
    }
    void note(std::size_t offset, std::string_view what) const {
        if (options_.note)
            (*options_.note)(offset, what);
    }

    Outline nodes;  ///< of all values, in the order of the text; they are the roots of their trees
    TextFault fault;

private:
    int peek() const noexcept {
        return at_ < text_.size() ? static_cast<unsigned char>(text_[at_]) : -1;
    }
    /// NUL, too, and the end.
    bool is_blank(int c) const noexcept {
        return c <= 0 || rules_.blanks.has(static_cast<char>(c));
    }
    TextSpan span(std::size_t begin, std::size_t end) const noexcept {
        return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    }
    void skip_comment() noexcept;
    bool quoted_key();
    ParseOptions parsing(std::uint32_t depth);

    std::string_view text_;
    const SectionsOptions& options_;
    const TextRules& rules_;
    TextLoss loss_;  ///< the notes of the value that begins at `at_`
    std::size_t at_ = 0;
    std::string key_;
    TextSpan key_span_, header_;
    std::uint32_t name_end_ = 0;
    bool naming_ = false;  ///< the tag's name may go on
};

/// Reads a text with a Reader of its kind. Errors: those of `read_config`.
template <class Reader>
std::expected<SectionsText, TextError> read_whole(std::string_view text,
                                                  const SectionsOptions& options) GDVAR_TRY {
    // The outline has positions of 32 bits.
    if (text.size() > std::min<std::uint64_t>(options.limits.max_bytes, UINT32_MAX))
        return std::unexpected(TextError{.code = Errc::size_limit});
    Reader reader(text, options);
    if (!reader.run())
        return std::unexpected(reader.error());
    return reader.result();
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(TextError{.code = Errc::no_memory}))

}  // namespace gdvar::detail
