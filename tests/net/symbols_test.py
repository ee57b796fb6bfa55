"""Nothing of Boost in the library is called as Boost is called in the program that links it.

symbols_test.py NM LIBRARY
"""

import re
import subprocess
import sys


def main(nm, library):
    listed = subprocess.run([nm, "-C", library], check=True, capture_output=True, text=True).stdout.splitlines()
    names = [line.split(None, 1)[1] for line in listed if len(line.split(None, 1)) == 2]
    raw = subprocess.run([nm, library], check=True, capture_output=True, text=True).stdout
    # "boost::x" and "boost_x", but not "gdvar_boost::x"; mangled: 5boost, as 11gdvar_boost is another name.
    theirs = sorted({name for name in names if re.search(r"\bboost(::|_)", name)})
    theirs += sorted(set(re.findall(r"\S*(?<!\d)5boost\S*", raw)))
    own = [name for name in names if "gdvar_boost::" in name]
    if not own:
        sys.exit(f"{library} has no symbol of gdvar_boost: this test looks at the wrong thing")
    if theirs:
        sys.exit(f"{library} has {len(theirs)} symbols of Boost:\n" + "\n".join(theirs[:20]))
    print(f"{len(own)} symbols of gdvar_boost, none of boost")


main(*sys.argv[1:])
