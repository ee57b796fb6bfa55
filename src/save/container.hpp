#pragma once

#include "gdvar/save/container.hpp"
#include "save/io.hpp"

namespace gdvar::save {

using Opened = std::expected<std::unique_ptr<ContainerSource>, FileError>;
using Written = std::expected<std::uint64_t, FileError>;

/// A container whose reading fails again once it has failed.
class BreakingSource : public ContainerSource {
protected:
    std::unexpected<FileError> fail(const FileError& error) {
        broken_ = error;
        return std::unexpected(error);
    }
    std::optional<FileError> broken_;
};

/// `kind`: gcpf or rscc, by the magic.
Opened open_gcpf(Source& source, const OpenOptions& options, Wrapping kind);
/// `owned`: null, or `source`, which then lives as long as the result.
Opened open_gdec(Source& source, const OpenOptions& options, std::unique_ptr<Source> owned);
/// `read`: bytes of the stream already taken from the source.
Opened open_stream(Source& source, const OpenOptions& options, ByteView read);
Written write_gcpf(Source& from, Target& to, const WriteOptions& options);
Written write_gdec(Source& from, Target& to, const WriteOptions& options);
Written write_stream(Source& from, Target& to, const WriteOptions& options);

/// Copies everything from that byte of the source on. Errors: truncated, those of both.
std::expected<void, FileError> copy_rest(Source& from, std::uint64_t at, Target& to);

/// A source with a size that can rewind, from the bytes already read and the rest. It is at its
/// start. Errors: those of the source and of the spool.
std::expected<std::unique_ptr<Spool>, FileError> spooled(ByteView read, Source& rest,
                                                         const SpoolOptions& options);

/// Fills `to` from the source; `offset` is for the error. Errors: truncated, those of the source.
std::expected<void, FileError> need_all(Source& source, std::span<std::byte> to,
                                        std::uint64_t offset);

}  // namespace gdvar::save
