#include "file/sums/summed_data.hpp"

#include <algorithm>

#include "gdvar/base/utf8.hpp"
#include "gdvar/inspect/detail/children.hpp"

namespace gdvar::sums {
namespace {

ByteView bytes_of(const View& value) noexcept {
    if (is_text(value))
        return as_bytes(value.text());
    return value.is(Type::packed_byte_array) ? value.packed().bytes() : value.raw();
}

/// How many characters a text has, if it has fewer than bytes.
std::optional<std::uint64_t> characters_of(const View& value) noexcept {
    if (!is_text(value))
        return std::nullopt;
    const auto count = static_cast<std::uint64_t>(std::ranges::count_if(
        value.text(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    return count == value.text().size() ? std::nullopt : std::optional(count);
}

/// Only layers are opened here.
SaveOptions layers_alone(SaveOptions how) {
    how.skip = 0;
    how.as = InputKind::unknown;
    how.values = false;
    how.inside.clear();
    how.entries.clear();
    how.only_entry = false;
    how.up_to_break = false;
    how.all_readings = false;
    return how;
}

}  // namespace

bool is_text(const View& value) noexcept {
    return value.is(Type::string) || value.is(Type::string_name);
}

bool is_data(const View& value) noexcept {
    return is_text(value) || detail::is_container(value) ||
           (is_packed(value.type()) && value.size());
}

SummedData::SummedData(std::unique_ptr<Source> bytes, const SaveOptions& how)
    : bytes_(std::move(bytes)), how_(how), layered_(true) {}

SummedData::SummedData(const View& value, std::string_view written, const SaveOptions& how)
    : bytes_(std::make_unique<MemorySource>(bytes_of(value))),
      how_(how),
      layered_(is_text(value) || value.is(Type::packed_byte_array)),
      text_(is_text(value)                ? value.text()
            : detail::is_container(value) ? written
                                          : std::string_view()),
      characters_(characters_of(value)) {}

/// Data that can't be opened has no sums further in.
void SummedData::open() {
    if (open_)
        return;
    open_ = true;
    if (!layered_) {
        opened_.sources.push_back(std::move(bytes_));
        if (!text_.empty())
            opened_.sources.push_back(std::make_unique<MemorySource>(as_bytes(text_)));
        return;
    }
    auto opened = open_layers(std::move(bytes_), layers_alone(how_));
    opened_ = opened ? *std::move(opened) : std::move(opened.error().found);
    if (opened_.layers.empty())
        open_digits_of_anything();
}

/// Digits may encode bytes of no known kind.
void SummedData::open_digits_of_anything() {
    constexpr std::size_t least = 16;
    for (const auto digits : {DigitForm::Digits::hex, DigitForm::Digits::base64}) {
        auto read =
            text_.size() < least ? std::unexpected(TextError()) : read_digits(text_, digits);
        if (!read)
            continue;
        Layer layer;
        layer.kind =
            find_layer_kind(digits == DigitForm::Digits::hex ? InputKind::hex : InputKind::base64);
        opened_.layers.push_back(std::move(layer));
        opened_.sources.push_back(std::make_unique<OwnedSource>(std::move(read->bytes)));
        return;
    }
}

std::size_t SummedData::levels() {
    open();
    return opened_.sources.size();
}

std::string SummedData::words(std::size_t level) {
    open();
    std::string out;
    if (!layered_ && level)
        return " as text";
    for (std::size_t i = 0; i < level; ++i)
        out += (i ? " > " : " out of ") + opened_.layers[i].name();
    return out;
}

bool SummedData::is_digits(std::size_t level) {
    open();
    return level < opened_.layers.size() && opened_.layers[level].kind->is_text();
}

std::optional<std::uint64_t> SummedData::size(std::size_t level) {
    open();
    const auto [at, fresh] = sizes_.try_emplace(level);
    if (!fresh)
        return at->second;
    Source& source = *opened_.sources[level];
    if (!source.rewind())
        return std::nullopt;
    at->second = source.size();
    if (!at->second)
        if (const auto all = source.skip(UINT64_MAX))
            at->second = *all;
    return at->second;
}

std::optional<std::vector<std::byte>> SummedData::digest(std::size_t level, DigestKind kind) {
    open();
    const auto [at, fresh] = digests_.try_emplace({level, kind});
    if (!fresh)
        return at->second;
    Source& source = *opened_.sources[level];
    if (!source.rewind())
        return std::nullopt;
    if (auto made = digest_of(source, kind))
        at->second = *std::move(made);
    return at->second;
}

}  // namespace gdvar::sums
