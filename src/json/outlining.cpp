#include "outlining.hpp"

#include "base/ascii.hpp"
#include "value/outline_guard.hpp"

namespace gdvar::detail {
namespace {

class JsonOutliner {
public:
    JsonOutliner(Outline& to, const JsonTree& tree, std::uint64_t shift)
        : to_(to), tree_(tree), shift_(static_cast<std::uint32_t>(shift)) {}

    void run() {
        // Not for a row of outlines, which grows by a factor.
        if (to_.empty())
            to_.nodes.reserve(tree_.nodes.size());
        for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
            while (!open_.empty() && tree_.nodes[open_.back().tree].end == i)
                close();
            enter(i);
        }
        while (!open_.empty())
            close();
    }

private:
    struct Open {
        std::uint32_t tree, outline;
        bool object, at_value;
    };

    void enter(std::uint32_t i) {
        const JsonNode& node = tree_.nodes[i];
        if (!open_.empty()) {
            Open& parent = open_.back();
            if (parent.object && !parent.at_value) {
                parent.at_value = true;
                key_begin_ = node.offset + shift_;
                last_ = string_end(node);
                key_end_ = last_ + shift_;
                return;
            }
            parent.at_value = false;
            ++to_.nodes[parent.outline].count;
        }
        const std::uint32_t made =
            to_.open({.begin = node.offset + shift_, .key_begin = key_begin_, .key_end = key_end_});
        key_begin_ = key_end_ = 0;
        if (node.kind == JsonNode::array || node.kind == JsonNode::object) {
            const bool object = node.kind == JsonNode::object;
            to_.nodes[made].kind = object ? OutlineKind::dictionary : OutlineKind::array;
            last_ = node.offset + 1;
            to_.nodes[made].inner = last_ + shift_;
            open_.push_back({i, made, object, false});
            return;
        }
        last_ = leaf_end(node);
        to_.close(made, last_ + shift_);
    }

    /// Only white space and a comma precede the bracket.
    void close() {
        while (is_json_space(tree_.source[last_]) || tree_.source[last_] == ',')
            ++last_;
        to_.close(open_.back().outline, ++last_ + shift_);
        open_.pop_back();
    }

    std::uint32_t leaf_end(const JsonNode& node) const noexcept {
        switch (node.kind) {
            case JsonNode::null:
                return node.offset + 4;
            case JsonNode::boolean:
                return node.offset + (node.truth ? 4 : 5);
            case JsonNode::number:
                return node.from + node.count;
            default:
                return string_end(node);
        }
    }
    std::uint32_t string_end(const JsonNode& node) const noexcept {
        if (!node.decoded)
            return node.from + node.count + 1;
        std::uint32_t at = node.offset + 1;
        while (tree_.source[at] != '"')
            at += tree_.source[at] == '\\' ? 2 : 1;
        return at + 1;
    }

    Outline& to_;
    const JsonTree& tree_;
    const std::uint32_t shift_;
    std::vector<Open> open_;
    std::uint32_t last_ = 0;                     ///< the end of the last value read
    std::uint32_t key_begin_ = 0, key_end_ = 0;  ///< of the next value
};

}  // namespace

void add_outline(Outline& to, const JsonTree& tree, std::uint64_t shift) {
    OutlineGuard guard(&to);
    JsonOutliner(to, tree, shift).run();
    guard.keep();
}

}  // namespace gdvar::detail
