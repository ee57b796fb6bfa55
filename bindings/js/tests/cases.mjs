// Questions to the package and the native library: recorded packets, texts and saves, sound and damaged, the same ones each
// time. A case is a list of fields: the question (answers.mjs), its options, and what it is about.
import { readdirSync, readFileSync } from "node:fs";
import { dialects, encode } from "gdvar";
import { annotate, diff } from "gdvar/tools";
import { saveCases } from "./save_cases.mjs";
import { damaged, data, engines, mutated, pick, random, rows, unhex, vectors } from "./support.mjs";

const toUtf8 = new TextEncoder();
const names = dialects().map(({ name }) => name);
const tables = (file) => readFileSync(`${data}/${file}`, "utf8").trim().split("\n").filter((line) => !line.startsWith("#")).map((line) => line.split("\t"));

const OBJECTS = 1;
const STRICT = 2;
export const options = (dialect, flags = OBJECTS, depth = 1024, bytes = 4294967295, values = "18446744073709551615") =>
    `${dialect} ${flags} ${depth} ${bytes} ${values}`;

/** Every packet of the engines, of the pages, and golden ones: {dialect, packet, objects}. */
function packets() {
    const all = [...vectors()].map(({ dialect, packet, objects }) => ({ dialect, packet, objects }));
    for (const [dialect, hex] of [...tables("golden.tsv"), ...tables("pages.tsv")]) all.push({ dialect, packet: unhex(hex), objects: true });
    return all;
}

function* soundPackets() {
    for (const { dialect, packet, objects } of packets()) {
        yield ["packet", options(dialect, objects ? OBJECTS : 0), packet, "tnacg"];
        yield ["packet", options(dialect, STRICT), packet, "tc"];
        if (packet.length > 4096) continue;
        for (const other of names) {
            if (other === dialect) continue;
            yield ["packet", options(other), packet, "ta"];
            yield ["convert", options(dialect), packet, options(other)];
        }
        yield ["packet", options(dialect, OBJECTS, 2), packet, "a"];
        yield ["packet", options(dialect, OBJECTS, 1024, 40), packet, "a"];
        yield ["packet", options(dialect, OBJECTS, 1024, 4294967295, 5), packet, "a"];
    }
    for (const name of ["chat", "mmo_tick", "savegame", "settings"]) {
        const packet = new Uint8Array(readFileSync(`${data}/workloads/g4/${name}.bin`));
        yield ["packet", options("godot-4.4"), packet, "tnacg"];
        yield ["convert", options("godot-4.4"), packet, options("godot-3.1")];
    }
}
function* damagedPackets(scale) {
    for (const packet of damaged()) yield ["packet", options("godot-4.4", 0), packet, "tac"];
    const next = random(20260601);
    for (const { dialect, packet } of packets()) {
        if (packet.length > 4096) continue;
        const cuts = packet.length <= 60 ? packet.length : 20;
        for (let i = 0; i < cuts; ++i) {
            const size = cuts === packet.length ? i : Math.floor(next() * packet.length);
            yield ["packet", options(dialect), packet.slice(0, size), i % 4 === 0 ? "acg" : ""];
        }
        for (let i = 0; i < 5 * scale; ++i) {
            const broken = mutated(packet, next);
            const at = next() < 0.8 ? dialect : pick(names, next);
            yield ["packet", options(at, Math.floor(next() * 4)), broken, pick(["t", "tn", "tac", "tacg"], next)];
            if (i % 4 === 0) yield ["convert", options(at), broken, options(pick(names, next))];
        }
    }
}

const FORMS = { text: "0", full: "1", json: "2", plain: "3" };
const FAMILIES = ["4", "5", "6", "7"];

function* texts(scale) {
    const sources = [];
    for (const [engine, dialect] of [["godot-4.6.3", "godot-4.4"], ["godot-3.6.2", "godot-3.1"]]) {
        for (const row of rows(`vectors/${engine}-text.ndjson`)) if (row.t !== undefined) yield ["parse", options(dialect), FORMS.text, row.t];
    }
    for (const [engine, dialect] of Object.entries(engines)) {
        for (const { text, json } of rows(`vectors/${engine}.ndjson`)) {
            if (text !== undefined) sources.push([dialect, FORMS.text, text]);
            if (json !== undefined) sources.push([dialect, FORMS.json, json]);
        }
    }
    for (const [dialect, , text] of [...tables("golden.tsv"), ...tables("pages.tsv")]) sources.push([dialect, FORMS.full, text]);
    for (const { t } of rows("texts/json.ndjson")) for (const form of [FORMS.json, FORMS.plain]) sources.push([pick(names, () => 0), form, t]);
    const next = random(20260602);
    const odd = ['"', "\\", "\\ud83d", "\\u0000", "{", "}", "[", ",", ":", "(", "nan", "-", "1e400", "&", "^", "0x", "\n", "é", "😀", "\0", "//"];
    for (const [dialect, form, text] of sources) {
        yield ["parse", options(dialect), form, text];
        yield ["parse", options(dialect, STRICT), form, text];
        yield ["parse", options(pick(names, next)), form, text];
        if (form === FORMS.text) yield ["parse", options(dialect), pick(FAMILIES, next), text];
        if (text.length > 4096) continue;
        for (let i = 0; i < 4 * scale; ++i) {
            const at = Math.floor(next() * (text.length + 1));
            const gone = next() < 0.5 ? Math.floor(next() * 4) : 0;
            yield ["parse", options(dialect), form, text.slice(0, at) + (next() < 0.7 ? pick(odd, next) : "") + text.slice(at + gone)];
        }
    }
}

