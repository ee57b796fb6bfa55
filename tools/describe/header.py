"""Reads gdvar.h into a model: its functions with the roles of their arguments, structs with the places of their members,
enums, constants.

A form that is not expected is an error with its line, so nothing is left out in silence. What C's types don't say stands
in the comments, by these rules, or in the tables below:

  `x` may be NULL; `x`, if not NULL   a pointer that need not be given. Also `error`, `user`, options, any gdvar_dialect, and
                                      the handle of a `_free`
  From GDVAR_C_ABI 11 on              since: of a function, of an enumerator, and of all members below a line of its own
  The same ...                        as the function before: since, and the pointers that may be NULL
  1: ...                              a number in a struct whose comment begins so is a truth value
  gdvar_type ...                      one whose comment begins so has the numbers of that enum
  GDVAR_NO_LAYER                      in such a comment: the number that stands for none
  notes, note_count                   two members, or two arguments: an array and the number of its elements

A function has the comment above it, behind it, or that of the function directly above.
"""
import re

SIZES = {"uint8_t": 1, "uint16_t": 2, "uint32_t": 4, "uint64_t": 8, "int32_t": 4, "int64_t": 8, "int": 4, "double": 8}
SPANS = {"gdvar_bytes": "bytes", "gdvar_text": "text"}
# Names of arguments that say what a number or a text is.
ENUMS = {"type": "gdvar_type", "form": "gdvar_form", "flags": "gdvar_set_flags"}
NUMBERS = {"indent", "gdvar_error_code"}  # no truth value, no code
FILES = {"path", "backup"}

DIRECTIVES = re.compile(r"#(?:ifn?def|if|elif|else|endif|include|define GDVAR_(?:API|GDVAR_H))\b")
TOP = re.compile(r"""
    (?P<blank>\n[ ]*(?=\n)) | (?P<space>\s+) | (?P<directive>^\#(?:[^\n\\]|\\\n)*) | (?P<comment>/\*.*?\*/)
  | typedef\ struct\ (?P<handle>\w+)\ (?P=handle);
  | typedef\ struct\ (?P<struct>\w+)\ \{(?P<members>.*?)^\}\ (?P=struct);
  | enum\ (?P<enum>\w+)\ \{(?P<enumerators>(?:/\*.*?\*/|[^/}])*)\};
  | typedef\ (?P<gives>void|int)\ \(\*(?P<callback>\w+_use)\)\(void\*\ user,\ const\ (?P<record>\w+)\*\ \w+\);
  | GDVAR_API\ (?P<result>(?:const\ )?\w+\*?)\s(?P<function>gdvar_\w+)\((?P<arguments>[^;()]*)\);
  | (?P<linkage>extern\ "C"\ \{|\})""", re.X | re.S | re.M)
MEMBER = re.compile(r"""
    (?P<newline>\n) | (?P<space>\ +) | (?P<comment>/\*.*?\*/) | (?P<open>union|struct)\ \{ | \}\ (?P<close>\w+);
  | (?P<type>(?:const\ )?\w+\*?)\ (?P<names>\w+(?:\[\d+\])?(?:,\s*\w+(?:\[\d+\])?)*);""", re.X | re.S)
ENUMERATOR = re.compile(r"(?P<newline>\n)|(?P<space> +)|(?P<comment>/\*.*?\*/)|(?P<name>GDVAR_\w+)(?:\s*=\s*(?P<value>[\d <]+))?,?", re.S)


class Unexpected(Exception):
    """A form that is not known, and its line."""


def scan(pattern, text, line):
    """The matches of a pattern that covers all of a text, and the line of each."""
    at = 0
    while at < len(text):
        match = pattern.match(text, at)
        if not match:
            raise Unexpected(f"line {line}: this form is not known: {text[at:].splitlines()[0]!r}")
        yield match, line
        line += match[0].count("\n")
        at = match.end()


def parts_of(pattern, text, line):
    """The parts between the braces of a declaration but white space, the line of each, and its `since`: a comment on a line of its
    own gives it to all that stands below."""
    since, own_line = {}, True
    for part, at in scan(pattern, text, line):
        if part["newline"]:
            own_line = True
        elif part["comment"] and own_line:
            since = since_of(comment_text(part["comment"])) or since
        elif not part["space"]:
            own_line = False
            yield part, at, since


