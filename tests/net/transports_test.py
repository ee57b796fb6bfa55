"""A program contains the transports that it names, and of the others nothing: no OpenSSL, Beast, ENet.

transports_test.py NM PROGRAM_OF_TCP PROGRAM_OF_ALL
"""

import re
import subprocess
import sys

# Names of each transport's objects, and of the libraries below them.
THEIRS = {
    "OpenSSL": r"\b(SSL|X509|ERR)_[A-Za-z]|asio::ssl::",
    "Beast": r"boost::beast::",
    "ENet": r"\benet_|EnetPeer",
    "UDP": r"UdpPeer",
    "WebSocket": r"WebSocketPeer",
}


def symbols(nm, program):
    return subprocess.run([nm, "-C", program], check=True, capture_output=True, text=True).stdout


def main(nm, small, whole):
    listed = symbols(nm, small)
    if "StreamPeer<" not in listed:
        sys.exit(f"{small} has no symbol of TCP: this test looks at the wrong thing")
    everything = symbols(nm, whole)
    failures = []
    for name, pattern in THEIRS.items():
        if not re.search(pattern, everything):
            failures.append(f"{whole} has no symbol of {name}: this test looks for the wrong name")
        found = [line for line in listed.splitlines() if re.search(pattern, line)]
        failures += [f"{name} is in {small}: {line}" for line in found[:5]]
    if failures:
        sys.exit("\n".join(failures))
    print(f"{len(listed.splitlines())} symbols, of {', '.join(THEIRS)} none; {len(everything.splitlines())} with all transports")


main(*sys.argv[1:])
