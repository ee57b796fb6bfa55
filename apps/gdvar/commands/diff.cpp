#include <algorithm>

#include "command.hpp"
#include "edit/sides.hpp"
#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/text/text.hpp"
#include "output/differences.hpp"
#include "output/output.hpp"

namespace gdvar::app::commands::diff {
namespace {

struct Options : InputOptions, OutputOptions {
    std::string other;
    bool patch = false, bytes = false, full = false;

    std::vector<std::string> other_files() const { return {other}; }
};

void declare(Arguments& arguments, Options& options) {
    add_reading(arguments, options, options).required();
    add_dialect(arguments, options.dialect);
    arguments.option("OTHER", options.other, "the file to compare with").required();
    auto patch = arguments.flag("--patch", options.patch, "as a patch, for gdvar patch");
    arguments
        .flag("--bytes", options.bytes, "also list values that are equal but stored differently")
        .excludes(patch);  // a patch holds values, not bytes
    arguments.flag("--full", options.full, "values and paths whole; patches of any length");
}

/// Reads a file as a Side. Two saves of one game usually share a dialect, so a file that fits
/// `preferred` is decoded with it. The Side is in `preferred`, too, unless that changes a value.
int load(const InputOptions& options, Side& to, const Dialect* preferred = nullptr) {
    int exit = fine;
    to.input = Input::open(options, exit);
    if (!to.input)
        return exit;
    DecodeOptions decoding = to.input->decoding();
    for (const Candidate& candidate : to.input->guess().candidates)
        if (candidate.dialect == preferred && candidate.fits)
            decoding.dialect = preferred;
    const Dialect* target = preferred ? preferred : decoding.dialect;
    exit = join(decoding, *target, to);
    if (exit == different) {
        target = decoding.dialect;
        exit = join(decoding, *target, to);
    }
    if (exit != fine)
        return exit;
    if (auto done = to.document.read(to.joined->bytes(), to.joined->reading()); !done)
        return give_up(refused, to.input->name() + ": " + in_words(done.error()));
    return fine;
}

/// One line of the patch: `{"set": [path...], "value": ...}`.
std::string patch_line(const Difference& d) {
    std::string out = "{\"" + std::string(change_name(static_cast<Change::Kind>(d.kind))) + "\": [";
    for (const gdvar::detail::Child& step : d.at) {
        if (&step != &d.at.front())
            out += ", ";
        out += step.role == gdvar::detail::Child::value ? to_text_full(step.key_view).value_or("?")
               : step.role == gdvar::detail::Child::property
                   ? to_text_full(Variant(step.name)).value_or("?")
                   : std::to_string(step.ordinal);
    }
    out += "]";
    if (d.kind == Difference::order)
        out += ", \"keys\": " + to_text_full(change_of(d).value).value_or("?");
    else if (d.after)
        out += ", \"value\": " + to_text_full(d.after).value_or("?");
    return out + "}\n";
}

/// The most bytes without --full. Ordinary patches are smaller than the files.
std::uint64_t most_output(const Side& from, const Side& to) {
    return std::max<std::uint64_t>(8u << 20,
                                   50 * (from.joined->bytes().size() + to.joined->bytes().size()));
}

/// Writes or prints the differences. Returns their number, or nothing after a message.
std::optional<std::size_t> write_differences(const Options& options, const Side& from,
                                             const Side& to, Output& out) {
    PathCutter paths = PathCutter::for_people(options.full);
    const Contents contents = from.joined->contents();
    Places places(contents, paths);
    std::uint64_t left = options.full ? UINT64_MAX : most_output(from, to);
    bool too_long = false;
    if (options.patch) {
        Dictionary head{{"gdvar_patch", 1}, {"records", contents == Contents::records}};
        if (contents == Contents::settings)
            head.append("settings", true);
        out.text(to_text_full(Variant(head)).value_or("") + "\n");
    }
    const auto each = [&](const Difference& d) {
        if (!options.patch) {
            out.line(difference_line(d, places(d), options.full));
            return true;
        }
        const std::string line = patch_line(d);
        too_long = line.size() > left;
        if (!too_long) {
            left -= line.size();
            out.text(line);
        }
        return !too_long;
    };
    const auto found =
        each_difference(from.document.root(), to.document.root(), {options.bytes}, each);
    paths.say_if_cut();
    if (found && !too_long)
        return *found;
    say(found ? "gdvar: the patch is more than 50 times as long as both files: many differences at "
                "long paths; "
                "--full writes it all"
              : "gdvar: " + in_words(found.error()));
    return std::nullopt;
}

int run(Options& options) {
    InputOptions second = options;
    second.file = options.other;
    if (options.file == "-" && second.file == "-")
        return give_up(usage, "gdvar: only one of the two can be standard input");
    Side from, to;
    if (const int exit = load(options, from); exit != fine)
        return exit;
    if (const int exit = load(second, to, &from.input->dialect()); exit != fine)
        return exit;
    const Contents one = from.joined->contents(), other = to.joined->contents();
    if (one != other)
        return give_up(usage, "gdvar: " + from.input->name() + " holds " + name_of(one) + ", " +
                                  to.input->name() + " " + name_of(other) + "; see --as");
    Output out(options);
    const auto found = write_differences(options, from, to, out);
    if (!found)
        return refused;
    const int written = out.finish();
    return written != fine ? written : *found ? different : fine;
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "diff",
         .does = "lists the differences between two files, by path; exit code 4 if there are any",
         .examples = "gdvar diff game.save other.save\n"
                     "gdvar diff --patch game.save other.save -o changes.patch"},
        declare, run);
}

}  // namespace gdvar::app::commands::diff
