// Sizes and checksums that a game stores beside its data: which of them a change makes wrong.
// Room: file. Rules: docs/editing.md.
#pragma once

#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/file/layer.hpp"
#include "gdvar/file/save_document.hpp"
#include "gdvar/save/source.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar GDVAR_EXPORT {

/// A number or a text that was a size or a checksum of data, which has changed since.
struct StaleSum {
    std::string path{};  ///< "#0 $.hash"; of bytes in front of a save "byte 4"
    std::string of{};    ///< "the MD5 of $.data", "the size of $.data out of base64 > gzip"
    std::string was{};   ///< as it stands there
    std::string now{};   ///< what it has to be; empty: that is not certain
    bool mended = false;
};

/// "$.hash: 9f7c... was the MD5 of $.data, which is 80aa... now", or, if it was mended, "$.hash:
/// 9f7c... -> 80aa..., the MD5 of $.data".
std::string to_string(const StaleSum& sum);

/// The effect of a change on sums, and those that it found to be wrong.
struct SumsKept {
    /// Whether they are mended, where one value is certain.
    bool mend = false;
    /// How layers inside of values are opened: keys and limits. SaveFile sets it to its own, and
    /// clears `stale`.
    SaveOptions layers{};
    std::vector<StaleSum> stale{};
};

/// A sum is a number of 16 or more, or a text of digits (decimal, hex, Base64), that
/// equalled the size of changed data or its CRC-32, MD5, SHA-1 or SHA-256: of a String or
/// PackedByteArray its bytes, those that its layers hold, and its number of characters; of all
/// other values the bytes of the packet. It stands in the same Dictionary or Object as the data, or
/// is one of the three elements or records before it. Where each thing that it may be has the same
/// value now, and that is another, it can be mended.
struct SumOptions {
    DecodeOptions before{};  ///< how the old packets are read
    DecodeOptions after{};   ///< and the new ones
    /// How layers inside of values are opened: keys and limits.
    SaveOptions layers{};
    /// Whether the sums are mended, where one value is certain. Values around a mended sum
    /// are compared anew.
    bool mend = false;
    /// A document that is text, with its bytes. Both are borrowed.
    struct Text {
        const SaveDocument* document = nullptr;
        std::string_view content{};
    };
    /// The document as it was and as it would be written, with as many items: a sum may also be one
    /// of what stands in it for a container. Null: it is no text.
    Text text_before{}, text_after{};
    /// Makes both, when something may be such a sum. Null: nobody does.
    std::function<void(SumOptions&)> make_texts{};
};

/// Compares the items of a document with what they were, one after the other, and mends sums in
/// them on the way. Holds the last three small items back.
class SumKeeper {
public:
    /// Gets the items as they are to be written. Returns whether it wants more.
    using Give = std::function<bool(const SaveItem&)>;

    SumKeeper(const DocumentKind& kind, const SumOptions& options);
    /// An item as it is now, and its packet as it was; empty if it is new. Memory: as much as
    /// Document::parse takes for both. Time: linear, but for data that is nested in data with a
    /// checksum each, of which no more than a few times their size is hashed. Returns false after
    /// `give` has. Throws bad_alloc.
    bool take(const SaveItem& item, ByteView before, const Give& give);
    /// Gives what is held back.
    bool finish(const Give& give);

    const SumOptions& options() const noexcept { return options_; }
    /// The findings so far.
    std::vector<StaleSum>& stale() noexcept { return stale_; }

private:
    struct Held {
        std::string key, label;
        std::vector<std::byte> packet;
        std::size_t number;
        bool stays;  ///< it is what it was
    };
    bool give_held(std::size_t keep, const Give& give);
    bool make_texts();
    void compare_inside(const std::string& label, ByteView before, std::vector<std::byte>& after);
    void compare_held(const std::string& label, ByteView before, ByteView after, bool mended);

    const DocumentKind& kind_;
    SumOptions options_;
    std::deque<Held> held_;
    std::size_t taken_ = 0;
    std::vector<StaleSum> stale_;
};

/// Items, with the packets that were made for them.
struct KeptItems {
    std::vector<SaveItem> items;
    std::deque<std::vector<std::byte>> packets;
};

/// The same for all items of a document, which were read as `document` and are to be written. What
/// is found goes to `sums`. Throws bad_alloc.
[[nodiscard]] KeptItems keep_item_sums(const SaveDocument& document,
                                       std::span<const SaveItem> items, const DecodeOptions& before,
                                       const DecodeOptions& after, SumsKept& sums);

/// The same for bytes that stand right in front of a save, or nothing else. `head` may change: a
/// number of 4 or 8 bytes in either byte order, or a text of digits, that ends at most 16 bytes
/// before its end. `before` and `after` are what follows, layers included. Errors: those of both
/// sources; no_memory.
/// `skip`: bytes of `before` before what follows.
[[nodiscard]] std::expected<void, FileError> keep_head_sums(std::vector<std::byte>& head,
                                                            Source& before, std::uint64_t skip,
                                                            Source& after, SumsKept& sums);

}  // namespace gdvar
