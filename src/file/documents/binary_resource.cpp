#include "gdvar/file/binary_resource.hpp"

#include <new>
#include <optional>
#include <utility>

#include "base/exceptions.hpp"
#include "file/documents/resource_values.hpp"
#include "gdvar/save/container.hpp"
#include "gdvar/value/builder.hpp"
#include "gdvar/value/walk.hpp"
#include "gdvar/wire/encoder.hpp"
#include "gdvar/wire/sink.hpp"
#include "wire/any_script.hpp"
#include "wire/refuse.hpp"

namespace gdvar {
namespace {

using detail::NameBudget;
using detail::refuse;
using detail::ResourceBytes;
using detail::ResourceHead;
using detail::ResourceValues;

constexpr std::size_t magic_size = 4;

enum class Writer : std::uint8_t { godot_4, godot_3, pandemonium };

const Dialect& dialect_of(Writer writer) {
    switch (writer) {
        case Writer::godot_4:
            return detail::with_any_script(dialects::godot_4_4);
        case Writer::godot_3:
            return dialects::godot_3_1;
        default:
            return dialects::pandemonium_5;
    }
}

/// A resource whose tables have been read, and what a first reading of its values found.
class Resource {
public:
    /// `content`: all bytes of the file, or those inside of a compressed one.
    Resource(ByteView content, std::optional<Compression> compression,
             const BinaryResourceOptions& options)
        : content_(content), compression_(compression), options_(options) {}

    /// Reads everything once. Errors: those of read_binary_resource.
    std::expected<void, Error> check();
    /// Drives the sink with the whole value. `check` has been called. Errors: the sink's.
    template <class Sink>
    std::expected<void, Error> drive(Sink& sink) const {
        ResourceBytes in = bytes();
        std::uint64_t used = 0;
        bool ignored = false;
        if (!Parts<Sink>{*this, in, sink, NameBudget(content_.size())}.all(used, ignored))
            return std::unexpected(in.error());
        return {};
    }
    const Dialect& dialect() const { return dialect_of(writer_); }

private:
    template <class Sink>
    struct Parts;

    ResourceBytes bytes() const { return ResourceBytes(content_, head_.big, dialect().utf8); }
    std::size_t start() const noexcept { return compression_ ? 0 : magic_size; }
    Dictionary header() const;

    ByteView content_;
    std::optional<Compression> compression_;
    BinaryResourceOptions options_;
    ResourceHead head_{};
    Writer writer_ = Writer::godot_3;
    std::int64_t unread_ = 0;
    bool end_mark_ = true;
};

/// Gives one part after the other to a sink.
template <class Sink>
struct Resource::Parts {
    const Resource& from;
    ResourceBytes& in;
    Sink& sink;
    NameBudget budget;
    /// Containers around a property's value: all of it, the section, the Object.
    static constexpr std::uint32_t outer = 3;

    bool gave(Errc code) { return code == Errc::ok || in.refuse(code, in.at()); }
    bool key(std::string_view name) { return gave(sink.string(name)); }
    bool text(std::string_view name, std::string_view value) {
        return key(name) && gave(sink.string(value));
    }
    bool begin(std::size_t count) {
        return gave(sink.begin_dictionary({}, {}, static_cast<std::uint32_t>(count)));
    }
    bool end() { return gave(sink.end()); }

    /// `used`: the bytes of the resources. `pandemonium`: whether only that engine wrote this.
    bool all(std::uint64_t& used, bool& pandemonium) {
        const ResourceHead& head = from.head_;
        const std::size_t subs = head.internals.size() - 1;
        const bool imported = head.import_at && head.major < 3;
        if (!begin(std::size_t{4} + imported) || !key("header") ||
            !gave(gdvar::drive(Variant(from.header()), sink)) || !externals() || !key("sub") ||
            !begin(subs))
            return false;
        for (std::size_t i = 0; i < subs; ++i)
            if (!id_key(head.internals[i]) || !resource(head.internals[i], used, pandemonium))
                return false;
        if (!end())
            return false;
        if (imported && !import(used, pandemonium))
            return false;
        return key("resource") && resource(head.internals.back(), used, pandemonium) && end();
    }

