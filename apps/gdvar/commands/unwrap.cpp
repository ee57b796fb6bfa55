#include "command.hpp"
#include "gdvar/file/archive.hpp"
#include "gdvar/file/open_layers.hpp"
#include "gdvar/file/save_document.hpp"
#include "options/input.hpp"
#include "output/packet_output.hpp"

namespace gdvar::app::commands::unwrap {
namespace {

struct Options : InputOptions, OutputOptions {
    std::string raw_mode;
    std::optional<std::uint64_t> raw_size;
};

void declare(Arguments& arguments, Options& options) {
    add_output(arguments, options);
    add_source(arguments, options);
    add_file(arguments, options);
    add_form(arguments, options);
    add_as(arguments, options, "what the input is; of layers, the one that has no magic");
    add_layers(arguments, options);
    arguments.option("--skip", options.skip, "bytes before the outermost layer");
    arguments
        .option("--raw", options.raw_mode, "a buffer of PackedByteArray.compress(), in this mode")
        .one_of({"fastlz", "deflate", "zstd", "gzip", "brotli"});
    arguments.option("--size", options.raw_size, "with --raw: the most bytes that come out");
}

int unwrap_raw(const Options& options, Source& source) {
    const auto mode = find_compression(options.raw_mode);
    const auto failed = [&](const FileError& error) {
        say(options.file + ": " +
            (error.code != Errc::size_limit ? in_words(error)
             : options.raw_size ? "error[size_limit]: the contents are larger than --size " +
                                      std::to_string(*options.raw_size)
                                : too_much(options.most_held(true), "the contents are")));
        return error.code == Errc::io ? io_error : refused;
    };
    auto all = read_all(source, options.most_held(false));
    if (!all)
        return failed(all.error());
    if (*mode == Compression::fastlz && !options.raw_size && !all->empty())
        return give_up(
            usage,
            options.file + ": FastLZ data does not hold its original size; give it with --size");
    auto bytes = options.raw_size ? decompress(*all, *mode, *options.raw_size)
                 : all->empty()   ? std::expected<std::vector<std::byte>, Error>()
                                  : decompress_dynamic(*all, *mode, options.most_held(true));
    if (!bytes)
        return failed(bytes.error());
    MemorySource from(*bytes);
    return write_out(from, options, options);
}

int nothing_around(const Options& options, const OpenLayers& found) {
    const Reading what = found.readings.empty() ? Reading() : found.readings.front();
    const DocumentKind* document = find_document_kind(what.kind);
    const bool in_words = what.kind == InputKind::foreign || (document && document->text);
    std::string is;
    if (find_layer_kind(what.kind))
        is = ": --layers leaves it closed";
    else if (is_archive(what.kind))
        is = " but " + std::string(what.foreign) + ": --entry NAME takes a file out of it";
    else if (!found.readings.empty())
        is = " but " + (in_words ? what.reason : std::string(input_kind_name(what.kind)));
    return give_up(refused, options.name() + ":" + hex(options.skip) +
                                ": error[bad_magic]: not a container" + is +
                                (what.hint.empty() ? "" : ": " + what.hint));
}

int run(Options& options) {
    if (const int exit = refuse_terminal(options); exit != fine)
        return exit;
    int exit = fine;
    auto source = open_whole(options, exit);
    if (!source)
        return exit;
    if (!options.raw_mode.empty())
        return unwrap_raw(options, *source);
    const auto failed = [&](const FileError& error) {
        say(options.name() + ":" + hex(error.error.offset) + ": " +
            (error.code == Errc::size_limit ? too_much(options.most_streamed(), "the contents are")
                                            : in_words(error)));
        return error.code == Errc::io ? io_error : refused;
    };
    const auto opened =
        open_layers(options, options.file, std::move(source), options.finding(), exit);
    if (exit != fine)
        return exit;
    if (!opened)
        return failed(opened.error().error);
    if (opened->layers.empty())
        return nothing_around(options, *opened);
    if (auto back = opened->inside().rewind(); !back)
        return failed(back.error());
    if (exit = write_out(opened->inside(), options, options); exit != fine)
        return exit;
    const auto behind = opened->trailing();
    if (!behind)
        return fine;
    return give_up(
        refused, options.name() + ": error[trailing_bytes]: " + bytes_in_words(behind->behind) +
                     " after the " + opened->layers[behind->layer].name() + " layer are left out");
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "unwrap",
         .does = "takes the bytes out of their layers: containers, compression, Base64",
         .examples = "gdvar unwrap --password-file pass.txt secret.save -o records.bin\n"
                     "gdvar unwrap --layers 1 buffer.gz -o buffer.bin\n"
                     "gdvar unwrap --raw gzip buffer.gz"},
        declare, run);
}

}  // namespace gdvar::app::commands::unwrap
