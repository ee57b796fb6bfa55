#include "gdvar/inspect/salvage.hpp"

#include <algorithm>
#include <new>

#include "base/exceptions.hpp"
#include "gdvar/wire/reader.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar::inspect {
namespace {

/// Remembers the offset of each open container's count, and which of its children are complete.
class Salvager {
public:
    static constexpr bool reads_to_the_break = true;

    struct Open {
        std::size_t count_at = 0;
        std::size_t end = 0;      ///< of the last complete child
        std::uint32_t whole = 0;  ///< complete children; pairs of a Dictionary
        bool pairs = false;
        bool has_key = false;  ///< a Dictionary's key was read, but not its value
        bool in_key = false;   ///< the inner open container is a key
    };
    const std::vector<Open>& open() const noexcept { return open_; }

    void raw(Field field, std::size_t offset, std::size_t size) {
        if (field == Field::count || field == Field::property_count)
            count_at_ = offset;
        reach_ = offset + size;
    }
    Errc nil() { return leaf(); }
    Errc boolean(bool) { return leaf(); }
    Errc integer(std::int64_t) { return leaf(); }
    Errc real(double) { return leaf(); }
    Errc string(std::string_view) { return leaf(); }
    Errc string_name(std::string_view) { return leaf(); }
    Errc math(const MathView&) { return leaf(); }
    Errc node_path(const NodePathView&) { return leaf(); }
    Errc rid(std::uint64_t) { return leaf(); }
    Errc object_null() { return leaf(); }
    Errc object_id(std::uint64_t) { return leaf(); }
    Errc begin_object(std::string_view, std::uint32_t) { return begin(false); }
    Errc property(std::string_view) { return Errc::ok; }
    Errc callable() { return leaf(); }
    Errc signal(std::string_view, std::uint64_t) { return leaf(); }
    Errc begin_dictionary(const ContainerType&, const ContainerType&, std::uint32_t) {
        return begin(true);
    }
    Errc begin_array(Type, const ContainerType&, std::uint32_t) { return begin(false); }
    Errc packed(const PackedView&) { return leaf(); }
    Errc begin_packed_strings(std::uint32_t) { return begin(false); }
    Errc packed_string(std::string_view) { return leaf(); }
    Errc image(const ImageView&) { return leaf(); }
    Errc input_event(const InputEventView&) { return leaf(); }
    Errc end() {
        open_.pop_back();
        return leaf();
    }

private:
    Errc begin(bool pairs) {
        if (!open_.empty())
            open_.back().in_key = open_.back().pairs && !open_.back().has_key;
        open_.push_back({count_at_, reach_, 0, pairs});
        return Errc::ok;
    }
    Errc leaf() {
        if (open_.empty())
            return Errc::ok;
        Open& in = open_.back();
        if (in.pairs && !std::exchange(in.has_key, !in.has_key))
            return Errc::ok;
        ++in.whole;
        in.end = reach_;
        return Errc::ok;
    }

    std::vector<Open> open_;
    std::size_t count_at_ = 0, reach_ = 0;
};

void set_count(std::vector<std::byte>& bytes, std::size_t at, std::uint32_t count) {
    // The top bit is Godot 2's mark of a shared container.
    const auto old = detail::load<std::uint32_t>(bytes.data() + at);
    detail::store(bytes.data() + at, (old & 0x8000'0000u) | count);
}

}  // namespace

std::optional<Salvaged> up_to_break(ByteView packet, const DecodeOptions& options) GDVAR_TRY {
    Salvager salvager;
    const auto size = read(packet, options, salvager);
    if (size || salvager.open().empty())
        return std::nullopt;
    Salvaged out;
    out.error = size.error();
    // From the outermost inwards, as long as the containers are values and not keys.
    const auto& open = salvager.open();
    std::size_t last = 0;
    while (last + 1 < open.size() && !open[last].in_key)
        ++last;
    out.packet.assign(packet.begin(), packet.begin() + static_cast<std::ptrdiff_t>(open[last].end));
    for (std::size_t i = 0; i <= last; ++i)
        set_count(out.packet, open[i].count_at, open[i].whole + (i < last));
    const auto sound = validate(out.packet, options);
    if (!sound || *sound != out.packet.size())
        return std::nullopt;
    return out;
}
GDVAR_CATCH_NO_MEMORY(return std::nullopt)

}  // namespace gdvar::inspect
