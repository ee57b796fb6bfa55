// The hash of a whole key, by the rules of an engine: equal keys have equal hashes.
// Room: wire, private.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/process_key.hpp"
#include "gdvar/wire/packed.hpp"
#include "gdvar/wire/reader.hpp"
#include "wire/key_rules.hpp"

namespace gdvar::detail {

/// To which keys of its Dictionary a key is equal: to those with the same digest; to itself alone;
/// to none, so that the engine never finds its value again.
enum class KeyMatch : std::uint8_t { equal, itself, nothing };

/// A key as an engine compares it.
struct KeyIdentity {
    Digest digest{};
    KeyMatch match = KeyMatch::equal;
    bool merges() const noexcept { return match == KeyMatch::equal; }
};

/// A sink that hashes everything it is driven with: every leaf, count, name and text. A container's
/// digest goes into the digest of the container around it. So each value is hashed once, however
/// deep it lies, and digests of parts can be stored and added.
class KeyHash : public NullSink {
public:
    /// `rules` must outlive it. The whole digest of a part goes into the container around it. With
    /// `halves` only the lower half does, for callers that store 64 bits of a part.
    explicit KeyHash(const KeyRules& rules, bool halves = false) noexcept
        : rules_(rules), halves_(halves) {}

    /// The lower half of the digest of an int that is a key.
    static std::uint64_t of_integer(std::int64_t value) noexcept {
        Sip<1, 3> hash(process_key());
        hash.word(word_of(Type::integer));
        hash.word(static_cast<std::uint64_t>(value));
        return hash.finish(structured);
    }

    /// That of the last complete value.
    const KeyIdentity& identity() const noexcept { return last_; }
    const Digest& digest() const noexcept { return last_.digest; }
    /// Whether a container has begun and not ended.
    bool open() const noexcept { return !stack_.empty(); }
    /// Whether the next value is a key of the open Dictionary. It is then compared like a key that
    /// stands alone.
    bool at_key() const noexcept {
        return open() && stack_[stack_.size() - 1].turn == State::next_key;
    }

    Errc nil() { return leaf(Type::nil); }
    Errc boolean(bool value) { return leaf(Type::boolean, value); }
    Errc integer(std::int64_t value) {
        return leaf(Type::integer, static_cast<std::uint64_t>(value));
    }
    Errc real(double value) {
        return leaf(Type::real, [&](State& to) {
            if (value != value && !rules_.nan_items && open() && !at_key())
                to.take(KeyMatch::itself);
            to.real(value);
        });
    }
    Errc string(std::string_view text) {
        if (!hold(text))
            return Errc::no_memory;
        if (open())
            return leaf(Type::string, [&](State& to) { to.text(text); });
        State alone(process_key());
        alone.hash.text(text, static_cast<std::uint8_t>(text.size()));
        last_ = {alone.hash.finish_twice()};
        return Errc::ok;
    }
    /// Where a StringName is the same key as a String, it differs from it as an element or a value
    /// in another key.
    Errc string_name(std::string_view text) {
        if (rules_.text_types && (!open() || at_key()))
            return string(text);
        if (!hold(text))
            return Errc::no_memory;
        return leaf(Type::string_name, [&](State& to) { to.text(text); });
    }
    Errc math(const MathView& value) {
        return leaf(value.type, [&](State& to) { to.math(value); });
    }
    Errc node_path(const NodePathView& path) {
        bool held = true;
        const Errc code = leaf(Type::node_path, [&](State& to) {
            const bool somewhere = path.name_count() + path.subname_count() > 0;
            to.hash.word(path.absolute() && (somewhere || rules_.absolute_nowhere));
            path.each([&](std::string_view name, bool subname) {
                to.hash.word(subname ? 2 : 1);
                held = hold(name) && held;
                to.text(name);
            });
            to.hash.word(0);
        });
        return held ? code : Errc::no_memory;
    }
    Errc rid(std::uint64_t id) { return leaf(Type::rid, id); }
    Errc object_null() { return object_id(0); }
    Errc object_id(std::uint64_t id) {
        return leaf(Type::object, [&](State& to) {
            to.hash.word(id);
            if (id != 0)
                to.take(KeyMatch::itself);
        });
    }
    Errc callable() { return leaf(Type::callable); }
    Errc signal(std::string_view name, std::uint64_t object) {
        if (!hold(name))
            return Errc::no_memory;
        return leaf(Type::signal, [&](State& to) {
            to.text(name);
            to.hash.word(object);
        });
    }
    Errc packed(const PackedView& value) {
        return leaf(value.type, [&](State& to) { to.packed(value, rules_.packed_reals); });
    }
    Errc image(const ImageView& image) {
        return leaf(Type::image, [&](State& to) {
            for (const std::uint64_t word :
                 {image.format, image.mipmaps, image.width, image.height})
                to.hash.word(word);
            to.text(as_text(image.data.data(), image.data.size()));
        });
    }
    Errc input_event(const InputEventView& event) {
        return leaf(Type::input_event, [&](State& to) {
            for (const std::uint64_t word :
                 {event.type, event.device, event.words[0], event.words[1]})
                to.hash.word(word);
        });
    }

