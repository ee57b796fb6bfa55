#include "gdvar/file/open_layers.hpp"
#include "gdvar/file/convert_layers.hpp"

#include <algorithm>
#include <new>

#include "base/exceptions.hpp"
#include "file/documents/loaded_document.hpp"
#include "file/layers/break_source.hpp"
#include "file/layers/layer_rows.hpp"
#include "file/layers/value_layer.hpp"
#include "gdvar/file/archive.hpp"
#include "gdvar/file/text_readings.hpp"

namespace gdvar {
namespace {

constexpr std::size_t most_layers = 8;  ///< the message says so, too

using Done = std::expected<void, FileError>;

class Search {
public:
    explicit Search(std::unique_ptr<Source> file, const SaveOptions& options) : options_(options) {
        out.sources.push_back(std::move(file));
        out.skip = options.skip;
        out.most_text = std::max(options.max_text, out.sources.front()->size().value_or(0));
    }
    OpenLayers out;

    Done run() {
        while (!finished_) {
            const Done done = step();
            if (done)
                continue;
            // The contents of a value are not certain if they can't be opened.
            if (!marks_.empty() && is_data_error(done.error())) {
                out.locked = out.locked || done.error().code == Errc::bad_key;
                go_back("it can't be opened: " + to_string(done.error()));
                continue;
            }
            if (!is_data_error(done.error()) || out.layers.size() < options_.layers)
                return done;
            finished_ = true;
        }
        if (out.layers.size() > options_.layers)
            close_to(options_.layers);
        return {};
    }

private:
    /// One level of the search: the contents of so many layers.
    struct Level {
        InputKind kind;
        std::vector<Reading> readings;
        std::size_t findings;  ///< up to this one
        Finding finding;
    };
    /// So many layers are certain; what was opened inside need not be a layer.
    struct Mark {
        std::size_t layers;
        std::string what;  ///< that was opened
    };

    Done step();
    Done look();
    Done look_again();
    Done find(bool printed_bytes);
    Done open_layer();
    Done open_value(OpenedValue value);
    Done at_document();
    Done at_archive();
    Done open_entry(const std::string* name);
    std::expected<bool, FileError> try_value();
    std::expected<bool, FileError> try_digits();
    std::expected<bool, FileError> is_certain();
    void close_to(std::size_t layers);
    void go_back(const std::string& why);
    Done check_depth() const {
        return out.layers.size() < most_layers
                   ? Done()
                   : refuse(Error{Errc::depth_limit}.about_reason("there are more than 8 layers"));
    }
    std::expected<void, FileError> add_texts(const RecogniseOptions& how,
                                             std::vector<Reading>& readings);
    /// With the limit of texts here, and what the layers around show.
    SaveOptions here() const {
        SaveOptions out_here = options_;
        if (const auto known = written_by_godot_4(out.layers))
            out_here.godot_4 = known;
        out_here.max_text = out.layers.empty() ? options_.most_held() : out.most_text;
        return out_here;
    }
    std::uint64_t skip() const noexcept { return out.layers.empty() ? options_.skip : 0; }
    bool in_text_or_value() const {
        return !out.layers.empty() &&
               (out.layers.back().kind->is_text() || out.layers.back().kind->is_value());
    }
    InputKind chosen() const;
    void take_forced();
    void close_text();
    void take_named();
    void push(Layer layer, std::unique_ptr<Source> inside);

