// A save, or a value in it, that a person edits as text.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edit/edit_text.hpp"
#include "input/input.hpp"
#include "output/packet_output.hpp"

namespace gdvar::app {

/// The values of a file as one text, and the file with the changes that were made in it.
class EditedSave {
public:
    /// `input` is borrowed. `max_bytes`: the most bytes of values that are edited.
    EditedSave(Input& input, const EditForm& form, std::optional<std::uint64_t> max_bytes);

    /// Reads the value at the path, or everything if the path is empty, and makes its text. Returns
    /// an exit code, after a message.
    int open(const std::string& path);
    /// The form may be another one than was asked for: one that expresses all values.
    const EditForm& form() const noexcept { return form_; }
    const std::string& text() const noexcept { return text_; }
    /// The most bytes that an edited text may have.
    std::size_t most_text() const noexcept;
    const std::string& name() const noexcept { return input_.name(); }

    /// Takes the edited text. Returns what is wrong with it, in lines of a message; nothing if it
    /// is good. `name`: of its file.
    std::vector<std::string> take(std::string_view text, const std::string& name);
    /// Whether the last text that was taken changes anything.
    bool changed() const;
    /// The changes, as `gdvar diff` prints them: the first 100 lines, or all.
    std::vector<std::string> changes(bool all) const;
    /// Writes the file with the changes. Returns an exit code; after a success it has said what was
    /// written.
    int write(PacketOutput& out);

private:
    /// A record, a setting, or the only value.
    struct Old {
        std::size_t number;
        std::string label, key;
        std::vector<std::byte> packet;
    };
    /// A packet of the changed file.
    struct Made {
        std::optional<std::size_t> of;  ///< which of `old_` it was
        std::string key;
        std::vector<std::byte> packet;
    };

    int collect();
    int too_large(std::uint64_t bytes) const;
    int print();
    std::string comments() const;
    std::optional<EditedPlace> place_in(const Old& old, const View& root, std::string& why) const;
    std::optional<std::size_t> old_of(const EditedValue& value) const;
    std::vector<std::string> make(std::vector<EditedValue>&& values);
    void list_changes(std::vector<std::string>& out) const;
    bool reordered() const;

    Input& input_;
    EditForm form_;
    const EncodeOptions how_;
    const std::uint64_t most_;
    Contents contents_ = Contents::value;
    std::optional<SavePath> place_;                ///< where; none: everything
    std::vector<Old> old_;                         ///< what is edited
    std::map<std::string, std::size_t> settings_;  ///< by name: which of `old_`
    std::vector<Made> made_;
    std::string text_;
};

}  // namespace gdvar::app
