#include "texts.hpp"

#include <bit>

namespace gdvar_py {
namespace {

// ---- UTF-8 ----

bool is_ascii(std::string_view text) noexcept {
    const char* from = text.data();
    std::size_t left = text.size();
    std::uint64_t word, all = 0;
    for (; left >= sizeof word; left -= sizeof word, from += sizeof word) {
        std::memcpy(&word, from, sizeof word);
        all |= word;
    }
    for (; left; --left)
        all |= static_cast<unsigned char>(*from++);
    return (all & 0x8080808080808080u) == 0;
}

/// Reads UTF-8 characters by Unicode's rule: no surrogates, no overlong forms.
class Utf8Reader {
public:
    explicit Utf8Reader(std::string_view text) noexcept
        : at_(reinterpret_cast<const unsigned char*>(text.data())), end_(at_ + text.size()) {}

    bool at_end() const noexcept { return at_ == end_; }
    /// Takes ASCII, and returns the number of characters. It may write seven more; the last seven
    /// of the text are left to `next`.
    Py_ssize_t take_ascii(wchar_t* to) noexcept {
        const unsigned char* from = at_;
        while (end_ - at_ >= 8) {
            std::uint64_t word;
            std::memcpy(&word, at_, sizeof word);
            for (int i = 0; i < 8; ++i)
                to[i] = static_cast<wchar_t>(at_[i]);
            word &= 0x8080808080808080u;
            const int ascii =
                (std::endian::native == std::endian::little ? std::countr_zero(word)
                                                            : std::countl_zero(word)) /
                8;
            at_ += ascii;
            to += ascii;
            if (ascii < 8)
                break;
        }
        return at_ - from;
    }
    static constexpr std::uint32_t wrong = UINT32_MAX;
    /// The next character, or `wrong`.
    std::uint32_t next() noexcept {
        const std::uint32_t lead = *at_;
        if (lead < 0x80) {
            ++at_;
            return lead;
        }
        if (lead < 0xC2 || lead > 0xF4)
            return wrong;
        return lead < 0xE0   ? take<2>(lead & 0x1F, 0x80)
               : lead < 0xF0 ? take<3>(lead & 0x0F, 0x800)
                             : take<4>(lead & 0x07, 0x10000);
    }

private:
    template <int Bytes>
    std::uint32_t take(std::uint32_t character, std::uint32_t least) noexcept {
        if (end_ - at_ < Bytes)
            return wrong;
        for (int i = 1; i < Bytes; ++i) {
            if ((at_[i] & 0xC0) != 0x80)
                return wrong;
            character = character << 6 | (at_[i] & 0x3F);
        }
        at_ += Bytes;
        const bool surrogate = character >= 0xD800 && character < 0xE000;
        return character < least || character > 0x10FFFF || surrogate ? wrong : character;
    }
    const unsigned char *at_, *end_;
};

/// A str of characters beyond ASCII; null without an exception: not UTF-8, or too long for here.
/// CPython's own decoder widens such a text in steps and copies it, which takes three times as
/// long.
PyObject* make_wide(std::string_view text) {
    if constexpr (sizeof(wchar_t) != 4)
        return nullptr;
    wchar_t characters[512];
    if (text.size() > std::size(characters))
        return nullptr;
    Py_ssize_t count = 0;
    for (Utf8Reader reader(text);; ++count) {
        count += reader.take_ascii(characters + count);
        if (reader.at_end())
            break;
        const std::uint32_t character = reader.next();
        if (character == Utf8Reader::wrong)
            return nullptr;
        characters[count] = static_cast<wchar_t>(character);
    }
    return PyUnicode_FromWideChar(characters, count);
}

// ---- texts that repeat ----

/// Recent texts. A text has one place, which a newer one takes.
template <std::size_t Size>
class TextCache {
public:
    /// The object for the text, made by `make` if it is missing. A new reference.
    template <class Make>
    PyObject* take(std::string_view text, Make&& make, bool* was_here = nullptr) {
        if (text.size() > ShortText::longest)
            return make(text);
        const ShortText wanted(text);
        Entry& entry = entries_[wanted.hash() % Size];
        const bool here = entry.object && entry.text == wanted;
        if (was_here)
            *was_here = here;
        if (!here) {
            PyObject* made = make(text);
            if (!made)
                return nullptr;
            entry.text = wanted;
            Py_XDECREF(std::exchange(entry.object, made));
        }
        Py_INCREF(entry.object);
        return entry.object;
    }

private:
    struct Entry {
        PyObject* object;
        ShortText text;
    };
    std::array<Entry, Size> entries_{};
};

TextCache<4096> keys;
TextCache<2048> strings;
TextCache<1024> names;

}  // namespace

PyObject* make_text(std::string_view text) {
    if (!is_ascii(text)) {
        PyObject* made = make_wide(text);
        if (made || PyErr_Occurred())
            return made;
    }
    return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()),
                                "surrogateescape");
}
PyObject* make_string(std::string_view text) {
    return strings.take(text, [](std::string_view t) { return make_text(t); });
}
PyObject* make_key(std::string_view text) {
    return keys.take(text, [](std::string_view t) {
        PyObject* made = make_text(t);
        if (made)
            PyObject_Hash(made);  // a str keeps it
        return made;
    });
}
PyObject* make_string(std::string_view text, TextHabit& habit) {
    if (text.size() > ShortText::longest || !habit.looks())
        return make_text(text);
    bool here = false;
    PyObject* made = strings.take(text, [](std::string_view t) { return make_text(t); }, &here);
    habit.saw(here);
    return made;
}
PyObject* make_string_name(std::string_view text) {
    return names.take(text, [](std::string_view t) -> PyObject* {
        const Ref str(make_text(t));
        return str ? PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(state.string_name),
                                                  str.get(), nullptr)
                   : nullptr;
    });
}

}  // namespace gdvar_py