function* paths() {
    const next = random(20260603);
    const wild = ["$", "$..x", "$[*]", "$[0]", "$[-1]", "$[1:3]", "$.*", "$..[0]", "$.nobody", "$[", "x", "", '$["a b"]', "$[99]", "$[+]", "#0 $", "$.a.b.c"];
    const small = [null, 7, "text", 0.5, [1], true];
    let before;
    for (const { dialect, packet, objects } of packets()) {
        if (packet.length > 2048 || dialect.startsWith("page")) continue;
        const given = options(dialect, objects ? OBJECTS : 0);
        const known = [...new Set(annotate(packet, { dialect, objects }).rows.map(({ path }) => path))];
        const all = [...known.slice(0, 4), pick(known, next), pick(wild, next), pick(wild, next), `${pick(known, next)}[0]`, pick(known, next).slice(0, -1), `${pick(known, next)}x`];
        for (const path of all) {
            yield ["lookup", given, packet, path];
            yield ["set", given, packet, path, encode(pick(small, next), { dialect })];
            yield ["erase", given, packet, path];
        }
        if (before?.dialect === dialect) {
            yield ["diff", given, before.packet, packet];
            yield ["diff", given, encode([7, before.dialect, { a: 1 }], { dialect }), encode([8, { a: 2, b: 3 }], { dialect })];
        }
        before = { dialect, packet };
    }
}
function* patches(scale) {
    const next = random(20260604);
    const from = encode({ hp: 7, items: [1, 2, 3], pos: { x: 1, y: 2 }, name: "Ada" });
    const to = encode({ hp: 8, items: [1, 3, 4, 5], pos: { y: 2 }, name: "Grace", more: true });
    const changes = diff(from, to);
    yield ["patch", options("godot-4.4"), from, changes];
    yield ["patch", options("godot-4.4"), to, changes];
    yield ["patch", options("godot-4.4"), encode([1]), changes];
    for (let i = 0; i < 300 * scale; ++i) yield ["patch", options("godot-4.4"), from, mutated(changes, next)];
}
function* streams() {
    for (const file of readdirSync(`${data}/captures`).filter((name) => name.endsWith(".bin"))) {
        const bytes = new Uint8Array(readFileSync(`${data}/captures/${file}`)).subarray(0, 40_000);
        for (const piece of [1, 7, 1000]) yield ["frames", `0 1048576 ${piece}`, piece === 1 ? bytes.subarray(0, 2000) : bytes];
        yield ["frames", "1 1048576 100", bytes];
        yield ["frames", "0 30 100", bytes];
        const dialect = file.startsWith("godot-3") ? "godot-3.1" : "godot-4.4";
        for (let at = 0; at + 4 < bytes.length; ) {
            const size = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16);
            yield ["packet", options(dialect), bytes.slice(at + 4, at + 4 + size), "tc"];
            at += 4 + size;
        }
    }
    for (const name of ["3.2.3", "4.6.3"]) {
        for (const row of rows(`captures/multiplayer-godot-${name}.ndjson`).slice(0, 300)) {
            if (row.packet) yield ["packet", options(name === "3.2.3" ? "godot-3.1" : "godot-4.4"), unhex(row.packet), "ta"];
        }
    }
}


/** All cases; of those that are made by chance `scale` times as many. */
export function* cases(scale = 1) {
    yield ["tables"];
    yield* soundPackets();
    yield* damagedPackets(scale);
    yield* texts(scale);
    yield* paths();
    yield* patches(scale);
    yield* streams();
    yield* saveCases(scale);
}

/** The file that native/ and answers.mjs read: numbers of 32 bits, the lowest first. */
export function caseFile(all) {
    const parts = [];
    const number = (value) => parts.push(new Uint8Array(Uint32Array.of(value).buffer));
    for (const fields of all) {
        number(fields.length);
        for (const field of fields) {
            const bytes = typeof field === "string" ? toUtf8.encode(field) : field;
            number(bytes.length);
            parts.push(bytes);
        }
    }
    return new Uint8Array(Buffer.concat(parts));
}
