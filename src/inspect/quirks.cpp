#include "gdvar/inspect/quirks.hpp"

#include <new>

#include "base/exceptions.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/reader.hpp"
#include "wire/around.hpp"

namespace gdvar::inspect {
namespace {

/// Gives each quirk the path of the value that is being read. A value's event comes after its
/// bytes, so the path is known later than the quirk.
class QuirkFinder : public detail::AroundSink<QuirkFinder> {
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

    template <class Event>
    Errc around(Event event) {
        const Errc code = event(tracker_);
        settle();
        return code;
    }
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
                                         std::size_t most) GDVAR_TRY {
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
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

}  // namespace gdvar::inspect
