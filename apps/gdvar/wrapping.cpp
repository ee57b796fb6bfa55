// Packets on their way out, and wrap, unwrap, pack.
#include "command.hpp"
#include "gdvar/save/coding.hpp"

namespace gdvar::app {
namespace {

/// The layers that --container names; nothing for an unknown name.
std::optional<std::vector<Layer>> layers_named(const std::string& name) {
    if (name == "none")
        return std::vector<Layer>();
    for (const Wrapping kind : {Wrapping::gdec_3, Wrapping::gdec_4})
        if (name == wrapping_name(kind))
            return std::vector<Layer>{{kind}};
    for (const Compression mode :
         {Compression::fastlz, Compression::deflate, Compression::zstd, Compression::gzip})
        if (name == "gcpf-" + std::string(compression_name(mode)))
            return std::vector<Layer>{{Wrapping::gcpf, mode}};
    return std::nullopt;
}

bool encrypts(const std::vector<Layer>& layers) {
    for (const Layer& layer : layers)
        if (layer.kind == Wrapping::gdec_3 || layer.kind == Wrapping::gdec_4)
            return true;
    return false;
}

/// Gives all of a source to the output, in its form.
int write_out(Source& from, const Options& options) {
    Output out(options);
    if (options.output_form != "binary") {
        auto all = read_all(from);
        if (!all) {
            say("gdvar: " + in_words(all.error()));
            return all.error().code == Errc::io ? io_error : refused;
        }
        out.binary(*all);
        return out.finish();
    }
    std::vector<std::byte> part(1 << 18);
    for (;;) {
        auto n = from.read(part);
        if (!n) {
            say("gdvar: " + in_words(n.error()));
            return n.error().code == Errc::io ? io_error : refused;
        }
        if (*n == 0)
            return out.finish();
        out.binary(ByteView(part).first(*n));
    }
}

int wrong_terminal(const Options& options) {
    if (options.output_form != "binary" || !Output(options).is_terminal())
        return fine;
    say("gdvar: binary output is not written to a terminal; use -o FILE or --output hex");
    return usage;
}

}  // namespace

InputKind frame_of(const Options& options, InputKind own) {
    if (options.frame == "packet")
        return InputKind::packet;
    if (options.frame == "records")
        return InputKind::records;
    if (options.frame == "records-be")
        return InputKind::records_be;
    return own;
}

PacketOutput::PacketOutput(const Options& options, InputKind frame, std::vector<Layer> layers,
                           int& exit)
    : options_(options), frame_(frame_of(options, frame)), layers_(std::move(layers)) {
    exit = wrong_terminal(options);
    if (exit != fine)
        return;
    if (options.container != "keep")
        layers_ = *layers_named(options.container);
    if (layers_.empty() && options.output_form == "binary") {
        direct_.emplace(options);
        if (!direct_->replaces())
            direct_.reset();
    }
    if (!encrypts(layers_))
        return;
    const auto key = secret(options, exit);
    if (!key)
        return;
    key_ = *key;
    if (key_)
        return;
    say("gdvar: error[bad_key]: encrypting takes a key: see --password-file and --key-file");
    exit = usage;
}

int PacketOutput::failed(const Error& error) {
    say("gdvar: " + in_words(error));
    return error.code == Errc::io ? io_error : refused;
}

int PacketOutput::flush() {
    direct_->binary(buffer_);
    buffer_.clear();
    return direct_->failed() ? io_error : fine;
}

int PacketOutput::raw(ByteView bytes) {
    constexpr std::size_t most = 1 << 18;
    if (direct_) {
        if (buffer_.size() + bytes.size() > most && !buffer_.empty())
            if (int exit = flush(); exit != fine)
                return exit;
        if (bytes.size() > most) {
            direct_->binary(bytes);
            return direct_->failed() ? io_error : fine;
        }
        buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
        return fine;
    }
    auto done = spool_.write(bytes);
    return done ? fine : failed(done.error());
}

int PacketOutput::packet(ByteView packet) {
    if (frame_ != InputKind::packet) {
        std::byte length[4];
        write_frame_length(length, static_cast<std::uint32_t>(packet.size()),
                           frame_ == InputKind::records_be ? ByteOrder::big : ByteOrder::little);
        if (int exit = raw(length); exit != fine)
            return exit;
    }
    return raw(packet);
}

int PacketOutput::finish() {
    if (direct_) {
        const int exit = flush();
        return exit == fine ? direct_->finish() : exit;
    }
    // From the innermost container out: each wraps what the one before it made.
    std::vector<std::unique_ptr<Spool>> wrapped;
    Spool* inner = &spool_;
    for (std::size_t i = layers_.size(); i-- > 0;) {
        auto outer = std::make_unique<Spool>();
        const WriteOptions how{.kind = layers_[i].kind,
                               .compression = layers_[i].compression,
                               .block_size = layers_[i].block_size,
                               .key = key_ ? &*key_ : nullptr};
        if (auto done = inner->rewind(); !done)
            return failed(done.error());
        if (auto done = write_container(*inner, *outer, how); !done)
            return failed(done.error());
        wrapped.push_back(std::move(outer));
        inner = wrapped.back().get();
    }
    if (auto done = inner->rewind(); !done)
        return failed(done.error());
    return write_out(*inner, options_);
}

// ---- wrap, unwrap

int wrap_command(const Options& options) {
    int exit = fine;
    PacketOutput out(options, InputKind::packet, {}, exit);
    if (exit != fine)
        return exit;
    auto source = options.file == "-" ? std::expected<FileSource, Error>(FileSource::borrow(0))
                                      : FileSource::open(options.file);
    if (!source) {
        say(options.file + ": " + in_words(source.error()));
        return io_error;
    }
    std::vector<std::byte> part(1 << 18);
    for (;;) {
        auto n = source->read(part);
        if (!n) {
            say(options.file + ": " + in_words(n.error()));
            return io_error;
        }
        if (*n == 0)
            return out.finish();
        if (exit = out.raw(ByteView(part).first(*n)); exit != fine)
            return exit;
    }
}

namespace {

/// A buffer that PackedByteArray.compress() made.
int unwrap_raw(const Options& options, Source& source) {
    const auto mode = find_compression(options.raw_mode);
    auto all = read_all(source, options.max_bytes);
    if (!all) {
        say(options.file + ": " + in_words(all.error()));
        return all.error().code == Errc::io ? io_error : refused;
    }
    auto bytes = options.raw_size || *mode == Compression::fastlz
                     ? decompress(*all, *mode, options.raw_size)
                     : decompress_dynamic(*all, *mode, options.max_bytes);
    if (!bytes) {
        say(options.file + ": " + in_words(bytes.error()));
        return refused;
    }
    MemorySource from(*bytes);
    return write_out(from, options);
}

}  // namespace

int unwrap_command(const Options& options) {
    if (int exit = wrong_terminal(options); exit != fine)
        return exit;
    Spool spool;
    auto file = options.file == "-" ? std::expected<FileSource, Error>(FileSource::borrow(0))
                                    : FileSource::open(options.file);
    const auto failed = [&](const Error& error) {
        say((options.file == "-" ? "<stdin>" : options.file) + ":" + hex(error.offset) + ": " +
            in_words(error));
        return error.code == Errc::io ? io_error : refused;
    };
    if (!file)
        return failed(file.error());
    if (!options.raw_mode.empty())
        return unwrap_raw(options, *file);
    Source* source = &*file;
    if (!file->can_rewind()) {
        if (auto done = copy(*file, spool); !done)
            return failed(done.error());
        source = &spool;
    }
    int exit = fine;
    const auto key = secret(options, exit);
    if (!key)
        return exit;
    auto inner = open_container(
        *source,
        {.key = *key ? &**key : nullptr, .skip = options.skip, .max_bytes = options.max_bytes});
    if (!inner)
        return failed(inner.error());
    return write_out(**inner, options);
}

// ---- pack

namespace {

bool only_white(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

int pack_command(const Options& options) {
    const Dialect* dialect =
        find_dialect(options.dialect == "auto" ? "godot-4.4" : options.dialect);
    if (!dialect) {
        say("gdvar: unknown dialect '" + options.dialect + "'; see gdvar dialects");
        return usage;
    }
    const std::string name = options.file == "-" ? "<stdin>" : options.file;
    auto source = options.file == "-" ? std::expected<FileSource, Error>(FileSource::borrow(0))
                                      : FileSource::open(options.file);
    auto all = source ? read_all(*source, options.max_bytes) : std::unexpected(source.error());
    if (!all) {
        say(name + ": " + in_words(all.error()));
        return all.error().code == Errc::io ? io_error : refused;
    }
    int exit = fine;
    PacketOutput out(options, InputKind::packet, {}, exit);
    if (exit != fine)
        return exit;
    const EncodeOptions to{.dialect = dialect,
                           .allow_objects = options.objects,
                           .real_width = static_cast<std::uint8_t>(options.real_width)};
    const std::string_view whole(reinterpret_cast<const char*>(all->data()), all->size());
    std::size_t at = 0, values = 0, line = 1;
    while (values == 0 || !only_white(whole.substr(at))) {
        if (values == 1 && out.frame() == InputKind::packet) {
            say(name +
                ": error[trailing_bytes]: a packet holds one value; --frame records takes several");
            return refused;
        }
        std::size_t size = 0;
        auto value = parse_value(options, *dialect, whole.substr(at), &size);
        if (!value) {
            const TextError& e = value.error();
            const std::string what = to_string(e);
            say(name + ":" + std::to_string(line - 1 + e.line) + ":" + std::to_string(e.column) +
                ": " + what.substr(what.find("error[")));
            return refused;
        }
        auto packet = encode(*value, to);
        if (!packet) {
            say(name + ": " + (values ? "#" + std::to_string(values) + " " : "") +
                error_path(*value, to, packet.error()) + ": " + in_words(packet.error()));
            return refused;
        }
        if (exit = out.packet(as_bytes(*packet)); exit != fine)
            return exit;
        for (const char c : whole.substr(at, size))
            line += c == '\n';
        at += size;
        ++values;
    }
    return out.finish();
}

}  // namespace gdvar::app