def comment_text(comment):
    """A comment's text: its paragraphs, and rows of tables, as lines."""
    text = ""
    for line in comment.removeprefix("/*").removesuffix("*/").split("\n"):
        row = line.startswith(" *   ")
        line = line.removeprefix(" *").rstrip() if row else line.removeprefix(" *").strip()
        if not line and text or row:
            text = text.rstrip() + "\n" + line
        elif line:
            text += (" " if text and not text.endswith("\n") else "") + line
    return text.strip()


def since_of(doc):
    found = re.search(r"\bFrom GDVAR_C_ABI (\d+) on\b", doc)
    return {"since": int(found[1])} if found else {}


def number_of(text):
    """The value of a constant of C."""
    text = {"NULL": "0", "UINT32_MAX": str(2**32 - 1), "UINT64_MAX": str(2**64 - 1)}.get(text, text)
    found = re.fullmatch(r"(-?\d+)u?(?: << (\d+))?", text)
    if not found:
        raise Unexpected(f"no number: {text!r}")
    return int(found[1]) << int(found[2] or 0)


def common_prefix(names):
    """The words with which all names begin, of which no name is the whole."""
    words = [name.split("_") for name in names]
    count = 0
    while all(len(w) > count + 1 for w in words) and len({w[count] for w in words}) == 1:
        count += 1
    return sum(len(word) + 1 for word in words[0][:count])


