#include <algorithm>
#include <utility>

#include "gdvar/base/quote.hpp"
#include "gdvar/file/archive.hpp"
#include "gdvar/file/recover.hpp"
#include "input/input.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
int Input::failed(const FileError& error) const {
    if (error.code == Errc::io)
        return give_up(io_error, name_ + ": " + in_words(error));
    complain(error.error.offset, error.error);
    return refused;
}

int Input::open_stack() {
    int exit = fine;
    auto file = open_whole(options_, exit);
    if (!file)
        return exit;
    if (options_.skip > file->size().value_or(0))
        return give_up(refused, name_ + ": error[truncated]: --skip is larger than the input");
    SaveOptions how = options_.finding();
    how.up_to_break = true;
    if (options_.dialect != "auto") {
        how.dialect = dialect_named(options_.dialect);
        if (!how.dialect)
            return usage;
    }
    auto opened = open_layers(options_, options_.file, std::move(file), how, exit);
    if (exit != fine)
        return exit;
    if (!opened)
        return not_opened(opened.error());
    found_ = *std::move(opened);
    kind_ = found_.kind;
    skip_ = found_.layers.empty() ? options_.skip : 0;
    size_ = source().size().value_or(0);
    return fine;
}

/// Whether `gdvar recover` saves something of a file that can't be read as it stands: of a
/// compressed block that is cut, for example, it saves nothing. `larger`: what is said of a large
/// file: to try it takes far longer than to open it.
bool Input::may_be_recovered(Source& file, bool larger) const {
    constexpr std::uint64_t most_looked_at = 1 << 20;
    if (file.size().value_or(UINT64_MAX) > most_looked_at || !file.rewind())
        return larger;
    const auto bytes = read_all(file, most_looked_at);
    if (!bytes)
        return larger;
    SaveOptions how = options_.in_memory();
    how.dialect = options_.dialect == "auto" ? nullptr : dialect_named(options_.dialect);
    const auto recovery = recover_save(*bytes, how);
    // A sound file needs other options, not recovery. With the password there may be something.
    return recovery ? !recovery->sound() : recovery.error().code == Errc::bad_key;
}

int Input::not_opened(const LayersError& error) const {
    if (error.error.code == Errc::size_limit)
        return give_up(refused,
                       name_ + ": " + too_much(options_.most_streamed(), "the contents are"));
    if (is_archive(error.found.kind) && error.error.code == Errc::missing_key) {
        const auto before = std::ranges::count_if(
            error.found.layers, [](const Layer& layer) { return layer.kind->is_archive(); });
        return give_up(refused, name_ + ": error[missing_key]: there is no file " +
                                    quote(options_.entries[static_cast<std::size_t>(before)]) +
                                    (before ? " in the file named before it" : " in it") +
                                    "; gdvar list names them all");
    }
    if (error.error.code == Errc::truncated)
        return give_up(refused, name_ + ":" + hex(error.error.error.offset) + ": " +
                                    to_string(error.error) + ": the file breaks off" +
                                    (may_be_recovered(*error.found.sources.front(), true)
                                         ? recover_hint(options_.file)
                                         : ", and nothing before that can be read"));
    return failed(error.error);
}

std::string Input::stack() const {
    return stack_in_words(found_.layers, kind_, dialect_);
}

std::string Input::layer_in_words(const OpenLayers::Fault& fault) const {
    return "the " + found_.layers[fault.layer].name() + " layer";
}

int Input::say_faults(Tail tail) {
    const auto broken = found_.broken();
    const auto behind = tail == Tail::keep_all ? std::nullopt : found_.trailing();
    const bool keeps = tail == Tail::say;
    const int exit = broken || (behind && !keeps) ? refused : fine;
    if ((!broken && !behind) || std::exchange(faults_said_, true))
        return exit;
    if (broken)
        say(name_ + ":" + hex(broken->error.error.offset) + ": " + to_string(broken->error) +
            (broken->error.code == Errc::truncated ? ": " + layer_in_words(*broken) + " breaks off"
                                                   : ", in " + layer_in_words(*broken)) +
            (kind_ == InputKind::unknown ? ", and nothing before that can be read"
                                         : recover_hint(options_.file)));
    else if (keeps)
        say_kept();
    else
        say(name_ + ": error[trailing_bytes]: " + bytes_in_words(behind->behind) + " after " +
            layer_in_words(*behind));
    return exit;
}

void Input::say_kept() const {
    if (const auto behind = found_.trailing())
        say(name_ + ": note: " + bytes_in_words(behind->behind) + " after " +
            layer_in_words(*behind) + (behind->behind == 1 ? " was kept" : " were kept"));
}

}  // namespace gdvar::app
