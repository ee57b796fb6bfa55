#include "gdvar/file/save_patch.hpp"

#include <algorithm>
#include <new>
#include <set>
#include <utility>
#include <vector>

#include "base/exceptions.hpp"
#include "file/joined.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/validate.hpp"
#include "inspect/edit_bytes.hpp"

namespace gdvar {

namespace detail {

Contents contents_of(const DocumentKind& kind) noexcept {
    return kind.named ? Contents::settings : kind.several ? Contents::records : Contents::value;
}

Joined::Joined(Contents contents, const DecodeOptions& how) : contents_(contents), how_(how) {
    if (contents == Contents::value)
        return;
    auto head = encode(contents == Contents::settings ? Variant(Dictionary()) : Variant(Array()),
                       writing());
    if (head)
        packet_ = *std::move(head);
    else
        failed_ = head.error();
}

DecodeOptions Joined::reading() const noexcept {
    DecodeOptions out = how_;
    out.strict = false;
    if (contents_ != Contents::value)
        ++out.limits.max_depth;
    return out;
}

EncodeOptions Joined::writing() const noexcept {
    EncodeOptions out{.dialect = how_.dialect,
                      .allow_objects = how_.allow_objects,
                      .real_width = how_.real_width};
    if (contents_ != Contents::value)
        ++out.max_depth;
    return out;
}

std::expected<void, Error> Joined::add(const SaveItem& item) {
    if (failed_)
        return std::unexpected(*failed_);
    const auto size = validate(item.packet, how_);
    if (!size)
        return std::unexpected(size.error());
    if (values_.size() >= 0x7fffffffu)
        return std::unexpected(Error{Errc::too_large});
    if (contents_ == Contents::settings) {
        const std::string_view name = setting_name(item.key);
        if (!keys_.emplace(name, item.key).second)
            return std::unexpected(Error{Errc::duplicate_key}.about_key(name));
        const auto key = encode(Variant(name), writing());
        if (!key)
            return std::unexpected(key.error());
        append_bytes(packet_, as_bytes(*key));
    }
    Value value{packet_.size(), 0, 0, *size < item.packet.size()};
    append_bytes(packet_, item.packet.first(*size));
    if (contents_ != Contents::value) {
        for (; packet_.size() % 4; ++value.lent)  // a final PackedByteArray may lack its padding
            packet_.push_back(0);
        store(reinterpret_cast<std::byte*>(packet_.data()) + 4,
              static_cast<std::uint32_t>(values_.size() + 1));
    }
    value.end = packet_.size();
    values_.push_back(value);
    return {};
}

ByteView Joined::packet(std::size_t number) const noexcept {
    const Value& value = values_[number];
    return bytes().subspan(value.begin, value.end - value.lent - value.begin);
}

namespace {

/// The first run that ends behind that byte of the changed whole.
auto run_at(std::span<const inspect::KeptBytes> kept, std::uint64_t at) {
    return std::ranges::upper_bound(
        kept, at, {}, [](const inspect::KeptBytes& run) { return run.after + run.size; });
}

}  // namespace

/// A value with the bytes that it had, if it is one that was there. The padding that was added goes
/// if it has kept its end.
Joined::Part Joined::part_of(ByteView packet, const View& root,
                             std::span<const inspect::KeptBytes> kept) const {
    Part out{.packet = packet};
    const auto begin = static_cast<std::uint64_t>(packet.data() - root.raw().data());
    const std::uint64_t end = begin + packet.size();
    const auto run = run_at(kept, begin);
    if (run == kept.end() || run->after >= end)
        return out;
    const std::uint64_t at = run->before + std::max(begin, run->after) - run->after;
    const auto behind = std::ranges::upper_bound(values_, at, {}, &Value::begin);
    if (behind == values_.begin())
        return out;
    const Value& old = behind[-1];
    out.of = static_cast<std::size_t>(behind - values_.begin() - 1);
    out.whole = run->after <= begin && at == old.begin && end <= run->after + run->size;
    const auto last = run_at(kept, end - 1);
    const bool same_end =
        last != kept.end() && last->after < end && last->before + (end - last->after) == old.end;
    if (out.whole)
        out.packet = this->packet(*out.of);
    else if (same_end)
        out.packet = packet.first(packet.size() - old.lent);
    return out;
}

std::expected<std::vector<Joined::Part>, Error> Joined::split(
    const View& root, std::span<const inspect::KeptBytes> kept) const {
    std::vector<Part> out;
    const auto refused = [](Type type) { return std::unexpected(Error{Errc::wrong_type, type}); };
    if (contents_ == Contents::value) {
        out.push_back({{}, root.raw(), 0, std::ranges::equal(root.raw(), bytes())});
    } else if (contents_ == Contents::records) {
        if (!root.is(Type::array))
            return refused(root.type());
        for (const auto all = root.elements(); const View& value : all)
            out.push_back(part_of(value.raw(), root, kept));
    } else {
        if (!root.is(Type::dictionary))
            return refused(root.type());
        for (const auto all = root.pairs(); const View::Pair& pair : all) {
            if (!pair.key.is(Type::string))
                return refused(pair.key.type());
            out.push_back(part_of(pair.value.raw(), root, kept));
            const auto known = keys_.find(pair.key.text());
            out.back().key = known == keys_.end() ? pair.key.text() : known->second;
        }
    }
    return out;
}

bool Joined::keeps_behind(std::span<const Part> parts) const {
    std::set<std::size_t> whole;
    for (const Part& part : parts)
        if (part.whole)
            whole.insert(*part.of);
    for (std::size_t i = 0; i < values_.size(); ++i)
        if (values_[i].behind && !whole.contains(i))
            return false;
    return true;
}

}  // namespace detail

namespace {

using detail::Contents;
using detail::Joined;
using inspect::Change;
using inspect::Patch;
using inspect::PatchError;

/// The values of a save as one packet.
std::expected<Joined, Error> join(const SaveFile& save) {
    Joined out(detail::contents_of(save.kind()), save.decoding());
    for (const SaveItem& item : save.items())
        if (auto added = out.add(item); !added)
            return std::unexpected(added.error());
    return out;
}

/// Checks that the patch's new values decode strictly, and that nothing else got worse.
std::expected<void, PatchError> check(const Patch& patch, const Joined& before, ByteView after) {
    const EncodeOptions whole = before.writing();
    EncodeOptions how = whole;
    if (before.contents() != Contents::value)
        --how.max_depth;
    for (std::size_t i = 0; i < patch.size(); ++i)
        if (patch[i].kind == Change::set || patch[i].kind == Change::insert)
            if (auto sound = inspect::check_value(patch[i].value, how);
                !sound && !(patch[i].kind == Change::set &&
                            sound.error().code == Errc::duplicate_key))  // see check_edited
                return std::unexpected(PatchError(sound.error(), i));
    if (auto sound = inspect::check_edited(before.bytes(), after, whole); !sound)
        return std::unexpected(PatchError(sound.error()));
    return {};
}

}  // namespace

std::expected<Patch, Error> diff_saves(const SaveFile& from, const SaveFile& to,
                                       std::optional<std::uint64_t> max_bytes) GDVAR_TRY {
    if (detail::contents_of(from.kind()) != detail::contents_of(to.kind()))
        return std::unexpected(Error{Errc::wrong_type}.about_reason(
            "one save holds records, the other settings or one value"));
    for (const SaveFile* save : {&from, &to})
        if (auto sound = save->check(); !sound)
            return std::unexpected(sound.error().error);
    const auto before = join(from), after = join(to);
    if (!before || !after)
        return std::unexpected((before ? after : before).error());
    const auto a = Document::parse(before->bytes(), before->reading());
    const auto b = Document::parse(after->bytes(), after->reading());
    if (!a || !b)
        return std::unexpected((a ? b : a).error());
    return inspect::diff(a->root(), b->root(), max_bytes);
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory}))