class Header:
    """The model: lists of plain dictionaries."""

    def __init__(self, text):
        self.constants, self.enums, self.structs, self.handles, self.callbacks, self.functions, self.initializers = [], [], [], [], [], [], []
        self.kinds = {}  # of each name of a type: "handle", "struct", "enum", "callback"
        self.section, self.doc, self.last = "", "", None
        self.behind = self.shared = False  # no line ended, no blank line stood since the last declaration
        for match, line in scan(TOP, text, 1):
            try:
                getattr(self, f"take_{match.lastgroup if match.lastgroup in ('blank', 'space') else self.form(match)}")(match, line)
            except Unexpected as fault:
                raise Unexpected(str(fault) if str(fault).startswith("line ") else f"line {line}: {fault}") from None
        names = {f["name"] for f in self.functions}
        for handle in self.handles:
            handle.update({end: f"{handle['name']}_{end}" for end in ("new", "free") if f"{handle['name']}_{end}" in names})
        self.abi = next(c["value"] for c in self.constants if c["name"] == "GDVAR_C_ABI")

    @staticmethod
    def form(match):
        return next(name for name in ("directive", "comment", "handle", "struct", "enum", "callback", "function", "linkage") if match[name] is not None)

    def struct(self, name):
        return next(s for s in self.structs if s["name"] == name)

    def declare(self, where, kind, entry):
        """Adds a declaration with the comment above it."""
        self.kinds[entry["name"]] = kind
        entry["section"], entry["doc"] = self.section, self.doc
        where.append(entry)
        self.doc, self.last, self.behind, self.shared = "", entry, True, True

    def take_blank(self, match, line):
        self.doc, self.shared, self.behind = "", False, False

    def take_space(self, match, line):
        self.behind = self.behind and "\n" not in match[0]

    def take_linkage(self, match, line):
        self.doc = ""

    def take_comment(self, match, line):
        title = re.fullmatch(r"/\* -{4} (.*?) -+ \*/", match[0])
        if title:
            self.section = title[1]
        elif self.behind:
            self.last["doc"] = comment_text(match[0])
            self.last["own"] = True
        else:
            self.doc = comment_text(match[0])

    def take_directive(self, match, line):
        if DIRECTIVES.match(match[0]):
            return
        defined = re.fullmatch(r"#define (GDVAR_\w+)\s+(.*)", re.sub(r"\s*\\\n\s*", " ", match[0]))
        if not defined:
            raise Unexpected(f"this directive is not known: {match[0]}")
        name, value = defined.groups()
        if not value.startswith("{"):
            self.declare(self.constants, "constant", {"name": name, "value": number_of(value)})
            return
        first, *rest = re.sub(r"\{NULL, 0\}", "NULL", value[1:-1]).split(", ")
        of = re.fullmatch(r"sizeof\((\w+)\)", first)
        members = [m for m in self.struct(of[1])["members"][1:]] if of else []
        if len(members) != len(rest):
            raise Unexpected(f"{name} has {len(rest) + 1} values for {len(members) + 1} members")
        values = {m["name"]: number_of(v) for m, v in zip(members, rest)}
        self.declare(self.initializers, "initializer", {"name": name, "struct": of[1], "values": values})

    def take_handle(self, match, line):
        self.declare(self.handles, "handle", {"name": match["handle"]})

    def take_callback(self, match, line):
        self.declare(self.callbacks, "callback", {"name": match["callback"], "record": match["record"], "stops": match["gives"] == "int"})

    def take_enum(self, match, line):
        enumerators = []
        for part, _, since in parts_of(ENUMERATOR, match["enumerators"], line):
            if part["comment"]:
                doc = comment_text(part["comment"])
                enumerators[-1].update(doc=doc, **since_of(doc))
            else:
                value = number_of(part["value"].strip()) if part["value"] else enumerators[-1]["value"] + 1 if enumerators else 0
                enumerators.append({"name": part["name"], "value": value, **since})
        if enumerators[-1]["name"].endswith("_COUNT"):
            self.constants.append({**enumerators.pop(), "doc": f"How many there are of {match['enum']}."})
        cut = common_prefix([e["name"] for e in enumerators])
        for e in enumerators:
            e["short"] = e["name"][cut:].lower()
        self.declare(self.enums, "enum", {"name": match["enum"], "flags": match["enum"].endswith("_flags"), "values": enumerators})

    # ---- structs ----

    def take_struct(self, match, line):
        root = {"type": "struct", "members": []}
        open_ones = [root]
        for part, at, since in parts_of(MEMBER, match["members"], line):
            members = open_ones[-1]["members"]
            if part["comment"]:
                doc = comment_text(part["comment"])
                for member in members:
                    if member.get("line") == at:
                        member["doc"] = doc
            elif part["open"]:
                open_ones.append({"type": part["open"], "members": []})
                members.append(open_ones[-1])
            elif part["close"]:
                open_ones.pop()["name"] = part["close"]
            else:
                for name in re.split(r",\s*", part["names"]):
                    bare, _, length = name.rstrip("]").partition("[")
                    members.append({"name": bare, "type": part["type"], **({"length": int(length)} if length else {}), **since,
                                    "line": at + part[0].count("\n")})
        self.kinds[match["struct"]] = "struct"
        self.finish_members(root["members"])
        entry = {"name": match["struct"], "members": root["members"]}
        for width in (4, 8):
            entry[f"size{8 * width}"], entry[f"align{8 * width}"] = self.lay_out(root, width)
        if entry["members"][0]["name"] == "size" and entry["name"].endswith("options"):
            entry["members"][0]["role"], entry["options"] = "size", True
        self.declare(self.structs, "struct", entry)

    def finish_members(self, members):
        for i, member in enumerate(members):
            member.pop("line", None)
            if "members" in member:
                self.finish_members(member["members"])
                continue
            doc = member.setdefault("doc", "")
            self.known_type(member["type"])
            counted = i + 1 < len(members) and re.fullmatch(r"(\w*_)?count|size", members[i + 1].get("name", ""))
            enum = re.match(r"gdvar_\w+", doc)
            none = re.search(r"GDVAR_NO_(?:LAYER|NODE)\b", doc)
            if member["type"].endswith("*") and counted:
                member["role"], member["count"] = "array", members[i + 1]["name"]
            elif member["type"].endswith("*"):
                member["role"] = "handle"
            elif i and members[i - 1].get("count") == member["name"]:
                member["role"] = "count"
            elif member["name"] == "reserved":
                member["role"] = "reserved"
            elif enum and self.kinds.get(enum[0]) == "enum":
                member["role"], member["enum"] = "enum", enum[0]
            elif doc.startswith("1: "):
                member["role"] = "truth"
            elif member["name"] == "code":
                member["role"] = "code"
            elif none:
                member["none"] = none[0]

    def known_type(self, of):
        bare = of.removeprefix("const ").removesuffix("*")
        if bare not in SIZES and bare not in ("size_t", "char", "void") and bare not in self.kinds:
            raise Unexpected(f"this type is not known: {of}")

    def size_and_align(self, of, width):
        if of.endswith("*") or of == "size_t":
            return width, width
        if of in SIZES:
            return SIZES[of], SIZES[of]
        entry = self.struct(of)
        return entry[f"size{8 * width}"], entry[f"align{8 * width}"]

    def lay_out(self, group, width):
        """Sets the places of the members for pointers of that width. Returns size and alignment."""
        end, most, largest = 0, 1, 0
        for member in group["members"]:
            size, align = self.lay_out(member, width) if "members" in member else self.size_and_align(member["type"], width)
            at = 0 if group["type"] == "union" else -(-end // align) * align
            member[f"at{8 * width}"] = at
            end, most = at + size * member.get("length", 1), max(most, align)
            largest = max(largest, end)
        return -(-largest // most) * most, most

    # ---- functions ----

    def take_function(self, match, line):
        above = self.doc
        shared = self.last if self.shared and not above and self.last in self.functions else None
        doc = above or (shared["doc"] if shared and "own" not in shared else "")
        given = [] if match["arguments"] == "void" else re.split(r",\s*", match["arguments"])
        arguments = []
        for one in given:
            found = re.fullmatch(r"((?:const )?\w+\**)\s(\w+)", one)
            if not found:
                raise Unexpected(f"this argument is not known: {one}")
            self.known_type(found[1].rstrip("*"))
            arguments.append({"name": found[2], "type": found[1]})
        same = self.functions[-1].get("since") if doc.startswith("The same") else None
        entry = {"name": match["function"], **({"since": same} if same else {}), **since_of(doc),
                 "type": match["result"], "result": "", "arguments": arguments}
        entry["result"] = self.result_of(entry)
        for i in range(len(arguments)):
            arguments[i].update(self.role_of(arguments, i))
        self.doc = doc
        self.declare(self.functions, "function", entry)
        self.set_nulls(entry, doc)

    def result_of(self, entry):
        of = entry["type"]
        if entry["name"] in NUMBERS:
            return "number"
        if of == "const char*":
            return "c_text"
        if of.endswith("*"):
            return "handle" if entry["name"].endswith("_new") else "borrowed"
        return {"void": "none", "uint16_t": "code", "int": "truth"}.get(of) or SPANS.get(of) or ("struct" if of in self.kinds else "number")

    def role_of(self, arguments, i):
        name, of = arguments[i]["name"], arguments[i]["type"]
        bare = of.removeprefix("const ").rstrip("*")
        kind = self.kinds.get(bare)
        constant = of.startswith("const ")
        behind = arguments[i + 1]["name"] if i + 1 < len(arguments) else ""
        before = arguments[i - 1] if i else {}
        if name == "user" and before.get("role") == "callback":
            return {"role": "user"}
        if before.get("count") == name:
            return {"role": "count"}
        if kind == "callback":
            return {"role": "callback"}
        if not of.endswith("*"):
            if name in ENUMS:
                return {"role": "enum", "enum": ENUMS[name]}
            return {"role": SPANS.get(of) or ("code" if name == "code" else "truth" if of == "int" and name not in NUMBERS else "number")}
        if of.endswith("**"):
            return {"role": "out_handle"}
        if behind in ("count", "capacity") and kind != "handle":
            return {"role": "array" if constant else "out_array", "count": behind}
        if kind == "handle":
            return {"role": "buffer" if bare == "gdvar_buffer" and name != "buffer" else "handle"}
        if of == "const char*":
            return {"role": "file" if name in FILES else "c_text"}
        if bare == "gdvar_error" and not constant:
            return {"role": "error"}
        if constant:
            return {"role": "options" if self.struct(bare).get("options") else "struct"}
        return {"role": "out"}

    def set_nulls(self, entry, doc):
        """Marks the pointers that may be NULL."""
        said = {name for sentence in re.split(r"(?<=[.;]) ", doc) for name in nulls_in(sentence)}
        if doc.startswith("The same") and len(self.functions) > 1:
            same = {a["name"] for a in self.functions[-2]["arguments"] if a.get("null")}
            said |= same & {a["name"] for a in entry["arguments"]}
        group = self.functions[-2]["arguments"] if len(self.functions) > 1 and self.functions[-2]["doc"] == doc else []
        lost = said - {a["name"] for a in [*entry["arguments"], *group]}
        if lost and doc:
            raise Unexpected(f"{entry['name']}: no argument is named {', '.join(sorted(lost))}")
        for argument in entry["arguments"]:
            always = (argument["role"] in ("error", "user", "options") or argument["type"] == "const gdvar_dialect*"
                      or entry["name"].endswith("_free"))
            if always or argument["name"] in said:
                argument["null"] = True


def nulls_in(sentence):
    """The arguments that a sentence lets be NULL."""
    found = re.findall(r"`(\w+)`(?: \([^)]*\))?,? (?:if|is) not NULL", sentence)
    may = re.match(r"(.*?)may be NULL", sentence)
    return found + (re.findall(r"`(\w+)`", may[1]) if may else [])
