// Saves and the layers around them.
#include <optional>
#include <string>

#include "gdvar/file/open_layers.hpp"
#include "gdvar/inspect/misstep.hpp"
#include "gdvar/wire/path.hpp"
#include "save.hpp"

namespace gdvar::c {
namespace {

/// Gives the handle of a save that was opened.
std::uint16_t give_save(std::expected<SaveFile, FileError>&& opened, gdvar_save** save,
                        gdvar_error* error) {
    return answer(error, std::move(opened),
                  [&](SaveFile&& file) { *save = new gdvar_save{.file = std::move(file)}; });
}

gdvar_place give_place(const ContentPlace& place) {
    return {place.begin, place.end, place.key_begin, place.key_end};
}

/// Notes what was refused, for gdvar_save_explain.
std::uint16_t note(gdvar_save& save, Refused refused, gdvar_error* error) {
    save.refused = std::move(refused);
    return fail(error, save.refused.error);
}

/// The value of a packet that is given to a save. Nothing, with the error noted, if it is none.
std::optional<Variant> take_value(gdvar_save& save, const std::string& path, gdvar_bytes value,
                                  std::string_view what, gdvar_error* error) {
    DecodeOptions decoding = save.file.decoding();
    decoding.allow_objects = true;  // the save itself refuses them
    auto given = decode(view(value), decoding);
    if (given)
        return *std::move(given);
    std::string why = "the new " + std::string(what) + " at " +
                      error_path(view(value), decoding, given.error()) + ": " +
                      inspect::message_without_code(given.error());
    note(save,
         {.error = given.error(), .path = path, .why = std::move(why), .type = given.error().type},
         error);
    return std::nullopt;
}

inspect::SetRules rules_of(std::uint32_t flags, const Variant& value) {
    return {.create = (flags & GDVAR_SET_CREATE) != 0,
            .type = flags & GDVAR_SET_TYPE ? std::optional(value.type()) : std::nullopt};
}

/// Gives the result of a change of several values.
std::uint16_t give_changed(gdvar_save& save,
                           std::expected<inspect::EditCounts, inspect::SetRefusal>&& done,
                           std::size_t* count, gdvar_error* error) {
    if (!done) {
        inspect::SetRefusal& why = done.error();
        return note(save,
                    {.error = why.error,
                     .path = std::move(why.at),
                     .why = std::move(why.what),
                     .needs = why.needs,
                     .type = why.type},
                    error);
    }
    if (count)
        *count = done->changed;
    return succeed(error);
}

Error error_of(const Error& error) noexcept {
    return error;
}
Error error_of(const FileError& error) noexcept {
    return error.error;
}
/// Ends a request by a path. The save notes why it was refused; `several`: the path may lead to
/// several values.
template <class Result>
std::uint16_t answer_at(gdvar_save& save, gdvar_text path, gdvar_error* error, const Result& result,
                        bool several = false) {
    if (result)
        return succeed(error);
    return note(
        save,
        {.error = error_of(result.error()), .path = std::string(view(path)), .several = several},
        error);
}
/// `call` of a request, of which gdvar_save_explain knows afterwards why it was refused.
template <class Body>
std::uint16_t request(gdvar_save* save, gdvar_error* error, gdvar_buffer* to, const char* why,
                      Body&& body) noexcept {
    return call(error, to, why, [&] {
        save->refused = {};
        return body();
    });
}

/// Puts the value of a packet at the path.
std::uint16_t put(gdvar_save& save, std::string path, gdvar_bytes value, std::uint32_t flags,
                  gdvar_error* error) {
    auto given = take_value(save, path, value, "value", error);
    if (!given)
        return static_cast<std::uint16_t>(save.refused.error.code);
    const inspect::SetRules rules = rules_of(flags, *given);
    const auto set = save.file.set(path, *given, rules);
    if (set)
        return succeed(error);
    return note(
        save,
        {.error = set.error(), .path = std::move(path), .value = std::move(given), .rules = rules},
        error);
}

std::uint16_t rename(gdvar_save& save, std::string path, gdvar_bytes key, gdvar_error* error) {
    const auto given = take_value(save, path, key, "key", error);
    if (!given)
        return static_cast<std::uint16_t>(save.refused.error.code);
    const auto renamed = save.file.rename(path, *given);
    if (renamed)
        return succeed(error);
    return note(save, {.error = renamed.error(), .path = std::move(path)}, error);
}

/// Takes a change back, or makes it again.
std::uint16_t go(gdvar_save* save, gdvar_error* error,
                 std::expected<void, Error> (SaveFile::*which)()) {
    return request(save, error, nullptr, given(save),
                   [&] { return answer(error, (save->file.*which)()); });
}

/// Does what is done to whole records: `change` is a call of the SaveFile.
template <class Change>
std::uint16_t change_record(gdvar_save* save, std::int64_t number, gdvar_error* error,
                            Change&& change) {
    return request(save, error, nullptr, given(save), [&] {
        const std::expected<void, Error> changed = change(save->file);
        if (changed)
            return succeed(error);
        return note(*save,
                    {.error = changed.error(),
                     .path = '#' + std::to_string(number),
                     .why = inspect::message_without_code(changed.error()),
                     .type = changed.error().type},
                    error);
    });
}

/// The path of the whole record or setting that a path names.
std::string whole_path(const SavePath& at) {
    Path path;
    if (at.number)
        path.records = Path::Records{.number = *at.number};
    if (at.name) {
        Path::Step name;
        name.text = *at.name;
        path.steps.push_back(std::move(name));
    }
    return path.to_string();
}
/// The same before a path inside of it: "#2 ", "input/jump ".
std::string label_of(const SavePath& at) {
    if (at.name)
        return *at.name + ' ';
    return at.number ? '#' + std::to_string(*at.number) + ' ' : std::string();
}

/// Says why a path leads nowhere, or what else was refused there.
std::uint16_t explain_path(SaveFile& file, const Refused& refused, gdvar_refusal_use use,
                           void* user) {
    if (const auto at = parse_save_path(refused.path, file.kind().named))
        if (const auto root = file.find(whole_path(*at)))
            if (const auto misstep = inspect::first_misstep(*root, at->path);
                misstep && !(refused.several && misstep->several))
                return give_refusal(use, user, refused.error, GDVAR_NEEDS_ANOTHER_PATH,
                                    misstep->type, label_of(*at) + misstep->at,
                                    inspect::to_string(*misstep));
    return give_refusal(use, user, refused.error, GDVAR_NEEDS_ANOTHER_PATH, refused.error.type,
                        refused.path, inspect::message_without_code(refused.error));
}

/// Says why a value was not put at its place.
std::uint16_t explain_set(SaveFile& file, const Refused& refused, gdvar_refusal_use use,
                          void* user) {
    static_assert(int{GDVAR_NEEDS_CREATE} == static_cast<int>(inspect::SetNeeds::create) &&
                  int{GDVAR_NEEDS_TYPE} == static_cast<int>(inspect::SetNeeds::type) &&
                  int{GDVAR_NEEDS_APPEND} == static_cast<int>(inspect::SetNeeds::append) &&
                  int{GDVAR_NEEDS_ANOTHER_PATH} ==
                      static_cast<int>(inspect::SetNeeds::another_path));
    const auto plan = file.plan(refused.path, *refused.value, refused.rules);
    if (plan)
        return give_refusal(use, user, refused.error, GDVAR_NEEDS_ANOTHER_VALUE, refused.error.type,
                            refused.path, inspect::message_without_code(refused.error));
    const inspect::SetRefusal& why = plan.error();
    const auto at = parse_save_path(refused.path, file.kind().named);
    // A path of which no record or setting is there stays as it was given.
    const bool inside = at && why.at != refused.path;
    return give_refusal(use, user, why.error, static_cast<gdvar_needs>(why.needs), why.type,
                        (inside ? label_of(*at) : std::string()) + why.at, why.what);
}

}  // namespace
}  // namespace gdvar::c

