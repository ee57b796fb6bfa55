#include "gdvar/value/variant.hpp"

#include "blocks.hpp"
#include "gdvar/value/builder.hpp"
#include "gdvar/value/walk.hpp"

namespace gdvar {

using detail::ArrayBlock;
using detail::Block;
using detail::DictionaryBlock;
using detail::ObjectBlock;
using detail::PartMaker;

namespace {

const Variant nil_variant;

/// Calls `use.template operator()<T>()` for the C++ type that a Variant of this type and width
/// holds. Array, Dictionary and Object included.
template <class Use>
auto with_held_type(Type type, bool wide, Use&& use) {
#define GDVAR_BOTH(type_, T) \
    case Type::type_:        \
        return wide ? use.template operator()<T##d>() : use.template operator()<T>()
#define GDVAR_BOTH_PACKED(type_, T)                                \
    case Type::type_:                                              \
        return wide ? use.template operator()<PackedArray<T##d>>() \
                    : use.template operator()<PackedArray<T>>()
#define GDVAR_ONE(type_, T) \
    case Type::type_:       \
        return use.template operator()<T>()
    switch (type) {
        GDVAR_ONE(nil, Callable);
        GDVAR_ONE(callable, Callable);
        GDVAR_ONE(boolean, bool);
        GDVAR_ONE(integer, std::int64_t);
        GDVAR_ONE(real, double);
        GDVAR_ONE(string, String);
        GDVAR_ONE(string_name, StringName);
        GDVAR_BOTH(vector2, Vector2);
        GDVAR_ONE(vector2i, Vector2i);
        GDVAR_BOTH(rect2, Rect2);
        GDVAR_ONE(rect2i, Rect2i);
        GDVAR_BOTH(vector3, Vector3);
        GDVAR_ONE(vector3i, Vector3i);
        GDVAR_BOTH(transform2d, Transform2D);
        GDVAR_BOTH(vector4, Vector4);
        GDVAR_ONE(vector4i, Vector4i);
        GDVAR_BOTH(plane, Plane);
        GDVAR_BOTH(quaternion, Quaternion);
        GDVAR_BOTH(aabb, AABB);
        GDVAR_BOTH(basis, Basis);
        GDVAR_BOTH(transform3d, Transform3D);
        GDVAR_BOTH(projection, Projection);
        GDVAR_BOTH(color, Color);
        GDVAR_ONE(node_path, NodePath);
        GDVAR_ONE(rid, RID);
        GDVAR_ONE(object, Object);
        GDVAR_ONE(signal, Signal);
        GDVAR_ONE(dictionary, Dictionary);
        GDVAR_ONE(array, Array);
        GDVAR_ONE(packed_typed_array, Array);
        GDVAR_ONE(packed_byte_array, PackedByteArray);
        GDVAR_ONE(packed_int32_array, PackedInt32Array);
        GDVAR_ONE(packed_int64_array, PackedInt64Array);
        GDVAR_ONE(packed_float32_array, PackedFloat32Array);
        GDVAR_ONE(packed_float64_array, PackedFloat64Array);
        GDVAR_ONE(packed_string_array, PackedStringArray);
        GDVAR_BOTH_PACKED(packed_vector2_array, Vector2);
        GDVAR_BOTH_PACKED(packed_vector3_array, Vector3);
        GDVAR_BOTH_PACKED(packed_vector4_array, Vector4);
        GDVAR_BOTH_PACKED(packed_color_array, Color);
        GDVAR_ONE(packed_vector2i_array, PackedVector2iArray);
        GDVAR_ONE(packed_vector3i_array, PackedVector3iArray);
        GDVAR_ONE(packed_vector4i_array, PackedVector4iArray);
        GDVAR_ONE(image, Image);
        GDVAR_ONE(input_event, InputEvent);
    }
#undef GDVAR_BOTH
#undef GDVAR_BOTH_PACKED
#undef GDVAR_ONE
    __builtin_unreachable();
}

template <class T>
inline constexpr bool is_container =
    std::is_same_v<T, Array> || std::is_same_v<T, Dictionary> || std::is_same_v<T, Object>;

}  // namespace

Block* VariantAccess::block(const Variant& v) noexcept {
    switch (v.type_) {
        case Type::array:
        case Type::packed_typed_array:
            return v.as<Array>().block_;
        case Type::dictionary:
            return v.as<Dictionary>().block_;
        case Type::object: {
            const Object& object = v.as<Object>();
            return object.kind() == ObjectKind::full ? object.block() : nullptr;
        }
        default:
            return nullptr;
    }
}

// ---- what a value owns --------------------------------------------------------------------------

namespace detail {
namespace {

enum class Owning : std::uint8_t { nothing, text, container, box, more };
struct OwningTable {
    Owning of[128]{};  ///< by type, and 64 on where it is wide
    constexpr OwningTable() {
        for (unsigned i = 0; i < 128; ++i) {
            const TypeInfo& info = type_table[i % 64 < type_count ? i % 64 : 0];
            const std::uint64_t plain = i < 64 ? plain_narrow : plain_wide;
            if (!(plain >> i % 64 & 1))
                of[i] = info.lanes && !info.packed ? Owning::box : Owning::more;
        }
        for (Type t : {Type::string, Type::string_name})
            of[static_cast<unsigned>(t)] = Owning::text;
        for (Type t : {Type::array, Type::packed_typed_array, Type::dictionary, Type::object})
            of[static_cast<unsigned>(t)] = Owning::container;
    }
};
constexpr OwningTable owning;
static_assert(type_count <= 64);

Owning owning_of(const Variant& v) noexcept {
    return owning.of[static_cast<unsigned>(v.type()) + v.wide() * 64u];
}

}  // namespace
}  // namespace detail

// ---- freeing ------------------------------------------------------------------------------------

namespace detail {
namespace {

/// Frees what is below values whose own memory is about to be freed. Containers' blocks are put on
/// the chain.
void free_values(Variant* from, const Variant* to, Block*& waiting, PartFreer& freer) noexcept {
    for (; from != to; ++from) {
        switch (owning_of(*from)) {
            case Owning::nothing:
                break;
            case Owning::text:
                freer.text(VariantAccess::as<String>(*from));
                break;
            case Owning::container:
                if (Block* block = VariantAccess::block(*from))
                    block->link = std::exchange(waiting, block);
                break;
            case Owning::box:
                freer.free(VariantAccess::box(*from), VariantAccess::place(*from));
                break;
            case Owning::more:
                from->~Variant();
                break;
        }
    }
}

void free_items(ArrayBlock& block, Block*& waiting, PartFreer& freer) noexcept {
    if (!block.plain)
        free_values(block.items(), block.items() + block.size, waiting, freer);
    freer.text(block.name);
}
void free_items(DictionaryBlock& block, Block*& waiting, PartFreer& freer) noexcept {
    Variant* const first = &block.items()->key;
    if (!block.plain)
        free_values(first, first + std::size_t{block.size} * 2, waiting, freer);
    freer.text(block.names[0]);
    freer.text(block.names[1]);
    if (block.index)
        free_index(block.index);
}
void free_items(ObjectBlock& block, Block*& waiting, PartFreer& freer) noexcept {
    for (std::uint32_t i = 0; i < block.size; ++i) {
        Object::Property& property = block.items()[i];
        free_values(&property.value, &property.value + 1, waiting, freer);
        freer.text(property.name);
    }
    freer.text(block.name);
}

}  // namespace

void free_tree(Block* block) noexcept {
    if (!block)
        return;
    block->link = nullptr;
    Block* waiting = block;
    PartFreer freer;
    while (waiting) {
        Block* next = std::exchange(waiting, waiting->link);
        switch (next->what) {
            case Type::array:
                free_items(static_cast<ArrayBlock&>(*next), waiting, freer);
                break;
            case Type::dictionary:
                free_items(static_cast<DictionaryBlock&>(*next), waiting, freer);
                break;
            default:
                free_items(static_cast<ObjectBlock&>(*next), waiting, freer);
                break;
        }
        freer.free(next, next->place);
    }
}

}  // namespace detail

Array::~Array() {
    detail::free_tree(block_);
}
Dictionary::~Dictionary() {
    detail::free_tree(block_);
}
Object::~Object() {
    if (kind_ == ObjectKind::full)
        detail::free_tree(block());
}

void Variant::destroy() noexcept {
    with_held_type(type_, wide_, [&]<class T>() {
        T& held = as<T>();
        held.~T();
        if constexpr (!detail::fits_in_place<T>)
            detail::free_part(&held, place_);
    });
    type_ = Type::nil;
}

// ---- copying ------------------------------------------------------------------------------------

namespace {

/// An empty block like `from`'s, with room for its items.
ArrayBlock* like(const ArrayBlock& from, PartMaker& maker) noexcept {
    auto* block = detail::make_block<ArrayBlock>(from.size, &maker);
    if (!block)
        return nullptr;
    block->kind = from.kind;
    block->type = from.type;
    if (maker.text(block->name, from.name))
        return block;
    detail::free_tree(block);
    return nullptr;
}
DictionaryBlock* like(const DictionaryBlock& from, PartMaker& maker) noexcept {
    auto* block = detail::make_block<DictionaryBlock>(from.size, &maker);
    if (!block)
        return nullptr;
    for (int i : {0, 1}) {
        block->kinds[i] = from.kinds[i];
        block->types[i] = from.types[i];
    }
    if (maker.text(block->names[0], from.names[0]) && maker.text(block->names[1], from.names[1]))
        return block;
    detail::free_tree(block);
    return nullptr;
}
ObjectBlock* like(const ObjectBlock& from, PartMaker& maker) noexcept {
    auto* block = detail::make_block<ObjectBlock>(from.size, &maker);
    if (!block)
        return nullptr;
    if (maker.text(block->name, from.name))
        return block;
    detail::free_tree(block);
    return nullptr;
}

struct Copy {
    Block* to;
    const Block* from;
};
using Copies = detail::FrameStack<Copy, 32>;

}  // namespace

/// Copies trees level by level, with the containers that still need filling on a stack.
class TreeCopier {
public:
    bool copy(Variant& to, const Variant& from) noexcept { return value(to, from) && drain(); }
    /// The copy of one block, null on failure or for a null block.
    template <class B>
    bool block(B*& to, const B* from) noexcept {
        to = nullptr;
        if (!from)
            return true;
        to = like(*from, maker_);
        return to && waiting_.push({to, from}) && drain();
    }

private:
    bool drain() noexcept {
        while (!waiting_.empty()) {
            const Copy next = waiting_.pop();
            bool done = false;
            switch (next.from->what) {
                case Type::array:
                    done = fill<ArrayBlock>(next);
                    break;
                case Type::dictionary:
                    done = fill<DictionaryBlock>(next);
                    break;
                default:
                    done = fill_object(next);
                    break;
            }
            if (!done)
                return false;
        }
        return true;
    }
    /// Arrays, and Dictionaries as runs of keys and values.
    template <class B>
    bool fill(const Copy& next) noexcept {
        constexpr std::size_t each = sizeof(detail::ItemOf<B>) / sizeof(Variant);
        auto* to = reinterpret_cast<Variant*>(static_cast<B&>(*next.to).items());
        auto& source = const_cast<B&>(static_cast<const B&>(*next.from));
        const auto* from = reinterpret_cast<const Variant*>(source.items());
        const std::size_t n = source.size * each;
        next.to->plain = source.is_plain();
        if (next.to->plain) {
            std::memcpy(static_cast<void*>(to), from, n * sizeof(Variant));
            next.to->size = source.size;
            return true;
        }
        plain_ = true;
        std::size_t i = 0;
        while (i < n && value(*new (to + i) Variant(), from[i]))
            ++i;
        next.to->size = source.size;
        next.to->plain = plain_;
        if (i == n)
            return true;
        // The value that failed is there, its pair is made whole.
        if (++i % each)
            new (to + i++) Variant();
        next.to->size = static_cast<std::uint32_t>(i / each);
        return false;
    }
    bool fill_object(const Copy& next) noexcept {
        auto& to = static_cast<ObjectBlock&>(*next.to);
        auto& from = const_cast<ObjectBlock&>(static_cast<const ObjectBlock&>(*next.from));
        for (std::uint32_t i = 0; i < from.size; ++i) {
            auto* item = new (to.items() + i) Object::Property();
            ++to.size;
            const Object::Property& source = from.items()[i];
            if (!maker_.text(item->name, source.name) || !value(item->value, source.value))
                return false;
        }
        return true;
    }
    /// `to` is nil, and has nothing that would have to be freed.
    bool value(Variant& to, const Variant& from) noexcept {
        switch (detail::owning_of(from)) {
            case detail::Owning::nothing:
                std::memcpy(static_cast<void*>(&to), &from, sizeof to);
                return true;
            case detail::Owning::text:
                if (VariantAccess::as<String>(from).size() <= 15) {
                    std::memcpy(static_cast<void*>(&to), &from, sizeof to);
                    return true;
                }
                plain_ = false;
                return VariantAccess::copy_text(to, from, maker_);
            default:
                plain_ = false;
                return shallow(to, from);
        }
    }
    bool shallow(Variant& to, const Variant& from) noexcept {
        const Block* inner = nullptr;
        Block* made = nullptr;
        if (!VariantAccess::copy_shallow(to, from, maker_, inner, made))
            return false;
        return !made || waiting_.push({made, inner});
    }

