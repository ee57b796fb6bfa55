// The record or setting at the start of a path on the command line.
#pragma once

#include <optional>
#include <string>

#include "gdvar/file/save_document.hpp"
#include "input/input.hpp"

namespace gdvar::app {

/// The place in the input that the command line names. Nothing after a message.
std::optional<SavePath> place_of(const std::string& text, const Input& input);
/// The same; `named`: the values are found by name.
std::optional<SavePath> place_of(const std::string& text, bool named);
bool is_at(const SavePath& place, const Item& item);
bool is_setting(const SavePath& place, const Input& input);
/// A path for reading without a record means all of them, as `#*` does.
void take_all(SavePath& place, const Input& input);
/// Converts a record number from the end to one from the start. Returns an exit code.
int settle(SavePath& place, Input& input);
/// "#0 $.players[*].hp"
std::string text_of(const SavePath& place);
/// Reports that the path leads nowhere in the `seen` records that it stands for. `missing`: the
/// message for one record, if there is only one. Returns `refused`.
int no_match(const SavePath& place, const Input& input, std::size_t seen,
             const std::optional<std::string>& missing);
/// Reports that the record or setting does not exist. `seen`: the number of them. `settable`:
/// --create may help.
int nothing_there(const SavePath& place, const Input& input, std::size_t seen, bool settable);

}  // namespace gdvar::app
