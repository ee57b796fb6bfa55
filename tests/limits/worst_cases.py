#!/usr/bin/env python3
"""The costliest inputs for each command, at two sizes, and what they cost: time, peak memory, output.

Prints one line a run and a table at the end. Status 1 where a law is broken (docs/performance.md):
  time    doubling the input takes less than 3 times the processor time, for runs of half a second and more
  memory  at most 16 times the input and a constant; the input is what the files hold, for diff and patch both;
          at most 64 times for text that pack reads: an Array in an Array is two characters and takes 80 bytes; at most 100
          times for files of text, of which the places of all values are kept, too; at most 128 times for recover: a value
          of 8 bytes, or a section with one key, is a text, a packet and a line of the report
  output  at most 100 times the input, or 8 MB, whichever is more

    scripts/limits worst-cases [--quick] [--gdvar FILE] [--only REGEX] [--except REGEX] [--size BYTES] [--markdown]

Sizes: 1 and 2 MB. --quick: 128 KB, memory and output alone. The names that REGEX is searched in are "command case".
"""
import argparse, pathlib, re, sys, tempfile

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/support"))
import worst_case_inputs as inputs
from measured_run import measure

MEGABYTE = 1 << 20
# The cost of an empty run: the program itself, and the most of Python that a new process inherits.
memory_constant = 32 * MEGABYTE
output_floor = 8 * MEGABYTE

packet_commands = {
    "show": ["show", "{0}"],
    "text": ["text", "{0}"],
    "text --full": ["text", "--full", "{0}"],
    "json": ["json", "{0}"],
    "json --plain": ["json", "--plain", "{0}"],
    "annotate": ["annotate", "{0}"],
    "check": ["check", "{0}"],
    "stats": ["stats", "{0}"],
    "stats --json": ["stats", "--json", "{0}"],
    "get": ["get", "{0}", "$"],
    "get [*]": ["get", "--paths", "{0}", "$[*]"],
    "get [*][*]": ["get", "--paths", "{0}", "$[*][*]"],
    "get [-1]": ["get", "{0}", "$[-1]"],
    "get ..a..b": ["get", "--paths", "{0}", "$..a..b"],
    "stats --path ..[0]": ["stats", "--path", "$..[0]", "{0}"],
    "convert": ["convert", "--lossy", "--to", "godot3", "-o", "{out}", "{0}"],
    "set": ["set", "-o", "{out}", "{0}", "$", "1"],
    "set --all [*]": ["set", "--all", "--type", "int", "-o", "{out}", "{0}", "$[*]", "1"],
    "set --all ..[0]": ["set", "--all", "--type", "int", "-o", "{out}", "{0}", "$..[0]", "1"],
    "del [0]": ["del", "-o", "{out}", "{0}", "$[0]"],
    "del --all [*]": ["del", "--all", "-o", "{out}", "{0}", "$[*]"],
    "del --all [*][0]": ["del", "--all", "-o", "{out}", "{0}", "$[*][0]"],
}
pair_commands = {
    "diff": ["diff", "{0}", "{1}"],
    "diff --patch": ["diff", "--patch", "{0}", "{1}"],
}
text_commands = {
    "pack": ["pack", "-o", "{out}", "{0}"],
    "pack --full": ["pack", "--full", "-o", "{out}", "{0}"],
    "pack --input json": ["pack", "--input", "json", "--plain", "-o", "{out}", "{0}"],
}
patch_commands = {"patch": ["patch", "-o", "{out}", "{0}", "{1}"]}

recover_commands = {
    "recover": ["recover", "-o", "{out}", "{0}"],
}

file_commands = {
    "show": ["show", "{0}"],
    "check": ["check", "{0}"],
    "json": ["json", "{0}"],
    "stats": ["stats", "{0}"],
    "get #*": ["get", "{0}", "#*"],
    "convert": ["convert", "--lossy", "--to", "godot3", "-o", "{out}", "{0}"],
    "unwrap": ["unwrap", "-o", "{out}", "{0}"],
}
value_commands = {name: file_commands[name] for name in ("show", "check", "json", "unwrap")}
archive_commands = {
    "list": ["list", "{0}"],
    "list --json": ["list", "--json", "{0}"],
    "show --entry": ["show", "--entry", "#0", "{0}"],
    "show": ["show", "{0}"],
    "check": ["check", "{0}"],
    "json": ["json", "{0}"],
    "stats": ["stats", "{0}"],
}


def second(commands):
    """The same commands for the second of two files."""
    return {name: [word.replace("{0}", "{1}") for word in words] for name, words in commands.items()}