using namespace gdvar;

uint16_t gdvar_save_open(const char* path, const gdvar_save_options* options, gdvar_save** save,
                         gdvar_error* error) {
    const char* const why = c::given(path, options, save);
    return c::call_opening(error, nullptr, why, options, [&](SaveOptions& opening) {
        return c::give_save(open_save(path, std::move(opening)), save, error);
    });
}
uint16_t gdvar_save_read(gdvar_bytes bytes, const gdvar_save_options* options, gdvar_save** save,
                         gdvar_error* error) {
    const char* const why = c::given(options, save);
    return c::call_opening(error, nullptr, why, options, [&](SaveOptions& opening) {
        return c::give_save(read_save(c::view(bytes), std::move(opening)), save, error);
    });
}
void gdvar_save_free(gdvar_save* save) {
    delete save;
}

const gdvar_dialect* gdvar_save_dialect(const gdvar_save* save) {
    return save ? c::give(&save->file.dialect()) : nullptr;
}
uint16_t gdvar_save_layers(const gdvar_save* save, gdvar_buffer* to, gdvar_error* error) {
    return c::call(error, to, c::given(save, to),
                   [&] { return c::give_text(to, error, c::names_of(save->file.layers())); });
}
size_t gdvar_save_count(const gdvar_save* save) {
    return save ? save->file.items().size() : 0;
}
gdvar_save_item gdvar_save_at(const gdvar_save* save, size_t index) {
    if (index >= gdvar_save_count(save))
        return {{nullptr, 0}, {nullptr, 0}};
    const SaveItem& item = save->file.items()[index];
    return {c::give(setting_name(item.key)), c::give(item.packet)};
}

