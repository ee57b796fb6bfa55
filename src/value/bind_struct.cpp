// Reading and writing of structs, as far as it is the same for all of them.
#include <algorithm>
#include <bit>
#include <utility>

#include "gdvar/value/binding.hpp"

namespace gdvar {

template struct Bind<std::vector<std::int32_t>>;
template struct Bind<std::vector<std::int64_t>>;
template struct Bind<std::vector<float>>;
template struct Bind<std::vector<double>>;
template struct Bind<std::vector<std::string>>;

}  // namespace gdvar

namespace gdvar::detail {

template class SinkBehind<Encoder<BufferOutput>, AnyWriter>;
template class SinkAsWriter<Encoder<BufferOutput>>;
template class SinkBehind<Encoder<SpanOutput>, AnyWriter>;
template class SinkAsWriter<Encoder<SpanOutput>>;
template class SinkBehind<Encoder<ScratchOutput>, AnyWriter>;
template class SinkAsWriter<Encoder<ScratchOutput>>;

Error about_range(const Error& error, const Bound& value, const Bound& low,
                  const Bound& high) noexcept {
    const Bound* const all[] = {&value, &low, &high};
    bool whole = true, natural = true, fits = true;
    for (const Bound* one : all) {
        whole = whole && !one->is_real;
        natural = natural && !one->is_negative;
        fits = fits && (one->is_negative || one->whole <= INT64_MAX);
    }
    if (whole && fits)
        return error.about_integer(static_cast<std::int64_t>(value.whole),
                                   static_cast<std::int64_t>(low.whole),
                                   static_cast<std::int64_t>(high.whole));
    if (whole && natural)
        return error.about_natural(value.whole, low.whole, high.whole);
    return error.about_real(value.real, low.real, high.real);
}

// ---- reading ------------------------------------------------------------------------------------

namespace {

/// Reads a value with the field's rounding.
bool read_rounded(BindCursor& c, const FieldRow& row, void* member) {
    const bool rounds = c.rounds();
    if (row.rules->options.rounding != Rounding::as_told)
        c.set_rounds(row.rules->options.rounding == Rounding::nearest);
    const bool done = row.reading->read(c, member);
    c.set_rounds(rounds);
    return done;
}
/// The bounds that a refused number lacks are the field's, not those of its type. A number within
/// the field's own is refused by its type alone.
void name_own_range(BindCursor& c, const FieldRow& row, std::size_t at) {
    const Error& error = c.error();
    if (!row.rules->options.has_range || error.code != Errc::number_out_of_range ||
        error.offset != at)
        return;
    const std::uint64_t found = error.detail.numbers.value;
    Bound value;
    if (error.about == ErrorAbout::integer)
        value = static_cast<std::int64_t>(found);
    else if (error.about == ErrorAbout::natural)
        value = found;
    else if (error.about == ErrorAbout::real)
        value = std::bit_cast<double>(found);
    else
        return;
    const Bound &low = row.rules->options.low, &high = row.rules->options.high;
    if (!(value >= low && value <= high))
        c.explain(about_range(error, value, low, high).in_field(row.name()));
}

bool is_set(const std::uint64_t* bits, std::size_t i) noexcept {
    return (bits[i / 64] >> i % 64 & 1) != 0;
}
void set(std::uint64_t* bits, std::size_t i) noexcept {
    bits[i / 64] |= std::uint64_t{1} << i % 64;
}

bool has_key(const FieldRow& row, std::string_view key) noexcept {
    const FieldOptions& options = row.rules->options;
    return row.text() == key ||
           std::find(options.other_keys.begin(),
                     options.other_keys.begin() + options.other_key_count,
                     key) != options.other_keys.begin() + options.other_key_count;
}
/// The field with that key; `count` if there is none. Tries `hint` first.
std::size_t find_field(const StructRows& rows, std::string_view key, std::size_t hint) noexcept {
    for (std::size_t n = 0; n < rows.count; ++n) {
        const std::size_t i = hint + n < rows.count ? hint + n : hint + n - rows.count;
        if (has_key(rows.fields[i], key))
            return i;
    }
    return rows.count;
}

bool read_unknown(BindCursor& c, const StructRows& rows, void* object, const Cursor::Mark& mark,
                  const Error& error) {
    if (!rows.rest) {
        if (rows.unknown_keys.value_or(c.binding.unknown_keys) == UnknownKeys::refuse)
            return c.refuse(error);
        c.skip();
        return c.ok();
    }
    if (!c.go_back(mark))
        return false;
    Variant key, value;
    if (!Bind<Variant>::read(c, key) || !Bind<Variant>::read(c, value))
        return false;
    Dictionary& rest = *rows.rest(object);
    if (Variant* held = rest.find(key)) {
        if (c.binding.repeated_keys == RepeatedKeys::refuse) {
            Error again = error;
            again.code = Errc::repeated_key;
            return c.refuse(again);
        }
        *held = std::move(value);
    } else {
        rest.append(std::move(key), std::move(value));
    }
    return true;
}

bool read_pair(BindCursor& c, const StructRows& rows, void* object, std::uint64_t* seen,
               std::size_t& hint) {
    const std::size_t at = c.offset();
    const Cursor::Mark mark = c.mark();
    const Type type = c.peek();
    std::size_t i = rows.count;
    std::string_view key;
    if (type == Type::string || type == Type::string_name) {
        key = c.string();
        if (c.ok())
            i = find_field(rows, key, hint);
    } else {
        c.skip();
    }
    if (!c.ok())
        return false;
    if (i == rows.count)
        return read_unknown(c, rows, object, mark,
                            Error{Errc::unknown_key, type, at}.about_key(key));
    void* const member = rows.member(object, i);
    if (is_set(seen, i)) {
        if (c.binding.repeated_keys == RepeatedKeys::refuse)
            return c.refuse(Error{Errc::repeated_key, type, at}.about_key(key));
        // As if the value were the only one for its key: nothing of an earlier one stays.
        if (!rows.fields[i].reading->renew) {
            const Elements within(c);
            return read_field(c, rows.fields[i], member);
        }
        rows.fields[i].reading->renew(member);
    }
    set(seen, i);
    hint = i + 1 < rows.count ? i + 1 : 0;
    return read_field(c, rows.fields[i], member);
}

/// Fields without a value keep nothing of an earlier packet. A field is missing if `seen` lacks its
/// bit, or, without `seen`, from the `n`th on.
struct Missing {
    const StructRows& rows;
    void* object;
    const std::uint64_t* seen;
    std::size_t n;
    bool keeps;  ///< those that may not miss

