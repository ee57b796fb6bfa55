// The files of the tests' data, as {name, bytes, password, key, options}: what the page is given, and what the library needs to read it.
import { readdirSync, readFileSync } from "node:fs";
import { data, engines, unhex } from "../../bindings/js/tests/support.mjs";

export const lines = (file) => readFileSync(`${data}/${file}`, "utf8").trim().split("\n").map((line) => JSON.parse(line));
export const read = (file) => new Uint8Array(readFileSync(`${data}/${file}`));
export { unhex };

/** Each engine's save in each container, with what the engine says of its records. */
export function* saves() {
    for (const engine of Object.keys(engines)) {
        const rows = lines(`saves/${engine}/expected.ndjson`);
        const secrets = rows.find((row) => row.pass !== undefined);
        const records = rows.filter((row) => row.bytes !== undefined);
        for (const file of readdirSync(`${data}/saves/${engine}`).filter((name) => !name.endsWith(".ndjson")).sort()) {
            const password = file.startsWith("gdec_pass") ? secrets.pass : undefined;
            const key = file.startsWith("gdec_key") ? secrets.key : undefined;
            yield { name: `${engine}_${file}`, bytes: read(`saves/${engine}/${file}`), password, key, records };
        }
    }
}

/** The saves of the field: those that the page can read without being told what they are. */
export function* stacks() {
    const wanted = new Map(JSON.parse(readFileSync(`${data}/stacks/stacks.json`, "utf8")).map((row) => [row.name, row]));
    const key = Buffer.from(Uint8Array.from({ length: 32 }, (_, i) => (i * 7) % 256)).toString("hex");
    for (const engine of ["godot-3.2.3", "godot-3.6.2", "godot-4.6.3"]) {
        for (const { name, bytes } of lines(`stacks/${engine}.ndjson`)) {
            if (bytes === undefined) continue;
            yield { name: `${engine}_${name}.save`, bytes: unhex(bytes), password: "correct horse", key, row: wanted.get(name) };
        }
    }
}

const ENDINGS = { config: "cfg", resource: "tres", scene: "tscn" };
/** Texts: those that engines wrote and, of the odd and damaged ones, every `step`th; none twice. */
export function* texts(step) {
    const seen = new Set();
    for (const engine of ["godot-3.2.3", "godot-3.6.2", "godot-4.6.3"]) {
        const all = lines(`texts/${engine}.ndjson`);
        for (const [i, { k, s, t, h }] of all.entries()) {
            if ((!s && i % step !== 0) || seen.has(t ?? h)) continue;
            seen.add(t ?? h);
            yield { name: `${engine}_${i}.${ENDINGS[k]}`, bytes: h === undefined ? new TextEncoder().encode(t) : unhex(h) };
        }
    }
    for (const [i, { t }] of lines("texts/json.ndjson").entries()) if (i % 2 === 0) yield { name: `${i}.json`, bytes: new TextEncoder().encode(t) };
}

/** Resources, scenes and packs. */
export function* resources() {
    for (const engine of ["godot-3.2.3", "godot-3.6.2", "godot-4.6.3"]) {
        for (const file of readdirSync(`${data}/resources/${engine}`).filter((name) => !name.endsWith(".ndjson")).sort()) {
            yield { name: `${engine}_${file}`, bytes: read(`resources/${engine}/${file}`) };
        }
    }
}