    Copies waiting_;
    PartMaker maker_;
    bool plain_ = true;  ///< no item of the block being filled owns memory
};

namespace {

template <class T>
bool copy_held(T& to, const T& from) noexcept {
    if constexpr (std::is_trivially_copyable_v<T>) {
        to = from;
        return true;
    } else if constexpr (std::is_same_v<T, String>) {
        return to.try_assign(from);
    } else if constexpr (std::is_same_v<T, StringName>) {
        return to.text.try_assign(from.text);
    } else if constexpr (std::is_same_v<T, NodePath>) {
        return to.try_assign(from.view());
    } else if constexpr (std::is_same_v<T, Signal>) {
        to.object = from.object;
        return to.name.try_assign(from.name);
    } else if constexpr (std::is_same_v<T, PackedStringArray>) {
        return to.try_copy(from);
    } else if constexpr (std::is_same_v<T, Image>) {
        to.format = from.format;
        to.mipmaps = from.mipmaps;
        to.width = from.width;
        to.height = from.height;
        return copy_held(to.data, from.data);
    } else {
        if (from.empty())
            return true;
        if (!to.try_reserve(from.size()))
            return false;
        to.set_size(from.size());
        std::memcpy(static_cast<void*>(to.data()), from.data(),
                    from.size() * sizeof(typename T::value_type));
        return true;
    }
}

}  // namespace

bool Variant::try_copy(const Variant& other) noexcept {
    Variant copy;
    TreeCopier copier;
    const bool done = copier.copy(copy, other);
    if (!done)
        copy = Variant();
    swap(copy);
    return done;
}

bool Variant::copy_shallow(const Variant& from, PartMaker& maker, const Block*& inner,
                           Block*& made) noexcept {
    return with_held_type(from.type_, from.wide_, [&]<class T>() -> bool {
        const T& held = from.as<T>();
        if constexpr (is_container<T>) {
            inner = VariantAccess::block(from);
            if (!inner) {
                if constexpr (std::is_same_v<T, Object>)
                    new (data_) Object(held.kind() == ObjectKind::id ? Object::from_id(held.id())
                                                                     : Object());
                else
                    new (data_) T();
            } else if constexpr (std::is_same_v<T, Array>) {
                auto* block = like(static_cast<const ArrayBlock&>(*inner), maker);
                if (!block)
                    return false;
                (new (data_) Array())->block_ = block;
                made = block;
            } else if constexpr (std::is_same_v<T, Dictionary>) {
                auto* block = like(static_cast<const DictionaryBlock&>(*inner), maker);
                if (!block)
                    return false;
                (new (data_) Dictionary())->block_ = block;
                made = block;
            } else {
                auto* block = like(static_cast<const ObjectBlock&>(*inner), maker);
                if (!block)
                    return false;
                auto* object = new (data_) Object();
                object->id_ = reinterpret_cast<std::uintptr_t>(block);
                object->kind_ = ObjectKind::full;
                made = block;
            }
        } else if constexpr (detail::fits_in_place<T>) {
            T* to = new (data_) T();
            if (!copy_held(*to, held))
                return false;
        } else {
            std::uint16_t place = 0;
            T* box = static_cast<T*>(maker.take(sizeof(T), place));
            if (!box)
                return false;
            new (box) T();
            if (!copy_held(*box, held)) {
                box->~T();
                detail::free_part(box, place);
                return false;
            }
            std::memcpy(data_, &box, sizeof box);
            place_ = place;
        }
        type_ = from.type_;
        wide_ = from.wide_;
        return true;
    });
}

bool VariantAccess::copy_shallow(Variant& to, const Variant& from, PartMaker& maker,
                                 const Block*& inner, Block*& made) noexcept {
    return to.copy_shallow(from, maker, inner, made);
}

bool VariantAccess::copy_text(Variant& to, const Variant& from, PartMaker& maker) noexcept {
    if (!maker.text(as<String>(to), as<String>(from)))
        return false;
    to.type_ = from.type_;
    return true;
}

Array::Array(const Array& other) {
    if (TreeCopier copier; !copier.block(block_, other.block_)) {
        detail::free_tree(std::exchange(block_, nullptr));
        detail::throw_no_memory();
    }
}
Dictionary::Dictionary(const Dictionary& other) {
    if (TreeCopier copier; !copier.block(block_, other.block_)) {
        detail::free_tree(std::exchange(block_, nullptr));
        detail::throw_no_memory();
    }
}
Object::Object(const Object& other) : id_(other.id_), kind_(other.kind_) {
    if (kind_ != ObjectKind::full)
        return;
    ObjectBlock* copy = nullptr;
    if (TreeCopier copier; !copier.block(copy, other.block())) {
        detail::free_tree(copy);
        kind_ = ObjectKind::null;
        detail::throw_no_memory();
    }
    id_ = reinterpret_cast<std::uintptr_t>(copy);
}

// ---- looking ------------------------------------------------------------------------------------

MathView Variant::math() const noexcept {
    const auto* data = with_held_type(type_, wide_, [&]<class T>() -> const std::byte* {
        if constexpr (MathType<T>)
            return reinterpret_cast<const std::byte*>(&as<T>());
        else
            return nullptr;
    });
    return {type_, wide_, true, data};
}

PackedView Variant::packed() const noexcept {
    return with_held_type(type_, wide_, [&]<class T>() -> PackedView {
        if constexpr (detail::is_packed_array<T>) {
            const T& held = as<T>();
            return {type_, wide_, true, static_cast<std::uint32_t>(held.size()),
                    reinterpret_cast<const std::byte*>(held.data())};
        } else {
            return {};
        }
    });
}

std::size_t Variant::size() const noexcept {
    return with_held_type(type_, wide_, [&]<class T>() -> std::size_t {
        if constexpr (std::is_same_v<T, StringName>)
            return as<T>().text.size();
        else if constexpr (requires(const T& held) { held.size(); } && !MathType<T>)
            return as<T>().size();
        else
            return 0;
    });
}

const Variant& Variant::operator[](std::string_view key) const noexcept {
    const Variant* found = nullptr;
    if (const auto* dictionary = get_if<Dictionary>())
        found = dictionary->find(key);
    if (const auto* object = get_if<Object>())
        found = object->find(key);
    return found ? *found : nil_variant;
}

Variant& Variant::operator[](std::string_view key) {
    if (auto* object = get_if<Object>(); object && object->kind() == ObjectKind::full) {
        if (!object->find(key))
            object->set(key, Variant());
        return *object->find(key);
    }
    if (!is(Type::dictionary))
        *this = Dictionary();
    return (*get_if<Dictionary>())[Variant(key)];
}

const Variant& Variant::at_index(std::int64_t i) const noexcept {
    if (const auto* array = get_if<Array>())
        return i >= 0 && static_cast<std::uint64_t>(i) < array->size()
                   ? (*array)[static_cast<std::size_t>(i)]
                   : nil_variant;
    if (const auto* dictionary = get_if<Dictionary>())
        if (const Variant* found = dictionary->find(Variant(i)))
            return *found;
    return nil_variant;
}

Variant& Variant::make_index(std::int64_t i) {
    if (auto* array = get_if<Array>(); array && i >= 0) {
        while (array->size() <= static_cast<std::uint64_t>(i))
            array->push_back(Variant());
        return (*array)[static_cast<std::size_t>(i)];
    }
    if (!is(Type::dictionary))
        *this = Dictionary();
    return (*get_if<Dictionary>())[Variant(i)];
}

template <>
std::expected<Variant, Error> detail::variant_of<Variant>(const View& view) {
    Variant out;
    VariantBuilder builder(out);
    if (auto done = view.drive(builder); !done)
        return std::unexpected(done.error());
    return out;
}

}  // namespace gdvar
