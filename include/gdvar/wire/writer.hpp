// Writer: writes packets step by step by hand; checks the order, which the Encoder does not.
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/encoder.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/reader.hpp"

namespace gdvar GDVAR_EXPORT {

/// Writes one packet into an output (output.hpp), both borrowed. Every member returns Errc::ok or
/// the first error, after which nothing more is written: a caller may check once, at `finish`.
///
/// Containers are begun with their count, or without one: it is then patched in at `end`. It is a
/// sink: any source can drive it.
///
/// Errors: the Encoder's, and for a wrong sequence too_many_items, too_few_items, misplaced (a
/// second root, `end` without a beginning, a property outside of an Object or a value without one,
/// a packed string outside of its array), unclosed_container. Element types of typed containers are
/// written, not compared with the elements.
///
///     PackedByteArray packet;
///     BufferOutput output(packet);
///     Writer writer(output, options);
///     writer.begin_dictionary();
///     writer.string("hp"); writer.integer(7);
///     writer.end();
///     auto size = writer.finish();   // expected<size_t, Error>
template <Output To>
class Writer {
public:
    Writer(To& output, const EncodeOptions& options) noexcept
        : options_(options), encoder_(output, options_) {}
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    Errc nil() {
        return value(Type::nil, [&] { return encoder_.nil(); });
    }
    Errc boolean(bool v) {
        return value(Type::boolean, [&] { return encoder_.boolean(v); });
    }
    Errc integer(std::int64_t v) {
        return value(Type::integer, [&] { return encoder_.integer(v); });
    }
    Errc real(double v) {
        return value(Type::real, [&] { return encoder_.real(v); });
    }
    Errc string(std::string_view v) {
        return value(Type::string, [&] { return encoder_.string(v); });
    }
    Errc string_name(std::string_view v) {
        return value(Type::string_name, [&] { return encoder_.string_name(v); });
    }
    Errc math(const MathView& v) {
        return value(v.type, [&] { return encoder_.math(v); });
    }
    /// A math struct: Vector3, Transform3D, Color, ...
    template <MathType T>
    Errc math(const T& v) {
        using Traits = MathTraits<T>;
        return math(
            MathView{Traits::type, Traits::wide, true, reinterpret_cast<const std::byte*>(&v)});
    }
    Errc node_path(const NodePathView& v) {
        return value(Type::node_path, [&] { return encoder_.node_path(v); });
    }
    /// From text such as "/root/A:b".
    Errc node_path(std::string_view text) { return node_path(NodePathView::from_text(text)); }
    Errc rid(std::uint64_t v) {
        return value(Type::rid, [&] { return encoder_.rid(v); });
    }
    Errc object_null() {
        return value(Type::object, [&] { return encoder_.object_null(); });
    }
    Errc object_id(std::uint64_t v) {
        return value(Type::object, [&] { return encoder_.object_id(v); });
    }
    Errc callable() {
        return value(Type::callable, [&] { return encoder_.callable(); });
    }
    Errc signal(std::string_view name, std::uint64_t object) {
        return value(Type::signal, [&] { return encoder_.signal(name, object); });
    }
    Errc packed(const PackedView& v) {
        return value(v.type, [&] { return encoder_.packed(v); });
    }
    /// A packed array of those elements: `std::span<const Vector3>` is a PackedVector3Array.
    template <PackedElement T>
    Errc packed(std::span<const T> v) {
        using Traits = PackedTraits<T>;
        if (v.size() > 0x7FFF'FFFFu)
            return refuse(Errc::too_large, Traits::type);
        return packed(PackedView{Traits::type, Traits::wide, true,
                                 static_cast<std::uint32_t>(v.size()),
                                 reinterpret_cast<const std::byte*>(v.data())});
    }
    Errc image(const ImageView& v) {
        return value(Type::image, [&] { return encoder_.image(v); });
    }
    Errc input_event(const InputEventView& v) {
        return value(Type::input_event, [&] { return encoder_.input_event(v); });
    }

    Errc begin_array(Type type, const ContainerType& element, std::uint32_t count) {
        return open(type, Entry::array, count,
                    [&](std::uint32_t n) { return encoder_.begin_array(type, element, n); });
    }
    Errc begin_array(const ContainerType& element = {}, std::uint32_t count = unknown_count) {
        return begin_array(Type::array, element, count);
    }
    Errc begin_dictionary(const ContainerType& key = {}, const ContainerType& item = {},
                          std::uint32_t count = unknown_count) {
        return open(Type::dictionary, Entry::key, count,
                    [&](std::uint32_t n) { return encoder_.begin_dictionary(key, item, n); });
    }
    Errc begin_object(std::string_view class_name, std::uint32_t count = unknown_count) {
        return open(Type::object, Entry::property_name, count,
                    [&](std::uint32_t n) { return encoder_.begin_object(class_name, n); });
    }
    /// The name of an Object's next property; its value follows.
    Errc property(std::string_view name) {
        if (error_.code != Errc::ok)
            return error_.code;
        if (open_.empty() || open_.top().next != Entry::property_name)
            return refuse(Errc::misplaced, Type::object);
        if (open_.top().items == open_.top().announced)
            return refuse(Errc::too_many_items, Type::object);
        open_.top().next = Entry::property_value;
        const std::size_t start = size();
        return took(Type::object, encoder_.property(name), start);
    }
    Errc begin_packed_strings(std::uint32_t count = unknown_count) {
        return open(Type::packed_string_array, Entry::text, count,
                    [&](std::uint32_t n) { return encoder_.begin_packed_strings(n); });
    }
    Errc packed_string(std::string_view text) {
        if (error_.code != Errc::ok)
            return error_.code;
        if (open_.empty() || open_.top().next != Entry::text)
            return refuse(Errc::misplaced, Type::string);
        if (open_.top().items++ == open_.top().announced)
            return refuse(Errc::too_many_items, Type::string);
        const std::size_t start = size();
        return took(Type::string, encoder_.packed_string(text), start);
    }

    /// Closes the innermost container.
    Errc end() {
        if (error_.code != Errc::ok)
            return error_.code;
        if (open_.empty())
            return refuse(Errc::misplaced, Type::nil);
        const Entry entry = open_.top();
        if (entry.next == Entry::item || entry.next == Entry::property_value ||
            (entry.announced != unknown_count && entry.items < entry.announced))
            return refuse(Errc::too_few_items, entry.type);
        open_.pop();
        if (entry.announced == unknown_count)
            encoder_.output().patch(entry.count_at, entry.items);
        return took(entry.type, encoder_.end(), size());
    }

    /// The packet's size; call once, when the value is complete. Errors: the first one refused;
    /// unclosed_container, too_few_items (nothing was written).
    [[nodiscard]] std::expected<std::size_t, Error> finish() {
        if (error_.code == Errc::ok && !open_.empty())
            refuse(Errc::unclosed_container, open_.top().type);
        if (error_.code == Errc::ok && !begun_)
            refuse(Errc::too_few_items, Type::nil);
        if (error_.code != Errc::ok)
            return std::unexpected(error_);
        return size();
    }

    const Error& error() const noexcept { return error_; }
    /// Bytes written so far.
    std::size_t size() const noexcept { return encoder_.output().size(); }
    /// The place of the error, or of the next value: read back from the bytes, which a counting
    /// output does not have ("$").
    std::string path() const {
        if constexpr (requires(const To& out) { out.written(); }) {
            DecodeOptions options;
            options.dialect = options_.dialect;
            options.allow_objects = true;
            options.real_width = options_.real_width;
            options.limits.max_depth = options_.max_depth + 1;
            const std::size_t at =
                error_.code == Errc::ok ? size() : static_cast<std::size_t>(error_.offset);
            return detail::path_of_next(encoder_.output().written().first(at), options);
        }
        return "$";
    }

    static constexpr std::uint32_t unknown_count = UINT32_MAX;

private:
    struct Entry {
        Type type;
        /// The next allowed item.
        enum Next : std::uint8_t { array, key, item, property_name, property_value, text } next;
        std::uint32_t items, announced;
        std::size_t count_at;  ///< place of the count to patch in
    };
    /// Placeholder for a count to be patched in: the most that a reader accepts, so that the bytes
    /// written so far can be read back.
    static constexpr std::uint32_t pending = 0x7FFF'FFFF;

    Errc refuse(Errc code, Type type) {
        if (error_.code == Errc::ok)
            error_ = {code, type, size(), 0};
        return error_.code;
    }
    /// Called after the Encoder: the refused value began at `start`, however much of it was
    /// written.
    Errc took(Type type, Errc code, std::size_t start) {
        if (code != Errc::ok) [[unlikely]] {
            error_ = encoder_.refusal(code, start);
            error_.type = type;
        }
        return code;
    }

    /// Counts the value that comes next.
    Errc place(Type type) {
        if (error_.code != Errc::ok)
            return error_.code;
        if (open_.empty()) {
            if (begun_)
                return refuse(Errc::misplaced, type);
            begun_ = true;
            return Errc::ok;
        }
        Entry& entry = open_.top();
        switch (entry.next) {
            case Entry::item:
                entry.next = Entry::key;
                return Errc::ok;
            case Entry::property_value:
                entry.next = Entry::property_name;
                ++entry.items;
                return Errc::ok;
            case Entry::property_name:
            case Entry::text:
                return refuse(Errc::misplaced, type);
            case Entry::key:
                entry.next = Entry::item;
                break;
            case Entry::array:
                break;
        }
        if (entry.items == entry.announced)
            return refuse(Errc::too_many_items, type);
        // With a known count the Encoder has refused it already.
        if (open_.size() > options_.max_depth)
            return refuse(Errc::depth_limit, type);
        if (++entry.items > pending)
            return refuse(Errc::too_large, type);
        return Errc::ok;
    }
    template <class Write>
    Errc value(Type type, Write&& write) {
        if (const Errc code = place(type); code != Errc::ok)
            return code;
        const std::size_t start = size();
        return took(type, write(), start);
    }
    template <class Write>
    Errc open(Type type, typename Entry::Next next, std::uint32_t count, Write&& write) {
        if (const Errc code = place(type); code != Errc::ok)
            return code;
        const std::size_t start = size();
        if (const Errc code = write(count == unknown_count ? 0 : count); code != Errc::ok)
            return took(type, code, start);
        // The count is the last written word.
        const Entry entry{type, next, 0, count, size() - 4};
        if (count == unknown_count)
            encoder_.output().patch(entry.count_at, pending);
        if (!open_.push(entry))
            return refuse(Errc::no_memory, type);
        return Errc::ok;
    }

    EncodeOptions options_;
    Encoder<To> encoder_;
    detail::EntryStack<Entry, 16> open_;
    Error error_{};
    bool begun_ = false;
};

}  // namespace gdvar
