// A sink that hides whole values from another sink.
#pragma once

#include "gdvar/wire/reader.hpp"
#include "wire/around.hpp"

namespace gdvar::detail {

/// Asks `bool Inner::skips(Type, std::string_view text, Errc&)` before each value; `text` is the
/// value's text, if it has one. If true, neither the value nor its children reach Inner. `skips`
/// has then written the replacement itself; the Errc is its result.
template <class Inner>
class Skipping : public AroundSink<Skipping<Inner>> {
public:
    explicit Skipping(Inner& inner) noexcept : inner_(inner) {}

    void at(std::size_t offset) {
        if constexpr (requires { inner_.at(offset); })
            inner_.at(offset);
    }
    template <class Event>
    Errc around(const EventValue& value, Event event) {
        Errc code = Errc::ok;
        if (depth_ == 0 &&
            (value.kind == EventKind::part || !inner_.skips(value.type, value.text, code)))
            return event(inner_);
        depth_ += value.kind == EventKind::begin;
        return code;
    }
    Errc end() {
        if (depth_ == 0)
            return inner_.end();
        --depth_;
        return Errc::ok;
    }

private:
    Inner& inner_;
    std::size_t depth_ = 0;  ///< open containers in the skipped value
};

}  // namespace gdvar::detail
