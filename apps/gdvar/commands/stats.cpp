#include <algorithm>
#include <optional>
#include <utility>

#include "command.hpp"
#include "gdvar/base/quote.hpp"
#include "gdvar/inspect/stats.hpp"
#include "gdvar/json/json.hpp"
#include "input/files.hpp"
#include "input/input.hpp"
#include "output/output.hpp"

namespace gdvar::app::commands::stats {
namespace {

struct Options : InputOptions, OutputOptions, FilesOptions {
    std::uint32_t top = 20;
    bool json = false;
    std::string path;
};

struct Counted {
    Statistics statistics{};
    std::size_t packets = 0;
    std::optional<std::size_t> matches{};  ///< for --path
};

void declare(Arguments& arguments, Options& options) {
    add_reading_files(arguments, options, options, options);
    add_dialect(arguments, options.dialect);
    arguments.option("--path", options.path, "count only what is there: '$.players', '#1 $..pos'");
    arguments.option("--top", options.top, "rows of each table; default: 20");
    arguments.flag("--json", options.json, "as plain JSON, all rows");
}

using Row = std::pair<std::string_view, Share>;

std::vector<Row> types_by_size(const Statistics& statistics) {
    std::vector<Row> rows(statistics.by_type.begin(), statistics.by_type.end());
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.second.bytes != b.second.bytes ? a.second.bytes > b.second.bytes
                                                : a.first < b.first;
    });
    return rows;
}

void print_row(const Share& share, std::uint64_t all, std::string_view name, Output& out) {
    char line[64];
    const double percent =
        all ? 100.0 * static_cast<double>(share.bytes) / static_cast<double>(all) : 0;
    std::snprintf(line, sizeof line, "%12llu %5.1f %11llu  ",
                  static_cast<unsigned long long>(share.bytes), percent,
                  static_cast<unsigned long long>(share.count));
    out.line(line + std::string(name));
}

void print_tables(const Counted& all, std::size_t top, Output& out) {
    const Statistics& statistics = all.statistics;
    out.line(
        (all.matches
             ? std::to_string(*all.matches) + (*all.matches == 1 ? " match in " : " matches in ")
             : std::string()) +
        counted(all.packets, "packet") + ", " + std::to_string(statistics.values) + " values, " +
        std::to_string(statistics.bytes) + " bytes, depth " + std::to_string(statistics.depth));
    const auto table = [&](const char* title, std::size_t count, auto&& print) {
        out.line(std::string("       bytes    %       count  ") + title);
        for (std::size_t i = 0; i < count && i < top; ++i)
            print(i);
        if (count > top)
            out.line("  ... and " + std::to_string(count - top) + " more (--top)");
    };
    const std::vector<Row> types = types_by_size(statistics);
    table("type", types.size(), [&](std::size_t i) {
        print_row(types[i].second, statistics.bytes, types[i].first, out);
    });
    const PathShares& paths = statistics.by_path;
    const std::vector<std::uint32_t> order = paths.by_size();
    PathCutter cut = PathCutter::for_people(false);
    table("path", order.size(), [&](std::size_t i) {
        print_row(paths[order[i]].share, statistics.bytes, cut(paths.path(order[i])), out);
    });
    if (statistics.paths_cut)
        out.line("  (paths beyond the first " + std::to_string(statistics.max_paths) +
                 " were left out)");
}

std::string json_member(std::string_view name, const Share& share) {
    // Characters of a path or a type's name need at most a backslash. Quoted steps have escaped the
    // others already.
    return quote(name) + ": {\"count\": " + std::to_string(share.count) +
           ", \"bytes\": " + std::to_string(share.bytes) + "}";
}

