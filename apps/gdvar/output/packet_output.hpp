// Packets on their way out: framed, wrapped, in the form that the options say.
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
#include "options/packets.hpp"
#include "options/source.hpp"
#include "output/output.hpp"

namespace gdvar::app {

/// A value that waits until its document is written as a whole.
struct WaitingItem {
    std::string key;
    std::vector<std::byte> packet;
    std::size_t number;
};

/// Packets on their way out: framed, wrapped and put in the form that the options say, or the
/// input's own where they say nothing.
class PacketOutput {
public:
    /// Invalid options give a message and an exit code other than fine in `exit`.
    PacketOutput(const PacketOptions& options, const SourceOptions& source, InputKind frame,
                 std::vector<Layer> layers, int& exit);
    /// The same for values of that document, which is borrowed: it knows how it is written back.
    /// Null: a new document.
    void replaces(const SaveDocument* document) noexcept { document_ = document; }
    /// For a new document: the dialect of its packets, which a text is written for, and one of the
    /// same kind, which is borrowed and may be null. A kind that can't be made of values alone
    /// (a text resource) is written as that one with other values.
    void made_like(const SaveDocument* like, const Dialect& dialect) noexcept {
        like_ = like;
        dialect_ = &dialect;
    }
    /// The layers that were read, borrowed: what need not change is copied from them, and a file
    /// that is replaced is left alone if nothing `differs`.
    void replaces(const OpenLayers& before) noexcept { before_ = &before; }
    /// How the packets were read and are written: what is beside changed ones is looked at for
    /// sizes and checksums of them, which are told, or mended.
    void keeps_sums(const DecodeOptions& before, const EncodeOptions& after,
                    const LayerOptions& layers);
    /// Something is written that is not what was read.
    void differs() noexcept { differs_ = true; }
    /// Whether `finish` left the file alone.
    bool left_alone() const noexcept { return left_alone_; }
    /// Bytes of the file before the outermost layer. They come first. Returns an exit code.
    int head(ByteView bytes);
    /// Bytes before the first packet. Returns an exit code.
    int raw(ByteView bytes);
    /// Writes one packet; a setting's packet with its key. `number`: its place in the document that
    /// was read. `before`: what it was there. Returns an exit code.
    int packet(ByteView packet, std::string_view key = {}, std::size_t number = SaveItem::added,
               ByteView before = {});
    /// Writes a document that is complete, instead of its packets. Returns an exit code.
    int document(ByteView bytes) {
        complete_ = values_ = true;
        return raw(bytes);
    }
    /// Wraps and writes all. Returns an exit code.
    int finish();
    InputKind frame() const noexcept { return frame_; }
    const std::vector<Layer>& layers() const noexcept { return layers_; }

private:
    int failed(const FileError& error);
    int flush();
    int store(ByteView bytes);
    int put(const SaveItem& item);
    int flush_packets();
    int write_wrapped();
    void note_written(Source& written) const;
    void say_sums();
    /// Whether the document is written once all its values are known.
    bool waits() const noexcept;
    bool may_leave_alone() const noexcept;
    int write_waiting();
    const PacketOptions& options_;
    const SourceOptions& source_;
    InputKind frame_;
    std::vector<Layer> layers_;
    bool own_layers_ = true;  ///< they are those of the input
    bool own_frame_ = true;
    const OpenLayers* before_ = nullptr;
    std::optional<SumKeeper> keeper_;
    SumsKept sums_;
    int worst_ = fine;  ///< of what the keeper gave
    bool differs_ = false, left_alone_ = false;
    std::optional<ContainerKey> key_;
    std::vector<std::byte> head_;
    Spool spool_;
    /// Where nothing is wrapped around the packets and a file is replaced, which shows nothing of
    /// it before the end: straight there.
    std::optional<Output> direct_;
    std::vector<std::byte> buffer_;
    bool flushed_ = false;  ///< some of it has gone there
    bool values_ = false;   ///< it is a document, and not any bytes
    const SaveDocument* document_ = nullptr;
    bool complete_ = false;  ///< the document has been given as a whole
    const SaveDocument* like_ = nullptr;
    const Dialect* dialect_ = &dialects::godot_4_4;
    std::size_t packets_ = 0;
    std::vector<WaitingItem> waiting_;  ///< of a document that is written as a whole
};

/// Gives all of a source to the output, in its form. Returns an exit code.
int write_out(Source& from, const OutputOptions& options, const SourceOptions& source);
/// Refuses binary output to a terminal. Returns an exit code.
int refuse_terminal(const OutputOptions& options);

/// Says how a written document is opened, where it is not recognised by itself as `document` in
/// `layers`: a text of a few digits, say. Its game reads it all the same. `how`: as it is opened.
void note_kind(ByteView written, std::span<const Layer> layers, InputKind document,
               LayerOptions how);

}  // namespace gdvar::app
