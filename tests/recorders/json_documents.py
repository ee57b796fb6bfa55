#!/usr/bin/env python3
"""Records what the JSON of real engines makes of documents: tests/data/texts/json.ndjson.

Usage: scripts/engines record json-documents
Each line: {"t": document, "4.6.3": packet of its value in hex or "" if it is refused, "3.6.2": ..., "3.2.3": ...}.
The engines are those of scripts/engines; godot3-server (3.2.3) is on the PATH."""
import json, os, pathlib, shutil, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENTS = [
    '{"a":007}',
    '[007]',
    '007',
    '[-007]',
    '[00]',
    '[-0]',
    '[01.5]',
    '[1.]',
    '[1.e5]',
    '[.5]',
    '[-.5]',
    '[+1]',
    '[+.5]',
    '[1e400]',
    '[-1e400]',
    '[1e-400]',
    '[1e]',
    '[1e+]',
    '[1e5]',
    '[1E5]',
    '[1.5e+3]',
    '[-]',
    '[--1]',
    '[1-2]',
    '[1.2.3]',
    '[0x10]',
    '[1_000]',
    '[12345678901234567890]',
    '[9223372036854775807]',
    '[123456789012345678901234567890]',
    '["\\q"]',
    '["\\x41"]',
    '["\\a"]',
    '["\\\'"]',
    '["\\0"]',
    '["\\v"]',
    '["\\/"]',
    '["\\u0041"]',
    '["\\u00"]',
    '["\\u00g0"]',
    '["\\u0000"]',
    '["\\ud800"]',
    '["\\udc00"]',
    '["\\ud83d\\ude00"]',
    '["\\ud800x"]',
    '["\\ud800\\u0041"]',
    '["\\ud800\\ud800"]',
    '["\\udc41"]',
    '["\\udc80"]',
    '["\\U00000041"]',
    "['a']",
    "{'a':1}",
    '{a:1}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{"a":1,,"b":2}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    '{"a":1;"b":2}',
    '{"a"=1}',
    '{1:2}',
    '[1,]',
    '[1,,2]',
    '[,1]',
    '[,]',
    '[1 2]',
    '[1;2]',
    '[true]',
    '[True]',
    '[TRUE]',
    '[nul]',
    '[null]',
    '[Null]',
    '[NaN]',
    '[nan]',
    '[Infinity]',
    '[inf]',
    '[-inf]',
    '[None]',
    '[undefined]',
    '[truex]',
    '[true false]',
    '// c\n[1]',
    '/* c */ [1]',
    '[1] // c',
    '[1] x',
    '[1]]',
    '[1}',
    '{"a":1]',
    '[1',
    '{"a":1',
    '["a',
    '["a\tb"]',
    '{"a":1}{"b":2}',
    '{"a":1,"a":2}',
    'Vector2(1, 2)',
    '[Vector2(1, 2)]',
    '{"a":Vector2(1,2)}',
    '{"":1}',
    '"a"',
    '5',
    'null',
    '[&"a"]',
    '["a" "b"]',
    '[[[[]]]]',
    '{"a":{"b":[{}]}}',
    '[1,2]}',
    '#x\n[1]',
    '["a\\\nb"]',
    '[1.5.]',
    '[1e5.5]',
    '[1a]',
    '[1true]',
    '{"a":1,"b"}',
    '{"a"}',
    '["a"x]',
    '["é"]',
    '["\\é"]',
    '[0.1e1]',
    '[00.5]',
    '[1e0400]',
    '[0e5]',
    '[-0.0]',
    '[5.0]',
    '\ufeff[1]',
    '[\xa01]',
    '[1]\n\n',
    '\x0c[1]',
    '\x0b[1]',
    '[\x0c1]',
    '["a\nb"]',
    '["\x01"]',
    '\r[1]\r',
]


def answers(script, run, folder, inside):
    """What the engine says, line by line. `inside`: how it calls the folder."""
    shutil.copy(ROOT / "tests/recorders" / script, folder)
    (folder / "in.txt").write_text("\n".join(text.encode().hex() for text in DOCUMENTS))
    subprocess.run([*run, "-s", f"{inside}/{script}", *(["--"] if script == "json4.gd" else []), f"{inside}/in.txt",
                    f"{inside}/out.ndjson"], timeout=60, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    lines = (folder / "out.ndjson").read_text().splitlines()
    assert len(lines) == len(DOCUMENTS), (script, run, len(lines))
    return [json.loads(line) for line in lines]


def main():
    there = pathlib.Path(subprocess.run([ROOT / "scripts/engines", "--path"], capture_output=True, text=True, check=True).stdout.strip())
    if not (there / "usr").is_dir():
        sys.exit("the engines are not here: scripts/engines installs them")
    columns = {}
    for name, script, run, chrooted in (("4.6.3", "json4.gd", ["chroot", there, "godot", "--headless"], True),
                                        ("3.6.2", "json3.gd", ["chroot", there, "godot3-server"], True),
                                        ("3.2.3", "json3.gd", ["godot3-server"], False)):
        with tempfile.TemporaryDirectory(dir=there if chrooted else None) as folder:
            os.chmod(folder, 0o755)
            inside = "/" + pathlib.Path(folder).name if chrooted else folder
            columns[name] = answers(script, run, pathlib.Path(folder), inside)
    out = ROOT / "tests/data/texts/json.ndjson"
    out.write_text("".join(json.dumps({"t": text} | {name: answer[i] for name, answer in columns.items()}) + "\n"
                           for i, text in enumerate(DOCUMENTS)))
    print(len(DOCUMENTS), "documents")


main()
