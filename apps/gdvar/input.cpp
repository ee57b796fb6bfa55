// The input: opened, recognised, out of its containers, as a row of packets.
#include <algorithm>
#include <cstring>

#include "command.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/save/project.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar::app {
namespace {

constexpr std::size_t sample_bytes = 8u << 20;  ///< what the dialect is guessed from
constexpr std::size_t most_layers = 8;

InputKind kind_by_name(const std::string& name) {
    for (const InputKind kind : {InputKind::project, InputKind::records, InputKind::records_be,
                                 InputKind::packet, InputKind::hex, InputKind::base64})
        if (input_kind_name(kind) == name)
            return kind;
    return InputKind::unknown;
}

bool is_container(InputKind kind) {
    return kind == InputKind::gdec || kind == InputKind::gcpf;
}

/// Bytes that the source owns.
class OwnedBytes final : public Source {
public:
    explicit OwnedBytes(std::vector<std::byte> bytes) : bytes_(std::move(bytes)), source_(bytes_) {}
    std::expected<std::size_t, Error> read(std::span<std::byte> to) override {
        return source_.read(to);
    }
    std::expected<std::uint64_t, Error> skip(std::uint64_t n) override { return source_.skip(n); }
    bool can_rewind() const noexcept override { return true; }
    std::expected<void, Error> rewind() override { return source_.rewind(); }
    std::optional<std::uint64_t> size() const override { return bytes_.size(); }

private:
    std::vector<std::byte> bytes_;
    MemorySource source_;
};

}  // namespace

std::string Layer::name() const {
    if (kind == Wrapping::gcpf)
        return "gcpf-" + std::string(compression_name(compression));
    return std::string(wrapping_name(kind));
}

std::unique_ptr<Input> Input::open(const Options& options, int& exit) {
    std::unique_ptr<Input> input(new Input(options));
    input->name_ = options.file == "-" ? "<stdin>" : options.file;
    exit = input->load();
    if (exit == fine)
        exit = input->recognise_kind();
    if (exit == fine)
        exit = input->choose_dialect();
    return exit == fine ? std::move(input) : nullptr;
}

int Input::failed(const Error& error, std::uint64_t offset) const {
    if (error.code == Errc::io) {
        say(name_ + ": " + in_words(error));
        return io_error;
    }
    complain(offset + error.offset, error);
    return refused;
}

int Input::load() {
    if (options_.file != "-") {
        auto file = FileSource::open(options_.file);
        if (!file)
            return failed(file.error());
        if (file->can_rewind()) {
            opened_.push_back(std::make_unique<FileSource>(*std::move(file)));
        } else {
            auto spool = std::make_unique<Spool>();
            if (auto done = copy(*file, *spool); !done)
                return failed(done.error());
            opened_.push_back(std::move(spool));
        }
    } else {
        FileSource from = FileSource::borrow(0);
        auto spool = std::make_unique<Spool>();
        if (auto done = copy(from, *spool); !done)
            return failed(done.error());
        opened_.push_back(std::move(spool));
    }
    source_ = opened_.back().get();
    size_ = source_->size().value_or(0);
    skip_ = options_.skip;
    if (skip_ > size_) {
        say(name_ + ": error[truncated]: --skip goes past the end");
        return refused;
    }
    return fine;
}

int Input::recognise_kind() {
    if (int exit = open_containers(); exit != fine)
        return exit;
    if (options_.as != "auto") {
        kind_ = kind_by_name(options_.as);
        readings_ = {{kind_, "--as says so"}};
    }
    if (kind_ == InputKind::unknown) {
        // Nothing fits whole: a packet is what the messages about damage are best for.
        kind_ = InputKind::packet;
        if (size_ == skip_) {
            say(name_ + ": error[not_recognised]: the input is empty");
            return refused;
        }
    }
    if (options_.verbose) {
        for (const Layer& layer : layers_)
            say(name_ + ": in a " + layer.name() + " container");
        say(name_ + ": read as " + std::string(input_kind_name(kind_)) +
            (readings_.empty() ? "" : ": " + readings_[0].reason));
    }
    if (!several() || kind_ == InputKind::project)
        if (int exit = load_whole(); exit != fine)
            return exit;
    return unwrap_text();
}