    /// References name the resource by this key: a text in Godot 4, a number before.
    bool id_key(const ResourceHead::Internal& one) {
        const auto number = from.head_.number_of(one);
        return number ? gave(sink.integer(*number)) : budget.take(one.id(), in) && key(one.id());
    }
    bool externals() {
        const auto& externals = from.head_.externals;
        if (!key("ext") || !begin(externals.size()))
            return false;
        for (std::size_t i = 0; i < externals.size(); ++i) {
            const ResourceHead::External& one = externals[i];
            const bool has_uid = one.uid != -1;
            if (!gave(sink.integer(static_cast<std::int64_t>(i))) || !begin(2 + has_uid) ||
                !text("type", one.type) || !text("path", one.path) ||
                (has_uid && !text("uid", detail::uid_text(one.uid))) || !end())
                return false;
        }
        return end();
    }

    /// Goes to a part. Together parts can't have more bytes than the file: else they overlap.
    bool enter(std::uint64_t offset, std::uint64_t used) {
        return in.seek(offset) &&
               (used <= in.size() ||
                in.refuse(Error{Errc::size_limit, Type::nil, offset}.about_reason(
                    "resources that overlap")));
    }
    bool resource(const ResourceHead::Internal& one, std::uint64_t& used, bool& pandemonium) {
        std::string_view type;
        std::uint32_t count = 0;
        constexpr std::size_t least = 4 + ResourceValues<Sink>::least_value;
        if (!enter(one.offset, used) || !in.text(type) || !in.count(count) || !in.owe(count, least))
            return false;
        if (type.empty())
            return in.refuse(Error{Errc::bad_reference, Type::object, one.offset}.about_reason(
                "a resource without a class"));
        if (!gave(sink.begin_object(type, count)))
            return false;
        ResourceValues<Sink> values(from.head_, in, sink, budget, from.options_.max_depth, outer);
        for (; count; --count) {
            const std::size_t at = in.at();
            std::string_view name;
            in.pay(4);
            if (!values.name(name))
                return false;
            if (name.empty())
                return in.refuse(Error{Errc::bad_reference, Type::object, at}.about_reason(
                    "a property without a name"));
            if (!gave(sink.property(name)) || !values.value())
                return false;
        }
        used += in.at() - one.offset;
        pandemonium |= values.pandemonium();
        return end();
    }

