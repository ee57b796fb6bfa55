#include "save.hpp"

namespace gdvar_py {
namespace {

using RecoveryHandle = Handle<gdvar_recovery, gdvar_recovery_free>;

constexpr const char* states[] = {"whole", "resized", "partial"};

/// The error of a break, as an exception that is not raised.
PyObject* make_error(const gdvar_error& error, gdvar_text path) {
    if (!error.code)
        return Py_NewRef(Py_None);
    raise(error, {.path = view(path)});
    return PyErr_ExceptionMatches(PyExc_MemoryError) ? nullptr : take_exception();
}

PyObject* make_recovered(const gdvar_recovered& item) {
    return make_record<"Recovered">(item.name, item.packet, item.offset, states[item.state],
                                    item.break_at, make_error(item.broken, item.break_at),
                                    item.found_again != 0, item.doubtful != 0, item.line);
}

PyObject* make_lost(const gdvar_lost& lost) {
    return make_record<"Lost">(lost.begin, lost.end, make_layer(lost.layer), lost.doubtful != 0,
                               gdvar_error_name(lost.code), lost.reason, lost.at, lost.line);
}

PyObject* make_recovery(const gdvar_recovery* found, const Output& sound) {
    const Output layers, stack;
    gdvar_error error;
    if (gdvar_recovery_layers(found, layers.get(), &error) ||
        gdvar_recovery_stack(found, stack.get(), &error))
        return raise(error);
    int certain = 0;
    const gdvar_dialect* dialect = gdvar_recovery_dialect(found, &certain);
    std::size_t notes = 0;
    while (gdvar_recovery_note_at(found, notes).size)
        ++notes;
    return make_record<"Recovery">(
        sound.bytes(), gdvar_recovery_sound(found) != 0, stack.text(), make_names(layers),
        make_kind(gdvar_recovery_kind(found)), gdvar_dialect_name(dialect), certain != 0,
        make_tuple(gdvar_recovery_count(found),
                   [&](std::size_t i) { return make_recovered(gdvar_recovery_at(found, i)); }),
        make_tuple(gdvar_recovery_lost_count(found),
                   [&](std::size_t i) { return make_lost(gdvar_recovery_lost_at(found, i)); }),
        make_tuple(notes,
                   [&](std::size_t i) { return make_text(gdvar_recovery_note_at(found, i)); }));
}

}  // namespace

PyObject* recover(const Call& call) {
    bool partial = true;
    std::optional<Layers> layers;
    SaveArgs given;
    Input bytes;
    const Output sound;
    if (!given.take(call, 1, {{"data", bytes}, {"partial", partial}, {"layers", layers}},
                    SaveArgs::dialect | SaveArgs::real_width | SaveArgs::values))
        return nullptr;
    given.options.flags |= partial ? 0u : std::uint32_t{GDVAR_NO_PARTIAL};
    const gdvar_text stack = layers ? layers->text : Layers().text;
    RecoveryHandle found;
    gdvar_error error;
    const std::uint16_t code = run_freely([&] {
        const std::uint16_t failed =
            gdvar_recover(bytes.view(), &given.options, found.out(), &error);
        return failed
                   ? failed
                   : gdvar_recovery_write(found.get(), stack, &given.options, sound.get(), &error);
    });
    return code ? raise(error) : make_recovery(found.get(), sound);
}

}  // namespace gdvar_py
