// Reader: the only code that parses packets. It drives a sink.
// Room: wire. See docs/architecture.md for sinks and sources.
#pragma once

#include <bit>
#include <expected>

#include "gdvar/base/utf8.hpp"
#include "gdvar/wire/detail/entry_stack.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/quirk.hpp"
#include "gdvar/wire/sink.hpp"

namespace gdvar {

namespace detail {

template <class Sink>
class Reader {
    static constexpr bool has_at = requires(Sink& s) { s.at(std::size_t{}); };
    static constexpr bool has_raw =
        requires(Sink& s) { s.raw(Field::header, std::size_t{}, std::size_t{}); };
    static constexpr bool has_quirk = requires(Sink& s) { s.quirk(Quirk{}, std::size_t{}); };
    /// The bytes of headers still to come are set aside when their container is opened.
    static constexpr bool sets_aside = !requires { requires Sink::reads_to_the_break; };
    /// Sinks that want every byte get it from the long way.
    static constexpr bool has_fast_path = sets_aside && !has_raw && !has_quirk;

public:
    Reader(ByteView bytes, const DecodeOptions& options, Sink& sink) noexcept
        : options_(options),
          dialect_(*options.dialect),
          sink_(sink),
          base_(bytes.data()),
          size_(bytes.size()),
          noting_(has_quirk || options.strict),
          page_wide_(options.real_width == 8 && dialect_.documented),
          fast_(!noting_ && !page_wide_) {}

    [[nodiscard]] std::expected<std::size_t, Error> run() {
        if (!start() || !values() || !finish())
            return std::unexpected(error_);
        return pos_;
    }

    // ---- a step at a time, for Cursor ----------------------------------------------------

    /// An open container: what it is, and how many values it still takes. Copied by member, as it
    /// is written: see `validate` on what wider words cost.
    struct Entry {
        std::uint32_t left;
        bool object;
    };
    /// What is counted while values are taken in a row, in registers.
    struct Lane {
        const std::byte* at;
        const std::byte* last;  ///< header of the value last begun
        std::uint64_t slack;    ///< bytes neither read nor owed
        std::uint32_t left;     ///< values of the innermost container
        bool object = false;    ///< that one is an Object
        bool whole = false;     ///< the packet has been read
    };
    /// Where the reading stands, for going back to it.
    struct Mark {
        std::size_t pos;
        std::uint64_t slack, nodes_left;
        Entry open;
        std::size_t depth;
    };

