// The C interface, by gdvar.h alone: what is read comes back from items, text, patches, frames and
// saves; its functions agree with each other. The input is that of the packet targets, then a path,
// then a byte: five bits say how long the path is, three what is done with a larger packet.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../bindings/c/tests/items.h"

namespace {

/// Larger packets take one of the ways, smaller ones all.
constexpr std::size_t most_for_all = 512;

void require(bool holds, const char* law) {
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", law);
    std::abort();
}

struct Free {
    void operator()(gdvar_document* of) const { gdvar_document_free(of); }
    void operator()(gdvar_save* of) const { gdvar_save_free(of); }
    void operator()(gdvar_recovery* of) const { gdvar_recovery_free(of); }
    void operator()(gdvar_framer* of) const { gdvar_framer_free(of); }
};
using Document = std::unique_ptr<gdvar_document, Free>;
using Save = std::unique_ptr<gdvar_save, Free>;
using Recovery = std::unique_ptr<gdvar_recovery, Free>;
using Framer = std::unique_ptr<gdvar_framer, Free>;

class Buffer {
public:
    Buffer() : handle_(gdvar_buffer_new()) { require(handle_, "there is memory"); }
    ~Buffer() { gdvar_buffer_free(handle_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    operator gdvar_buffer*() const { return handle_; }
    gdvar_bytes bytes() const { return gdvar_buffer_bytes(handle_); }
    gdvar_text text() const { return {static_cast<const char*>(bytes().data), bytes().size}; }

private:
    gdvar_buffer* handle_;
};

gdvar_text text(std::string_view of) {
    return {of.data(), of.size()};
}
bool same(gdvar_bytes a, gdvar_bytes b) {
    return a.size == b.size && (!a.size || !std::memcmp(a.data, b.data, a.size));
}
bool same(const Buffer& a, const Buffer& b) {
    return same(a.bytes(), b.bytes());
}

/// How the packet is read: the second byte chooses, as in packet.hpp.
struct Input {
    std::vector<std::uint8_t> packet;
    std::vector<std::uint8_t> file;  ///< the same bytes as they came: texts too
    std::string path;
    gdvar_options options = GDVAR_OPTIONS_INIT;
    unsigned way = 0;
    bool all = false;

    Input(const std::uint8_t* data, std::size_t size) {
        const unsigned last = size ? data[--size] : 0;
        const std::size_t length = std::min<std::size_t>(last & 31, size);
        path.assign(reinterpret_cast<const char*>(data) + size - length, length);
        packet.assign(data, data + size - length);
        file = packet;
        way = last >> 5;
        all = packet.size() <= most_for_all;
        const unsigned choice = packet.size() > 1 ? std::exchange(packet[1], 0) : 0;
        std::size_t dialects = 0;
        while (gdvar_dialect_at(dialects))
            ++dialects;
        options.dialect = gdvar_dialect_at((choice & 15) % dialects);
        const auto flag = [&](unsigned bit, gdvar_option_flags of) -> std::uint32_t {
            return choice & bit ? of : 0;
        };
        options.flags = (GDVAR_ALLOW_OBJECTS ^ flag(16, GDVAR_ALLOW_OBJECTS)) |
                        flag(32, GDVAR_STRICT) | flag(64, GDVAR_WIDE_PAGE) |
                        flag(128, GDVAR_NODE_PATH_TEXT);
        if (choice == 255) {
            const gdvar_options network = GDVAR_OPTIONS_NETWORK_INIT;
            options.max_depth = network.max_depth;
            options.max_bytes = network.max_bytes;
            options.max_nodes = network.max_nodes;
        }
    }
    gdvar_bytes bytes() const { return {packet.data(), packet.size()}; }
    bool does(unsigned what) const { return all || way == what; }
};

/// An error has a code, a name, a kind and a message.
void check_error(std::uint16_t code, const gdvar_error& error) {
    char message[400], cut[7];
    require(code == error.code && code != 0, "the code that is returned is the error's");
    require(gdvar_error_code(gdvar_error_name(code)) == code, "a code has a name");
    require(*gdvar_error_kind(code), "and a kind");
    const std::size_t size = gdvar_error_message(&error, message, sizeof message);
    require(size > 0 && gdvar_error_message(&error, cut, sizeof cut) == size, "and a message");
    require(std::strlen(message) == std::min(size, sizeof message - 1), "which ends with a NUL");
    require(!std::memcmp(message, cut, std::min<std::size_t>(size, sizeof cut - 1)),
            "and may be cut");
}
/// The same of a packet: the error has a path there.
void check_error(std::uint16_t code, const gdvar_error& error, gdvar_bytes packet,
                 const gdvar_options& options) {
    check_error(code, error);
    if (error.source != GDVAR_FROM_PACKET)
        return;
    const Buffer path;
    require(gdvar_error_path(packet, &options, &error, path) == 0 &&
                *static_cast<const char*>(path.bytes().data) == '$',
            "an error has a path");
}

Document read(gdvar_bytes packet, const gdvar_options& options) {
    Document document(gdvar_document_new());
    require(document != nullptr, "there is memory");
    return gdvar_document_read(document.get(), packet, &options, nullptr) ? nullptr
                                                                          : std::move(document);
}

// ---- the tape

/// Whether the bytes lie in the packet, or the components in the nodes.
bool within(const gdvar_tape& tape, const void* data, std::size_t size) {
    const auto lies_in = [&](const void* first, std::size_t bytes) {
        const auto at = reinterpret_cast<std::uintptr_t>(data);
        const auto from = reinterpret_cast<std::uintptr_t>(first);
        return at >= from && at - from <= bytes && size <= bytes - (at - from);
    };
    return size == 0 || lies_in(tape.bytes, tape.size) ||
           lies_in(tape.nodes, tape.count * sizeof *tape.nodes);
}

std::size_t bytes_of(const gdvar_numbers& numbers) {
    constexpr std::size_t of[] = {0, 1, 4, 8, 4, 8};
    return std::size_t{numbers.count} * numbers.components * of[numbers.component];
}

/// Calls every function for a node, also those for other types.
void check_accessors(const gdvar_document* document, const gdvar_tape& tape, std::uint32_t i) {
    const gdvar_bytes bytes = gdvar_node_bytes(document, i);
    require(within(tape, bytes.data, bytes.size), "a value's bytes are the packet's");
    const gdvar_text name = gdvar_node_name(document, i);
    require(within(tape, name.data, name.size), "a name is the packet's");
    const gdvar_numbers numbers = gdvar_node_numbers(document, i);
    require(within(tape, numbers.data, bytes_of(numbers)), "numbers are the packet's");
    gdvar_text texts[4];
    const std::size_t count = gdvar_node_texts(document, i, texts, 4);
    require(gdvar_node_texts(document, i, nullptr, 0) == count, "texts can be counted");
    for (std::size_t n = 0; n < std::min<std::size_t>(count, 4); ++n)
        require(within(tape, texts[n].data, texts[n].size), "texts are the packet's");
    const gdvar_node_path_info path = gdvar_node_path(document, i);
    require(!path.names || std::size_t{path.names} + path.subnames == count,
            "a NodePath has its names");
    gdvar_container_type first, second;
    gdvar_node_types(document, i, &first, &second);
    require(first.kind <= GDVAR_SCRIPT && second.kind <= GDVAR_SCRIPT, "a type has a kind");
    require(within(tape, first.name.data, first.name.size) &&
                within(tape, second.name.data, second.name.size),
            "a type's name is the packet's");
    const gdvar_image image = gdvar_node_image(document, i);
    require(within(tape, image.data.data, image.data.size), "an Image is the packet's");
    require(gdvar_node_input_event(document, i).word_count <= 2, "an event has two words at most");
}

/// How many nodes hold the components of this one.
std::uint32_t copied(const gdvar_node& node) {
    if (!(node.flags & GDVAR_COPIED))
        return 0;
    const std::size_t bytes =
        gdvar_describe_type(node.type).components * (node.flags & GDVAR_WIDE ? 8u : 4u);
    return static_cast<std::uint32_t>((bytes + sizeof node - 1) / sizeof node);
}

/// The nodes lie in each other as the header says.
void check_nesting(const gdvar_tape& tape) {
    std::vector<std::uint32_t> ends{static_cast<std::uint32_t>(tape.count)};
    std::uint64_t offset = 0;
    for (std::uint32_t i = 0; i < tape.count; ++i) {
        const gdvar_node& node = tape.nodes[i];
        while (ends.back() == i)
            ends.pop_back();
        require(node.offset >= offset && node.offset < tape.size, "nodes are in order");
        offset = node.offset;
        require(node.type < GDVAR_TYPE_COUNT, "a node has a type");
        i += copied(node);
        const bool spans = node.type == GDVAR_ARRAY || node.type == GDVAR_PACKED_TYPED_ARRAY ||
                           node.type == GDVAR_DICTIONARY ||
                           (node.type == GDVAR_OBJECT && node.flags & GDVAR_FULL);
        if (!spans || node.flags & (GDVAR_PROPERTY | GDVAR_COPIED))
            continue;
        require(node.as.span.end > i && node.as.span.end <= ends.back(), "ends nest");
        const std::uint32_t children = node.type == GDVAR_DICTIONARY || node.type == GDVAR_OBJECT
                                           ? node.as.span.count * 2
                                           : node.as.span.count;
        require(node.as.span.end - i > children, "children are there");
        if (node.as.span.end > i + 1)
            ends.push_back(node.as.span.end);
    }
    while (!ends.empty() && ends.back() == tape.count)
        ends.pop_back();
    require(ends.empty(), "everything ends");
}

void check_tape(const gdvar_document* document) {
    const gdvar_tape tape = gdvar_document_tape(document);
    check_nesting(tape);
    // A container's bytes take a look at what is in it, so not all are asked for in a large packet.
    const std::size_t step = tape.count > 4096 ? tape.count / 512 : 1;
    for (std::uint32_t i = 0, next = 0; i < tape.count; i += 1 + copied(tape.nodes[i]))
        if (i >= next) {
            check_accessors(document, tape, i);
            next = i + static_cast<std::uint32_t>(step);
        }
    const auto end = static_cast<std::uint32_t>(tape.count);
    for (const std::uint32_t off : {end, end + 1, GDVAR_NO_NODE})
        require(gdvar_node_bytes(document, off).size == 0 &&
                    gdvar_node_name(document, off).size == 0 &&
                    gdvar_node_texts(document, off, nullptr, 0) == 0 &&
                    gdvar_find_index(document, off, 0) == GDVAR_NO_NODE,
                "off the tape there is nothing");
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(end, 8); i += 1 + copied(tape.nodes[i]))
        for (const std::uint32_t found :
             {gdvar_find_index(document, i, 0), gdvar_find_text(document, i, text("a"))})
            require(found == GDVAR_NO_NODE || (found > i && found < end),
                    "what is found is inside");
}

// ---- items

std::string full_text(gdvar_bytes packet, const gdvar_options& options) {
    const Document document = read(packet, options);
    const Buffer to;
    if (!document ||
        gdvar_print(document.get(), 0, GDVAR_TEXT_FULL, 0, to, nullptr, nullptr, nullptr))
        return "?";
    return std::string(to.text().data, to.text().size);
}

/// Whether it can be read without limits. The Encoder does not look at scripts.
bool is_packet(gdvar_bytes bytes, gdvar_options options) {
    const gdvar_options all = GDVAR_OPTIONS_INIT;
    options.flags &= ~std::uint32_t{GDVAR_STRICT};
    options.max_bytes = all.max_bytes;
    options.max_nodes = all.max_nodes;
    gdvar_error error;
    return !gdvar_validate(bytes, &options, nullptr, &error) ||
           error.code == gdvar_error_code("bad_script");
}

/// Items that may not stand where they do are refused, and leave nothing.
void check_mutated(items& list, const Input& input) {
    const std::size_t at =
        input.path.empty() ? 0 : static_cast<unsigned char>(input.path[0]) * list.count / 256;
    const gdvar_item kept = list.data[at];
    constexpr std::uint8_t others[] = {GDVAR_NIL, GDVAR_INT, GDVAR_ARRAY, 250};
    for (const std::uint8_t type : others) {
        list.data[at].type = type;
        list.data[at].flags = 0;
        const Buffer to, path;
        gdvar_error error;
        const auto code = gdvar_encode(list.data, list.count, &input.options, to, &error, path);
        if (!code)
            require(is_packet(to.bytes(), input.options), "what is written can be read");
        else
            check_error(code, error);
        require(!code || (to.bytes().size == 0 && path.bytes().size > 0),
                "what is refused leaves nothing but a path");
    }
    list.data[at] = kept;
}

/// The packet as its items write it; false if they may not be written.
bool check_items(const gdvar_document* document, const Input& input, const Buffer& to) {
    items list{};
    add_all(&list, document);
    const Buffer path;
    gdvar_error error;
    const auto code = gdvar_encode(list.data, list.count, &input.options, to, &error, path);
    if (code) {
        check_error(code, error);
        require(to.bytes().size == 0 && *static_cast<const char*>(path.bytes().data) == '$',
                "what is refused has a path");
    } else {
        require(list.count == 1 || gdvar_encode(list.data, list.count - 1, &input.options, to,
                                                &error, nullptr) != 0,
                "a tree without its last item is refused");
        gdvar_options lenient = input.options;
        lenient.flags &= ~std::uint32_t{GDVAR_STRICT};
        require(full_text(to.bytes(), lenient) == full_text(input.bytes(), lenient),
                "items give the same value");
        const Document again = read(to.bytes(), lenient);
        items second{};
        add_all(&second, again.get());
        const Buffer twice;
        require(
            gdvar_encode(second.data, second.count, &input.options, twice, nullptr, nullptr) == 0 &&
                same(to, twice),
            "and the same bytes again");
        free_items(&second);
    }
    check_mutated(list, input);
    free_items(&list);
    return code == 0;
}

// ---- text

/// All forms, but of the engines' texts one: more would cost too much for large inputs.
std::array<int, 4> forms_of(const Input& input) {
    constexpr int texts[] = {GDVAR_TEXT,    GDVAR_TEXT_3_2,         GDVAR_TEXT_3_6,
                             GDVAR_TEXT_4,  GDVAR_TEXT_PANDEMONIUM, GDVAR_TEXT_2,
                             GDVAR_TEXT_4_0};
    return {texts[input.path.size() % std::size(texts)], GDVAR_TEXT_FULL, GDVAR_JSON,
            GDVAR_PLAIN_JSON};
}

void check_text(const gdvar_document* document, const Input& input, const Buffer* canonical) {
    gdvar_options lenient = input.options;
    lenient.flags &= ~std::uint32_t{GDVAR_STRICT};
    const auto lose = [](void* user, const gdvar_loss* loss) {
        *static_cast<std::size_t*>(user) += loss->path.size + loss->what.size;
    };
    for (const int form : forms_of(input)) {
        const Buffer printed, again, path;
        std::size_t losses = 0;
        gdvar_error error;
        require(gdvar_print(document, 0, form, 0, printed, lose, &losses, &error) == 0,
                "a value can be printed");
        const auto code =
            gdvar_parse_with_path(printed.text(), form, &lenient, again, &error, path);
        if (code)
            check_error(code, error);
        const bool lossless = form == GDVAR_TEXT_FULL || form == GDVAR_JSON;
        if (lossless && canonical)
            require(code == 0 && same(again, *canonical), "text without loss comes back");
    }
}

/// Any bytes as text.
void check_parse(const Input& input) {
    for (const int form : forms_of(input)) {
        const Buffer to;
        gdvar_error error;
        const std::string_view raw(reinterpret_cast<const char*>(input.packet.data()),
                                   input.packet.size());
        const auto code = gdvar_parse(text(raw), form, &input.options, to, &error);
        if (!code)
            continue;
        check_error(code, error);
        require(to.bytes().size == 0, "what is refused leaves nothing");
        if (error.source == GDVAR_FROM_TEXT)
            require(error.offset <= raw.size() && error.line >= 1 && error.column >= 1,
                    "the place is in the text");
    }
}

// ---- looking

void check_looks(const Input& input, std::uint16_t verdict) {
    struct Rows {
        std::uint64_t bytes = 0;
        bool in_order = true;
    } rows;
    const auto row = [](void* user, const gdvar_row* given) {
        auto& to = *static_cast<Rows*>(user);
        to.in_order &= given->offset == to.bytes || given->size == 0;
        to.bytes += given->size;
    };
    gdvar_error error;
    std::size_t size = 0;
    const auto code = gdvar_annotate(input.bytes(), &input.options, row, &rows, &size, &error);
    require((code == 0) == (verdict == 0), "annotate refuses what validate refuses");
    require(rows.in_order && rows.bytes == input.packet.size(), "every byte is in one row");
    require(code || size <= input.packet.size(), "a packet is no larger than the bytes");
    std::uint64_t quirks = 0;
    const auto quirk = [](void*, const gdvar_quirk* given) {
        require(given->name.size && given->path.size, "a quirk has a name and a path");
    };
    gdvar_options lenient = input.options;
    lenient.flags &= ~std::uint32_t{GDVAR_STRICT};
    const bool read = gdvar_validate(input.bytes(), &lenient, nullptr, nullptr) == 0;
    const auto checked =
        gdvar_check(input.bytes(), &input.options, 10, quirk, nullptr, &quirks, &error);
    require(read == (checked == 0), "check reads what can be read");
    const gdvar_bytes packet = input.bytes();
    int ambiguous = 0;
    (void)gdvar_guess(
        &packet, 1,
        [](void*, const gdvar_candidate* candidate) {
            require(candidate->dialect && candidate->reason.size, "a candidate has a reason");
        },
        nullptr, &ambiguous);
}

// ---- changing

void check_convert(const Input& input) {
    gdvar_options to_options = input.options;
    to_options.flags = GDVAR_ALLOW_OBJECTS;
    to_options.dialect = gdvar_dialect_at(input.path.size() % 13);
    const Buffer to;
    gdvar_error error;
    std::size_t losses = 0;
    const auto lose = [](void* user, const gdvar_loss* loss) {
        *static_cast<std::size_t*>(user) += loss->what.size;
    };
    // Each loss has a path; long ones would take many bytes.
    const auto code = gdvar_convert(input.bytes(), &input.options, &to_options, to,
                                    input.all ? +lose : nullptr, &losses, &error);
    if (code)
        check_error(code, error, input.bytes(), input.options);
    else
        require(gdvar_validate(to.bytes(), &to_options, nullptr, nullptr) == 0,
                "what was converted can be read");
}

void check_refusal(void* user, const gdvar_refusal* refusal) {
    require(refusal->code && refusal->what.size, "a refusal has words");
    *static_cast<std::uint16_t*>(user) = refusal->code;
}

void check_path(const gdvar_document* document, const Input& input) {
    const gdvar_text path = text(input.path);
    gdvar_error error;
    int several = 2;
    const auto sound = gdvar_path_several(path, &several, &error);
    if (sound)
        require(error.offset <= path.size && several == 2, "what is no path has a place");
    std::size_t found = 0;
    const auto match = [](void* user, const gdvar_match* given) {
        require(given->packet.size >= 4 && given->path.size, "a match is a packet");
        ++*static_cast<std::size_t*>(user);
        return 1;
    };
    std::size_t seen = 0;
    const auto code = gdvar_lookup(document, path, match, &seen, &found, &error);
    std::uint16_t explained = 0;
    require(
        gdvar_explain_path(document, path, check_refusal, &explained) == code && explained == code,
        "what finds nothing is explained");
    if (code) {
        check_error(code, error, input.bytes(), input.options);
        return;
    }
    require(seen == found && (several || found == 1), "a path to one value finds one");
}

/// Values that are set and erased can be read, and a patch of the difference does the same.
void check_edits(const gdvar_document* document, const Input& input) {
    const gdvar_tape tape = gdvar_document_tape(document);
    const gdvar_bytes packet{tape.bytes, tape.size};
    gdvar_options lenient = input.options;
    lenient.flags &= ~std::uint32_t{GDVAR_STRICT};
    const Buffer seven, set, erased, patch, patched;
    gdvar_error error;
    if (gdvar_parse(text("7"), GDVAR_TEXT, &lenient, seven, &error))
        return;
    const gdvar_text path = text(input.path);
    if (const auto code = gdvar_erase(packet, path, &lenient, erased, &error))
        check_error(code, error, packet, lenient);
    else
        require(gdvar_validate(erased.bytes(), &lenient, nullptr, nullptr) == 0,
                "what is left can be read");
    if (const auto code = gdvar_set(packet, path, seven.bytes(), &lenient, set, &error)) {
        check_error(code, error, packet, lenient);
        return;
    }
    const Document after = read(set.bytes(), lenient);
    // At the limits a value more is one too many.
    if (!after)
        return;
    const auto code = gdvar_diff(document, after.get(), patch, &error);
    if (code) {
        check_error(code, error);
        return;
    }
    if (const auto refused = gdvar_patch(packet, patch.bytes(), &lenient, patched, &error)) {
        check_error(refused, error);
        require(error.code != gdvar_error_code("bad_path"), "a patch fits");
        return;
    }
    require(full_text(patched.bytes(), lenient) == full_text(set.bytes(), lenient),
            "a patch gives the other value");
}

// ---- streams and saves

void check_frames(const Input& input, gdvar_bytes packet) {
    for (const int big : {0, 1}) {
        const Buffer stream;
        gdvar_error error;
        for (int i = 0; i < 2; ++i)
            require(gdvar_append_frame(packet, big, stream, &error) == 0, "a packet is framed");
        const Framer framer(gdvar_framer_new(big, UINT32_MAX));
        const gdvar_bytes whole = stream.bytes();
        const std::size_t piece = 1 + input.path.size() * 7;
        int frames = 0;
        for (std::size_t at = 0; at < whole.size; at += piece) {
            const gdvar_bytes part{static_cast<const std::uint8_t*>(whole.data) + at,
                                   std::min(piece, whole.size - at)};
            require(gdvar_framer_feed(framer.get(), part, &error) == 0, "a stream is fed");
            gdvar_bytes next;
            int there = 1;
            for (;;) {
                require(gdvar_framer_next(framer.get(), &next, &there, &error) == 0, "and cut");
                if (!there)
                    break;
                ++frames;
                require(same(next, packet), "a frame is the packet");
            }
            require(at + piece >= whole.size || gdvar_framer_need(framer.get()) > 0 || !packet.size,
                    "more is needed");
        }
        require(frames == 2 && gdvar_framer_finish(framer.get(), &error) == 0, "all came");
    }
    // Any bytes as a stream.
    const Framer framer(gdvar_framer_new(0, 1 << 20));
    gdvar_error error;
    gdvar_bytes next;
    int there = 1;
    auto code = gdvar_framer_feed(framer.get(), input.bytes(), &error);
    while (!code && there)
        code = gdvar_framer_next(framer.get(), &next, &there, &error);
    if (code)
        check_error(code, error);
}

/// Edits of records and their refusals; what is taken back leaves the file.
void check_save(gdvar_bytes file, gdvar_bytes packet, const Input& input) {
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    options.flags = GDVAR_ALLOW_OBJECTS;
    options.max_bytes = 1 << 20;
    gdvar_save* opened = nullptr;
    gdvar_error error;
    if (const auto code = gdvar_save_read(file, &options, &opened, &error)) {
        check_error(code, error);
        return;
    }
    const Save save(opened);
    const std::size_t count = gdvar_save_count(opened);
    const Buffer before, after, got, layers;
    require(gdvar_save_layers(opened, layers, &error) == 0, "a save has layers");
    const bool written = gdvar_save_bytes(opened, before, &error) == 0;
    std::uint16_t explained = 0;
    require(gdvar_save_keep_changes(opened, 0, &error) == 0, "changes can be kept");
    if (const auto code = gdvar_save_insert(opened, -1, packet, &error)) {
        require(gdvar_save_explain(opened, check_refusal, &explained) == code && explained == code,
                "a refusal is explained");
    } else {
        require(gdvar_save_count(opened) == count + 1 && gdvar_save_changed(opened), "one more");
        require(same(gdvar_save_at(opened, count - 1).packet, packet), "it is before the last one");
        require(gdvar_save_remove(opened, -2, &error) == 0, "and can be removed");
        require(gdvar_save_explain(opened, nullptr, nullptr) == 0, "nothing was refused");
    }
    require(gdvar_save_count(opened) == count, "as before");
    if (written && layers.bytes().size == 0)
        require(gdvar_save_bytes(opened, after, &error) == 0 && same(before, after),
                "what is taken back leaves the file");
    gdvar_bytes content{};
    gdvar_place place{};
    std::uint64_t inside = 0;
    std::size_t index = 0;
    if (count && gdvar_save_content(opened, &content, &error) == 0) {
        const std::size_t some = std::min(content.size, std::size_t{32});
        for (std::size_t at = content.size - some; at < content.size; ++at) {
            require(gdvar_save_value_at(opened, at, &index, &inside, &error) == 0 && index < count,
                    "each byte belongs to a value");
            require(gdvar_save_place(opened, index, 0, &place, &error) == 0 &&
                        place.begin <= place.end && place.end <= content.size,
                    "and the value is in the content");
            const Buffer path, whole;
            const std::string number = '#' + std::to_string(index) + " $";
            const auto sound = gdvar_save_get(opened, text(number), whole, &error);
            require(gdvar_save_path_at(opened, at, path, &error) == sound,
                    "a value that can be read has a path");
            // The path of a repeated key leads to the last.
            require(sound || (gdvar_save_place_of(opened, path.text(), &place, &error) == 0 &&
                              place.begin <= place.end && place.end <= content.size),
                    "which leads to a place");
        }
    }
    const std::string path = "#0 " + input.path;
    const auto go_on = [](void*, const gdvar_match* match) {
        return match->packet.size >= 4 ? 1 : 0;
    };
    std::size_t matches = 0;
    for (const auto code :
         {gdvar_save_get(opened, text(path), got, &error),
          gdvar_save_find_each(opened, text(path), go_on, nullptr, &matches, &error),
          gdvar_save_set_all(opened, text(path), packet, 0, &matches, &error),
          gdvar_save_erase_all(opened, text(path), &matches, &error),
          gdvar_save_set(opened, text(path), packet, GDVAR_SET_CREATE, &error),
          gdvar_save_erase(opened, text(path), &error)})
        if (code)
            check_error(code, [&] {
                error.code = code;
                return error;
            }());
    for (std::size_t changes = gdvar_save_undo_count(opened); changes-- > 0;)
        require(gdvar_save_undo(opened, &error) == 0 && gdvar_save_undo_count(opened) == changes,
                "each change can be taken back");
    require(!gdvar_save_changed(opened), "and leaves the save as it came");
    gdvar_buffer_clear(after);
    if (written && layers.bytes().size == 0)
        require(gdvar_save_bytes(opened, after, &error) == 0 && same(before, after), "to the byte");
    explained = 0;
    const auto last = gdvar_save_erase(opened, text(path), &error);
    require(gdvar_save_explain(opened, check_refusal, &explained) == explained, "as it says");
    require((last == 0) == (explained == 0), "what is refused is explained");
}

void check_files(const Input& input, gdvar_bytes packet) {
    const Buffer wrapped, inside, layers, records;
    gdvar_error error;
    require(gdvar_wrap(packet, text("base64 gcpf-fastlz"), nullptr, wrapped, &error) == 0,
            "bytes are wrapped");
    if (packet.size && !gdvar_unwrap(wrapped.bytes(), nullptr, inside, layers, &error))
        require(inside.bytes().size > 0, "and unwrapped");
    for (int i = 0; i < 2; ++i)
        require(gdvar_append_frame(packet, 0, records, &error) == 0, "records");
    check_save(records.bytes(), packet, input);
    check_save(packet, packet, input);
    check_save(input.bytes(), packet, input);
}

// ---- whole saves

Save opened_save(gdvar_bytes file, const gdvar_save_options& options) {
    gdvar_save* opened = nullptr;
    gdvar_error error;
    if (const auto code = gdvar_save_read(file, &options, &opened, &error))
        check_error(code, error);
    return Save(opened);
}

/// A patch of the differences makes one save equal to the other.
void check_patch(const Save& from, const Save& to, gdvar_text path) {
    const Buffer seven, patch, rest, none;
    gdvar_error error;
    gdvar_options writing = GDVAR_OPTIONS_INIT;
    writing.dialect = gdvar_save_dialect(to.get());
    // A repeated setting is ambiguous; a key that is unequal to
    // itself always differs. An empty Array has 8 bytes.
    if (gdvar_save_diff(from.get(), to.get(), none, &error) || none.bytes().size != 8)
        return;
    require(
        gdvar_save_patch(from.get(), none.bytes(), &error) == 0 && !gdvar_save_changed(from.get()),
        "the same save has no differences");
    if (gdvar_parse(text("7"), GDVAR_TEXT, &writing, seven, &error) ||
        gdvar_save_set(to.get(), path, seven.bytes(), GDVAR_SET_CREATE | GDVAR_SET_TYPE, &error) ||
        gdvar_save_diff(from.get(), to.get(), patch, &error))
        return;
    if (gdvar_save_patch(from.get(), patch.bytes(), &error)) {
        check_error(error.code, error);
        return;
    }
    require(gdvar_save_diff(from.get(), to.get(), rest, &error) == 0 && same(rest, none),
            "a patch gives the other save");
}

void check_recovery(gdvar_bytes file, const gdvar_save_options& options) {
    gdvar_recovery* found = nullptr;
    gdvar_error error;
    if (const auto code = gdvar_recover(file, &options, &found, &error)) {
        check_error(code, error);
        return;
    }
    const Recovery recovery(found);
    const Buffer sound, stack;
    require(gdvar_recovery_stack(found, stack, &error) == 0 && stack.bytes().size,
            "what was recovered has a stack");
    for (std::size_t i = 0; i < gdvar_recovery_count(found); ++i) {
        const gdvar_recovered item = gdvar_recovery_at(found, i);
        require(item.packet.size >= 4 && (item.state == GDVAR_PARTIAL) == (item.broken.code != 0),
                "what breaks off has a reason");
    }
    for (std::size_t i = 0; i < gdvar_recovery_lost_count(found); ++i)
        require(gdvar_recovery_lost_at(found, i).reason.size, "what is lost has a reason");
    if (const auto code = gdvar_recovery_write(found, {nullptr, 0}, nullptr, sound, &error))
        check_error(code, error);
}

void check_whole(const Input& input) {
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    options.max_bytes = 1 << 20;
    options.flags = GDVAR_ALL_READINGS;
    const gdvar_text path = text(input.path);
    const Buffer stack, converted;
    const gdvar_bytes file{input.file.data(), input.file.size()};
    gdvar_error error;
    // A frame of zstd may ask for a window of 64 MB (OpenOptions::max_memory), whatever its size.
    if (input.file.size() > 4 && !std::memcmp(input.file.data(), "\x28\xb5\x2f\xfd", 4))
        return;
    std::size_t found = 0;
    const auto finding = [](void* user, const gdvar_finding* given) {
        require(given->name.size, "what was found has a name");
        ++*static_cast<std::size_t*>(user);
    };
    if (const auto code = gdvar_identify(file, &options, finding, &found, stack, &error))
        check_error(code, error);
    require(found && stack.bytes().size, "something is found");
    const Save from = opened_save(file, options), to = opened_save(file, options);
    if (from && to) {
        check_patch(from, to, path);
        if (const auto code =
                gdvar_save_convert(to.get(), gdvar_dialect_at(input.path.size() % 13), {nullptr, 0},
                                   converted, nullptr, nullptr, &error, nullptr))
            check_error(code, error);
    }
    options.inside = &path;
    options.inside_count = 1;
    (void)opened_save(file, options);
    check_recovery(file, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Input input(data, size);
    const Document document(gdvar_document_new());
    gdvar_error error, validated;
    std::size_t taken = 0;
    const auto code = gdvar_document_read(document.get(), input.bytes(), &input.options, &error);
    require(gdvar_validate(input.bytes(), &input.options, &taken, &validated) == code &&
                (!code || (validated.offset == error.offset && validated.need == error.need)),
            "validate and read agree");
    if (input.does(2))
        check_looks(input, code);
    if (input.does(1))
        check_parse(input);
    if (input.does(3))
        check_convert(input);
    if (input.does(7))
        check_whole(input);
    const gdvar_tape tape = gdvar_document_tape(document.get());
    if (code) {
        require(tape.count == 0, "what is refused has no nodes");
        check_error(code, error, input.bytes(), input.options);
        return 0;
    }
    require(tape.size == taken && taken <= input.packet.size(), "sizes agree");
    check_tape(document.get());
    const Buffer canonical;
    const bool writes = check_items(document.get(), input, canonical);
    if (input.does(1))
        check_text(document.get(), input, writes ? &canonical : nullptr);
    if (input.does(4)) {
        check_path(document.get(), input);
        check_edits(document.get(), input);
    }
    const gdvar_bytes packet{tape.bytes, tape.size};
    if (input.does(5))
        check_frames(input, packet);
    if (input.does(6))
        check_files(input, packet);
    return 0;
}