    const SaveOptions& options_;
    std::vector<Level> levels_;  ///< one more than layers
    std::vector<Mark> marks_;    ///< not certain yet, the outermost first
    std::size_t inside_ = 0;     ///< of `options_.inside`, those that are opened
    std::size_t entry_ = 0;      ///< of `options_.entries`, those that are opened
    bool looked_ = false;        ///< at what the innermost layer holds
    bool tried_ = false;         ///< whether the document is one that holds another
    bool forced_ = false;        ///< the layer that `as` names is open
    bool named_fits_ = false;    ///< the innermost layer holds what `as` names
    bool looked_again_ = false;
    bool finished_ = false;
};

/// The kind to read bytes as. Bare packets come as text and values; records only if it is no
/// packet.
InputKind Search::chosen() const {
    if (out.readings.empty())
        return InputKind::unknown;
    if (in_text_or_value())
        for (const Reading& reading : out.readings)
            if (reading.kind == InputKind::packet && reading.whole)
                return reading.kind;
    return out.readings[0].kind;
}

/// The caller's kind counts where no layer is recognised.
void Search::take_forced() {
    if (options_.as == InputKind::unknown)
        return;
    if (is_archive(out.kind) && entry_ < options_.entries.size())
        return;
    const bool layer = find_layer_kind(options_.as) != nullptr;
    if (const LayerKind* found = find_layer_kind(out.kind)) {
        forced_ = forced_ || (layer && found->seen_as == options_.as);
        return;
    }
    if (layer && forced_)
        return;
    forced_ = layer;
    take_named();
}

void Search::take_named() {
    out.kind = options_.as;
    out.readings = {{.kind = out.kind, .reason = "it is said to be so"}};
}

/// A length and a text may be a packet or records, too. If the caller says that they are, and no
/// such thing is in the text, the layer is closed again.
void Search::close_text() {
    const DocumentKind* named = find_document_kind(options_.as);
    if (!named || named->text || named_fits_ || out.layers.empty() ||
        out.layers.back().kind->seen_as != InputKind::pascal)
        return;
    close_to(out.layers.size() - 1);
    Finding& finding = out.findings.back();
    finding.ruled_out.push_back({.kind = out.kind, .reason = finding.reason});
    take_named();
    finding.kind = out.kind;
    finding.reason = out.readings[0].reason;
}

/// Limits how much of a text in a layer is read: a small file can't take all memory.
Done Search::add_texts(const RecogniseOptions& how, std::vector<Reading>& readings) {
    out.text_too_large = false;
    out.loaded.reset();
    if (out.layers.empty())
        return add_text_readings(out.inside(), how, readings, &out.loaded);
    RecogniseOptions less = how;
    less.max_load = std::min(how.max_load, out.most_text);
    less.max_values = most_values(out.most_text);
    const bool text = !readings.empty() && readings[0].text;
    const std::size_t before = readings.size() + (how.ruled_out ? how.ruled_out->size() : 0);
    auto done = add_text_readings(out.inside(), less, readings, &out.loaded);
    const std::size_t after = readings.size() + (how.ruled_out ? how.ruled_out->size() : 0);
    out.text_too_large = text && done && before == after;
    return done;
}

/// Looks at what the innermost layer holds. A text that prints bytes and is a document, too, is
/// that one where `as` names it, or where no layer is to be opened.
Done Search::look() {
    const Done done = find(true);
    if (!done || out.kind != InputKind::byte_text)
        return done;
    const DocumentKind* named = find_document_kind(options_.as);
    return (named && named->text) || out.layers.size() >= options_.layers ? look_again() : done;
}

/// Looks again, for a document in place of printed bytes. Without one all stays as it was.
Done Search::look_again() {
    looked_again_ = true;
    const Level bytes = std::move(levels_.back());
    levels_.pop_back();
    out.findings.pop_back();
    if (auto done = find(false); !done)
        return done;
    const bool named = find_document_kind(options_.as) != nullptr;
    if (find_document_kind(out.kind) && (!named || named_fits_)) {
        out.findings.back().ruled_out.push_back(
            {.kind = bytes.kind, .reason = bytes.finding.reason + ", but it is a text, too"});
        return {};
    }
    levels_.back() = bytes;
    close_to(out.layers.size());
    return {};
}

Done Search::find(bool printed_bytes) {
    const bool all = options_.all_readings || !printed_bytes || in_text_or_value();
    Finding finding;
    const RecogniseOptions how{
        .skip = skip(),
        .max_load = options_.most_held(),
        .all = all,
        .at_end = out.layers.empty() || out.layers.back().kind->is_archive(),
        .packets_as_text = out.layers.empty() || out.layers.back().kind->is_value(),
        .printed_bytes = printed_bytes,
        .ruled_out = &finding.ruled_out};
    auto readings = recognise(out.inside(), how);
    if (!readings)
        return std::unexpected(readings.error());
    if (auto texts = add_texts(how, *readings); !texts)
        return texts;
    out.readings = *std::move(readings);
    out.kind = chosen();
    named_fits_ =
        std::ranges::find(out.readings, options_.as, &Reading::kind) != out.readings.end();
    take_forced();
    if (out.loaded && out.loaded->document->kind().seen_as != out.kind)
        out.loaded.reset();
    finding.kind = out.kind;
    for (const Reading& reading : out.readings) {
        if (reading.kind == out.kind && finding.reason.empty())
            finding.reason = reading.reason;
        else
            finding.others.push_back(reading);
    }
    out.findings.push_back(finding);
    levels_.push_back({out.kind, out.readings, out.findings.size(), std::move(finding)});
    looked_ = true;
    tried_ = false;
    return {};
}

void Search::push(Layer layer, std::unique_ptr<Source> inside) {
    if (options_.up_to_break && !dynamic_cast<BreakSource*>(inside.get()))
        inside = std::make_unique<BreakSource>(std::move(inside));
    out.layers.push_back(std::move(layer));
    out.sources.push_back(std::move(inside));
    out.loaded.reset();
    looked_ = false;
}

Done Search::open_layer() {
    if (auto room = check_depth(); !room)
        return room;
    SaveOptions here = options_;
    here.skip = skip();
    Layer layer;
    layer.kind = find_layer_kind(out.kind);
    auto inner = layer.kind->open(out.inside(), here, layer);
    if (!inner)
        return std::unexpected(inner.error());
    push(std::move(layer), *std::move(inner));
    return {};
}

Done Search::open_value(OpenedValue value) {
    if (auto room = check_depth(); !room)
        return room;
    out.findings.push_back({.kind = InputKind::unknown, .reason = std::move(value.reason)});
    push(std::move(value.layer), std::move(value.inside));
    return {};
}

/// Whether what was found in a value is a document, and came about by no chance.
std::expected<bool, FileError> Search::is_certain() {
    const DocumentKind* kind = find_document_kind(out.kind);
    if (!kind || out.readings.empty() || !out.readings[0].whole)
        return false;
    // Project settings and binary resources have a magic.
    if (kind->named || (kind->made && !kind->text))
        return true;
    return holds_containers(out.inside(), out.kind, here());
}

/// Closes what is inside of so many layers. All is as it was found there.
void Search::close_to(std::size_t layers) {
    out.loaded.reset();
    // The innermost source borrows from the others.
    while (out.layers.size() > layers) {
        out.layers.pop_back();
        out.sources.pop_back();
    }
    levels_.resize(layers + 1);
    const Level& level = levels_.back();
    out.findings.resize(level.findings);
    out.findings.back() = level.finding;
    out.kind = level.kind;
    out.readings = level.readings;
}

/// Closes what was opened inside of the last mark.
void Search::go_back(const std::string& why) {
    const Mark mark = std::move(marks_.back());
    marks_.pop_back();
    close_to(mark.layers);
    Finding& finding = levels_.back().finding;
    finding.ruled_out.push_back({.kind = InputKind::unknown, .reason = mark.what + ", but " + why});
    out.findings.back() = finding;
    looked_ = true;
    tried_ = true;
}

/// Opens the only value of the document, to see whether it holds another one.
std::expected<bool, FileError> Search::try_value() {
    const bool named = options_.as != InputKind::unknown && !find_layer_kind(options_.as);
    if (!options_.values || named)
        return false;
    // A text that is no more than a String is no document by itself.
    const bool text = !out.readings.empty() && out.readings[0].text;
    const InputKind readings[] = {text ? InputKind::json : out.kind, InputKind::text};
    for (const InputKind kind : std::span(readings).first(text ? 2 : 1)) {
        auto value = open_only_value(out.inside(), kind, skip(), here());
        if (!value)
            return std::unexpected(value.error());
        if (!*value)
            continue;
        marks_.push_back({out.layers.size(), (*value)->reason});
        if (text)
            out.findings.back() = {.kind = kind, .reason = "a String as text"};
        if (auto done = open_value(**std::move(value)); !done)
            return std::unexpected(done.error());
        return true;
    }
    return false;
}

/// Opens a text that may be hex or Base64 of another text.
std::expected<bool, FileError> Search::try_digits() {
    if (out.kind != InputKind::foreign)
        return false;
    for (const Reading& reading : out.readings) {
        const LayerKind* kind = find_layer_kind(reading.kind);
        if (!kind || !kind->is_text())
            continue;
        marks_.push_back({out.layers.size(), reading.reason});
        out.kind = reading.kind;
        out.findings.back() = {.kind = reading.kind, .reason = reading.reason};
        if (auto done = open_layer(); !done)
            return std::unexpected(done.error());
        return true;
    }
    return false;
}

/// Opens a file of the archive. Null: its only one, if it has one. Where it has several, the search
/// ends.
Done Search::open_entry(const std::string* name) {
    if (auto room = check_depth(); !room)
        return room;
    SaveOptions here = options_;
    here.skip = skip();
    const auto archive = open_archive(out.inside(), out.kind, here);
    if (!archive)
        return std::unexpected(archive.error());
    Finding& finding = out.findings.back();
    finding.reason += ": " + (*archive)->description();
    if (!name && (*archive)->entries().size() != 1) {
        finished_ = true;
        return {};
    }
    const auto number = name ? (*archive)->find(*name) : 0;
    if (!number)
        return refuse(number.error());
    auto inside = (*archive)->open(*number);
    if (!inside)
        return std::unexpected(inside.error());
    Layer layer;
    layer.kind = archive_layer_kind(out.kind);
    layer.entry = (*archive)->entries()[*number].name;
    if (!layer.entry.empty())
        finding.reason += ", of which " + layer.entry + " is opened";
    push(std::move(layer), *std::move(inside));
    return {};
}

/// Files are opened by name. Contents of a value have no name, so they are no archive.
Done Search::at_archive() {
    if (entry_ < options_.entries.size())
        return open_entry(&options_.entries[entry_++]);
    if (!marks_.empty()) {
        go_back("what it holds is no document");
        return {};
    }
    if (out.kind == InputKind::browser_files && options_.only_entry)
        return open_entry(nullptr);
    finished_ = true;
    return {};
}

/// The document is found, unless it is no more than a value that holds another one.
Done Search::at_document() {
    close_text();
    if (!marks_.empty()) {
        const auto certain = is_certain();
        if (!certain)
            return std::unexpected(certain.error());
        if (*certain)
            marks_.clear();
    }
    if (!tried_) {
        tried_ = true;
        for (const auto attempt : {&Search::try_value, &Search::try_digits}) {
            const auto goes_on = (this->*attempt)();
            if (!goes_on)
                return std::unexpected(goes_on.error());
            if (*goes_on)
                return {};
        }
    }
    if (!marks_.empty()) {
        go_back("what it holds is no certain document");
        return {};
    }
    if (inside_ < options_.inside.size()) {
        const std::string& path = options_.inside[inside_++];
        auto value = open_value_at(out.inside(), out.kind, skip(), path, here());
        return value ? open_value(*std::move(value)) : std::unexpected(value.error());
    }
    if (entry_ < options_.entries.size())
        return refuse(Error{Errc::bad_path}.about_reason(
            "a file is named, but this is neither a pack nor the files of a browser"));
    // Printed bytes of nothing that is known: perhaps only numbers.
    const auto printed = std::ranges::find(out.layers, InputKind::byte_text,
                                           [](const Layer& layer) { return layer.kind->seen_as; });
    if (!find_document_kind(out.kind) && printed != out.layers.end() && !looked_again_) {
        close_to(static_cast<std::size_t>(printed - out.layers.begin()));
        return look_again();
    }
    finished_ = true;
    return {};
}

Done Search::step() {
    if (!looked_)
        return look();
    if (is_archive(out.kind))
        return at_archive();
    return find_layer_kind(out.kind) ? open_layer() : at_document();
}

}  // namespace

std::optional<OpenLayers::Fault> OpenLayers::broken() const {
    for (std::size_t i = 0; i < layers.size(); ++i)
        if (const auto* source = dynamic_cast<const BreakSource*>(sources[i + 1].get());
            source && source->broken())
            return Fault{.layer = i, .error = *source->broken()};
    return std::nullopt;
}

std::optional<OpenLayers::Fault> OpenLayers::trailing() const {
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Source* source = sources[i + 1].get();
        if (const auto* broken = dynamic_cast<const BreakSource*>(source))
            source = &broken->layer();
        if (const auto* container = dynamic_cast<const ContainerSource*>(source);
            container && container->trailing())
            return Fault{.layer = i, .behind = container->trailing()};
    }
    return std::nullopt;
}

std::expected<OpenLayers, LayersError> open_layers(std::unique_ptr<Source> file,
                                                   const SaveOptions& options) {
    Search search(std::move(file), options);
    FileError error;
    GDVAR_TRY {
        const Done done = search.run();
        if (done)
            return std::move(search.out);
        error = done.error();
    }
    GDVAR_CATCH_NO_MEMORY(error = Error{Errc::no_memory})
    return std::unexpected(LayersError{error, std::move(search.out)});
}

}  // namespace gdvar
