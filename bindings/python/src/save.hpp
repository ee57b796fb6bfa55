// Shared by the functions on saves: the handle's object, its use by one call, arguments.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "results.hpp"

namespace gdvar_py {

struct SaveObject {
    PyObject_HEAD gdvar_save* save;
    PyObject* file;         ///< the file's name as the caller gave it; null: from memory
    gdvar_options options;  ///< how its values are read and written
    double lock_wait;       ///< seconds that `write` waits for a lock of others
    bool busy;              ///< a call works on it while other threads run
};

inline SaveObject* object_of(PyObject* self) noexcept {
    return reinterpret_cast<SaveObject*>(self);
}

/// The use of a save by one call. A save serves one thread at a time; that is checked, because
/// other threads run meanwhile.
class Use {
public:
    explicit Use(PyObject* self) noexcept : object_(object_of(self)) {
        if (!object_->save)
            PyErr_SetString(PyExc_ValueError, "the save is closed");
        else if (object_->busy)
            PyErr_SetString(PyExc_RuntimeError, "another thread is using the save");
        else
            object_->busy = ready_ = true;
    }
    Use(const Use&) = delete;
    ~Use() {
        if (ready_)
            object_->busy = false;
    }
    explicit operator bool() const noexcept { return ready_; }
    gdvar_save* save() const noexcept { return object_->save; }
    const gdvar_options& options() const noexcept { return object_->options; }
    /// Calls `work(save, error)`, which returns a code, while other threads run. False with the
    /// exception of its error, whose path is then in `path`.
    template <class Work>
    bool did(Work&& work, const Output* path = nullptr) const {
        gdvar_error error;
        if (!run_freely([&] { return work(save(), &error); }))
            return true;
        raise(error, {.path = path ? path->text() : std::string_view()});
        return false;
    }
    /// The same of what is asked at a path: why it leads nowhere is said in words.
    template <class Work>
    bool did_at(std::string_view path, Work&& work) const {
        gdvar_error error;
        return !run_freely([&] { return work(save(), &error); }) || explain(error, path);
    }
    /// False with the exception of what was asked at a path.
    bool explain(const gdvar_error& error, std::string_view path) const {
        Refusal refusal;
        run_freely([&] { return gdvar_save_explain(save(), Refusal::take, &refusal); });
        refusal.raise(error, path);
        return false;
    }

private:
    SaveObject* object_;
    bool ready_ = false;
};
/// Use::did, of a save's object.
template <class Work>
bool on_save(PyObject* self, Work&& work, const Output* path = nullptr) {
    const Use use(self);
    return use && use.did(work, path);
}

// ---- arguments ----

/// The pairs of a mapping, as a list. A TypeError for anything else.
PyObject* pairs_of(PyObject* mapping, const char* name);
/// Calls `use`, which gives false with an exception, with the key and value of each pair.
template <class Take>
bool each_pair(PyObject* mapping, const char* name, Take&& use) {
    const Ref pairs(pairs_of(mapping, name));
    for (Py_ssize_t i = 0; pairs && i < PyList_Size(pairs.get()); ++i) {
        PyObject* pair = PyList_GetItem(pairs.get(), i);
        if (!use(PyTuple_GetItem(pair, 0), PyTuple_GetItem(pair, 1)))
            return false;
    }
    return static_cast<bool>(pairs);
}

/// "gdec-4 gcpf-zstd", or an iterable of such names; null: not given.
struct Layers {
    gdvar_text text{nullptr, 0};
    Ref kept;
};
bool take_argument(PyObject* layers, const char* name, Layers& to);

/// A str, or an iterable of several.
struct Names {
    std::deque<Text> kept;
    std::vector<gdvar_text> all;
};
bool take_argument(PyObject* names, const char* name, Names& to);

/// 32 bytes, or 64 hex digits.
struct Key {
    Input bytes;
};
bool take_argument(PyObject* key, const char* name, Key& to);

/// Passwords (str) and keys (bytes) by name.
struct NamedKeys {
    std::deque<Text> texts;
    std::deque<Input> bytes;
    std::vector<gdvar_named_key> all;
};
bool take_argument(PyObject* keys, const char* name, NamedKeys& to);

/// `password=` and `key=`.
struct Secret {
    std::optional<Text> password;
    std::optional<Key> key;

    /// Fills in `to`, which borrows from this. False with an exception.
    bool fill(gdvar_save_options& to) const;
};

/// Arguments of functions that open a save: `password=`, `key=`, `keys=`, `max_bytes=`,
/// `max_text=`, `read_as=`, `skip=`, and some of the others.
struct SaveArgs {
    enum Others : unsigned {
        dialect = 1,     ///< `dialect=`
        max_layers = 2,  ///< `max_layers=`
        values = 4,      ///< `inside=`
        finding = 7,     ///< these, `objects=` and `entries=`
        real_width = 8,  ///< `real_width=`
        opening = 31     ///< all of these, `strict=` and `readings=`
    };
    gdvar_options reading = GDVAR_OPTIONS_INIT;  ///< how its values are read
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;

    /// Fills in both. `params`: the function's own, of which the first `positional` need no names.
    /// False with an exception.
    bool take(const Call& call, std::size_t positional, Params params, unsigned others);

private:
    /// None: as it comes; False: no value is opened; a path or an iterable of paths.
    bool take_inside(PyObject* given);

    // `options` borrow from these.
    Secret secret_;
    std::optional<NamedKeys> keys_;
    std::optional<Text> read_as_;
    std::optional<Names> entries_;
    Names inside_;
};

/// The number of a layer, or None.
inline PyObject* make_layer(std::uint32_t layer) {
    return layer == GDVAR_NO_LAYER ? Py_NewRef(Py_None) : PyLong_FromUnsignedLong(layer);
}
/// Names with spaces between them, as a tuple of str.
PyObject* make_names(const Output& names);
PyObject* make_kind(const gdvar_kind& kind);

// ---- saves as a whole (save_whole.cpp) ----

PyObject* save_findings(PyObject* self);
PyObject* save_check(PyObject* self);
PyObject* save_code(PyObject* self, PyObject* most);
PyObject* save_diff(PyObject* self, PyObject* other);
PyObject* save_patch(const Call& call);
PyObject* save_convert(const Call& call);
bool add_whole_saves(PyObject* module);
/// Files in a file (entries.cpp).
PyObject* entries_of(const Call& call);
/// Damaged saves (recover.cpp).
PyObject* recover(const Call& call);

}  // namespace gdvar_py
