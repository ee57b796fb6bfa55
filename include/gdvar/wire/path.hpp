// Paths: the place of a part in a value, `$.players[3].pos`. The grammar, used in every message:
//
//   $              the whole value
//   .name          a String or StringName key, or a property, that is an identifier
//   ["odd key"]    any other String or StringName key or property, escaped as in C
//   [3]            an element of an Array or PackedStringArray; an int key
//   [1.5] [true] [null] [Vector2i(1, 2)] [NodePath("a:b")] [RID(7)]    keys of these types
//   [@5]           the sixth pair, where the key is a container, an Object or a packed array
//   [@5 key]       inside that pair's key itself
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/wire/detail/path_step.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/reader.hpp"

namespace gdvar GDVAR_EXPORT {

/// The path of the last value whose header is at or before `offset`, as far as the Reader gets.
std::string path_at(ByteView bytes, const DecodeOptions& options, std::uint64_t offset);
/// A path for messages. A path of more than `most` bytes is cut in the middle: its two ends stay,
/// in whole characters of UTF-8, with `...` between them. The result has at most `most` bytes.
std::string shortened_path(std::string_view path, std::size_t most);
/// The most bytes that `error_path` returns: a key may be as long as the packet.
inline constexpr std::size_t most_error_path = 300;
/// The path of the value refused with `error`; for a missing value behind its key, that value's. A
/// long path is cut in the middle (`most_error_path`; `path_at(bytes, options, error.offset)` is
/// complete). `bytes`, in any form, also a PackedByteArray or a std::string, are the decoded
/// packet.
std::string error_path(ByteView bytes, const DecodeOptions& options, const Error& error);
template <ByteRange Bytes>
std::string error_path(const Bytes& bytes, const DecodeOptions& options, const Error& error) {
    return error_path(as_bytes(bytes), options, error);
}

namespace detail {

/// The path of the value after the end of an incomplete packet, whatever its counts promise.
std::string path_of_next(ByteView begun, const DecodeOptions& options);

}  // namespace detail

/// Wraps a sink and knows, at each event, the path of its value. After a refusal `path()` is the
/// path of the refused value. Keeps one step for each open container; names are borrowed from the
/// source, which must outlive it.
template <class Inner>
class PathTracker {
public:
    explicit PathTracker(Inner& inner) noexcept : inner_(inner) {}

    /// The path of the last announced value.
    std::string path() const { return std::string(current_path()); }
    /// The same, borrowed until the next event. Prints only the steps that are new since the last
    /// call, so calling it at every event costs no more than the names in the source.
    std::string_view current_path() const {
        text_.resize(printed_.empty() ? 1 : printed_.back(), '$');
        while (printed_.size() < steps_.size()) {
            detail::append_step(text_, steps_[printed_.size()]);
            printed_.push_back(text_.size());
        }
        return text_;
    }

    /// The path of the next value, which was not announced yet: for bytes that are cut.
    std::string path_of_next() const {
        std::vector<detail::PathStep> steps = steps_;
        if (!steps.empty())
            advance(steps.back(), true);
        std::string out = "$";
        for (const detail::PathStep& step : steps)
            detail::append_step(out, step);
        return out;
    }

    /// True if the last announced value is a Dictionary's key.
    bool at_key() const noexcept {
        return !steps_.empty() && steps_.back().kind == detail::PathStep::key;
    }

    void at(std::size_t offset) {
        if constexpr (requires { inner_.at(offset); })
            inner_.at(offset);
    }
    void raw(Field field, std::size_t offset, std::size_t size)
        requires requires(Inner& inner) { inner.raw(field, offset, size); }
    {
        inner_.raw(field, offset, size);
    }
    void quirk(Quirk quirk, std::size_t offset)
        requires requires(Inner& inner) { inner.quirk(quirk, offset); }
    {
        inner_.quirk(quirk, offset);
    }
    static constexpr bool reads_to_the_break = requires { requires Inner::reads_to_the_break; };