uint16_t gdvar_save_content(gdvar_save* save, gdvar_bytes* content, gdvar_error* error) {
    return c::call(error, nullptr, c::given(save, content), [&] {
        return c::answer(error, save->file.content(),
                         [&](ByteView bytes) { *content = c::give(bytes); });
    });
}
uint16_t gdvar_save_place(gdvar_save* save, size_t index, uint64_t offset, gdvar_place* place,
                          gdvar_error* error) {
    return c::call(error, nullptr, c::given(save, place), [&] {
        return c::answer(error, save->file.place(index, offset),
                         [&](const ContentPlace& found) { *place = c::give_place(found); });
    });
}
uint16_t gdvar_save_value_at(gdvar_save* save, uint64_t at, size_t* index, uint64_t* offset,
                             gdvar_error* error) {
    return c::call(error, nullptr, c::given(save, index, offset), [&] {
        return c::answer(error, save->file.value_at(at), [&](const auto& found) {
            *index = found.index;
            *offset = found.offset;
        });
    });
}

uint16_t gdvar_save_place_of(gdvar_save* save, gdvar_text path, gdvar_place* place,
                             gdvar_error* error) {
    return c::request(save, error, nullptr, c::given(save, place), [&] {
        const auto found = save->file.place(c::view(path));
        if (found)
            *place = c::give_place(*found);
        return c::answer_at(*save, path, error, found);
    });
}
uint16_t gdvar_save_path_at(gdvar_save* save, uint64_t at, gdvar_buffer* to, gdvar_error* error) {
    return c::call(error, to, c::given(save, to), [&] {
        return c::answer(error, save->file.path_at(at),
                         [&](const std::string& path) { c::append(*to, std::string_view(path)); });
    });
}

