#!/usr/bin/env python3
"""What one, ten and thirty structs cost to compile, bound by gdvar and by nlohmann json: seconds, peak memory, bytes of code.

The structs have seven members each: a text, an int, a float, a bool, a vector of ints, one of texts, one of the struct before. Each
program is linked and run: it must get back what it wrote. Seconds are processor time, the least of the rounds.

Usage: compile.py COMPILER BUILD_DIR RESULTS_DIR [ROUNDS]
"""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
compiler, build, results = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
HEADERS = {"gdvar": "gdvar/value/binding.hpp", "nlohmann": "nlohmann/json.hpp"}
THERE_AND_BACK = {
    "gdvar": """
    gdvar::PackedByteArray packet;
    if (!gdvar::encode_to(packet, value) || !gdvar::decode_to(back, gdvar::as_bytes(packet)))
        return false;
    gdvar::PackedByteArray again;
    return gdvar::encode_to(again, back) && again == packet && packet.size() > %d;""",
    "nlohmann": """
    const std::vector<std::uint8_t> packet = nlohmann::json::to_cbor(nlohmann::json(value));
    back = nlohmann::json::from_cbor(packet).get<Last>();
    return nlohmann::json::to_cbor(nlohmann::json(back)) == packet && packet.size() > %d;""",
}


def source(binding, count):
    lines = [f"#include <{HEADERS[binding]}>", "#include <cstdint>", "#include <string>", "#include <vector>"]
    for i in range(count):
        members = {"std::string": "name", "int": "level", "double": "ratio", "bool": "alive",
                   "std::vector<int>": "items", "std::vector<std::string>": "tags"}
        if i:
            members[f"std::vector<S{i - 1}>"] = "inner"
        names = [f"{name}_{i}" for name in members.values()]
        lines += [f"struct S{i} {{", *(f"    {kind} {name}{{}};" for kind, name in zip(members, names)), "};"]
        if binding == "nlohmann":
            lines.append(f"NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(S{i}, {', '.join(names)})")
    lines.append(f"using Last = S{count - 1};")
    lines.append(f"bool there_and_back(const Last& value, Last& back) {{{THERE_AND_BACK[binding] % (40 * count)}\n}}")
    filled = [f"    S{i} s{i}{{\"name\", {i}, 0.1, true, {{1, 2}}, {{\"a\", \"b\"}}{f', {{s{i - 1}}}' if i else ''}}};" for i in range(count)]
    lines += ["#ifdef RUN", "int main() {", *filled, "    Last back;",
              f"    return there_and_back(s{count - 1}, back) && back.level_{count - 1} == {count - 1} ? 0 : 1;", "}", "#endif"]
    return "\n".join(lines) + "\n"


def cost(command):
    """Seconds of processor time and peak megabytes."""
    child = subprocess.Popen(command)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def code_bytes(thing):
    sizes = subprocess.run(["size", thing], capture_output=True, text=True, check=True).stdout.splitlines()[1].split()
    return int(sizes[0]) + int(sizes[1])


results.mkdir(parents=True, exist_ok=True)
table = []
for count in (1, 10, 30):
    for binding in HEADERS:
        text, thing, program = (results / f"compile_{binding}_{count}{end}" for end in (".cpp", ".o", ""))
        text.write_text(source(binding, count))
        flags = [compiler, "-std=c++23", "-O2", f"-I{ROOT / 'include'}"]
        costs = [cost([*flags, "-c", text, "-o", thing]) for _ in range(rounds)]
        libraries = [build / "src" / "libgdvar_core.a"] if binding == "gdvar" else []
        subprocess.run([*flags, "-O0", "-DRUN", text, "-o", program, *libraries], check=True)
        if subprocess.run([program]).returncode:
            sys.exit(f"{binding}: the answer is wrong")
        seconds, megabytes = (min(each) for each in zip(*costs))
        table.append(f"{binding:10} {count:3} structs  {seconds:6.2f} s  {megabytes:5.0f} MB  {code_bytes(thing):8} bytes of code and data")
        print(table[-1], flush=True)
(results / "compile.txt").write_text("\n".join(table) + "\n")
