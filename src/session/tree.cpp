#include "session/tree.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gdvar::session {

/// An open value, or the row of all values of the save.
class Tree::Branch {
public:
    Branch* parent = nullptr;
    std::uint32_t at = 0;  ///< in the parent
    std::size_t depth = 0;
    std::uint64_t count = 0;             ///< of children
    std::uint64_t rows = 0;              ///< below it, those of open children included
    std::shared_ptr<const Held> held{};  ///< of a value of the save: what Views look into
    std::unique_ptr<Entries> entries{};  ///< none: the save's values
    std::map<std::uint32_t, std::unique_ptr<Branch>> open{};

    Row row() { return {parent, at}; }
    Branch* child(std::uint32_t ordinal) const {
        const auto found = open.find(ordinal);
        return found == open.end() ? nullptr : found->second.get();
    }
    void take(const Entry& entry) {
        held = entry.held;
        entries = std::make_unique<Entries>(entry.view);
        count = entries->size();
    }
    /// Closes a child. Returns the next one.
    auto drop(std::map<std::uint32_t, std::unique_ptr<Branch>>::iterator child) {
        destroy(std::move(child->second));
        return open.erase(child);
    }
    /// Makes way for a child at that ordinal, or closes the gap of one that has gone.
    void shift(std::uint32_t from, int by) {
        std::map<std::uint32_t, std::unique_ptr<Branch>> moved;
        for (auto i = open.lower_bound(from); i != open.end(); i = open.erase(i)) {
            const std::uint32_t to = i->first + static_cast<std::uint32_t>(by);
            i->second->at = to;
            moved.emplace_hint(moved.end(), to, std::move(i->second));
        }
        open.merge(moved);
    }
};

Tree::Tree(SaveFile& save, Documents& documents)
    : save_(save), documents_(documents), root_(std::make_unique<Branch>()) {
    constexpr std::size_t few = 8;
    root_->count = root_->rows = save.items().size();
    if (root_->count && root_->count <= few)
        open({root_.get(), 0});
}

Tree::~Tree() {
    destroy(std::move(root_));
}

/// Values may be nested deeper than the program's stack.
void Tree::destroy(std::unique_ptr<Branch> branch) {
    std::vector<std::unique_ptr<Branch>> left;
    left.push_back(std::move(branch));
    while (!left.empty()) {
        const std::unique_ptr<Branch> here = std::move(left.back());
        left.pop_back();
        if (here)
            for (auto& [at, child] : here->open)
                left.push_back(std::move(child));
    }
}

std::uint64_t Tree::rows() const noexcept {
    return root_->rows;
}

Tree::Row Tree::row_at(std::uint64_t number) const {
    Branch* in = root_.get();
    for (;;) {
        std::uint64_t before = 0;  // rows of open children that were passed
        Branch* inside = nullptr;
        for (const auto& [at, child] : in->open) {
            if (number <= at + before)
                break;
            if (number <= at + before + child->rows) {
                number -= at + before + 1;
                inside = child.get();
                break;
            }
            before += child->rows;
        }
        if (!inside)
            return {in, static_cast<std::uint32_t>(number - before)};
        in = inside;
    }
}

std::uint64_t Tree::number_of(Row row) const {
    std::uint64_t out = 0;
    for (; row; row = row.in->row()) {
        out += row.at;
        for (const auto& [at, child] : row.in->open) {
            if (at >= row.at)
                break;
            out += child->rows;
        }
        out += row.in->parent ? 1 : 0;
    }
    return out;
}

Tree::Row Tree::next(Row row) const {
    if (Branch* inside = row.in->child(row.at); inside && inside->count)
        return {inside, 0};
    for (; row; row = row.in->row())
        if (row.at + 1 < row.in->count)
            return {row.in, row.at + 1};
    return {};
}

Tree::Row Tree::previous(Row row) const {
    if (row.at == 0)
        return row.in->row();
    --row.at;
    for (Branch* inside; (inside = row.in->child(row.at)) && inside->count;)
        row = {inside, static_cast<std::uint32_t>(inside->count - 1)};
    return row;
}

Tree::Row Tree::parent(Row row) const {
    return row.in->row();
}

Entry Tree::entry(Row row) const {
    if (row.in->entries)
        return row.in->entries->at(row.at);
    Entry out{.ordinal = row.at};
    out.held = documents_.at(row.at);
    out.view = out.held->root();
    return out;
}

std::size_t Tree::depth(Row row) const noexcept {
    return row.in->depth;
}

bool Tree::can_open(Row row) const {
    const Entry there = entry(row);
    return there.kind != Entry::part && rows_in(there.view);
}

bool Tree::is_open(Row row) const {
    return row.in->child(row.at) != nullptr;
}

void Tree::grow(Branch* branch, std::int64_t rows) {
    for (; branch; branch = branch->parent)
        branch->rows += static_cast<std::uint64_t>(rows);
}

/// An open value that nobody has counted. Null if there is nothing to open.
Tree::Branch* Tree::make_branch(Row row) {
    if (!can_open(row))
        return nullptr;
    auto branch = std::make_unique<Branch>();
    branch->parent = row.in;
    branch->at = row.at;
    branch->depth = row.in->depth + 1;
    branch->take(entry(row));
    branch->rows = branch->count;
    return row.in->open.emplace(row.at, std::move(branch)).first->second.get();
}

