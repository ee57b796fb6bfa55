// Through the C interface: walking a packet's tape, and writing a tree of items.
#include <gdvar/gdvar.h>

#include <cstring>
#include <memory>

#include "task.hpp"

namespace gdvar::bench {
namespace {

struct Free {
    void operator()(gdvar_document* document) const { gdvar_document_free(document); }
    void operator()(gdvar_buffer* buffer) const { gdvar_buffer_free(buffer); }
};
using DocumentHandle = std::unique_ptr<gdvar_document, Free>;
using BufferHandle = std::unique_ptr<gdvar_buffer, Free>;

gdvar_bytes bytes_of(const PackedByteArray& packet) {
    return {packet.data(), packet.size()};
}

// ---- the tape

/// Reads a text or a packed array at both ends.
std::uint64_t of_ends(const void* data, std::size_t count, std::size_t size) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    return count + (size ? bytes[0] + bytes[size - 1] : 0u);
}
std::uint64_t of_words(const void* data, std::size_t words) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < words; ++i) {
        std::uint32_t word;
        std::memcpy(&word, static_cast<const std::uint8_t*>(data) + 4 * i, 4);
        sum += word;
    }
    return sum;
}

std::uint64_t of_names(const gdvar_document* document, std::uint32_t node) {
    gdvar_text names[16];
    const std::size_t count = gdvar_node_texts(document, node, names, std::size(names));
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < std::min(count, std::size(names)); ++i)
        sum += of_ends(names[i].data, names[i].size, names[i].size);
    return sum;
}

/// A program that reads every value: no call for any but a NodePath.
std::uint64_t sum_of_tape(const gdvar_document* document, const gdvar_type_info* types) {
    const gdvar_tape tape = gdvar_document_tape(document);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < tape.count; ++i) {
        const gdvar_node& node = tape.nodes[i];
        const std::uint8_t* at = tape.bytes + node.offset;
        switch (node.type) {
            case GDVAR_NIL:
                break;
            case GDVAR_BOOL:
            case GDVAR_INT:
            case GDVAR_FLOAT:
                sum += node.as.bits;
                break;
            case GDVAR_STRING:
            case GDVAR_STRING_NAME:
                sum += of_ends(at + 8, node.as.span.count, node.as.span.count);
                break;
            case GDVAR_NODE_PATH:
                sum += of_names(document, static_cast<std::uint32_t>(i));
                break;
            case GDVAR_DICTIONARY:
            case GDVAR_ARRAY:
                sum += node.as.span.count;
                break;
            default: {
                const gdvar_type_info& type = types[node.type];
                const std::size_t size = type.component == GDVAR_U8 ? 1
                                         : type.component == GDVAR_I64 || node.flags & GDVAR_WIDE ||
                                                 type.component == GDVAR_F64
                                             ? 8
                                             : 4;
                if (type.packed)
                    sum += of_ends(at + 8, node.as.span.count,
                                   node.as.span.count * size * type.components);
                else
                    sum += of_words(at + 4, type.components * size / 4);
            }
        }
    }
    return sum;
}

/// The same of the value that was written.
std::uint64_t sum_of(const Variant& value) {
    std::uint64_t sum = 0;
    switch (value.type()) {
        case Type::nil:
            return 0;
        case Type::boolean:
            return value.boolean();
        case Type::integer:
            return static_cast<std::uint64_t>(value.integer());
        case Type::real:
            return std::bit_cast<std::uint64_t>(value.real());
        case Type::string:
        case Type::string_name:
            return of_ends(value.text().data(), value.text().size(), value.text().size());
        case Type::node_path:
            value.get_if<NodePath>()->view().each([&](std::string_view name, bool) {
                sum += of_ends(name.data(), name.size(), name.size());
            });
            return sum;
        case Type::array:
            for (const Variant& item : *value.get_if<Array>())
                sum += sum_of(item);
            return sum + value.get_if<Array>()->size();
        case Type::dictionary:
            for (const auto& pair : *value.get_if<Dictionary>())
                sum += sum_of(pair.key) + sum_of(pair.value);
            return sum + value.get_if<Dictionary>()->size();
        default:
            break;
    }
    if (type_info(value.type()).packed) {
        const PackedView packed = value.packed();
        return of_ends(packed.data, packed.count, packed.count * packed.element_size());
    }
    const MathView math = value.math();
    return of_words(math.data, math.components() * (math.wide ? 2 : 1));
}

