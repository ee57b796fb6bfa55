#include "command.hpp"

namespace gdvar::app {

const std::vector<Command>& all_commands() {
    static const std::vector<Command> all = {
#define GDVAR_COMMAND(name) commands::name::command(),
#include "commands/list.def"
#undef GDVAR_COMMAND
    };
    return all;
}

}  // namespace gdvar::app
