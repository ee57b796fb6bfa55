// Applying patches: to a packet's bytes, in one pass over them, and to Variants.
#include <deque>
#include <functional>
#include <new>
#include <optional>
#include <ranges>
#include <variant>

#include "base/exceptions.hpp"
#include "base/index.hpp"
#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/inspect/diff.hpp"
#include "gdvar/value/codec.hpp"
#include "inspect/edit_bytes.hpp"
#include "inspect/rope.hpp"
#include "inspect/same_keys.hpp"

namespace gdvar::inspect {
namespace {

using detail::Child;
using detail::Children;

constexpr std::uint32_t no_entry = UINT32_MAX;

struct Node;
/// A value that stays as it is, in the packet or in a Variant; a value of the patch; or a container
/// that changes.
using Slot = std::variant<View, Variant*, const Variant*, Node*>;
/// A key, in the packet or of the patch, or a property's name.
using Key = std::variant<View, const Variant*, std::string_view>;

/// A pair or property.
struct Entry {
    Key key;
    Slot value;
    detail::KeyIdentity identity;
    bool gone = false;
};

/// The pairs of a Dictionary or the properties of an Object, found by key.
class Entries {
public:
    explicit Entries(const detail::KeyRules& rules) : rules_(&rules) {}
    Entry& operator[](std::uint32_t i) noexcept { return all_[i]; }
    const std::vector<Entry>& all() const noexcept { return all_; }
    std::size_t size() const noexcept { return size_; }

    void reserve(std::size_t count) {
        all_.reserve(count);
        make_index(count);
    }
    void append(const Key& key, Slot value) {
        all_.push_back({key, value, identity_of(key)});
        ++size_;
        const auto number = static_cast<std::uint32_t>(all_.size() - 1);
        if (index_ && index_->takes(number))
            put(number);
        else
            make_index(2 * all_.size());
    }
    /// The pair that it replaced counts again, if there is one.
    void erase(std::uint32_t i) {
        all_[i].gone = true;
        --size_;
        index_->take_out(i, all_[i].identity.digest.low,
                         [&](std::uint32_t other) { return all_[other].identity.digest.low; });
    }
    /// Puts the entries in the order of `keys`. False unless these are all of the entries, each
    /// once.
    bool reorder(const Array& keys) {
        if (keys.size() != size_)
            return false;
        Entries out(*rules_);
        out.reserve(size_);
        for (const Variant& key : keys) {
            const std::uint32_t i = find(Key(&key));
            if (i == no_entry)
                return false;
            all_[i].gone = true;
            out.append(all_[i].key, all_[i].value);
        }
        *this = std::move(out);
        return true;
    }
    /// The last one with that key, or `none`.
    std::uint32_t find(const Key& key) const {
        if (!index_)
            return no_entry;
        const detail::Digest digest = identity_of(key).digest;
        const std::uint32_t i = index_->find(
            digest.low, [&](std::uint32_t other) { return all_[other].identity.digest == digest; });
        return i == no_entry || all_[i].gone ? no_entry : i;
    }

private:
    detail::KeyIdentity identity_of(const Key& key) const {
        return std::visit(
            [this](const auto& held) {
                if constexpr (std::is_pointer_v<std::decay_t<decltype(held)>>)
                    return detail::identity_of(*held, *rules_);
                else
                    return detail::identity_of(held, *rules_);
            },
            key);
    }
    void make_index(std::size_t count) {
        index_.reset(detail::Index::make(count));
        if (!index_)
            GDVAR_THROW_NO_MEMORY();
        for (std::uint32_t i = 0; i < all_.size(); ++i)
            if (!all_[i].gone)
                put(i);
    }
    void put(std::uint32_t number) {
        const detail::Digest& digest = all_[number].identity.digest;
        const std::uint32_t before = index_->put(number, digest.low, [&](std::uint32_t other) {
            return all_[other].identity.digest == digest;
        });
        if (before != no_entry && !index_->remember(number, before))
            GDVAR_THROW_NO_MEMORY();
    }

    const detail::KeyRules* rules_;
    std::vector<Entry> all_;
    detail::OwnedIndex index_;
    std::size_t size_ = 0;
};

/// A container in which something changes.
struct Node {
    explicit Node(const detail::KeyRules& rules) : entries(rules) {}
    Type type = Type::nil;
    View from;                  ///< the container, in a packet
    Variant* source = nullptr;  ///< or in a Variant, which finally holds the changed container
    detail::Rope<Slot> elements;
    Entries entries;
    bool is_array() const noexcept {
        return type == Type::array || type == Type::packed_typed_array;
    }
    std::size_t size() const noexcept { return is_array() ? elements.size() : entries.size(); }
};

class Patcher {
public:
    /// If `writing` is null, all containers are Variants.
    Patcher(const Slot& root, const EncodeOptions* writing)
        : root_(root),
          writing_(writing),
          rules_(writing ? detail::key_rules(writing->dialect->family) : detail::value_key_rules) {}

