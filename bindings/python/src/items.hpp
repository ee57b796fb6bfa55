// The items that gdvar_encode takes, with what they point at.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "packed.hpp"

namespace gdvar_py {

/// A key that was written last, with its text: the same str comes again and again. The str is
/// owned, so that no other object has its address.
struct KnownKey {
    PyObject* str = nullptr;
    const char* text = nullptr;
    std::uint32_t size = 0;
};

/// A tree of items. Pointers in them lead into Python objects. Those live on, as long as no Python
/// code runs, which could change the containers that hold them. Where a value can't be had without
/// that, the tree is begun anew with every object held:
///
///     while (!build(items))
///         if (!items.begin_again())
///             return nullptr;
class Items {
public:
    /// Whether Python code may run now; if not, fail, and `begin_again`.
    bool may_run_python() noexcept { return holding_ || !(again_ = true); }
    bool may_have_run_python() const noexcept { return holding_; }
    /// Whether something was left out because Python code could not run.
    bool must_begin_again() const noexcept { return again_; }
    /// False: it was a failure, with an exception.
    bool begin_again() noexcept;
    /// Holds an object that an item points into, if that is needed.
    void hold(PyObject* object) {
        if (holding_)
            keep(object);
    }

    gdvar_item& add(std::uint8_t type, std::uint8_t flags = 0, std::uint32_t count = 0) {
        // Member by member: an item that is put together elsewhere is copied as one word, for which
        // the processor waits.
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
    /// The text of a str (of no class of its own) that is a key, and so probably comes again.
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
    /// Keeps memory, up to some 100 KB of it.
    void clear() noexcept;
    /// Whether it is small enough to be kept from call to call.
    bool is_small() const noexcept { return items_.capacity() <= most_kept; }

    std::size_t size() const noexcept { return items_.size(); }
    /// Appends the packet to `to`. False with an exception.
    bool encode(const gdvar_options& options, gdvar_buffer* to) const;
    /// The path of the value that would be added next. Adds an item that is none.
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

/// An EncodeError with the path of the value that would be added next. Returns false.
bool refuse_next(Items& items, const gdvar_options& options, const char* code, const char* format,
                 ...);

/// Adds a math value from a tuple of numbers, of the parts of `type`. False with an exception.
bool add_math(Items& items, std::uint8_t type, bool wide, PyObject* tuple);

/// Adds any value that `dumps` takes. False with an exception.
bool add_value(Items& items, const gdvar_options& options, PyObject* value);

/// Appends the packet of the items that `build` adds, which is called again where they are begun
/// anew. Memory is kept from call to call. False with an exception.
bool write_items(const std::function<bool(Items&)>& build, const gdvar_options& options,
                 gdvar_buffer* to);
/// The same as a bytes object.
PyObject* items_as_bytes(const std::function<bool(Items&)>& build, const gdvar_options& options);

}  // namespace gdvar_py
