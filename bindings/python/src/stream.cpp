#include "results.hpp"

namespace gdvar_py {
namespace {

struct Framer {
    PyObject_HEAD gdvar_framer* framer;
};

gdvar_framer* framer_of(PyObject* self) noexcept {
    return reinterpret_cast<Framer*>(self)->framer;
}

PyObject* framer_new(PyTypeObject* type, PyObject* args, PyObject* names) {
    PyObject* most = nullptr;
    int big_endian = 0;
    static const char* const keywords[] = {"big_endian", "max_packet", nullptr};
    if (!PyArg_ParseTupleAndKeywords(args, names, "|$pO:StreamFramer", const_cast<char**>(keywords),
                                     &big_endian, &most))
        return nullptr;
    std::uint64_t max_packet = 1u << 20;
    if (most && !take_argument(most, "max_packet", max_packet))
        return nullptr;
    Ref self(PyType_GenericAlloc(type, 0));
    if (!self)
        return nullptr;
    auto* framer = reinterpret_cast<Framer*>(self.get());
    framer->framer = gdvar_framer_new(big_endian, max_packet);
    return framer->framer ? self.release() : PyErr_NoMemory();
}

void framer_free(PyObject* self) {
    gdvar_framer_free(framer_of(self));
    free_object(self);
}

PyObject* framer_feed(PyObject* self, PyObject* data) {
    Bytes bytes;
    if (!bytes.take(data))
        return nullptr;
    gdvar_error error;
    return gdvar_framer_feed(framer_of(self), bytes.view(), &error) ? raise(error)
                                                                    : Py_NewRef(Py_None);
}

PyObject* framer_next(PyObject* self) {
    gdvar_bytes packet;
    int there = 0;
    gdvar_error error;
    if (gdvar_framer_next(framer_of(self), &packet, &there, &error))
        return raise(error);
    return there ? make_bytes(packet) : nullptr;
}

PyObject* framer_finish(PyObject* self) {
    gdvar_error error;
    return gdvar_framer_finish(framer_of(self), &error) ? raise(error) : Py_NewRef(Py_None);
}

PyObject* framer_need(PyObject* self) {
    return PyLong_FromUnsignedLongLong(gdvar_framer_need(framer_of(self)));
}

PyMethodDef framer_methods[] = {row<"feed", framer_feed>(R"(feed($self, data, /)
--

Takes what arrived. Raises the error that the stream has, if any.)"),
                                row<"finish", framer_finish>(R"(finish($self)
--

To be called when the stream has ended. Raises TruncatedError in the middle of a packet.)"),
                                {nullptr, nullptr, 0, nullptr}};
PyGetSetDef framer_members[] = {
    property<"need", framer_need>(
        "At least so many bytes must come before there is a packet; 0: ask for one."),
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
constexpr const char* about_framer = R"(StreamFramer(*, big_endian=False, max_packet=1048576)
--

Cuts what arrives on a stream into the packets that StreamPeer.put_var and
PacketPeerStream put behind a length. It does no input or output.

Give it bytes by `feed`, however they were split; iterating gives the packets that are
whole, as bytes. Iterate again when more came. `big_endian` is that of the stream
(PacketPeerStream: False). A length over `max_packet` raises LimitError, a negative one
DecodeError; from then on every call raises it. Memory: about twice the largest packet.)";
PyObject* frame(const Call& call) {
    Input bytes;
    bool big_endian = false;
    const Output made;
    if (!call.take(1, {{"packet", bytes}, {"big_endian", big_endian}}))
        return nullptr;
    gdvar_error error;
    if (gdvar_append_frame(bytes.view(), big_endian, made.get(), &error))
        return raise(error, {.writing = true});
    return make_bytes(made.bytes());
}

PyMethodDef functions[] = {row<"frame", frame>(R"(frame(packet, *, big_endian=False)
--

The packet behind its length, as StreamPeer.put_var sends it. Raises EncodeError from 2 GiB on.)"),
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_stream(PyObject* module) {
    PyTypeObject* type = make_type(module, "gdvar.StreamFramer", sizeof(Framer), 0,
                                   {{Py_tp_doc, const_cast<char*>(about_framer)},
                                    slot(Py_tp_new, framer_new),
                                    slot(Py_tp_dealloc, framer_free),
                                    slot(Py_tp_iter, PyObject_SelfIter),
                                    slot(Py_tp_iternext, framer_next),
                                    {Py_tp_methods, framer_methods},
                                    {Py_tp_getset, framer_members}});
    return type && PyModule_AddType(module, type) == 0 &&
           PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
