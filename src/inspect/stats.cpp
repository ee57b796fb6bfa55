#include "gdvar/inspect/stats.hpp"

#include <vector>

#include "gdvar/inspect/lookup.hpp"

namespace gdvar {
namespace {

struct Open {
    View view;
    std::string path;  ///< empty: not kept
    std::uint32_t depth;
};

}  // namespace

void Statistics::add(const View& root) {
    std::vector<Open> left{{root, "$", 0}};
    while (!left.empty()) {
        const Open at = std::move(left.back());
        left.pop_back();
        const std::uint64_t all = at.view.raw().size();
        std::uint64_t inside = 0;
        ++values;
        depth = std::max(depth, at.depth);
        if (!at.path.empty()) {
            if (by_path.size() < max_paths || by_path.contains(at.path)) {
                Share& share = by_path[at.path];
                ++share.count;
                share.bytes += all;
            } else {
                paths_cut = true;
            }
        }
        const auto enter = [&](const View& child, const std::string& step) {
            inside += child.raw().size();
            left.push_back({child, at.path.empty() || step.empty() ? std::string() : at.path + step,
                            at.depth + 1});
        };
        for (const auto elements = at.view.elements(); const View& element : elements)
            enter(element, "[*]");
        std::size_t ordinal = 0;
        for (const auto pairs = at.view.pairs(); const View::Pair& pair : pairs) {
            enter(pair.key, "");
            const bool indexed = pair.key.is(Type::integer);
            enter(pair.value, indexed ? "[*]" : key_step(pair.key, ordinal));
            ++ordinal;
        }
        for (const auto properties = at.view.properties();
             const View::Property& property : properties)
            enter(property.value, name_step(property.name));
        Share& share = by_type[std::string(type_name(at.view.type()))];
        ++share.count;
        share.bytes += all - inside;
        if (at.depth == 0)
            bytes += all;
    }
}

}  // namespace gdvar