    bool lacks(std::size_t i) const noexcept {
        return (seen ? !is_set(seen, i) : i >= n) && (rows.fields[i].may_miss || !keeps);
    }
    void set_defaults() {
        bool from_fresh = false;
        for (std::size_t i = 0; i < rows.count; ++i) {
            if (!lacks(i))
                continue;
            const FieldRow& row = rows.fields[i];
            if (rows.with_fresh && !row.becomes_empty)
                from_fresh = true;
            else if (row.reading->renew)
                row.reading->renew(rows.member(object, i));
        }
        if (from_fresh)
            rows.with_fresh(this, [](void* self, void* fresh) {
                static_cast<const Missing*>(self)->restore(fresh);
            });
    }
    void restore(void* fresh) const {
        for (std::size_t i = 0; i < rows.count; ++i)
            if (const auto* to = rows.fields[i].reading;
                lacks(i) && !rows.fields[i].becomes_empty && to->restore)
                to->restore(rows.member(object, i), rows.member(fresh, i));
    }
};
bool keeps_missing(const BindCursor& c, const StructRows& rows) noexcept {
    return !c.elements && rows.missing(c.binding) == MissingKeys::keep;
}

}  // namespace

bool read_field(BindCursor& c, const FieldRow& row, void* member) {
    const std::size_t at = c.offset();
    if (!read_rounded(c, row, member)) {
        name_own_range(c, row, at);
        return false;
    }
    if (!row.rules->in_limits)
        return true;
    Error why;
    if (row.rules->in_limits(member, why))
        return true;
    why.offset = at;
    return c.refuse(why.in_field(row.name()));
}

bool read_pairs(BindCursor& c, const StructRows& rows, void* object, std::uint64_t* seen,
                std::size_t start) {
    std::size_t hint = 0;
    while (hint < rows.count && is_set(seen, hint))
        ++hint;
    while (c.more())
        if (!read_pair(c, rows, object, seen, hint))
            return false;
    c.end();
    if (rows.missing(c.binding) == MissingKeys::refuse)
        for (std::size_t i = 0; i < rows.count; ++i)
            if (const FieldRow& row = rows.fields[i]; !row.may_miss && !is_set(seen, i))
                return c.refuse(
                    Error{Errc::missing_key, Type::dictionary, start, 0, row.name()}.about_key(
                        row.text()));
    Missing{rows, object, seen, 0, keeps_missing(c, rows)}.set_defaults();
    return true;
}

bool read_elements(BindCursor& c, const StructRows& rows, void* object, std::size_t next,
                   std::uint32_t n, std::size_t start) {
    const auto refuse = [&] {
        return c.refuse(Error{Errc::length_out_of_range, Type::array, start}.about_length(
            n, rows.least_count, rows.count));
    };
    if (n > rows.count)
        return refuse();
    for (; next < n; ++next)
        if (!read_field(c, rows.fields[next], rows.member(object, next)))
            return false;
    if (n < rows.least_count && rows.missing(c.binding) == MissingKeys::refuse)
        return refuse();
    c.end();
    Missing{rows, object, nullptr, n, keeps_missing(c, rows)}.set_defaults();
    return true;
}

bool read_items(BindCursor& c, AnyVector to, std::uint32_t n) {
    if (to.size > n)
        to.first = to.resize(to.vector, to.size = n);
    for (std::size_t i = 0; i < n; ++i) {
        if (i == to.size)
            to.first = to.resize(to.vector, to.size = grown_size(i, n, to.item_size));
        if (!to.read(c, static_cast<std::byte*>(to.first) + i * to.item_size))
            return false;
    }
    return true;
}

// ---- writing ------------------------------------------------------------------------------------

namespace {

const void* member_of(const StructRows& rows, const void* object, std::size_t i) {
    return rows.member(const_cast<void*>(object), i);
}
bool is_left_out(const StructRows& rows, const void* object, std::size_t i) {
    const FieldRow& row = rows.fields[i];
    return row.rules->omitted && row.rules->omitted(member_of(rows, object, i));
}

}  // namespace

Errc write_some_rows(AnyWriter& sink, const StructRows& rows, const void* object, std::size_t first,
                     std::size_t n) {
    for (std::size_t i = first; i < first + n; ++i) {
        if (is_left_out(rows, object, i))
            continue;
        const FieldRow& row = rows.fields[i];
        const void* const member = member_of(rows, object, i);
        if (!rows.as_array)
            if (const Errc code = sink.string(row.text()); code != Errc::ok)
                return code;
        if (Error why; row.rules->in_limits && !row.rules->in_limits(member, why)) {
            sink.refuse(why.in_field(row.name()));
            return why.code;
        }
        if (const Errc code = row.write(sink, member); code != Errc::ok)
            return code;
    }
    return Errc::ok;
}

Errc write_rows(AnyWriter& sink, const StructRows& rows, const void* object) {
    const Dictionary* const rest = rows.rest ? rows.rest(const_cast<void*>(object)) : nullptr;
    std::size_t n = rest ? rest->size() : 0;
    for (std::size_t i = 0; i < rows.count; ++i)
        n += !is_left_out(rows, object, i);
    if (n > 0x7FFF'FFFFu)
        return refused_size(sink, Type::dictionary, n);
    const auto size = static_cast<std::uint32_t>(n);
    Errc code = rows.as_array ? sink.begin_array(Type::array, ContainerType(), size)
                              : sink.begin_dictionary(ContainerType(), ContainerType(), size);
    if (code == Errc::ok)
        code = write_some_rows(sink, rows, object, 0, rows.count);
    if (rest)
        for (const auto& [key, item] : *rest) {
            if (code == Errc::ok)
                code = Bind<Variant>::write(sink, key);
            if (code == Errc::ok)
                code = Bind<Variant>::write(sink, item);
        }
    return code == Errc::ok ? sink.end() : code;
}

Errc write_items(AnyWriter& sink, const ContainerType& type, const AnyItems& items) {
    if (items.size > 0x7FFF'FFFFu)
        return refused_size(sink, Type::array, items.size);
    if (const Errc code =
            sink.begin_array(Type::array, type, static_cast<std::uint32_t>(items.size));
        code != Errc::ok)
        return code;
    for (std::size_t i = 0; i < items.size; ++i)
        if (const Errc code =
                items.write(sink, static_cast<const std::byte*>(items.first) + i * items.item_size);
            code != Errc::ok)
            return code;
    return sink.end();
}

// ---- for errors, sizes and Variants -------------------------------------------------------------

namespace {

/// Counts the written bytes, and keeps the Error of a Bind that refuses. Other encoders get only
/// the code, so none of them has to carry an Error.
class Explainer final : public SinkBehind<Encoder<CountOutput>, AnyWriter> {
public:
    using SinkBehind::SinkBehind;
    const Dialect& dialect() const noexcept override { return sink_.dialect(); }
    void refuse(const Error& why) noexcept override { why_ = why; }
    Error refusal(Errc code, std::size_t offset) const noexcept {
        if (code != why_.code)
            return sink_.refusal(code, offset);
        Error out = why_;
        out.offset = offset;
        return out;
    }

private:
    Error why_{};
};

/// A VariantBuilder that knows its dialect.
class VariantSink : public VariantBuilder {
public:
    VariantSink(Variant& out, const Dialect& dialect) noexcept
        : VariantBuilder(out), dialect_(dialect) {}
    const Dialect& dialect() const noexcept { return dialect_; }

private:
    const Dialect& dialect_;
};

}  // namespace

std::expected<std::size_t, Error> count_bound(const AnyValue& value, const EncodeOptions& options) {
    CountOutput count;
    Encoder<CountOutput> encoder(count, options);
    Explainer explainer(encoder);
    const Errc code = value.write(explainer, value.object);
    if (code == Errc::ok)
        return count.size();
    return std::unexpected(explainer.refusal(code, count.size()));
}

Error explained(const Error& error, const AnyValue& value, const EncodeOptions& options) {
    // An error of the output itself does not occur again when counting.
    const auto again = count_bound(value, options);
    const bool same =
        !again && again.error().code == error.code && again.error().offset == error.offset;
    return same ? again.error() : error;
}

std::expected<Variant, Error> variant_of(const AnyValue& value, const Dialect& dialect) {
    Variant out;
    VariantSink sink(out, dialect);
    SinkAsWriter<VariantSink> any(sink);
    const Errc code = value.write(any, value.object);
    if (code == Errc::ok)
        return out;
    const auto why =
        count_bound(value, {.dialect = &dialect, .allow_objects = true, .max_depth = any_depth});
    return std::unexpected(why || why.error().code != code ? Error{code} : why.error());
}

std::string refused_path(const AnyValue& value, const EncodeOptions& options, const Error& error) {
    PackedByteArray out;
    BufferOutput output(out);
    Encoder<BufferOutput> encoder(output, options);
    SinkAsWriter<Encoder<BufferOutput>> any(encoder);
    (void)value.write(any, value.object);
    DecodeOptions reading;
    reading.dialect = options.dialect;
    reading.allow_objects = true;
    reading.real_width = options.real_width;
    const auto at = static_cast<std::size_t>(std::min<std::uint64_t>(output.size(), error.offset));
    return path_of_next(output.written().first(at), reading);
}

}  // namespace gdvar::detail
