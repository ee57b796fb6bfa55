#include "options/source.hpp"

#include <vector>

#include "gdvar/save/target.hpp"
#include "output/messages.hpp"

namespace gdvar::app {

void add_source(Arguments& arguments, SourceOptions& options) {
    add_secrets(arguments, options);
    arguments
        .option("--max-bytes", options.max_bytes,
                "most bytes read from a pipe, device or container; 1 GiB, 256 MiB\n"
                "for one packet or record out of a container, 32 MiB for a text there")
        .sizes();
}

Argument add_file(Arguments& arguments, SourceOptions& options) {
    return arguments.option("FILE", options.file, "the input; - is standard input").show_default();
}

std::expected<FileSource, FileError> open_source(const std::string& file) {
    return file == "-" ? std::expected<FileSource, FileError>(FileSource::borrow(0))
                       : FileSource::open(file);
}

std::unique_ptr<Source> open_whole(const SourceOptions& options, int& exit) {
    const auto failed = [&](const FileError& error) {
        say(options.name() + ": " + in_words(error));
        return exit = error.code == Errc::io ? io_error : refused;
    };
    auto file = open_source(options.file);
    if (!file) {
        failed(file.error());
        return nullptr;
    }
    if (file->can_rewind() && options.file != "-")
        return std::make_unique<FileSource>(*std::move(file));
    auto spool = std::make_unique<Spool>();
    exit = each_piece(*file, options, [&](ByteView part) {
        const auto put = spool->write(part);
        return put ? +fine : failed(put.error());
    });
    return exit == fine ? std::move(spool) : nullptr;
}

std::expected<std::vector<std::byte>, int> load(const std::string& file, std::uint64_t most) {
    auto source = open_source(file);
    auto all = source ? read_all(*source, most) : std::unexpected(source.error());
    if (all)
        return *std::move(all);
    say((file == "-" ? "<stdin>" : file) + ": " +
        (all.error().code == Errc::size_limit ? too_much(most) : in_words(all.error())));
    return std::unexpected<int>(all.error().code == Errc::io ? io_error : refused);
}

int each_piece(Source& source, const SourceOptions& options,
               const std::function<int(ByteView)>& use) {
    // A device may never end, and a pipe's bytes have taken no space yet.
    const std::uint64_t most = source.can_rewind() ? UINT64_MAX : options.most_streamed();
    std::uint64_t taken = 0;
    std::vector<std::byte> part(1 << 18);
    for (;;) {
        const auto n = source.read(part);
        if (!n) {
            say(options.name() + ": " + in_words(n.error()));
            return n.error().code == Errc::io ? io_error : refused;
        }
        if (*n == 0)
            return fine;
        if (*n > most - taken)
            return give_up(refused, options.name() + ": " + too_much(most));
        taken += *n;
        if (const int exit = use(ByteView(part).first(*n)); exit != fine)
            return exit;
    }
}

}  // namespace gdvar::app
