// Sink: the receiver of values from the Reader and other sources. See docs/architecture.md for
// sinks and sources.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/views.hpp"

namespace gdvar GDVAR_EXPORT {

/// The fields of a packet, for sinks that want every byte (see `raw` below).
enum class Field : std::uint8_t {
    header,
    value,   ///< the payload of a fixed-size value
    length,  ///< of a counted string
    text,
    padding,
    count,
    element_type,  ///< type id in a typed container's header
    name_count,
    subname_count,
    path_flags,
    object_id,
    property_count,
    elements,  ///< of a packed array
    image_header,
    event,
};

/// A sink is a class with these member functions. Each returns Errc::ok to go on, or the code with
/// which the read fails: `Errc::stopped` if the sink has had enough. All arguments are borrowed and
/// valid during the call only, except that views into the packet live as long as the packet.
///
/// A container is begun, filled with exactly `count` values (a Dictionary: `count` times a key and
/// a value; an Object: `count` times `property` and a value) and ended by `end`.
///
/// Optional members: `void at(std::size_t offset)`, called before each event with the offset of the
/// value's header (a property's, or a packed string's record); `void raw(Field, std::size_t offset,
/// std::size_t size)` for each field in order of bytes; `void quirk(Quirk, std::size_t
/// offset)`; `static constexpr bool reads_to_the_break = true`, which turns off the check that the
/// least bytes still owed fit, so that everything up to a truncation is delivered.
template <class S>
concept Sink = requires(S& s, std::string_view text, ContainerType element) {
    { s.nil() } -> std::same_as<Errc>;
    { s.boolean(true) } -> std::same_as<Errc>;
    { s.integer(std::int64_t{}) } -> std::same_as<Errc>;
    { s.real(double{}) } -> std::same_as<Errc>;
    { s.string(text) } -> std::same_as<Errc>;
    { s.string_name(text) } -> std::same_as<Errc>;
    { s.math(MathView{}) } -> std::same_as<Errc>;
    { s.node_path(NodePathView{}) } -> std::same_as<Errc>;
    { s.rid(std::uint64_t{}) } -> std::same_as<Errc>;
    { s.object_null() } -> std::same_as<Errc>;
    { s.object_id(std::uint64_t{}) } -> std::same_as<Errc>;
    { s.begin_object(text, std::uint32_t{}) } -> std::same_as<Errc>;
    { s.property(text) } -> std::same_as<Errc>;
    { s.callable() } -> std::same_as<Errc>;
    { s.signal(text, std::uint64_t{}) } -> std::same_as<Errc>;
    { s.begin_dictionary(element, element, std::uint32_t{}) } -> std::same_as<Errc>;
    { s.begin_array(Type::array, element, std::uint32_t{}) } -> std::same_as<Errc>;
    { s.packed(PackedView{}) } -> std::same_as<Errc>;
    { s.begin_packed_strings(std::uint32_t{}) } -> std::same_as<Errc>;
    { s.packed_string(text) } -> std::same_as<Errc>;
    { s.image(ImageView{}) } -> std::same_as<Errc>;
    { s.input_event(InputEventView{}) } -> std::same_as<Errc>;
    { s.end() } -> std::same_as<Errc>;
};

/// The empty sink: accepts everything, keeps nothing. Other sinks may derive from it.
struct NullSink {
    Errc nil() { return Errc::ok; }
    Errc boolean(bool) { return Errc::ok; }
    Errc integer(std::int64_t) { return Errc::ok; }
    Errc real(double) { return Errc::ok; }
    Errc string(std::string_view) { return Errc::ok; }
    Errc string_name(std::string_view) { return Errc::ok; }
    Errc math(const MathView&) { return Errc::ok; }
    Errc node_path(const NodePathView&) { return Errc::ok; }
    Errc rid(std::uint64_t) { return Errc::ok; }
    Errc object_null() { return Errc::ok; }
    Errc object_id(std::uint64_t) { return Errc::ok; }
    Errc begin_object(std::string_view, std::uint32_t) { return Errc::ok; }
    Errc property(std::string_view) { return Errc::ok; }
    Errc callable() { return Errc::ok; }
    Errc signal(std::string_view, std::uint64_t) { return Errc::ok; }
    Errc begin_dictionary(const ContainerType&, const ContainerType&, std::uint32_t) {
        return Errc::ok;
    }
    Errc begin_array(Type, const ContainerType&, std::uint32_t) { return Errc::ok; }
    Errc packed(const PackedView&) { return Errc::ok; }
    Errc begin_packed_strings(std::uint32_t) { return Errc::ok; }
    Errc packed_string(std::string_view) { return Errc::ok; }
    Errc image(const ImageView&) { return Errc::ok; }
    Errc input_event(const InputEventView&) { return Errc::ok; }
    Errc end() { return Errc::ok; }
};

}  // namespace gdvar