    Errc apply(const Change& change) {
        const bool itself = change.kind == Change::set || change.kind == Change::order;
        if (!itself && change.at.empty())
            return Errc::bad_path;
        Slot* at = &root_;
        for (std::size_t i = 0; i + !itself < change.at.size(); ++i) {
            Node* node = open(*at);
            at = node ? step(*node, change.at[i]) : nullptr;
            if (!at)
                return Errc::bad_path;
        }
        if (change.kind == Change::set) {
            *at = &change.value;
            return Errc::ok;
        }
        Node* node = open(*at);
        if (!node)
            return Errc::bad_path;
        if (change.kind == Change::order) {
            const Array* keys = change.value.get_if<Array>();
            return keys && !node->is_array() && node->entries.reorder(*keys) ? Errc::ok
                                                                             : Errc::bad_path;
        }
        const Variant& last = change.at[change.at.size() - 1];
        return change.kind == Change::insert ? insert(*node, last, change.value)
                                             : remove(*node, last);
    }

    std::expected<PackedByteArray, Error> written(ByteView packet, std::vector<KeptBytes>* kept);
    /// The changed value. Only if all containers are Variants.
    Variant made() {
        // An outer container is opened before the inner ones, so the reverse order starts inside.
        for (auto& node : std::views::reverse(nodes_))
            rebuild(node);
        return taken(root_);
    }

private:
    /// Makes the container in the slot a Node, so that it can change; null for any other value.
    Node* open(Slot& slot) {
        if (Node** node = std::get_if<Node*>(&slot))
            return *node;
        Node* node = nullptr;
        if (const auto* made = std::get_if<const Variant*>(&slot))
            node = writing_ ? open_view(read_back(**made))
                            : open_variant(copies_.emplace_back(**made));
        else if (Variant** value = std::get_if<Variant*>(&slot))
            node = open_variant(**value);
        else
            node = open_view(std::get<View>(slot));
        if (node)
            slot = node;
        return node;
    }
    /// A value of the patch, as it will stand in the packet; a lost View if the packet cannot hold
    /// it.
    View read_back(const Variant& value) {
        auto bytes = encode(value, *writing_);
        auto document =
            bytes ? Document::parse(*std::move(bytes), {.dialect = writing_->dialect,
                                                        .allow_objects = true,
                                                        .real_width = writing_->real_width})
                  : std::unexpected(bytes.error());
        if (!document)
            return {};
        documents_.push_back(*std::move(document));
        return std::as_const(documents_.back()).root();
    }
    Node* open_view(const View& view) {
        if (!detail::is_container(view))
            return nullptr;
        Node& node = nodes_.emplace_back(rules_);
        node.type = view.type();
        node.from = view;
        if (!node.is_array())
            node.entries.reserve(view.size());
        for (Children all(view); !all.done();) {
            const Child child = all.next_value();
            if (child.role == Child::element)
                node.elements.append(child.view);
            else if (child.role == Child::value)
                node.entries.append(child.key_view, child.view);
            else
                node.entries.append(child.name, child.view);
        }
        node.elements.index();
        return &node;
    }
    Node* open_variant(Variant& value) {
        Object* object = value.get_if<Object>();
        Dictionary* pairs = value.get_if<Dictionary>();
        Array* elements = value.get_if<Array>();
        if (!pairs && !elements && (!object || object->kind() != ObjectKind::full))
            return nullptr;
        Node& node = nodes_.emplace_back(rules_);
        node.type = value.type();
        node.source = &value;
        if (elements)
            for (Variant& element : *elements)
                node.elements.append(&element);
        if (!elements)
            node.entries.reserve(pairs ? pairs->size() : object->size());
        if (pairs)
            for (auto&& pair : *pairs)
                node.entries.append(Key(&pair.key), &pair.value);
        if (object)
            for (Object::Property& property : *object)
                node.entries.append(std::string_view(property.name), &property.value);
        node.elements.index();
        return &node;
    }

    static Variant taken(const Slot& slot) {
        if (Variant* const* value = std::get_if<Variant*>(&slot))
            return std::move(**value);
        if (const auto* made = std::get_if<const Variant*>(&slot))
            return **made;
        return std::move(*std::get<Node*>(slot)->source);
    }
    /// Makes the changes in the Variant that the container came from. Those inside of it have been
    /// made.
    static void rebuild(Node& node) {
        if (Array* array = node.source->get_if<Array>()) {
            Array made(array->element_type());
            made.reserve(node.size());
            for (const auto& chunk : node.elements.chunks())
                for (const Slot& slot : chunk)
                    made.push_back(taken(slot));
            *array = std::move(made);
        } else if (Dictionary* pairs = node.source->get_if<Dictionary>()) {
            Dictionary made(pairs->key_type(), pairs->value_type());
            made.reserve(node.size());
            for (const Entry& entry : node.entries.all())
                if (!entry.gone)
                    made.append(*std::get<const Variant*>(entry.key), taken(entry.value));
            *pairs = std::move(made);
        } else {
            Object* object = node.source->get_if<Object>();
            Object made(object->class_name());
            for (const Entry& entry : node.entries.all())
                if (!entry.gone)
                    made.append(std::get<std::string_view>(entry.key), taken(entry.value));
            *object = std::move(made);
        }
    }