void tape(benchmark::State& state, const Workload& of) {
    gdvar_type_info types[GDVAR_TYPE_COUNT];
    for (std::size_t i = 0; i < GDVAR_TYPE_COUNT; ++i)
        types[i] = gdvar_describe_type(static_cast<std::uint8_t>(i));
    const DocumentHandle document(gdvar_document_new());
    std::uint64_t sum = 0;
    run(
        state, of,
        [&](std::size_t i) {
            const auto code =
                gdvar_document_read(document.get(), bytes_of(of.packets[i]), nullptr, nullptr);
            sum = code ? 0 : sum_of_tape(document.get(), types);
            benchmark::DoNotOptimize(sum);
        },
        [&](std::size_t i) { return sum == sum_of(of.values[i]); });
}

// ---- items

/// The items of a value. They borrow from it.
void add_items(std::vector<gdvar_item>& to, const Variant& value) {
    const auto add = [&](std::size_t count) -> gdvar_item& {
        return to.emplace_back(gdvar_item{
            static_cast<std::uint8_t>(value.type()), 0, 0, static_cast<std::uint32_t>(count), {0}});
    };
    switch (value.type()) {
        case Type::nil:
            add(0);
            return;
        case Type::boolean:
            add(0).as.bits = value.boolean();
            return;
        case Type::integer:
            add(0).as.integer = value.integer();
            return;
        case Type::real:
            add(0).as.real = value.real();
            return;
        case Type::string:
        case Type::string_name:
            add(value.text().size()).as.data = value.text().data();
            return;
        case Type::node_path: {
            const NodePathView path = value.get_if<NodePath>()->view();
            gdvar_item& item = add(path.name_count() + path.subname_count());
            item.flags = path.absolute() ? GDVAR_ITEM_ABSOLUTE : 0;
            item.as.bits = path.subname_count();
            path.each([&](std::string_view name, bool) {
                gdvar_item text{GDVAR_STRING, 0, 0, static_cast<std::uint32_t>(name.size()), {0}};
                text.as.data = name.data();
                to.push_back(text);
            });
            return;
        }
        case Type::array:
            add(value.size());
            for (const Variant& item : *value.get_if<Array>())
                add_items(to, item);
            return;
        case Type::dictionary:
            add(value.size());
            for (const auto& pair : *value.get_if<Dictionary>()) {
                add_items(to, pair.key);
                add_items(to, pair.value);
            }
            return;
        default:
            break;
    }
    if (type_info(value.type()).packed) {
        const PackedView packed = value.packed();
        gdvar_item& item = add(packed.count);
        item.flags = packed.wide ? GDVAR_ITEM_WIDE : 0;
        item.as.data = packed.data;
    } else {
        const MathView math = value.math();
        gdvar_item& item = add(0);
        item.flags = math.wide ? GDVAR_ITEM_WIDE : 0;
        item.as.data = math.data;
    }
}

bool same_bytes(gdvar_bytes bytes, const PackedByteArray& packet) {
    return bytes.size == packet.size() && !std::memcmp(bytes.data, packet.data(), bytes.size);
}

std::vector<std::vector<gdvar_item>> items_of(const Workload& of) {
    std::vector<std::vector<gdvar_item>> all(of.values.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        add_items(all[i], of.values[i]);
    return all;
}

void encode_items(benchmark::State& state, const Workload& of) {
    const auto items = items_of(of);
    BufferHandle made;
    run(
        state, of,
        [&](std::size_t i) {
            made.reset(gdvar_buffer_new());
            auto code = gdvar_encode(items[i].data(), items[i].size(), nullptr, made.get(), nullptr,
                                     nullptr);
            benchmark::DoNotOptimize(code);
        },
        [&](std::size_t i) { return same_bytes(gdvar_buffer_bytes(made.get()), of.packets[i]); });
}

void encode_items_reused(benchmark::State& state, const Workload& of) {
    const auto items = items_of(of);
    const BufferHandle kept(gdvar_buffer_new());
    run(
        state, of,
        [&](std::size_t i) {
            gdvar_buffer_clear(kept.get());
            auto code = gdvar_encode(items[i].data(), items[i].size(), nullptr, kept.get(), nullptr,
                                     nullptr);
            benchmark::DoNotOptimize(code);
        },
        [&](std::size_t i) { return same_bytes(gdvar_buffer_bytes(kept.get()), of.packets[i]); });
}

[[maybe_unused]] const int registered = [] {
    const auto& all = workload_names();
    add("tape", all, tape);
    add("encode_items", all, encode_items);
    add("encode_items_reused", all, encode_items_reused);
    return 0;
}();

}  // namespace
}  // namespace gdvar::bench
