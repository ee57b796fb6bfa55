#include "input/input.hpp"

#include <algorithm>
#include <cstring>

#include "gdvar/file/convert_layers.hpp"
#include "gdvar/file/text_readings.hpp"
#include "gdvar/inspect/salvage.hpp"
#include "gdvar/wire/path.hpp"
#include "output/messages.hpp"
#include "output/notes.hpp"

namespace gdvar::app {
std::unique_ptr<Input> Input::open(const InputOptions& options, int& exit) {
    std::unique_ptr<Input> input(new Input(options));
    input->name_ = options.name();
    exit = input->open_stack();
    if (exit == fine)
        exit = input->recognise_kind();
    if (exit == fine)
        exit = input->choose_dialect();
    if (exit == fine && options.verbose)
        say(input->name_ + ": stack: " + input->stack());
    return exit == fine ? std::move(input) : nullptr;
}

/// Reads the input at once, unless it consists of records.
int Input::load_whole() {
    const bool text = document_kind_ && document_kind_->text && !layers().empty();
    const std::uint64_t held = options_.most_held(!layers().empty());
    const std::uint64_t most = text ? std::min(held, found_.most_text) : held;
    const auto refuse = [&] {
        return give_up(refused,
                       name_ + ": " +
                           (text ? too_much(most, "the text inside is")
                                 : too_much(most) + ", and it is not a sequence of records"));
    };
    // A container that states its size need not be decompressed for this.
    if (size_ > most)
        return refuse();
    if (auto done = source().rewind(); !done)
        return failed(done.error());
    auto all = read_all(source(), most);
    if (!all && all.error().code == Errc::size_limit)
        return refuse();
    if (!all)
        return failed(all.error());
    bytes_ = *std::move(all);
    size_ = bytes_.size();
    return fine;
}

DecodeOptions Input::decoding() const noexcept {
    return {.dialect = dialect_,
            .allow_objects = options_.objects || is_made(),
            .strict = options_.strict,
            .real_width = static_cast<std::uint8_t>(options_.real_width)};
}

int Input::each(const std::function<bool(const Item&)>& use, Tail tail) {
    int worst = fine;
    const auto use_all = [&](const Item& item) {
        const bool on = use(item);
        if (const int exit = left_over(item, tail); exit != fine)
            worst = exit;
        return on;
    };
    const int exit = has_records() ? each_record(use_all, tail) : each_in_document(use_all);
    complaints_.say_rest(name_);
    const int layers = quiet_ ? fine : say_faults(tail);
    return exit != fine ? exit : worst != fine ? worst : layers;
}

int Input::each_document(const SavePath& place,
                         const std::function<int(const Item&, const View&, bool)>& use) {
    int worst = fine;
    std::size_t seen = 0, found = 0;
    Document document;
    const DecodeOptions decoding = this->decoding();
    const int exit = each([&](const Item& item) {
        ++seen;
        if (!is_at(place, item))
            return true;
        ++found;
        std::optional<Error> broken;
        if (!read_to_break(item, document, broken)) {
            worst = refused;
            return true;
        }
        if (const int code = use(item, document.root(), broken.has_value()); code != fine)
            worst = code;
        if (broken) {
            complain(item, *broken, decoding);
            worst = refused;
        }
        return true;
    });
    if (exit != fine || worst != fine)
        return exit != fine ? exit : worst;
    return found || !(place.number || place.name) ? fine : nothing_there(place, *this, seen, false);
}

int Input::each_value(const std::string& path,
                      const std::function<int(const Item&, const MatchView&)>& use) {
    auto parsed = place_of(path, false);
    if (!parsed)
        return usage;
    SavePath& place = *parsed;
    if (!path.empty())
        take_all(place, *this);
    if (const int exit = settle(place, *this); exit != fine)
        return exit;
    std::size_t seen = 0, found = 0;
    std::optional<std::string> missing_in_one;
    const int exit = each_document(place, [&](const Item& item, const View& root, bool broken) {
        if (path.empty())
            return use(item, {"", Found(root)});
        ++seen;
        int worst = fine;
        const auto matches = lookup_each(root, place.path, [&](const MatchView& match) {
            if (const int code = use(item, match); code != fine)
                worst = code;
            return true;
        });
        if (matches) {
            found += *matches;
            return worst;
        }
        // Some of several records may lack the path. A broken one may have it behind the break.
        if (place.every && !broken && matches.error().code != Errc::no_memory) {
            if (seen == 1)
                missing_in_one = missing(item, root, place.path, matches.error());
            return worst;
        }
        complain(item, matches.error().code,
                 [&] { return missing(item, root, place.path, matches.error()); });
        return static_cast<int>(refused);
    });
    if (exit != fine || !place.every || found)
        return exit;
    return no_match(place, *this, seen, missing_in_one);
}

bool Input::read_to_break(const Item& item, Document& document, std::optional<Error>& broken) {
    const DecodeOptions decoding = this->decoding();
    broken.reset();
    const auto done = document.read(item.packet, decoding);
    if (done)
        return true;
    broken = done.error();
    if (auto part = up_to_break(item.packet, decoding)) {
        broken = part->error;
        salvaged_ = std::move(part->packet);
        if (document.read(salvaged_, decoding))
            return true;
    }
    complain(item, *broken, decoding);
    return false;
}

int Input::open_document() {
    document_kind_ = find_document_kind(kind_);
    if (has_records() || !document_kind_)
        return fine;
    DocumentOptions how{.godot_4 = written_by_godot_4(layers()),
                        .max_content = options_.most_held(true)};
    if (!layers().empty())
        how.limits.max_nodes = most_values(found_.most_text);
    if (options_.dialect != "auto") {
        how.dialect = dialect_named(options_.dialect);
        if (!how.dialect)
            return usage;
    }
    auto opened = document_kind_->open(
        *document_kind_, ByteView(bytes_).subspan(static_cast<std::size_t>(skip_)), how);
    if (opened)
        document_ = *std::move(opened);
    else
        no_document_ = opened.error();
    say_notes();
    return fine;
}

void Input::say_notes() const {
    if (!document_)
        return;
    const std::vector<DocumentNote>& notes = document_->notes();
    const std::size_t most = options_.verbose || options_.all_readings ? 20 : 3;
    for (const DocumentNote& note : std::span(notes).first(std::min(notes.size(), most))) {
        const TextError at = text_error_at(gdvar::detail::as_text(bytes_.data(), bytes_.size()),
                                           skip_ + note.offset, Errc::ok);
        const std::string path = path_in_text(*document_, note.offset);
        say(name_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
            (path.empty() ? path : shortened_path(path, most_error_path) + ": ") +
            "note: " + std::string(note.what));
    }
    if (notes.size() > most)
        say(name_ + ": " + std::to_string(notes.size() - most) + " more such notes");
    if (!document_->items().empty())
        say_section_names(name_, kind(), document_->dialect(), document_->items()[0].packet, {});
}

int Input::each_in_document(const std::function<bool(const Item&)>& use) {
    if (!document_) {
        say_no_document();
        return refused;
    }
    for (const SaveItem& item : document_->items())
        if (!use({skip_ + item.offset, item.number,
                  item_label(*document_kind_, item.number, item.key), item.packet, item.key, false,
                  document_kind_->made}))
            break;
    return fine;
}

std::string Input::in_text(const Error& error) const {
    const std::string_view text(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    Error in_whole = error;
    in_whole.offset += skip_;
    return to_string(in_whole, text);
}

void Input::say_no_document() const {
    if (!no_document_ || quiet_)
        return;
    if (!is_text())
        return complain(skip_ + no_document_->offset, *no_document_);
    say(name_ + ":" + in_text(*no_document_));
}

int Input::rewind() {
    if (auto done = source().rewind(); !done)
        return failed(done.error());
    records_.emplace(source(), kind_ == InputKind::records_be ? ByteOrder::big : ByteOrder::little,
                     std::min<std::uint64_t>(options_.most_held(!layers().empty()), 0x7FFF'FFFF));
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
        (void)broken_record(broken_->error, whole_length);
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
            say(name_ + ":" + hex(record.error().error.offset) + ": #" + std::to_string(number_) +
                ": " + too_much(options_.most_held(!layers().empty()), "the record is") +
                header_in_words());
        return std::nullopt;
    }
    if (!*record)
        return std::nullopt;
    const std::size_t i = number_++;
    return Item{(*record)->offset + 4, i, "#" + std::to_string(i) + " ", (*record)->packet};
}

int Input::each_record(const std::function<bool(const Item&)>& use, Tail tail) {
    behind_.clear();
    int exit = rewind();
    if (exit != fine)
        return exit;
    Progress progress(name_, size_);
    while (const auto item = step(exit)) {
        progress.at(records_->position());
        if (!use(*item))
            break;
    }
    size_ = std::max(size_, records_->position());
    if (!broken_)
        return exit;
    // `use` also gets the readable part of the record in which the file ends.
    bool whole_length = false;
    if (const auto part = broken_record(broken_->error, whole_length))
        use(*part);
    else if (tail == Tail::keep_all && !options_.strict && number_ && !bytes_.empty() &&
             bytes_.size() < least_record && exit == refused) {
        behind_ = bytes_;
        return fine;
    }
    say_broken(*broken_, whole_length);
    return exit;
}

void Input::complain(const Item& item, const Error& error, const DecodeOptions& options) const {
    complain(item, error.code, [&] {
        // A path of a thousand steps is cut to its ends.
        std::string line = place(item, error.offset) +
                           shortened_path(error_path(item.packet, options, error), 300) + ": " +
                           to_string(error);
        if (error.code == Errc::objects_forbidden)
            line += "; --objects takes it, as data";
        return line;
    });
}

void Input::complain(const Item& item, Errc code, const std::function<std::string()>& line) const {
    if (quiet_)
        return;
    const std::string_view label = item.label;
    complaints_.add("error[" + std::string(error_name(code)) + "]",
                    label.empty() ? "$" : std::string(label.substr(0, label.size() - 1)), line);
}

std::string Input::place(const Item& item, std::uint64_t offset) const {
    const std::string at = item.made ? "" : ":" + hex(item.offset + offset);
    return name_ + at + ": " + item.label;
}

void Input::complain(std::uint64_t offset, const Error& error) const {
    if (quiet_)
        return;
    say(name_ + ":" + hex(offset) + ": " + to_string(error));
}

}  // namespace gdvar::app