    Errc nil() {
        return leaf([&](auto& sink) { return sink.nil(); });
    }
    Errc boolean(bool v) {
        return leaf([&](auto& sink) { return sink.boolean(v); });
    }
    Errc integer(std::int64_t v) {
        return leaf([&](auto& sink) { return sink.integer(v); });
    }
    Errc real(double v) {
        return leaf([&](auto& sink) { return sink.real(v); });
    }
    Errc string(std::string_view v) {
        return leaf([&](auto& sink) { return sink.string(v); });
    }
    Errc string_name(std::string_view v) {
        return leaf([&](auto& sink) { return sink.string_name(v); });
    }
    Errc math(const MathView& v) {
        return leaf([&](auto& sink) { return sink.math(v); });
    }
    Errc node_path(const NodePathView& v) {
        return leaf([&](auto& sink) { return sink.node_path(v); });
    }
    Errc rid(std::uint64_t v) {
        return leaf([&](auto& sink) { return sink.rid(v); });
    }
    Errc object_null() {
        return leaf([&](auto& sink) { return sink.object_null(); });
    }
    Errc object_id(std::uint64_t v) {
        return leaf([&](auto& sink) { return sink.object_id(v); });
    }
    Errc callable() {
        return leaf([&](auto& sink) { return sink.callable(); });
    }
    Errc signal(std::string_view name, std::uint64_t object) {
        return leaf([&](auto& sink) { return sink.signal(name, object); });
    }
    Errc packed(const PackedView& v) {
        return leaf([&](auto& sink) { return sink.packed(v); });
    }
    Errc image(const ImageView& v) {
        return leaf([&](auto& sink) { return sink.image(v); });
    }
    Errc input_event(const InputEventView& v) {
        return leaf([&](auto& sink) { return sink.input_event(v); });
    }
    Errc begin_object(std::string_view name, std::uint32_t count) {
        advance();
        return open(detail::PathStep::property, inner_.begin_object(name, count));
    }
    Errc property(std::string_view name) {
        top_changes();
        top().name = name;
        top().form = detail::PathStep::text;
        ++top().index;
        return inner_.property(name);
    }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value,
                          std::uint32_t count) {
        advance();
        // The first `advance` turns it to the key of pair 0.
        return open(detail::PathStep::value, inner_.begin_dictionary(key, value, count));
    }
    Errc begin_array(Type type, const ContainerType& element, std::uint32_t count) {
        advance();
        return open(detail::PathStep::array, inner_.begin_array(type, element, count));
    }
    Errc begin_packed_strings(std::uint32_t count) {
        advance();
        return open(detail::PathStep::strings, inner_.begin_packed_strings(count));
    }
    Errc packed_string(std::string_view v) {
        top_changes();
        ++top().index;
        return inner_.packed_string(v);
    }
    Errc end() {
        top_changes();
        steps_.pop_back();
        return inner_.end();
    }

private:
    detail::PathStep& top() noexcept { return steps_.back(); }

    /// Forgets the printed text of the innermost step, which changes now.
    void top_changes() {
        if (printed_.size() == steps_.size())
            printed_.pop_back();
    }
    /// Moves the innermost step to the current value.
    void advance() {
        if (steps_.empty())
            return;
        top_changes();
        advance(top(), false);
    }
    static void advance(detail::PathStep& step, bool unannounced) {
        if (step.kind == detail::PathStep::key) {
            step.kind = detail::PathStep::value;
        } else if (step.kind == detail::PathStep::value) {
            step.kind = detail::PathStep::key;
            step.form = detail::PathStep::ordinal;
            ++step.index;
        } else if (step.kind == detail::PathStep::array ||
                   (unannounced && step.kind == detail::PathStep::strings)) {
            ++step.index;
        }
    }
    template <class Event>
    Errc leaf(Event&& event) {
        advance();
        const Errc code = event(inner_);
        // A refused key is still "[@N key]"; an accepted one names the pair.
        if (code == Errc::ok && !steps_.empty() && top().kind == detail::PathStep::key) {
            top_changes();
            detail::KeyStep key(top());
            (void)event(key);
        }
        return code;
    }
    Errc open(detail::PathStep::Kind kind, Errc code) {
        if (code != Errc::ok)
            return code;
        detail::PathStep step;
        step.kind = kind;
        step.index = UINT32_MAX;
        steps_.push_back(step);
        return code;
    }

    Inner& inner_;
    std::vector<detail::PathStep> steps_;
    mutable std::string text_;                  ///< "$" and the steps that are printed
    mutable std::vector<std::size_t> printed_;  ///< the end of each step in `text_`
};

}  // namespace gdvar
