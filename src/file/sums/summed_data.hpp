// Changed data, with the sums that something beside it may have of it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdvar/file/open_layers.hpp"
#include "gdvar/save/digest.hpp"
#include "gdvar/value/document.hpp"

namespace gdvar::sums {

inline constexpr DigestKind digest_kinds[] = {DigestKind::crc32, DigestKind::md5, DigestKind::sha1,
                                              DigestKind::sha256};

/// A number or a digest, with what it is of: "the MD5", "out of gzip".
struct Sum {
    std::uint64_t number = 0;
    std::vector<std::byte> digest{};  ///< empty: it is a size
    friend bool operator==(const Sum&, const Sum&) = default;
};

/// Data at one place: its bytes, and what each of its layers holds. Sums are worked out when they
/// are asked for.
class SummedData {
public:
    /// Bytes of a file, which are borrowed like `how`; layers are opened.
    SummedData(std::unique_ptr<Source> bytes, const SaveOptions& how);
    /// A value, which is borrowed like `how`. Only a String, StringName or PackedByteArray has
    /// layers. `written`: what stands for a container in a text.
    SummedData(const View& value, std::string_view written, const SaveOptions& how);

    std::size_t levels();
    /// "" for the bytes themselves, " out of base64 > gzip".
    std::string words(std::size_t level);
    std::optional<std::uint64_t> size(std::size_t level);
    /// Whether these bytes are a text of hex or Base64.
    bool is_digits(std::size_t level);
    std::optional<std::vector<std::byte>> digest(std::size_t level, DigestKind kind);
    /// Only for a text beyond ASCII.
    std::optional<std::uint64_t> characters() const noexcept { return characters_; }

private:
    void open();
    void open_digits_of_anything();

    std::unique_ptr<Source> bytes_;
    const SaveOptions& how_;
    bool layered_;
    std::string_view text_{};  ///< of a String, or what stands for a container
    OpenLayers opened_;
    std::optional<std::uint64_t> characters_;
    bool open_ = false;
    std::map<std::size_t, std::optional<std::uint64_t>> sizes_;
    std::map<std::pair<std::size_t, DigestKind>, std::optional<std::vector<std::byte>>> digests_;
};

/// Whether it is a String or a StringName.
bool is_text(const View& value) noexcept;
/// Whether a value is data that something may have a sum of: texts, bytes, packed arrays,
/// containers.
bool is_data(const View& value) noexcept;

}  // namespace gdvar::sums
