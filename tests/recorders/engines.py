"""The real engines that are here, for the recorders."""
import json, os, pathlib, shutil, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Engine:
    def __init__(self, name, run, root=None):
        self.name, self.run, self.root = name, run, root
        self.four = name.startswith("godot-4")

    def answers(self, script, lines):
        """What `script`3.gd or `script`4.gd says of the lines: the JSON in each line that it writes."""
        file = f"{script}{4 if self.four else 3}.gd"
        with tempfile.TemporaryDirectory(dir=self.root) as made:
            os.chmod(made, 0o755)
            folder = pathlib.Path(made)
            inside = "/" + folder.name if self.root else made
            shutil.copy(ROOT / "tests/recorders" / file, folder)
            (folder / "in.txt").write_text("\n".join(lines))
            subprocess.run([*self.run, "-s", f"{inside}/{file}", *(["--"] if self.four else []), f"{inside}/in.txt",
                            f"{inside}/out.ndjson"], timeout=100, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return [json.loads(line) for line in (folder / "out.ndjson").read_text().splitlines()]


def all_here():
    """Godot 4.6.3, 3.6.2 (scripts/engines) and 3.2.3 (godot3-server on the PATH). Ends the program if they are not here."""
    there = subprocess.run([ROOT / "scripts/engines", "--path"], capture_output=True, text=True, check=True).stdout.strip()
    if not pathlib.Path(there, "usr").is_dir():
        sys.exit("the engines are not here: scripts/engines installs them")
    return [Engine("godot-4.6.3", ["chroot", there, "godot", "--headless"], there),
            Engine("godot-3.6.2", ["chroot", there, "godot3-server"], there), Engine("godot-3.2.3", ["godot3-server"])]
