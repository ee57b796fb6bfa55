// A whole save: opened in any layers, read and changed by path, written back in the same layers.
// Room: file.
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/file/layer.hpp"
#include "gdvar/file/open_layers.hpp"
#include "gdvar/file/save_document.hpp"
#include "gdvar/file/sums.hpp"
#include "gdvar/inspect/convert.hpp"
#include "gdvar/inspect/edit_all.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/save/atomic_file.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar GDVAR_EXPORT {

/// Where a value stands in what the innermost layer holds (`SaveFile::content`), in bytes.
struct ContentPlace {
    std::uint64_t begin = 0, end = 0;
    /// In a text: the key of its pair, or the name of its setting, as it is written. Both 0: there
    /// is none, or it is not known.
    std::uint64_t key_begin = 0, key_end = 0;
};

/// A place in a save's packets.
struct PacketPlace {
    std::size_t index = 0;     ///< of the value: SaveFile::items
    std::uint64_t offset = 0;  ///< in its packet
};

/// A value that `SaveFile::find_each` found. All members are valid only during the call.
struct SaveMatch {
    std::size_t index;      ///< of the value in which it stands: SaveFile::items
    std::string_view path;  ///< of it alone: "#0 $.players[3].hp", "input/jump $.deadzone"
    const inspect::Found& value;
};

class Recovery;

/// A save in memory. Fewer than 8 bytes after the last record are not a record: they stay as they
/// are, but `strict` refuses them. Paths are those of `parse_save_path`: `$.hp`, `#0 $.players[3]`,
/// `application/config/name`. A path without a number means the only value; if there are several,
/// the path is refused (missing_key).
class SaveFile {
public:
    SaveFile(SaveFile&& other) noexcept;
    SaveFile& operator=(SaveFile&& other) noexcept;
    ~SaveFile();

    /// The layers, from the outermost inwards. The results of these functions are borrowed from the
    /// SaveFile, and valid until a `save` that mends sums.
    const std::vector<Layer>& layers() const noexcept;
    const DocumentKind& kind() const noexcept;
    const Dialect& dialect() const noexcept;
    /// Why each layer and each document is what it is, and what it is not, in the order of the
    /// stack: `OpenLayers::findings`.
    const std::vector<Finding>& findings() const noexcept;
    /// The whole stack in words, as `stack_in_words`: "gdec-3 > gzip > godot-3.1 records".
    std::string stack() const;
    /// How the values are read. Objects are allowed where the packets are made
    /// (`DocumentKind::made`), besides `SaveOptions::allow_objects`.
    DecodeOptions decoding() const noexcept;
    /// Whether it is a file in a pack or in a browser's export, which is only read.
    bool only_read() const noexcept;
    /// The values as packets. Each is valid until it is changed.
    const std::vector<SaveItem>& items() const noexcept;
    /// Whether all of the save is sound, as `gdvar check` tells it by its exit code: each value is
    /// read to its end, as `decoding` says, and nothing stands behind a value, the last record or a
    /// layer. Opening a save does not ask for this, and what stands behind is kept when it is
    /// saved. Time: linear in the values. Errors, of the first value that is not sound: those of
    /// `validate`; trailing_bytes.
    [[nodiscard]] std::expected<void, DocumentError> check() const;

    /// The value at the path: a View that is valid until the next change. Errors: bad_path;
    /// missing_key (no such setting; no number, although there are several values);
    /// index_out_of_range (no such record); those of `Document::parse` and `lookup`.
    [[nodiscard]] std::expected<inspect::Found, Error> find(std::string_view path);
    /// The value at the path as a Variant, or as any type that View::get gives. Errors: as `find`;
    /// those of View::get.
    template <class T = Variant>
    [[nodiscard]] std::expected<T, Error> get(std::string_view path) {
        auto found = find(path);
        if (!found)
            return std::unexpected(found.error());
        return found->template get<T>();
    }

    /// Gives all values that a path leads to, which may have `[*]`, `..` and the like
    /// (`inspect::lookup_each`), to `use`, with their own paths, until `use` returns false. In a
    /// save of several records, a path without a number means all of them, as "#*" does. Returns
    /// how many it gave. Time: as lookup_each, for each record. Errors: as `find`; those of
    /// lookup_each, if it refuses the path in every record.
    [[nodiscard]] std::expected<std::size_t, Error> find_each(
        std::string_view path, const std::function<bool(const SaveMatch&)>& use);

