// Any sink behind one type, so that code that drives sinks is compiled once: in small builds, and
// for writing structs where speed does not count (value/bind.hpp). Not for users.
#pragma once

#include <expected>
#include <type_traits>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/quirk.hpp"
#include "gdvar/wire/sink.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

/// With GDVAR_SMALL, `read` and `drive` take most sinks as an AnySink: every event is a virtual
/// call then, and the code exists once for all sinks. A sink with `is_hot` has a Reader of its own.
/// The WebAssembly modules are built so.
#if defined(GDVAR_SMALL)
inline constexpr bool small_build = true;
#else
inline constexpr bool small_build = false;
#endif

class AnySink {
public:
    /// The sink has `reads_to_the_break`.
    const bool to_the_break;
    /// The sink has `quirk`.
    const bool hears_quirks;
    /// The sink has `raw`.
    const bool hears_raw;
    AnySink(bool to_break, bool quirks, bool raw) noexcept
        : to_the_break(to_break), hears_quirks(quirks), hears_raw(raw) {}

    virtual void at(std::size_t offset) = 0;
    virtual void quirk(Quirk quirk, std::size_t offset) = 0;
    virtual void raw(Field field, std::size_t offset, std::size_t size) = 0;
    virtual Errc nil() = 0;
    virtual Errc boolean(bool v) = 0;
    virtual Errc integer(std::int64_t v) = 0;
    virtual Errc real(double v) = 0;
    virtual Errc string(std::string_view v) = 0;
    virtual Errc string_name(std::string_view v) = 0;
    virtual Errc math(const MathView& v) = 0;
    virtual Errc node_path(const NodePathView& v) = 0;
    virtual Errc rid(std::uint64_t v) = 0;
    virtual Errc object_null() = 0;
    virtual Errc object_id(std::uint64_t v) = 0;
    virtual Errc begin_object(std::string_view v, std::uint32_t n) = 0;
    virtual Errc property(std::string_view v) = 0;
    virtual Errc callable() = 0;
    virtual Errc signal(std::string_view v, std::uint64_t id) = 0;
    virtual Errc begin_dictionary(const ContainerType& k, const ContainerType& v,
                                  std::uint32_t n) = 0;
    virtual Errc begin_array(Type t, const ContainerType& e, std::uint32_t n) = 0;
    virtual Errc packed(const PackedView& v) = 0;
    virtual Errc begin_packed_strings(std::uint32_t n) = 0;
    virtual Errc packed_string(std::string_view v) = 0;
    virtual Errc image(const ImageView& v) = 0;
    virtual Errc input_event(const InputEventView& v) = 0;
    virtual Errc end() = 0;

protected:
    ~AnySink() = default;
};

template <class Sink>
concept ReadsToTheBreak = requires { requires Sink::reads_to_the_break; };

template <class Sink>
concept HearsQuirks = requires(Sink& s) { s.quirk(Quirk{}, std::size_t{}); };

template <class Sink>
concept HearsRaw = requires(Sink& s) { s.raw(Field::header, std::size_t{}, std::size_t{}); };

/// False in a program of which no sink hears `raw`: an AnySink is not asked then.
extern const bool some_sink_hears_raw;

template <class Sink>
concept MayBeAnySink =
    small_build && !requires { Sink::is_hot; } && !std::is_base_of_v<AnySink, Sink>;

/// Calls a sink by the virtual functions of `Base`.
template <class Sink, class Base>
class SinkBehind : public Base {
public:
    explicit SinkBehind(Sink& sink) noexcept
        : Base(ReadsToTheBreak<Sink>, HearsQuirks<Sink>, HearsRaw<Sink>), sink_(sink) {}
    void at([[maybe_unused]] std::size_t offset) override {
        if constexpr (requires { sink_.at(offset); })
            sink_.at(offset);
    }
    void quirk([[maybe_unused]] Quirk quirk, [[maybe_unused]] std::size_t offset) override {
        if constexpr (HearsQuirks<Sink>)
            sink_.quirk(quirk, offset);
    }
    void raw([[maybe_unused]] Field field, [[maybe_unused]] std::size_t offset,
             [[maybe_unused]] std::size_t size) override {
        if constexpr (HearsRaw<Sink>)
            sink_.raw(field, offset, size);
    }
    Errc nil() override { return sink_.nil(); }
    Errc boolean(bool v) override { return sink_.boolean(v); }
    Errc integer(std::int64_t v) override { return sink_.integer(v); }
    Errc real(double v) override { return sink_.real(v); }
    Errc string(std::string_view v) override { return sink_.string(v); }
    Errc string_name(std::string_view v) override { return sink_.string_name(v); }
    Errc math(const MathView& v) override { return sink_.math(v); }
    Errc node_path(const NodePathView& v) override { return sink_.node_path(v); }
    Errc rid(std::uint64_t v) override { return sink_.rid(v); }
    Errc object_null() override { return sink_.object_null(); }
    Errc object_id(std::uint64_t v) override { return sink_.object_id(v); }
    Errc begin_object(std::string_view v, std::uint32_t n) override {
        return sink_.begin_object(v, n);
    }
    Errc property(std::string_view v) override { return sink_.property(v); }
    Errc callable() override { return sink_.callable(); }
    Errc signal(std::string_view v, std::uint64_t id) override { return sink_.signal(v, id); }
    Errc begin_dictionary(const ContainerType& k, const ContainerType& v,
                          std::uint32_t n) override {
        return sink_.begin_dictionary(k, v, n);
    }
    Errc begin_array(Type t, const ContainerType& e, std::uint32_t n) override {
        return sink_.begin_array(t, e, n);
    }
    Errc packed(const PackedView& v) override { return sink_.packed(v); }
    Errc begin_packed_strings(std::uint32_t n) override { return sink_.begin_packed_strings(n); }
    Errc packed_string(std::string_view v) override { return sink_.packed_string(v); }
    Errc image(const ImageView& v) override { return sink_.image(v); }
    Errc input_event(const InputEventView& v) override { return sink_.input_event(v); }
    Errc end() override { return sink_.end(); }

protected:
    ~SinkBehind() = default;
    Sink& sink_;
};
template <class Sink>
class SinkAsAny final : public SinkBehind<Sink, AnySink> {
public:
    using SinkBehind<Sink, AnySink>::SinkBehind;
};

/// `read` for these sinks, in wire/any_sink.cpp.
std::expected<std::size_t, Error> read_any(ByteView bytes, const DecodeOptions& options,
                                           AnySink& sink);

}  // namespace detail
}  // namespace gdvar
