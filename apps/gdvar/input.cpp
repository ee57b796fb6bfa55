#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "command.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/save/project.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar::app {
namespace {

constexpr std::uint64_t load_limit = 256u << 20;  ///< larger files are streamed as records
constexpr std::size_t sample_bytes = 8u << 20;    ///< what the dialect is guessed from

std::string system_error(std::uint64_t code) { return std::strerror(static_cast<int>(code)); }

InputKind kind_by_name(const std::string& name) {
    for (const InputKind kind : {InputKind::project, InputKind::records, InputKind::records_be,
                                 InputKind::packet, InputKind::hex, InputKind::base64})
        if (input_kind_name(kind) == name) return kind;
    return InputKind::unknown;
}

/// Whether frames cover a large file exactly, without keeping it.
bool streamed_frames(const std::string& path, ByteOrder order, std::uint64_t skip) {
    auto source = FileSource::open(path);
    if (!source) return false;
    RecordReader reader(*source, order);
    if (!reader.skip(skip)) return false;
    for (;;) {
        auto record = reader.next();
        if (!record) return false;
        if (!*record) return true;
        if ((*record)->packet.size() < 4) return false;
    }
}

}  // namespace

std::unique_ptr<Input> Input::open(const Options& options, int& exit) {
    std::unique_ptr<Input> input(new Input(options));
    input->name_ = options.file == "-" ? "<stdin>" : options.file;
    exit = input->load();
    if (exit == fine) exit = input->recognise_kind();
    if (exit == fine) exit = input->choose_dialect();
    return exit == fine ? std::move(input) : nullptr;
}

