#include "parser.hpp"

namespace gdvar::detail {

static_assert(static_cast<int>(OutlineKind::array) == 1 + TextEntry::array &&
              static_cast<int>(OutlineKind::dictionary) == 1 + TextEntry::dictionary &&
              static_cast<int>(OutlineKind::object) == 1 + TextEntry::object);

std::uint32_t Parser::place(std::size_t offset) const noexcept {
    return static_cast<std::uint32_t>(offset + options_.outline_shift);
}

void Parser::begin_node() {
    if (key_depth_ != SIZE_MAX)
        return;
    const std::uint32_t begin = place(lexer_.token.offset);
    if (!stack_.empty() && stack_.back().kind == TextEntry::dictionary && !stack_.back().at_value) {
        key_depth_ = stack_.size();
        key_begin_ = begin;
        return;
    }
    open_nodes_.push_back(
        outline_->open({.begin = begin, .key_begin = key_begin_, .key_end = key_end_}));
    key_begin_ = key_end_ = 0;
}

/// The last begun value ends here.
void Parser::end_node() {
    if (key_depth_ != SIZE_MAX) {
        if (key_depth_ == stack_.size()) {
            key_depth_ = SIZE_MAX;
            key_end_ = place(lexer_.position());
        }
        return;
    }
    outline_->close(open_nodes_.back(), static_cast<std::size_t>(place(lexer_.position())));
    open_nodes_.pop_back();
    if (!open_nodes_.empty())
        ++outline_->nodes[open_nodes_.back()].count;
}

/// The value is a container, whose children begin here.
void Parser::open_node(TextEntry::Kind kind) {
    if (key_depth_ != SIZE_MAX)
        return;
    OutlineNode& node = outline_->nodes[open_nodes_.back()];
    node.kind = static_cast<OutlineKind>(1 + kind);
    node.inner = place(lexer_.position());
}

/// The container lost its children, or has no place for any: it can only be replaced as a whole.
void Parser::make_leaf() {
    if (key_depth_ != SIZE_MAX)
        return;
    outline_->nodes.resize(open_nodes_.back() + 1);
    OutlineNode& node = outline_->nodes.back();
    node.kind = OutlineKind::leaf;
    node.inner = node.count = 0;
}

void Parser::note_name() noexcept {
    if (key_depth_ != SIZE_MAX)
        return;
    key_begin_ = place(lexer_.token.offset);
    key_end_ = place(lexer_.position());
}

/// `TypedArray( T , a, b )`: the elements follow the type's comma. Without it there is no place for
/// any.
void Parser::note_elements() {
    if (!lexer_.followed_by(',')) {
        make_leaf();
    } else if (key_depth_ == SIZE_MAX) {
        outline_->nodes[open_nodes_.back()].inner = place(lexer_.position() + 1);
    }
}

}  // namespace gdvar::detail