    /// Puts a value at the path: only the bytes of that value change. The value takes the type of
    /// the old one if it fits that. `rules` must allow anything else: another type or a whole new
    /// record (SetRules::type), a key, property or setting that is not there yet
    /// (SetRules::create). `[+]` appends to an Array. The new value must decode strictly, and so
    /// must the save if it did before. Errors: as `find`; those of `plan_set` (missing_key,
    /// wrong_type, ...; `plan` gives them in words), `check_value`, `set_value` and `check_edited`.
    [[nodiscard]] std::expected<void, Error> set(std::string_view path, const Variant& value,
                                                 const inspect::SetRules& rules = {});
    /// The effect of `set`, or the reason of its refusal, in words: where, why, and which rule is
    /// missing. Changes nothing. The result is valid until the next change.
    [[nodiscard]] std::expected<inspect::SetPlan, inspect::SetRefusal> plan(
        std::string_view path, const Variant& value, const inspect::SetRules& rules = {});
    /// Removes the value at the path, as `erase_value` does; the path may also be a whole setting.
    /// Errors: as `find`; those of `erase_value` and `check_edited`.
    [[nodiscard]] std::expected<void, Error> erase(std::string_view path);
    /// Sets all values that a path leads to, each as `set` does, or none (`inspect::set_all`). Of
    /// several records a path must name one ("#2"), or all ("#*"). `rules.create` has no effect.
    /// Errors, with the path of the first value that is refused: those of `set` and
    /// `inspect::set_all`; as `find_each`, if nothing is there.
    [[nodiscard]] std::expected<inspect::EditCounts, inspect::SetRefusal> set_all(
        std::string_view path, const Variant& value, const inspect::SetRules& rules = {});
    /// Removes all elements, pairs and properties that a path leads to, or none
    /// (`inspect::erase_all`); also a whole setting that it names. Errors: as `set_all`, and those
    /// of `erase`.
    [[nodiscard]] std::expected<inspect::EditCounts, inspect::SetRefusal> erase_all(
        std::string_view path);
    /// Gives the pair or property at the path another key, as `rename_key` does. The key must
    /// decode strictly, and so must the save if it did before. Errors: as `find`; those of
    /// `rename_key`, `check_value` and `check_edited`.
    [[nodiscard]] std::expected<void, Error> rename(std::string_view path, const Variant& key);

    /// Makes the packet a new record before record `number`; `items().size()` is behind the last
    /// one, and negative numbers count from the end, as in lists. All other records stay as they
    /// are. Errors: misplaced (the save is no row of records), index_out_of_range; those of
    /// `check_written` for the packet.
    [[nodiscard]] std::expected<void, Error> insert_item(std::int64_t number, ByteView packet);
    /// Makes the packet the whole value of that number: a record, a setting, or the only value. Its
    /// bytes are taken as they are, and no rules hold. Errors: as `insert_item`, without misplaced.
    [[nodiscard]] std::expected<void, Error> replace_item(std::int64_t number, ByteView packet);
    /// Removes the record or setting of that number. Errors: index_out_of_range; misplaced (a save
    /// without records would not be recognised as one); of a text also those of
    /// SaveDocument::write.
    [[nodiscard]] std::expected<void, Error> remove_item(std::int64_t number);
    /// Puts back values that this SaveFile has held before, to undo a change: `with` replaces the
    /// `count` values from number `first` on. No rules hold and nothing is checked, so that a value
    /// with quirks, which `replace_item` refuses, comes back as it was. All members of the items
    /// are taken as they are; keys and packets are copied. Errors: index_out_of_range; misplaced (a
    /// save of one value would hold another number of them); no_memory; of a text also those of
    /// SaveDocument::write, if it can't hold the values.
    [[nodiscard]] std::expected<void, Error> restore_items(std::size_t first, std::size_t count,
                                                           std::span<const SaveItem> with);

    /// Keeps all changes from now on, so that they can be taken back. `most_bytes`: memory for
    /// them. Beyond it the oldest are dropped; the newest one stays. Each call that changes
    /// something is one change, `set_all` too. A second call has no effect. May throw bad_alloc.
    void keep_changes(std::uint64_t most_bytes = std::uint64_t{64} << 20);
    /// How many changes were made since `keep_changes`, without those that were taken back. Dropped
    /// ones count: the difference of two numbers is what the calls between them have made.
    std::uint64_t change_count() const noexcept;
    /// How many changes `undo` and `redo` can take back, or make again.
    std::size_t undo_count() const noexcept;
    std::size_t redo_count() const noexcept;
    /// Takes the last change back, or makes the last one that was taken back again. Nothing is
    /// checked, and the save is as it was, to the last byte; `changed` is false if that is how it
    /// was read or saved last. A new change drops those that could be made again; a `save` that
    /// mends sums drops all. Time: linear in the values that change. Errors: misplaced (there is no
    /// such change); no_memory.
    [[nodiscard]] std::expected<void, Error> undo();
    [[nodiscard]] std::expected<void, Error> redo();

