// A packet with the changes that a person made in its text.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "edit/edit_text.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/wire/options.hpp"
#include "rooms.hpp"

namespace gdvar::app {

/// A value of a packet that is edited.
struct EditedPlace {
    ByteView packet;
    Found value;        ///< in `packet`, or a part of a value in it
    View container;     ///< of the value; leads nowhere at the root
    std::string path;   ///< "$.players[3]"
    bool root = false;  ///< the value is the whole packet
};

/// Whether the form expresses the value: it is read back as what it is. If not, a message: what it
/// does not express.
std::expected<void, std::string> expresses(const EditForm& form, const View& value,
                                           const EncodeOptions& how);

/// The packet with `now` at the place. Only what differs is replaced; all other bytes stay. A value
/// takes the type of the one that it replaces if it fits that, else its own, unless a typed
/// container forbids it. Errors, in words, with the path: what can't be put there.
std::expected<std::vector<std::byte>, std::string> revised(const EditedPlace& place,
                                                           const Variant& now, const EditForm& form,
                                                           const EncodeOptions& how);

/// The packet of a new value. Errors, in words.
std::expected<std::vector<std::byte>, std::string> new_packet(const Variant& value,
                                                              const EncodeOptions& how);

/// How a packet that was written so is read.
DecodeOptions reading(const EncodeOptions& how);

}  // namespace gdvar::app
