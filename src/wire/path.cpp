#include "gdvar/wire/path.hpp"

#include "base/ascii.hpp"
#include "base/number.hpp"
#include "gdvar/base/quote.hpp"
#include "gdvar/base/utf8.hpp"
#include "wire/around.hpp"

namespace gdvar {
namespace {

bool is_identifier(std::string_view text) noexcept {
    if (text.empty())
        return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!detail::is_letter(text[i]) && !(i && detail::is_digit(text[i])))
            return false;
    }
    return true;
}

void append_math(std::string& out, const detail::PathStep& step) {
    const MathView value{step.type, step.wide, step.host_order, step.components};
    out += type_name(step.type);
    out += '(';
    for (std::size_t i = 0; i < value.components(); ++i) {
        if (i)
            out += ", ";
        if (value.integral())
            out += std::to_string(value.integer(i));
        else if (value.wide)
            detail::append_float(out, value.real(i), detail::WholeMark::no);
        else
            detail::append_float(out, static_cast<float>(value.real(i)), detail::WholeMark::no);
    }
    out += ')';
}

void append_node_path(std::string& out, const NodePathView& path) {
    out += "NodePath(";
    append_quoted(out, to_string(path));
    out += ')';
}

void append_name(std::string& out, std::string_view name) {
    if (is_identifier(name)) {
        out += '.';
        out += name;
        return;
    }
    out += '[';
    append_quoted(out, name);
    out += ']';
}

void append_key(std::string& out, const detail::PathStep& step) {
    using Step = detail::PathStep;
    if (step.form == Step::text)
        return append_name(out, step.name);
    out += '[';
    switch (step.form) {
        case Step::integer:
            out += std::to_string(step.whole);
            break;
        case Step::real:
            detail::append_float(out, step.number, detail::WholeMark::yes);
            break;
        case Step::boolean:
            out += step.whole ? "true" : "false";
            break;
        case Step::nil:
            out += "null";
            break;
        case Step::math:
            append_math(out, step);
            break;
        case Step::node_path:
            append_node_path(out, step.path);
            break;
        case Step::rid:
            out += "RID(" + std::to_string(static_cast<std::uint64_t>(step.whole)) + ")";
            break;
        default:
            out += "@" + std::to_string(step.index);
            break;
    }
    out += ']';
}

}  // namespace

void detail::append_step(std::string& out, const PathStep& step) {
    if (step.index == UINT32_MAX)
        return;  // nothing inside was announced yet
    switch (step.kind) {
        case PathStep::array:
        case PathStep::strings:
            out += "[" + std::to_string(step.index) + "]";
            break;
        case PathStep::property:
            if (step.form == PathStep::text)
                append_name(out, step.name);
            else
                out += "[@" + std::to_string(step.index) + "]";
            break;
        case PathStep::key:
            out += "[@" + std::to_string(step.index) + " key]";
            break;
        case PathStep::value:
            append_key(out, step);
            break;
    }
}

namespace {

/// The target: the value at an offset, the refused one there, or the next one after bytes that are
/// cut.
enum class Find : std::uint8_t { value, refused, next };

/// A tracker around an empty sink, up to the last value at or before an offset. Ends are delayed
/// until something follows them: until then, the target may be the last value.
template <Find what>
class PathFinder : public detail::AroundSink<PathFinder<what>> {
public:
    static constexpr bool reads_to_the_break = what != Find::value;
    explicit PathFinder(std::uint64_t offset) : offset_(offset), tracker_(nothing_) {}

    void at(std::size_t offset) noexcept { here_ = offset; }

    template <class Event>
    Errc around(Event event) {
        return reach() ? event(tracker_) : Errc::stopped;
    }
    Errc end() {
        ++ends_;
        return Errc::ok;
    }

    /// After the read; `error` is its own error, if it had one.
    std::string path(const Error* error) {
        const bool cut = error && error->code == Errc::truncated;
        // In a packet that is still being written, every announced value is complete. A whole key
        // without its value was refused for the value's bytes.
        const bool ends =
            cut && (what == Find::next || (what == Find::refused && !ends_ && tracker_.at_key()));
        const bool unannounced =
            ends || (error && error->offset <= offset_ && (!announced_ || error->offset > last_));
        if (!unannounced)
            return tracker_.path();
        settle();
        return tracker_.path_of_next();
    }

private:
    void settle() {
        for (; ends_; --ends_)
            (void)tracker_.end();
    }
    bool reach() {
        if (here_ > offset_)
            return false;
        settle();
        announced_ = true;
        last_ = here_;
        return true;
    }

    std::uint64_t offset_;
    std::uint64_t last_ = 0;
    std::size_t here_ = 0, ends_ = 0;
    bool announced_ = false;
    NullSink nothing_;
    PathTracker<NullSink> tracker_;
};

}  // namespace

namespace {
template <Find what>
std::string find_path(ByteView bytes, const DecodeOptions& options, std::uint64_t offset) {
    PathFinder<what> finder(offset);
    DecodeOptions lenient = options;
    lenient.strict = false;
    auto done = read(bytes, lenient, finder);
    return finder.path(done || done.error().code == Errc::stopped ? nullptr : &done.error());
}
}  // namespace

std::string path_at(ByteView bytes, const DecodeOptions& options, std::uint64_t offset) {
    return find_path<Find::value>(bytes, options, offset);
}

std::string shortened_path(std::string_view path, std::size_t most) {
    if (path.size() <= most)
        return std::string(path);
    const std::string_view dots = std::string_view("...").substr(0, most);
    const std::size_t kept = most - dots.size();
    const std::size_t head = utf8::cut(path, kept / 2);
    std::size_t tail = path.size() - (kept - kept / 2);
    while (tail < path.size() && utf8::continues(path[tail]))
        ++tail;
    return std::string(path.substr(0, head)).append(dots).append(path.substr(tail));
}

std::string detail::path_of_next(ByteView begun, const DecodeOptions& options) {
    return shortened_path(find_path<Find::next>(begun, options, begun.size()), most_error_path);
}

std::string error_path(ByteView bytes, const DecodeOptions& options, const Error& error) {
    if (error.code == Errc::trailing_bytes)  // they follow the whole value, not its last part
        return "$";
    return shortened_path(find_path<Find::refused>(bytes, options, error.offset), most_error_path);
}

}  // namespace gdvar
