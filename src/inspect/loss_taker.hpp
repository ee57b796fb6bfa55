#pragma once

#include "gdvar/inspect/convert.hpp"
#include "gdvar/inspect/lookup.hpp"

namespace gdvar::detail {

struct LossTaker {
    std::vector<inspect::Loss>& all;
    inspect::ConversionReport* report;  ///< null: they are listed in `all`

    /// `tracker` knows the path, whose text is made only if it is kept.
    template <class Tracker>
    void take(Type type, std::string what, std::string substitution, const Tracker& tracker) const {
        if (report)
            report->losses.add(what + "; it " + substitution, [&] {
                return inspect::shortened_path(tracker.current_path(), Losses::most_path);
            });
        else
            all.push_back(
                {inspect::shortened_path(tracker.current_path(), inspect::Loss::most_path), type,
                 std::move(what), std::move(substitution)});
    }
    /// Notes another wording, without a loss.
    template <class Tracker>
    void note(const char* what, const Tracker& tracker) const {
        if (report && report->notes)
            report->notes->add(what, [&] {
                return inspect::shortened_path(tracker.current_path(), Losses::most_path);
            });
    }
};

}  // namespace gdvar::detail
