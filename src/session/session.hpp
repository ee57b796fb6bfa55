// A save that is looked at and changed, without any terminal or page.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gdvar/file/save_file.hpp"
#include "session/documents.hpp"
#include "session/history.hpp"
#include "session/search.hpp"
#include "session/tree.hpp"

namespace gdvar::session {

/// The outcome of a change.
struct Outcome {
    bool done = false;
    std::string message{};  ///< what was done, or why not; a question if `allowed` is set
    /// The rules with which the change would be made. The user decides.
    std::optional<inspect::SetRules> allowed{};
};

/// How a save came here.
struct Origin {
    std::string name{};       ///< of the file; "-": standard input
    std::string stack{};      ///< "gdec-4 > records, godot-4.4"
    std::string read_only{};  ///< why nothing may be changed; empty: it may
    std::string broken{};     ///< where and why the file ends too early; empty: it is whole
    bool has_offsets = true;  ///< the values stand in the file's content as they are
};

/// A save with its rows, its cursor and its changes. Every change follows the rules of SaveFile and
/// can be taken back.
class Session {
public:
    Session(SaveFile save, Origin origin, const DecodeOptions& decoding);

    const Origin& origin() const noexcept { return origin_; }
    const SaveFile& save() const noexcept { return save_; }
    const History& history() const noexcept { return history_; }
    Tree& tree() noexcept { return tree_; }
    const Tree& tree() const noexcept { return tree_; }
    /// The row that is selected; none if the save has no values.
    Tree::Row cursor() const noexcept { return cursor_; }
    void select(Tree::Row row) { cursor_ = row ? row : cursor_; }
    /// The row at that path, with what is around it opened.
    std::expected<Tree::Row, std::string> go_to(std::string_view text);
    /// Whether the row's value is one of those in which the file breaks off.
    bool is_cut(Tree::Row row) const;
    /// Marks the value that leads to this path as far as it is there, and all around it.
    void mark_cut(std::string_view path);
    /// Whether the row, or something in it, is not as it was saved.
    bool is_changed(Tree::Row row) const {
        return !history_.marks().empty() && history_.marks().has(tree_.ordinals(row));
    }
    /// Whether it is known where the values stand in the content of the file: no longer once
    /// something has changed.
    bool knows_offsets() const noexcept { return origin_.has_offsets && !ever_changed_; }
    const DecodeOptions& decoding() const noexcept { return documents_.decoding(); }
    /// The bytes of the packet that the row is in.
    ByteView packet_of(Tree::Row row) const { return save_.items()[tree_.ordinals(row)[0]].packet; }

    /// The value as it is edited: in gdvar's own text form. Nothing for a value of more than 64 KiB
    /// of text.
    std::optional<std::string> text_of(Tree::Row row) const;
    /// Puts the value that the text is.
    Outcome set(Tree::Row row, std::string_view text, const inspect::SetRules& rules = {});
    /// The key that `add` takes for the container, if any.
    enum class Takes : std::uint8_t { nothing, key, name, no_key };
    /// Where the row itself is meant (`inside`), or what the row is in.
    Takes takes(Tree::Row row, bool inside) const;
    /// Adds a pair, a property, an element, a record or a setting: in the row's value at the end
    /// (`inside`), else behind the row, pairs and properties at the end of what it is in. A key is
    /// Godot text; one that is none is taken as a String.
    Outcome add(Tree::Row row, bool inside, std::string_view key, std::string_view text);
    Outcome erase(Tree::Row row);
    /// The key as it is edited; nothing if the row has none.
    std::optional<std::string> key_of(Tree::Row row) const;
    Outcome rename(Tree::Row row, std::string_view key);
    Outcome undo();
    Outcome redo();

    bool changed() const noexcept { return history_.changed(); }
    /// Writes the file. `backup`: as in SaveFile::save.
    std::expected<void, FileError> write(const std::string& backup);
    /// Writes all to another file, which is replaced if `replace` allows it.
    std::expected<void, FileError> write_to(const std::string& file);

    /// Sums in the last written file that the changes made wrong.
    const std::vector<StaleSum>& stale_sums() const noexcept { return sums_.stale; }

    /// A search that `Search::step` carries on.
    Search search(std::string text, bool backwards, const Ordinals& from, bool here);
    /// Selects what a search has found.
    void select_place(const Ordinals& place) { select(tree_.reveal(place)); }
    /// Frees what was read and is not needed. Call it when no Entry is in use.
    void rest() { documents_.trim(); }

private:
    std::string path_to(Tree::Row row);
    std::expected<Variant, std::string> parse(std::string_view text) const;
    std::optional<Outcome> refused(Tree::Row row) const;
    std::expected<std::string, std::string> step_to(const View& container,
                                                    std::string_view key) const;
    std::uint64_t begin_change(std::size_t number);
    Outcome keep(const std::expected<void, Error>& done, std::uint64_t before, std::string what,
                 Ordinals where, int shift);
    Outcome put(const std::string& path, const Variant& value, const inspect::SetRules& rules,
                Ordinals where, int shift);
    Outcome add_record(std::size_t number, const Variant& value);
    std::expected<void, Error> move_last(const Ordinals& where);
    Outcome add_setting(std::string_view name, const Variant& value);
    Outcome again(const Step* step, bool undo);

    SaveFile save_;
    SumsKept sums_;
    Origin origin_;
    Documents documents_;
    Tree tree_;
    History history_;
    Tree::Row cursor_;
    bool ever_changed_ = false;
    Ordinals cut_;  ///< the innermost value in which the file breaks off
};

}  // namespace gdvar::session