    static std::optional<std::size_t> index(const Variant& step, std::size_t below) {
        const auto* i = step.get_if<std::int64_t>();
        if (!i || *i < 0 || static_cast<std::uint64_t>(*i) >= below)
            return std::nullopt;
        return static_cast<std::size_t>(*i);
    }
    /// The key that a step stands for there.
    static std::optional<Key> key(const Node& node, const Variant& step) {
        if (node.type == Type::dictionary)
            return Key(&step);
        if (step.is(Type::string))
            return Key(std::string_view(step.text()));
        return std::nullopt;
    }
    static Slot* step(Node& node, const Variant& step) {
        if (node.is_array()) {
            const auto i = index(step, node.elements.size());
            return i ? &node.elements[*i] : nullptr;
        }
        const auto by = key(node, step);
        const std::uint32_t i = by ? node.entries.find(*by) : no_entry;
        return i == no_entry ? nullptr : &node.entries[i].value;
    }
    static Errc insert(Node& node, const Variant& step, const Variant& value) {
        if (node.is_array()) {
            const auto i = index(step, node.elements.size() + 1);
            if (i)
                node.elements.insert(*i, &value);
            return i ? Errc::ok : Errc::bad_path;
        }
        const auto by = key(node, step);
        if (!by || node.entries.find(*by) != no_entry)
            return Errc::bad_path;
        node.entries.append(*by, &value);
        return Errc::ok;
    }
    static Errc remove(Node& node, const Variant& step) {
        if (node.is_array()) {
            const auto i = index(step, node.elements.size());
            if (i)
                node.elements.erase(*i);
            return i ? Errc::ok : Errc::bad_path;
        }
        const auto by = key(node, step);
        std::uint32_t i = by ? node.entries.find(*by) : no_entry;
        if (i == no_entry)
            return Errc::bad_path;
        // As `erase_value`: no earlier value of the key comes to light.
        const bool merges = node.entries[i].identity.merges();
        do {
            node.entries.erase(i);
            i = node.entries.find(*by);
        } while (merges && i != no_entry);
        return Errc::ok;
    }

    Slot root_;
    const EncodeOptions* writing_;
    const detail::KeyRules& rules_;
    std::deque<Node> nodes_;
    std::deque<Document> documents_;
    std::deque<Variant> copies_;  ///< values of the patch that change
};

/// Writes slots one by one. A stack of its own replaces recursion into containers.
class Writer {
public:
    /// `kept`, where that is wanted: what of the packet is copied.
    Writer(const EncodeOptions& writing, ByteView packet, std::vector<KeptBytes>* kept)
        : packet_(packet), kept_(kept), writing_(writing) {}

    PackedByteArray out;

    Errc run(const Slot& root) {
        Errc code = put(root);
        while (code == Errc::ok && !open_.empty())
            code = next(open_.back());
        return code;
    }

private:
    struct Open {
        const Node* node;
        std::size_t chunk = 0, item = 0;
    };

    Errc next(Open& top) {
        if (top.node->is_array()) {
            const auto& chunks = top.node->elements.chunks();
            while (top.chunk < chunks.size() && top.item == chunks[top.chunk].size()) {
                ++top.chunk;
                top.item = 0;
            }
            if (top.chunk < chunks.size())
                return put(chunks[top.chunk][top.item++]);
        } else {
            const auto& all = top.node->entries.all();
            while (top.item < all.size() && all[top.item].gone)
                ++top.item;
            if (top.item < all.size()) {
                const Entry& entry = all[top.item++];
                const Errc code = put(entry.key);
                return code == Errc::ok ? put(entry.value) : code;
            }
        }
        open_.pop_back();
        return Errc::ok;
    }

