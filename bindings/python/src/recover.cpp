#include <string>

#include "save.hpp"

namespace gdvar_py {
namespace {

using RecoveryHandle = Handle<gdvar_recovery, gdvar_recovery_free>;

constexpr const char* states[] = {"whole", "resized", "partial"};

/// The error of a break, as an exception that is not raised.
PyObject* make_error(const gdvar_error& error, gdvar_text path) {
    if (!error.code)
        return Ref::borrow(Py_None).release();
    raise(error, {.path = view(path)});
    return PyErr_ExceptionMatches(PyExc_MemoryError) ? nullptr : take_exception();
}

PyObject* make_recovered(const gdvar_recovered& item) {
    const char* bytes = static_cast<const char*>(item.packet.data);
    return make_record(results.recovered,
                       {make_text(item.name),
                        PyBytes_FromStringAndSize(bytes, static_cast<Py_ssize_t>(item.packet.size)),
                        PyLong_FromUnsignedLongLong(item.offset),
                        PyUnicode_FromString(states[item.state]), make_text(item.break_at),
                        make_error(item.broken, item.break_at), PyBool_FromLong(item.found_again),
                        PyBool_FromLong(item.doubtful), PyLong_FromUnsignedLongLong(item.line)});
}

PyObject* make_lost(const gdvar_lost& lost) {
    PyObject* layer = lost.layer == GDVAR_NO_LAYER ? Ref::borrow(Py_None).release()
                                                   : PyLong_FromUnsignedLong(lost.layer);
    return make_record(
        results.lost,
        {PyLong_FromUnsignedLongLong(lost.begin), PyLong_FromUnsignedLongLong(lost.end), layer,
         PyBool_FromLong(lost.doubtful), PyUnicode_FromString(gdvar_error_name(lost.code)),
         make_text(lost.reason), make_text(lost.at), PyLong_FromUnsignedLongLong(lost.line)});
}

/// A tuple of `count` results of `make`.
template <class Make>
PyObject* make_tuple(std::size_t count, Make&& make) {
    const Ref tuple(PyTuple_New(static_cast<Py_ssize_t>(count)));
    for (std::size_t i = 0; tuple && i < count; ++i) {
        PyObject* made = make(i);
        if (!made)
            return nullptr;
        PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), made);
    }
    return Ref::borrow(tuple.get()).release();
}

PyObject* make_recovery(const gdvar_recovery* found, const gdvar_buffer* sound) {
    const BufferHandle layers(gdvar_buffer_new()), stack(gdvar_buffer_new());
    gdvar_error error;
    if (!layers || !stack)
        return PyErr_NoMemory();
    if (gdvar_recovery_layers(found, layers.get(), &error) ||
        gdvar_recovery_stack(found, stack.get(), &error))
        return raise(error);
    int certain = 0;
    const gdvar_dialect* dialect = gdvar_recovery_dialect(found, &certain);
    std::size_t notes = 0;
    while (gdvar_recovery_note_at(found, notes).size)
        ++notes;
    return make_record(
        results.recovery,
        {make_bytes(sound), PyBool_FromLong(gdvar_recovery_sound(found)), make_text_of(stack.get()),
         make_names(layers.get()), make_kind(gdvar_recovery_kind(found)),
         make_text(gdvar_dialect_name(dialect)), PyBool_FromLong(certain),
         make_tuple(gdvar_recovery_count(found),
                    [&](std::size_t i) { return make_recovered(gdvar_recovery_at(found, i)); }),
         make_tuple(gdvar_recovery_lost_count(found),
                    [&](std::size_t i) { return make_lost(gdvar_recovery_lost_at(found, i)); }),
         make_tuple(notes,
                    [&](std::size_t i) { return make_text(gdvar_recovery_note_at(found, i)); })});
}

}  // namespace

PyObject* recover(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject *data = nullptr, *partial = nullptr, *layers = nullptr;
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    SaveArgs given;
    Input bytes;
    gdvar_text stack{nullptr, 0};
    Ref kept_layers;
    const BufferHandle sound(gdvar_buffer_new());
    if (!sound)
        return PyErr_NoMemory();
    if (!given.take({"recover", args, count, names},
                    {{"data", &data, true}, {"partial", &partial}, {"layers", &layers}}, 1, options,
                    static_cast<SaveArgs::Others>(SaveArgs::dialect | SaveArgs::real_width)) ||
        !bytes.take(data))
        return nullptr;
    const int keeps = partial ? PyObject_IsTrue(partial) : 1;
    if (keeps < 0 || (layers && layers != Py_None && !take_layers(layers, kept_layers, stack)))
        return nullptr;
    options.flags |= keeps ? 0u : static_cast<std::uint32_t>(GDVAR_NO_PARTIAL);
    RecoveryHandle found;
    gdvar_error error;
    {
        const WithoutGil others;
        if (!gdvar_recover(bytes.view(), &options, found.out(), &error))
            gdvar_recovery_write(found.get(), stack, &options, sound.get(), &error);
    }
    return error.code ? raise(error) : make_recovery(found.get(), sound.get());
}

}  // namespace gdvar_py
