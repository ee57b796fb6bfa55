#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/file/open_layers.hpp"
#include "gdvar/file/save_document.hpp"
#include "gdvar/file/sums.hpp"
#include "gdvar/save/container.hpp"
#include "gdvar/save/target.hpp"
#include "options/source.hpp"
#include "output/output.hpp"

namespace gdvar::app {

/// A value that waits until its document is written as a whole.
struct WaitingItem {
    std::string key;
    std::vector<std::byte> packet;
    std::size_t number;
};

/// Written packets: framed, wrapped and in the form of the options, or by default the input's own.
class PacketOutput {
public:
    /// Invalid options give a message and an exit code other than fine in `exit`.
    PacketOutput(const PacketOptions& options, const SourceOptions& source, InputKind frame,
                 std::vector<Layer> layers, int& exit);
    /// The same for values of that document, which is borrowed and knows how to write it. Null: a
    /// new document.
    void replaces(const SaveDocument* document) noexcept { document_ = document; }
    /// For a new document: the dialect of its packets, for which a text is written, and a document
    /// of the same kind, borrowed, perhaps null. A kind that can't be made of values alone (a text
    /// resource) is written as that one with other values.
    void made_like(const SaveDocument* like, const Dialect& dialect) noexcept {
        like_ = like;
        dialect_ = &dialect;
    }
    /// The input's layers, borrowed: unchanged parts are copied from them, and a replaced file is
    /// left alone if nothing `differs`.
    void replaces(const OpenLayers& before) noexcept { before_ = &before; }
    /// The options of reading and writing the packets: sizes and checksums beside changed packets
    /// are searched, and reported or corrected.
    void keeps_sums(const DecodeOptions& before, const EncodeOptions& after,
                    const SaveOptions& layers);
    void differs() noexcept { differs_ = true; }
    /// True if `finish` left the file alone.
    bool left_alone() const noexcept { return left_alone_; }
    /// Writes bytes before the outermost layer. They come first. Returns an exit code.
    int head(ByteView bytes);
    /// Writes bytes before the first packet. Returns an exit code.
    int raw(ByteView bytes);
    /// Writes one packet; a setting's packet with its key. `number`: its place in the input
    /// document. `before`: its old value there. Returns an exit code.
    int packet(ByteView packet, std::string_view key = {}, std::size_t number = SaveItem::added,
               ByteView before = {});
    /// Writes a complete document instead of its packets. Returns an exit code.
    int document(ByteView bytes) {
        complete_ = values_ = true;
        return raw(bytes);
    }
    /// Wraps and writes everything. Returns an exit code.
    int finish();
    InputKind frame() const noexcept { return frame_; }
    const std::vector<Layer>& layers() const noexcept { return layers_; }

private:
    int failed(const FileError& error);
    int store(ByteView bytes);
    int put(const SaveItem& item);
    int flush_packets();
    int write_wrapped();
    void note_written(Source& written) const;
    void say_sums();
    /// True if the document is written once all its values are known.
    bool waits() const noexcept;
    bool may_leave_alone() const noexcept;
    int write_waiting();
    const PacketOptions& options_;
    const SourceOptions& source_;
    InputKind frame_;
    std::vector<Layer> layers_;
    bool own_layers_ = true;  ///< they are the input's own
    bool own_frame_ = true;
    const OpenLayers* before_ = nullptr;
    std::optional<SumKeeper> keeper_;
    SumsKept sums_;
    int worst_ = fine;  ///< of the keeper's output
    bool differs_ = false, left_alone_ = false;
    std::optional<ContainerKey> key_;
    std::vector<std::byte> head_;
    Spool spool_;
    /// If nothing wraps the packets, and the output is seen only at its end as a replaced file: the
    /// direct way there.
    std::optional<Output> direct_;
    std::vector<std::byte> small_;  ///< the start of what was written there
    bool values_ = false;           ///< it is a document, not arbitrary bytes
    const SaveDocument* document_ = nullptr;
    bool complete_ = false;  ///< the document was given as a whole
    const SaveDocument* like_ = nullptr;
    const Dialect* dialect_ = &dialects::godot_4_4;
    std::size_t packets_ = 0;
    std::vector<WaitingItem> waiting_;  ///< of a document that is written as a whole
};

/// Writes all of a source to the output, in its form. Returns an exit code.
int write_out(Source& from, const OutputOptions& options, const SourceOptions& source);
/// Refuses binary output to a terminal. Returns an exit code.
int refuse_terminal(const OutputOptions& options);

/// Tells how to open a written document if it is not recognised by itself as `document` in
/// `layers`: a text of a few digits, for example. Its game reads it nevertheless. `how`: the
/// options to open it.
void note_kind(ByteView written, std::span<const Layer> layers, InputKind document,
               SaveOptions how);

}  // namespace gdvar::app
