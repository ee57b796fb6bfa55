// Packets on their way out, and wrap, unwrap, pack.
#include <algorithm>

#include "command.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/save/coding.hpp"

namespace gdvar::app {
namespace {

/// Gives all of a source to the output, in its form.
int write_out(Source& from, const Options& options) {
    Output out(options);
    if (options.output_form != "binary") {
        const std::uint64_t most = options.most_held(true);
        auto all = from.size().value_or(0) > most
                       ? std::unexpected(Error{Errc::size_limit, Type::nil, most, 0})
                       : read_all(from, most);
        if (!all) {
            const bool large = all.error().code == Errc::size_limit;
            say("gdvar: " + (large ? too_much(most) + ", and is written as text in one piece"
                                   : in_words(all.error())));
            return all.error().code == Errc::io ? io_error : refused;
        }
        out.binary(*all);
        return out.finish();
    }
    const int exit = each_piece(from, options, [&](ByteView part) {
        out.binary(part);
        return out.failed() ? io_error : fine;
    });
    return exit != fine ? exit : out.finish();
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
    if (frame == InputKind::project && frame_ != frame) {
        say("gdvar: settings have names, which a " + options.frame + " frame does not hold");
        exit = usage;
        return;
    }
    if (options.container == "none")
        layers_.clear();
    else if (options.container != "keep")
        layers_ = {*find_layer(options.container)};
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

int PacketOutput::packet(ByteView packet, std::string_view key) {
    if (frame_ == InputKind::project) {
        settings_.push_back({std::string(key), {packet.begin(), packet.end()}});
        return fine;
    }
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
    if (frame_ == InputKind::project) {
        std::vector<SaveItem> items;
        for (const Setting& setting : settings_)
            items.push_back({setting.key, setting.packet, 0});
        const auto bytes = find_document_kind(frame_)->write(items);
        if (!bytes)
            return failed(bytes.error());
        if (const int exit = raw(*bytes); exit != fine)
            return exit;
    }
    if (direct_) {
        const int exit = flush();
        return exit == fine ? direct_->finish() : exit;
    }
    Spool wrapped;
    if (!layers_.empty())
        if (auto done = write_layers(spool_, wrapped, layers_, key_ ? &*key_ : nullptr); !done)
            return failed(done.error());
    Spool& all = layers_.empty() ? spool_ : wrapped;
    if (auto done = all.rewind(); !done)
        return failed(done.error());
    return write_out(all, options_);
}

// ---- wrap, unwrap

int wrap_command(const Options& options) {
    int exit = fine;
    PacketOutput out(options, InputKind::packet, {}, exit);
    if (exit != fine)
        return exit;
    auto source = open_source(options.file);
    if (!source) {
        say(options.file + ": " + in_words(source.error()));
        return io_error;
    }
    exit = each_piece(*source, options, [&](ByteView part) { return out.raw(part); });
    return exit != fine ? exit : out.finish();
}

namespace {

/// A buffer that PackedByteArray.compress() made.
int unwrap_raw(const Options& options, Source& source) {
    const auto mode = find_compression(options.raw_mode);
    const auto failed = [&](const Error& error) {
        say(options.file + ": " +
            (error.code != Errc::size_limit ? in_words(error)
             : options.raw_size             ? "error[size_limit]: more than --size " +
                                      std::to_string(*options.raw_size) + " bytes come out"
                                : too_much(options.most_held(true), "what it holds is")));
        return error.code == Errc::io ? io_error : refused;
    };
    auto all = read_all(source, options.most_held(false));
    if (!all)
        return failed(all.error());
    if (*mode == Compression::fastlz && !options.raw_size && !all->empty()) {
        say(options.file +
            ": FastLZ does not say how many bytes went in, and adds zeros to fewer than 16: "
            "give their number with --size");
        return usage;
    }
    auto bytes = options.raw_size ? decompress(*all, *mode, *options.raw_size)
                 : all->empty()   ? std::expected<std::vector<std::byte>, Error>()
                                  : decompress_dynamic(*all, *mode, options.most_held(true));
    if (!bytes)
        return failed(bytes.error());
    MemorySource from(*bytes);
    return write_out(from, options);
}

}  // namespace

int unwrap_command(const Options& options) {
    if (int exit = wrong_terminal(options); exit != fine)
        return exit;
    Spool spool;
    auto file = open_source(options.file);
    const auto failed = [&](const Error& error) {
        say((options.file == "-" ? "<stdin>" : options.file) + ":" + hex(error.offset) + ": " +
            (error.code == Errc::size_limit
                 ? too_much(options.most_streamed(), "it says that it holds")
                 : in_words(error)));
        return error.code == Errc::io ? io_error : refused;
    };
    if (!file)
        return failed(file.error());
    if (!options.raw_mode.empty())
        return unwrap_raw(options, *file);
    Source* source = &*file;
    if (!file->can_rewind()) {
        const int exit = each_piece(*file, options, [&](ByteView part) {
            auto put = spool.write(part);
            return put ? fine : failed(put.error());
        });
        if (exit != fine)
            return exit;
        source = &spool;
    }
    int exit = fine;
    const auto key = secret(options, exit);
    if (!key)
        return exit;
    auto inner = open_container(*source, {.key = *key ? &**key : nullptr,
                                          .skip = options.skip,
                                          .max_bytes = options.most_streamed()});
    if (!inner && inner.error().code == Errc::bad_magic)
        if (const auto readings = recognise(*source, {.skip = options.skip, .all = false});
            readings && !readings->empty()) {
            const Reading& what = readings->front();
            say((options.file == "-" ? "<stdin>" : options.file) + ":" + hex(options.skip) +
                ": error[bad_magic]: no container (GCPF, GDEC), but " +
                (what.kind == InputKind::foreign ? what.reason
                                                 : std::string(input_kind_name(what.kind))) +
                (what.hint.empty() ? "" : ": " + what.hint));
            return refused;
        }
    if (!inner && inner.error().code == Errc::bad_key) {
        say((options.file == "-" ? "<stdin>" : options.file) +
            ": error[bad_key]: it is encrypted (GDEC): see --password-file and --key-file");
        return refused;
    }
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

namespace {

/// The dialect, frame and layers of a packed save.
struct Shape {
    const Dialect* dialect = nullptr;
    InputKind frame = InputKind::packet;
    std::vector<Layer> layers;
};

/// Takes dialect, frame, layers and text form from another save. `note` says so. Returns an exit
/// code.
int shape_like(Options& options, Shape& shape, std::string& note) {
    Options reading = options;
    reading.file = options.like;
    int exit = fine;
    const auto input = Input::open(reading, exit);
    if (!input)
        return exit;
    if (input->kind() == InputKind::project) {
        say("gdvar: " + options.like + " holds settings, which are not packed; see gdvar set");
        return usage;
    }
    shape = {&input->dialect(), input->kind(), input->layers()};
    for (const InputKind kind : {InputKind::hex, InputKind::base64})
        if (options.output_form == "binary" && !input->readings().empty() &&
            input->readings()[0].kind == kind)
            options.output_form = std::string(input_kind_name(kind));
    std::string as = input_kind_name(shape.frame) == "packet"
                         ? "one packet"
                         : std::string(input_kind_name(shape.frame));
    for (const Layer& layer : shape.layers)
        as += " in " + layer.name();
    note = "packed like " + options.like + ": " + std::string(shape.dialect->name) + ", " + as;
    return fine;
}

}  // namespace

namespace {

/// What `pack` drops from its text, by kind, with lines and columns.
class Dropped {
public:
    TextLoss taker(std::uint64_t from) {
        return [this, from](std::uint64_t offset, std::string_view what) {
            all_.emplace_back(from + offset, what);
        };
    }
    void say_all(const std::string& name, std::string_view text, bool verbose) {
        std::ranges::sort(all_);
        Losses losses;
        if (verbose)
            losses.each = [&](std::string_view place, std::string_view what) {
                say(name + ":" + std::string(place) + ": note: " + std::string(what));
            };
        std::uint64_t at = 0;
        std::size_t line = 1, column = 1;
        for (const auto& [offset, what] : all_)
            losses.add(what, [&] {
                for (; at < offset; ++at) {
                    const auto c = static_cast<unsigned char>(text[at]);
                    line += c == '\n';
                    column = c == '\n' ? 1 : column + ((c & 0xC0) != 0x80);
                }
                return std::to_string(line) + ":" + std::to_string(column);
            });
        for (const Losses::Kind& kind : losses.kinds())
            if (!verbose)
                say(name + ": note: " + kind.what + ": " + in_words(kind));
    }

private:
    std::vector<std::pair<std::uint64_t, std::string_view>> all_;
};

}  // namespace

int pack_command(const Options& given) {
    Options options = given;
    Shape shape;
    int exit = fine;
    std::string note;  // printed once something was packed so
    if (!options.like.empty())
        if (exit = shape_like(options, shape, note); exit != fine)
            return exit;
    if (options.like.empty() || options.dialect != "auto")
        shape.dialect =
            options.dialect == "auto" ? &dialects::godot_4_4 : dialect_named(options.dialect);
    const Dialect* dialect = shape.dialect;
    if (!dialect)
        return usage;
    if (options.like.empty() && options.dialect == "auto")
        note = "packed as godot-4.4, since neither --dialect nor --like says otherwise";
    const std::string name = options.file == "-" ? "<stdin>" : options.file;
    auto source = open_source(options.file);
    const std::uint64_t most = options.most_held(false);
    auto all = source ? read_all(*source, most) : std::unexpected(source.error());
    if (!all) {
        const bool large = all.error().code == Errc::size_limit;
        say(name + ": " + (large ? too_much(most) : in_words(all.error())));
        return all.error().code == Errc::io ? io_error : refused;
    }
    PacketOutput out(options, shape.frame, shape.layers, exit);
    if (exit != fine)
        return exit;
    const EncodeOptions to{.dialect = dialect,
                           .allow_objects = options.objects,
                           .real_width = static_cast<std::uint8_t>(options.real_width)};
    const std::string_view whole(reinterpret_cast<const char*>(all->data()), all->size());
    Dropped dropped;
    std::size_t at = 0, values = 0, line = 1;
    while (values == 0 || !only_white(whole.substr(at))) {
        if (values == 1 && out.frame() == InputKind::packet) {
            say(name +
                ": error[trailing_bytes]: a packet holds one value; --frame records takes several");
            return refused;
        }
        std::size_t size = 0;
        const TextLoss loss = dropped.taker(at);
        auto value = parse_value(options, *dialect, whole.substr(at), &size, &loss);
        if (!value) {
            const TextError& e = value.error();
            const std::string what = to_string(e);
            say(name + ":" + std::to_string(line - 1 + e.line) + ":" + std::to_string(e.column) +
                ": " + what.substr(what.find("error[")) + plain_hint(options, whole.substr(at)));
            return refused;
        }
        auto packet = encode(*value, to);
        if (!packet) {
            say(name + ": " + (values ? "#" + std::to_string(values) + " " : "") +
                error_path(*value, to, packet.error()) + ": " + in_words(packet.error()));
            return refused;
        }
        *value = Variant();  // frees it before the check, which takes as much memory
        if (const auto sound = check_written(as_bytes(*packet), to); !sound) {
            say(name + ": " + (values ? "#" + std::to_string(values) + " " : "") +
                in_words(as_bytes(*packet), to, sound.error()));
            return refused;
        }
        if (exit = out.packet(as_bytes(*packet)); exit != fine)
            return exit;
        for (const char c : whole.substr(at, size))
            line += c == '\n';
        at += size;
        ++values;
    }
    exit = out.finish();
    if (exit == fine)
        dropped.say_all(name, whole, options.verbose);
    if (exit == fine && !note.empty())
        say("gdvar: note: " + note);
    return exit;
}

}  // namespace gdvar::app