    bool start() {
        if (size_ > options_.limits.max_bytes)
            return fail(Errc::size_limit, Type::nil, 0);
        if (size_ < 4)
            return fail(Errc::truncated, Type::nil, 0, 4 - size_);
        slack_ = sets_aside ? size_ - 4 : size_;
        if constexpr (!sets_aside)
            owed_ = 4;
        nodes_left_ = options_.limits.max_nodes;
        return nodes_left_-- != 0 || fail(Errc::node_limit, Type::nil, 0);
    }
    bool finish() {
        return !options_.strict || pos_ == size_ || fail(Errc::trailing_bytes, Type::nil, pos_);
    }
    /// Reads one value; a container that has children is entered.
    bool next() {
        std::uint32_t children = 0;
        bool object = false;
        if (!value(children, object))
            return false;
        --open_.left;
        return !children || enter(open_, children, object);
    }
    /// Reads the name of an Object's next property.
    bool next_property() { return property(); }
    /// Enters a container that has no children, for a caller that leaves it by itself.
    bool enter_empty() {
        if (!stack_.push({open_.left, open_.object}))
            return fail(Errc::no_memory, Type::nil, pos_);
        open_ = {0, false};
        return true;
    }
    /// Back to the container around the innermost one.
    void leave() noexcept {
        open_ = {stack_.top().left, stack_.top().object};
        stack_.pop();
    }
    /// Nothing more is to be taken.
    void stop() noexcept { open_ = {0, false}; }
    /// What the innermost container still takes.
    const Entry& open() const noexcept { return open_; }
    std::size_t depth() const noexcept { return stack_.size(); }
    std::size_t position() const noexcept { return pos_; }
    std::size_t value_start() const noexcept { return start_; }
    ByteView bytes() const noexcept { return {base_, size_}; }
    bool noting() const noexcept { return noting_; }
    const Error& error() const noexcept { return error_; }
    /// Whether the next value, of which there is one, has exactly this header.
    bool header_is(std::uint64_t header) const noexcept {
        return load<std::uint32_t>(base_ + pos_) == header;
    }
    /// The word behind the next value's header; UINT32_MAX where the packet ends before it.
    std::uint32_t count_behind_header() const noexcept {
        return slack_ < 4 ? UINT32_MAX : load<std::uint32_t>(base_ + pos_ + 4);
    }
    std::uint32_t header() const noexcept { return load<std::uint32_t>(base_ + pos_); }
    /// The payload of the next value if it has exactly this header and those bytes are there, and
    /// it is taken; else null, and nothing has happened.
    const std::byte* take(std::uint64_t header, std::uint64_t payload) noexcept {
        if (!header_is(header) || payload > slack_) [[unlikely]]
            return nullptr;
        slack_ -= payload;
        start_ = pos_;
        const std::byte* at = base_ + pos_ + 4;
        pos_ += 4 + static_cast<std::size_t>(payload);
        --open_.left;
        return at;
    }
    /// Takes the next value if it is that header and exactly those bytes.
    template <std::size_t n>
    bool take_same(std::uint64_t header, const std::byte* payload) noexcept {
        if (n > slack_ || !header_is(header) || std::memcmp(base_ + pos_ + 4, payload, n))
            return false;
        slack_ -= n;
        start_ = pos_;
        pos_ += 4 + n;
        --open_.left;
        return true;
    }
    /// Enters the next value if it is an Array or Dictionary (`values` to an item) with exactly
    /// this header and nothing about it needs a second look; else nothing has happened.
    bool enter_unflagged(std::uint64_t header, std::uint32_t values,
                         std::uint32_t& count) noexcept {
        if (!header_is(header) || slack_ < 4)
            return false;
        const std::uint32_t n = load<std::uint32_t>(base_ + pos_ + 4);
        const std::uint64_t children = std::uint64_t{n} * values;
        if (n > 0x7FFF'FFFFu || children > nodes_left_ || 4 + children * 4 > slack_ ||
            stack_.size() >= options_.limits.max_depth ||
            !stack_.push({open_.left - 1, open_.object}))
            return false;
        slack_ -= 4 + children * 4;
        nodes_left_ -= children;
        start_ = pos_;
        pos_ += 8;
        open_ = {static_cast<std::uint32_t>(children), false};
        count = n;
        return true;
    }
    /// Takes up to `n` ints or floats in a row, of either width if there is a header for both; how
    /// many it took.
    template <class Number>
    std::size_t take_numbers(std::uint64_t narrow_header, std::uint64_t wide_header, Number* to,
                             std::size_t n) noexcept {
        if (narrow_header == FastHeaders::never || wide_header != (narrow_header | 0x1'0000u))
            return 0;
        const auto header = static_cast<std::uint32_t>(narrow_header);
        const std::byte* at = base_ + pos_;
        const std::byte* const end = base_ + size_;
        std::uint64_t slack = slack_;
        n = std::min<std::size_t>(n, open_.left);
        std::size_t i = 0;
        for (; i < n; ++i) {
            if (end - at < 12)
                break;
            const std::uint32_t found = load<std::uint32_t>(at);
            const std::uint64_t wide = (found ^ header) >> 16;
            if ((found ^ header) & ~0x1'0000u || slack < 4 + wide * 4)
                break;
            if constexpr (std::is_same_v<Number, double>)
                to[i] =
                    choose(wide, load<double>(at + 4), static_cast<double>(load<float>(at + 4)));
            else
                to[i] = wide ? load<std::int64_t>(at + 4) : load<std::int32_t>(at + 4);
            start_ = static_cast<std::size_t>(at - base_);
            at += 8 + wide * 4;
            slack -= 4 + wide * 4;
        }
        pos_ = static_cast<std::size_t>(at - base_);
        slack_ = slack;
        open_.left -= static_cast<std::uint32_t>(i);
        return i;
    }
    /// The text of the next value, of which the header has said the type.
    bool take_text(std::string_view& text, Type type) {
        start_ = pos_;
        pos_ += 4;
        if (!record(text, type))
            return false;
        --open_.left;
        return true;
    }
    /// The same in registers, for many values in a row. What is taken is taken when the lane is
    /// put back.
    Lane lane() const noexcept {
        return {base_ + pos_, base_ + start_, slack_, open_.left, open_.object};
    }
    void put_back(const Lane& lane) noexcept {
        pos_ = static_cast<std::size_t>(lane.at - base_);
        start_ = static_cast<std::size_t>(lane.last - base_);
        slack_ = lane.slack;
        open_.left = lane.left;
    }
    [[gnu::always_inline]] bool sound_text(std::string_view text) const noexcept {
        const auto* from = reinterpret_cast<const std::byte*>(text.data());
        const auto readable = static_cast<std::size_t>(base_ + size_ - from);
        if (text.size() <= 16) {
            if (readable >= 16 && ascii_within_16(from, text.size())) [[likely]]
                return true;
        } else if (text.size() <= 32 && readable >= 32) {
            if (ascii_within_16(from, 16) && ascii_within_16(from + 16, text.size() - 16))
                [[likely]]
                return true;
        }
        return valid_text_beyond_ascii(text, readable, dialect_.utf8);
    }
    Mark mark() const noexcept {
        // One by one, as with Entry.
        std::size_t pos = pos_;
        std::uint64_t slack = slack_, nodes_left = nodes_left_;
        do_not_optimize(pos), do_not_optimize(slack), do_not_optimize(nodes_left);
        return {pos, slack, nodes_left, {open_.left, open_.object}, stack_.size()};
    }
    /// `mark` was made in the innermost container that is open, or in one around it that has not
    /// been left since.
    void go_back(const Mark& mark) noexcept {
        pos_ = mark.pos;
        slack_ = mark.slack;
        nodes_left_ = mark.nodes_left;
        open_ = {mark.open.left, mark.open.object};
        while (stack_.size() > mark.depth)
            stack_.pop();
    }

private:
    // ---- the walk -----------------------------------------------------------------------

    bool values() {
        Entry open{1, false};
        for (;;) {
            if constexpr (has_fast_path) {
                bool whole = false;
                if (fast_ && !open.object && !fast_values(open, whole))
                    return false;
                if (whole)
                    return true;
            }
            if (open.object && !property())
                return false;
            std::uint32_t children = 0;
            bool object = false;
            if (!value(children, object))
                return false;
            --open.left;
            if (children) {
                if (!enter(open, children, object))
                    return false;
                continue;
            }
            while (open.left == 0) {
                if (stack_.empty())
                    return true;
                if (!gave(sink_.end()))
                    return false;
                open = stack_.pop();
            }
        }
    }

    // ---- the fast path ------------------------------------------------------------------

    /// Reads common values (Dialect::fast_forms) for as long as they come and are sound. The first
    /// one that is not, or that the bytes can't hold, is left for `value` to read and to refuse.
    /// Nothing is accepted here that is refused there. How far to go on is taken from what the type
    /// says where that can be: a processor foresees a jump, but has to wait for a number. Aligned,
    /// or its speed changes by a tenth with the code before it.
    [[gnu::aligned(64)]] GDVAR_NO_STACK_PROTECTOR bool fast_values(Entry& open, bool& whole) {
        Lane lane{base_ + pos_, base_ + pos_, slack_, open.left};
        const FastForm* const forms = dialect_.fast_forms.data();
        const std::uint64_t text_header = dialect_.headers.string;
        const std::uint64_t integer_header = dialect_.headers.integer;
        Errc code = Errc::ok;
        for (;;) {
            lane.last = lane.at;
            const std::uint32_t header = load<std::uint32_t>(lane.at);
            if (header == text_header && short_text(lane, code)) {
                // Taken.
            } else if (header == integer_header && lane.slack >= 4) {
                (void)take<4>(lane);
                code = sink_.integer(load<std::int32_t>(lane.last + 4));
            } else if (header & 0xFFFE'FFC0u) [[unlikely]] {
                // More than an id, and bit 16, which picks the second half of the table.
                break;
            } else if (!fast_value(lane, header, forms[(header | header >> 10) & 127u], code)) {
                break;
            }
            if (code != Errc::ok) [[unlikely]]
                break;
            if (--lane.left == 0 && !close(lane, code))
                break;
        }
        pos_ = static_cast<std::size_t>(lane.at - base_);
        slack_ = lane.slack;
        open = {lane.left, lane.object};
        whole = lane.whole;
        return code == Errc::ok ||
               fail(code, Type::nil, static_cast<std::size_t>(lane.last - base_));
    }

    /// A String of up to 16 ASCII bytes, as most keys are, with no look at the table.
    [[gnu::always_inline]] bool short_text(Lane& lane, Errc& code) {
        // 20 bytes that no other value is owed hold the length and 16 more.
        if (lane.slack < 20) [[unlikely]]
            return false;
        const std::uint32_t n = load<std::uint32_t>(lane.at + 4);
        if (n > 16 || !ascii_within_16(lane.at + 8, n))
            return false;
        const std::uint32_t bytes = 4 + ((n + 3) & ~3u);
        lane.slack -= bytes;
        lane.at = foreseen<8, 12, 16>(lane.at + 4, bytes);
        announce(lane);
        code = sink_.string(as_text(lane.last + 8, n));
        return true;
    }

    /// False when it is left to `value`.
    [[gnu::always_inline]] bool fast_value(Lane& lane, std::uint32_t header, const FastForm& form,
                                           Errc& code) {
        const bool flagged = header >> 16;
        switch (form.kind) {
            case FastForm::none:
                return false;
            case FastForm::nil:
                lane.at += 4;
                announce(lane);
                code = sink_.nil();
                return true;
            case FastForm::boolean:
                if (!take<4>(lane))
                    return false;
                code = sink_.boolean(load<std::uint32_t>(lane.last + 4) != 0);
                return true;
            case FastForm::integer:
                if (!flagged) [[likely]] {
                    if (!take<4>(lane))
                        return false;
                    code = sink_.integer(load<std::int32_t>(lane.last + 4));
                } else {
                    if (!take<8>(lane))
                        return false;
                    code = sink_.integer(load<std::int64_t>(lane.last + 4));
                }
                return true;
            case FastForm::real:
                return fast_real(lane, flagged, code);
            case FastForm::integer8:
                if (!take<8>(lane))
                    return false;
                code = sink_.integer(load<std::int64_t>(lane.last + 4));
                return true;
            case FastForm::real8:
                if (!take<8>(lane))
                    return false;
                code = sink_.real(load<double>(lane.last + 4));
                return true;
            case FastForm::string:
            case FastForm::string_name:
                return fast_text(lane, form.kind, code);
            case FastForm::math: {
                if (lane.slack < form.bytes)
                    return false;
                lane.slack -= form.bytes;
                lane.at = foreseen<12, 8, 16>(lane.at + 4, form.bytes);
                announce(lane);
                const TypeRow& row = dialect_.rows[header & 63u];
                code =
                    sink_.math(MathView{row.type, flagged && row.wide_bytes, false, lane.last + 4});
                return true;
            }
            case FastForm::packed:
                return fast_packed(lane, header, form.bytes, code);
            case FastForm::array:
            case FastForm::dictionary:
                return fast_container(lane, form.kind == FastForm::dictionary, code);
        }
        return false;
    }

    template <std::size_t bytes>
    [[gnu::always_inline]] bool take(Lane& lane) {
        if (lane.slack < bytes)
            return false;
        lane.slack -= bytes;
        lane.at += 4 + bytes;
        announce(lane);
        return true;
    }

    /// Widths of floats alternate without a pattern: they are not branched on while eight bytes may
    /// be read.
    [[gnu::always_inline]] bool fast_real(Lane& lane, bool flagged, Errc& code) {
        const std::uint64_t bytes = 4u + flagged * 4u;
        if (lane.slack < bytes)
            return false;
        lane.slack -= bytes;
        lane.at += 4 + bytes;
        announce(lane);
        const auto narrow = static_cast<double>(load<float>(lane.last + 4));
        code = sink_.real(base_ + size_ - lane.last >= 12
                              ? choose(flagged, load<double>(lane.last + 4), narrow)
                              : narrow);
        return true;
    }

    [[gnu::always_inline]] bool fast_text(Lane& lane, FastForm::Kind kind, Errc& code) {
        if (lane.slack < 4)
            return false;
        const std::uint32_t n = load<std::uint32_t>(lane.at + 4);
        const std::uint64_t bytes = 4 + ((std::uint64_t{n} + 3) & ~std::uint64_t{3});
        if (n > 0x7FFF'FFFCu || bytes > lane.slack) [[unlikely]]
            return false;
        const std::string_view text = as_text(lane.at + 8, n);
        if (!sound_text(text)) [[unlikely]]
            return false;
        lane.slack -= bytes;
        lane.at += 4 + bytes;
        announce(lane);
        code = kind == FastForm::string ? sink_.string(text) : sink_.string_name(text);
        return true;
    }

    [[gnu::always_inline]] bool fast_packed(Lane& lane, std::uint32_t header, std::size_t element,
                                            Errc& code) {
        if (lane.slack < 4)
            return false;
        const std::uint32_t n = load<std::uint32_t>(lane.at + 4);
        const std::uint64_t bytes = std::uint64_t{n} * element;
        if (n > 0x7FFF'FFFFu || bytes > 0x7FFF'FFFFu || bytes > lane.slack - 4)
            return false;
        lane.slack -= 4 + bytes;
        lane.at += 8 + bytes;
        announce(lane);
        const TypeRow& row = dialect_.rows[header & 63u];
        const bool wide = header >> 16 && row.wide_bytes;
        code = sink_.packed(PackedView{row.type, wide, false, n, lane.last + 8});
        return true;
    }

    /// Opens a container, which counts as one more of its own values until the loop takes it off.
    [[gnu::always_inline]] bool fast_container(Lane& lane, bool pairs, Errc& code) {
        if (lane.slack < 4)
            return false;
        const std::uint32_t n = load<std::uint32_t>(lane.at + 4);
        const std::uint64_t children = std::uint64_t{n} << pairs;
        if (n > 0x7FFF'FFFFu || children > nodes_left_ || children * 4 > lane.slack - 4 ||
            stack_.size() >= options_.limits.max_depth) [[unlikely]]
            return false;
        nodes_left_ -= children;
        lane.slack -= 4 + children * 4;
        lane.at += 8;
        announce(lane);
        code = pairs ? sink_.begin_dictionary(ContainerType(), ContainerType(), n)
                     : sink_.begin_array(Type::array, ContainerType(), n);
        if (code != Errc::ok) [[unlikely]]
            return true;
        if (n == 0) {
            code = sink_.end();
            return true;
        }
        if (!stack_.push({lane.left - 1, false})) [[unlikely]] {
            lane.last = lane.at;
            code = Errc::no_memory;
        }
        lane.left = static_cast<std::uint32_t>(children) + 1;
        return true;
    }

    /// Ends every container that is full. False when the lane ends, too: with the packet, in an
    /// Object, whose properties have names, or with an error.
    [[gnu::always_inline]] bool close(Lane& lane, Errc& code) {
        do {
            if (stack_.empty()) {
                lane.whole = true;
                return false;
            }
            code = sink_.end();
            if (code != Errc::ok) [[unlikely]]
                return false;
            lane.left = stack_.top().left;
            lane.object = stack_.top().object;
            stack_.pop();
        } while (lane.left == 0);
        return !lane.object;
    }

    [[gnu::always_inline]] void announce(const Lane& lane) {
        if constexpr (has_at)
            sink_.at(static_cast<std::size_t>(lane.last - base_));
    }

    /// `from + bytes`. Where that is one of the likely ones, what comes after is read without
    /// waiting for `bytes`.
    template <std::size_t... likely>
    static const std::byte* foreseen(const std::byte* from, std::uint64_t bytes) noexcept {
        const std::byte* to = from + bytes;
        (void)((bytes == likely ? (to = from + likely, do_not_optimize(to), true) : false) || ...);
        return to;
    }
    /// Without a branch.
    static double choose(bool first, double a, double b) noexcept {
        const auto mask = std::uint64_t{0} - static_cast<std::uint64_t>(first);
        return std::bit_cast<double>((std::bit_cast<std::uint64_t>(a) & mask) |
                                     (std::bit_cast<std::uint64_t>(b) & ~mask));
    }

    bool enter(Entry& open, std::uint32_t children, bool object) {
        if (stack_.size() >= options_.limits.max_depth)
            return fail(Errc::depth_limit, Type::nil, pos_);
        if (!stack_.push({open.left, open.object}))
            return fail(Errc::no_memory, Type::nil, pos_);
        open = {children, object};
        return true;
    }

    /// Reads one packet. A container with children is only opened: `children` says how many
    /// values follow, and whether each has a property name.
    bool value(std::uint32_t& children, bool& object) {
        start_ = pos_;
        if (!claim_owed(Type::nil))
            return false;
        const std::uint32_t header = load<std::uint32_t>(base_ + pos_);
        const std::uint32_t id = header & dialect_.type_mask;
        if (id >= dialect_.row_count) [[unlikely]]
            return unknown_type();
        const TypeRow& row = dialect_.rows[id];
        pos_ += 4;
        raw(Field::header, start_, 4);
        if constexpr (has_at)
            sink_.at(start_);
        if (noting_) [[unlikely]]
            if (!note_header(header, row))
                return false;
        const bool flag = header & row.flags & 0x1'0000u;
        switch (row.shape) {
            case Shape::absent:
                return unknown_type();
            case Shape::unsupported:
                return fail(Errc::unsupported_type, row.type, start_);
            case Shape::nothing:
                return nothing(row);
            case Shape::boolean:
                return boolean(row);
            case Shape::integer:
                return integer(row, flag);
            case Shape::real:
                return real(row, flag);
            case Shape::string: {
                std::string_view text;
                return record(text, row.type) && gave(sink_.string(text));
            }
            case Shape::string_name: {
                std::string_view text;
                return record(text, row.type) && gave(sink_.string_name(text));
            }
            case Shape::math:
                return math(row, flag || page_wide_);
            case Shape::node_path:
                return node_path(row);
            case Shape::rid:
                return rid(row);
            case Shape::object:
                return object_value(row, flag, children, object);
            case Shape::signal:
                return signal(row);
            case Shape::dictionary:
                return dictionary(row, header, children);
            case Shape::array:
                return array(row, header, children);
            case Shape::typed_array:
                return typed_array(row, flag, children);
            case Shape::packed:
                return packed(row, flag || page_wide_);
            case Shape::packed_bytes:
                return packed_bytes(row);
            case Shape::packed_strings:
                return packed_strings(row);
            case Shape::image:
                return image(row);
            case Shape::input_event:
                return input_event(row);
        }
        return unknown_type();
    }

    // ---- bounds: one subtraction per field ----------------------------------------------

    /// Takes `n` bytes out of what is neither read nor owed to values still to come.
    bool claim(std::uint64_t n, Type type) {
        if (n > slack_) [[unlikely]]
            return lacking(n - slack_, type);
        slack_ -= n;
        return true;
    }
    /// Claims the 4 bytes of a header or of a record's length. `owe` has set them aside, or has
    /// only counted them.
    bool claim_owed(Type type) {
        if constexpr (sets_aside)
            return true;
        owed_ -= 4;
        return claim(4, type);
    }

    /// Sets aside the least bytes that `count` children of `least` bytes each will take.
    bool owe(std::uint64_t count, std::uint64_t least, Type type) {
        if (count > nodes_left_)
            return fail(Errc::node_limit, type, start_);
        nodes_left_ -= count;
        return set_aside(count * least, type);
    }
    bool set_aside(std::uint64_t n, Type type) {
        if constexpr (sets_aside)
            return claim(n, type);
        owed_ += n;
        return true;
    }

    // ---- fields -------------------------------------------------------------------------

    std::uint32_t word(Field field) {
        const auto value = load<std::uint32_t>(base_ + pos_);
        raw(field, pos_, 4);
        pos_ += 4;
        return value;
    }

    /// A string record whose four length bytes are still to be claimed.
    bool record(std::string_view& text, Type type) {
        return claim(4, type) && record_after_claim(text, type);
    }

    bool record_after_claim(std::string_view& text, Type type) {
        const std::uint32_t n = load<std::uint32_t>(base_ + pos_);
        if (n > 0x7FFF'FFFCu) [[unlikely]]
            return fail(Errc::bad_length, type, start_);
        const std::uint32_t padded = (n + 3) & ~3u;
        if (padded > slack_) [[unlikely]]
            return lacking(padded - slack_, type);
        slack_ -= padded;
        text = as_text(base_ + pos_ + 4, n);
        if (!sound_text(text)) [[unlikely]]
            return fail(Errc::bad_utf8, type, start_);
        if constexpr (has_raw) {
            raw(Field::length, pos_, 4);
            if (n)
                raw(Field::text, pos_ + 4, n);
            if (padded != n)
                raw(Field::padding, pos_ + 4 + n, padded - n);
        }
        pos_ += 4 + std::size_t{padded};
        if (noting_) [[unlikely]]
            return note_text(text) && note_padding(pos_ - (padded - n), padded - n);
        return true;
    }

    // ---- payloads -----------------------------------------------------------------------

    bool nothing(const TypeRow& row) {
        if (row.type == Type::nil)
            return gave(sink_.nil());
        if (row.type == Type::callable)
            return gave(sink_.callable());
        if (row.type == Type::rid)
            return gave(sink_.rid(0));
        if (row.type == Type::signal)
            return gave(sink_.signal({}, 0));
        return gave(sink_.object_null());
    }

    bool boolean(const TypeRow& row) {
        if (!claim(4, row.type))
            return false;
        const std::uint32_t value = word(Field::value);
        if (noting_ && value > 1 && !note(Quirk::bool_value, pos_ - 4))
            return false;
        return gave(sink_.boolean(value != 0));
    }

    bool integer(const TypeRow& row, bool flag) {
        if (flag || row.bytes == 8) {
            if (!claim(8, row.type))
                return false;
            const auto value = load<std::int64_t>(base_ + pos_);
            raw(Field::value, pos_, 8);
            pos_ += 8;
            if (noting_ && dialect_.numbers == NumberWidth::by_value &&
                value == static_cast<std::int32_t>(value) && !note(Quirk::wide_integer, start_))
                return false;
            return gave(sink_.integer(value));
        }
        if (!claim(4, row.type))
            return false;
        return gave(sink_.integer(static_cast<std::int32_t>(word(Field::value))));
    }

    bool real(const TypeRow& row, bool flag) {
        if (flag || row.bytes == 8) {
            if (!claim(8, row.type))
                return false;
            const auto value = load<double>(base_ + pos_);
            raw(Field::value, pos_, 8);
            pos_ += 8;
            if (noting_ && dialect_.numbers != NumberWidth::eight_unflagged && fits_float(value) &&
                !note(Quirk::wide_real, start_))
                return false;
            return gave(sink_.real(value));
        }
        if (!claim(4, row.type))
            return false;
        const auto value = load<float>(base_ + pos_);
        raw(Field::value, pos_, 4);
        pos_ += 4;
        if (noting_ && value != value && dialect_.numbers != NumberWidth::narrow &&
            !note(Quirk::narrow_nan, start_))
            return false;
        return gave(sink_.real(static_cast<double>(value)));
    }

    bool math(const TypeRow& row, bool flag) {
        const bool wide = flag && row.wide_bytes;
        const std::size_t bytes = wide ? row.wide_bytes : row.bytes;
        if (!claim(bytes, row.type))
            return false;
        const std::byte* data = base_ + pos_;
        raw(Field::value, pos_, bytes);
        pos_ += bytes;
        if (noting_ && (row.engine_counts || row.engine_demands) &&
            !note(Quirk::engine_miscounts, start_))
            return false;
        if (dialect_.matrix == MatrixOrder::columns &&
            (row.type == Type::basis || row.type == Type::transform3d)) [[unlikely]] {
            transpose_components(scratch_, data, wide ? 8 : 4, bytes);
            data = scratch_;
        }
        return gave(sink_.math(MathView{row.type, wide, false, data}));
    }

    bool rid(const TypeRow& row) {
        if (!claim(8, row.type))
            return false;
        const auto id = load<std::uint64_t>(base_ + pos_);
        raw(Field::value, pos_, 8);
        pos_ += 8;
        return gave(sink_.rid(id));
    }

    bool signal(const TypeRow& row) {
        std::string_view name;
        if (!record(name, row.type) || !claim(8, row.type))
            return false;
        const auto id = load<std::uint64_t>(base_ + pos_);
        raw(Field::object_id, pos_, 8);
        pos_ += 8;
        return gave(sink_.signal(name, id));
    }

    bool node_path(const TypeRow& row) {
        if (!claim(4, row.type))
            return false;
        const std::uint32_t first = load<std::uint32_t>(base_ + pos_);
        if (!(first & 0x8000'0000u))
            return node_path_text(row);
        word(Field::name_count);
        if (!claim(8, row.type))
            return false;
        const std::uint32_t names = first & 0x7FFF'FFFFu;
        const std::uint32_t subnames = word(Field::subname_count);
        const std::uint32_t flags = word(Field::path_flags);
        const bool property = flags & 2;
        const std::uint64_t all = std::uint64_t{names} + subnames + property;
        // Engines let the sum wrap and read an empty path; nobody writes that (wire-format 2.3).
        if (all > 0xFFFF'FFFFu)
            return fail(Errc::bad_node_path, row.type, start_);
        if (!claim(all * 4, row.type))
            return false;
        if (noting_ && ((flags & ~3u) && !note(Quirk::node_path_flags, pos_ - 4)))
            return false;
        if (noting_ && property && !dialect_.node_path_property &&
            !note(Quirk::node_path_property, pos_ - 4))
            return false;
        const std::size_t first_record = pos_;
        std::string_view text;
        for (std::uint64_t i = 0; i < all; ++i)
            if (!record_after_claim(text, row.type))
                return false;
        return gave(sink_.node_path(NodePathView(
            names, subnames + property, flags & 1, property && dialect_.node_path_property,
            ByteView(base_ + first_record, pos_ - first_record))));
    }

    bool node_path_text(const TypeRow& row) {
        if (!dialect_.node_path_text && !options_.node_path_text)
            return fail(Errc::bad_node_path, row.type, start_);
        if (noting_ && !note(Quirk::node_path_text, pos_))
            return false;
        std::string_view text;
        if (!record_after_claim(text, row.type))
            return false;
        return gave(sink_.node_path(NodePathView::from_text(text)));
    }

    bool object_value(const TypeRow& row, bool by_id, std::uint32_t& children, bool& object) {
        if (by_id) {
            if (!claim(8, row.type))
                return false;
            const auto id = load<std::uint64_t>(base_ + pos_);
            raw(Field::object_id, pos_, 8);
            pos_ += 8;
            return gave(sink_.object_id(id));
        }
        if (!options_.allow_objects && !dialect_.null_object_free)
            return forbidden(row.type, pos_);
        const std::size_t class_at = pos_;
        std::string_view name;
        if (!record(name, row.type))
            return false;
        if (name.empty())
            return gave(sink_.object_null());
        if (!options_.allow_objects)
            return forbidden(row.type, class_at);
        if (!claim(4, row.type))
            return false;
        auto count = static_cast<std::int32_t>(word(Field::property_count));
        if (count < 0) {
            if (noting_ && !note(Quirk::negative_properties, pos_ - 4))
                return false;
            count = 0;
        }
        // A property is at least its name's length and a header.
        if (!owe(static_cast<std::uint32_t>(count), 8, row.type))
            return false;
        if (!gave(sink_.begin_object(name, static_cast<std::uint32_t>(count))))
            return false;
        if (count == 0)
            return gave(sink_.end());
        children = static_cast<std::uint32_t>(count);
        object = true;
        return true;
    }

    bool property() {
        start_ = pos_;
        if (!claim_owed(Type::object))
            return false;
        std::string_view name;
        const std::size_t at = pos_;
        if (!record_after_claim(name, Type::object))
            return false;
        if constexpr (has_at)
            sink_.at(at);
        if (!gave(sink_.property(name)))
            return false;
        if (dialect_.script == ScriptForm::resource_path && name == "script")
            return script();
        return true;
    }

    /// Godot 4.3 on: `script` is nil or a String with a resource path (wire-format 2.4).
    bool script() {
        if (size_ - pos_ < 8)
            return true;  // nil, or a truncation that the value will report
        const std::uint32_t id = load<std::uint32_t>(base_ + pos_) & dialect_.type_mask;
        if (id == dialect_.id_of[0])
            return true;
        const std::size_t rest = size_ - pos_ - 8;
        constexpr std::string_view scheme = "res://";
        if (id != dialect_.id_of[static_cast<std::size_t>(Type::string)] ||
            load<std::uint32_t>(base_ + pos_ + 4) < scheme.size() ||
            (rest >= scheme.size() && as_text(base_ + pos_ + 8, scheme.size()) != scheme))
            return fail(Errc::bad_script, Type::object, pos_);
        return true;
    }

    /// The type info that `kind` announces in a typed container's header (wire-format 2.7).
    bool container_type(std::uint32_t kind, ContainerType& out, const TypeRow& row) {
        out.kind = static_cast<ContainerKind>(kind);
        if (kind == 0)
            return true;
        if (kind == 1) {
            if (!claim(4, row.type))
                return false;
            const std::uint32_t id = word(Field::element_type);
            if (id >= dialect_.row_count || dialect_.rows[id].shape == Shape::absent)
                return fail(Errc::bad_container_type, row.type, start_);
            out.type = dialect_.rows[id].type;
            return !noting_ || id != 0 || note(Quirk::builtin_nil, pos_ - 4);
        }
        out.type = Type::object;
        if (!record(out.name, row.type))
            return false;
        if (kind == 3 && options_.allow_objects && !out.name.starts_with("res://"))
            return fail(Errc::bad_script, row.type, start_);
        return true;
    }

    bool count_word(std::uint32_t& count, const TypeRow& row) {
        if (!claim(4, row.type))
            return false;
        count = word(Field::count);
        if (count & 0x8000'0000u) {
            count &= 0x7FFF'FFFFu;
            if (noting_)
                return note(Quirk::shared_bit, pos_ - 4);
        }
        return true;
    }

    bool array(const TypeRow& row, std::uint32_t header, std::uint32_t& children) {
        ContainerType element;
        if (const std::uint32_t kind = (header & row.flags) >> 16 & 3)
            if (!container_type(kind, element, row))
                return false;
        return elements(row, element, children);
    }

    bool elements(const TypeRow& row, const ContainerType& element, std::uint32_t& children) {
        std::uint32_t count;
        if (!count_word(count, row) || !owe(count, 4, row.type))
            return false;
        if (!gave(sink_.begin_array(row.type, element, count)))
            return false;
        children = count;
        return count || gave(sink_.end());
    }

    bool dictionary(const TypeRow& row, std::uint32_t header, std::uint32_t& children) {
        ContainerType key, value;
        if (const std::uint32_t kinds = (header & row.flags) >> 16)
            if (!container_type(kinds & 3, key, row) || !container_type(kinds >> 2 & 3, value, row))
                return false;
        std::uint32_t count;
        if (!count_word(count, row) || !owe(std::uint64_t{count} * 2, 4, row.type))
            return false;
        if (!gave(sink_.begin_dictionary(key, value, count)))
            return false;
        children = count * 2;
        return count || gave(sink_.end());
    }

    /// Pandemonium's TypedArray and PackedTypedArray (wire-format 2.9).
    bool typed_array(const TypeRow& row, bool by_id, std::uint32_t& children) {
        if (!claim(4, row.type))
            return false;
        const std::uint32_t id = word(Field::element_type) & 0x7FFF'FFFFu;
        ContainerType element = ContainerType::of(Type::nil);
        if (id < dialect_.row_count)
            element.type = dialect_.rows[id].type;
        else if (noting_ && !note(Quirk::unknown_element_type, pos_ - 4))
            return false;
        if (element.type == Type::object) {
            element = ContainerType::of_class(encoded_object_as_id);
            if (!by_id && !class_packet(element.name, row))
                return false;
        }
        TypeRow named = row;
        named.type = row.type == Type::packed_typed_array ? row.type : Type::array;
        return elements(named, element, children);
    }

    /// The class name as a complete StringName packet.
    bool class_packet(std::string_view& name, const TypeRow& row) {
        if (!claim(4, row.type))
            return false;
        const std::uint32_t id = word(Field::header) & dialect_.type_mask;
        if (id != dialect_.id_of[static_cast<std::size_t>(Type::string_name)])
            return fail(Errc::bad_container_type, row.type, start_);
        return record(name, row.type);
    }

    bool packed_count(std::uint32_t& count, std::size_t element, const TypeRow& row) {
        if (!claim(4, row.type))
            return false;
        count = word(Field::count);
        if (std::uint64_t{count} * element > 0x7FFF'FFFFu || count > 0x7FFF'FFFFu)
            return fail(Errc::bad_length, row.type, start_);
        return true;
    }

    bool packed(const TypeRow& row, bool flag) {
        const bool wide = flag && row.wide_bytes;
        const std::size_t element = wide ? row.wide_bytes : row.bytes;
        std::uint32_t count;
        if (!packed_count(count, element, row) || !claim(count * element, row.type))
            return false;
        const std::byte* data = base_ + pos_;
        if (count)
            raw(Field::elements, pos_, count * element);
        pos_ += count * element;
        if (noting_ && (row.engine_counts || row.engine_demands) &&
            !note(Quirk::engine_miscounts, start_))
            return false;
        return gave(sink_.packed(PackedView{row.type, wide, false, count, data}));
    }

    /// Bytes and their padding, which alone may be missing where nothing follows.
    bool padded_bytes(std::size_t n, const TypeRow& row) {
        const std::size_t padded = n + padding_of(n);
        if (padded <= slack_) {
            slack_ -= padded;
            if (n)
                raw(Field::elements, pos_, n);
            if (padded != n)
                raw(Field::padding, pos_ + n, padded - n);
            pos_ += padded;
            return !noting_ || note_padding(pos_ - (padded - n), padded - n);
        }
        const bool more_owed = sets_aside && size_ - pos_ != slack_;
        if (n > slack_ || more_owed)
            return lacking((more_owed || owed_ ? padded : n) - slack_, row.type);
        if (n)
            raw(Field::elements, pos_, n);
        // The values behind this one lack the bytes of the padding, too.
        if (owed_)
            owed_ += padded - slack_;
        const std::size_t there = static_cast<std::size_t>(slack_) - n;
        if (there)
            raw(Field::padding, pos_ + n, there);
        pos_ = size_;
        slack_ = 0;
        if (!noting_)
            return true;
        return note_padding(size_ - there, there) && note(Quirk::missing_padding, size_);
    }

    bool packed_bytes(const TypeRow& row) {
        std::uint32_t count;
        if (!packed_count(count, 1, row))
            return false;
        const std::byte* data = base_ + pos_;
        if (!padded_bytes(count, row))
            return false;
        return gave(sink_.packed(PackedView{row.type, false, false, count, data}));
    }

    bool packed_strings(const TypeRow& row) {
        std::uint32_t count;
        // Engines read a negative count as an empty array; nobody writes that.
        if (!packed_count(count, 1, row))
            return false;
        if (!set_aside(std::uint64_t{count} * 4, row.type))
            return false;
        if (!gave(sink_.begin_packed_strings(count)))
            return false;
        std::string_view text;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::size_t at = pos_;
            if (!claim_owed(row.type) || !record_after_claim(text, row.type))
                return false;
            if (noting_ && dialect_.string_array_nul && !text.ends_with('\0') &&
                !note(Quirk::no_final_nul, at))
                return false;
            if constexpr (has_at)
                sink_.at(at);
            if (!gave(sink_.packed_string(element_text(text, dialect_.string_array_nul))))
                return false;
        }
        return gave(sink_.end());
    }

    bool image(const TypeRow& row) {
        if (!claim(20, row.type))
            return false;
        ImageView out;
        std::uint32_t n = 0;
        for (std::uint32_t* to : {&out.format, &out.mipmaps, &out.width, &out.height, &n})
            *to = word(Field::image_header);
        if (n > 0x7FFF'FFFFu)
            return fail(Errc::bad_length, row.type, start_);
        out.data = ByteView(base_ + pos_, 0);
        if (!padded_bytes(n, row))
            return false;
        out.data = ByteView(out.data.data(), n);
        return gave(sink_.image(out));
    }

    bool input_event(const TypeRow& row) {
        if (!claim(12, row.type))
            return false;
        InputEventView out;
        out.type = word(Field::event);
        out.device = word(Field::event);
        const std::uint32_t length = word(Field::event);
        const std::size_t words = InputEventView::word_count(out.type);
        if (!claim(words * 4, row.type))
            return false;
        for (std::size_t i = 0; i < words; ++i)
            out.words[i] = word(Field::event);
        if (noting_ && length != 12 + words * 4 && !note(Quirk::event_length, start_))
            return false;
        return gave(sink_.input_event(out));
    }

    // ---- notes, off the fast path -------------------------------------------------------

    [[gnu::noinline]] bool note(Quirk quirk, std::size_t offset) {
        if (options_.strict && quirk_info(quirk).strict != Errc::ok)
            return fail(quirk_info(quirk).strict, Type::nil, offset);
        if constexpr (has_quirk)
            sink_.quirk(quirk, offset);
        return true;
    }

    bool note_header(std::uint32_t header, const TypeRow& row) {
        return !(header & ~(0xFFu | row.flags)) || note(Quirk::header_bits, start_);
    }

    bool note_text(std::string_view text) {
        const std::size_t at =
            static_cast<std::size_t>(reinterpret_cast<const std::byte*>(text.data()) - base_);
        const std::size_t nul = text.find('\0');
        // One NUL at the end is how PackedStringArray elements are written.
        if (nul < text.size() && nul + 1 != text.size() && !note(Quirk::embedded_nul, at))
            return false;
        if (text.starts_with("\xEF\xBB\xBF") && !note(Quirk::byte_order_mark, at))
            return false;
        return valid_text_inline(text, Utf8Rule::strict) || note(Quirk::lenient_text, at);
    }

    bool note_padding(std::size_t at, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i)
            if (base_[at + i] != std::byte{0})
                return note(Quirk::nonzero_padding, at);
        return true;
    }

    /// Turns the columns of a 3x3 matrix into rows; what follows the nine lanes is copied.
    static void transpose_components(std::byte* to, const std::byte* from, std::size_t lane,
                                     std::size_t bytes) noexcept {
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = 0; column < 3; ++column)
                std::memcpy(to + (row * 3 + column) * lane, from + (column * 3 + row) * lane, lane);
        std::memcpy(to + 9 * lane, from + 9 * lane, bytes - 9 * lane);
    }

    // ---- refusing -----------------------------------------------------------------------

    void raw([[maybe_unused]] Field field, [[maybe_unused]] std::size_t offset,
             [[maybe_unused]] std::size_t size) {
        if constexpr (has_raw)
            sink_.raw(field, offset, size);
    }

    bool gave(Errc code) {
        if (code == Errc::ok) [[likely]]
            return true;
        return fail(code, Type::nil, start_);
    }

    [[gnu::cold, gnu::noinline]] bool unknown_type() {
        error_ = Error{Errc::unknown_type, Type::nil, start_}.about_type_id(
            load<std::uint32_t>(base_ + start_) & dialect_.type_mask);
        return false;
    }
    /// Refuses an Object in full. The error names the class if its bytes are there.
    [[gnu::cold, gnu::noinline]] bool forbidden(Type type, std::size_t class_at) {
        error_ = {Errc::objects_forbidden, type, start_};
        if (size_ - class_at < 4)
            return false;
        const std::uint32_t n = load<std::uint32_t>(base_ + class_at);
        if (n && n <= size_ - class_at - 4)
            error_ = error_.about_key(as_text(base_ + class_at + 4, n));
        return false;
    }

    [[gnu::cold, gnu::noinline]] bool fail(Errc code, Type type, std::size_t offset,
                                           std::uint64_t need = 0) {
        error_ = {code, type, offset, need};
        return false;
    }
    /// Fails with truncated: `n` bytes are lacking for the current value, and all bytes that are
    /// owed to open containers behind it.
    [[gnu::cold, gnu::noinline]] bool lacking(std::uint64_t n, Type type) {
        return fail(Errc::truncated, type, start_, n + owed_);
    }

    const DecodeOptions& options_;
    const Dialect& dialect_;
    Sink& sink_;
    const std::byte* base_;
    std::size_t size_;
    std::size_t pos_ = 0;
    std::size_t start_ = 0;    ///< header of the value being read
    std::uint64_t slack_ = 0;  ///< bytes neither read nor owed
    std::uint64_t owed_ = 0;   ///< bytes owed but not set aside; used only for `need`
    std::uint64_t nodes_left_ = 0;
    bool noting_;
    bool page_wide_;
    bool fast_;
    Entry open_{1, false};  ///< innermost, when read by steps
    Error error_{};
    EntryStack<Entry, 32> stack_;
    alignas(8) std::byte scratch_[128];
};

}  // namespace detail

/// Reads one packet from the start of `bytes` and drives `sink` with what it holds; returns how
/// many bytes the packet took (never more than there are). What follows the packet is not looked
/// at, unless `options.strict`.
///
/// Iterative, allocates nothing but its own stack past 32 open containers, and refuses as soon as
/// the least bytes still owed by all open containers exceed what remains, before the sink hears of
/// the container: a sink may reserve room for every count it is told.
///
/// Errors: truncated, unknown_type, bad_length, bad_utf8, bad_container_type, bad_node_path,
/// bad_script, unsupported_type, depth_limit, size_limit, node_limit, objects_forbidden,
/// no_memory; with `strict` also trailing_bytes, nonzero_padding, missing_padding, wide_number,
/// unknown_flags, not_canonical (duplicate keys: see `validate`); and whatever the sink returns.
/// Rules: wire-format 1 and 2.
template <class S>
[[nodiscard]] std::expected<std::size_t, Error> read(ByteView bytes, const DecodeOptions& options,
                                                     S&& sink) {
    static_assert(Sink<std::remove_reference_t<S>>, "this class lacks a member of a sink");
    return detail::Reader<std::remove_reference_t<S>>(bytes, options, sink).run();
}

}  // namespace gdvar
