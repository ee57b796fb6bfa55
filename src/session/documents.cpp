#include "session/documents.hpp"

#include <string>
#include <utility>

#include "gdvar/inspect/salvage.hpp"

namespace gdvar::session {
namespace {

constexpr std::size_t most_bytes = 64u << 20, most_kept = 4096;

}  // namespace

std::shared_ptr<const Held> Documents::at(std::size_t number) {
    const ByteView packet = save_.items()[number].packet;
    if (const auto known = held_.find(packet.data()); known != held_.end())
        return known->second;
    auto fresh = read(number);
    bytes_ += fresh->document.memory() + fresh->part.size();
    if (!packet.empty())
        held_.emplace(packet.data(), fresh);
    return fresh;
}

std::shared_ptr<Held> Documents::read(std::size_t number) {
    const ByteView packet = save_.items()[number].packet;
    auto held = std::make_shared<Held>();
    auto done = held->document.read(packet, decoding_);
    if (!done && done.error().code == Errc::objects_forbidden && !decoding_.allow_objects) {
        // A save may allow Objects by itself, where they are only text.
        const auto found = save_.find('#' + std::to_string(number) + " $");
        if (found && found->options().allow_objects) {
            decoding_ = found->options();
            done = held->document.read(packet, decoding_);
        }
    }
    if (done)
        return held;
    held->broken = done.error();
    auto part = inspect::up_to_break(packet, decoding_);
    if (!part)
        return held;
    held->broken = part->error;
    held->part = std::move(part->packet);
    if (!held->document.read(held->part, decoding_))
        held->document = Document();
    return held;
}

void Documents::forget(std::size_t number) {
    const auto known = held_.find(save_.items()[number].packet.data());
    if (known == held_.end())
        return;
    bytes_ -= known->second->document.memory() + known->second->part.size();
    held_.erase(known);
}

void Documents::trim() {
    if (bytes_ <= most_bytes && held_.size() <= most_kept)
        return;
    bytes_ = 0;
    std::erase_if(held_, [&](const auto& known) {
        if (known.second.use_count() == 1)
            return true;
        bytes_ += known.second->document.memory() + known.second->part.size();
        return false;
    });
}

}  // namespace gdvar::session
