// A whole save: opened whatever it is wrapped in, read and changed by path, written back as it was.
// Room: file.
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/file/layer.hpp"
#include "gdvar/file/save_document.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/save/atomic_file.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar {

struct SaveOptions {
    /// For encrypted saves (key_from_password, key_from_bytes). The save keeps a copy.
    std::optional<ContainerKey> key{};
    /// Null: guessed from the values.
    const Dialect* dialect = nullptr;
    /// What stands inside the layers; unknown: what `recognise` finds first.
    InputKind as = InputKind::unknown;
    /// Bytes of the file before the save. They stay as they are.
    std::uint64_t skip = 0;
    bool allow_objects = false;
    bool strict = false;
    std::uint8_t real_width = 4;  ///< bytes of a Float field in the page-* dialects
    /// The most that any layer may say it holds, and that the save takes in memory.
    std::uint64_t max_bytes = 256u << 20;
    /// Whether others have to wait with their changes until this one is saved or gone. Without, `save`
    /// refuses when another program has changed the file since it was opened.
    bool lock = true;
    std::chrono::milliseconds lock_wait = default_lock_wait;
};

/// A save in memory. Paths are those of `parse_save_path`: `$.hp`, `#0 $.players[3]`,
/// `application/config/name`. Where there is one value only, or the path has no number, the first is
/// meant if there is no other.
class SaveFile {
public:
    SaveFile(SaveFile&& other) noexcept;
    SaveFile& operator=(SaveFile&& other) noexcept;
    ~SaveFile();

    /// From the outermost in. Borrowed from the save, as all that these return.
    const std::vector<Layer>& layers() const noexcept;
    const DocumentKind& kind() const noexcept;
    const Dialect& dialect() const noexcept;
    /// The values, as packets; each valid until it is changed.
    const std::vector<SaveItem>& items() const noexcept;

    /// What stands at the path: a View that is valid until the next change.
    /// Errors: bad_path, missing_key (no such setting; no number, where there are several values),
    /// index_out_of_range (no such record), those of `Document::parse` and `lookup`.
    [[nodiscard]] std::expected<Found, Error> find(std::string_view path);
    /// The same as a Variant, or as whatever a View gives. Errors: as `find`; those of View::get.
    template <class T = Variant>
    [[nodiscard]] std::expected<T, Error> get(std::string_view path) {
        auto found = find(path);
        if (!found) return std::unexpected(found.error());
        return found->template get<T>();
    }

    /// Puts a value at the path: only its bytes change. It takes the type of what stands there,
    /// where it fits; another type, a key, property or setting that is not there, and a whole new
    /// record have to be asked for with `rules` (SetRules::type, ::create), `[+]` appends. A
    /// setting that is not there is added at the end. What was put in, and with it the save,
    /// decodes strictly, as far as it did before. Errors: as `find`; those of `plan_set`
    /// (missing_key, wrong_type, ...; `plan` has them in words), `check_value`, `set_value` and
    /// `check_edited`.
    [[nodiscard]] std::expected<void, Error> set(std::string_view path, const Variant& value,
                                                 const SetRules& rules = {});
    /// What `set` would put there, or what it refuses, in words: where, why and what word is
    /// missing. Changes nothing. Valid until the next change.
    [[nodiscard]] std::expected<SetPlan, SetRefusal> plan(std::string_view path,
                                                          const Variant& value,
                                                          const SetRules& rules = {});
    /// Takes out what stands at the path, as `erase_value` does; a setting as a whole, too. Errors:
    /// as `find`; those of `erase_value` and `check_edited`.
    [[nodiscard]] std::expected<void, Error> erase(std::string_view path);

    /// Whether there is anything to save.
    bool changed() const noexcept;
    /// The file's bytes as `save` would write them. What is encrypted as in Godot 4 gets a fresh IV.
    /// Errors: bad_key, too_large, no_memory.
    [[nodiscard]] std::expected<std::vector<std::byte>, Error> bytes() const;
    /// Writes the file back, in the same layers and order, atomically; a file without changes is not
    /// touched. `backup`: keeps the old file under that name when not empty. May be called again after
    /// further changes. Errors: those of `bytes` and AtomicFile (io ESTALE: another program has changed
    /// the file; EBADF: the save was read from memory).
    [[nodiscard]] std::expected<void, Error> save(const std::string& backup = {});

private:
    friend std::expected<SaveFile, Error> open_save(const std::string& path, SaveOptions options);
    friend std::expected<SaveFile, Error> read_save(ByteView bytes, SaveOptions options);
    struct State;
    explicit SaveFile(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

/// Opens a save. With `lock` it waits for other programs that have locked the file; one that may not
/// be written is opened without, for reading. Memory: a small constant times what the save holds.
/// Errors: io (ENOTSUP for what is no regular file, EWOULDBLOCK, ...), not_recognised, bad_key (an
/// encrypted save without a key), bad_checksum (another key, or damaged), size_limit, those of the
/// layers and the document, no_memory. Offsets are places in what the innermost layer holds.
[[nodiscard]] std::expected<SaveFile, Error> open_save(const std::string& path, SaveOptions options = {});
/// The same for a file's bytes, which are not needed afterwards: for where there are no files. Takes
/// no lock. Errors: as open_save, but no io.
[[nodiscard]] std::expected<SaveFile, Error> read_save(ByteView bytes, SaveOptions options = {});

}  // namespace gdvar
