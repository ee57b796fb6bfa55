#include "options/live.hpp"

#include <algorithm>

#include "options/input.hpp"

namespace gdvar::app {

void add_url(Arguments& arguments, LiveOptions& options) {
    arguments
        .option("URL", options.url,
                "tcp://HOST:PORT, tls://, udp://, ws://HOST:PORT/PATH, wss://, enet://, unix:PATH, "
                "debugger://")
        .required();
}

void add_live(Arguments& arguments, LiveOptions& options) {
    arguments
        .option("--form", options.form,
                "text (gdvar's own form, nothing lost), json, plain, annotate, none")
        .one_of({"text", "json", "plain", "annotate", "none"});
    arguments.option("--protocol", options.protocol, "what the packets are")
        .one_of({"packets", "debugger", "multiplayer-4", "multiplayer-3", "raw"});
    add_dialect(arguments, options.dialect);
    add_real_width(arguments, options.real_width);
    arguments
        .option("--layers", options.most_layers,
                "open up to N layers (gzip, zstd, ...) around a packet, up to --max-packet bytes;\n"
                "without N: 8")
        .value("[N]")
        .value_or("8");
    arguments.option("--record", options.record_file, "record the packets in this new file");
    arguments.option("--pcap", options.pcap_file, "write the packets to this new pcap file");
    arguments.option("--count", options.count, "end after this many packets");
    arguments.option("--time", options.seconds, "end after this many seconds").seconds();
    arguments
        .option("--max-packet", options.net.max_packet,
                "size of the largest packet that is accepted")
        .sizes();
    arguments.flag("--big-endian", options.big_endian,
                   "big-endian lengths on streams (StreamPeer.big_endian)");
    arguments.option("--subprotocol", options.net.protocols, "WebSocket subprotocols");
    arguments.flag("--range-coder", options.net.enet_range_coder,
                   "ENet: compress packets with the range coder");
    arguments.option("--certificate", options.net.tls.certificate_file,
                     "this side's certificate (PEM); servers need it");
    arguments.option("--tls-key", options.net.tls.key_file, "the certificate's private key (PEM)");
    arguments.option("--ca-file", options.net.tls.ca_file, "trusted CA certificates (PEM)");
    arguments.flag("--insecure", options.insecure, "accept any server certificate");
    arguments.flag("-q,--quiet", options.quiet, "no messages about connections");
}

void add_origins(Arguments& arguments, LiveOptions& options) {
    arguments.option("--origin", options.net.origins,
                     "WebSocket: origins (web pages) that may connect; default: all");
}

void add_sending(Arguments& arguments, SendingOptions& options) {
    add_live(arguments, options);
    arguments
        .option("--wait", options.wait_seconds,
                "end after this many seconds without an answer; default: 1")
        .seconds();
    arguments.option("--connect-data", options.net.enet_connect_data,
                     "ENet: connect data, a number for the server");
}

NetOptions net_options(const LiveOptions& options, const Dialect* dialect) {
    NetOptions out = options.net;
    if (dialect)
        out.decoding.dialect = out.encoding.dialect = dialect;
    out.encoding.allow_objects = options.objects;
    out.decoding.real_width = out.encoding.real_width =
        static_cast<std::uint8_t>(options.real_width);
    out.order = options.big_endian ? ByteOrder::big : ByteOrder::little;
    out.max_packet = std::min<std::uint64_t>(out.max_packet, 0x7FFF'FFFF);
    out.max_queued = static_cast<std::size_t>(2 * out.max_packet + (1u << 20));
    out.tls.verify = !options.insecure;
    out.enet_channels = 255;
    return out;
}

std::string transport_url(const std::string& url, LiveOptions& options) {
    constexpr std::string_view scheme = "debugger://";
    if (!url.starts_with(scheme))
        return url;
    options.protocol = "debugger";
    return "tcp://" + url.substr(scheme.size());
}

}  // namespace gdvar::app
