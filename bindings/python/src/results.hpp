// Results and arguments shared by functions on packets, texts and saves.
#pragma once

#include <concepts>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "call.hpp"
#include "kept.hpp"
#include "make.hpp"

namespace gdvar_py {

// ---- objects ----

inline PyObject* to_python(PyObject* owned) {
    return owned;
}
inline PyObject* to_python(gdvar_bytes bytes) {
    return make_bytes(bytes);
}
/// A bool, an int or a text.
template <class T>
PyObject* to_python(const T& value) {
    if constexpr (std::same_as<T, bool>)
        return PyBool_FromLong(value);
    else if constexpr (std::unsigned_integral<T>)
        return PyLong_FromUnsignedLongLong(value);
    else if constexpr (std::signed_integral<T>)
        return PyLong_FromLongLong(value);
    else
        return make_text(value);
}

/// A class of gdvar.packets. Null with an exception.
PyTypeObject* find_record(const char* name);
/// A named tuple of a class of gdvar.packets, from values for `to_python`.
template <Name name, class... Values>
PyObject* make_record(const Values&... values) {
    static PyTypeObject* type = nullptr;  // borrowed for the life of the process
    if (!type)
        type = find_record(name.text);
    return fill_tuple(type, {to_python(values)...});
}

/// Takes the exception that is set.
PyObject* take_exception();

// ---- pieces ----

/// Copies of texts that are valid during a call.
class Texts {
public:
    gdvar_text keep(std::string_view text) {
        if (text.size() > left_) {
            const std::size_t size = std::max(text.size(), block_size);
            next_ = blocks_.emplace_back(std::make_unique_for_overwrite<char[]>(size)).get();
            left_ = size;
        }
        char* const at = next_;
        next_ = std::copy_n(text.data(), text.size(), at);
        left_ -= text.size();
        return {at, text.size()};
    }
    void keep(std::initializer_list<gdvar_text*> texts) {
        for (gdvar_text* const text : texts)
            *text = keep(gdvar_py::view(*text));
    }
    /// An array of records, with their texts.
    template <class Record>
    const Record* keep(const Record* records, std::size_t count) {
        const auto copy = std::make_shared<std::vector<Record>>(records, records + count);
        for (Record& record : *copy)
            keep_texts(record, *this);
        arrays_.push_back(copy);
        return copy->data();
    }

private:
    static constexpr std::size_t block_size = 1 << 12;
    std::vector<std::unique_ptr<char[]>> blocks_;
    std::vector<std::shared_ptr<void>> arrays_;
    char* next_ = nullptr;
    std::size_t left_ = 0;
};

/// Collects what a function of gdvar.h gives piece by piece, without Python. `make_one` gives the
/// Python object of a piece.
template <class Piece, PyObject* (*make_one)(const Piece&)>
class Pieces {
public:
    /// For gdvar.h.
    static void take(void* pieces, const Piece* piece) noexcept {
        auto& to = *static_cast<Pieces*>(pieces);
        try {
            Piece kept = *piece;
            keep_texts(kept, to.texts_);
            to.kept_.push_back(kept);
        } catch (const std::exception&) {
            to.full_ = true;
        }
    }
    const std::vector<Piece>& kept() const noexcept { return kept_; }
    bool empty() const noexcept { return kept_.empty() && !full_; }
    /// A list of the pieces' objects.
    PyObject* make() const {
        return full_ ? PyErr_NoMemory()
                     : make_list(kept_.size(), [&](std::size_t i) { return make_one(kept_[i]); });
    }
    PyObject* make_as_tuple() const {
        const Ref list(make());
        return list ? PyList_AsTuple(list.get()) : nullptr;
    }

private:
    std::vector<Piece> kept_;
    Texts texts_;
    bool full_ = false;  ///< out of memory
};

// ---- packets ----

/// Reads the packet at the start of `bytes`; if it is long, other threads run meanwhile. False with
/// an exception, in whose path `before` precedes that in the packet.
bool read_packet(gdvar_document* document, gdvar_bytes bytes, const gdvar_options& options,
                 std::string_view before = {});
/// The value of a packet in a bytes object, which may be null with an exception.
PyObject* make_value_in(const Ref& packet, const gdvar_options& options,
                        const Containers& containers = state.plain, std::string_view before = {});
PyObject* make_value_of(const Output& packet, const gdvar_options& options);
/// A part of a value, such as a vector's x, which is on no tape.
PyObject* make_part(gdvar_bytes packet, const gdvar_options& options);

/// Calls `work`, which returns a code of gdvar.h, while other threads run.
template <class Work>
std::uint16_t run_freely(Work&& work) {
    const WithoutGil others;
    return work();
}
/// The same, if there are that many bytes.
template <class Work>
std::uint16_t run(std::size_t bytes, Work&& work) {
    return bytes < gil_free_size ? work() : run_freely(work);
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

PyObject* make_loss(const gdvar_loss& loss);

/// Values that could not be kept, and the caller's list for them, an argument.
class Losses : public Pieces<gdvar_loss, make_loss> {
public:
    bool take_list(PyObject* list, const char* name);
    /// Appends them to the list; without one (not given, None), raises LossError if there are any.
    /// False with an exception.
    bool settle(std::string_view target) const;

private:
    bool raise_all(std::string_view target) const;

    PyObject* list_ = nullptr;
};
inline bool take_argument(PyObject* given, const char* name, Losses& to) {
    return to.take_list(given, name);
}

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

/// Makes the matches of a path as they are found.
template <class Make>
class Matches {
public:
    explicit Matches(Make make) : make_(std::move(make)), list_(PyList_New(0)) {}
    /// For gdvar.h: false to stop, with an exception.
    static int take(void* matches, const gdvar_match* match) {
        auto& to = *static_cast<Matches*>(matches);
        const Ref made(to.list_ ? to.make_(*match) : nullptr);
        return made && PyList_Append(to.list_.get(), made.get()) == 0;
    }
    /// Null after an exception.
    PyObject* release() { return PyErr_Occurred() ? nullptr : list_.release(); }

private:
    Make make_;
    Ref list_;
};

// ---- patches ----

/// A patch is a packet of this dialect, with arbitrary values.
gdvar_options patch_options() noexcept;
/// The packet of a patch, an argument: given as one, or as the list of changes that `diff` gives.
struct Patch {
    Input given;
    Output written;
    gdvar_bytes packet{};

    /// Raises the reason why it could not be applied, with the path of the change.
    std::nullptr_t raise(gdvar_error& error) const;
};
bool take_argument(PyObject* changes, const char* name, Patch& to);

}  // namespace gdvar_py
