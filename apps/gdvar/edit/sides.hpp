// Shared by diff and patch: a file as one value. Its packets can be compared and changed by path.
#pragma once

#include <optional>

#include "file/joined.hpp"
#include "gdvar/inspect/diff.hpp"
#include "input/input.hpp"
#include "output/output.hpp"

namespace gdvar::app {

using gdvar::detail::Contents;
using gdvar::detail::Joined;

std::string name_of(Contents contents);
Contents contents_of(const Input& input);

/// A file as one value.
struct Side {
    std::unique_ptr<Input> input;
    std::optional<Joined> joined{};
    Document document{};
};

/// Joins all packets in `dialect`. Refuses bytes behind a packet's value. Returns an exit code:
/// `different` if a value changes in that dialect.
int join(const DecodeOptions& decoding, const Dialect& dialect, Side& side);

/// "#3 $.hp" for "$[3].hp"; for a setting, its name and then the path in it.
std::string place_text(const Change& change, Contents contents);

/// The same for one difference after another. Long paths and names are cut before they are copied.
class Places {
public:
    Places(Contents contents, PathCutter& cut) : contents_(contents), cut_(cut) {}
    std::string operator()(const Difference& d);

private:
    Contents contents_;
    PathCutter& cut_;
    const void* setting_ = nullptr;  ///< whose name the next two are for
    std::string before_;
    std::size_t first_size_ = 0;  ///< of the first step in the path
};

}  // namespace gdvar::app
