// Opens a save for the browser.
#pragma once

#include <memory>

#include "options/input.hpp"
#include "session/session.hpp"

namespace gdvar::app::browse {

using namespace session;

/// The save that the options name. Asks for a password at the terminal if one is needed and none is
/// given. If the end of the records is missing, those before it are shown. Null after a message,
/// with `exit` set.
std::unique_ptr<Session> open_session(const InputOptions& options, int& exit);

}  // namespace gdvar::app::browse
