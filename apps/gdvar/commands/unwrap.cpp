#include "command.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/save/recognise.hpp"
#include "output/packet_output.hpp"

namespace gdvar::app {
namespace {

struct Options : SourceOptions, OutputOptions {
    std::string raw_mode;
    std::optional<std::uint64_t> raw_size;
    std::uint64_t skip = 0;
};

void declare(Arguments& arguments, Options& options) {
    add_output(arguments, options);
    add_source(arguments, options);
    add_file(arguments, options);
    add_form(arguments, options);
    arguments.option("--skip", options.skip, "bytes before the container");
    arguments
        .option("--raw", options.raw_mode, "a buffer of PackedByteArray.compress(), in this mode")
        .one_of({"fastlz", "deflate", "zstd", "gzip", "brotli"});
    arguments.option("--size", options.raw_size, "with --raw: the most bytes that come out");
}

/// A buffer that PackedByteArray.compress() made.
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
    if (*mode == Compression::fastlz && !options.raw_size && !all->empty()) {
        say(options.file + ": FastLZ data does not hold its original size; give it with --size");
        return usage;
    }
    auto bytes = options.raw_size ? decompress(*all, *mode, *options.raw_size)
                 : all->empty()   ? std::expected<std::vector<std::byte>, Error>()
                                  : decompress_dynamic(*all, *mode, options.most_held(true));
    if (!bytes)
        return failed(bytes.error());
    MemorySource from(*bytes);
    return write_out(from, options, options);
}

int run(Options& options) {
    if (const int exit = refuse_terminal(options); exit != fine)
        return exit;
    Spool spool;
    auto file = open_source(options.file);
    const auto failed = [&](const FileError& error) {
        say(options.name() + ":" + hex(error.error.offset) + ": " +
            (error.code == Errc::size_limit ? too_much(options.most_streamed(), "the contents are")
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
    Layer layer;
    layer.kind = find_layer_kind(InputKind::gdec);  // or GCPF
    int exit = fine;
    auto inner =
        open_layer(options, options.file, *source,
                   {.skip = options.skip, .max_bytes = options.most_streamed()}, layer, exit);
    if (exit != fine)
        return exit;
    if (!inner && inner.error().code == Errc::bad_magic)
        if (const auto readings = recognise(*source, {.skip = options.skip, .all = false});
            readings && !readings->empty()) {
            const Reading& what = readings->front();
            say(options.name() + ":" + hex(options.skip) +
                ": error[bad_magic]: not a container (GCPF or GDEC) but " +
                (what.kind == InputKind::foreign ? what.reason
                                                 : std::string(input_kind_name(what.kind))) +
                (what.hint.empty() ? "" : ": " + what.hint));
            return refused;
        }
    if (!inner)
        return failed(inner.error());
    return write_out(**inner, options, options);
}

}  // namespace

Command unwrap_command() {
    return make_command<Options>(
        {.name = "unwrap",
         .does = "takes the bytes out of a container",
         .examples = "gdvar unwrap --password-file pass.txt secret.save -o records.bin\n"
                     "gdvar unwrap --raw gzip buffer.gz"},
        declare, run);
}

}  // namespace gdvar::app
