// Packets on a stream.
#include <new>

#include "common.hpp"
#include "gdvar/net/framer.hpp"

struct gdvar_framer {
    gdvar::net::StreamFramer framer;
};

using namespace gdvar;

gdvar_framer* gdvar_framer_new(int big_endian, uint64_t max_packet) {
    return new (std::nothrow) gdvar_framer{
        net::StreamFramer(big_endian ? ByteOrder::big : ByteOrder::little, max_packet)};
}
void gdvar_framer_free(gdvar_framer* framer) {
    delete framer;
}

uint16_t gdvar_framer_feed(gdvar_framer* framer, gdvar_bytes bytes, gdvar_error* error) {
    if (const char* const why = c::given(framer))
        return c::refuse(error, why);
    return c::answer(error, framer->framer.feed(c::view(bytes)));
}
uint16_t gdvar_framer_next(gdvar_framer* framer, gdvar_bytes* packet, int* there,
                           gdvar_error* error) {
    if (const char* const why = c::given(framer, packet, there))
        return c::refuse(error, why);
    *there = 0;
    *packet = {nullptr, 0};
    return c::answer(error, framer->framer.next(), [&](const auto& next) {
        *there = next.has_value();
        if (next)
            *packet = c::give(*next);
    });
}
uint64_t gdvar_framer_need(const gdvar_framer* framer) {
    return framer ? framer->framer.need() : 0;
}
uint16_t gdvar_framer_finish(const gdvar_framer* framer, gdvar_error* error) {
    if (const char* const why = c::given(framer))
        return c::refuse(error, why);
    return c::answer(error, framer->framer.finish());
}
uint16_t gdvar_append_frame(gdvar_bytes packet, int big_endian, gdvar_buffer* to,
                            gdvar_error* error) {
    return c::call(error, to, c::given(to), [&] {
        return c::answer(error, net::append_frame(to->bytes, c::view(packet),
                                                  big_endian ? ByteOrder::big : ByteOrder::little));
    });
}
