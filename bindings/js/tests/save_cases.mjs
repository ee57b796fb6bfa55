// Saves of the engines in all their containers, stacks, resources, packs and texts, sound and damaged, as cases (cases.mjs).
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { encode } from "gdvar";
import { data, mutated, pick, random, rows, unhex } from "./support.mjs";

const lines = (given) => Object.entries(given).map(([name, value]) => `${name}=${value}\n`).join("");
const read = (file) => new Uint8Array(readFileSync(`${data}/${file}`));
const folders = ["godot-3.2.3", "godot-3.6.2", "godot-4.6.3"];

/** How a save is opened, its bytes, and a path into it. */
function* recorded() {
    for (const folder of readdirSync(`${data}/saves`)) {
        const { pass: password, key } = rows(`saves/${folder}/expected.ndjson`).at(-1);
        for (const name of readdirSync(`${data}/saves/${folder}`)) {
            if (name.endsWith(".ndjson")) continue;
            const given = name.includes("pass") ? { password } : name.includes("key") ? { key } : {};
            yield { given, bytes: read(`saves/${folder}/${name}`), path: "#0 $" };
        }
    }
}
function* stacks() {
    const known = new Map(JSON.parse(readFileSync(`${data}/stacks/stacks.json`, "utf8")).map((row) => [row.name, row]));
    const password = "correct horse";
    const key = Array.from({ length: 32 }, (_, i) => ((i * 7) % 256).toString(16).padStart(2, "0")).join("");
    for (const folder of folders) {
        for (const { name, bytes } of rows(`stacks/${folder}.ndjson`)) {
            const { open, stack, path, inside, as } = known.get(name);
            const secret = open === "key" ? { key } : stack.includes("{gdec}") ? { password } : {};
            yield { given: { ...secret, ...(inside && { inside }), ...(as && { as }) }, bytes: unhex(bytes), path };
        }
    }
}
function* resources() {
    // The key of the export: tests/file/pack_test.cpp.
    const exportKey = "00112233445566778899aabbccddeeff".repeat(2);
    for (const folder of folders) {
        for (const name of readdirSync(`${data}/resources/${folder}`)) {
            if (name.endsWith(".ndjson")) continue;
            const secret = name.startsWith("encrypted") ? { key: exportKey } : {};
            yield { given: name.endsWith(".pck") ? { ...secret, entry: "#0" } : {}, bytes: read(`resources/${folder}/${name}`), path: "$" };
        }
    }
}
function* texts() {
    const toUtf8 = new TextEncoder();
    for (const folder of folders) {
        for (const { t, h } of rows(`texts/${folder}.ndjson`)) {
            yield { given: {}, bytes: h === undefined ? toUtf8.encode(t) : unhex(h), path: "$" };
        }
    }
    for (const { t } of rows("texts/json.ndjson")) yield { given: {}, bytes: toUtf8.encode(t), path: "$" };
}

export function* saveCases(scale) {
    const next = random(20260701);
    const values = [12345, "Grace \"H\" Öy", 0.5, null, [1, 2], { a: 1 }].map((value) => encode(value));
    const ask = function* (question, { given, bytes }, ...rest) {
        yield [question, lines(given), bytes, ...rest];
    };
    for (const save of [...recorded(), ...stacks(), ...resources()]) {
        const everything = { ...save, given: { ...save.given, flags: String((1 << 18) | 1) } };
        for (const question of ["identify", "save", "unwrap", "entries", "recover"]) yield* ask(question, save);
        yield* ask("save", everything);
        yield* ask("identify", { ...save, given: { named: "wrong", flags: "131072" } });
        yield* ask("identify", { ...save, given: { ...save.given, layers: "1" } });
        for (const dialect of ["godot-4.4", "godot-3.1", "pandemonium-5"]) yield* ask("save convert", save, dialect);
        for (const path of [save.path, `${save.path}.nobody`, "$", "#1 $.hp", "#9 $", "section/key"]) {
            yield* ask("save change", save, path, pick(values, next), pick(["0", "1", "2", "3"], next));
        }
        yield* ask("save", { ...save, given: { ...save.given, skip: "3" } });
        yield* ask("save", { ...save, bytes: Uint8Array.of(1, 2, 3, ...save.bytes), given: { ...save.given, skip: "3" } });
        yield* ask("save", { ...save, bytes: new Uint8Array(gzipSync(save.bytes)) });
        yield* broken(save, 10 * scale, next);
    }
    for (const save of texts()) {
        for (const question of ["identify", "save", "recover"]) yield* ask(question, save);
        yield* ask("save change", save, pick(["s/a", "$.a", "$[0]", "$"], next), pick(values, next), "3");
        yield* broken(save, scale, next);
    }
}
/** The save cut off, and with faults. */
function* broken({ given, bytes }, count, next) {
    const part = (share) => bytes.slice(0, Math.floor(bytes.length * share));
    const damaged = [part(0.25), part(0.5), part(0.9), bytes.slice(0, -1)].slice(0, Math.ceil(count / 2));
    // Which faults of a block are seen depends on how zstd's decoder was compiled.
    const seen = !Buffer.from(bytes).includes(Buffer.of(0x28, 0xb5, 0x2f, 0xfd));
    for (let i = 0; i < count && seen; ++i) damaged.push(mutated(bytes, next));
    for (const each of damaged) {
        for (const question of pick([["identify", "save"], ["recover"], ["unwrap", "save"], ["recover", "identify"]], next)) {
            yield [question, lines(given), each];
        }
    }
}
