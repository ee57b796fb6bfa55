// Results and arguments shared by functions on packets, texts and saves.
#pragma once

#include <deque>
#include <initializer_list>
#include <string>
#include <vector>

#include "common.hpp"

namespace gdvar_py {

// ---- results ----

/// The classes of gdvar.packets. Borrowed for the life of the process.
struct Results {
    PyTypeObject *row, *annotation, *quirk, *check, *candidate, *guess, *dialect, *match, *loss,
        *unwrapped, *save_kind, *reading, *finding, *found_code, *code, *identified, *recovered,
        *lost, *recovery, *entry, *entries;
    PyObject* loss_error;
};
extern Results results;
/// False with an exception.
bool take_results();

/// A named tuple of owned items, each of which may be null: then null with their exception. Made by
/// tuple's own `tp_new`: from Python 3.14 on a tuple keeps its hash, and one that was only
/// allocated would have the hash 0.
PyObject* make_record(PyTypeObject* type, std::initializer_list<PyObject*> owned);
PyObject* take_exception();
// ---- arguments ----

/// The arguments of a METH_FASTCALL | METH_KEYWORDS function.
struct Call {
    const char* function;
    PyObject* const* args;
    Py_ssize_t count;
    PyObject* names;
};
/// The function's own arguments, the first `positional` of which need no names, and then
/// `dialect=`, `limits=`, `objects=`, `strict=` and `real_width=`.
bool take_reading(const Call& call, std::initializer_list<Arg> own, int positional,
                  gdvar_options& options);

/// The bytes of an argument. Other objects than bytes are copied: another thread could change them.
class Input {
public:
    /// False with an exception: no buffer.
    bool take(PyObject* data) {
        bytes_ = Ref(PyBytes_Check(data) ? Ref::borrow(data).release() : copy_of(data));
        return static_cast<bool>(bytes_);
    }
    gdvar_bytes view() const noexcept { return bytes_of(bytes_.get()); }
    std::size_t size() const noexcept { return view().size; }
    PyObject* object() const noexcept { return bytes_.get(); }

private:
    Ref bytes_;
};

// ---- packets ----

/// Reads the packet at the start of `bytes`; if it is long, other threads run meanwhile. False with
/// an exception.
bool read_packet(gdvar_document* document, gdvar_bytes bytes, const gdvar_options& options);
PyObject* make_value_of(const gdvar_buffer* packet, const gdvar_options& options,
                        const Containers& containers = state.plain);
/// A packet of a value, read. The buffer is borrowed by the document.
bool read_value(PyObject* value, const gdvar_options& options, gdvar_buffer* packet,
                gdvar_document* document);

/// Calls `work`, which returns a code of gdvar.h; with so many bytes other threads run meanwhile.
template <class Work>
std::uint16_t run(std::size_t bytes, Work&& work) {
    if (bytes < gil_free_size)
        return work();
    const WithoutGil others;
    return work();
}

// ---- refusals ----

/// Why a path leads nowhere, or a save was not changed, in words. Collected without Python.
struct Refusal {
    std::string at, what;
    std::uint8_t needs = GDVAR_NEEDS_ANOTHER_VALUE;

    /// For gdvar.h.
    static void take(void* refusal, const gdvar_refusal* from) noexcept;
    /// Raises the error with these words; without any, with the requested path.
    std::nullptr_t raise(const gdvar_error& error, std::string_view path) const;
};

// ---- losses ----

/// Collects values that could not be kept, without Python.
class Losses {
public:
    /// For gdvar.h.
    static void take(void* losses, const gdvar_loss* loss) noexcept;
    bool empty() const noexcept { return kept_.empty(); }
    /// Appends them to `list`, the caller's list of losses; without one (null, None), raises
    /// LossError if there are any. False with an exception.
    bool settle(PyObject* list, const char* target) const;

private:
    struct Kept {
        std::string path, what, substitution;
        std::uint8_t type;
    };
    PyObject* make(const Kept& loss) const;
    bool raise_all(const char* target) const;

    std::vector<Kept> kept_;
    bool full_ = false;  ///< out of memory
};
/// Checks `list` for `settle`. False with a TypeError.
bool check_losses(PyObject* list);

// ---- matches ----

/// Bounds what the matches of a path take together: a value may be in several, a key in the paths
/// of all that is below it.
class MatchLimit {
public:
    /// `bytes`: of what is looked into.
    explicit MatchLimit(std::uint64_t bytes) noexcept : left_(std::max(50 * bytes, most_bytes)) {}
    /// Counts a match. False with an exception.
    bool take(const gdvar_match& match);

private:
    static constexpr std::uint64_t most_bytes = 8u << 20;
    std::uint64_t left_;
};

// ---- patches ----

/// A patch is a packet of this dialect, with arbitrary values.
gdvar_options patch_options() noexcept;
/// The packet of a patch: given as one, or as the list of changes that `diff` gives.
bool take_patch(PyObject* changes, Input& given, gdvar_buffer* written, gdvar_bytes& to);
/// Raises the reason why the patch could not be applied, with the path of the change.
std::nullptr_t raise_patching(gdvar_error& error, gdvar_bytes patch);

// ---- keys of saves ----

/// `password=`, `key=`, `max_bytes=` and `max_text=` of functions on saves.
struct KeyArgs {
    PyObject *password = nullptr, *key = nullptr, *max_bytes = nullptr, *max_text = nullptr;
    Ref kept_password;
    Input key_bytes;
};
/// A number from 0 on; null and None leave it. False with an exception.
bool take_count(PyObject* given, std::uint64_t& to);
/// False with an exception. `to` borrows from `args`.
bool take_key(KeyArgs& args, gdvar_save_options& to);

}  // namespace gdvar_py