/// Counts the rows below an open value. Its parents are not told.
void Tree::count_again(Branch* branch) {
    std::vector<Branch*> order{branch};
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const auto& [at, child] : order[i]->open)
            order.push_back(child.get());
    for (std::size_t i = order.size(); i-- > 0;) {
        order[i]->rows = order[i]->count;
        for (const auto& [at, child] : order[i]->open)
            order[i]->rows += child->rows;
    }
}

void Tree::open(Row row) {
    if (is_open(row))
        return;
    if (const Branch* const made = make_branch(row))
        grow(row.in, static_cast<std::int64_t>(made->rows));
}

void Tree::close(Row row) {
    const auto found = row.in->open.find(row.at);
    if (found == row.in->open.end())
        return;
    grow(row.in, -static_cast<std::int64_t>(found->second->rows));
    row.in->drop(found);
}

bool Tree::open_below(Row row, std::uint64_t most) {
    const auto rows_below = [&] {
        const Branch* const top = row.in->child(row.at);
        return top ? top->rows : 0;
    };
    const std::uint64_t before = rows_below();
    std::vector<Row> left{row};
    bool all = true;
    for (std::uint64_t opened = 0; all && !left.empty();) {
        const Row at = left.back();
        left.pop_back();
        Branch* inside = at.in->child(at.at);
        inside = inside ? inside : make_branch(at);
        if (!inside)
            continue;
        opened += inside->count;
        all = opened <= most;
        for (std::uint64_t i = all ? inside->count : 0; i-- > 0;)
            left.push_back({inside, static_cast<std::uint32_t>(i)});
    }
    if (Branch* const top = row.in->child(row.at)) {
        count_again(top);
        grow(row.in, static_cast<std::int64_t>(rows_below() - before));
    }
    return all;
}

Ordinals Tree::ordinals(Row row) const {
    Ordinals out;
    for (; row; row = row.in->row())
        out.push_back(row.at);
    std::reverse(out.begin(), out.end());
    return out;
}

Tree::Row Tree::find(std::span<const std::uint32_t> ordinals, bool opens) {
    Row row{root_.get(), 0};
    Branch* opened = nullptr;  // the outermost
    for (std::size_t i = 0; i < ordinals.size() && row.in->count; ++i) {
        row.at =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(ordinals[i], row.in->count - 1));
        if (row.at != ordinals[i] || i + 1 == ordinals.size())
            break;
        Branch* inside = row.in->child(row.at);
        if (!inside && opens) {
            inside = make_branch(row);
            opened = opened ? opened : inside;
        }
        if (!inside)
            break;
        row = {inside, 0};
    }
    if (opened) {
        count_again(opened);
        grow(opened->parent, static_cast<std::int64_t>(opened->rows));
    }
    return row.in->count ? row : row.in->row();
}

// ---- paths

std::vector<Entry> Tree::around(Row row) const {
    std::vector<Entry> out;
    for (; row; row = row.in->row())
        out.push_back(entry(row));
    std::reverse(out.begin(), out.end());
    return out;
}

std::string Tree::path_of(Row row, std::string (*step)(const Entry&), bool named) const {
    const std::vector<Entry> all = around(row);
    std::string out;
    if (named && save_.kind().named)
        out = std::string(setting_name(save_.items()[all[0].ordinal].key)) + ' ';
    else if (save_.kind().several)
        out = '#' + std::to_string(all[0].ordinal) + ' ';
    out += '$';
    for (std::size_t i = 1; i < all.size(); ++i)
        out += step(all[i]);
    return out;
}

std::string Tree::label(Row row) const {
    if (row.in->entries)
        return step_of(entry(row));
    std::string out = item_label(save_.kind(), row.at, save_.items()[row.at].key);
    if (out.empty())
        return "$";
    out.pop_back();
    return out;
}

// ---- changes

void Tree::read_again(Branch* item) {
    // A value is read before those in it.
    std::vector<Branch*> order{item};
    for (std::size_t i = 0; i < order.size(); ++i) {
        Branch* const here = order[i];
        here->take(entry(here->row()));
        for (auto child = here->open.begin(); child != here->open.end();) {
            const bool there = child->first < here->count && can_open({here, child->first});
            if (there) {
                order.push_back(child->second.get());
                ++child;
            } else {
                child = here->drop(child);
            }
        }
    }
    count_again(item);
}

void Tree::changed(std::span<const std::uint32_t> where, int shift) {
    if (shift) {
        Branch* in = root_.get();
        for (std::size_t i = 0; in && i + 1 < where.size(); ++i)
            in = in->child(where[i]);
        if (in) {
            if (const auto gone = in->open.find(where.back()); shift < 0 && gone != in->open.end())
                in->drop(gone);
            in->shift(where.back() + (shift < 0 ? 1 : 0), shift);
        }
    }
    if (where.size() > 1 || !shift)
        if (Branch* const item = root_->child(where[0])) {
            if (can_open(item->row()))
                read_again(item);
            else
                root_->drop(root_->open.find(where[0]));
        }
    root_->count = root_->rows = save_.items().size();
    for (const auto& [at, child] : root_->open)
        root_->rows += child->rows;
}

}  // namespace gdvar::session
