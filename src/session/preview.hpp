// A value on one line of a tree: its type with its size, and a short form.
#pragma once

#include <string>

#include "gdvar/value/document.hpp"

namespace gdvar::session {

/// The type, named as in text, with the number of its items: "Array[int] (3 elements)".
std::string describe(const View& v);
/// The value of a leaf in at most about 100 characters, without its type; empty for a container.
/// Not made printable.
std::string short_value(const View& v);
/// "holds a packet: Dictionary" for a PackedByteArray with the bytes of one; else empty.
std::string packet_inside(const View& v);

}  // namespace gdvar::session