int Input::open_containers() {
    for (;;) {
        auto found = recognise(*source_, {.skip = skip_, .all = options_.all_readings});
        if (!found)
            return failed(found.error());
        readings_ = *std::move(found);
        kind_ = readings_.empty() ? InputKind::unknown : readings_[0].kind;
        if (!is_container(kind_))
            return fine;
        if (layers_.size() == most_layers) {
            say(name_ + ": error[depth_limit]: more than " + std::to_string(most_layers) +
                " containers in each other");
            return refused;
        }
        int exit = fine;
        const auto key = secret(options_, exit);
        if (!key)
            return exit;
        OpenOptions options{
            .key = *key ? &**key : nullptr, .skip = skip_, .max_bytes = options_.max_bytes};
        auto inner = open_container(*source_, options);
        if (!inner) {
            if (inner.error().code == Errc::bad_key)
                say(name_ +
                    ": error[bad_key]: it is encrypted (GDEC): see --password-file and --key-file");
            else if (inner.error().code == Errc::size_limit)
                say(name_ + ": error[size_limit]: it says that it holds more than --max-bytes " +
                    std::to_string(options_.max_bytes));
            else
                return failed(inner.error());
            return refused;
        }
        const ContainerSource& container = **inner;
        layers_.push_back({container.kind(), container.compression(),
                           container.block_size() ? container.block_size() : 4096});
        opened_.push_back(*std::move(inner));
        source_ = opened_.back().get();
        size_ = source_->size().value_or(0);
        skip_ = 0;
    }
}

/// What is no row of records is read at once.
int Input::load_whole() {
    if (auto done = source_->rewind(); !done)
        return failed(done.error());
    auto all = read_all(*source_, options_.max_bytes);
    if (!all) {
        if (all.error().code == Errc::size_limit) {
            say(name_ + ": error[size_limit]: it is more than --max-bytes " +
                std::to_string(options_.max_bytes) + ", and no row of records");
            return refused;
        }
        return failed(all.error());
    }
    bytes_ = *std::move(all);
    return fine;
}

int Input::unwrap_text() {
    if (kind_ != InputKind::hex && kind_ != InputKind::base64)
        return fine;
    const ByteView body = ByteView(bytes_).subspan(static_cast<std::size_t>(skip_));
    const std::string_view text(reinterpret_cast<const char*>(body.data()), body.size());
    auto raw = kind_ == InputKind::hex ? from_hex(text) : from_base64(text);
    if (!raw) {
        complain(skip_ + raw.error().offset, raw.error());
        return refused;
    }
    bytes_ = *std::move(raw);
    skip_ = 0;
    // Text is how bare packets travel (variant_to_base64); records only where it is no packet.
    const auto inner = recognise(bytes_);
    kind_ = InputKind::packet;
    for (const InputKind fits : inner) {
        if (fits == InputKind::packet)
            break;
        if (fits == InputKind::project)
            kind_ = fits;
        if (fits == InputKind::records || fits == InputKind::records_be)
            kind_ = std::find(inner.begin(), inner.end(), InputKind::packet) == inner.end()
                        ? fits
                        : InputKind::packet;
        break;
    }
    if (kind_ == InputKind::records || kind_ == InputKind::records_be) {
        opened_.push_back(std::make_unique<OwnedBytes>(bytes_));
        source_ = opened_.back().get();
    }
    return fine;
}

/// Packets to guess from: the first ones, up to some megabytes.
std::vector<std::vector<std::byte>> Input::sample() {
    std::vector<std::vector<std::byte>> packets;
    std::size_t taken = 0;
    (void)each([&](const Item& item) {
        packets.emplace_back(item.packet.begin(), item.packet.end());
        taken += item.packet.size();
        return taken < sample_bytes;
    });
    return packets;
}

