#include "input/input.hpp"

#include "gdvar/base/quote.hpp"
#include "output/messages.hpp"

namespace gdvar::app {

std::optional<SavePath> place_of(const std::string& text, bool named) {
    auto place = parse_save_path(text, named);
    if (place)
        return *std::move(place);
    const PathError& error = place.error();
    const std::string rest = text.substr(error.position);
    say("gdvar: error[bad_path]: '" + text + "' is not a path: " + std::string(error.what) +
        (rest.empty() ? ", at its end" : ", at " + quote(rest)) + "; paths look like " +
        (named ? "'application/config/name', 'input/jump $.deadzone'" : "'#0 $.players[3].hp'"));
    return std::nullopt;
}

bool is_at(const SavePath& place, const Item& item) {
    if (place.name)
        return setting_name(item.key) == *place.name;
    return !place.number || *place.number == static_cast<std::int64_t>(item.number);
}

bool is_setting(const SavePath& place, const Input& input) {
    return input.kind() == InputKind::project && place.path.whole();
}

int nothing_there(const SavePath& place, const Input& input, std::size_t seen, bool settable) {
    if (place.name)
        say(input.name() + ": error[missing_key]: no setting '" + *place.name + "'" +
            (settable && is_setting(place, input) ? "; --create adds it" : ""));
    else
        say(input.name() + ": error[index_out_of_range]: no record #" +
            std::to_string(place.number.value_or(0)) + "; the file has " +
            (seen == 0   ? std::string("none")
             : seen == 1 ? std::string("1 record, #0")
                         : std::to_string(seen) + " records, #0 to #" + std::to_string(seen - 1)));
    return refused;
}

std::string text_of(const SavePath& place) {
    const std::string before = place.every    ? "#* "
                               : place.number ? "#" + std::to_string(*place.number) + " "
                               : place.name   ? *place.name + " "
                                              : std::string();
    return before + place.path.to_string();
}

int no_match(const SavePath& place, const Input& input, std::size_t seen,
             const std::optional<std::string>& missing) {
    const bool settings = input.kind() == InputKind::project;
    if (place.every && seen > 1)
        say(input.name() + ": " + text_of(place) + ": error[missing_key]: no match in " +
            counted(seen, settings ? "setting" : "record"));
    else
        say(missing.value_or(input.name() + ": " + text_of(place) +
                             ": error[missing_key]: nothing is there"));
    return refused;
}

void take_all(SavePath& place, const Input& input) {
    place.every = place.every || (input.is_numbered() && !place.number);
}

int settle(SavePath& place, Input& input) {
    if (!place.number || *place.number >= 0)
        return fine;
    std::int64_t count = 0;
    const int exit = input.each([&](const Item&) { return ++count, true; }, Tail::keep_all);
    if (exit != fine)
        return exit;
    if (*place.number + count < 0)
        return nothing_there(place, input, static_cast<std::size_t>(count), false);
    *place.number += count;
    return fine;
}

}  // namespace gdvar::app