    /// The innermost layer's content, without bytes behind the last record: the document as it
    /// would be written now. Valid until the next change. It is written once after a change;
    /// `place` and those below it read a text that has changed again, which takes as long as
    /// opening it. Errors: those of SaveDocument::write.
    [[nodiscard]] std::expected<ByteView, FileError> content();
    /// Where the value stands that begins at `offset` of the packet of value `index`; 0: the whole
    /// value. In packets that is its bytes, header included. In a text it is its own text, for a
    /// part of a value that is written in one piece (`Vector2(1, 2)`) the whole of it; a section
    /// reaches from its first header to the end of its last pair. In documents that are neither
    /// (binary resources) all members are 0. Time: linear in the value's packet. Errors:
    /// index_out_of_range; those of `content` and `Document::parse`.
    [[nodiscard]] std::expected<ContentPlace, FileError> place(std::size_t index,
                                                               std::uint64_t offset = 0);
    /// The same of the value at a path. A path to a part of a value (`$.pos.x`, an element of a
    /// packed array) gives the place of the whole value. Errors: as `find` and `place`.
    [[nodiscard]] std::expected<ContentPlace, FileError> place(std::string_view path);
    /// The owner of the byte at `offset` of `content`: a place in the bytes of the innermost
    /// value around it. A frame belongs to its packet; in a text, keys belong to their values,
    /// headers to their sections, and bytes between values to the value around them. Time:
    /// linear in the content. Errors: index_out_of_range (behind the content, or there are no
    /// values); as `place`.
    [[nodiscard]] std::expected<PacketPlace, FileError> value_at(std::uint64_t offset);
    /// The path of that innermost value: `find` and `place` take it. A byte of a key, also of one
    /// that is a container, gives the path of its value. If keys are equal, the path of an earlier
    /// one leads to the last. Time: as `value_at`, and linear in the value's packet.
    /// Errors: as `value_at`; those of `Document::parse`.
    [[nodiscard]] std::expected<std::string, FileError> path_at(std::uint64_t offset);

    /// Whether there are changes that have not been saved.
    bool changed() const noexcept;
    /// The file's bytes as `save` would write them. Encryption as in Godot 4 uses a new IV each
    /// time. A save that was read from memory and has not changed gives the bytes that came.
    /// `sums`: gets the sizes and checksums beside the changes that are wrong now, and says whether
    /// they are mended in the result (StaleSum); this SaveFile stays as it is. Null: nobody asks.
    /// Errors: bad_key, too_large, no_memory.
    [[nodiscard]] std::expected<std::vector<std::byte>, FileError> bytes(
        SumsKept* sums = nullptr) const;
    /// The file's bytes for the engines of another dialect, changes included. Records, settings and
    /// packets are converted one by one (`inspect::convert`, `inspect::make_strict`); a text keeps
    /// its comments and layout (`SaveDocument::convert`). The layers become those that the target's
    /// engines read (`convert_layers`), or are `layers`, if that is not null, encrypted with the
    /// key of this save. A save that `check` refuses is refused. Losses and renames go to `report`,
    /// paths with the value's number or name; whoever must not lose anything drops the result if
    /// there are any. `sums`: as for `bytes`. This SaveFile stays as it is. Errors: those of
    /// `check`, `inspect::convert`, `make_strict` and SaveDocument::convert, of SaveDocument and of
    /// `bytes`.
    [[nodiscard]] std::expected<std::vector<std::byte>, DocumentError> convert(
        const Dialect& to, const inspect::Renames& renames, inspect::ConversionReport& report,
        const std::vector<Layer>* layers = nullptr, SumsKept* sums = nullptr) const;
    /// Writes the file back atomically, in the same layers and order. A file without changes is not
    /// touched. `backup`: the name under which the old file is kept; empty: no backup. `sums`: as
    /// for `bytes`; sums that were mended stand in this SaveFile, too, and all that was borrowed
    /// from it is no longer valid. May be called again after further changes. Errors: those of
    /// `bytes` and AtomicFile (io ESTALE: another program has changed the file; EBADF: the save was
    /// read from memory).
    [[nodiscard]] std::expected<void, FileError> save(const std::string& backup = {},
                                                      SumsKept* sums = nullptr);

private:
    friend std::expected<SaveFile, FileError> open_save(const std::string& path,
                                                        SaveOptions options);
    friend std::expected<SaveFile, FileError> read_save(ByteView bytes, SaveOptions options);
    friend class Recovery;  // keeps what was read
    struct State;
    explicit SaveFile(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

/// Opens a save. With `lock` it waits for other programs that have locked the file; one that may
/// not be written is opened for reading, without a lock. Memory: a small constant times what the
/// save holds. Errors: io (ENOTSUP for anything but a regular file, EAGAIN, ...),
/// not_recognised, bad_key (an encrypted save without a key), bad_checksum (another key, or
/// damaged), size_limit, those of the layers and the document, no_memory. A text that begins as a
/// document, and is none, is refused for what is wrong in it. Offsets, and lines of texts, are
/// places in what the innermost layer holds.
[[nodiscard]] std::expected<SaveFile, FileError> open_save(const std::string& path,
                                                           SaveOptions options = {});
/// Opens a save from bytes in memory, which are copied once. Takes no lock. Errors: as open_save,
/// but no io.
[[nodiscard]] std::expected<SaveFile, FileError> read_save(ByteView bytes,
                                                           SaveOptions options = {});

}  // namespace gdvar
