// The files of packs and of browsers' exports.
#include <cerrno>
#include <cstring>
#include <memory>

#include "gdvar/file/archive.hpp"
#include "gdvar/file/open_layers.hpp"
#include "save.hpp"

namespace gdvar::c {
namespace {

void give_entry(const ArchiveEntry& entry, gdvar_entry_use use, void* user) {
    gdvar_entry given{};
    given.name = give(std::string_view(entry.name));
    given.size = entry.size;
    given.offset = entry.offset.value_or(0);
    if (entry.md5)
        std::memcpy(given.md5, entry.md5->data(), sizeof given.md5);
    std::vector<gdvar_text> notes;
    notes.reserve(entry.notes.size());
    for (const std::string_view note : entry.notes)
        notes.push_back(give(note));
    given.notes = notes.data();
    given.note_count = notes.size();
    const auto flag = [&](bool set, gdvar_entry_flags which) {
        given.flags |= set ? static_cast<std::uint32_t>(which) : 0u;
    };
    flag(entry.encrypted, GDVAR_ENTRY_ENCRYPTED);
    flag(!entry.opens, GDVAR_ENTRY_ABSENT);
    flag(entry.offset.has_value(), GDVAR_ENTRY_OFFSET);
    flag(entry.md5.has_value(), GDVAR_ENTRY_MD5);
    flag(entry.hostile_name, GDVAR_ENTRY_HOSTILE);
    use(user, &given);
}

/// Gives the files of the archive that is found in a source.
std::uint16_t give_entries(std::unique_ptr<Source> source, SaveOptions how, gdvar_entry_use use,
                           void* user, gdvar_buffer* description, gdvar_error* error) {
    how.only_entry = false;
    const auto found = open_layers(std::move(source), how);
    if (!found)
        return fail(error, found.error().error);
    if (!is_archive(found->kind))
        return fail(error, Error{Errc::not_recognised}.about_reason(
                               "this is neither a pack nor the files of a browser"));
    how.skip = found->layers.empty() ? how.skip : 0;
    const auto archive = open_archive(found->inside(), found->kind, how);
    if (!archive)
        return fail(error, archive.error());
    if (description)
        append(*description, std::string_view((*archive)->description()));
    for (const ArchiveEntry& entry : (*archive)->entries())
        give_entry(entry, use, user);
    return succeed(error);
}

}  // namespace
}  // namespace gdvar::c

using namespace gdvar;

uint16_t gdvar_list_entries(const char* path, const gdvar_save_options* options,
                            gdvar_entry_use use, void* user, gdvar_buffer* description,
                            gdvar_error* error) {
    const char* const why = c::given(path, options, use);
    return c::call_opening(error, description, why, options, [&](const SaveOptions& opening) {
        auto file = FileSource::open(path);
        if (!file)
            return c::fail(error, file.error());
        if (!file->can_rewind())
            return c::fail(error, FileError::io(ENOTSUP));
        return c::give_entries(std::make_unique<FileSource>(*std::move(file)), opening, use, user,
                               description, error);
    });
}
uint16_t gdvar_read_entries(gdvar_bytes bytes, const gdvar_save_options* options,
                            gdvar_entry_use use, void* user, gdvar_buffer* description,
                            gdvar_error* error) {
    const char* const why = c::given(options, use);
    return c::call_opening(error, description, why, options, [&](const SaveOptions& opening) {
        return c::give_entries(std::make_unique<MemorySource>(c::view(bytes)), opening, use, user,
                               description, error);
    });
}
