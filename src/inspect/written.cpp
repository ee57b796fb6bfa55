#include "gdvar/inspect/written.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <optional>
#include <string>

#include "base/exceptions.hpp"
#include "base/sort.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/encoder.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/validate.hpp"
#include "inspect/key_groups.hpp"
#include "inspect/loss_taker.hpp"
#include "inspect/skipping.hpp"
#include "inspect/wanted_types.hpp"
#include "wire/repeated_keys.hpp"

namespace gdvar::inspect {
namespace {

using detail::LossTaker;
using detail::RepeatedKey;

DecodeOptions reading(const EncodeOptions& how, bool strict) {
    DecodeOptions out{.dialect = how.dialect,
                      .allow_objects = how.allow_objects,
                      .strict = strict,
                      .real_width = how.real_width};
    out.limits = {how.max_depth, UINT64_MAX, UINT64_MAX};
    return out;
}

/// Writes the received values, without the pairs whose keys begin at given offsets.
class PairDropper : public Encoder<BufferOutput> {
    using Base = Encoder<BufferOutput>;

public:
    using Source = detail::Skipping<PairDropper>;

    PairDropper(BufferOutput& out, const EncodeOptions& how, const PackedArray<RepeatedKey>& keys,
                const LossTaker& losses)
        : Base(out, how),
          next_(keys.begin()),
          end_(keys.end()),
          what_("a later pair has a key that is the same in " + std::string(how.dialect->name)),
          losses_(losses) {
        for (const RepeatedKey& key : keys)
            dictionaries_.push_back(key.dictionary);
        detail::sort(dictionaries_);
    }
    void follow(const PathTracker<Source>& tracker) { tracker_ = &tracker; }

    void at(std::size_t offset) { here_ = offset; }
    bool skips(Type type, std::string_view, Errc&) {
        // Offsets inside a skipped pair.
        while (next_ != end_ && next_->begin < here_)
            ++next_;
        if (next_ != end_ && next_->begin == here_) {
            losses_.take(type, what_, "is left out", *tracker_);
            left_ = 2;
        }
        if (left_ == 0)
            return false;
        --left_;
        return true;
    }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value,
                          std::uint32_t count) {
        const auto [first, last] =
            std::equal_range(dictionaries_.begin(), dictionaries_.end(), std::uint64_t{here_});
        return Base::begin_dictionary(key, value, count - static_cast<std::uint32_t>(last - first));
    }

private:
    const RepeatedKey* next_;
    const RepeatedKey* end_;
    PackedArray<std::uint64_t> dictionaries_;  ///< offsets, one for each pair to drop
    std::size_t here_ = 0;
    int left_ = 0;  ///< remaining values of the dropped pair
    const std::string what_;
    const LossTaker& losses_;
    const PathTracker<Source>* tracker_ = nullptr;
};

std::expected<PackedByteArray, Error> without(const PackedArray<RepeatedKey>& keys, ByteView bytes,
                                              const EncodeOptions& how, const LossTaker& losses) {
    PackedByteArray out;
    {
        BufferOutput output(out);
        PairDropper dropper(output, how, keys, losses);
        PairDropper::Source source(dropper);
        PathTracker<PairDropper::Source> tracker(source);
        dropper.follow(tracker);
        if (auto done = read(bytes, reading(how, false), tracker); !done)
            return std::unexpected(done.error());
    }
    return out;
}

}  // namespace

std::expected<void, Error> check_written(ByteView packet, const EncodeOptions& how) {
    auto size = validate(packet, reading(how, true));
    if (!size)
        return std::unexpected(size.error());
    return {};
}

namespace {

/// The faults that strict reading refuses in a packet, by code, in the order of the bytes.
class Refused : public NullSink {
public:
    void quirk(Quirk quirk, std::size_t offset) {
        if (const Errc code = quirk_info(quirk).strict; code != Errc::ok)
            add(code, offset);
    }
    void add(Errc code, std::size_t offset) { places_[code].push_back(offset); }
    /// Repeated keys are told apart: an edit may remove one and add another.
    void add(std::vector<detail::KeyGroup> groups) { groups_ = std::move(groups); }

