#include "gdvar/inspect/convert.hpp"

#include <filesystem>

#include "command.hpp"
#include "gdvar/file/convert_layers.hpp"
#include "gdvar/file/project_settings.hpp"
#include "gdvar/file/sections.hpp"
#include "gdvar/inspect/written.hpp"
#include "input/files.hpp"
#include "input/input.hpp"
#include "output/notes.hpp"
#include "output/packet_output.hpp"
#include "output/printable.hpp"

namespace gdvar::app::commands::convert {
namespace {

struct Options : InputOptions, PacketOptions, FilesOptions {
    Options() { container.clear(); }  // no layers given: they follow the dialect

    bool layers_follow = false;
    std::optional<std::uint64_t> to_real_width;  ///< default: real_width
    std::string to_dialect, renames_file, output_dir;
    bool lossy = false, no_renames = false;

    std::uint8_t written_width() const {
        return static_cast<std::uint8_t>(to_real_width.value_or(real_width));
    }
    std::vector<std::string> other_files() const {
        std::vector<std::string> out = secret_files();
        out.push_back(renames_file);
        return out;
    }
};

void declare(Arguments& arguments, Options& options) {
    add_reading_files(arguments, options, options, options);
    add_dialect(arguments, options.dialect, "--from,--dialect");
    arguments.option("--to", options.to_dialect, "the target dialect")
        .required()
        .value(dialect_value);
    arguments
        .option("--to-real-width", options.to_real_width,
                "the same for the target alone; default: as --real-width")
        .one_of_numbers({4, 8});
    arguments.flag("--lossy", options.lossy, "substitute what the target can't express");
    auto file = arguments.option("--renames", options.renames_file,
                                 "a file of names of classes and properties that changed");
    arguments.flag("--no-renames", options.no_renames, "leave the names of classes and properties")
        .excludes(file);
    add_kept_frame(arguments, options, true);
    add_container(arguments, options, true,
                  "layers of the result, the outermost first: 'base64 > gdec-4'; default: the "
                  "input's own, as the target's engines read them");
    arguments.option("--output-dir", options.output_dir,
                     "write each file into this folder, under its own name; it is made if needed");
}

/// The table of names: gdvar's own, overlaid by the user's file, or none.
std::optional<Renames> renames_of(const Options& options, int& exit) {
    Renames out = options.no_renames ? Renames() : Renames::godot_3_to_4();
    if (options.renames_file.empty())
        return out;
    auto source = FileSource::open(options.renames_file);
    const auto bytes = source ? read_all(*source, 1 << 24) : std::unexpected(source.error());
    if (!bytes) {
        exit = give_up(io_error, options.renames_file + ": " + in_words(bytes.error()));
        return std::nullopt;
    }
    const auto added = out.add({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    if (added)
        return out;
    exit = give_up(refused, options.renames_file + ":" + std::to_string(added.error().line) +
                                ": error[bad_syntax]: " + printable(added.error().what));
    return std::nullopt;
}

/// Names the sections that only some engines of the target read correctly. If the input was for
/// these engines, its own note named them.
void say_new_names(const Input& input, ByteView made, const Dialect& target) {
    const DocumentKind* kind = find_document_kind(input.kind());
    if (!kind || kind->seen_as != InputKind::config || input.dialect().family == target.family)
        return;
    const auto document = kind->open(*kind, made, {.dialect = &target});
    if (document && !(*document)->items().empty())
        say_section_names(input.name(), kind->seen_as, (*document)->dialect(),
                          (*document)->items()[0].packet, {});
}

/// With --verbose, says what is called otherwise there. `place`: what precedes its path.
std::function<void(const Rename&)> say_renames(const Options& options, const Input& input,
                                               const std::string& place) {
    if (!options.verbose)
        return {};
    return [before = input.name() + ": " + place](const Rename& rename) {
        say(before + rename.path + ": note: " + printable(rename.from) + " is called " +
            printable(rename.to) + " there");
    };
}

/// Whether something is lost that the user has not given up. Says so.
bool loses(const Options& options, const std::string& name, const Losses& losses,
           const Dialect& target) {
    if (losses.empty() || options.lossy)
        return false;
    say((options.several ? name : "gdvar") + ": " + counted(losses.count(), "value") +
        " can't be expressed in " + std::string(target.name) + "; " +
        (options.several ? "it was not" : "nothing was") + " written (--lossy substitutes)");
    return true;
}

int convert_text(const Options& options, Input& input, const Dialect& target,
                 const Renames& renames, LossReport& losses, PacketOutput& out) {
    int worst = fine;
    const int exit =
        input.each([&](const Item&) { return true; }, options.lossy ? Tail::say : Tail::refuse);
    if (exit != fine)
        return exit;
    LossReport notes(options.verbose);
    notes.at(input.name(), "$");
    losses.at(input.name(), "$");
    ConversionReport report{.losses = losses.losses,
                            .renamed = say_renames(options, input, ""),
                            .notes = &notes.losses};
    const auto done = input.document()->convert(target, renames, report);
    if (!done) {
        const DocumentError& why = done.error();
        return give_up(refused, input.name() + ": " + (why.path.empty() ? "" : why.path + ": ") +
                                    in_words(why.error));
    }
    if (!std::ranges::equal(ByteView(*done), input.content()))
        out.differs();
    if (losses.losses.empty() || options.lossy)
        worst = out.document(*done);
    notes.say_all();
    say_new_names(input, *done, target);
    return worst;
}

/// The layers in the form that the target's engines read, with a note of each change. Nothing after
/// a message.
std::optional<ConvertedLayers> following(const Options& options, const Input& input,
                                         const EncodeOptions& to, const Renames& renames,
                                         LossReport& losses) {
    losses.at(input.name(), "around the value: $");
    ConversionReport report{.losses = losses.losses,
                            .renamed = say_renames(options, input, "around the value: ")};
    auto done = convert_layers(input.layers(), to, renames, report);
    if (done)
        return *std::move(done);
    say(input.name() + ": around the value: " + in_words(done.error().error));
    return std::nullopt;
}

/// Notes on the user's layers that the target's engines can't read.
std::vector<LayerNote> unfit(std::span<const Layer> layers, const Dialect& target) {
    std::vector<LayerNote> out;
    const LayerKind& encryption = encryption_of(target);
    for (const Layer& layer : layers) {
        if (layer.kind->encrypts && layer.kind != &encryption)
            out.push_back({.what = std::string(target.name) + "'s engines read " +
                                   std::string(encryption.name)});
        if (layer.place && layer.place->dialect && layer.place->dialect != &target)
            out.push_back({.what = "the " + std::string(input_kind_name(layer.place->document)) +
                                   " around the value stay " +
                                   std::string(layer.place->dialect->name) + "'s"});
    }
    return out;
}

/// Notes that a text is taken as the target's own, but may be another engine's.
void say_doubt(const Input& input, const Options& options, const Dialect& target) {
    if (options.dialect == "auto" && input.is_text() && input.guess().ambiguous &&
        input.dialect().family == target.family)
        say(input.name() + ": note: nothing in it shows which engine wrote it; taken as " +
            std::string(input.dialect().name) + ", so it stays as it is (--from)");
}

/// Converts the settings of project.godot to project.binary, or back. Returns an exit code.
int convert_settings(const Options& options, Input& input, InputKind frame, const Dialect& target,
                     const Renames& renames) {
    const bool to_text = frame == InputKind::config;
    const EncodeOptions to{.dialect = to_text ? &sections_dialect(target) : &target,
                           .allow_objects = true};
    LossReport losses(options.verbose), notes(options.verbose);
    notes.at(input.name(), "$");
    ConversionReport report{.losses = losses.losses, .notes = &notes.losses};
    int exit = fine, worst = fine;
    PacketOutput out(options, options, InputKind::packet, input.layers(), exit);
    if (exit != fine)
        return exit;
    out.made_like(nullptr, target);
    const auto complain = [&](const std::string& name, const Error& error) {
        say(input.name() + ": " + name + in_words(error));
        return worst = refused;
    };
    std::vector<ProjectSetting> settings;
    const auto add = [&](const std::string& name, ByteView packet, const DecodeOptions& from) {
        losses.at(input.name(), name + " $");
        auto value = convert_setting(packet, from, to, to_text, renames, report);
        if (!value)
            return complain(name + " ", value.error());
        settings.push_back({name, *std::move(value)});
        return +fine;
    };
    exit = input.each(
        [&](const Item& item) {
            if (to_text)
                return add(std::string(setting_name(item.key)), item.packet, input.decoding()) ==
                       fine;
            const auto config = decode(item.packet, input.decoding());
            const auto named = config ? settings_of_config(*config, &notes.losses)
                                      : std::unexpected(config.error());
            if (!named)
                return complain("", named.error()) == fine;
            const DecodeOptions from{.dialect = &input.dialect(), .allow_objects = true};
            for (const ProjectSetting& setting : *named) {
                const auto packet =
                    encode(setting.value, {.dialect = from.dialect, .allow_objects = true});
                if (!packet)
                    return complain(setting.name + " ", packet.error()) == fine;
                if (add(setting.name, as_bytes(*packet), from) != fine)
                    return false;
            }
            return true;
        },
        options.lossy ? Tail::say : Tail::refuse);
    notes.say_all();
    losses.say_all();
    if (exit != fine || worst != fine)
        return exit != fine ? exit : worst;
    if (loses(options, input.name(), losses.losses, target))
        return refused;
    if (to_text) {
        auto whole = config_of_settings(settings, target.family);
        if (!whole)
            return complain("", whole.error());
        settings.clear();
        settings.push_back({{}, *std::move(whole)});
    }
    for (const ProjectSetting& setting : settings) {
        const auto packet = encode(setting.value, to);
        if (!packet)
            return complain(setting.name + " ", packet.error());
        if (exit = out.packet(as_bytes(*packet), setting.name); exit != fine)
            return exit;
    }
    return out.finish();
}

int convert_file(const Options& options, const Dialect* target, const Renames& renames) {
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    const InputKind frame = frame_of(options, input->kind());
    const bool settings = input->kind() == InputKind::config || input->kind() == InputKind::project;
    if (settings && frame != input->kind() &&
        (frame == InputKind::project || frame == InputKind::config))
        return convert_settings(options, *input, frame, *target, renames);
    if (!settings && frame == InputKind::project)
        return give_up(refused, input->name() + ": error[wrong_type]: this is " +
                                    std::string(input_kind_name(input->kind())) +
                                    "; settings come from a ConfigFile (project.godot, engine.cfg) "
                                    "or from project.binary");
    say_doubt(*input, options, *target);
    const DecodeOptions from = input->decoding();
    const EncodeOptions to{
        .dialect = target, .allow_objects = options.objects, .real_width = options.written_width()};
    LossReport losses(options.verbose);
    ConvertedLayers layers{input->layers(), {}};
    if (options.layers_follow) {
        auto others = following(options, *input, to, renames, losses);
        if (!others)
            return refused;
        layers = *std::move(others);
    }
    PacketOutput out(options, options, input->kind(), layers.layers, exit);
    out.replaces(input->found());
    out.keeps_sums(from, to, options.finding());
    if (exit != fine)
        return exit;
    if (!options.layers_follow)
        layers.notes = unfit(out.layers(), *target);
    if (std::ranges::any_of(layers.notes, &LayerNote::changed))
        out.differs();
    ConversionReport report{losses.losses};
    int worst = fine;
    const bool as_text = input->is_text() && out.frame() == input->kind();
    if (as_text)
        exit = convert_text(options, *input, *target, renames, losses, out);
    const auto convert_item = [&](const Item& item) {
        losses.at(input->name(), item.label + "$");
        report.renamed = say_renames(options, *input, item.label);
        auto done = inspect::convert(item.packet, from, to, renames, &report);
        if (!done) {
            input->complain(item, done.error(), from);
            worst = refused;
            return true;
        }
        // The result replaces a file only if its engine could have written it.
        if (const auto sound = make_strict(*done, to, &report); !sound) {
            input->complain(item, sound.error().code, [&] {
                return input->name() + ": " + item.label +
                       in_words(as_bytes(done->bytes), to, sound.error());
            });
            worst = refused;
            return true;
        }
        if ((!losses.losses.empty() && !options.lossy) || worst != fine)
            return true;
        if (!std::ranges::equal(as_bytes(done->bytes), item.packet))
            out.differs();
        worst = out.packet(as_bytes(done->bytes), item.key, item.number, item.packet);
        return true;
    };
    if (!as_text)
        exit = input->each(convert_item, options.lossy ? Tail::say : Tail::refuse);
    losses.say_all();
    if (exit == fine && loses(options, input->name(), losses.losses, *target))
        return refused;
    if (exit != fine || worst != fine)
        return exit != fine ? exit : worst;
    for (const LayerNote& note : layers.notes)
        say((options.several ? input->name() : "gdvar") + ": note: " + note.what +
            (note.changed ? "; --container keep keeps it" : "; see --container"));
    return out.finish();
}

/// --real-width applies to both sides, as far as they are page dialects; --to-real-width to one.
int settle_widths(const Options& options) {
    if (options.to_real_width)
        if (const int exit =
                settle_real_width(options.written_width(), {options.to_dialect}, "--to-real-width"))
            return exit;
    if (options.to_real_width)
        return settle_real_width(options.real_width, {options.dialect});
    return settle_real_width(options.real_width, {options.dialect, options.to_dialect});
}

int run(Options& options) {
    if (const int exit = settle_widths(options))
        return exit;
    const Dialect* target = dialect_named(options.to_dialect);
    if (!target)
        return usage;
    options.layers_follow = options.container.empty();
    if (options.layers_follow)
        options.container = "keep";
    int exit = fine;
    const auto renames = renames_of(options, exit);
    if (!renames)
        return exit;
    const auto files = list_files(options, exit, options.output_dir);
    if (!files)
        return exit;
    const std::vector<std::string> others = options.other_files();
    if (options.output_dir.empty()) {
        if (files->several)
            return give_up(usage, "gdvar: several files need --output-dir DIR");
        options.file = files->all.front().path;
        exit = settle_output(options, {{options.file}, others}, Rewrites::to_output);
        return exit != fine ? exit : convert_file(options, target, *renames);
    }
    if (!options.output_file.empty() || !options.backup.empty())
        return give_up(usage, "gdvar: --output-dir excludes -o and --backup");
    const auto outputs = outputs_in(options.output_dir, *files, others, exit);
    if (!outputs)
        return exit;
    const std::string folder =
        std::filesystem::path(options.output_dir).lexically_normal().generic_string();
    Output nothing(options);
    return each_file(*files, options.jobs, options, nothing, [&](const InputFile& file, Output&) {
        Options one = options;
        one.file = file.path;
        one.several = files->several;
        made_of(one, {file.path});
        one.output_file = (*outputs)[static_cast<std::size_t>(&file - files->all.data())];
        one.within = folder;
        const int made = make_folder(folder);
        return made != fine ? made : convert_file(one, target, *renames);
    });
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "convert",
         .does = "rewrites values from one dialect to another",
         .examples = "gdvar convert --to godot4 old.save -o new.save\n"
                     "gdvar convert --from godot4 --to godot3 --lossy game.save -o for3.save\n"
                     "gdvar convert --to godot4 --password-file pass.txt old.save -o new.save"},
        declare, run);
}

}  // namespace gdvar::app::commands::convert
