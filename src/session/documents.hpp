// The values of a save, read when they are looked at.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "gdvar/file/save_file.hpp"
#include "gdvar/value/document.hpp"

namespace gdvar::session {

/// One value of a save as a tree. If it is broken, the part before the break.
struct Held {
    Document document{};
    std::vector<std::byte> part{};  ///< of a broken value: what the document shows
    std::optional<Error> broken{};

    View root() const { return document.root(); }
};

/// Reads the values of a save one by one and keeps them until they take too much memory.
class Documents {
public:
    /// `save` is borrowed. `decoding`: how values are read.
    Documents(SaveFile& save, const DecodeOptions& decoding) : save_(save), decoding_(decoding) {}

    /// The value of that number. It is valid as long as the pointer is held and the value is not
    /// changed.
    std::shared_ptr<const Held> at(std::size_t number);
    /// Call it before the value is changed.
    void forget(std::size_t number);
    /// Frees what nobody holds, if it is much. Call it when no View is in use.
    void trim();

    const DecodeOptions& decoding() const noexcept { return decoding_; }
    EncodeOptions encoding() const noexcept {
        return {.dialect = decoding_.dialect,
                .allow_objects = decoding_.allow_objects,
                .real_width = decoding_.real_width};
    }

private:
    std::shared_ptr<Held> read(std::size_t number);
    SaveFile& save_;
    DecodeOptions decoding_;
    std::map<const void*, std::shared_ptr<Held>> held_;  ///< by where their packets begin
    std::size_t bytes_ = 0;
};

}  // namespace gdvar::session
