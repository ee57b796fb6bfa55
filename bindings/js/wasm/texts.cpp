// Prepares a packet's texts for JavaScript: each call into its engine costs as much as dozens of
// characters, so texts are passed many at a time, as ASCII and as UTF-16, and repeated short texts
// are known by a number and not passed at all.
//
// Only for gdvar-core.wasm, with decode.ts and texts.ts.
#include <wasm_simd128.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include "common.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/gdvar.h"
#include "gdvar/wire/dialect.hpp"

namespace gdvar::wasm {
namespace {

// A text's id. Its lowest 14 bits are its place among JavaScript's strings; those of a kept text
// change each time all are forgotten, so that an id never means two texts. 0 means a text that is
// not prepared yet.
constexpr std::uint32_t alone = 1;  ///< long, or not UTF-8 by Unicode's rule: no string is made
constexpr std::uint32_t place_bits = 14, place_mask = (1u << place_bits) - 1;
constexpr std::uint32_t first_of_kept = 2;
constexpr std::uint32_t most_kept = 8192;  ///< places; behind them, those of one batch
constexpr std::uint32_t most_entries = 1024;
constexpr std::uint32_t first_of_nodes = most_kept, first_of_records = most_kept + most_entries;

constexpr std::uint32_t longest_kept = 32;
constexpr std::uint32_t longest = 1024;  ///< in a batch
constexpr std::uint32_t most_units = 8192;
/// Strings cut from a larger one keep it alive: that much at most.
constexpr std::uint32_t most_together = 512;
/// Loads and stores exceed a text's end by less than that.
constexpr std::uint32_t slack = 32;

/// One string to make: its place, and its number of units. The first of those cut from one string
/// has the units of all, the others 0.
struct Entry {
    std::uint32_t place;
    std::uint16_t units, together;
};

/// Strings to make, of ASCII or of UTF-16, and their adjacent characters.
template <class Unit>
struct Batch {
    std::uint32_t count, used, open;  // `open`: behind the first entry of those that grow
    Entry entries[most_entries];
    Unit units[most_units + slack];

