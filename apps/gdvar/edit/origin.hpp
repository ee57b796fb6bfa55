// The origin of a text in an editor, so that a later command can take it up again.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "gdvar/save/source.hpp"

namespace gdvar::app {

/// Stands in a file beside the text. Each part is one line, as `quote` makes them.
struct Origin {
    std::string hash;     ///< of the save's bytes; not quoted
    std::string path;     ///< the value that is edited; "": everything
    std::string form;     ///< the text's
    std::string dialect;  ///< the save's

    /// The lines of its file, and back. Errors: a message.
    std::string text() const;
    static std::expected<Origin, std::string> of_text(std::string_view text);
    /// Why a text of this origin can't be taken up for `now`. Empty if it can.
    std::string differs_from(const Origin& now) const;
};

/// A hash of a file's bytes, under a random key that stands in it. `like`: an earlier one, whose
/// key is taken. Errors: io.
std::expected<std::string, FileError> hash_of(const std::string& file, std::string_view like = {});

}  // namespace gdvar::app
