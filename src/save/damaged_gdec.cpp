// A damaged GDEC: decrypted despite a wrong checksum or a missing end.
#include <algorithm>
#include <new>

#include "base/exceptions.hpp"
#include "gdvar/save/damaged.hpp"
#include "save/gdec_layout.hpp"
#include "save/io.hpp"

namespace gdvar {
namespace {

using namespace save;

/// A header with a larger size is damaged.
constexpr std::uint64_t most_size = std::uint64_t{1} << 40;

/// Decrypts the bytes after the header. An incomplete block of 16 bytes has no content in gdec_3;
/// gdec_4 is a stream.
std::expected<std::vector<std::byte>, Errc> decrypt(ByteView body, const ContainerKey& key,
                                                    const Layout& layout) {
    auto aes = Aes::begin(layout.kind, false, key, layout.iv);
    if (!aes)
        return std::unexpected(aes.error());
    const std::size_t whole = body.size() / 16 * 16;
    std::vector<std::byte> out(body.begin(), body.end());
    out.resize(static_cast<std::size_t>(padded(body.size())));
    for (std::size_t at = 0; at < out.size(); at += step)
        aes->apply(std::span(out).subspan(at, std::min(step, out.size() - at)));
    out.resize(layout.kind == Wrapping::gdec_3 ? whole : body.size());
    return out;
}

}  // namespace

std::expected<DamagedContent, Error> read_damaged_gdec(ByteView bytes, const ContainerKey& key,
                                                       Wrapping kind) GDVAR_TRY {
    if (kind != Wrapping::gdec_3 && kind != Wrapping::gdec_4)
        return refuse(Errc::bad_mode);
    const std::size_t header = Layout{.kind = kind}.header();
    if (bytes.size() < header)
        return refuse(Errc::truncated, bytes.size(), header - bytes.size());
    const Layout layout = layout_of(kind, bytes.data());
    auto content = decrypt(bytes.subspan(header), key, layout);
    if (!content)
        return refuse(content.error());
    DamagedContent out;
    out.kind = kind;
    out.bytes = *std::move(content);
    const std::uint64_t there = out.bytes.size();
    if (layout.size <= there && padded(layout.size) + 16 > there) {
        out.bytes.resize(static_cast<std::size_t>(layout.size));
    } else if (layout.size > there && layout.size < most_size) {
        out.parts.push_back({there, layout.size, false, Errc::truncated,
                             "the file ends before the encrypted bytes do"});
        out.padded = true;
        out.notes.emplace_back("the end is missing, so the checksum shows nothing");
        return out;
    } else {
        out.padded = true;
        out.notes.emplace_back("the header's size is wrong");
    }
    auto md5 = Hash::md5();
    if (!md5)
        return refuse(md5.error());
    md5->add(out.bytes);
    if (md5->end() != layout.md5)
        out.parts.push_back(
            {0, out.bytes.size(), true, Errc::bad_checksum, "the checksum does not match"});
    return out;
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace gdvar