/// The members before "by_path", with its opening brace. `file`: the first one, unless empty.
std::string json_head(const std::string& file, const Counted& all) {
    const Statistics& statistics = all.statistics;
    std::string out = "{\n";
    if (!file.empty())
        out += "  \"file\": " + json_string(file) + ",\n";
    const auto member = [&](const char* name, std::uint64_t value) {
        out += "  \"" + std::string(name) + "\": " + std::to_string(value) + ",\n";
    };
    if (all.matches)
        member("matches", *all.matches);
    member("packets", all.packets);
    member("values", statistics.values);
    member("bytes", statistics.bytes);
    member("depth", statistics.depth);
    out += "  \"by_type\": {";
    const char* between = "\n    ";
    for (const Row& row : types_by_size(statistics)) {
        out += between + json_member(row.first, row.second);
        between = ",\n    ";
    }
    return out + "\n  },\n  \"by_path\": {";
}

/// The most bytes of a path's row: two for each character, and the numbers.
std::uint64_t most_of_row(std::uint64_t length) {
    return 2 * length + 80;
}

/// Prints all rows, the largest first. Paths are left out if the output would exceed 8 MB or 50
/// times the input, whichever is more.
void print_json(const std::string& file, const Counted& all, std::uint64_t input_size,
                Output& out) {
    const Statistics& statistics = all.statistics;
    const std::string head = json_head(file, all);
    constexpr std::size_t tail = 64;
    std::uint64_t left = std::max<std::uint64_t>(8u << 20, 50 * input_size) - head.size() - tail;
    out.text(head);
    const PathShares& paths = statistics.by_path;
    std::size_t printed = 0;
    for (const std::uint32_t i : paths.by_size()) {
        // Checked before the row is made, so a row that does not fit takes no memory.
        if (most_of_row(paths[i].length) > left)
            continue;
        const std::string row =
            (printed ? ",\n    " : "\n    ") + json_member(paths.path(i), paths[i].share);
        left -= row.size();
        ++printed;
        out.text(row);
    }
    const bool left_out = statistics.paths_cut || printed < paths.size();
    out.text("\n  },\n  \"paths_left_out\": " + std::string(left_out ? "true" : "false") + "\n}\n");
}

/// Counts the values at the path of `options`. A match inside another one counts as a match, but
/// its bytes count only with the outer one. Returns an exit code.
int count_at_path(const Options& options, Input& input, Counted& all) {
    std::optional<std::size_t> packet;
    std::uint64_t covered_to = 0;
    bool has_parts = false;
    all.matches = 0;
    return input.each_value(options.path, [&](const Item& item, const MatchView& match) {
        if (match.value.part()) {
            if (!std::exchange(has_parts, true))
                say(input.name() + ": " + item.label + std::string(match.path) +
                    ": error[wrong_type]: this is a part of a value; stats counts whole values");
            return static_cast<int>(refused);
        }
        if (packet != item.number) {
            packet = item.number;
            ++all.packets;
            covered_to = 0;
        }
        ++*all.matches;
        if (match.value.offset() >= covered_to) {
            (void)all.statistics.add(match.value);  // a found value is not lost
            covered_to = match.value.offset() + match.value.raw().size();
        }
        return static_cast<int>(fine);
    });
}

int print_file(const Options& options, Output& out) {
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    Counted all;
    if (options.path.empty())
        exit = input->each_document({}, [&](const Item&, const View& root, bool) {
            (void)all.statistics.add(root);  // a readable document has a root
            ++all.packets;
            return static_cast<int>(fine);
        });
    else
        exit = count_at_path(options, *input, all);
    if (all.matches && exit != fine && all.packets == 0)
        return exit;
    const std::string name = options.several ? input->name() : std::string();
    if (options.json) {
        print_json(name, all, input->size(), out);
    } else {
        if (options.several)
            out.line("==> " + name + " <==");
        print_tables(all, options.top, out);
        if (options.several)
            out.end_line();
    }
    return exit;
}

int run(Options& options) {
    return print_files<Options>(options, print_file);
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "stats",
         .does = "shows what takes the space, by type and by path",
         .examples = "gdvar stats game.save\n"
                     "gdvar stats --path '#0 $.players[*]' game.save\n"
                     "gdvar stats --json --password-file pass.txt secret.save"},
        declare, run);
}

}  // namespace gdvar::app::commands::stats