    Errc put(const Slot& slot) {
        return std::visit([this](const auto& what) { return put(what); }, slot);
    }
    Errc put(const Key& key) {
        return std::visit([this](const auto& what) { return put(what); }, key);
    }
    Errc put(const View& view) { return copy(view.raw()); }
    Errc put(const Variant* value) {
        if (!room(0))
            return Errc::no_memory;
        const auto done = encode_to(out, *value, writing_);
        return done ? Errc::ok : done.error().code;
    }
    Errc put(const Node* node) {
        const auto at = detail::count_place(node->from);
        if (!at)
            return Errc::misplaced;
        const ByteView from = node->from.raw();
        open_.push_back({node});
        if (node->size() == node->from.size())
            return copy(from.first(*at + 4));
        if (const Errc code = copy(from.first(*at)); code != Errc::ok)
            return code;
        // Other bits that an engine stored beside the count stay.
        std::byte count[4];
        const auto change = static_cast<std::uint32_t>(node->size() - node->from.size());
        detail::store(count, detail::load<std::uint32_t>(from.data() + *at) + change);
        return append(count);
    }
    /// A property's name is a String without a header.
    Errc put(std::string_view name) {
        std::byte length[4];
        detail::store(length, static_cast<std::uint32_t>(name.size()));
        const Errc code = append(length);
        return code == Errc::ok ? append(std::as_bytes(std::span(name))) : code;
    }
    /// Behind what there is, which a final PackedByteArray may have left without its padding.
    bool room(std::size_t more) {
        const std::size_t padding = (4 - out.size() % 4) % 4, wanted = out.size() + padding + more;
        if (wanted > out.capacity() && !out.try_reserve(std::max(wanted, 2 * out.capacity())))
            return false;
        for (std::size_t i = 0; i < padding; ++i)
            out.push_back(0);
        return true;
    }
    Errc append(ByteView bytes) {
        if (!room(bytes.size()))
            return Errc::no_memory;
        detail::append_bytes(out, bytes);
        return Errc::ok;
    }
    /// Bytes of the packet, or of a value of the patch's.
    Errc copy(ByteView bytes) {
        const Errc code = append(bytes);
        const std::less_equal<const std::byte*> up_to;
        if (code != Errc::ok || !kept_ || bytes.empty() || !up_to(packet_.data(), bytes.data()) ||
            !up_to(bytes.data() + bytes.size(), packet_.data() + packet_.size()))
            return code;
        const auto before = static_cast<std::uint64_t>(bytes.data() - packet_.data());
        const std::uint64_t after = out.size() - bytes.size();
        if (!kept_->empty())
            if (KeptBytes& last = kept_->back();
                last.before + last.size == before && last.after + last.size == after) {
                last.size += bytes.size();
                return code;
            }
        kept_->push_back({before, after, bytes.size()});
        return code;
    }

    ByteView packet_;
    std::vector<KeptBytes>* kept_;
    const EncodeOptions& writing_;
    std::vector<Open> open_;
};

std::expected<PackedByteArray, Error> Patcher::written(ByteView packet,
                                                       std::vector<KeptBytes>* kept) {
    Writer writer(*writing_, packet, kept);
    if (!writer.out.try_reserve(packet.size()))
        return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
    if (const Errc code = writer.run(root_); code != Errc::ok)
        return std::unexpected(Error{code, Type::nil, writer.out.size(), 0});
    return std::move(writer.out);
}

}  // namespace

std::string to_string(const PatchError& error) {
    const bool of_change = error.change != PatchError::in_packet;
    return (of_change ? "change " + std::to_string(error.change) + ": " : "") +
           to_string(error.error);
}

std::expected<void, PatchError> apply_patch(Variant& value, const Patch& patch) GDVAR_TRY {
    Patcher patcher(&value, nullptr);
    for (std::size_t i = 0; i < patch.size(); ++i)
        if (const Errc code = patcher.apply(patch[i]); code != Errc::ok)
            return std::unexpected(PatchError(Error{code, patch[i].value.type()}, i));
    Variant made = patcher.made();
    value = std::move(made);
    return {};
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(PatchError(Error{Errc::no_memory})))

std::expected<PackedByteArray, PatchError> patch_packet(ByteView packet, const Patch& patch,
                                                        const DecodeOptions& options,
                                                        std::vector<KeptBytes>* kept) GDVAR_TRY {
    const EncodeOptions writing{.dialect = options.dialect,
                                .allow_objects = true,
                                .real_width = options.real_width,
                                .max_depth = options.limits.max_depth};
    auto document = Document::parse(packet, options);
    if (!document)
        return std::unexpected(PatchError(document.error()));
    const View root = std::as_const(*document).root();
    if (kept)
        kept->clear();
    Patcher patcher(root, &writing);
    for (std::size_t i = 0; i < patch.size(); ++i)
        if (const Errc code = patcher.apply(patch[i]); code != Errc::ok)
            return std::unexpected(PatchError(Error{code, patch[i].value.type()}, i));
    auto out = patcher.written(root.raw(), kept);
    if (!out)
        return std::unexpected(PatchError(out.error()));
    return *std::move(out);
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(PatchError(Error{Errc::no_memory})))

}  // namespace gdvar::inspect
