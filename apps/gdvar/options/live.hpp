#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "arguments.hpp"
#include "gdvar/net/endpoint.hpp"
#include "output/messages.hpp"

namespace gdvar::app {

struct LiveOptions {
    std::string url;
    std::string protocol = "packets";
    std::string form = "text";
    std::string dialect = "auto";
    std::string record_file, pcap_file;
    std::uint64_t count = 0;
    std::uint32_t real_width = 4;
    std::optional<std::uint64_t> most_layers;  ///< around a packet; default: none is opened
    double seconds = 0;
    bool objects = false;
    bool big_endian = false, insecure = false, quiet = false;
    NetOptions net = NetOptions::unlimited();  ///< everything received is shown

    LiveOptions() { net.max_packet = 16u << 20; }
};

void add_url(Arguments& arguments, LiveOptions& options);
void add_live(Arguments& arguments, LiveOptions& options);
/// --origin, for commands that listen.
void add_origins(Arguments& arguments, LiveOptions& options);

struct SendingOptions : LiveOptions {
    double wait_seconds = 1;
};
void add_sending(Arguments& arguments, SendingOptions& options);

#ifndef GDVAR_NET
/// The work of these commands in a build without gdvar::net: they say so. Returns an exit code.
template <class Options>
int run(Options&) {
    return give_up(usage,
                   "gdvar: this build has no connections, because it was built without gdvar::net");
}
#endif

NetOptions net_options(const LiveOptions& options, const Dialect* dialect);
/// "debugger://" is tcp:// with --protocol debugger.
std::string transport_url(const std::string& url, LiveOptions& options);

}  // namespace gdvar::app