int Input::choose_dialect() {
    if (options_.dialect != "auto") {
        dialect_ = find_dialect(options_.dialect);
        if (dialect_)
            return fine;
        say("gdvar: unknown dialect '" + options_.dialect + "'; see gdvar dialects");
        return usage;
    }
    const auto packets = sample();
    std::vector<ByteView> views(packets.begin(), packets.end());
    guess_ = guess_dialect(views);
    if (guess_.dialect)
        dialect_ = guess_.dialect;
    if (options_.verbose) {
        say(name_ + ": dialect " + std::string(dialect_->name) +
            (guess_.ambiguous ? " (the newest that fits; others do, too)" : ""));
        for (const Candidate& candidate : guess_.candidates)
            say("  " + candidate.reason);
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
    if (kind_ == InputKind::packet) {
        use({skip_, 0, "", ByteView(bytes_).subspan(static_cast<std::size_t>(skip_))});
        return fine;
    }
    return kind_ == InputKind::project ? each_setting(use) : each_record(use);
}

int Input::each_value(const std::string& path,
                      const std::function<int(const Item&, const Found&)>& use) {
    int worst = fine;
    Document document;
    const DecodeOptions decoding = this->decoding();
    const int exit = each([&](const Item& item) {
        if (auto done = document.read(item.packet, decoding); !done) {
            complain(item, done.error(), decoding);
            worst = refused;
            return true;
        }
        Found at = document.root();
        if (!path.empty()) {
            auto found = lookup(at, path);
            if (!found) {
                say(name_ + ": " + item.label + path + ": " + to_string(found.error()));
                worst = refused;
                return true;
            }
            at = *found;
        }
        if (const int code = use(item, at); code != fine)
            worst = code;
        return true;
    });
    return exit != fine ? exit : worst;
}

int Input::each_setting(const std::function<bool(const Item&)>& use) {
    auto entries = read_project(ByteView(bytes_).subspan(static_cast<std::size_t>(skip_)));
    if (!entries) {
        complain(skip_ + entries.error().offset, entries.error());
        return refused;
    }
    for (std::size_t i = 0; i < entries->size(); ++i) {
        const ProjectEntry& entry = (*entries)[i];
        const std::string key(entry.key.substr(0, entry.key.find('\0')));
        if (!use({skip_ + entry.offset, i, key + " ", entry.packet}))
            break;
    }
    return fine;
}

int Input::rewind() {
    if (auto done = source_->rewind(); !done)
        return failed(done.error());
    records_.emplace(*source_, kind_ == InputKind::records_be ? ByteOrder::big : ByteOrder::little);
    number_ = 0;
    if (auto done = records_->skip(skip_); !done)
        return failed(done.error());
    return fine;
}

std::optional<Item> Input::next(int& exit) {
    const auto record = records_->next();
    if (!record)
        exit = failed(record.error());
    if (!record || !*record)
        return std::nullopt;
    const std::size_t i = number_++;
    return Item{(*record)->offset + 4, i, "#" + std::to_string(i) + " ", (*record)->packet};
}

int Input::each_record(const std::function<bool(const Item&)>& use) {
    int exit = rewind();
    if (exit != fine)
        return exit;
    Progress progress(name_, size_);
    while (const auto item = next(exit)) {
        progress.at(records_->position());
        if (!use(*item))
            break;
    }
    return exit;
}

namespace {
/// A path of a thousand steps says nothing more than its ends do.
std::string shortened(std::string path) {
    constexpr std::size_t most = 300;
    if (path.size() <= most)
        return path;
    std::size_t head = most / 2, tail = path.size() - most / 2;
    while (head && (static_cast<unsigned char>(path[head]) & 0xC0) == 0x80)
        --head;
    while (tail < path.size() && (static_cast<unsigned char>(path[tail]) & 0xC0) == 0x80)
        ++tail;
    return path.substr(0, head) + "..." + path.substr(tail);
}
}  // namespace

void Input::complain(const Item& item, const Error& error, const DecodeOptions& options) const {
    say(name_ + ":" + hex(item.offset + error.offset) + ": " + item.label +
        shortened(error_path(item.packet, options, error)) + ": " + to_string(error));
}

void Input::complain(std::uint64_t offset, const Error& error) const {
    say(name_ + ":" + hex(offset) + ": " + to_string(error));
}

}  // namespace gdvar::app
