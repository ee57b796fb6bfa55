// Packets that become other packets: converted, edited, compared, patched.
#include "common.hpp"
#include "gdvar/inspect/convert.hpp"
#include "gdvar/inspect/edit.hpp"
#include "gdvar/inspect/written.hpp"
#include "patch.hpp"

namespace gdvar::c {
namespace {

/// Appends the result of a function that gives a packet.
template <class Refusal>
std::uint16_t give_packet(std::expected<PackedByteArray, Refusal>&& packet, gdvar_buffer& to,
                          gdvar_error* error) {
    return answer(error, packet,
                  [&](const PackedByteArray& bytes) { append(to, as_bytes(bytes)); });
}

/// The options for a packet that is only taken over: everything in it is accepted.
constexpr DecodeOptions anything{.allow_objects = true};

}  // namespace

std::uint16_t give_patch(const inspect::Patch& patch, gdvar_buffer& to, gdvar_error* error) {
    Array list;
    for (const inspect::Change& change : patch)
        list.push_back(inspect::to_variant(change));
    return answer(error, encode_to(to.bytes, Variant(std::move(list)), {.allow_objects = true}));
}

std::uint16_t take_patch(gdvar_bytes packet, inspect::Patch& to, gdvar_error* error) {
    auto list = decode(view(packet), anything);
    if (!list)
        return fail(error, list.error());
    const auto items = list->get<Array>();
    if (!items)
        return refuse(error, "a patch is an Array of changes");
    for (const Variant& item : *items) {
        auto change = inspect::change_from(item);
        if (!change)
            return fail(error, inspect::PatchError(change.error(), to.size()));
        to.push_back(*std::move(change));
    }
    return 0;
}

}  // namespace gdvar::c

using namespace gdvar;

uint16_t gdvar_convert(gdvar_bytes packet, const gdvar_options* from_options,
                       const gdvar_options* to_options, gdvar_buffer* to, gdvar_loss_use losses,
                       void* user, gdvar_error* error) {
    return c::call(error, to, c::given(from_options, to_options, to), [&] {
        // Nobody asks for the losses' paths, which may be long: they are only counted.
        Losses counted(0);
        inspect::ConversionReport report{counted};
        auto made =
            inspect::convert(c::view(packet), c::decoding(from_options), c::encoding(to_options),
                             inspect::Renames::godot_3_to_4(), losses ? nullptr : &report);
        if (!made)
            return c::fail(error, made.error());
        // Engines keep one of the keys that are the same in the target.
        if (auto sound =
                inspect::make_strict(*made, c::encoding(to_options), losses ? nullptr : &report);
            !sound)
            return c::fail(error, sound.error());
        if (losses)
            for (const inspect::Loss& loss : made->losses) {
                const gdvar_loss given{c::give(std::string_view(loss.path)),
                                       c::give(std::string_view(loss.what)),
                                       c::give(std::string_view(loss.substitution)),
                                       static_cast<std::uint8_t>(loss.type)};
                losses(user, &given);
            }
        c::append(*to, as_bytes(made->bytes));
        return c::succeed(error);
    });
}

uint16_t gdvar_set(gdvar_bytes packet, gdvar_text path, gdvar_bytes value,
                   const gdvar_options* options, gdvar_buffer* to, gdvar_error* error) {
    return c::call(error, to, c::given(options, to), [&] {
        const DecodeOptions decoding = c::decoding(options);
        auto given = decode(c::view(value), decoding);
        if (!given)
            return c::fail(error, given.error());
        return c::give_packet(inspect::set_value(c::view(packet), c::view(path), *given, decoding),
                              *to, error);
    });
}

uint16_t gdvar_erase(gdvar_bytes packet, gdvar_text path, const gdvar_options* options,
                     gdvar_buffer* to, gdvar_error* error) {
    return c::call(error, to, c::given(options, to), [&] {
        return c::give_packet(
            inspect::erase_value(c::view(packet), c::view(path), c::decoding(options)), *to, error);
    });
}

uint16_t gdvar_diff(const gdvar_document* from, const gdvar_document* to, gdvar_buffer* patch,
                    gdvar_error* error) {
    return c::call(error, patch, c::given(from, to, patch), [&] {
        const auto changes = inspect::diff(from->document.root(), to->document.root());
        return changes ? c::give_patch(*changes, *patch, error) : c::fail(error, changes.error());
    });
}

uint16_t gdvar_change_path(gdvar_bytes patch, uint64_t change, gdvar_buffer* path,
                           gdvar_error* error) {
    return c::call(error, path, c::given(path), [&] {
        const auto list = decode(c::view(patch), c::anything);
        if (!list)
            return c::fail(error, list.error());
        const Array* items = list->get_if<Array>();
        if (!items)
            return c::refuse(error, "a patch is an Array of changes");
        if (change >= items->size())
            return c::fail(error, Error{Errc::index_out_of_range, Type::array}.about_index(
                                      static_cast<std::int64_t>(change), items->size()));
        const auto made = inspect::change_from((*items)[static_cast<std::size_t>(change)]);
        if (!made)
            return c::fail(error,
                           inspect::PatchError(made.error(), static_cast<std::size_t>(change)));
        c::append(*path, std::string_view(inspect::path_text(made->at)));
        return c::succeed(error);
    });
}

uint16_t gdvar_patch(gdvar_bytes packet, gdvar_bytes patch, const gdvar_options* options,
                     gdvar_buffer* to, gdvar_error* error) {
    return c::call(error, to, c::given(options, to), [&] {
        inspect::Patch changes;
        if (const auto code = c::take_patch(patch, changes, error))
            return code;
        return c::give_packet(inspect::patch_packet(c::view(packet), changes, c::decoding(options)),
                              *to, error);
    });
}
