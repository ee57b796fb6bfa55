#include "gdvar/inspect/stats.hpp"

#include <algorithm>
#include <array>
#include <deque>

#include "base/sort.hpp"
#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/inspect/lookup.hpp"

namespace gdvar::inspect {

using detail::Child;

std::uint32_t PathShares::enter(std::uint32_t parent, std::string_view step, std::size_t most) {
    std::string key(reinterpret_cast<const char*>(&parent), sizeof parent);
    key += step;
    const auto found = found_.find(key);
    if (found != found_.end())
        return found->second;
    if (nodes_.size() >= most)
        return none;
    const auto made = static_cast<std::uint32_t>(nodes_.size());
    const std::uint32_t before = parent == none ? 0 : nodes_[parent].length;
    nodes_.push_back(
        {parent, before + static_cast<std::uint32_t>(step.size()), {}, std::string(step)});
    found_.emplace(std::move(key), made);
    return made;
}

void PathShares::count(std::uint32_t node, std::uint64_t bytes) {
    ++nodes_[node].share.count;
    nodes_[node].share.bytes += bytes;
}

std::string PathShares::path(std::size_t i) const {
    std::string out(nodes_[i].length, ' ');
    std::size_t end = out.size();
    for (auto at = static_cast<std::uint32_t>(i); at != none; at = nodes_[at].parent) {
        end -= nodes_[at].step.size();
        out.replace(end, nodes_[at].step.size(), nodes_[at].step);
    }
    return out;
}

const Share* PathShares::find(std::string_view path) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        if (nodes_[i].length == path.size() && this->path(i) == path)
            return &nodes_[i].share;
    return nullptr;
}

std::vector<std::uint32_t> PathShares::by_size() const {
    std::vector<std::uint32_t> order(nodes_.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::uint32_t>(i);
    detail::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const std::uint64_t left = nodes_[a].share.bytes, right = nodes_[b].share.bytes;
        return left != right ? left > right : a < b;
    });
    return order;
}

namespace {

struct Counted {
    detail::Children children;
    std::uint32_t path;      ///< `PathShares::none`: not kept
    std::uint32_t elements;  ///< the elements' path, once it is known
    std::uint64_t own;       ///< bytes outside the children counted so far

    Counted(const View& view, std::uint32_t its_path)
        : children(view), path(its_path), elements(PathShares::none), own(view.raw().size()) {}
};

class Counter {
public:
    explicit Counter(Statistics& to) : to_(to) {}

    void run(const View& root) {
        enter(root, step_in(PathShares::none, "$"));
        while (!open_.empty()) {
            Counted& top = open_.back();
            if (top.children.done()) {
                types_[static_cast<std::size_t>(top.children.type())].bytes += top.own;
                open_.pop_back();
                continue;
            }
            const Child child = top.children.next();
            top.own -= child.view.raw().size();
            enter(child.view, path_of(top, child));
        }
        for (std::size_t i = 0; i < types_.size(); ++i)
            if (types_[i].count) {
                Share& share = to_.by_type[std::string(type_name(static_cast<Type>(i)))];
                share.count += types_[i].count;
                share.bytes += types_[i].bytes;
            }
    }

private:
    void enter(const View& view, std::uint32_t path) {
        const std::uint64_t size = view.raw().size();
        ++to_.values;
        to_.depth = std::max(to_.depth, static_cast<std::uint32_t>(open_.size()));
        if (path != PathShares::none)
            to_.by_path.count(path, size);
        Share& share = types_[static_cast<std::size_t>(view.type())];
        ++share.count;
        if (detail::is_container(view))
            open_.emplace_back(view, path);
        else
            share.bytes += size;
    }

    std::uint32_t path_of(Counted& top, const Child& child) {
        if (top.path == PathShares::none || child.role == Child::key)
            return PathShares::none;
        const bool indexed = child.role == Child::element || child.key_view.is(Type::integer);
        if (indexed && top.elements != PathShares::none)
            return top.elements;
        if (indexed)
            return top.elements = step_in(top.path, "[*]");
        step_.clear();
        append_step(step_, child);
        return step_in(top.path, step_.size() > PathShares::longest_step
                                     ? shortened_path(step_, PathShares::longest_step)
                                     : step_);
    }

    std::uint32_t step_in(std::uint32_t parent, std::string_view step) {
        const std::uint32_t node = to_.by_path.enter(parent, step, to_.max_paths);
        to_.paths_cut = to_.paths_cut || node == PathShares::none;
        return node;
    }

    Statistics& to_;
    std::array<Share, type_count> types_{};
    std::deque<Counted> open_;
    std::string step_;
};

}  // namespace

std::expected<void, Error> Statistics::add(const View& root) {
    if (!root)
        return std::unexpected(root.error());
    bytes += root.raw().size();
    Counter(*this).run(root);
    return {};
}

}  // namespace gdvar::inspect
