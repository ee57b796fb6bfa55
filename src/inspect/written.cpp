#include "gdvar/inspect/written.hpp"

#include <algorithm>
#include <new>
#include <string>

#include "gdvar/wire/encoder.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/validate.hpp"
#include "inspect/skipping.hpp"
#include "wire/repeated_keys.hpp"

namespace gdvar {
namespace {

using detail::RepeatedKey;

DecodeOptions reading(const EncodeOptions& how, bool strict) {
    DecodeOptions out{.dialect = how.dialect,
                      .allow_objects = how.allow_objects,
                      .strict = strict,
                      .real_width = how.real_width};
    out.limits = {how.max_depth, UINT64_MAX, UINT64_MAX};
    return out;
}

/// Writes what it is driven with, without the pairs whose keys begin at given places.
class PairDropper : public Encoder<BufferOutput> {
    using Base = Encoder<BufferOutput>;

public:
    using Source = detail::Skipping<PairDropper>;

    PairDropper(BufferOutput& out, const EncodeOptions& how, const PackedArray<RepeatedKey>& keys,
                std::vector<Loss>& losses)
        : Base(out, how),
          next_(keys.begin()),
          end_(keys.end()),
          what_("a later pair has a key that is the same in " + std::string(how.dialect->name)),
          losses_(losses) {
        for (const RepeatedKey& key : keys) dictionaries_.push_back(key.dictionary);
        std::sort(dictionaries_.begin(), dictionaries_.end());
    }
    void follow(const PathTracker<Source>& tracker) { tracker_ = &tracker; }

    void at(std::size_t offset) { here_ = offset; }
    bool skips(Type type, std::string_view, Errc&) {
        // Those in a pair that was skipped have been passed.
        while (next_ != end_ && next_->begin < here_) ++next_;
        if (next_ != end_ && next_->begin == here_) {
            losses_.push_back({tracker_->path(), type, what_, "is left out"});
            left_ = 2;
        }
        return left_ != 0 && left_-- != 0;
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
    int left_ = 0;  ///< values of the pair that is dropped
    const std::string what_;
    std::vector<Loss>& losses_;
    const PathTracker<Source>* tracker_ = nullptr;
};

std::expected<PackedByteArray, Error> without(const PackedArray<RepeatedKey>& keys, ByteView bytes,
                                              const EncodeOptions& how, std::vector<Loss>& losses) {
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
    if (!size) return std::unexpected(size.error());
    return {};
}

std::expected<void, Error> make_strict(Conversion& done, const EncodeOptions& how) try {
    const DecodeOptions lenient = reading(how, false);
    constexpr int most_rounds = 8;
    for (int round = 0; round < most_rounds; ++round) {
        auto checked = check_written(as_bytes(done.bytes), how);
        if (checked || checked.error().code != Errc::duplicate_key) return checked;
        const auto keys = detail::replaced_keys(as_bytes(done.bytes), lenient);
        if (!keys) return std::unexpected(keys.error());
        auto bytes = without(*keys, as_bytes(done.bytes), how, done.losses);
        if (!bytes) return std::unexpected(bytes.error());
        done.bytes = *std::move(bytes);
    }
    return check_written(as_bytes(done.bytes), how);
} catch (const std::bad_alloc&) {
    return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
}

}  // namespace gdvar
