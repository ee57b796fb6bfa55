#include "options/source.hpp"

#include <vector>

#include "output/messages.hpp"

namespace gdvar::app {

void add_source(Arguments& arguments, SourceOptions& options) {
    add_secrets(arguments, options);
    add_limits(arguments, options);
}

Argument add_file(Arguments& arguments, SourceOptions& options) {
    return arguments.option("FILE", options.file, "the input; - is standard input").show_default();
}

std::expected<FileSource, FileError> open_source(const std::string& file) {
    return file == "-" ? std::expected<FileSource, FileError>(FileSource::borrow(0))
                       : FileSource::open(file);
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
        if (*n > most - taken) {
            say(options.name() + ": " + too_much(most));
            return refused;
        }
        taken += *n;
        if (const int exit = use(ByteView(part).first(*n)); exit != fine)
            return exit;
    }
}

}  // namespace gdvar::app
