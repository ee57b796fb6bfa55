// A file's owner, permissions, ACL and extended attributes. posix_attributes.cpp implements it.
#pragma once

#include "base/platform/file.hpp"

namespace gdvar::platform {

/// Copies the attributes of the file `from` to the file `to`. Owner and group are kept where the
/// system allows; rights of an owner or group that cannot be kept are given to nobody else. The ACL
/// and the user's extended attributes are kept, or the call fails. Labels of the system
/// (security.*, trusted.*) are kept where the system allows, except those that vouch for the old
/// bytes. `from` may have been opened in any mode.
Result<void> copy_attributes(int from, int to);

/// True if the file has an ACL: the group's permission bits are then its mask.
bool acl_is_mask(const std::string& path) noexcept;

}  // namespace gdvar::platform