    void clear() noexcept { count = used = open = 0; }
    bool is_full() const noexcept { return count == most_entries || used + longest > most_units; }
    Unit* end() noexcept { return units + used; }
    /// Adds the text whose characters were written to `end`.
    void add(std::uint32_t place, std::uint32_t size, bool apart) noexcept {
        entries[count++] = {place, static_cast<std::uint16_t>(size), 0};
        if (apart || !open || entries[open - 1].together + size > most_together)
            open = count;
        Entry& first = entries[open - 1];
        first.together = static_cast<std::uint16_t>(first.together + size);
        if (apart)
            open = 0;
        used += size;
    }
};

/// The results for JavaScript. Only this, and data that it points at, is shared.
struct Results {
    const gdvar_node* nodes;
    std::uint32_t size;       ///< the packet's
    std::uint32_t looked_at;  ///< number of nodes whose texts have ids, or of such records
    std::uint32_t forgotten;  ///< not 0: ids from before this packet may be reused
    std::uint32_t counts[2];  ///< of strings to make, of ASCII and UTF-16
    const Entry* entries[2];
    const void* units[2];
    const std::uint32_t* ids;  ///< of records
};

/// The bytes of a short text, padded with zeros.
struct Short {
    v128_t low, high;
};

struct Texts {
    Results results;
    std::uint32_t generation;  ///< number of times all were forgotten, times place_mask + 1
    std::uint32_t kept_count;
    std::uint32_t fresh;  ///< the next place of a text that is not kept
    Batch<std::uint8_t> narrow;
    Batch<char16_t> wide;
    std::uint32_t ids[most_entries];
    Short kept[most_kept];
    std::uint8_t sizes[most_kept];
    std::uint16_t slots[2 * most_kept];  ///< of the table of kept texts: its place, or 0
    std::uint16_t seen[most_kept];       ///< parts of hashes: only repeated texts are kept
    std::uint16_t next[most_kept];       ///< the place of the text that followed each the last time
    std::uint32_t last;                  ///< the place of the previous text
};
/// All zeros at first, or they would be part of the file.
Texts all;

/// Writes UTF-16, and up to `slack` units more. Returns their end; null if it is not UTF-8 by
/// Unicode's rule. Up to `slack` bytes behind the text are read.
char16_t* to_utf16(const std::uint8_t* p, const std::uint8_t* end, char16_t* to) noexcept {
    while (p < end) {
        const v128_t bytes = wasm_v128_load(p);
        wasm_v128_store(to, wasm_u16x8_extend_low_u8x16(bytes));
        wasm_v128_store(to + 8, wasm_u16x8_extend_high_u8x16(bytes));
        const auto n = static_cast<std::ptrdiff_t>(
            std::countr_zero(wasm_i8x16_bitmask(bytes) | std::uint32_t{1} << 16));
        if (n >= end - p)
            return to + (end - p);
        p += n;
        to += n;
        while (p < end && *p >= 0x80) {
            const std::uint32_t lead = *p++;
            const std::uint32_t second = *p++ ^ 0x80u;
            std::uint32_t code = lead << 6 | second;
            if (lead < 0xE0) {
                if (lead < 0xC2 || second > 0x3F)
                    return nullptr;
                *to++ = static_cast<char16_t>(code & 0x7FF);
                continue;
            }
            const std::uint32_t third = *p++ ^ 0x80u;
            code = code << 6 | third;
            if (lead < 0xF0) {
                code &= 0xFFFF;
                if ((second | third) > 0x3F || code < 0x800 || (code & 0xF800) == 0xD800)
                    return nullptr;
                *to++ = static_cast<char16_t>(code);
                continue;
            }
            const std::uint32_t fourth = *p++ ^ 0x80u;
            code = (code << 6 | fourth) - 0x3C0'0000;  // the bits of F0
            if ((second | third | fourth) > 0x3F || code < 0x1'0000 || code > 0x10'FFFF)
                return nullptr;
            *to++ = static_cast<char16_t>(0xD7C0 + (code >> 10));
            *to++ = static_cast<char16_t>(0xDC00 | (code & 0x3FF));
        }
    }
    // The end may have cut a character.
    return p == end ? to : nullptr;
}

/// Adds a text for which a string is made. False if it is not UTF-8 by Unicode's rule.
bool hand_over(const std::uint8_t* text, std::uint32_t size, std::uint32_t id,
               bool apart) noexcept {
    const std::uint32_t place = id & place_mask;
    v128_t bits = wasm_i8x16_splat(0);
    std::uint8_t* const to = all.narrow.end();
    for (std::uint32_t i = 0; i < size; i += 16) {
        v128_t bytes = wasm_v128_load(text + i);
        wasm_v128_store(to + i, bytes);
        // Bytes behind the text don't count.
        if (size - i < 16)
            bytes = wasm_v128_and(
                bytes, wasm_i8x16_lt(
                           wasm_i8x16_const(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                           wasm_i8x16_splat(static_cast<std::int8_t>(size - i))));
        bits = wasm_v128_or(bits, bytes);
        if (wasm_i8x16_bitmask(bits)) {
            char16_t* const first = all.wide.end();
            char16_t* const last = to_utf16(text, text + size, first);
            if (!last)
                return false;
            all.wide.add(place, static_cast<std::uint32_t>(last - first), apart);
            return true;
        }
    }
    all.narrow.add(place, size, apart);
    return true;
}

Short short_text(const std::uint8_t* text, std::uint32_t size) noexcept {
    const v128_t places = wasm_i8x16_const(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const v128_t sizes = wasm_i8x16_splat(static_cast<std::int8_t>(size));
    const v128_t behind = wasm_i8x16_add(places, wasm_i8x16_splat(16));
    return {wasm_v128_and(wasm_v128_load(text), wasm_i8x16_lt(places, sizes)),
            wasm_v128_and(wasm_v128_load(text + 16), wasm_i8x16_lt(behind, sizes))};
}
std::uint64_t hash_of(const Short& text, std::uint32_t size) noexcept {
    const auto lane = [](v128_t of, int i) {
        return static_cast<std::uint64_t>(i ? wasm_i64x2_extract_lane(of, 1)
                                            : wasm_i64x2_extract_lane(of, 0));
    };
    std::uint64_t hash = (lane(text.low, 0) + size) * 0x9E37'79B9'7F4A'7C15u;
    hash ^= hash >> 29;
    hash = (hash + lane(text.low, 1)) * 0xBF58'476D'1CE4'E5B9u;
    hash ^= hash >> 32;
    if (size > 16) {
        hash = (hash + lane(text.high, 0)) * 0x94D0'49BB'1331'11EBu;
        hash ^= hash >> 29;
        hash = (hash + lane(text.high, 1)) * 0x9E37'79B9'7F4A'7C15u;
        hash ^= hash >> 32;
    }
    return hash;
}
bool is_kept(std::uint32_t place, const Short& text, std::uint32_t size) noexcept {
    const Short& kept = all.kept[place];
    return all.sizes[place] == size &&
           !wasm_v128_any_true(wasm_v128_or(wasm_v128_xor(kept.low, text.low),
                                            wasm_v128_xor(kept.high, text.high)));
}

/// The place of a kept text. If there is none, 0; if the text is to be kept now, `slot` is then the
/// slot for its place; else -1.
std::uint32_t find(const Short& text, std::uint32_t size, std::int32_t& slot) noexcept {
    constexpr std::uint32_t probes = 8;  // for any number of texts with one hash
    const std::uint64_t hash = hash_of(text, size);
    slot = -1;
    for (std::uint32_t i = 0; i < probes; ++i) {
        const std::uint32_t at = static_cast<std::uint32_t>(hash + i) & (2 * most_kept - 1);
        const std::uint32_t place = all.slots[at];
        if (!place) {
            std::uint16_t& seen = all.seen[(hash >> 16) & (most_kept - 1)];
            const auto part = static_cast<std::uint16_t>((hash >> 48) | 1);
            if (seen == part && all.kept_count < most_kept - first_of_kept)
                slot = static_cast<std::int32_t>(at);
            seen = part;
            break;
        }
        if (is_kept(place, text, size))
            return place;
    }
    return 0;
}

/// The id of a text, which is passed if it has no string yet.
std::uint32_t id_of(const std::uint8_t* text, std::uint32_t size) noexcept {
    if (size > longest)
        return alone;
    std::int32_t slot = -1;
    if (size <= longest_kept) {
        const Short found = short_text(text, size);
        // Most texts follow the same one as the last time, and need no hash then.
        std::uint16_t& guess = all.next[all.last];
        if (!is_kept(guess, found, size))
            guess = static_cast<std::uint16_t>(find(found, size, slot));
        all.last = guess;
        if (guess)
            return all.generation | guess;
        if (slot >= 0) {
            const std::uint32_t place = first_of_kept + all.kept_count;
            if (!hand_over(text, size, place, true))
                return alone;
            ++all.kept_count;
            all.slots[slot] = static_cast<std::uint16_t>(place);
            all.sizes[place] = static_cast<std::uint8_t>(size);
            all.kept[place] = found;
            return all.generation | place;
        }
    }
    all.last = 0;
    return hand_over(text, size, all.fresh, false) ? all.fresh++ : alone;
}

void begin(std::uint32_t first_place) noexcept {
    all.narrow.clear();
    all.wide.clear();
    all.fresh = first_place;
}
bool is_full(std::uint32_t first_place) noexcept {
    return all.fresh - first_place == most_entries || all.narrow.is_full() || all.wide.is_full();
}
void end(std::uint32_t looked_at) noexcept {
    all.results.looked_at = looked_at;
    all.results.counts[0] = all.narrow.count;
    all.results.counts[1] = all.wide.count;
}

void forget() noexcept {
    for (std::uint16_t& slot : all.slots)
        slot = 0;
    for (std::uint16_t& next : all.next)
        next = 0;
    all.last = 0;
    all.kept_count = 0;
    all.generation += place_mask + 1;
}

}  // namespace
}  // namespace gdvar::wasm

using namespace gdvar::wasm;

extern "C" {

/// The address of the other functions' results.
const Results* gdvar_texts() {
    all.results.entries[0] = all.narrow.entries;
    all.results.entries[1] = all.wide.entries;
    all.results.units[0] = all.narrow.units;
    all.results.units[1] = all.wide.units;
    all.results.ids = all.ids;
    return &all.results;
}

/// Sets the ids of nodes' texts, from `node` on: in `as.span.end`, which texts do not use. Earlier
/// ids that were not read yet are lost, except those of kept texts. At least 32 bytes behind the
/// packet must be readable.
void gdvar_look_at_texts(gdvar_document* document, std::uint32_t node) {
    const gdvar_tape tape = gdvar_document_tape(document);
    auto* const nodes = const_cast<gdvar_node*>(tape.nodes);
    begin(first_of_nodes);
    if (all.kept_count > most_kept - first_of_kept - most_entries)
        forget();
    for (; node < tape.count && !is_full(first_of_nodes); ++node) {
        gdvar_node& of = nodes[node];
        const bool is_property = (of.flags & GDVAR_PROPERTY) != 0;
        if (of.type == GDVAR_STRING || of.type == GDVAR_STRING_NAME)
            of.as.span.end =
                id_of(tape.bytes + of.offset + (is_property ? 4 : 8), of.as.span.count);
        else if (of.flags & GDVAR_COPIED)
            node = of.as.span.end - 1;
    }
    end(node);
}

/// Reads a packet as gdvar_document_read does, and prepares its first texts.
std::uint16_t gdvar_read_packet(gdvar_document* document, const gdvar_bytes* bytes,
                                const gdvar_options* options, gdvar_error* error) {
    // Before one packet's generations could overflow their bits.
    all.results.forgotten = all.generation >> 31;
    if (all.results.forgotten) {
        forget();
        all.generation = 0;
    }
    const std::uint16_t code = gdvar_document_read(document, *bytes, options, error);
    if (code == 0) {
        const gdvar_tape tape = gdvar_document_tape(document);
        all.results.nodes = tape.nodes;
        all.results.size = static_cast<std::uint32_t>(tape.size);
        gdvar_look_at_texts(document, 0);
    }
    return code;
}

/// The ids of up to `count` texts of NodePaths and PackedStringArrays: length, text, zeros. A final
/// NUL is left out if it is `counted`. The ids of the nodes' texts stay valid.
void gdvar_look_at_records(const std::uint8_t* at, std::uint32_t count, bool counted) {
    begin(first_of_records);
    std::uint32_t i = 0;
    for (; i < count && i < most_entries && !is_full(first_of_records); ++i) {
        std::uint32_t size;
        __builtin_memcpy(&size, at, 4);
        const bool nul = counted && size && !at[3 + size];
        all.ids[i] = id_of(at + 4, size - nul);
        at += 4 + ((size + 3) & ~3u);
    }
    end(i);
}

/// Writes the UTF-8 of a text, and up to 8 bytes more. Returns its size, or -1 for a lone
/// surrogate. Up to 16 bytes behind it are read.
std::int32_t gdvar_to_utf8(const char16_t* from, std::uint32_t count, std::uint8_t* const to) {
    const char16_t* const end = from + count;
    std::uint8_t* at = to;
    while (from < end) {
        const v128_t units = wasm_v128_load(from);
        wasm_v128_store64_lane(at, wasm_u8x16_narrow_i16x8(units, units), 0);
        const v128_t beyond = wasm_u16x8_gt(units, wasm_i16x8_splat(0x7F));
        const auto n = static_cast<std::ptrdiff_t>(
            std::countr_zero(wasm_i16x8_bitmask(beyond) | std::uint32_t{1} << 8));
        if (n >= end - from) {
            at += end - from;
            break;
        }
        from += n;
        at += n;
        for (std::uint32_t code; from != end && (code = *from) >= 0x80; ++from) {
            const auto tail = [&](int shift) {
                *at++ = static_cast<std::uint8_t>(0x80 | (code >> shift & 0x3F));
            };
            if (code < 0x800) {
                *at++ = static_cast<std::uint8_t>(0xC0 | code >> 6);
            } else {
                if ((code & 0xF800) == 0xD800) {
                    if (code >= 0xDC00 || from + 1 == end || (from[1] & 0xFC00) != 0xDC00)
                        return -1;
                    code = gdvar::utf8::joined(code, *++from);
                    *at++ = static_cast<std::uint8_t>(0xF0 | code >> 18);
                    tail(12);
                } else {
                    *at++ = static_cast<std::uint8_t>(0xE0 | code >> 12);
                }
                tail(6);
            }
            tail(0);
        }
    }
    return static_cast<std::int32_t>(at - to);
}

/// Facts that JavaScript needs to read a dialect's packets itself: 1: NodePaths have a separate
/// property; 2: Signals have a name; 4: elements of PackedStringArrays end with a NUL; 8: each
/// Array has an element type.
std::uint32_t gdvar_dialect_facts(const gdvar_options* options) {
    const gdvar::Dialect& dialect = *gdvar::c::decoding(options).dialect;
    // Pandemonium has an Array without a type, and one with a type.
    const auto is = [&dialect](gdvar::Type type, gdvar::Shape shape) {
        for (std::uint32_t id = 0; id < dialect.row_count; ++id)
            if (dialect.rows[id].type == type && dialect.rows[id].shape == shape)
                return true;
        return false;
    };
    return static_cast<std::uint32_t>(dialect.node_path_property) |
           static_cast<std::uint32_t>(is(gdvar::Type::signal, gdvar::Shape::signal)) << 1 |
           static_cast<std::uint32_t>(dialect.string_array_nul) << 2 |
           static_cast<std::uint32_t>(is(gdvar::Type::array, gdvar::Shape::typed_array)) << 3;
}

}  // extern "C"
