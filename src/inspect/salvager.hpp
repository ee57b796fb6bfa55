// Sees which containers of a packet are open where the reading breaks, and how much of each is
// whole. Room: inspect, private.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gdvar/wire/reader.hpp"
#include "wire/around.hpp"

namespace gdvar::inspect {

/// Remembers for every open container where its count stands and which of its children are
/// complete.
class Salvager : public detail::AroundSink<Salvager> {
public:
    static constexpr bool reads_to_the_break = true;

    struct Open {
        std::size_t count_at = 0;
        std::size_t end = 0;      ///< of the last child that is whole
        std::uint32_t whole = 0;  ///< children; of a Dictionary, pairs
        std::uint32_t all = 0;    ///< that the count announces
        bool pairs = false;
        bool has_key = false;  ///< a Dictionary's key has been read, and not yet its value
        bool in_key = false;   ///< the container that is open inside is a key
        bool hidden = false;   ///< no item is found again in it
    };
    const std::vector<Open>& open() const noexcept { return open_; }

    /// A place where an item of the innermost container may begin: the next, or the end of the
    /// last.
    struct Place {
        std::size_t at = 0;
        std::size_t count_at = 0;  ///< of the innermost container
        std::uint64_t owed = 0;    ///< values that all open containers still take
        std::uint32_t values = 0;  ///< of an item: 2 of a Dictionary, 1 of an Array
    };
    /// All of them, but for those in keys, Objects and PackedStringArrays.
    std::vector<Place>* places = nullptr;

    void raw(Field field, std::size_t offset, std::size_t size) {
        if (field == Field::count || field == Field::property_count)
            count_at_ = offset;
        reach_ = offset + size;
    }
    /// All other values are leaves.
    template <class Event>
    Errc around(Event) {
        return leaf();
    }
    Errc begin_object(std::string_view, std::uint32_t n) { return begin(false, n, true); }
    Errc property(std::string_view) { return Errc::ok; }
    Errc begin_dictionary(const ContainerType&, const ContainerType&, std::uint32_t n) {
        return begin(true, n);
    }
    Errc begin_array(Type, const ContainerType&, std::uint32_t n) { return begin(false, n); }
    Errc begin_packed_strings(std::uint32_t n) { return begin(false, n, true); }
    Errc end() {
        open_.pop_back();
        return whole();
    }

private:
    Errc begin(bool pairs, std::uint32_t count, bool hidden = false) {
        if (!open_.empty()) {
            Open& around = open_.back();
            around.in_key = around.pairs && !around.has_key;
            hidden = hidden || around.hidden || around.in_key;
            take();
        }
        open_.push_back(
            {.count_at = count_at_, .end = reach_, .all = count, .pairs = pairs, .hidden = hidden});
        owed_ += hidden ? 0 : std::uint64_t{count} << pairs;
        tell();
        return Errc::ok;
    }
    Errc leaf() {
        take();
        return whole();
    }
    /// A value of the innermost container has begun.
    void take() {
        if (!open_.empty() && !open_.back().hidden)
            --owed_;
    }
    /// A value is whole.
    Errc whole() {
        if (open_.empty())
            return Errc::ok;
        Open& in = open_.back();
        if (in.pairs && !std::exchange(in.has_key, !in.has_key))
            return Errc::ok;
        ++in.whole;
        in.end = reach_;
        tell();
        return Errc::ok;
    }
    void tell() {
        const Open& in = open_.back();
        if (places && !in.hidden && in.whole < in.all)
            places->push_back({in.end, in.count_at, owed_, in.pairs ? 2u : 1u});
    }

    std::vector<Open> open_;
    std::size_t count_at_ = 0, reach_ = 0;
    std::uint64_t owed_ = 0;
};

}  // namespace gdvar::inspect
