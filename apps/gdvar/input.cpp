// The input: opened, recognised, out of its containers, as a row of packets.
#include <algorithm>
#include <cstring>

#include "command.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/salvage.hpp"
#include "gdvar/save/project.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar::app {
namespace {

constexpr std::size_t most_layers = 8;

bool is_container(InputKind kind) {
    return kind == InputKind::gdec || kind == InputKind::gcpf;
}

}  // namespace

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
    auto file = open_source(options_.file);
    if (!file)
        return failed(file.error());
    if (file->can_rewind() && options_.file != "-") {
        opened_.push_back(std::make_unique<FileSource>(*std::move(file)));
    } else {
        auto spool = std::make_unique<Spool>();
        if (int exit = each_piece(*file, options_,
                                  [&](ByteView part) {
                                      auto put = spool->write(part);
                                      return put ? fine : failed(put.error());
                                  });
            exit != fine)
            return exit;
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

int Input::open_containers() {
    for (;;) {
        auto found = recognise(
            *source_, {.skip = skip_,
                       .max_load = std::min<std::uint64_t>(options_.most_held(!layers_.empty()),
                                                           RecogniseOptions().max_load),
                       .all = options_.all_readings});
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
        Layer layer;
        layer.kind = find_layer_kind(kind_);
        auto inner = layer.kind->open(*source_,
                                      {.key = *key ? &**key : nullptr,
                                       .skip = skip_,
                                       .max_bytes = options_.most_streamed()},
                                      layer);
        if (!inner) {
            if (inner.error().code == Errc::bad_key)
                say(name_ +
                    ": error[bad_key]: it is encrypted (GDEC): see --password-file and --key-file");
            else if (inner.error().code == Errc::size_limit)
                say(name_ + ": " + too_much(options_.most_streamed(), "it says that it holds"));
            else
                return failed(inner.error());
            return refused;
        }
        layers_.push_back(layer);
        opened_.push_back(*std::move(inner));
        source_ = opened_.back().get();
        size_ = source_->size().value_or(0);
        skip_ = 0;
    }
}

/// What is no row of records is read at once.
int Input::load_whole() {
    const std::uint64_t most = options_.most_held(!layers_.empty());
    const auto refuse = [&] {
        say(name_ + ": " + too_much(most) + ", and no row of records");
        return refused;
    };
    // A container says how much it holds; none of it has to come out to see that.
    if (size_ > most)
        return refuse();
    if (auto done = source_->rewind(); !done)
        return failed(done.error());
    auto all = read_all(*source_, most);
    if (!all && all.error().code == Errc::size_limit)
        return refuse();
    if (!all)
        return failed(all.error());
    bytes_ = *std::move(all);
    return fine;
}

DecodeOptions Input::decoding() const noexcept {
    return {.dialect = dialect_,
            .allow_objects = options_.objects,
            .strict = options_.strict,
            .real_width = static_cast<std::uint8_t>(options_.real_width)};
}

int Input::each(const std::function<bool(const Item&)>& use, Tail tail) {
    int worst = broken_text_ && !quiet_ ? refused : fine;
    const auto use_all = [&](const Item& item) {
        const bool on = use(item);
        if (const int exit = left_over(item, tail); exit != fine)
            worst = exit;
        return on;
    };
    int exit = fine;
    if (kind_ == InputKind::packet)
        use_all({skip_, 0, "", ByteView(bytes_).subspan(static_cast<std::size_t>(skip_))});
    else
        exit = kind_ == InputKind::project ? each_setting(use_all) : each_record(use_all);
    return exit != fine ? exit : worst;
}

int Input::each_value(const std::string& path,
                      const std::function<int(const Item&, const Found&)>& use) {
    int worst = fine;
    Document document;
    const DecodeOptions decoding = this->decoding();
    const int exit = each([&](const Item& item) {
        // What is broken is shown up to the break.
        std::optional<Error> broken;
        std::optional<Salvaged> part;
        if (auto done = document.read(item.packet, decoding); !done) {
            broken = done.error();
            part = up_to_break(item.packet, decoding);
            if (part)
                broken = part->error;
            worst = refused;
            if (!part || !document.read(part->packet, decoding)) {
                complain(item, *broken, decoding);
                return true;
            }
        }
        Found at = document.root();
        if (!path.empty()) {
            auto found = lookup(at, path);
            if (!found) {
                say(missing(item, at, path, found.error()));
                worst = refused;
                return true;
            }
            at = *found;
        }
        if (const int code = use(item, at); code != fine)
            worst = code;
        if (broken)
            complain(item, *broken, decoding);
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
        if (!use({skip_ + entry.offset, i, std::string(setting_name(entry.key)) + ' ', entry.packet,
                  entry.key}))
            break;
    }
    return fine;
}

int Input::rewind() {
    if (auto done = source_->rewind(); !done)
        return failed(done.error());
    records_.emplace(*source_, kind_ == InputKind::records_be ? ByteOrder::big : ByteOrder::little,
                     std::min<std::uint64_t>(options_.most_held(!layers_.empty()), 0x7FFF'FFFF));
    number_ = 0;
    broken_.reset();
    if (auto done = records_->skip(skip_); !done)
        return failed(done.error());
    return fine;
}

std::optional<Item> Input::next(int& exit) {
    auto item = step(exit);
    if (broken_) {
        bool whole_length = false;
        (void)broken_record(*broken_, whole_length);
        say_broken(*broken_, whole_length);
    }
    return item;
}

std::optional<Item> Input::step(int& exit) {
    const auto record = records_->next();
    if (!record) {
        exit = record.error().code == Errc::io ? io_error : refused;
        if (record.error().code != Errc::size_limit)
            broken_ = record.error();
        else if (!quiet_)
            say(name_ + ":" + hex(record.error().offset) + ": #" + std::to_string(number_) + ": " +
                too_much(options_.most_held(!layers_.empty()), "the record is"));
        return std::nullopt;
    }
    if (!*record)
        return std::nullopt;
    const std::size_t i = number_++;
    return Item{(*record)->offset + 4, i, "#" + std::to_string(i) + " ", (*record)->packet};
}

int Input::each_record(const std::function<bool(const Item&)>& use) {
    int exit = rewind();
    if (exit != fine)
        return exit;
    Progress progress(name_, size_);
    while (const auto item = step(exit)) {
        progress.at(records_->position());
        if (!use(*item))
            break;
    }
    if (!broken_)
        return exit;
    // What there is of the record in which the file breaks off is for whoever reads, too.
    bool whole_length = false;
    if (const auto part = broken_record(*broken_, whole_length))
        use(*part);
    say_broken(*broken_, whole_length);
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
    if (quiet_)
        return;
    std::string what = to_string(error);
    if (error.code == Errc::objects_forbidden)
        what += "; --objects takes it, as data";
    say(place(item, error.offset) + shortened(error_path(item.packet, options, error)) + ": " + what);
}

std::string Input::place(const Item& item, std::uint64_t offset) const {
    return name_ + ":" + hex(item.offset + offset) + ": " + item.label;
}

void Input::complain(std::uint64_t offset, const Error& error) const {
    say(name_ + ":" + hex(offset) + ": " + to_string(error));
}

}  // namespace gdvar::app
