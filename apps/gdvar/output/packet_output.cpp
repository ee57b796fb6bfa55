#include "output/packet_output.hpp"

#include "output/notes.hpp"
#include "output/printable.hpp"

namespace gdvar::app {

int write_out(Source& from, const OutputOptions& options, const SourceOptions& source) {
    Output out(options);
    if (options.output_form != "binary") {
        const std::uint64_t most = source.most_held(true);
        auto all = from.size().value_or(0) > most
                       ? std::unexpected(FileError(Error{Errc::size_limit, Type::nil, most, 0}))
                       : read_all(from, most);
        if (!all) {
            const bool large = all.error().code == Errc::size_limit;
            say("gdvar: " + (large ? too_much(most) + ", the most that is written as hex or base64"
                                   : in_words(all.error())));
            return all.error().code == Errc::io ? io_error : refused;
        }
        out.binary(*all);
        return out.finish();
    }
    const int exit = each_piece(from, source, [&](ByteView part) {
        out.binary(part);
        return out.failed() ? io_error : fine;
    });
    return exit != fine ? exit : out.finish();
}

int refuse_terminal(const OutputOptions& options) {
    if (options.output_form != "binary" || !Output(options).is_terminal())
        return fine;
    return give_up(
        usage, "gdvar: binary output is not written to a terminal; use -o FILE or --output hex");
}

namespace {

constexpr std::size_t small = 1 << 12;  ///< more bytes are recognised by themselves

/// The layers of those names, with the password that opened one of the layers before.
std::vector<Layer> other_layers(const std::string& names, const std::vector<Layer>& before) {
    auto out = find_layers(names).value_or(std::vector<Layer>());
    for (const Layer& layer : before)
        for (Layer& other : out)
            if (layer.opened_with && !other.opened_with)
                other.opened_with = layer.opened_with;
    return out;
}

}  // namespace

PacketOutput::PacketOutput(const PacketOptions& options, const SourceOptions& source,
                           InputKind frame, std::vector<Layer> layers, int& exit)
    : options_(options),
      source_(source),
      frame_(frame_of(options, frame)),
      layers_(std::move(layers)),
      own_layers_(options.container == "keep"),
      own_frame_(frame_ == frame) {
    exit = fine;
    if (frame == InputKind::project && frame_ != frame) {
        exit = give_up(
            usage, "gdvar: settings have names, which --frame " + options.frame + " can't store");
        return;
    }
    // The content of a pack's entry is written as a separate file.
    while (has_archive(layers_)) {
        layers_.erase(layers_.begin());
        own_layers_ = false;
        if (same_file(options.output_file, source.file)) {
            exit = give_up(usage, options.output_file +
                                      ": the result would take the place of the whole pack or "
                                      "browser's export; write it to another file");
            return;
        }
    }
    if (options.container == "none")
        layers_.clear();
    else if (options.container != "keep")
        layers_ = other_layers(options.container, layers_);
    if (options.output_form != "binary" && !layers_.empty() && layers_.front().kind->is_text()) {
        layers_.erase(layers_.begin());
        own_layers_ = false;
    }
    if (layers_.empty() || !layers_.front().kind->is_text())
        exit = refuse_terminal(options);
    if (exit != fine)
        return;
    if (layers_.empty() && options.output_form == "binary") {
        direct_.emplace(options);
        if (!direct_->replaces())
            direct_.reset();
    }
    if (!needs_key(layers_))
        return;
    const auto key = source.key();
    exit = key ? fine : key.error();
    if (!key)
        return;
    key_ = *key;
    if (key_)
        return;
    exit = give_up(
        usage,
        "gdvar: error[bad_key]: encryption needs a key: use --password-file or --key-file (a "
        "passwords file only opens what is encrypted)");
}

int PacketOutput::failed(const FileError& error) {
    say("gdvar: " + in_words(error));
    return error.code == Errc::io ? io_error : refused;
}

void PacketOutput::keeps_sums(const DecodeOptions& before, const EncodeOptions& after,
                              const SaveOptions& layers) {
    sums_ = {.mend = options_.update_sums, .layers = layers};
    const DocumentKind* kind = find_document_kind(frame_);
    if (!kind)
        return;
    keeper_.emplace(*kind, SumOptions{.before = before,
                                      .after = {.dialect = after.dialect,
                                                .allow_objects = after.allow_objects || kind->made,
                                                .real_width = after.real_width},
                                      .layers = layers,
                                      .mend = options_.update_sums});
}

int PacketOutput::head(ByteView bytes) {
    // Its fields about the rest are known only at the end.
    direct_.reset();
    head_.insert(head_.end(), bytes.begin(), bytes.end());
    return fine;
}

/// True if the replaced file would stay unchanged.
bool PacketOutput::may_leave_alone() const noexcept {
    return before_ && !differs_ && options_.lock && own_layers_ && own_frame_ &&
           options_.output_form == "binary";
}

int PacketOutput::raw(ByteView bytes) {
    const int exit = flush_packets();
    return exit == fine ? store(bytes) : exit;
}

int PacketOutput::store(ByteView bytes) {
    if (!direct_) {
        const auto done = spool_.write(bytes);
        return done ? +fine : failed(done.error());
    }
    const ByteView start = bytes.first(std::min(bytes.size(), small - small_.size()));
    small_.insert(small_.end(), start.begin(), start.end());
    direct_->binary(bytes);
    return direct_->failed() ? io_error : fine;
}

bool PacketOutput::waits() const noexcept {
    const DocumentKind* kind = find_document_kind(frame_);
    return kind && (kind->made || kind->named);
}

int PacketOutput::packet(ByteView packet, std::string_view key, std::size_t number,
                         ByteView before) {
    values_ = true;
    const SaveItem item{.key = key, .packet = packet, .number = number};
    // A waiting document is compared as a whole.
    if (!keeper_ || waits())
        return put(item);
    keeper_->take(item, before, [&](const SaveItem& given) {
        worst_ = put(given);
        return worst_ == fine;
    });
    return worst_;
}

int PacketOutput::put(const SaveItem& item) {
    const ByteView packet = item.packet;
    if (waits()) {
        waiting_.push_back({std::string(item.key), {packet.begin(), packet.end()}, item.number});
        return fine;
    }
    if (frame_ == InputKind::packet && packets_++)
        return give_up(
            refused,
            source_.name() +
                ": error[trailing_bytes]: there are several values, and --frame packet holds one; "
                "--frame records or packets takes them all");
    if (frame_ == InputKind::records || frame_ == InputKind::records_be) {
        std::byte length[4];
        write_frame_length(length, static_cast<std::uint32_t>(packet.size()),
                           frame_ == InputKind::records_be ? ByteOrder::big : ByteOrder::little);
        if (const int exit = store(length); exit != fine)
            return exit;
    }
    return store(packet);
}

int PacketOutput::write_waiting() {
    std::vector<SaveItem> items;
    items.reserve(waiting_.size());
    for (const WaitingItem& item : waiting_)
        items.push_back({item.key, item.packet, 0, item.number});
    const DocumentKind& kind = *find_document_kind(frame_);
    const bool back = document_ && &document_->kind() == &kind;
    KeptItems kept;
    if (back && keeper_) {
        kept = keep_item_sums(*document_, items, keeper_->options().before,
                              keeper_->options().after, sums_);
        items = kept.items;
    }
    auto bytes = back ? document_->write(items) : kind.write(items, *dialect_);
    if (!bytes && bytes.error().error.code == Errc::unsupported_type && !back && like_ &&
        &like_->kind() == &kind)
        bytes = like_->write(items);
    if (bytes) {
        if (back)
            say_change_notes(source_.name(), *document_, items);
        if (!items.empty())
            say_section_names("gdvar", kind.seen_as, back ? document_->dialect() : dialect_,
                              items[0].packet, back ? document_->items()[0].packet : ByteView());
        return store(*bytes);
    }
    const DocumentError& why = bytes.error();
    if (why.path.empty())
        return failed(why.error);
    const std::string label =
        kind.several ? item_label(kind, why.item, items[why.item].key) : std::string();
    return give_up(refused, "gdvar: " + label + why.path + ": " + in_words(why.error));
}

void PacketOutput::note_written(Source& written) const {
    if (!values_ || written.size().value_or(small) >= small || sums_.layers.as == frame_ ||
        options_.output_form != "binary" || !written.rewind())
        return;
    const auto bytes = read_all(written, small);
    if (!bytes)
        return;
    SaveOptions how = sums_.layers;
    if (key_)
        how.key = *key_;
    how.skip = 0;
    how.entries.clear();
    note_kind(*bytes, layers_, frame_, how);
}

int PacketOutput::finish() {
    left_alone_ = may_leave_alone();
    if (left_alone_)
        return fine;
    if (const int exit = flush_packets(); exit != fine)
        return exit;
    if (waits() && !complete_)
        if (const int exit = write_waiting(); exit != fine)
            return exit;
    int exit = fine;
    if (direct_) {
        MemorySource written(small_);
        note_written(written);
        exit = direct_->finish();
    } else {
        exit = write_wrapped();
    }
    if (exit == fine)
        say_sums();
    return exit;
}

/// Writes the packets that the keeper has held back.
int PacketOutput::flush_packets() {
    if (keeper_)
        keeper_->finish([&](const SaveItem& given) {
            worst_ = put(given);
            return worst_ == fine;
        });
    return worst_;
}

int PacketOutput::write_wrapped() {
    Spool wrapped;
    if (!layers_.empty())
        if (auto done = write_layers(spool_, wrapped, layers_, key_ ? &*key_ : nullptr,
                                     own_layers_ ? before_ : nullptr, keeper_ ? &sums_ : nullptr);
            !done)
            return failed(done.error());
    Spool& rest = layers_.empty() ? spool_ : wrapped;
    note_written(rest);
    if (head_.empty()) {
        auto back = rest.rewind();
        return back ? write_out(rest, options_, source_) : failed(back.error());
    }
    if (keeper_ && before_)
        if (auto kept =
                keep_head_sums(head_, *before_->sources.front(), before_->skip, rest, sums_);
            !kept)
            return failed(kept.error());
    Spool all;
    auto put = all.write(head_);
    if (put)
        put = rest.rewind();
    if (put)
        if (auto copied = copy(rest, all); !copied)
            put = std::unexpected(copied.error());
    if (put)
        put = all.rewind();
    return put ? write_out(all, options_, source_) : failed(put.error());
}

void PacketOutput::say_sums() {
    if (!keeper_)
        return;
    const auto say_each = [&](const std::vector<StaleSum>& all) {
        for (const StaleSum& sum : all)
            say(source_.name() + ": " + (sum.mended ? "" : "note: ") + printable(to_string(sum)) +
                (sum.mended || sum.now.empty() || options_.update_sums
                     ? ""
                     : " (--update-sums changes it)"));
    };
    say_each(keeper_->stale());
    say_each(sums_.stale);
}

void note_kind(ByteView written, std::span<const Layer> layers, InputKind document,
               SaveOptions how) {
    std::size_t found_layers = 0;  // number of those found
    auto seen = InputKind::unknown;
    const auto is_opened_as = [&](InputKind as) {
        how.as = as;
        const auto opened = open_layers(std::make_unique<MemorySource>(written), how);
        const OpenLayers& found = opened ? *opened : opened.error().found;
        seen = found.kind;
        const auto same =
            std::ranges::mismatch(layers, found.layers, {}, &Layer::kind, &Layer::kind);
        found_layers = static_cast<std::size_t>(same.in1 - layers.begin());
        const bool inside = same.in2 != found.layers.end();  // the value's content
        return opened ? found_layers == layers.size() && (inside || seen == document)
                      : opened.error().error.code == Errc::bad_key;
    };
    if (is_opened_as(InputKind::unknown))
        return;
    std::string note = "gdvar: note: the result ";
    note += find_document_kind(seen) ? "looks like " + std::string(input_kind_name(seen))
                                     : "is not recognised by itself";
    const InputKind as =
        found_layers < layers.size() ? layers[found_layers].kind->seen_as : document;
    say(note +
        (is_opened_as(as) ? "; --as " + std::string(input_kind_name(as)) + " reads it" : ""));
}

}  // namespace gdvar::app
