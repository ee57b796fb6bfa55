// Damaged saves.
#include "gdvar/file/recover.hpp"

#include "save.hpp"

struct gdvar_recovery {
    gdvar::Recovery found;
};

namespace gdvar::c {
namespace {

static_assert(int{GDVAR_WHOLE} == static_cast<int>(Recovered::whole) &&
              int{GDVAR_RESIZED} == static_cast<int>(Recovered::resized) &&
              int{GDVAR_PARTIAL} == static_cast<int>(Recovered::partial));

std::expected<void, FileError> write(const Recovery& recovery, gdvar_text layers,
                                     const ContainerKey* key, Target& to) {
    if (!layers.data)
        return recovery.write(to, key);
    const auto named = layers_named(view(layers));
    if (!named)
        return std::unexpected(FileError(named.error()));
    return recovery.write(to, key ? *named : with_key_of(*named, recovery.layers()), key);
}

}  // namespace
}  // namespace gdvar::c

using namespace gdvar;

uint16_t gdvar_recover(gdvar_bytes bytes, const gdvar_save_options* options,
                       gdvar_recovery** recovery, gdvar_error* error) {
    const char* const why = c::given(options, recovery);
    return c::call_opening(error, nullptr, why, options, [&](const SaveOptions& opening) {
        auto found = recover_save(c::view(bytes), opening);
        return c::answer(error, std::move(found), [&](Recovery&& whole) {
            *recovery = new gdvar_recovery{std::move(whole)};
        });
    });
}
void gdvar_recovery_free(gdvar_recovery* recovery) {
    delete recovery;
}

int gdvar_recovery_sound(const gdvar_recovery* recovery) {
    return recovery && recovery->found.sound();
}
gdvar_kind gdvar_recovery_kind(const gdvar_recovery* recovery) {
    return recovery ? c::give(recovery->found.kind()) : gdvar_kind{};
}
const gdvar_dialect* gdvar_recovery_dialect(const gdvar_recovery* recovery, int* certain) {
    if (certain)
        *certain = recovery && recovery->found.dialect_certain();
    return recovery ? c::give(&recovery->found.dialect()) : nullptr;
}
uint16_t gdvar_recovery_layers(const gdvar_recovery* recovery, gdvar_buffer* to,
                               gdvar_error* error) {
    return c::call(error, to, c::given(recovery, to),
                   [&] { return c::give_text(to, error, c::names_of(recovery->found.layers())); });
}
uint16_t gdvar_recovery_stack(const gdvar_recovery* recovery, gdvar_buffer* to,
                              gdvar_error* error) {
    return c::call(error, to, c::given(recovery, to), [&] {
        const Recovery& found = recovery->found;
        return c::give_text(to, error,
                            stack_in_words(found.layers(), found.kind().seen_as, &found.dialect()));
    });
}

size_t gdvar_recovery_count(const gdvar_recovery* recovery) {
    return recovery ? recovery->found.items().size() : 0;
}
gdvar_recovered gdvar_recovery_at(const gdvar_recovery* recovery, size_t index) {
    gdvar_recovered out{};
    if (index >= gdvar_recovery_count(recovery))
        return out;
    const RecoveredItem& item = recovery->found.items()[index];
    out.name = c::give(setting_name(item.key));
    out.packet = c::give(item.packet);
    out.offset = item.offset;
    if (item.broken) {
        out.break_at = c::give(std::string_view(item.broken->at));
        c::fail(&out.broken, item.broken->error);
        out.line = item.broken->line;
    }
    out.state = static_cast<std::uint8_t>(item.state);
    out.found_again = item.found_again;
    out.doubtful = item.doubtful;
    return out;
}

gdvar_bytes gdvar_recovery_content(const gdvar_recovery* recovery) {
    return recovery ? c::give(recovery->found.content()) : gdvar_bytes{};
}

size_t gdvar_recovery_lost_count(const gdvar_recovery* recovery) {
    return recovery ? recovery->found.damage().size() + recovery->found.lost().size() : 0;
}
gdvar_lost gdvar_recovery_lost_at(const gdvar_recovery* recovery, size_t index) {
    gdvar_lost out{};
    if (!recovery)
        return out;
    const auto& damage = recovery->found.damage();
    const auto& lost = recovery->found.lost();
    if (index < damage.size()) {
        const auto& [layer, part] = damage[index];
        out.begin = part.begin;
        out.end = part.end;
        out.layer = static_cast<std::uint32_t>(layer);
        out.code = static_cast<std::uint16_t>(part.code);
        out.doubtful = part.doubtful;
        out.reason = c::give(std::string_view(part.what));
    } else if (index - damage.size() < lost.size()) {
        const LostRange& range = lost[index - damage.size()];
        out.begin = range.begin;
        out.end = range.end;
        out.layer = GDVAR_NO_LAYER;
        out.code = static_cast<std::uint16_t>(range.code);
        out.reason = c::give(std::string_view(range.reason));
        out.at = c::give(std::string_view(range.at));
        out.line = range.line;
    }
    return out;
}
gdvar_text gdvar_recovery_note_at(const gdvar_recovery* recovery, size_t index) {
    if (!recovery)
        return {};
    const auto& notes = recovery->found.notes();
    return index < notes.size() ? c::give(std::string_view(notes[index])) : gdvar_text{nullptr, 0};
}

uint16_t gdvar_recovery_write(const gdvar_recovery* recovery, gdvar_text layers,
                              const gdvar_save_options* options, gdvar_buffer* to,
                              gdvar_error* error) {
    const char* const why = c::given(recovery, options, to);
    return c::call_opening(error, to, why, options, [&](const SaveOptions& opening) {
        std::vector<std::byte> bytes;
        MemoryTarget target(bytes);
        const auto written = c::write(recovery->found, layers, opening.the_key(), target);
        if (!written)
            return c::fail(error, written.error());
        c::append(*to, ByteView(bytes));
        return c::succeed(error);
    });
}
