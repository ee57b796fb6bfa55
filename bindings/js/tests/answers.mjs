// The package's answers to cases, as text that native/ makes to the letter. It runs in Node, in a page and in a worker, so
// that it imports nothing: it is given the modules.
//
// An answer has lines of fields with tabs between them.

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Two hashes of 32 bits in hexadecimal digits (lines.cpp). */
export function hash(bytes) {
    let one = 0x811c9dc5;
    let other = 0x9e3779b9;
    for (let i = 0; i < bytes.length; ++i) {
        const byte = bytes[i];
        one = Math.imul(one ^ byte, 0x01000193);
        other = Math.imul(other ^ byte, 0x85ebca6b);
        other ^= other >>> 13;
    }
    return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
function digest(bytes) {
    if (bytes.length > 40) return `${bytes.length}:${hash(bytes)}`;
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
function unhex(digits) {
    return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** The cases of a file of `writeCases`: each a list of fields. */
export function* readCases(file) {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    for (let at = 0; at < file.length; ) {
        const fields = [];
        const count = view.getUint32(at, true);
        at += 4;
        for (let i = 0; i < count; ++i) {
            const size = view.getUint32(at, true);
            fields.push(file.subarray(at + 4, at + 4 + size));
            at += 4 + size;
        }
        yield fields;
    }
}

/** PacketOptions of "godot-4.4 3 1024 4294967295 18446744073709551615": dialect, flags and limits. */
function packetOptions(words) {
    const [dialect, flags, depth, bytes, values] = decoder.decode(words).split(" ");
    return {
        dialect,
        objects: (flags & 1) !== 0,
        strict: (flags & 2) !== 0,
        limits: { depth: Number(depth), bytes: Number(bytes), values: values === "18446744073709551615" ? Infinity : Number(values) },
    };
}
/** SaveOptions of lines "name=value". */
function saveOptions(lines) {
    const options = {};
    for (const line of decoder.decode(lines).split("\n")) {
        const sign = line.indexOf("=");
        if (sign < 0) continue;
        const [name, value] = [line.slice(0, sign), line.slice(sign + 1)];
        if (name === "key") options.key = unhex(value);
        else if (name === "named") (options.keys ??= []).push({ name: `key ${options.keys.length}`, password: value });
        else if (name === "inside") (options.inside ??= []).push(value);
        else if (name === "entry") (options.entries ??= []).push(value);
        else if (name === "skip") options.skip = Number(value);
        else if (name === "layers") options.maxLayers = Number(value);
        else if (name === "bytes") options.maxBytes = Number(value);
        else if (name === "flags") Object.assign(options, { objects: (value & 1) !== 0, noInside: (value & (1 << 17)) !== 0, allReadings: (value & (1 << 18)) !== 0, noPartial: (value & (1 << 19)) !== 0 });
        else options[name] = value;
    }
    return options;
}

// C has one struct for all of these calls; each of the package's refuses options that it does not have.
const picked = (options, names) => Object.fromEntries(names.filter((name) => name in options).map((name) => [name, options[name]]));
const toOpen = ({ noPartial: _, ...options }) => options;
const toRecover = (options) => picked(options, ["password", "key", "keys", "dialect", "as", "skip", "maxBytes", "maxText", "inside", "noInside", "widePage", "noPartial"]);
const toWrite = (options) => picked(options, ["password", "key"]);

const NEEDS = ["another value", "create", "type", "append", "another path"];

/** `answer(fields)`: what the package says of a case. */
export function makeAnswers(gdvar, tools, saves) {
    const { decode, encode, GdvarError } = gdvar;
    let said = "";
    // Numbers of more than 53 bits in all their digits.
    const shown = (field) => (typeof field === "boolean" ? Number(field) : typeof field === "number" && field > Number.MAX_SAFE_INTEGER ? BigInt(field) : field);
    const say = (...fields) => void (said += `${fields.map(shown).join("\t")}\n`);
    // C's answer for an unknown type.
    const sayLoss = ({ path, what, substitution, type = "Nil" }) => say("loss", path, what, substitution, type);
    const sayError = (error) => {
        if (!(error instanceof GdvarError)) throw error;
        const { code, kind, source, offset, need, type, line, column, change, path, message, refusal } = error;
        say("error", code, kind, source, ...[offset, need, type, line, column, change, path].map((fact) => fact ?? "-"), message);
        if (refusal !== undefined) say("refusal", refusal.at, refusal.what, NEEDS.indexOf(refusal.needs));
    };
    /** Says the error of `work`, and gives its result. */
    const trying = (work) => {
        try {
            return work();
        } catch (error) {
            sayError(error);
            return undefined;
        }
    };
    const sayBytes = (work) => {
        const bytes = trying(work);
        if (bytes !== undefined) say(digest(bytes));
    };

    // ---- packets ----

    /** The verdict of `validate`, and `decode` has to agree: then the value is given, in an array. */
    function verdict(packet, options) {
        const before = said;
        const size = trying(() => gdvar.validate(packet, options));
        if (size !== undefined) say("ok", size);
        const validated = said;
        said = before;
        const value = trying(() => [decode(packet, options)]);
        if (value !== undefined) say("ok", size);
        if (said !== validated) say("validate and decode disagree", validated);
        return value;
    }
    const families = ["3.2", "3.6", "4", "pandemonium", "2", "4.0"];
    function sayTexts(value, options) {
        for (const print of [tools.varToStr, tools.toTextFull, tools.toJson]) {
            const text = trying(() => print(value, options));
            if (text !== undefined) say(text);
        }
        const plain = trying(() => tools.toPlainJson(value, options));
        plain?.losses.forEach(sayLoss);
        if (plain !== undefined) say(plain.json);
        for (const family of families) {
            const text = trying(() => tools.varToStr(value, { ...options, family }));
            if (text !== undefined) say(text);
        }
        sayBytes(() => encode(value, options));
    }
    function sayNodes(packet, options) {
        const document = trying(() => new tools.Document(packet, options));
        if (document === undefined) return;
        for (let node = 0, count = 0; node < document.count && count < 60; ++count) {
            const [begin] = document.range(node);
            const isProperty = document.isProperty(node);
            say("node", node, document.type(node), begin, document.path(node), isProperty ? "" : digest(document.packet(node)));
            node = document.isContainer(node) ? node + 1 : document.next(node);
        }
        document.close();
    }
    const parts = {
        t: (packet, options, value) => value !== undefined && sayTexts(value[0], options),
        n: (packet, options, value) => value !== undefined && sayNodes(packet, options),
        a: (packet, options) => {
            const { rows, size, error } = tools.annotate(packet, options);
            for (const { offset, size: bytes, path, type, value, note } of rows) say(offset, bytes, path, type, value, note);
            if (error === undefined) say("ok", size);
            else sayError(error);
        },
        c: (packet, options) => {
            // The quirks up to an error are not given in JavaScript.
            const found = trying(() => tools.check(packet, options));
            found?.quirks.forEach(({ name, path, offset }) => say(name, path, offset));
            if (found !== undefined) say("quirks", found.total);
        },
        g: (packet) => {
            const { dialect, ambiguous, candidates } = tools.guess([packet]);
            for (const { dialect, fits, score, oddities, reason } of candidates) say(dialect, fits, score, oddities, reason);
            say("guess", dialect ?? "-", ambiguous);
        },
    };
    const parsers = [
        tools.strToVar, tools.fromTextFull, tools.fromJson, tools.fromPlainJson,
        ...families.map((family) => (text, options) => tools.strToVar(text, { ...options, family })),
    ];

    // ---- saves ----

    const sayKind = ({ name, text, named, several, onlyRead }) => say("kind", name, text, named, several, onlyRead);
    const sayFinding = ({ name, reason, at, openedWith, others, ruledOut, layer }) => {
        say("finding", name, reason, at, openedWith, layer ?? "-");
        for (const other of others) say("other", other.name, other.reason);
        for (const other of ruledOut) say("ruled out", other.name, other.reason);
    };
    const sayWritten = (written, options) => {
        const inner = trying(() => saves.unwrap(written, toOpen(options)));
        if (inner === undefined) return;
        if (!includes(inner.bytes, "GDEC")) return say("written", inner.layers.join(" "), digest(inner.bytes));
        const save = open(written, options);
        if (save === undefined) return;
        say("written", save.stack, ...Array.from({ length: save.count }, (_, i) => digest(save.packet(i))));
        save.close();
    };
    const includes = (bytes, text) => decoder.decode(bytes).includes(text);
    const open = (bytes, options) => trying(() => new saves.SaveFile(bytes, toOpen(options)));
    /** Records are found by their lengths: not every one needs to hold a sound packet. */
    function jsonOf(save, index) {
        try {
            return tools.toJson(save.value(index), { dialect: save.dialect });
        } catch (error) {
            if (!(error instanceof GdvarError)) throw error;
            return "none";
        }
    }
    function sayOpened(bytes, options) {
        const save = open(bytes, options);
        if (save === undefined) return;
        const { dialect, count } = save;
        say("save", dialect, save.layers.join(" "), save.stack, save.onlyRead);
        sayKind(save.kind);
        save.findings().forEach(sayFinding);
        say("count", count);
        for (let i = 0; i < Math.min(count, 40); ++i) {
            say("item", save.name(i), digest(save.packet(i)), jsonOf(save, i));
        }
        save.close();
    }
    function sayConverted(bytes, options, dialect) {
        const save = open(bytes, options);
        const converted = save && trying(() => save.convert(dialect));
        converted?.losses.forEach(sayLoss);
        if (converted !== undefined) sayWritten(converted.bytes, options);
        save?.close();
    }
    function sayEdited(bytes, options, path, packet, flags) {
        const save = open(bytes, options);
        const before = save && open(bytes, options);
        if (before === undefined) return;
        const { dialect } = save;
        const value = trying(() => save.get(path));
        if (value !== undefined) say("value", digest(encode(value, { dialect, objects: true })));
        const changes = [
            () => save.set(path, decode(packet), { type: (flags & 1) !== 0, create: (flags & 2) !== 0 }),
            () => save.erase(path),
        ];
        for (const change of changes) {
            const written = trying(() => (change(), save.bytes()));
            if (written === undefined) break;
            sayWritten(written, options);
            const patch = change === changes[0] ? trying(() => before.diff(save)) : undefined;
            if (patch !== undefined) say("patch", digest(patch));
        }
        before.close();
        save.close();
    }
    function sayRecovery(bytes, options) {
        const recovery = trying(() => saves.recover(bytes, toRecover(options)));
        if (recovery === undefined) return;
        const { sound, dialect, dialectCertain, layers, stack, kind, items, lost, notes } = recovery;
        say("recovery", sound, dialect, dialectCertain, layers.join(" "), stack);
        sayKind(kind);
        for (const { name, packet, offset, state, foundAgain, doubtful, line, error } of items) {
            say("item", name, digest(packet), offset, state, foundAgain, doubtful, line ?? 0);
            if (error !== undefined) sayError(error);
        }
        for (const { begin, end, layer, code, doubtful, reason, at, line } of lost) {
            say("lost", begin, end, layer ?? "-", code, doubtful, reason, at ?? "", line ?? 0);
        }
        for (const note of notes) say("note", note);
        const written = trying(() => recovery.write(toWrite(options)));
        if (written !== undefined) sayWritten(written, options);
        recovery.close();
    }
    function sayTables() {
        say(gdvar.version());
        for (const code of ["ok", "truncated", "wrong_arguments", "no_code"]) say(gdvar.errorMeaning(code));
        for (const { name, title, types } of gdvar.dialects()) say(name, title, types.map((type) => `${type} `).join(""));
        saves.saveKinds().forEach(sayKind);
        for (const name of saves.layerNames()) say(name);
    }
    function sayFrames(words, bytes) {
        const [bigEndian, maxPacket, piece] = decoder.decode(words).split(" ").map(Number);
        const framer = new gdvar.StreamFramer({ bigEndian: bigEndian === 1, maxPacket });
        trying(() => {
            for (let at = 0; at < bytes.length; at += piece) {
                for (const packet of framer.feed(bytes.subarray(at, at + piece))) say("packet", digest(packet));
                say("need", framer.need);
            }
            framer.finish();
        });
        framer.close();
    }

    /** The fields of each question as they stand in the file. */
    const questions = {
        packet: (options, packet, letters) => {
            const given = packetOptions(options);
            const value = verdict(packet, given);
            for (const letter of decoder.decode(letters)) parts[letter](packet, given, value);
        },
        convert: (options, packet, to) => {
            const converted = trying(() => tools.convert(packet, packetOptions(options), packetOptions(to)));
            converted?.losses.forEach(sayLoss);
            if (converted !== undefined) say(digest(converted.packet));
        },
        parse: (options, form, text) => {
            const given = packetOptions(options);
            sayBytes(() => encode(parsers[Number(decoder.decode(form))](decoder.decode(text), given), given));
        },
        lookup: (options, packet, path) => {
            trying(() => tools.lookup(packet, decoder.decode(path), packetOptions(options)))
                ?.forEach((match) => say("match", match.path, digest(match.packet)));
        },
        set: (options, packet, path, value) => {
            const given = packetOptions(options);
            sayBytes(() => tools.setValue(packet, decoder.decode(path), decode(value, given), given));
        },
        erase: (options, packet, path) => sayBytes(() => tools.eraseValue(packet, decoder.decode(path), packetOptions(options))),
        diff: (options, from, to) => {
            const given = packetOptions(options);
            const changes = trying(() => tools.diff(from, to, given));
            if (changes === undefined) return;
            say(digest(changes));
            sayBytes(() => tools.patch(from, changes, given));
        },
        patch: (options, packet, changes) => sayBytes(() => tools.patch(packet, changes, packetOptions(options))),
        frames: sayFrames,
        tables: sayTables,
        identify: (options, bytes) => {
            const { stack, findings, error } = saves.identify(bytes, toOpen(saveOptions(options)));
            findings.forEach(sayFinding);
            if (error !== undefined) sayError(error);
            say("stack", stack);
        },
        save: (options, bytes) => sayOpened(bytes, saveOptions(options)),
        "save convert": (options, bytes, dialect) => sayConverted(bytes, saveOptions(options), decoder.decode(dialect)),
        "save change": (options, bytes, path, packet, flags) =>
            sayEdited(bytes, saveOptions(options), decoder.decode(path), packet, Number(decoder.decode(flags))),
        unwrap: (options, bytes) => sayWritten(bytes, saveOptions(options)),
        entries: (options, bytes) => {
            const given = saveOptions(options);
            const found = trying(() => saves.readEntries(bytes, toOpen(given)));
            if (found === undefined) return;
            for (const { name, size, offset, md5, encrypted, opens, hostileName, notes } of found.entries) {
                say("entry", name, size, offset ?? "-", md5 === undefined ? "-" : digest(md5), encrypted, opens, hostileName);
                for (const note of notes) say("note", note);
            }
            say("archive", found.description);
        },
        recover: (options, bytes) => sayRecovery(bytes, saveOptions(options)),
    };

    return ([name, ...fields]) => {
        said = "";
        questions[decoder.decode(name)](...fields);
        return said;
    };
}

/** A hash of each answer. */
export function hashes(file, answer) {
    const all = [];
    for (const fields of readCases(file)) all.push(hash(encoder.encode(answer(fields))));
    return all;
}
/** The answer to one case. */
export function answerTo(file, number, answer) {
    let i = 0;
    for (const fields of readCases(file)) if (i++ === number) return answer(fields);
    return undefined;
}
