#include "options/live.hpp"

#include <algorithm>

#include "options/input.hpp"
#include "output/messages.hpp"

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
        .option("--max-packet", options.max_packet, "size of the largest packet that is accepted")
        .sizes();
    arguments.flag("--big-endian", options.big_endian,
                   "big-endian lengths on streams (StreamPeer.big_endian)");
    arguments.option("--subprotocol", options.protocols, "WebSocket subprotocols");
    arguments.flag("--range-coder", options.range_coder,
                   "ENet: compress packets with the range coder");
    arguments.option("--certificate", options.certificate_file,
                     "this side's certificate (PEM); servers need it");
    arguments.option("--tls-key", options.tls_key_file, "the certificate's private key (PEM)");
    arguments.option("--ca-file", options.ca_file, "trusted CA certificates (PEM)");
    arguments.flag("--insecure", options.insecure, "accept any server certificate");
    arguments.flag("-q,--quiet", options.quiet, "no messages about connections");
}

void add_origins(Arguments& arguments, std::vector<std::string>& origins) {
    arguments.option("--origin", origins,
                     "WebSocket: origins (web pages) that may connect; default: all");
}

void add_sending(Arguments& arguments, SendingOptions& options) {
    add_live(arguments, options);
    arguments
        .option("--wait", options.wait_seconds,
                "end after this many seconds without an answer; default: 1")
        .seconds();
    arguments.option("--connect-data", options.connect_data,
                     "ENet: connect data, a number for the server");
}

NetOptions net_options(const LiveOptions& options, const Dialect* dialect) {
    // Everything received is shown.
    NetOptions out = NetOptions::unlimited();
    if (dialect)
        out.decoding.dialect = out.encoding.dialect = dialect;
    out.encoding.allow_objects = options.objects;
    out.decoding.real_width = out.encoding.real_width =
        static_cast<std::uint8_t>(options.real_width);
    out.order = options.big_endian ? ByteOrder::big : ByteOrder::little;
    out.max_packet = std::min<std::uint64_t>(options.max_packet, 0x7FFF'FFFF);
    out.max_queued = static_cast<std::size_t>(2 * out.max_packet + (1u << 20));
    out.connect_timeout =
        std::chrono::milliseconds(static_cast<int>(options.connect_seconds * 1e3));
    out.tls.certificate_file = options.certificate_file;
    out.tls.key_file = options.tls_key_file;
    out.tls.ca_file = options.ca_file;
    out.tls.verify = !options.insecure;
    out.protocols = options.protocols;
    out.enet_channels = 255;
    out.enet_range_coder = options.range_coder;
    return out;
}

int no_connections() {
    say("gdvar: this build has no connections, because it was built without gdvar::net");
    return usage;
}

std::string transport_url(const std::string& url, LiveOptions& options) {
    constexpr std::string_view scheme = "debugger://";
    if (!url.starts_with(scheme))
        return url;
    options.protocol = "debugger";
    return "tcp://" + url.substr(scheme.size());
}

}  // namespace gdvar::app
