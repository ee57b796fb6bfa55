// Shared by the functions on saves: the handle's object, its use by one call, arguments.
#pragma once

#include <deque>
#include <initializer_list>
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
    PyObject* file() const noexcept { return object_->file; }
    /// Calls `work`, which returns a code, while other threads run.
    template <class Work>
    std::uint16_t run(Work&& work) const {
        const WithoutGil others;
        return work(object_->save);
    }
    /// Raises the error of what was asked at a path.
    std::nullptr_t raise(const gdvar_error& error, std::string_view path) const {
        Refusal refusal;
        run([&](gdvar_save* save) { return gdvar_save_explain(save, Refusal::take, &refusal); });
        return refusal.raise(error, path);
    }

private:
    SaveObject* object_;
    bool ready_ = false;
};

// ---- arguments ----

/// Arguments of functions that open a save: `password=`, `key=`, `keys=`, `max_bytes=`,
/// `max_text=`, `read_as=`, `skip=`, and some of the others.
struct SaveArgs {
    enum Others : unsigned {
        dialect = 1,     ///< `dialect=`
        max_layers = 2,  ///< `max_layers=`
        finding = 7,     ///< these, `objects=`, `inside=` and `entries=`
        real_width = 8,  ///< `real_width=`
        opening = 31     ///< all of these, `strict=` and `readings=`
    };
    gdvar_options reading = GDVAR_OPTIONS_INIT;  ///< how its values are read

    /// Fills in `to`, which borrows from this and from the call's arguments. `own`: the function's
    /// own arguments, of which the first `positional` need no names. False with an exception.
    bool take(const Call& call, std::initializer_list<Arg> own, int positional,
              gdvar_save_options& to, Others others);

private:
    bool take_keys(PyObject* keys, gdvar_save_options& to);
    bool take_named(PyObject* name, PyObject* key);
    bool take_inside(PyObject* inside, gdvar_save_options& to);
    bool take_names(PyObject* names, std::vector<gdvar_text>& to);

    KeyArgs key_;
    std::deque<Input> bytes_;  ///< what the others borrow from
    std::deque<Ref> kept_;
    std::vector<gdvar_named_key> keys_;
    std::vector<gdvar_text> inside_, entries_;
};

/// A path as text. False with an exception.
bool take_path(PyObject* path, gdvar_text& to, Ref& kept);
inline std::string_view view(gdvar_text text) noexcept {
    return {text.data, text.size};
}
/// "gdec-4 gcpf-zstd", or an iterable of such names. False with an exception.
bool take_layers(PyObject* layers, Ref& kept, gdvar_text& to);
/// Names with spaces between them, as a tuple of str.
PyObject* make_names(const gdvar_buffer* names);
/// The pairs of a mapping, as a list. A TypeError for anything else.
PyObject* pairs_of(PyObject* mapping, const char* name);
/// A str of the bytes of a buffer.
PyObject* make_text_of(const gdvar_buffer* text);

// ---- saves as a whole (save_whole.cpp) ----

PyObject* save_kind(PyObject* self, void*);
PyObject* save_stack(PyObject* self, void*);
PyObject* save_only_read(PyObject* self, void*);
PyObject* save_findings(PyObject* self, void*);
PyObject* save_check(PyObject* self, PyObject*);
PyObject* save_code(PyObject* self, PyObject* most);
PyObject* save_diff(PyObject* self, PyObject* other);
PyObject* save_patch(PyObject* self, PyObject* changes);
PyObject* save_convert(PyObject* self, PyObject* const* args, Py_ssize_t count);
PyObject* make_kind(const gdvar_kind& kind);
bool add_whole_saves(PyObject* module);
/// Files in a file (entries.cpp).
bool add_entries(PyObject* module);

// ---- damaged saves (recover.cpp) ----

PyObject* recover(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names);

}  // namespace gdvar_py
