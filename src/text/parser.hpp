// The parser of text: the Lexer's tokens, and a stack of open containers.
#pragma once

#include <vector>

#include "base/plain_number.hpp"
#include "constructors.hpp"
#include "lexer.hpp"
#include "typed.hpp"
#include "value/value_stack.hpp"

namespace gdvar::detail {

struct OwnedType {
    ContainerKind kind = ContainerKind::untyped;
    Type type = Type::nil;
    String name;
    ContainerType view() const noexcept { return {kind, type, name}; }
};

/// An open Array, Dictionary or Object. Its contents so far are in `waiting_`.
struct TextEntry {
    enum Kind : std::uint8_t { array, dictionary, object } kind = array;
    TokenKind close = TokenKind::bracket_close;
    Type made = Type::array;  ///< array, or packed_typed_array
    bool wrapped = false;     ///< a ')' follows the closing bracket
    bool comma = false;       ///< a value is complete: a comma or the end must follow
    bool at_value = false;    ///< dictionary, object: the key was read
    bool misfits = false;     ///< its type does not take all elements
    std::size_t offset = 0;   ///< of the first token, for errors
    std::size_t first = 0;    ///< its first value in `waiting_`; for an Object, the Object itself
    std::unique_ptr<OwnedType[]> types;  ///< two, if the head names any
    Dictionary merged;                   ///< dictionary: the pairs removed from `waiting_`
    std::size_t capacity = 0;            ///< of `merged`

    OwnedType& type(std::size_t i) {
        if (!types)
            types = std::make_unique<OwnedType[]>(2);
        return types[i];
    }
    ContainerType view(std::size_t i) const noexcept {
        return types ? types[i].view() : ContainerType();
    }
};

struct Number {
    double real = 0;
    std::int64_t whole = 0;
    bool is_whole = false;
};

/// Functions that return bool return false with `lexer_.fault` set. May throw bad_alloc.
class Parser {
public:
    Parser(std::string_view text, const ParseOptions& options)
        : text_(text),
          options_(options),
          rules_(options.full ? full_text_rules : text_rules(options.family)),
          exact_(options.full || options.strict_numbers),
          outline_(options.outline),
          lexer_(text, options) {}

    bool run();
    Variant& result() noexcept { return result_; }
    const TextFault& fault() const noexcept { return lexer_.fault; }
    std::size_t position() const noexcept { return lexer_.position(); }

private:
    // parse.cpp: containers
    bool plain();
    bool plain_value(std::size_t& at);
    bool step();
    bool step_array(TextEntry& entry);
    bool step_pairs(TextEntry& entry);
    bool complete(Variant&& value);
    bool open(bool brace);
    bool push(TextEntry&& entry);
    bool close(TextEntry& entry);
    Array array_of(const TextEntry& entry);
    Dictionary pairs_of(TextEntry& entry);
    void merge_waiting(TextEntry& entry, bool closing);
    bool merges_now(const TextEntry& entry);
    bool keeps_pairs() const noexcept { return options_.full || outline_; }
    Object object_of(const TextEntry& entry);
    bool fit(TextEntry& entry, Array& array);
    bool fit(TextEntry& entry, Dictionary& pairs);
    template <class Change>
    bool take_misfits(TextEntry& entry, Fit worst, Type type, Change&& change);

    // values.cpp: literals, numbers
    bool value();
    bool literal();
    bool named();
    const std::optional<Construct>& find_named(std::string_view name);
    bool construct(const Construct& what, std::size_t offset);
    bool math(const Construct& what, std::size_t offset);
    bool packed(const Construct& what, std::size_t offset);
    bool base64(std::size_t offset);
    bool components(ComponentType kind, std::vector<std::byte>& to);
    void plain_components(ComponentType kind, std::vector<std::byte>& to);
    bool component(ComponentType component, std::vector<std::byte>& to);
    bool nan_component(ComponentType component, std::vector<std::byte>& to);
    bool exact_component(ComponentType component, std::vector<std::byte>& to);
    bool number_token(Number& number);

    // names.cpp: names, handles, Godot 2's types
    bool node_path();
    bool node_path_parts(std::size_t offset);
    bool strings();
    bool string_list(PackedStringArray& to, TokenKind close);
    bool rid();
    bool signal();
    bool callable();
    bool unsigned_number(std::uint64_t& value);
    bool image(std::size_t offset);
    bool image_bytes(Image& to, std::size_t offset, bool needed);
    bool input_event(std::size_t offset);

    // godot_2.cpp: Godot 1 and 2 only
    bool image_2(std::size_t offset);
    bool input_event_2();
    bool event(std::size_t offset);

    // heads.cpp: heads of containers
    bool object(std::size_t offset);
    bool typed_array(Type type, std::size_t offset);
    bool typed_dictionary(std::size_t offset);
    bool pandemonium_array(Type type, std::size_t offset);
    bool element_type(TextEntry& entry, std::size_t which);

    // references.cpp: references to resources
    bool reference(std::size_t offset);
    bool reference_arguments(Object& to, std::size_t offset);
    bool reference_paths(Object& to, std::size_t offset);
    bool script_type(OwnedType& type);

    // outlining.cpp: positions of values. Called only if there is an outline.
    void begin_node();
    void end_node();
    void open_node(TextEntry::Kind kind);
    void make_leaf();
    void note_name() noexcept;
    void note_elements();
    std::uint32_t place(std::size_t offset) const noexcept;

    /// Reports a loss: a part of the text that the value lacks.
    void lose(std::size_t offset, std::string_view what) const {
        if (options_.loss)
            (*options_.loss)(offset, what);
    }
    Fit fit_one(const TextEntry& entry, Variant& value, const ContainerType& type) const;
    void put(const TextEntry& entry, Dictionary& to, Variant key, Variant value) const;
    bool expect(TokenKind kind, std::string_view detail);
    /// The next tokens are these marks, one a character.
    bool marks(std::string_view wanted);
    bool is(TokenKind kind) const noexcept { return lexer_.token.kind == kind; }
    bool fail(Errc code, std::string_view detail, Type type = Type::nil) {
        return lexer_.fail(code, lexer_.token.offset, detail, type);
    }
    /// For errors in spite of which an engine returns a value. Makes that value if the options
    /// accept it and the value is not inside a container.
    bool partial(Variant value);

    std::string_view text_;
    const ParseOptions& options_;
    const TextRules& rules_;
    const bool exact_;  ///< refuses numbers that do not fit
    Outline* const outline_;
    std::vector<std::uint32_t> open_nodes_;  ///< of `outline_`; the innermost comes last
    std::size_t key_depth_ = SIZE_MAX;  ///< of the stack when the key began; keys have no nodes
    std::uint32_t key_begin_ = 0, key_end_ = 0;  ///< of the next node
    Lexer lexer_;
    std::vector<TextEntry> stack_;
    std::vector<std::byte> components_;  ///< of the last vector or matrix
    ValueStack waiting_;                 ///< values of open containers
    PartMaker maker_;
    std::string_view last_name_;     ///< the last constructor, and
    std::optional<Construct> last_;  ///< its construct
    Variant result_;
    bool done_ = false;
    std::uint64_t nodes_ = 0;
};

}  // namespace gdvar::detail
