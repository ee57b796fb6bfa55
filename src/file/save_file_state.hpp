// The state of a SaveFile. Its functions are in save_file.cpp (opening, looking),
// save_file_change.cpp, save_file_all.cpp (several values), save_file_undo.cpp and
// save_file_write.cpp.
#pragma once

#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "file/documents/loaded_document.hpp"
#include "file/kept_changes.hpp"
#include "gdvar/file/open_layers.hpp"
#include "gdvar/file/save_file.hpp"
#include "inspect/packet_edit.hpp"
#include "wire/refuse.hpp"

namespace gdvar {

struct SaveFile::State {
    std::string path;
    SaveOptions options;
    FileStamp stamp;
    std::optional<EditLock> lock;
    /// The layers with their sources, from which `write_layers` copies what stays.
    OpenLayers opened;
    const DocumentKind* kind = nullptr;
    const Dialect* dialect = &dialects::godot_4_4;
    std::vector<std::byte> head;             ///< the bytes that `skip` passes over
    std::vector<std::byte> behind;           ///< bytes behind the last record, too few for another
    std::vector<std::byte> content;          ///< of the innermost layer, as it was read
    std::unique_ptr<SaveDocument> document;  ///< in `content`
    std::vector<SaveItem> items;             ///< in `document`, or in `made`
    /// A packet, and what is known of it.
    struct Held {
        std::vector<std::byte> own{};        ///< empty: it stands in `content`
        std::optional<Document> document{};  ///< once it was asked for
        std::optional<bool> sound{};         ///< decodes strictly
    };
    /// Packets that were read, and packets and names that came after, by where they begin.
    std::map<const void*, Held> held;
    bool changed = false;
    /// The document with its changes, as it is written.
    struct Shown {
        std::vector<std::byte> content;
        std::unique_ptr<SaveDocument> document;  ///< for those who ask for places in it
    };
    std::optional<Shown> shown;
    /// The document as it was saved last; none: as it was read.
    std::optional<std::vector<std::byte>> saved;
    /// The changes that can be taken back; none: they are not kept.
    std::optional<KeptChanges> kept_changes;

