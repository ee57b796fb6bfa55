#include "gdvar/file/save_patch.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/exceptions.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/validate.hpp"
#include "inspect/edit_bytes.hpp"

namespace gdvar {
namespace {

using detail::append_bytes;
using inspect::Change;
using inspect::Patch;
using inspect::PatchError;

/// The shape of a save as one value.
enum class Contents { value, list, names };

Contents contents_of(const SaveFile& save) noexcept {
    const DocumentKind& kind = save.kind();
    return kind.named ? Contents::names : kind.several ? Contents::list : Contents::value;
}

EncodeOptions encoding_of(const SaveFile& save) noexcept {
    const DecodeOptions how = save.decoding();
    return {
        .dialect = how.dialect, .allow_objects = how.allow_objects, .real_width = how.real_width};
}

/// Options for the packet of `join`, which is one level deeper than its content.
DecodeOptions reading_joined(const SaveFile& save) noexcept {
    DecodeOptions how = save.decoding();
    how.strict = false;
    if (contents_of(save) != Contents::value)
        ++how.limits.max_depth;
    return how;
}

/// The values of a save as one packet: the value itself, an Array of records, a Dictionary of
/// settings.
struct Joined {
    PackedByteArray packet{};
    std::vector<std::uint64_t> begins{};                  ///< of each value, in `packet`
    std::vector<bool> behind{};                           ///< true if bytes follow the value
    std::map<std::string_view, std::string_view> keys{};  ///< of settings, by name
    ByteView bytes() const noexcept { return as_bytes(packet); }
};

std::expected<Joined, Error> join(const SaveFile& save) {
    const Contents contents = contents_of(save);
    const DecodeOptions reading = save.decoding();
    const EncodeOptions how = encoding_of(save);
    Joined out;
    if (contents == Contents::value) {
        const ByteView packet = save.items().front().packet;
        const auto size = validate(packet, reading);
        if (!size)
            return std::unexpected(size.error());
        out.behind.push_back(*size < packet.size());
        append_bytes(out.packet, packet.first(*size));
        return out;
    }
    auto head = encode(contents == Contents::names ? Variant(Dictionary()) : Variant(Array()), how);
    if (!head)
        return std::unexpected(head.error());
    out.packet = *std::move(head);
    if (save.items().size() > 0x7fffffffu)
        return std::unexpected(Error{Errc::too_large});
    detail::store(reinterpret_cast<std::byte*>(out.packet.data()) + out.packet.size() - 4,
                  static_cast<std::uint32_t>(save.items().size()));
    for (const SaveItem& item : save.items()) {
        const auto size = validate(item.packet, reading);
        if (!size)
            return std::unexpected(size.error());
        if (contents == Contents::names) {
            const std::string_view name = setting_name(item.key);
            if (!out.keys.emplace(name, item.key).second)
                return std::unexpected(Error{Errc::duplicate_key}.about_key(name));
            const auto key = encode(Variant(name), how);
            if (!key)
                return std::unexpected(key.error());
            append_bytes(out.packet, as_bytes(*key));
        }
        out.begins.push_back(out.packet.size());
        out.behind.push_back(*size < item.packet.size());
        append_bytes(out.packet, item.packet.first(*size));
        while (out.packet.size() % 4)  // a final PackedByteArray may lack its padding
            out.packet.push_back(0);
    }
    return out;
}

/// Finds the original of each value of a changed whole.
class Origins {
public:
    Origins(const SaveFile& save, const Joined& before, std::span<const inspect::KeptBytes> kept)
        : save_(save), before_(before), kept_(kept) {}

