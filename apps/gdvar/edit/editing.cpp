#include "edit/editing.hpp"

#include "gdvar/inspect/misstep.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/wire/validate.hpp"
#include "input/places.hpp"
#include "output/messages.hpp"

namespace gdvar::app {

std::unique_ptr<Input> open_to_change(const InputOptions& options, OutputOptions& output,
                                      int& exit) {
    auto input = Input::open(options, exit);
    if (!input)
        return nullptr;
    // What came as text goes back as text.
    for (const InputKind kind : {InputKind::hex, InputKind::base64})
        if (output.output_form == "binary" && !input->readings().empty() &&
            input->readings()[0].kind == kind)
            output.output_form = std::string(input_kind_name(kind));
    return input;
}

int copy_skipped(Input& input, PacketOutput& out) {
    if (!input.skipped())
        return fine;
    std::vector<std::byte> bytes(static_cast<std::size_t>(input.skipped()));
    if (!input.bytes().rewind())
        return io_error;
    std::size_t done = 0;
    while (done < bytes.size()) {
        auto n = input.bytes().read(std::span(bytes).subspan(done));
        if (!n || *n == 0)
            return io_error;
        done += *n;
    }
    return out.raw(bytes);
}

std::optional<Changed> refuse(const Input& input, const Item& item, const std::string& at,
                              const Error& error, const std::string& what) {
    say(input.place(item, error.offset) + at + ": error[" + std::string(error_name(error.code)) +
        "]: " + what);
    return std::nullopt;
}

std::optional<Changed> refuse_path(const Input& input, const Item& item, const std::string& path,
                                   const Error& error, const View& root) {
    if (const auto misstep = first_misstep(root, path))
        return refuse(input, item, misstep->at, misstep->error, to_string(*misstep));
    const std::string words = to_string(error);
    return refuse(input, item, path, error, words.substr(words.find("]: ") + 3));
}

EncodeOptions writing(const Input& input) {
    const DecodeOptions decoding = input.decoding();
    return {.dialect = decoding.dialect,
            .allow_objects = decoding.allow_objects,
            .real_width = decoding.real_width};
}

namespace {

/// Names the dialect that is used for a file that fits several.
void say_dialect(const Input& input, const InputOptions& options) {
    if (options.dialect != "auto" || !input.guess().ambiguous)
        return;
    std::string others;
    for (const Candidate& candidate : input.guess().candidates)
        if (candidate.fits && candidate.dialect != &input.dialect())
            others += (others.empty() ? "" : ", ") + std::string(candidate.dialect->name);
    say(input.name() + ": note: taken as " + std::string(input.dialect().name) +
        "; it could also be " + others + " (--dialect)");
}

/// Whether the engine accepts the changed packet as well as the old one. Prints a message if not.
bool is_no_worse(const Input& input, const Item& item, ByteView changed) {
    const EncodeOptions how = writing(input);
    const auto sound = check_edited(item.packet, changed, how);
    if (!sound)
        say(input.name() + ": " + item.label + in_words(changed, how, sound.error()));
    return sound.has_value();
}

/// Says that bytes outside of any value were kept.
void say_kept(const Input& input, std::size_t bytes, const std::string& what) {
    say(input.name() + ": note: " + bytes_in_words(bytes) + " after " + what +
        (bytes == 1 ? " was kept" : " were kept"));
}

}  // namespace

int change_one(EditOptions& options, const std::string& path, Whole whole, bool create,
               const Edit& edit) {
    int exit = fine;
    auto input = open_to_change(options, options, exit);
    if (!input)
        return exit;
    auto place = place_of(path, *input);
    if (!place)
        return usage;
    if (exit = settle(*place, *input); exit != fine)
        return exit;
    PacketOutput out(options, options, input->kind(), input->layers(), exit);
    if (exit == fine)
        exit = copy_skipped(*input, out);
    if (exit != fine)
        return exit;
    std::size_t changed = 0, seen = 0;
    int worst = fine;
    std::string done;
    std::size_t behind_value = 0;
    const auto write_changed = [&](const Item& item) {
        ++changed;
        if (whole == Whole::goes && is_setting(*place, *input)) {
            done = item.label + "removed";
            return true;
        }
        const auto made = edit(*input, item, place->path.to_string(), worst);
        if (!made) {
            worst = worst == fine ? refused : worst;
            return false;
        }
        if (!is_no_worse(*input, item, as_bytes(made->packet))) {
            worst = refused;
            return false;
        }
        done = item.label + made->done;
        const auto size = validate(item.packet, input->decoding());
        behind_value = size ? item.packet.size() - *size : 0;
        worst = out.packet(as_bytes(made->packet), item.key);
        return worst == fine;
    };
    const bool anywhere = !place->number && !place->name;
    exit = input->each(
        [&](const Item& item) {
            ++seen;
            if (is_at(*place, item) && (!anywhere || !changed))
                return write_changed(item);
            worst = out.packet(item.packet, item.key);
            return worst == fine;
        },
        Tail::keep_all);
    if (exit != fine || worst != fine)
        return exit != fine ? exit : worst;
    if (anywhere && seen > 1) {
        say(input->name() + ": the file has " + std::to_string(seen) +
            " records; name one, as in '#0 " + place->path.to_string() + "'");
        return usage;
    }
    if (!changed && whole == Whole::may_come && create && place->name &&
        is_setting(*place, *input)) {
        constexpr std::byte null[4]{};  // `edit` replaces this value
        if (!write_changed({0, seen, *place->name + ' ', null, *place->name}))
            return worst;
    }
    if (!changed)
        return nothing_there(*place, *input, seen, whole == Whole::may_come);
    if (whole == Whole::may_come)
        say_dialect(*input, options);
    const ByteView behind = input->behind_records();
    exit = out.raw(behind);
    if (exit == fine)
        exit = out.finish();
    if (exit == fine && behind_value)
        say_kept(*input, behind_value, "the value");
    if (exit == fine && !behind.empty())
        say_kept(*input, behind.size(), "the last record");
    if (exit == fine)
        say(input->name() + ": " + done);
    return exit;
}

}  // namespace gdvar::app
