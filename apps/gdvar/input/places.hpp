// The record or setting that a path on the command line begins with.
#pragma once

#include <optional>
#include <string>

#include "gdvar/file/save_document.hpp"
#include "input/input.hpp"

namespace gdvar::app {

/// The place in the input that the command line names. Nothing after a message.
std::optional<SavePath> place_of(const std::string& text, const Input& input);
/// The same, where `named` says whether the values are found by name.
std::optional<SavePath> place_of(const std::string& text, bool named);
bool is_at(const SavePath& place, const Item& item);
/// Whether the place is a whole setting.
bool is_setting(const SavePath& place, const Input& input);
/// A path that is read and names no record means all of them, as `#*` does.
void take_all(SavePath& place, const Input& input);
/// Converts a record number that counts from the end to one from the start. Returns an exit code.
int settle(SavePath& place, Input& input);
/// "#0 $.players[*].hp"
std::string text_of(const SavePath& place);
/// Says that the path leads nowhere in the `seen` records that it stands for. `missing`: the
/// message for one record, if there is one; it would blame one of several. Returns `refused`.
int no_match(const SavePath& place, const Input& input, std::size_t seen,
             const std::optional<std::string>& missing);
/// Says that the record or setting does not exist. `seen`: how many there are. `settable`: --create
/// may help.
int nothing_there(const SavePath& place, const Input& input, std::size_t seen, bool settable);

}  // namespace gdvar::app