int Input::load() {
    struct stat info {};
    if (options_.file != "-") {
        if (::stat(options_.file.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
            static_cast<std::uint64_t>(info.st_size) > load_limit) {
            streamed_ = true;
            size_ = static_cast<std::uint64_t>(info.st_size);
            return fine;
        }
    }
    auto source = options_.file == "-" ? std::expected<FileSource, Error>(FileSource::borrow(0))
                                       : FileSource::open(options_.file);
    if (!source) {
        say(name_ + ": error[io]: " + system_error(source.error().need));
        return io_error;
    }
    std::size_t used = 0;
    for (;;) {
        if (bytes_.size() - used < (1 << 16)) bytes_.resize(bytes_.size() * 2 + (1 << 17));
        auto got = source->read(std::span(bytes_).subspan(used));
        if (!got) {
            say(name_ + ": error[io]: " + system_error(got.error().need));
            return io_error;
        }
        if (*got == 0) break;
        used += *got;
    }
    bytes_.resize(used);
    size_ = used;
    if (options_.skip > bytes_.size()) {
        say(name_ + ": error[truncated]: --skip goes past the end");
        return refused;
    }
    return fine;
}

int Input::recognise_kind() {
    const ByteView body = ByteView(bytes_).subspan(streamed_ ? 0 : options_.skip);
    if (options_.as != "auto") {
        kind_ = kind_by_name(options_.as);
        readings_ = {kind_};
    } else if (streamed_) {
        if (streamed_frames(options_.file, ByteOrder::little, options_.skip))
            readings_.push_back(InputKind::records);
        else if (streamed_frames(options_.file, ByteOrder::big, options_.skip))
            readings_.push_back(InputKind::records_be);
        kind_ = readings_.empty() ? InputKind::unknown : readings_.front();
    } else {
        readings_ = recognise(body);
        kind_ = readings_.empty() ? InputKind::unknown : readings_.front();
    }
    if (streamed_ && kind_ != InputKind::records && kind_ != InputKind::records_be) {
        say(name_ + ": error[not_recognised]: a file of this size is read only as records; "
                    "see --as and --skip");
        return refused;
    }
    if (kind_ == InputKind::unknown) {
        // Nothing fits whole: a packet is what the messages about damage are best for.
        kind_ = InputKind::packet;
        if (body.empty()) {
            say(name_ + ": error[not_recognised]: the input is empty");
            return refused;
        }
    }
    if (options_.verbose) say(name_ + ": read as " + std::string(input_kind_name(kind_)));
    if (kind_ == InputKind::gdec || kind_ == InputKind::gcpf) {
        say(name_ + ": error[not_recognised]: a " +
            (kind_ == InputKind::gdec ? std::string("GDEC (encrypted)") : "GCPF (compressed)") +
            " container, which this version does not open");
        return refused;
    }
    return unwrap_text();
}

int Input::unwrap_text() {
    if (kind_ != InputKind::hex && kind_ != InputKind::base64) return fine;
    const ByteView body = ByteView(bytes_).subspan(options_.skip);
    const std::string_view text(reinterpret_cast<const char*>(body.data()), body.size());
    auto raw = kind_ == InputKind::hex ? from_hex(text) : from_base64(text);
    if (!raw) {
        complain(options_.skip + raw.error().offset, raw.error());
        return refused;
    }
    bytes_ = *std::move(raw);
    // Text is how bare packets travel (variant_to_base64); records only where it is no packet.
    const auto inner = recognise(bytes_);
    kind_ = InputKind::packet;
    for (const InputKind fits : inner) {
        if (fits == InputKind::packet) break;
        if (fits == InputKind::project) kind_ = fits;
        if (fits == InputKind::records || fits == InputKind::records_be)
            kind_ = std::find(inner.begin(), inner.end(), InputKind::packet) == inner.end()
                        ? fits
                        : InputKind::packet;
        break;
    }
    return fine;
}

/// Packets to guess from: the first ones, up to some megabytes.
std::vector<std::vector<std::byte>> Input::sample() {
    std::vector<std::vector<std::byte>> packets;
    std::size_t taken = 0;
    const Dialect* keep = dialect_;
    (void)each([&](const Item& item) {
        packets.emplace_back(item.packet.begin(), item.packet.end());
        taken += item.packet.size();
        return taken < sample_bytes;
    });
    dialect_ = keep;
    return packets;
}

int Input::choose_dialect() {
    if (options_.dialect != "auto") {
        dialect_ = find_dialect(options_.dialect);
        if (dialect_) return fine;
        say("gdvar: unknown dialect '" + options_.dialect + "'; see gdvar dialects");
        return usage;
    }
    const auto packets = sample();
    std::vector<ByteView> views(packets.begin(), packets.end());
    guess_ = guess_dialect(views);
    if (guess_.dialect) dialect_ = guess_.dialect;
    if (options_.verbose) {
        say(name_ + ": dialect " + std::string(dialect_->name) +
            (guess_.ambiguous ? " (the newest that fits; others do, too)" : ""));
        for (const Candidate& candidate : guess_.candidates) say("  " + candidate.reason);
    }
    return fine;
}

DecodeOptions Input::decoding() const noexcept {
    return {.dialect = dialect_,
            .allow_objects = options_.objects,
            .strict = options_.strict,
            .real_width = static_cast<std::uint8_t>(options_.real_width)};
}

int Input::each(const std::function<bool(const Item&)>& use) {
    const ByteView body = ByteView(bytes_);
    const std::uint64_t skip = streamed_ || readings_.empty() || (readings_[0] != InputKind::hex &&
                                                                 readings_[0] != InputKind::base64)
                                   ? options_.skip
                                   : 0;
    if (kind_ == InputKind::packet) {
        use({skip, 0, "", body.subspan(skip)});
        return fine;
    }
    if (kind_ == InputKind::project) {
        auto entries = read_project(body.subspan(skip));
        if (!entries) {
            complain(skip + entries.error().offset, entries.error());
            return refused;
        }
        for (std::size_t i = 0; i < entries->size(); ++i) {
            const ProjectEntry& entry = (*entries)[i];
            const std::string key(entry.key.substr(0, entry.key.find('\0')));
            if (!use({skip + entry.offset, i, key + " ", entry.packet})) break;
        }
        return fine;
    }
    auto file = streamed_ ? FileSource::open(options_.file)
                          : std::expected<FileSource, Error>(FileSource::borrow(-1));
    if (!file) {
        say(name_ + ": error[io]: " + system_error(file.error().need));
        return io_error;
    }
    MemorySource memory(body);
    RecordReader reader(streamed_ ? static_cast<Source&>(*file) : memory,
                        kind_ == InputKind::records_be ? ByteOrder::big : ByteOrder::little);
    auto skipped = reader.skip(skip);
    for (std::size_t i = 0; skipped; ++i) {
        auto record = reader.next();
        if (!record) {
            complain(record.error().offset, record.error());
            return record.error().code == Errc::io ? io_error : refused;
        }
        if (!*record) break;
        if (!use({(*record)->offset + 4, i, "#" + std::to_string(i) + " ", (*record)->packet}))
            break;
    }
    return fine;
}

void Input::complain(const Item& item, const Error& error, const DecodeOptions& options) const {
    say(name_ + ":" + hex(item.offset + error.offset) + ": " + item.label +
        error_path(item.packet, options, error) + ": " + to_string(error));
}

void Input::complain(std::uint64_t offset, const Error& error) const {
    say(name_ + ":" + hex(offset) + ": " + to_string(error));
}

}  // namespace gdvar::app
