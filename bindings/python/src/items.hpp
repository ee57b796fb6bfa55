#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "packed.hpp"

namespace gdvar_py {

/// A recently written key with its text: the same str often repeats. The str is owned, so that no
/// other object has its address.
struct KnownKey {
    PyObject* str = nullptr;
    const char* text = nullptr;
    std::uint32_t size = 0;
};

/// A tree of items. Pointers in them lead into Python objects, which live as long as no Python code
/// runs that could change their containers. If a value requires such code, the tree is begun again
/// with every object held:
///
///     while (!build(items))
///         if (!items.begin_again())
///             return nullptr;
class Items {
public:
    /// True if Python code may run now; if not, fail, and `begin_again`.
    bool may_run_python() noexcept { return holding_ || !(again_ = true); }
    bool may_have_run_python() const noexcept { return holding_; }
    /// True if a part was left out because Python code could not run.
    bool must_begin_again() const noexcept { return again_; }
    /// False: it was a failure, with an exception.
    bool begin_again() noexcept;
    /// Holds an object that an item points into, if needed.
    void hold(PyObject* object) {
        if (holding_)
            keep(object);
    }

    gdvar_item& add(std::uint8_t type, std::uint8_t flags = 0, std::uint32_t count = 0) {
        // Member by member: an item assembled elsewhere is copied as one word, for which the
        // processor waits.
        gdvar_item& item = items_.emplace_back();
        item.type = type;
        item.flags = flags;
        item.count = count;
        return item;
    }
    gdvar_item& add_text(std::uint8_t type, gdvar_text text);
    /// The text of a str. False with an exception.
    bool add_str(std::uint8_t type, PyObject* str) {
        Py_ssize_t size = 0;
        const char* text = PyUnicode_AsUTF8AndSize(str, &size);
        if (!text || size > INT32_MAX)
            return add_odd_str(type, str);
        add(type, GDVAR_ITEM_UTF8, static_cast<std::uint32_t>(size)).as.data = text;
        hold(str);
        return true;
    }
    /// The text of a str (of the class itself) that is a key, and so probably repeats.
    bool add_key(PyObject* str) {
        const auto address = reinterpret_cast<std::uintptr_t>(str);
        KnownKey& known = known_keys_[(address >> 4 ^ address >> 13) % known_keys_.size()];
        if (known.str != str)
            return add_new_key(known, str);
        add(GDVAR_STRING, GDVAR_ITEM_UTF8, known.size).as.data = known.text;
        hold(str);
        return true;
    }
    /// Memory for components, valid until `clear`.
    std::byte* space(std::size_t size);
    void keep(PyObject* object) { kept_.push_back(Ref::borrow(object)); }
    void keep(Ref owned) { kept_.push_back(std::move(owned)); }
    void keep(Buffer buffer) { buffers_.push_back(std::move(buffer)); }
    /// Keeps memory, up to some 100 KB.
    void clear() noexcept;
    /// True if it is small enough to be kept from call to call.
    bool is_small() const noexcept { return items_.capacity() <= most_kept; }

    std::size_t size() const noexcept { return items_.size(); }
    /// Appends the packet to `to`. False with an exception.
    bool encode(const gdvar_options& options, gdvar_buffer* to) const;
    /// The path of the next value. Adds an invalid item.
    std::string path_of_next(const gdvar_options& options);

private:
    static constexpr std::size_t most_kept = 1 << 16, block_size = 1 << 14;

    [[gnu::cold]] bool add_odd_str(std::uint8_t type, PyObject* str);

    static constexpr Py_ssize_t longest_known_key = 64;
    static inline std::array<KnownKey, 4096> known_keys_;
    bool add_new_key(KnownKey& known, PyObject* str);

    std::vector<gdvar_item> items_;
    std::vector<std::unique_ptr<std::byte[]>> blocks_;  ///< the first has block_size bytes
    std::size_t left_ = 0, used_ = 0;
    std::vector<Ref> kept_;
    std::vector<Buffer> buffers_;
    bool holding_ = false, again_ = false;
};

/// An EncodeError with the path of the next value. Returns false.
bool refuse_next(Items& items, const gdvar_options& options, const char* code, const char* format,
                 ...);

/// Adds a math value from a tuple of numbers, of the parts of `type`. False with an exception.
bool add_math(Items& items, std::uint8_t type, bool wide, PyObject* tuple);

/// Adds any value that `dumps` takes. False with an exception.
bool add_value(Items& items, const gdvar_options& options, PyObject* value);

/// Adds the type of a container's elements, which follows a container's item with
/// GDVAR_ITEM_TYPED. `type`: a ContainerType. False with an exception.
bool add_container_type(Items& items, const gdvar_options& options, PyObject* type);
/// A number of another class than Python's own, such as numpy's, as a bool, an int or a float. Runs
/// Python code. Null without an exception: it is no number, or of a kind that Variant lacks.
Ref plain_number(PyObject* object);
/// True if `dumps` takes objects of the class.
bool has_variant_type(PyObject* object);

/// Appends the packet of the items that `build` adds, which is called again if they are begun
/// again. Memory is kept from call to call. False with an exception.
bool write_items(const std::function<bool(Items&)>& build, const gdvar_options& options,
                 gdvar_buffer* to);
PyObject* items_as_bytes(const std::function<bool(Items&)>& build, const gdvar_options& options);

}  // namespace gdvar_py