uint16_t gdvar_save_get(gdvar_save* save, gdvar_text path, gdvar_buffer* to, gdvar_error* error) {
    return c::request(save, error, to, c::given(save, to), [&] {
        const auto found = save->file.find(c::view(path));
        if (found)
            c::append(*to, found->raw());
        return c::answer_at(*save, path, error, found);
    });
}
uint16_t gdvar_save_set(gdvar_save* save, gdvar_text path, gdvar_bytes value, uint32_t flags,
                        gdvar_error* error) {
    return c::request(save, error, nullptr, c::given(save), [&] {
        return c::put(*save, std::string(c::view(path)), value, flags, error);
    });
}
uint16_t gdvar_save_erase(gdvar_save* save, gdvar_text path, gdvar_error* error) {
    return c::request(save, error, nullptr, c::given(save), [&] {
        return c::answer_at(*save, path, error, save->file.erase(c::view(path)));
    });
}
uint16_t gdvar_save_find_each(gdvar_save* save, gdvar_text path, gdvar_match_use use, void* user,
                              size_t* count, gdvar_error* error) {
    return c::request(save, error, nullptr, c::given(save, use), [&] {
        const auto found = save->file.find_each(c::view(path), [&](const SaveMatch& match) {
            const gdvar_match given{c::give(match.path), c::give(match.value.raw()), GDVAR_NO_NODE};
            return use(user, &given) != 0;
        });
        if (found && count)
            *count = *found;
        return c::answer_at(*save, path, error, found, true);
    });
}
uint16_t gdvar_save_set_all(gdvar_save* save, gdvar_text path, gdvar_bytes value, uint32_t flags,
                            size_t* count, gdvar_error* error) {
    return c::request(save, error, nullptr, c::given(save), [&] {
        const auto given = c::take_value(*save, std::string(c::view(path)), value, "value", error);
        if (!given)
            return static_cast<std::uint16_t>(save->refused.error.code);
        return c::give_changed(
            *save, save->file.set_all(c::view(path), *given, c::rules_of(flags, *given)), count,
            error);
    });
}
uint16_t gdvar_save_erase_all(gdvar_save* save, gdvar_text path, size_t* count,
                              gdvar_error* error) {
    return c::request(save, error, nullptr, c::given(save), [&] {
        return c::give_changed(*save, save->file.erase_all(c::view(path)), count, error);
    });
}
uint16_t gdvar_save_rename(gdvar_save* save, gdvar_text path, gdvar_bytes key, gdvar_error* error) {
    return c::request(save, error, nullptr, c::given(save),
                      [&] { return c::rename(*save, std::string(c::view(path)), key, error); });
}
uint16_t gdvar_save_insert(gdvar_save* save, int64_t number, gdvar_bytes packet,
                           gdvar_error* error) {
    return c::change_record(save, number, error, [&](SaveFile& file) {
        return file.insert_item(number, c::view(packet));
    });
}
uint16_t gdvar_save_replace(gdvar_save* save, int64_t number, gdvar_bytes packet,
                            gdvar_error* error) {
    return c::change_record(save, number, error, [&](SaveFile& file) {
        return file.replace_item(number, c::view(packet));
    });
}
uint16_t gdvar_save_remove(gdvar_save* save, int64_t number, gdvar_error* error) {
    return c::change_record(save, number, error,
                            [&](SaveFile& file) { return file.remove_item(number); });
}
uint16_t gdvar_save_explain(gdvar_save* save, gdvar_refusal_use use, void* user) {
    return c::call(nullptr, nullptr, c::given(save), [&] {
        const c::Refused& refused = save->refused;
        if (refused.error.code == Errc::ok)
            return std::uint16_t{0};
        if (!refused.why.empty())
            return c::give_refusal(use, user, refused.error,
                                   static_cast<gdvar_needs>(refused.needs), refused.type,
                                   refused.path, refused.why);
        return refused.value ? c::explain_set(save->file, refused, use, user)
                             : c::explain_path(save->file, refused, use, user);
    });
}
int gdvar_save_changed(const gdvar_save* save) {
    return save && save->file.changed();
}
uint16_t gdvar_save_keep_changes(gdvar_save* save, size_t most_bytes, gdvar_error* error) {
    return c::call(error, nullptr, c::given(save), [&] {
        most_bytes ? save->file.keep_changes(most_bytes) : save->file.keep_changes();
        return c::succeed(error);
    });
}
uint16_t gdvar_save_undo(gdvar_save* save, gdvar_error* error) {
    return c::go(save, error, &SaveFile::undo);
}
uint16_t gdvar_save_redo(gdvar_save* save, gdvar_error* error) {
    return c::go(save, error, &SaveFile::redo);
}
size_t gdvar_save_change_count(const gdvar_save* save) {
    return save ? static_cast<size_t>(save->file.change_count()) : 0;
}
size_t gdvar_save_undo_count(const gdvar_save* save) {
    return save ? save->file.undo_count() : 0;
}
size_t gdvar_save_redo_count(const gdvar_save* save) {
    return save ? save->file.redo_count() : 0;
}

