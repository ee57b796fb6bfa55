// A text that a person edits in an editor of their own.
#pragma once

#include <expected>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/child.hpp"
#include "gdvar/save/source.hpp"

namespace gdvar::app {

/// The user's editor, as a line of the shell: $VISUAL, else $EDITOR, else one that is installed.
/// Empty if there is none.
std::string users_editor();

/// The origin of a text in an editor, so that a later command can take it up again. Stands in a
/// file beside the text. Each part is one line, as `quote` makes them.
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

/// A hash of a file's bytes (SHA-256). Errors: those of `digest_of`.
std::expected<std::string, FileError> hash_of(const std::string& file);

/// A text in a file that nobody else can read, in a folder of its own. The file goes with this
/// object, unless it is kept.
class EditedFile {
public:
    /// Makes the file in platform::private_folder(). `name`: of the file that is edited; its last
    /// part stands in the new one's name, before `suffix`. Errors: a message.
    static std::expected<EditedFile, std::string> make(const std::string& name, const char* suffix,
                                                       std::string_view text, const Origin& origin);
    /// Takes over a text that an earlier edit has left, at `path`. It stays where it is unless
    /// `release` is called. Errors: a message.
    static std::expected<EditedFile, std::string> take_over(const std::string& path);
    EditedFile(EditedFile&& other) noexcept;
    EditedFile& operator=(EditedFile&&) = delete;
    ~EditedFile();

    const std::string& path() const noexcept { return path_; }
    /// The last part of the path.
    std::string name() const { return path_.substr(folder_.size() + 1); }
    /// Contents of the file now, up to `most` bytes. Errors: a message.
    std::expected<std::string, std::string> read(std::size_t most) const;
    /// Leaves the file where it is. Returns a sentence that names it. If the editor has removed it,
    /// the folder goes as well, unless something else is left in it.
    std::string keep();
    /// The origin of the text. Errors: a message.
    std::expected<Origin, std::string> origin() const;
    /// The file goes with this object, as one that `make` made.
    void release() noexcept { kept_ = false; }
    /// Whether there is a text that `keep` has left.
    bool is_kept() const noexcept { return kept_; }

private:
    EditedFile() = default;
    std::string origin_path() const;
    std::string folder_, path_;
    platform::Descriptor held_;  ///< shows others that the folder is in use
    bool kept_ = false;
};

/// The texts that earlier edits of this user have left where `EditedFile::make` puts a new one:
/// kept on purpose, or because the command was killed. Those that are being edited are not among
/// them.
std::vector<std::string> left_texts();

/// A question to the person at the terminal. `answers`: words whose first letters differ; an answer
/// is the word or that letter, in capitals too, and nothing else. Asks until one comes. Returns the
/// letter, 0 at the end of the input, or a signal's number in `signal`.
char ask(platform::HeldSignals& signals, const std::string& question,
         std::initializer_list<std::string_view> answers, int& signal);

}  // namespace gdvar::app
