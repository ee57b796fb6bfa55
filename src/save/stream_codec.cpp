#include "save/stream_codec.hpp"

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "save/codec.hpp"

namespace gdvar::save {
namespace {

using Step = StreamDecoder::Step;
using Stepped = std::expected<Step, Errc>;
using Decoder = std::expected<std::unique_ptr<StreamDecoder>, Errc>;
using Encoder = std::expected<std::unique_ptr<StreamEncoder>, Errc>;

constexpr std::size_t most_at_once = 1u << 30;  ///< zlib counts in 32 bits

/// zlib's numbers for the form of a stream.
int window_bits(Wrapping kind) noexcept {
    return kind == Wrapping::gzip ? 15 + 16 : kind == Wrapping::zlib ? 15 : -15;
}

class Inflate final : public StreamDecoder {
public:
    static Decoder make(Wrapping kind, std::uint64_t) {
        auto out = std::make_unique<Inflate>();
        if (::inflateInit2(&out->stream_, window_bits(kind)) != Z_OK)
            return std::unexpected(Errc::no_memory);
        return out;
    }

    Stepped step(ByteView from, std::span<std::byte> to) override {
        if (broken_ != Errc::ok)
            return std::unexpected(broken_);
        const std::size_t in = std::min(from.size(), most_at_once);
        const std::size_t out = std::min(to.size(), most_at_once);
        stream_.set(from.first(in), to.first(out));
        const int code = ::inflate(&stream_, Z_NO_FLUSH);
        const Step done{in - stream_.avail_in, out - stream_.avail_out, code == Z_STREAM_END};
        switch (code) {
            case Z_OK:
            case Z_BUF_ERROR:
            case Z_STREAM_END:
                return done;
            default:
                broken_ = why(code);
        }
        // The output before the break comes first.
        return done.made ? Stepped(done) : std::unexpected(broken_);
    }
    Errc restart() override {
        broken_ = Errc::ok;
        return ::inflateReset(&stream_) == Z_OK ? Errc::ok : Errc::no_memory;
    }

private:
    Errc why(int code) const {
        if (code == Z_MEM_ERROR)
            return Errc::no_memory;
        if (code == Z_NEED_DICT)
            return Errc::bad_mode;
        // The bytes after the data are the checksum and the length.
        const std::string_view said = stream_.msg ? stream_.msg : "";
        const bool sum = said == "incorrect data check" || said == "incorrect length check";
        return sum ? Errc::bad_checksum : Errc::bad_block;
    }

    InflateState stream_;
    Errc broken_ = Errc::ok;
};

class Unzstd final : public StreamDecoder {
public:
    static Decoder make(Wrapping, std::uint64_t max_memory) {
        auto out = std::make_unique<Unzstd>();
        out->context_.reset(ZSTD_createDCtx());
        if (!out->context_)
            return std::unexpected(Errc::no_memory);
        const auto bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
        const int log = std::clamp(static_cast<int>(std::bit_width(max_memory)) - 1,
                                   bounds.lowerBound, bounds.upperBound);
        ZSTD_DCtx_setParameter(out->context_.get(), ZSTD_d_windowLogMax, log);
        return out;
    }

    Stepped step(ByteView from, std::span<std::byte> to) override {
        ZSTD_inBuffer in{from.data(), from.size(), 0};
        ZSTD_outBuffer out{to.data(), to.size(), 0};
        const std::size_t left = ZSTD_decompressStream(context_.get(), &out, &in);
        switch (ZSTD_getErrorCode(left)) {
            case ZSTD_error_no_error:
                return Step{in.pos, out.pos, left == 0};
            case ZSTD_error_memory_allocation:
                return std::unexpected(Errc::no_memory);
            case ZSTD_error_frameParameter_windowTooLarge:
                return std::unexpected(Errc::size_limit);
            case ZSTD_error_dictionary_wrong:
            case ZSTD_error_frameParameter_unsupported:
            case ZSTD_error_version_unsupported:
                return std::unexpected(Errc::bad_mode);
            case ZSTD_error_checksum_wrong:
                return std::unexpected(Errc::bad_checksum);
            default:
                return std::unexpected(Errc::bad_block);
        }
    }
    Errc restart() override {
        ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
        return Errc::ok;
    }

private:
    UnzstdState context_;
};

class BrotliDecoder final : public StreamDecoder {
public:
    static Decoder make(Wrapping, std::uint64_t) {
        auto out = std::make_unique<BrotliDecoder>();
        if (out->restart() != Errc::ok)
            return std::unexpected(Errc::no_memory);
        return out;
    }

