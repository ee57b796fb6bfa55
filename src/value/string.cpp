#include "gdvar/value/string.hpp"

#include <memory_resource>
#include <new>

#include "gdvar/value/detail/slab.hpp"
#include "value/node_path.hpp"

namespace gdvar {

void detail::throw_no_memory() {
    // Throws std::bad_alloc, or ends the program where exceptions are off, from inside the standard
    // library: this file is compiled without exceptions.
    (void)std::pmr::null_memory_resource()->allocate(1);
    __builtin_unreachable();
}

bool String::assign_heap(std::string_view text) noexcept {
    if (text.size() > UINT32_MAX - 1)
        return false;
    auto* data = static_cast<char*>(::operator new(text.size() + 1, std::nothrow));
    if (!data)
        return false;
    std::memcpy(data, text.data(), text.size());
    data[text.size()] = '\0';
    if (on_heap())
        detail::free_part(heap_.data, heap_.place);
    heap_.data = data;
    heap_.size = static_cast<std::uint32_t>(text.size());
    heap_.place = 0;
    small_[15] = static_cast<char>(0xFF);
    return true;
}

// ---- NodePath -----------------------------------------------------------------------------------

NodePath::NodePath(std::string_view text) {
    if (!try_assign(NodePathView::from_text(text)))
        detail::throw_no_memory();
}

NodePathView NodePath::view() const noexcept {
    return {names_, subnames_, absolute_, property_, as_bytes(records_)};
}

bool NodePath::try_assign(const NodePathView& path) noexcept {
    PackedByteArray records;
    if (!detail::make_records(records, [&](auto&& use) { path.each(use); }))
        return false;
    records_ = std::move(records);
    names_ = path.name_count();
    subnames_ = path.subname_count();
    absolute_ = path.absolute();
    property_ = path.separate_property();
    return true;
}

std::string NodePath::to_string() const {
    return gdvar::to_string(view());
}

bool detail::assign_names(NodePath& to, const PackedStringArray& names,
                          const PackedStringArray& subnames, bool absolute,
                          bool property) noexcept {
    PackedByteArray records;
    const bool made = make_records(records, [&](auto&& use) {
        for (const String& name : names)
            use(name.view(), false);
        for (const String& name : subnames)
            use(name.view(), true);
    });
    return made && to.try_assign({static_cast<std::uint32_t>(names.size()),
                                  static_cast<std::uint32_t>(subnames.size()), absolute, property,
                                  as_bytes(records)});
}

// ---- PackedStringArray --------------------------------------------------------------------------

String* PackedStringArray::try_add() noexcept {
    if (size() == capacity() && !grow_to(size() + 1, false))
        return nullptr;
    return new (elements() + block_->size++) String();
}

bool PackedStringArray::try_push(std::string_view text) noexcept {
    String made;
    if (!made.try_assign(text))
        return false;
    String* const place = try_add();
    if (place)
        *place = std::move(made);
    return place;
}

bool PackedStringArray::try_copy(const PackedStringArray& other) noexcept {
    PackedStringArray copy;
    if (!copy.try_reserve(other.size()))
        return false;
    for (const String& item : other)
        if (!copy.try_push(item))
            return false;
    std::swap(block_, copy.block_);
    return true;
}

void PackedStringArray::free() noexcept {
    detail::PartFreer freer;
    for (String& item : *this)
        freer.text(item);
    ::operator delete(block_);
}

}  // namespace gdvar
