// Shapes: the keys of a Dictionary in their order. A dict of a known shape is a copy of one with
// the same keys, in which only the values are set: its table has the right size at once, and keys
// are compared instead of looked up. A value that occurred twice in a row is in the copy from the
// start.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "make.hpp"

namespace gdvar_py {

class Shape {
public:
    static constexpr std::size_t most_keys = 4096;

    /// From a Dictionary and its dict. Null: a key is not a String, or a long one, or out of
    /// memory.
    static std::unique_ptr<Shape> make(const Packet& packet, std::uint32_t node, PyObject* dict);

    std::size_t count() const noexcept { return keys_.size(); }
    /// True if key `i` is the text.
    bool has_key(std::size_t i, std::string_view text) const noexcept {
        return keys_[i].text.is(text);
    }
    PyObject* key(std::size_t i) const noexcept { return keys_[i].object.get(); }
    /// A dict with all the keys, and with frequent values. Null with an exception. It counts as a
    /// use until `release`.
    PyObject* new_dict() {
        PyObject* dict = PyDict_Copy(dict_.get());
        uses_ += dict != nullptr;
        return dict;
    }
    void release() noexcept { --uses_; }
    /// A shape in use does not move.
    bool in_use() const noexcept { return uses_ > 0; }

    /// True if a new dict already has the node's value, a Nil, bool, int or float.
    bool has_value(std::size_t i, const gdvar_node& node) noexcept {
        Key& key = keys_[i];
        const bool same = node.type == key.type && node.as.bits == key.bits;
        key.hits += same && key.hits < most_hits;
        return same;
    }
    /// Notes a value of a new dict that differed.
    void note_value(std::size_t i, const gdvar_node& node, PyObject* value) noexcept {
        Key& key = keys_[i];
        const bool again = node.type == key.last_type && node.as.bits == key.last_bits;
        key.last_type = node.type;
        key.last_bits = node.as.bits;
        if (key.hits > 0)
            --key.hits;
        else if (again)
            adopt(key, node, value);
    }

private:
    static constexpr std::uint8_t most_hits = 7, no_type = 0xFF;
    struct Key {
        ShortText text;
        Ref object;
        // The value in new dicts, and the last one.
        std::uint64_t bits = 0, last_bits = 0;
        std::uint8_t type = no_type, last_type = no_type;
        std::uint8_t hits = 0;
    };
    bool add(std::string_view text, PyObject* key);
    void adopt(Key& key, const gdvar_node& node, PyObject* value) noexcept;

    std::vector<Key> keys_;
    Ref dict_;
    int uses_ = 0;
};

/// The probable shape of a Dictionary, by the number of its keys and the first one; null: unknown.
Shape* guess_shape(const Packet& packet, std::uint32_t node) noexcept;
/// Notes a Dictionary and its dict. A shape is made when it occurs twice in a row.
void learn_shape(const Packet& packet, std::uint32_t node, PyObject* dict) noexcept;

}  // namespace gdvar_py