    /// The value at these bytes of the changed whole: unchanged, with all bytes behind it, or with
    /// the new bytes. Called in the order of the values.
    SaveItem item(std::uint64_t begin, ByteView packet) {
        while (next_ < kept_.size() && kept_[next_].after + kept_[next_].size <= begin)
            ++next_;
        SaveItem out{.packet = packet};
        if (next_ == kept_.size() || kept_[next_].after >= begin + packet.size())
            return out;
        const inspect::KeptBytes& run = kept_[next_];
        const std::uint64_t at = run.before + std::max(begin, run.after) - run.after;
        const auto behind = std::ranges::upper_bound(before_.begins, at);
        if (behind == before_.begins.begin())
            return out;
        const auto number = static_cast<std::size_t>(behind - before_.begins.begin() - 1);
        const SaveItem& old = save_.items()[number];
        const bool whole = run.after <= begin && at == before_.begins[number] &&
                           begin + packet.size() <= run.after + run.size;
        if (whole)
            return old;
        out.number = old.number;
        out.offset = old.offset;
        return out;
    }

private:
    const SaveFile& save_;
    const Joined& before_;
    std::span<const inspect::KeptBytes> kept_;
    std::size_t next_ = 0;
};

/// The changed values. They borrow from the save, or from `root` and `before`. Errors: wrong_type
/// (a setting whose name is not a String).
std::expected<std::vector<SaveItem>, Error> split(const SaveFile& save, const Joined& before,
                                                  const View& root,
                                                  std::span<const inspect::KeptBytes> kept) {
    std::vector<SaveItem> out;
    Origins origins(save, before, kept);
    const auto place = [&](const View& value) {
        return static_cast<std::uint64_t>(value.raw().data() - root.raw().data());
    };
    if (contents_of(save) == Contents::value) {
        out.push_back(save.items().front());
        if (!std::ranges::equal(root.raw(), before.bytes()))
            out.front().packet = root.raw();
    } else if (contents_of(save) == Contents::list) {
        if (!root.is(Type::array))
            return std::unexpected(Error{Errc::wrong_type, root.type()});
        for (const auto all = root.elements(); const View& value : all)
            out.push_back(origins.item(place(value), value.raw()));
    } else {
        if (!root.is(Type::dictionary))
            return std::unexpected(Error{Errc::wrong_type, root.type()});
        for (const auto all = root.pairs(); const View::Pair& pair : all) {
            if (!pair.key.is(Type::string))
                return std::unexpected(Error{Errc::wrong_type, pair.key.type()});
            out.push_back(origins.item(place(pair.value), pair.value.raw()));
            const auto known = before.keys.find(pair.key.text());
            out.back().key = known == before.keys.end() ? pair.key.text() : known->second;
        }
    }
    return out;
}

/// True if each value that bytes follow is kept with these.
bool keeps_behind(const SaveFile& save, const Joined& before, std::span<const SaveItem> with) {
    if (std::ranges::find(before.behind, true) == before.behind.end())
        return true;
    std::set<const std::byte*> kept;
    for (const SaveItem& item : with)
        kept.insert(item.packet.data());
    for (std::size_t i = 0; i < before.behind.size(); ++i)
        if (before.behind[i] && !kept.contains(save.items()[i].packet.data()))
            return false;
    return true;
}

/// Checks that the patch's new values decode strictly, and that nothing else got worse.
std::expected<void, PatchError> check(const SaveFile& save, const Patch& patch, ByteView before,
                                      ByteView after) {
    EncodeOptions how = encoding_of(save);
    for (std::size_t i = 0; i < patch.size(); ++i)
        if (patch[i].kind == Change::set || patch[i].kind == Change::insert)
            if (auto sound = inspect::check_value(patch[i].value, how);
                !sound && !(patch[i].kind == Change::set &&
                            sound.error().code == Errc::duplicate_key))  // see check_edited
                return std::unexpected(PatchError(sound.error(), i));
    if (contents_of(save) != Contents::value)
        ++how.max_depth;
    if (auto sound = inspect::check_edited(before, after, how); !sound)
        return std::unexpected(PatchError(sound.error()));
    return {};
}

}  // namespace

std::expected<Patch, Error> diff_saves(const SaveFile& from, const SaveFile& to,
                                       std::optional<std::uint64_t> max_bytes) GDVAR_TRY {
    if (contents_of(from) != contents_of(to))
        return std::unexpected(Error{Errc::wrong_type}.about_reason(
            "one save holds records, the other settings or one value"));
    for (const SaveFile* save : {&from, &to})
        if (auto sound = save->check(); !sound)
            return std::unexpected(sound.error().error);
    const auto before = join(from), after = join(to);
    if (!before || !after)
        return std::unexpected((before ? after : before).error());
    const auto a = Document::parse(before->bytes(), reading_joined(from));
    const auto b = Document::parse(after->bytes(), reading_joined(to));
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
    const DecodeOptions reading = reading_joined(save);
    std::vector<inspect::KeptBytes> kept;
    const auto made = inspect::patch_packet(before->bytes(), patch, reading, &kept);
    if (!made)
        return std::unexpected(made.error());
    if (auto sound = check(save, patch, before->bytes(), as_bytes(*made)); !sound)
        return sound;
    const auto document = Document::parse(as_bytes(*made), reading);
    if (!document)
        return std::unexpected(PatchError(document.error()));
    const auto with = split(save, *before, document->root(), kept);
    if (!with)
        return std::unexpected(PatchError(with.error()));
    if (!keeps_behind(save, *before, *with))
        return std::unexpected(PatchError(
            Error{Errc::trailing_bytes}.about_reason("bytes follow a value that changes")));
    if (with->empty() && contents_of(save) == Contents::list)
        return std::unexpected(PatchError(
            Error{Errc::misplaced}.about_reason("the only value of a save can't be removed")));
    if (auto put = save.restore_items(0, save.items().size(), *with); !put)
        return std::unexpected(PatchError(put.error()));
    return {};
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(PatchError(Error{Errc::no_memory})))

}  // namespace gdvar
