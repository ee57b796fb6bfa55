#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "gdvar/net/endpoint.hpp"
#include "rooms.hpp"

namespace gdvar::app {

struct LiveOptions {
    std::string url;
    std::string protocol = "packets";
    std::string form = "text";
    std::string dialect = "auto";
    std::string record_file, pcap_file;
    std::string certificate_file, tls_key_file, ca_file;
    std::vector<std::string> protocols;
    std::uint64_t count = 0, max_packet = 16u << 20;
    std::uint32_t real_width = 4;
    std::optional<std::uint64_t> most_layers;  ///< around a packet; default: none is opened
    double seconds = 0, connect_seconds = 10;
    bool objects = false;
    bool big_endian = false, range_coder = false, insecure = false, quiet = false;
};

void add_url(Arguments& arguments, LiveOptions& options);
void add_live(Arguments& arguments, LiveOptions& options);
/// --origin, for commands that listen.
void add_origins(Arguments& arguments, std::vector<std::string>& origins);

struct SendingOptions : LiveOptions {
    double wait_seconds = 1;
    std::uint32_t connect_data = 0;
};
void add_sending(Arguments& arguments, SendingOptions& options);

/// The message of these commands in a build without gdvar::net. Returns an exit code.
int no_connections();

NetOptions net_options(const LiveOptions& options, const Dialect* dialect);
/// "debugger://" is tcp:// with --protocol debugger.
std::string transport_url(const std::string& url, LiveOptions& options);

}  // namespace gdvar::app
