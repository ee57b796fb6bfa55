// Broken ConfigFiles and text resources: rows that can't be read are left out, all others stay byte
// for byte.
// Room: file, private.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "file/recovery/mend_value.hpp"
#include "file/sections/section_scanner.hpp"
#include "gdvar/file/recover.hpp"

namespace gdvar::recovering {

/// A text that was put together from parts of another one.
class PatchedText {
public:
    explicit PatchedText(std::string_view from) : from_(from) {}
    void copy(std::size_t begin, std::size_t end);
    /// Adds what does not stand there, in place of what begins at `origin`.
    void add(std::string_view text, std::size_t origin);
    const std::string& text() const noexcept { return text_; }
    std::string take() { return std::move(text_); }
    /// The place in the original of one in `text`. Time: log n.
    std::size_t original(std::size_t at) const noexcept;

private:
    struct Part {
        std::size_t at, origin;
        bool copied;
    };
    std::string_view from_;
    std::string text_;
    std::vector<Part> parts_;
};

struct MendedSections {
    PatchedText text;
    std::vector<LostRange> lost;  ///< in their order; `line` is not set
    std::size_t kept = 0;         ///< bytes of rows that stay
    std::size_t pairs = 0, headers = 0;
    bool begins_well = false;  ///< the first row that is no comment was sound
    bool gave_up = false;
    bool lacks_resource = false;  ///< `[resource]` was added at the end
};

struct SectionsMending {
    bool resource = false;  ///< tags and properties; else a ConfigFile
    TextFamily family = newest_text_family;
    bool partial = true;  ///< keep containers up to their break
    Limits limits = Limits::engine();
};

/// Keeps each header or tag and each assignment that can be read by itself, with the comments
/// between them. Behind what can't be read, it goes on at the next line that begins with a header
/// or with `key=`. A broken container is kept up to its break.
///
/// Keys of a ConfigFile behind a broken header, whose section nobody knows, come into a section
/// `recovered-LINE`; properties behind a broken tag are lost. Required attributes are not checked.
///
/// Time: linear; reading on behind breaks ends (`gave_up`) where it would take longer. Throws
/// bad_alloc.
MendedSections mend_sections(std::string_view text, const SectionsMending& how);

/// Leaves out of a text of sound rows the tags and properties that an engine would refuse:
/// references to what is lost, tags without what they need; `lost` has them then. Adds `[resource]`
/// where the text ends before it. Nothing if there is nothing left that an engine could load.
std::optional<std::string> mend_resource(MendedSections& sections, const SectionsMending& how);

}  // namespace gdvar::recovering