    /// Godot 1 and 2: which editor plugin made the resource, of what, with which options.
    bool import(std::uint64_t& used, bool& pandemonium) {
        std::string_view editor, path, md5;
        std::uint32_t count = 0;
        constexpr std::size_t least_source = 8, least_option = 8;
        const std::uint64_t at = from.head_.import_at;
        if (!enter(at, used) || !in.text(editor) || !in.count(count) ||
            !in.owe(count, least_source))
            return false;
        if (!key("import") || !begin(3) || !text("editor", editor) || !key("sources") ||
            !gave(sink.begin_array(Type::array, {}, count)))
            return false;
        for (; count; --count) {
            in.pay(least_source);
            if (!in.text(path) || !in.text(md5) || !begin(2) || !text("path", path) ||
                !text("md5", md5) || !end())
                return false;
        }
        if (!end() || !in.count(count) || !in.owe(count, least_option) || !key("options") ||
            !begin(count))
            return false;
        ResourceValues<Sink> values(from.head_, in, sink, budget, from.options_.max_depth, outer);
        for (; count; --count) {
            std::string_view name;
            in.pay(4);
            if (!in.text(name) || !key(name) || !values.value())
                return false;
        }
        used += in.at() - at;
        pandemonium |= values.pandemonium();
        return end() && end();
    }
};

Dictionary Resource::header() const {
    Dictionary out{{"type", head_.type},
                   {"format", head_.format},
                   {"engine", std::to_string(head_.major) + '.' + std::to_string(head_.minor)},
                   {"path", head_.internals.back().path}};
    if (!head_.script_class.empty())
        out.append("script_class", head_.script_class);
    if (head_.uid != -1)
        out.append("uid", detail::uid_text(head_.uid));
    if (head_.big)
        out.append("big_endian", true);
    if (compression_)
        out.append("compressed", compression_name(*compression_));
    if (head_.has(ResourceHead::double_precision))
        out.append("double_precision", true);
    if (!end_mark_)
        out.append("no_end_mark", true);
    if (unread_)
        out.append("unread", unread_);
    return out;
}

std::expected<void, Error> Resource::check() {
    ResourceBytes in(content_, false, Utf8Rule::lenient);
    in.seek(start());
    if (!head_.read(in))
        return std::unexpected(in.error());
    writer_ = head_.godot_4()    ? Writer::godot_4
              : head_.major >= 4 ? Writer::pandemonium
                                 : Writer::godot_3;
    bool pandemonium = false;
    std::uint64_t used = 0;
    const auto once = [&]() -> std::expected<void, Error> {
        // Texts of the tables follow the same rule as those of the values.
        ResourceBytes again(content_, false, dialect().utf8);
        again.seek(start());
        NullSink nothing;
        used = 0;
        if (head_ = {}; !head_.read(again))
            return std::unexpected(again.error());
        if (!Parts<NullSink>{*this, again, nothing, NameBudget(content_.size())}.all(used,
                                                                                     pandemonium))
            return std::unexpected(again.error());
        return {};
    };
    if (auto read = once(); !read)
        return read;
    if (pandemonium && writer_ != Writer::pandemonium) {
        writer_ = Writer::pandemonium;
        if (auto read = once(); !read)
            return read;
    }
    constexpr std::string_view mark = "RSRC";
    const std::string_view all = detail::as_text(content_.data(), content_.size());
    end_mark_ = all.ends_with(mark) && content_.size() >= head_.end + mark.size();
    unread_ = static_cast<std::int64_t>(content_.size()) - static_cast<std::int64_t>(head_.end) -
              static_cast<std::int64_t>(used) -
              static_cast<std::int64_t>(end_mark_ ? mark.size() : 0);
    return {};
}

/// The content of a compressed resource.
std::expected<std::vector<std::byte>, Error> decompressed(ByteView bytes, std::uint64_t max_bytes,
                                                          Compression& compression) {
    MemorySource source(bytes);
    auto opened = open_container(source, {.max_bytes = max_bytes});
    if (!opened)
        return std::unexpected(opened.error().error);
    compression = (*opened)->compression();
    auto content = read_all(**opened, max_bytes);
    if (!content)
        return std::unexpected(content.error().error);
    return *std::move(content);
}

/// Calls `use` with the resource, checked.
template <class Use>
auto with_resource(ByteView bytes, const BinaryResourceOptions& options, Use&& use)
    -> decltype(use(std::declval<const Resource&>())) GDVAR_TRY {
    if (!is_binary_resource(bytes)) {
        const std::string_view start =
            detail::as_text(bytes.data(), std::min(bytes.size(), magic_size));
        const bool cut =
            bytes.size() < magic_size && (std::string_view("RSRC").starts_with(start) ||
                                          std::string_view("RSCC").starts_with(start));
        return cut ? refuse(Errc::truncated, 0, magic_size - bytes.size())
                   : refuse(Errc::bad_magic);
    }
    std::vector<std::byte> content;
    std::optional<Compression> compression;
    if (bytes[2] == std::byte{'C'}) {
        auto inside = decompressed(bytes, options.max_bytes, compression.emplace());
        if (!inside)
            return std::unexpected(inside.error());
        content = *std::move(inside);
        bytes = content;
    }
    Resource resource(bytes, compression, options);
    if (auto sound = resource.check(); !sound)
        return std::unexpected(sound.error());
    return use(std::as_const(resource));
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace

bool is_binary_resource(ByteView start) noexcept {
    const std::string_view text = detail::as_text(start.data(), std::min(start.size(), magic_size));
    return text == "RSRC" || text == "RSCC";
}

std::expected<BinaryResource, Error> read_binary_resource(ByteView bytes,
                                                          const BinaryResourceOptions& options) {
    return with_resource(
        bytes, options, [&](const Resource& resource) -> std::expected<BinaryResource, Error> {
            BinaryResource out{.dialect = &resource.dialect()};
            const EncodeOptions encoding{
                .dialect = out.dialect, .allow_objects = true, .max_depth = options.max_depth};
            {
                BufferOutput output(out.packet);
                Encoder<BufferOutput> encoder(output, encoding);
                if (auto driven = resource.drive(encoder); !driven)
                    return std::unexpected(driven.error());
            }
            detail::give_back(out.packet);
            return out;
        });
}

std::expected<Variant, Error> decode_binary_resource(ByteView bytes,
                                                     const BinaryResourceOptions& options) {
    return with_resource(bytes, options,
                         [&](const Resource& resource) -> std::expected<Variant, Error> {
                             Variant out;
                             VariantBuilder builder(out);
                             if (auto driven = resource.drive(builder); !driven)
                                 return std::unexpected(driven.error());
                             return out;
                         });
}

}  // namespace gdvar
