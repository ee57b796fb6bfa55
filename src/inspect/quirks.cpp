#include "gdvar/inspect/quirks.hpp"

#include <new>

#include "gdvar/inspect/lookup.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/reader.hpp"

namespace gdvar {
namespace {

/// Gives each quirk the path of the value that is being read. A value's event comes after its
/// bytes, so the path is known later than the quirk.
class QuirkFinder {
public:
    QuirkFinder(Quirks& out, std::size_t most) : out_(out), most_(most), tracker_(nothing_) {}

    void quirk(Quirk quirk, std::size_t offset) {
        ++out_.count;
        out_.strict = out_.strict && quirk_info(quirk).strict == Errc::ok;
        if (out_.first.size() < most_)
            out_.first.push_back({quirk, offset, {}});
    }
    /// A quirk before the next value that was noted after the last value's event belongs to the
    /// last value.
    void at(std::size_t offset) { settle(offset); }

#define GDVAR_FOLLOW(name, params, args)      \
    Errc name params {                        \
        const Errc code = tracker_.name args; \
        settle();                             \
        return code;                          \
    }
    GDVAR_FOLLOW(nil, (), ())
    GDVAR_FOLLOW(boolean, (bool v), (v))
    GDVAR_FOLLOW(integer, (std::int64_t v), (v))
    GDVAR_FOLLOW(real, (double v), (v))
    GDVAR_FOLLOW(string, (std::string_view v), (v))
    GDVAR_FOLLOW(string_name, (std::string_view v), (v))
    GDVAR_FOLLOW(math, (const MathView& v), (v))
    GDVAR_FOLLOW(node_path, (const NodePathView& v), (v))
    GDVAR_FOLLOW(rid, (std::uint64_t v), (v))
    GDVAR_FOLLOW(object_null, (), ())
    GDVAR_FOLLOW(object_id, (std::uint64_t v), (v))
    GDVAR_FOLLOW(begin_object, (std::string_view v, std::uint32_t n), (v, n))
    GDVAR_FOLLOW(property, (std::string_view v), (v))
    GDVAR_FOLLOW(callable, (), ())
    GDVAR_FOLLOW(signal, (std::string_view v, std::uint64_t id), (v, id))
    GDVAR_FOLLOW(begin_dictionary,
                 (const ContainerType& k, const ContainerType& v, std::uint32_t n), (k, v, n))
    GDVAR_FOLLOW(begin_array, (Type t, const ContainerType& e, std::uint32_t n), (t, e, n))
    GDVAR_FOLLOW(packed, (const PackedView& v), (v))
    GDVAR_FOLLOW(begin_packed_strings, (std::uint32_t n), (n))
    GDVAR_FOLLOW(packed_string, (std::string_view v), (v))
    GDVAR_FOLLOW(image, (const ImageView& v), (v))
    GDVAR_FOLLOW(input_event, (const InputEventView& v), (v))
#undef GDVAR_FOLLOW
    Errc end() {
        settle();
        return tracker_.end();
    }
    void settle(std::size_t before = SIZE_MAX) {
        for (; settled_ < out_.first.size() && out_.first[settled_].offset < before; ++settled_)
            out_.first[settled_].path = shortened_path(tracker_.current_path(), Quirks::most_path);
    }

private:
    Quirks& out_;
    std::size_t most_, settled_ = 0;
    NullSink nothing_;
    PathTracker<NullSink> tracker_;
};

}  // namespace

std::expected<Quirks, Error> find_quirks(ByteView packet, const DecodeOptions& options,
                                         std::size_t most) try {
    DecodeOptions lenient = options;
    lenient.strict = false;
    Quirks out;
    QuirkFinder finder(out, most);
    const auto size = read(packet, lenient, finder);
    if (!size)
        return std::unexpected(size.error());
    finder.settle();
    out.size = *size;
    return out;
} catch (const std::bad_alloc&) {
    return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
}

}  // namespace gdvar