    Stepped step(ByteView from, std::span<std::byte> to) override {
        const std::uint8_t* in = codec_bytes(from.data());
        std::uint8_t* out = codec_bytes(to.data());
        std::size_t left = from.size(), space = to.size();
        const auto result =
            BrotliDecoderDecompressStream(state_.get(), &left, &in, &space, &out, nullptr);
        if (result == BROTLI_DECODER_RESULT_ERROR) {
            const auto code = BrotliDecoderGetErrorCode(state_.get());
            const bool memory = code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
                                code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES;
            return std::unexpected(memory ? Errc::no_memory : Errc::bad_block);
        }
        return Step{from.size() - left, to.size() - space, result == BROTLI_DECODER_RESULT_SUCCESS};
    }
    Errc restart() override {
        state_.reset(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr));
        return state_ ? Errc::ok : Errc::no_memory;
    }

private:
    std::unique_ptr<BrotliDecoderState, FreeBy<BrotliDecoderDestroyInstance>> state_;
};

constexpr std::size_t piece = 1 << 16;

class Deflate final : public StreamEncoder {
public:
    static Encoder make(Wrapping kind, const PartForm& form) {
        auto out = std::make_unique<Deflate>();
        // The engines' settings: the default level, 32 KiB of window, 8 for the memory. A kept
        // header replaces zlib's.
        out->header_ = form.header;
        const int bits = form.header.empty() ? window_bits(kind) : -15;
        if (::deflateInit2(&out->stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, bits, 8,
                           Z_DEFAULT_STRATEGY) != Z_OK)
            return std::unexpected(Errc::no_memory);
        return out;
    }

    Errc add(ByteView from, bool last, std::vector<std::byte>& to) override {
        if (!begun_)
            to.insert(to.end(), header_.begin(), header_.end());
        begun_ = true;
        while (from.size() > most_at_once) {
            deflate(from.first(most_at_once), Z_NO_FLUSH, to);
            from = from.subspan(most_at_once);
        }
        deflate(from, last ? Z_FINISH : Z_NO_FLUSH, to);
        if (last && !header_.empty()) {
            std::byte behind[8];
            detail::store(behind, static_cast<std::uint32_t>(crc_));
            detail::store(behind + 4, static_cast<std::uint32_t>(size_));
            to.insert(to.end(), behind, behind + sizeof behind);
        }
        return Errc::ok;
    }

private:
    void deflate(ByteView from, int flush, std::vector<std::byte>& to) {
        if (!from.empty())  // zlib takes null for a new start
            crc_ = ::crc32(crc_, codec_bytes(from.data()), static_cast<uInt>(from.size()));
        size_ += from.size();
        do {
            const std::size_t at = to.size();
            to.resize(at + piece);
            stream_.set(from, std::span(to).subspan(at));
            ::deflate(&stream_, flush);
            from = from.last(stream_.avail_in);
            to.resize(to.size() - stream_.avail_out);
        } while (stream_.avail_out == 0);
    }

    DeflateState stream_;
    std::vector<std::byte> header_;
    bool begun_ = false;
    uLong crc_ = 0;
    std::uint64_t size_ = 0;
};

class Zstd final : public StreamEncoder {
public:
    static Encoder make(Wrapping, const PartForm& form) {
        auto out = std::make_unique<Zstd>();
        ZSTD_CCtx* const context = ZSTD_createCCtx();
        out->context_.reset(context);
        if (!context)
            return std::unexpected(Errc::no_memory);
        // Level 3 is the engines' default. The header has the size of the content, as theirs.
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 3);
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, form.checksum);
        ZSTD_CCtx_setPledgedSrcSize(context, form.size);
        return out;
    }

    Errc add(ByteView from, bool last, std::vector<std::byte>& to) override {
        ZSTD_inBuffer in{from.data(), from.size(), 0};
        for (;;) {
            const std::size_t at = to.size();
            to.resize(at + piece);
            ZSTD_outBuffer out{to.data() + at, piece, 0};
            const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in,
                                                          last ? ZSTD_e_end : ZSTD_e_continue);
            to.resize(at + out.pos);
            if (ZSTD_isError(left))
                return Errc::no_memory;
            if (last ? left == 0 : in.pos == in.size)
                return Errc::ok;
        }
    }

private:
    ZstdState context_;
};

class Brotli final : public StreamEncoder {
public:
    static Encoder make(Wrapping, const PartForm&) {
        auto out = std::make_unique<Brotli>();
        out->state_.reset(BrotliEncoderCreateInstance(nullptr, nullptr, nullptr));
        if (!out->state_)
            return std::unexpected(Errc::no_memory);
        // No engine writes Brotli. Quality 11, the library's default, takes ten times as long.
        BrotliEncoderSetParameter(out->state_.get(), BROTLI_PARAM_QUALITY, 9);
        return out;
    }