layered_commands = second({**file_commands, "list": archive_commands["list"], "recover": recover_commands["recover"]})

# Each with the most memory, in times of the input.
groups = [(packet_commands, inputs.packets, 16), (pair_commands, inputs.pairs, 16), (text_commands, inputs.texts, 64),
          (patch_commands, inputs.patches, 16), (recover_commands, inputs.damaged, 128), (file_commands, inputs.files, 16),
          (file_commands, inputs.line_texts, 100), (file_commands, inputs.sections, 100),
          (value_commands, inputs.values_as_layers, 100), (archive_commands, inputs.archives, 64),
          (layered_commands, inputs.layered, 100)]


def human(size):
    for unit in ("B", "KB", "MB"):
        if size < 10_000:
            return f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.1f} GB"


class Table:
    def __init__(self, options):
        self.options, self.rows, self.pairs, self.broken = options, [], [], []

    def run(self, command, words, case, make, most):
        most = 128 if command in recover_commands else most
        sizes = (self.options.size,) if self.options.quick else (self.options.size, 2 * self.options.size)
        runs = [self.one(words, make, size) for size in sizes]
        faults = []
        for run in runs:
            if run.ended:
                faults.append(run.ended)
            if run.refused:
                faults.append(run.refused)
            if run.memory > most * run.input + memory_constant:
                faults.append(f"memory {run.memory / run.input:.0f}x")
            if run.output > max(100 * run.input, output_floor):
                faults.append(f"output {run.output / run.input:.0f}x")
        ratio = runs[-1].seconds / max(runs[0].seconds, 1e-3)
        if runs[-1].seconds >= 0.5 and ratio > 3:
            faults.append(f"time {ratio:.1f}x")
        row = [command, case, human(runs[-1].input), f"{runs[0].seconds:.2f}", f"{runs[-1].seconds:.2f}",
               f"{ratio:.1f}", human(runs[-1].memory), human(runs[-1].output), ", ".join(dict.fromkeys(faults))]
        if self.options.statuses:
            row[-1] = f"exit {runs[-1].status} " + row[-1]
        self.rows.append(row)
        self.pairs.append((command, case, runs))
        if faults:
            self.broken.append(row)
        if faults or self.options.statuses or not self.options.quick:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, (18, 22, 8, 6, 6, 5, 8, 8, 0))), flush=True)

    def one(self, words, make, size):
        with tempfile.TemporaryDirectory() as folder:
            return measure(self.options.gdvar, words, make, size, pathlib.Path(folder),
                           seconds=self.options.seconds, memory=64 * size + 512 * MEGABYTE,
                           output=max(120 * 3 * size, 2 * output_floor))

    def markdown(self):
        """Of each command the input that takes the most time and the one that takes the most memory."""
        print("| command | most time: input | bytes | s | s, twice the input | most memory: input | bytes | memory | twice the input |")
        print("|" + "---|" * 9)
        for command in dict.fromkeys(command for command, _, _ in self.pairs):
            mine = [(case, runs) for name, case, runs in self.pairs if name == command]
            slow_case, slow = max(mine, key=lambda one: one[1][-1].seconds)
            large_case, large = max(mine, key=lambda one: one[1][-1].memory / one[1][-1].input)
            print(f"| `{command}` | {slow_case} | {human(slow[0].input)} | {slow[0].seconds:.2f} | {slow[-1].seconds:.2f} "
                  f"| {large_case} | {human(large[0].input)} | {human(large[0].memory)} | {human(large[-1].memory)} |")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--quick", action="store_true")
    words.add_argument("--gdvar", default=str(root / "build/release/gdvar"))
    words.add_argument("--only", default="")
    words.add_argument("--except", dest="without", default="(?!)")
    words.add_argument("--size", type=int, default=0)
    words.add_argument("--seconds", type=float, default=60)
    words.add_argument("--markdown", action="store_true", help="the table for docs/performance.md")
    words.add_argument("--statuses", action="store_true", help="say how each run ended, too")
    options = words.parse_args()
    options.size = options.size or (128 << 10 if options.quick else MEGABYTE)
    table = Table(options)
    for commands, cases, most in groups:
        for command, line in commands.items():
            for case, make in cases.items():
                name = f"{command} {case}"
                if re.search(options.only, name) and not re.search(options.without, name):
                    table.run(command, line, case, make, most)
    if options.markdown:
        table.markdown()
    print(f"{len(table.rows)} pairs of runs, {len(table.broken)} break a law")
    sys.exit(bool(table.broken) or not table.rows)


main()
