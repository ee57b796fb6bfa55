// Looking into packets: paths, fields, quirks, dialects.
#include <vector>

#include "common.hpp"
#include "gdvar/inspect/annotate.hpp"
#include "gdvar/inspect/guess.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/misstep.hpp"
#include "gdvar/inspect/quirks.hpp"

using namespace gdvar;

uint16_t gdvar_path_several(gdvar_text path, int* several, gdvar_error* error) {
    return c::call(error, nullptr, c::given(several), [&] {
        const auto parsed = Path::parse(c::view(path));
        if (!parsed)
            return c::fail(error, text_error_at(c::view(path), parsed.error().position,
                                                Errc::bad_path, Type::nil, parsed.error().what));
        *several = parsed->several() || (parsed->records && parsed->records->all);
        return c::succeed(error);
    });
}

uint16_t gdvar_lookup(const gdvar_document* document, gdvar_text path, gdvar_match_use use,
                      void* user, size_t* count, gdvar_error* error) {
    return gdvar_lookup_from(document, 0, path, use, user, count, error);
}
uint16_t gdvar_lookup_from(const gdvar_document* document, uint32_t node, gdvar_text path,
                           gdvar_match_use use, void* user, size_t* count, gdvar_error* error) {
    return c::call(error, nullptr, c::given(document, use), [&] {
        const auto found = inspect::lookup_each(
            c::view_of(document, node), c::view(path), [&](const inspect::MatchView& match) {
                const gdvar_match given{
                    c::give(match.path), c::give(match.value.raw()),
                    match.value.part() ? GDVAR_NO_NODE : c::node_of(document, match.value)};
                return use(user, &given) != 0;
            });
        return c::answer(error, found, [&](std::size_t given) {
            if (count)
                *count = given;
        });
    });
}

uint16_t gdvar_explain_path(const gdvar_document* document, gdvar_text path, gdvar_refusal_use use,
                            void* user) {
    return c::call(nullptr, nullptr, c::given(document), [&] {
        const View root = document->document.root();
        const auto found = inspect::lookup_each(root, c::view(path),
                                                [](const inspect::MatchView&) { return false; });
        if (found)
            return std::uint16_t{0};
        const Error& error = found.error();
        const auto misstep = inspect::first_misstep(root, c::view(path));
        // The misstep at a step to several values says that there is one, not what it did not find.
        const bool words = misstep && !misstep->several;
        return c::give_refusal(
            use, user, error, GDVAR_NEEDS_ANOTHER_PATH, misstep ? misstep->type : error.type,
            misstep ? std::string_view(misstep->at) : c::view(path),
            words ? inspect::to_string(*misstep) : inspect::message_without_code(error));
    });
}

uint16_t gdvar_annotate(gdvar_bytes bytes, const gdvar_options* options, gdvar_row_use use,
                        void* user, size_t* size, gdvar_error* error) {
    return c::call(error, nullptr, c::given(options, use), [&] {
        const auto taken = inspect::annotate(
            c::view(bytes), c::decoding(options), [&](const inspect::AnnotateRow& row) {
                const gdvar_row given{row.offset,
                                      row.size,
                                      c::give(row.path),
                                      c::give(std::string_view(row.type)),
                                      c::give(std::string_view(row.value)),
                                      c::give(std::string_view(row.note))};
                use(user, &given);
            });
        return c::answer(error, taken, [&](std::size_t bytes_taken) {
            if (size)
                *size = bytes_taken;
        });
    });
}

uint16_t gdvar_check(gdvar_bytes bytes, const gdvar_options* options, size_t most,
                     gdvar_quirk_use use, void* user, uint64_t* count, gdvar_error* error) {
    return c::call(error, nullptr, c::given(options), [&] {
        const auto quirks =
            inspect::find_quirks(c::view(bytes), c::decoding(options), use ? most : 0);
        if (!quirks)
            return c::fail(error, quirks.error());
        for (const inspect::FoundQuirk& quirk : quirks->first) {
            const gdvar_quirk given{c::give(quirk_info(quirk.quirk).name),
                                    c::give(std::string_view(quirk.path)), quirk.offset};
            use(user, &given);
        }
        if (count)
            *count = quirks->count;
        return c::succeed(error);
    });
}

const gdvar_dialect* gdvar_guess(const gdvar_bytes* packets, size_t count, gdvar_candidate_use use,
                                 void* user, int* ambiguous) GDVAR_TRY {
    std::vector<ByteView> views;
    if (c::why_no_array(packets, count))
        return nullptr;
    views.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        views.push_back(c::view(packets[i]));
    const inspect::Guess guess = inspect::guess_dialect(views);
    if (use)
        for (const inspect::Candidate& candidate : guess.candidates) {
            const gdvar_candidate given{c::give(candidate.dialect), candidate.fits, candidate.score,
                                        candidate.oddities,
                                        c::give(std::string_view(candidate.reason))};
            use(user, &given);
        }
    if (ambiguous)
        *ambiguous = guess.ambiguous;
    return c::give(guess.dialect);
}
GDVAR_CATCH_ALL(return nullptr)