std::expected<void, PatchError> patch_save(SaveFile& save, const Patch& patch) GDVAR_TRY {
    if (patch.empty())
        return {};
    const auto before = join(save);
    if (!before)
        return std::unexpected(PatchError(before.error()));
    const DecodeOptions reading = before->reading();
    std::vector<inspect::KeptBytes> kept;
    const auto made = inspect::patch_packet(before->bytes(), patch, reading, &kept);
    if (!made)
        return std::unexpected(made.error());
    if (auto sound = check(patch, *before, as_bytes(*made)); !sound)
        return sound;
    const auto document = Document::parse(as_bytes(*made), reading);
    if (!document)
        return std::unexpected(PatchError(document.error()));
    const auto parts = before->split(document->root(), kept);
    if (!parts)
        return std::unexpected(PatchError(parts.error()));
    if (!before->keeps_behind(*parts))
        return std::unexpected(PatchError(
            Error{Errc::trailing_bytes}.about_reason("bytes follow a value that changes")));
    if (parts->empty() && before->contents() == Contents::records)
        return std::unexpected(PatchError(
            Error{Errc::misplaced}.about_reason("the only value of a save can't be removed")));
    std::vector<SaveItem> with;
    for (const auto& [key, packet, of, whole] : *parts) {
        SaveItem& item = with.emplace_back(of ? save.items()[*of] : SaveItem());
        item.key = key;
        if (!whole)
            item.packet = packet;
    }
    if (auto put = save.restore_items(0, save.items().size(), with); !put)
        return std::unexpected(PatchError(put.error()));
    return {};
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(PatchError(Error{Errc::no_memory})))

}  // namespace gdvar
