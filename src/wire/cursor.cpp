#include "gdvar/wire/cursor.hpp"

namespace gdvar {

namespace detail {
template class Reader<Event>;
}

namespace {
constexpr FastHeaders no_headers{};

bool opens(const Event& event) noexcept {
    return event.type == Type::array || event.type == Type::dictionary ||
           event.type == Type::packed_typed_array ||
           (event.type == Type::object && event.object == ObjectKind::full);
}
}  // namespace

Cursor::Cursor(ByteView bytes, const DecodeOptions& options) noexcept
    : options_(options), reader_(bytes, options_, event_), forms_{&no_headers, options_.dialect} {
    event_.type = Type::nil;
    if (!reader_.start()) {
        fail_from_reader();
    } else if (!reader_.noting()) {
        const Dialect& dialect = *options_.dialect;
        forms_.headers = &dialect.headers;
        forms_.math_too = dialect.matrix == MatrixOrder::rows && options_.real_width != 8;
    }
}

std::size_t Cursor::take(std::int64_t* to, std::size_t n) noexcept {
    const FastHeaders& of = *forms_.headers;
    return unnamed() ? scanner().take_numbers(of.integer, of.wide_integer, to, n) : 0;
}
std::size_t Cursor::take(double* to, std::size_t n) noexcept {
    const FastHeaders& of = *forms_.headers;
    return unnamed() ? scanner().take_numbers(of.real, of.wide_real, to, n) : 0;
}

Type Cursor::peek() const noexcept {
    if (!more() || (in_object() && !named_))
        return Type::nil;
    const Dialect& dialect = *options_.dialect;
    const std::uint32_t id = reader_.header() & dialect.type_mask;
    return id < dialect.row_count ? dialect.rows[id].type : Type::nil;
}

// ---- refusing ---------------------------------------------------------------------------------

bool Cursor::refuse(const Error& error) noexcept {
    if (ok()) {
        error_ = error;
        reader_.stop();
        event_.type = Type::nil;
    }
    return false;
}

bool Cursor::refuse_type(std::uint64_t wanted) noexcept {
    return refuse(Error{Errc::wrong_type, event_.type, last_offset()}.about_types(wanted));
}

bool Cursor::fail_from_reader() noexcept {
    error_ = reader_.error();
    reader_.stop();
    event_.type = Type::nil;
    return false;
}

bool Cursor::go_back(const Mark& mark) noexcept {
    const ErrorKind kind = error_info(error_.code).kind;
    if (kind != ErrorKind::none && kind != ErrorKind::request)
        return false;
    const std::size_t size = reader_.bytes().size();
    const auto begun = static_cast<std::size_t>(mark.reader.scan.at - reader_.bytes().data());
    read_again_ += reader_.position() - begun;
    if (read_again_ > 64 * std::uint64_t{size} + 4096) {
        error_ = {};
        return refuse(Errc::node_limit, Type::nil, begun);
    }
    error_ = {};
    reader_.go_back(mark.reader);
    named_ = mark.named;
    return true;
}

// ---- one value ----------------------------------------------------------------------------------

bool Cursor::step() {
    if (!ok())
        return false;
    if (!more() || (in_object() && !named_))
        return refuse(Errc::misplaced, Type::nil, reader_.position());
    named_ = false;
    event_.count = 0;
    if (!reader_.next())
        return fail_from_reader();
    if (opens(event_) && event_.count == 0 && !reader_.enter_empty())
        return fail_from_reader();
    return true;
}

bool Cursor::step(Type type) {
    if (!step())
        return false;
    return event_.type == type || refuse_type(detail::type_bit(type));
}

const Event& Cursor::next() {
    (void)step();
    return event_;
}

void Cursor::nil() {
    (void)step(Type::nil);
}

bool Cursor::slow_take_nil() noexcept {
    // By the table: a header may have meaningless bits, or the place is an Object's.
    if (!more() || (in_object() && !named_))
        return false;
    const std::uint32_t id = reader_.header() & options_.dialect->type_mask;
    if (id >= options_.dialect->row_count || options_.dialect->rows[id].type != Type::nil)
        return false;
    return step(Type::nil);
}

bool Cursor::slow_boolean() {
    return step(Type::boolean) && event_.truth;
}

/// The next number, converted between int and float if the table allows it.
template <class T>
T Cursor::slow_number() {
    T out{};
    if (!step())
        return out;
    if (event_.type == Type::integer) {
        if (!detail::to_number(event_.whole, true, out))
            refuse_number<T>(event_.whole, event_.type);
    } else if (event_.type == Type::real) {
        if (!detail::to_number(event_.number, true, out))
            refuse_number<T>(event_.number, event_.type);
    } else {
        refuse_type(detail::types_for(std::integral<T> ? Type::integer : Type::real));
    }
    return ok() ? out : T{};
}
std::int64_t Cursor::slow_integer() {
    return slow_number<std::int64_t>();
}
double Cursor::slow_real() {
    return slow_number<double>();
}

std::string_view Cursor::string() {
    if (unnamed()) [[likely]] {
        const bool name = scanner().next_is(forms_.headers->string_name);
        if (name || scanner().next_is(forms_.headers->string)) [[likely]] {
            std::string_view text;
            if (reader_.take_text(text, name ? Type::string_name : Type::string))
                return text;
            fail_from_reader();
            return {};
        }
    }
    if (!step())
        return {};
    if (event_.type == Type::string || event_.type == Type::string_name)
        return event_.text;
    refuse_type(detail::types_for(Type::string));
    return {};
}

MathView Cursor::math_view(Type type) {
    return step(type) ? event_.components : MathView();
}

PackedView Cursor::packed_view(Type type) {
    return step(type) ? event_.elements : PackedView();
}

PackedStringsView Cursor::packed_strings() {
    if (!step(Type::packed_string_array))
        return {};
    return {reader_.bytes().data() + last_offset() + 8, event_.count,
            options_.dialect->string_array_nul};
}

NodePathView Cursor::node_path() {
    return step(Type::node_path) ? event_.path : NodePathView();
}

std::uint64_t Cursor::rid() {
    return step(Type::rid) ? event_.id : 0;
}

std::uint64_t Cursor::object_id() {
    if (!step(Type::object) || event_.object == ObjectKind::null)
        return 0;
    if (event_.object == ObjectKind::id)
        return event_.id;
    refuse(Errc::wrong_type, Type::object, last_offset());  // an Object in full
    return 0;
}

// ---- containers ---------------------------------------------------------------------------------

std::uint32_t Cursor::slow_begin_array() {
    if (!step())
        return 0;
    if (event_.type != Type::array && event_.type != Type::packed_typed_array) {
        refuse_type(detail::type_bit(Type::array));
        return 0;
    }
    return event_.count;
}

std::uint32_t Cursor::slow_begin_dictionary() {
    return step(Type::dictionary) ? event_.count : 0;
}

std::uint32_t Cursor::begin_object() {
    if (!step(Type::object))
        return 0;
    if (event_.object != ObjectKind::full) {
        refuse(Errc::wrong_type, Type::object, last_offset());
        return 0;
    }
    return event_.count;
}

std::string_view Cursor::property() {
    if (!ok())
        return {};
    if (!in_object() || named_ || !more()) {
        refuse(Errc::misplaced, Type::object, reader_.position());
        return {};
    }
    if (!reader_.property()) {
        fail_from_reader();
        return {};
    }
    named_ = true;
    return event_.text;
}

void Cursor::slow_end() {
    if (!ok())
        return;
    if (reader_.depth() == 0) {
        refuse(Errc::misplaced, Type::nil, reader_.position());
        return;
    }
    while (more()) {
        if (in_object() && !named_)
            (void)property();
        skip();
        if (!ok())
            return;
    }
    reader_.leave();
}

void Cursor::skip() {
    NullSink nothing;
    (void)drive(nothing);
}

std::expected<std::size_t, Error> Cursor::finish() {
    if (ok() && (reader_.depth() != 0 || more()))
        refuse(Errc::misplaced, Type::nil, reader_.position());
    if (ok() && !reader_.finish())
        fail_from_reader();
    if (!ok())
        return std::unexpected(error_);
    return reader_.position();
}

}  // namespace gdvar
