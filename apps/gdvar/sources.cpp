// Bytes of the input that are not recognised yet.
#include "command.hpp"

namespace gdvar::app {

std::expected<FileSource, Error> open_source(const std::string& file) {
    return file == "-" ? std::expected<FileSource, Error>(FileSource::borrow(0))
                       : FileSource::open(file);
}

std::string too_much(std::uint64_t most, const std::string& what) {
    return "error[size_limit]: " + (what.empty() ? "it is" : what) + " more than --max-bytes " +
           std::to_string(most);
}

int each_piece(Source& source, const Options& options, const std::function<int(ByteView)>& use) {
    const std::string name = options.file == "-" ? "<stdin>" : options.file;
    // A device may never end, and a pipe's bytes have taken no space yet.
    const std::uint64_t most = source.can_rewind() ? UINT64_MAX : options.most_streamed();
    std::uint64_t taken = 0;
    std::vector<std::byte> part(1 << 18);
    for (;;) {
        const auto n = source.read(part);
        if (!n) {
            say(name + ": " + in_words(n.error()));
            return n.error().code == Errc::io ? io_error : refused;
        }
        if (*n == 0)
            return fine;
        if (*n > most - taken) {
            say(name + ": " + too_much(most));
            return refused;
        }
        taken += *n;
        if (const int exit = use(ByteView(part).first(*n)); exit != fine)
            return exit;
    }
}

}  // namespace gdvar::app
