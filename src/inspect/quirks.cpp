#include "gdvar/inspect/quirks.hpp"

#include <algorithm>
#include <new>
#include <optional>

#include "base/exceptions.hpp"
#include "gdvar/inspect/engine.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/reader.hpp"
#include "wire/around.hpp"
#include "wire/repeated_keys.hpp"

namespace gdvar::inspect {
namespace {

/// Adds to each quirk the path of its value. A value's event comes after its bytes, so the path is
/// known later than the quirk.
class QuirkFinder : public detail::AroundSink<QuirkFinder> {
public:
    /// `repeated`: the keys that engines merge with earlier ones.
    QuirkFinder(Quirks& out, std::size_t most, std::span<const detail::RepeatedKey> repeated)
        : out_(out), most_(most), repeated_(repeated), tracker_(nothing_) {}

    void quirk(Quirk quirk, std::size_t offset) {
        ++out_.count;
        out_.strict = out_.strict && quirk_info(quirk).strict == Errc::ok;
        if (out_.first.size() < most_)
            out_.first.push_back({quirk, offset, {}});
    }
    /// A quirk before the next value that was noted after the last value's event belongs to the
    /// last value.
    void at(std::size_t offset) {
        settle(offset);
        if (!repeated_.empty() && repeated_.front().begin == offset) {
            repeated_ = repeated_.subspan(1);
            quirk(Quirk::duplicate_key, offset);
        }
    }

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
    void trailing(std::size_t offset) {
        quirk(Quirk::trailing_bytes, offset);
        if (settled_ < out_.first.size())
            out_.first[settled_++].path = "$";
    }
    void settle(std::size_t before = SIZE_MAX) {
        for (; settled_ < out_.first.size() && out_.first[settled_].offset < before; ++settled_)
            out_.first[settled_].path = shortened_path(tracker_.current_path(), Quirks::most_path);
    }

private:
    Quirks& out_;
    std::size_t most_, settled_ = 0;
    std::span<const detail::RepeatedKey> repeated_;
    NullSink nothing_;
    PathTracker<NullSink> tracker_;
};

/// The first byte that engines of the dialect would write differently. Errors: no_memory.
std::expected<std::optional<std::size_t>, Error> find_rewritten(ByteView packet,
                                                                const DecodeOptions& options) {
    const auto engine = std::ranges::find(all_engines(), options.dialect, &Engine::dialect);
    if (engine == all_engines().end())
        return std::nullopt;
    const auto reading = read_as(*engine, packet, options.allow_objects);
    const auto back = reading ? reencoding(*engine, *reading, options.allow_objects)
                              : std::unexpected(reading.error());
    if (!back && back.error().code == Errc::no_memory)
        return std::unexpected(back.error());
    if (!back)
        return 0;
    const ByteView written = as_bytes(*back);
    const auto [at, other] = std::ranges::mismatch(packet, written);
    if (at == packet.end() && other == written.end())
        return std::nullopt;
    return static_cast<std::size_t>(at - packet.begin());
}

}  // namespace

std::expected<Quirks, Error> find_quirks(ByteView packet, const DecodeOptions& options,
                                         std::size_t most) GDVAR_TRY {
    DecodeOptions lenient = options;
    lenient.strict = false;
    Quirks out;
    // For unreadable bytes the walk gives the reason: there, the limits count, too.
    const auto repeated = detail::merged_keys(packet, lenient);
    QuirkFinder finder(out, most,
                       repeated ? std::span(*repeated) : std::span<detail::RepeatedKey>());
    const auto size = read(packet, lenient, finder);
    if (!size)
        return std::unexpected(size.error());
    if (!repeated)
        return std::unexpected(repeated.error());
    finder.settle();
    if (*size < packet.size())
        finder.trailing(*size);
    out.size = *size;
    if (out.count)
        return out;
    // If there is no other quirk, only an engine shows it.
    const auto rewritten = find_rewritten(packet, lenient);
    if (!rewritten)
        return std::unexpected(rewritten.error());
    if (const auto at = *rewritten) {
        out.count = 1;
        if (most)
            out.first.push_back({Quirk::engine_rewrites, *at,
                                 shortened_path(path_at(packet, lenient, *at), Quirks::most_path)});
    }
    return out;
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

}  // namespace gdvar::inspect