uint16_t gdvar_save_bytes(const gdvar_save* save, gdvar_buffer* to, gdvar_error* error) {
    return c::call(error, to, c::given(save, to), [&] {
        return c::answer(error, save->file.bytes(&save->sums),
                         [&](ByteView bytes) { c::append(*to, bytes); });
    });
}
uint16_t gdvar_save_write(gdvar_save* save, const char* backup, gdvar_error* error) {
    return c::call(error, nullptr, c::given(save), [&] {
        return c::answer(error, save->file.save(backup ? backup : "", &save->sums));
    });
}

void gdvar_save_stale_sums(const gdvar_save* save, gdvar_stale_sum_use use, void* user) {
    if (!save || !use)
        return;
    for (const StaleSum& sum : save->sums.stale) {
        const std::string text = to_string(sum);
        const gdvar_stale_sum given{.path = c::give(std::string_view(sum.path)),
                                    .of = c::give(std::string_view(sum.of)),
                                    .was = c::give(std::string_view(sum.was)),
                                    .now = c::give(std::string_view(sum.now)),
                                    .text = c::give(std::string_view(text)),
                                    .mended = sum.mended,
                                    .reserved = {}};
        use(user, &given);
    }
}
void gdvar_save_update_sums(gdvar_save* save, int update) {
    if (save)
        save->sums.mend = update != 0;
}

uint16_t gdvar_wrap(gdvar_bytes inner, gdvar_text layers, const gdvar_save_options* options,
                    gdvar_buffer* to, gdvar_error* error) {
    const char* const why = c::given(options, to);
    return c::call_opening(error, to, why, options, [&](const SaveOptions& opening) {
        const auto named = c::layers_named(c::view(layers));
        if (!named)
            return c::fail(error, named.error());
        MemorySource source(c::view(inner));
        std::vector<std::byte> bytes;
        MemoryTarget target(bytes);
        const auto written = write_layers(source, target, *named, opening.the_key());
        if (!written)
            return c::fail(error, written.error());
        c::append(*to, ByteView(bytes));
        return c::succeed(error);
    });
}

uint16_t gdvar_unwrap(gdvar_bytes outer, const gdvar_save_options* options, gdvar_buffer* to,
                      gdvar_buffer* layers, gdvar_error* error) {
    const char* const why = c::given(options, to);
    return c::call_opening(error, to, why, options, [&](SaveOptions& opening) {
        // The names of the layers are all that gdvar_wrap takes, so values stay closed.
        opening.values = false;
        opening.inside.clear();
        opening.only_entry = false;
        const auto opened = open_layers(std::make_unique<MemorySource>(c::view(outer)), opening);
        if (!opened)
            return c::fail(error, opened.error().error);
        if (const auto back = opened->inside().rewind(); !back)
            return c::fail(error, back.error());
        const auto bytes = read_all(opened->inside(), opening.max_bytes);
        if (!bytes)
            return c::fail(error, bytes.error());
        c::append(*to, ByteView(*bytes));
        if (layers)
            c::append(*layers, std::string_view(c::names_of(opened->layers)));
        return c::succeed(error);
    });
}