    bool allow_objects() const { return options.allow_objects || kind->made; }
    DecodeOptions decoding() const {
        return {.dialect = dialect,
                .allow_objects = allow_objects(),
                .strict = options.strict,
                .real_width = options.real_width};
    }
    std::expected<void, FileError> take_lock();
    std::expected<void, FileError> open();
    std::expected<void, FileError> open(std::unique_ptr<Source> file);
    /// As `open`, but `items` stays empty.
    std::expected<void, FileError> load(std::unique_ptr<Source> file);
    std::expected<void, FileError> read();
    std::optional<FileError> broken_text();
    FileError no_document();
    std::expected<std::size_t, Error> index_of(const SavePath& at) const {
        return item_at(items, at);
    }
    std::expected<std::size_t, Error> index_of(std::int64_t number, bool past_end = false) const {
        return item_at(items, number, past_end);
    }
    std::expected<void, DocumentError> check_item(std::size_t index, const SaveItem& item) const;
    std::expected<void, DocumentError> check(std::span<const SaveItem> all) const;
    std::expected<const Document*, Error> parsed(std::size_t index);
    ByteView keep(ByteView bytes);
    void forget(const void* begin);
    EncodeOptions encoding() const { return encoding(*dialect); }
    EncodeOptions encoding(const Dialect& to) const {
        return {.dialect = &to, .allow_objects = allow_objects(), .real_width = options.real_width};
    }
    /// The place of a new value; `index` is none for a new setting.
    struct Planned {
        SavePath at;
        std::optional<std::size_t> index;
        inspect::SetPlan plan;
    };
    std::expected<Planned, inspect::SetRefusal> plan(std::string_view where, const Variant& value,
                                                     inspect::SetRules rules);
    /// The document with these values. None where it is not written until it is asked for.
    using Written = std::expected<std::optional<Shown>, Error>;
    using Change = std::function<void(std::vector<SaveItem>&)>;
    Written checked(const Change& change) const;
    std::expected<void, Error> put(std::size_t index, ByteView packet);
    std::expected<void, Error> make(std::size_t index, const inspect::PacketEdit& edit,
                                    const Path& at);
    bool make_in_place(std::size_t index, const inspect::PacketEdit& edit, const Path& at);
    bool overwrite(Held& of, const inspect::PacketEdit& edit);
    bool is_sound(std::size_t index);
    /// Values from number `begin` to before `end`.
    struct Range {
        std::size_t begin, end;
    };
    /// Those that a path names, all if it has "#*". Errors: as `index_of`.
    std::expected<Range, Error> range_of(const SavePath& at) const;
    std::string label(std::size_t index) const;
    std::expected<std::size_t, Error> find_each(const SavePath& at,
                                                const std::function<bool(const SaveMatch&)>& use);
    std::expected<SavePath, inspect::SetRefusal> place_to_change(std::string_view where) const;
    struct Replaced {
        std::size_t index;
        ByteView packet;
    };
    std::expected<void, Error> put_all(std::span<const Replaced> changes);
    std::expected<void, Error> put_and_keep(std::span<const Replaced> changes);
    std::expected<void, Error> exchange(std::size_t first, std::size_t count,
                                        std::span<const SaveItem> with);
    std::expected<void, Error> exchange_and_keep(std::size_t first, std::size_t count,
                                                 std::span<const SaveItem> with);
    KeptChange note(std::span<const Replaced> changes) const;
    KeptChange note(std::size_t index, const inspect::PacketEdit& edit) const;
    KeptChange note(std::size_t first, std::size_t count, std::span<const SaveItem> with) const;
    std::expected<void, Error> go(bool back);
    std::expected<inspect::EditCounts, inspect::SetRefusal> change_all(
        const SavePath& at, std::string_view where,
        const std::function<std::expected<inspect::EditedAll, inspect::SetRefusal>(ByteView)>&
            change);
    std::expected<void, Error> add(const SavePath& at, const Variant& value);
    static void lock_for_change(State& save);
    /// Null unless a file was opened: WebAssembly, which has no files, then links no clocks.
    void (*before_change)(State& save) = nullptr;
    void mark_changed(std::optional<Shown> now = {}) {
        if (!changed && before_change)
            before_change(*this);
        changed = true;
        shown = std::move(now);
    }
    void mark_saved() noexcept {
        changed = false;
        if (kept_changes)
            kept_changes->mark_saved();
    }
    std::expected<ByteView, FileError> shown_content();
    std::expected<const SaveDocument*, FileError> shown_document();
    std::expected<std::vector<std::byte>, FileError> inner(SumsKept* sums) const;
    void begin(SumsKept* sums) const;
    KeptItems with_sums(std::vector<SaveItem> with, const EncodeOptions& how, SumsKept* sums) const;
    std::expected<std::vector<std::byte>, FileError> as_came() const;
    std::expected<void, FileError> write_head(Target& target, Source& rest, SumsKept* sums) const;
    bool is_as_before(ByteView inner) const;
    std::expected<void, FileError> write_to(Target& target, ByteView inner,
                                            std::span<const Layer> layers, const OpenLayers* before,
                                            SumsKept* sums) const;
    using Converted = std::expected<std::vector<std::byte>, DocumentError>;
    Converted converted_text(const Dialect& to, const inspect::Renames& renames,
                             inspect::ConversionReport& report) const;
    Converted converted_items(const Dialect& to, const inspect::Renames& renames,
                              inspect::ConversionReport& report, SumsKept* sums) const;
    /// `mended`: gets the file's bytes if sums are mended in them.
    std::expected<void, FileError> write(const std::string& backup, SumsKept* sums,
                                         std::vector<std::byte>& mended);
    std::unique_ptr<State> looked_at_again(std::vector<std::byte> written) const;
    /// Whether the save may change at all.
    std::expected<void, Error> writable() const {
        return has_archive(opened.layers)
                   ? std::unexpected(Error{Errc::misplaced}.about_reason(
                         "the save is a file in a pack or in a browser's export: these are only "
                         "read"))
                   : std::expected<void, Error>();
    }
};

}  // namespace gdvar
