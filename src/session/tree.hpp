// A save as a tree of rows: which values are open, and what stands in which row.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "session/documents.hpp"
#include "session/entries.hpp"

namespace gdvar::session {

/// Where a value is: the number of the save's value, then an ordinal for each level below it. It
/// stays the same when rows are opened and closed.
using Ordinals = std::vector<std::uint32_t>;

/// The rows of a save. Only what is open takes memory, however many values there are. Rows are
/// found by walking over the open values before them.
class Tree {
public:
    class Branch;
    /// One row. Valid until the value around it is closed or changed.
    struct Row {
        Branch* in = nullptr;
        std::uint32_t at = 0;
        friend bool operator==(const Row&, const Row&) = default;
        explicit operator bool() const noexcept { return in != nullptr; }
    };

    /// Both are borrowed. A single value is opened, and the first one of a few.
    Tree(SaveFile& save, Documents& documents);
    ~Tree();
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    /// How many rows there are.
    std::uint64_t rows() const noexcept;
    /// The row of that number, which must be below `rows`; and the other way round.
    Row row_at(std::uint64_t number) const;
    std::uint64_t number_of(Row row) const;
    /// The rows after, before and around this one; none at the end.
    Row next(Row row) const;
    Row previous(Row row) const;
    Row parent(Row row) const;

    Entry entry(Row row) const;
    std::size_t depth(Row row) const noexcept;
    /// Whether there is anything to open.
    bool can_open(Row row) const;
    bool is_open(Row row) const;
    void open(Row row);
    void close(Row row);
    /// Opens the value and all that is in it, until about `most` rows were added. Returns whether
    /// all is open.
    bool open_below(Row row, std::uint64_t most);

    Ordinals ordinals(Row row) const;
    /// The row of that value; opens what is around it. If it is not there, the nearest row.
    Row reveal(std::span<const std::uint32_t> ordinals) { return find(ordinals, true); }
    /// The same; opens nothing.
    Row nearest(std::span<const std::uint32_t> ordinals) const {
        return const_cast<Tree*>(this)->find(ordinals, false);
    }

    /// "#2 $.players[3]", "$"; of a setting "#2 $..." too.
    std::string path(Row row) const { return path_of(row, step_of, false); }
    /// The same for people: a setting goes by its name.
    std::string shown_path(Row row) const { return path_of(row, step_of, true); }
    /// A path that leads to exactly this value where `path` leads to another one (equal keys).
    std::string exact_path(Row row) const { return path_of(row, exact_step_of, false); }
    /// "#2", "application/config/name", "$".
    std::string label(Row row) const;

    /// The value at `where` has changed, or what is in it; with `shift` 1 it was inserted there,
    /// with -1 removed. Open rows stay open. All rows become invalid.
    void changed(std::span<const std::uint32_t> where, int shift);

private:
    Row find(std::span<const std::uint32_t> ordinals, bool opens);
    Branch* make_branch(Row row);
    std::vector<Entry> around(Row row) const;
    std::string path_of(Row row, std::string (*step)(const Entry&), bool named) const;
    static void grow(Branch* branch, std::int64_t rows);
    static void count_again(Branch* branch);
    void read_again(Branch* item);
    static void destroy(std::unique_ptr<Branch> branch);

    SaveFile& save_;
    Documents& documents_;
    std::unique_ptr<Branch> root_;
};

}  // namespace gdvar::session