    /// The first new fault, of a code that occurs more often than before. An edit moves the faults
    /// after it, but its own faults come before those.
    std::optional<Error> more_than(const Refused& before) const {
        std::optional<Error> out;
        for (const auto& [code, now] : places_) {
            static const std::vector<std::uint64_t> nowhere;
            const auto found = before.places_.find(code);
            const auto& then = found == before.places_.end() ? nowhere : found->second;
            if (now.size() <= then.size())
                continue;
            const std::uint64_t at = *std::ranges::mismatch(now, then).in1;
            if (!out || at < out->offset)
                out = Error{code, Type::nil, at, 0};
        }
        const auto group = detail::first_new_group(before.groups_, groups_);
        if (group && (!out || group->at < out->offset))
            out = Error{Errc::duplicate_key, Type::nil, group->at, 0};
        return out;
    }

private:
    std::map<Errc, std::vector<std::uint64_t>> places_;
    std::vector<detail::KeyGroup> groups_;
};

std::expected<Refused, Error> refused_in(ByteView packet, const DecodeOptions& lenient) {
    Refused out;
    const auto size = read(packet, lenient, out);
    if (!size)
        return std::unexpected(size.error());
    if (*size < packet.size())
        out.add(Errc::trailing_bytes, *size);
    const auto keys = detail::replaced_keys(packet.first(*size), lenient);
    if (!keys)
        return std::unexpected(keys.error());
    auto groups = detail::key_groups(packet.first(*size), *keys, lenient);
    if (!groups)
        return std::unexpected(groups.error());
    out.add(*std::move(groups));
    return out;
}

}  // namespace

std::expected<void, Error> check_edited(ByteView before, ByteView after,
                                        const EncodeOptions& how) GDVAR_TRY {
    auto strict = check_written(after, how);
    if (strict || check_written(before, how))
        return strict;
    const DecodeOptions lenient = reading(how, false);
    const auto now = refused_in(after, lenient);
    if (!now)
        return std::unexpected(now.error());
    // A packet that was unreadable before cannot have become worse.
    const auto then = refused_in(before, lenient);
    if (!then)
        return {};
    if (const auto more = now->more_than(*then))
        return std::unexpected(*more);
    return {};
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

std::expected<void, Error> check_value(const Variant& value, const EncodeOptions& how) {
    const auto packet = encode(value, how);
    if (!packet)
        return std::unexpected(packet.error());
    return check_written(as_bytes(*packet), how);
}

namespace {

/// Sees each value and passes none on.
class MisfitFinder : public NullSink {
public:
    using Source = detail::Skipping<MisfitFinder>;
    explicit MisfitFinder(Losses& to) : to_(to) {}
    void follow(const PathTracker<Source>& tracker) { tracker_ = &tracker; }

    bool skips(Type type, std::string_view, Errc&) {
        if (const Type wanted = wanted_.misfit(type); wanted != Type::nil)
            to_.add(detail::misfit_in_words(type, wanted) + "; it " + detail::misfit_stays,
                    [&] { return shortened_path(tracker_->current_path(), Losses::most_path); });
        return false;
    }
    Errc begin_object(std::string_view, std::uint32_t) { return open({}, {}); }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value, std::uint32_t) {
        return open(key, value);
    }
    Errc begin_array(Type, const ContainerType& element, std::uint32_t) {
        return open(element, element);
    }
    Errc begin_packed_strings(std::uint32_t) { return open({}, {}); }
    Errc end() {
        wanted_.close();
        return Errc::ok;
    }

private:
    Errc open(const ContainerType& key, const ContainerType& value) {
        wanted_.open(key, value);
        return Errc::ok;
    }

    detail::WantedTypes wanted_;
    Losses& to_;
    const PathTracker<Source>* tracker_ = nullptr;
};

}  // namespace

std::expected<void, Error> find_misfits(ByteView packet, const EncodeOptions& how,
                                        Losses& to) GDVAR_TRY {
    MisfitFinder finder(to);
    MisfitFinder::Source source(finder);
    PathTracker<MisfitFinder::Source> tracker(source);
    finder.follow(tracker);
    if (auto done = read(packet, reading(how, false), tracker); !done)
        return std::unexpected(done.error());
    return {};
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

std::expected<void, Error> make_strict(Conversion& done, const EncodeOptions& how,
                                       ConversionReport* report) GDVAR_TRY {
    const DecodeOptions lenient = reading(how, false);
    const LossTaker losses{done.losses, report};
    constexpr int most_rounds = 8;
    for (int round = 0; round < most_rounds; ++round) {
        auto checked = check_written(as_bytes(done.bytes), how);
        if (checked || checked.error().code != Errc::duplicate_key)
            return checked;
        const auto keys = detail::replaced_keys(as_bytes(done.bytes), lenient);
        if (!keys)
            return std::unexpected(keys.error());
        auto bytes = without(*keys, as_bytes(done.bytes), how, losses);
        if (!bytes)
            return std::unexpected(bytes.error());
        done.bytes = *std::move(bytes);
    }
    return check_written(as_bytes(done.bytes), how);
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

}  // namespace gdvar::inspect