    Errc add(ByteView from, bool last, std::vector<std::byte>& to) override {
        const std::uint8_t* in = codec_bytes(from.data());
        std::size_t left = from.size();
        do {
            const std::size_t at = to.size();
            to.resize(at + piece);
            std::uint8_t* out = codec_bytes(to.data() + at);
            std::size_t space = piece;
            const auto operation = last ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS;
            const bool done = BrotliEncoderCompressStream(state_.get(), operation, &left, &in,
                                                          &space, &out, nullptr);
            to.resize(to.size() - space);
            if (!done)
                return Errc::no_memory;
        } while (left || BrotliEncoderHasMoreOutput(state_.get()) ||
                 (last && !BrotliEncoderIsFinished(state_.get())));
        return Errc::ok;
    }

private:
    std::unique_ptr<BrotliEncoderState, FreeBy<BrotliEncoderDestroyInstance>> state_;
};

struct Codec {
    Wrapping kind;
    std::string_view magic;
    Decoder (*decoder)(Wrapping kind, std::uint64_t max_memory);
    Encoder (*encoder)(Wrapping kind, const PartForm& form);
};

constexpr Codec codecs[] = {
    {Wrapping::gzip, {"\x1f\x8b\x08", 3}, Inflate::make, Deflate::make},
    {Wrapping::zlib, "", Inflate::make, Deflate::make},
    {Wrapping::deflate, "", Inflate::make, Deflate::make},
    {Wrapping::zstd, {"\x28\xb5\x2f\xfd", 4}, Unzstd::make, Zstd::make},
    {Wrapping::brotli, "", BrotliDecoder::make, Brotli::make},
};

const Codec* codec_of(Wrapping kind) noexcept {
    for (const Codec& codec : codecs)
        if (codec.kind == kind)
            return &codec;
    return nullptr;
}

/// The size of a gzip member's header; 0 if it extends beyond `start`.
std::size_t gzip_header(ByteView start) noexcept {
    constexpr unsigned has_crc = 2, has_extra = 4, has_name = 8, has_comment = 16;
    if (start.size() < 10)
        return 0;
    const auto flags = std::to_integer<unsigned>(start[3]);
    std::size_t at = 10;
    if (flags & has_extra) {
        if (start.size() < at + 2)
            return 0;
        at += 2 + std::to_integer<std::size_t>(start[at]) +
              256 * std::to_integer<std::size_t>(start[at + 1]);
    }
    for (const unsigned flag : {has_name, has_comment})
        if (flags & flag) {
            const auto from =
                start.begin() + static_cast<std::ptrdiff_t>(std::min(at, start.size()));
            const auto end = std::find(from, start.end(), std::byte{});
            at = static_cast<std::size_t>(end - start.begin()) + 1;
        }
    at += flags & has_crc ? 2 : 0;
    return at <= start.size() ? at : 0;
}

}  // namespace

Decoder stream_decoder(Wrapping kind, std::uint64_t max_memory) {
    const Codec* codec = codec_of(kind);
    return codec ? codec->decoder(kind, max_memory) : std::unexpected(Errc::bad_mode);
}

Encoder stream_encoder(Wrapping kind, const PartForm& form) {
    const Codec* codec = codec_of(kind);
    return codec ? codec->encoder(kind, form) : std::unexpected(Errc::bad_mode);
}

bool begins_skipped(Wrapping kind, ByteView start) noexcept {
    return kind == Wrapping::zstd && start.size() >= 4 &&
           (detail::load<std::uint32_t>(start.data()) & 0xFFFF'FFF0u) == 0x184D'2A50u;
}

bool begins_stream(Wrapping kind, ByteView start) noexcept {
    if (kind == Wrapping::zlib)  // the method, the window, and a remainder of both bytes
        return start.size() >= 2 && (std::to_integer<unsigned>(start[0]) & 15) == 8 &&
               std::to_integer<unsigned>(start[0]) >> 4 <= 7 &&
               (std::to_integer<unsigned>(start[0]) << 8 | std::to_integer<unsigned>(start[1])) %
                       31 ==
                   0;
    const Codec* codec = codec_of(kind);
    return begins_skipped(kind, start) ||
           (codec && detail::as_text(start.data(), start.size()).starts_with(codec->magic));
}

bool continues_stream(Wrapping kind, ByteView next) noexcept {
    return has_parts(kind) && begins_stream(kind, next);
}

PartForm form_of(Wrapping kind, ByteView start) {
    PartForm out;
    if (kind == Wrapping::gzip)
        out.header.assign(start.begin(),
                          start.begin() + static_cast<std::ptrdiff_t>(gzip_header(start)));
    if (kind == Wrapping::zstd && start.size() > 4)
        out.checksum = (std::to_integer<unsigned>(start[4]) & 4) != 0;
    return out;
}

}  // namespace gdvar::save