    Errc begin_array(Type type, const ContainerType&, std::uint32_t count) {
        return begin(type, count);
    }
    Errc begin_dictionary(const ContainerType&, const ContainerType&, std::uint32_t count) {
        const Errc code = begin(Type::dictionary, count);
        if (code != Errc::ok)
            return code;
        stack_.top().turn = State::next_key;
        stack_.top().alone = !rules_.dictionaries;
        return code;
    }
    Errc begin_object(std::string_view class_name, std::uint32_t count) {
        if (const Errc code = begin(Type::object, count); code != Errc::ok)
            return code;
        stack_.top().text(class_name);
        stack_.top().alone = true;
        return Errc::ok;
    }
    Errc property(std::string_view name) {
        stack_.top().text(name);
        return Errc::ok;
    }
    Errc begin_packed_strings(std::uint32_t count) {
        return begin(Type::packed_string_array, count);
    }
    Errc packed_string(std::string_view text) {
        if (!hold(text))
            return Errc::no_memory;
        stack_.top().text(text);
        return Errc::ok;
    }
    Errc end() {
        State whole = stack_.pop();
        last_ = whole.finished();
        if (open())
            add(last_);
        return Errc::ok;
    }
    /// Adds a container that was hashed before to the open container.
    void add(const KeyIdentity& part) noexcept {
        State& to = stack_.top();
        to.hash.word(word_of(Type::array, UINT32_MAX));
        to.hash.word(part.digest.low);
        if (!halves_)
            to.hash.word(part.digest.high);
        to.take(part.match);
        to.take_turn();
    }

private:
    /// The final mark of a hash of anything but a single text.
    static constexpr std::uint8_t structured = 0xEE;

    static std::uint64_t word_of(Type type, std::uint32_t count = 0) noexcept {
        return static_cast<std::uint64_t>(type) << 32 | count;
    }

    /// The state of one container, or of a leaf that stands alone.
    struct State {
        Sip<1, 3> hash;
        KeyMatch match = KeyMatch::equal;
        bool alone = false;  ///< equals itself alone, whatever is in it
        enum Turn : std::uint8_t {
            no_pairs,
            next_key,
            next_value
        } turn = no_pairs;  ///< what comes next

        State() = default;
        explicit State(const SipKey& key) noexcept : hash(key) {}

        void take_turn() noexcept {
            if (turn != no_pairs)
                turn = turn == next_key ? next_value : next_key;
        }
        /// As a key is compared, so are the keys that hold it.
        void take(KeyMatch part) noexcept { match = std::max(match, part); }
        KeyIdentity finished() noexcept {
            return {hash.finish_twice(structured), alone ? KeyMatch::itself : match};
        }
        void text(std::string_view text) noexcept {
            hash.word(text.size());
            hash.text(text, 0);
        }
        /// All zeros are equal, and all NaNs.
        void real(double value) noexcept {
            if (value != value)
                value = std::numeric_limits<double>::quiet_NaN();
            hash.word(value == 0 ? 0 : std::bit_cast<std::uint64_t>(value));
        }
        /// Single and double width have equal hashes.
        void math(const MathView& value) noexcept {
            for (std::size_t i = 0; i < value.components(); ++i) {
                if (value.integral())
                    hash.word(static_cast<std::uint64_t>(value.integer(i)));
                else
                    real(value.real(i));
            }
        }
        void packed(const PackedView& value, PackedReals reals) noexcept {
            hash.word(value.count);
            const std::size_t components = value.count * value.components();
            if (value.type == Type::packed_float32_array && reals != PackedReals::values)
                return bits(value, reals);
            switch (value.component()) {
                case ComponentType::f32:
                    for (std::size_t i = 0; i < components; ++i)
                        real(static_cast<double>(value.component_at<float>(i)));
                    break;
                case ComponentType::f64:
                    for (std::size_t i = 0; i < components; ++i)
                        real(value.component_at<double>(i));
                    break;
                default:
                    // The byte order does not matter: all keys in one process have the same.
                    hash.text(as_text(value.data, value.size()), 0);
                    break;
            }
        }
        void bits(const PackedView& value, PackedReals reals) noexcept {
            hash.text(as_text(value.data, value.size()), 0);
            for (std::size_t i = 0; i < value.count && reals == PackedReals::bits_but_nan; ++i)
                if (std::isnan(value.component_at<float>(i)))
                    take(KeyMatch::nothing);
        }
    };

    template <class Add>
    Errc leaf(Type type, Add&& add) {
        const auto into = [&](State& to) {
            to.hash.word(word_of(type));
            if constexpr (std::is_invocable_v<Add, State&>)
                add(to);
            else
                to.hash.word(add);
        };
        if (open()) {
            into(stack_.top());
            stack_.top().take_turn();
            return Errc::ok;
        }
        State alone(process_key());
        into(alone);
        last_ = alone.finished();
        return Errc::ok;
    }
    Errc leaf(Type type) { return leaf(type, std::uint64_t{0}); }
    /// Makes it the text that the engine holds. False without memory.
    bool hold(std::string_view& text) noexcept {
        if (rules_.texts.stays(text))
            return true;
        text = rules_.texts.cut(text);
        if (!rules_.texts.has_overlong(text))
            return true;
        if (!rules_.texts.shorten(text, shortened_))
            return false;
        text = {shortened_.data(), shortened_.size()};
        return true;
    }

    Errc begin(Type type, std::uint32_t count) {
        State fresh(process_key());
        fresh.hash.word(word_of(type, count));
        return stack_.push(fresh) ? Errc::ok : Errc::no_memory;
    }

    const KeyRules& rules_;
    EntryStack<State, 4> stack_;
    KeyIdentity last_;
    PackedArray<char> shortened_;  ///< the text that was held last
    bool halves_;
};

}  // namespace gdvar::detail
