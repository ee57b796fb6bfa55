// Shared by text and json: prints each value of the input in a form.
#pragma once

#include <string>
#include <string_view>

#include "input/input.hpp"
#include "output/output.hpp"

namespace gdvar::app {

/// Prints each value at the path: `print(input, item, view) -> expected<void, Error>`. Returns the
/// exit code of reading, or refused if a value has no such form.
template <class Print>
int print_each(const InputOptions& options, const std::string& path, Output& out, Print&& print) {
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    return input->each_value(path, [&](const Item& item, const MatchView& at) -> int {
        auto printed = print(*input, item, at.value);
        if (!printed) {
            input->complain(item, printed.error(), input->decoding());
            return refused;
        }
        out.text("\n");
        return fine;
    });
}

}  // namespace gdvar::app
