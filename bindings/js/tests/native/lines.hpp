// The answers to a case, as text that native.mjs's counterpart in JavaScript (answers.mjs) makes
// to the letter.
#ifndef GDVAR_JS_TESTS_LINES_HPP
#define GDVAR_JS_TESTS_LINES_HPP

#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/gdvar.h"

namespace verdicts {

/// A case: what is asked, and of what. The fields of each question: cases.mjs.
using Case = std::vector<std::string_view>;

inline std::string_view view(gdvar_text text) {
    return {text.data ? text.data : "", text.size};
}
inline std::string_view view(gdvar_bytes bytes) {
    return {bytes.data ? static_cast<const char*>(bytes.data) : "", bytes.size};
}
inline gdvar_bytes bytes_of(std::string_view bytes) {
    return {bytes.data(), bytes.size()};
}
inline gdvar_text text_of(std::string_view text) {
    return {text.data(), text.size()};
}

/// A hash in 16 hexadecimal digits.
std::string hash(std::string_view bytes);
/// Short bytes in hex; of others the size and the hash.
std::string digest(std::string_view bytes);
/// The words between `separator`.
std::vector<std::string_view> split(std::string_view text, char separator);
std::uint64_t number(std::string_view text);

struct Free {
    void operator()(gdvar_buffer* buffer) const { gdvar_buffer_free(buffer); }
    void operator()(gdvar_document* document) const { gdvar_document_free(document); }
    void operator()(gdvar_save* save) const { gdvar_save_free(save); }
    void operator()(gdvar_recovery* recovery) const { gdvar_recovery_free(recovery); }
    void operator()(gdvar_framer* framer) const { gdvar_framer_free(framer); }
};
template <class T>
using Handle = std::unique_ptr<T, Free>;

/// A gdvar_buffer.
class Buffer {
public:
    gdvar_buffer* get() { return buffer_.get(); }
    /// The text written since the last call.
    std::string take() {
        std::string out(view(gdvar_buffer_bytes(buffer_.get())));
        gdvar_buffer_clear(buffer_.get());
        return out;
    }

private:
    Handle<gdvar_buffer> buffer_{gdvar_buffer_new()};
};

/// The lines said of one case: fields with tabs between them.
class Lines {
public:
    template <class... Fields>
    void say(const Fields&... fields) {
        bool first = true;
        ((add(first, fields)), ...);
        text_ += '\n';
    }
    /// The lines of another one behind these.
    void say_all(const Lines& more) { text_ += more.text_; }
    /// An error as GdvarError has it. `path`: of the value, "-" if the call knows none.
    void error(const gdvar_error& error, std::string_view path = "-");
    /// All lines in sound UTF-8: what is none has U+FFFD for each byte, as what a TextEncoder makes
    /// of the strings that the package has for it.
    [[nodiscard]] std::string text() const;

private:
    void add(bool& first, std::string_view field) {
        if (!first)
            text_ += '\t';
        first = false;
        text_ += field;
    }
    void add(bool& first, const char* field) { add(first, std::string_view(field)); }
    void add(bool& first, gdvar_text field) { add(first, view(field)); }
    void add(bool& first, std::integral auto field) {
        add(first, std::string_view(std::to_string(field)));
    }

    std::string text_;
};

/// One function for each kind of case; an unknown question ends the program.
void say_packet(const Case& asked, Lines& out);
void say_save(const Case& asked, Lines& out);

/// "godot-4.4 3 1024 4294967295 18446744073709551615": dialect, flags and limits.
gdvar_options options_of(std::string_view words);
/// Takes a gdvar_loss for a Lines.
void say_loss(void* lines, const gdvar_loss* loss);
/// Takes a gdvar_refusal for a Lines.
void say_refusal(void* lines, const gdvar_refusal* refusal);

}  // namespace verdicts

#endif
