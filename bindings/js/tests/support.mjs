// Shared by the tests: recorded packets, and chance.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const source = process.env.GDVAR_SOURCE_DIR ?? fileURLToPath(new URL("../../..", import.meta.url));
export const data = `${source}/tests/data`;

/** The engines that recorded packets, and their dialects. */
export const engines = {
    "godot-4.6.3": "godot-4.4",
    "godot-3.6.2": "godot-3.1",
    "godot-3.2.3": "godot-3.1",
    "pandemonium-5.3": "pandemonium-5",
};

/** The lines of a file of tests/data, each in JSON. */
export const rows = (file) => readFileSync(`${data}/${file}`, "utf8").trim().split("\n").map((line) => JSON.parse(line));
export const unhex = (hex) => new Uint8Array(Buffer.from(hex, "hex"));
export const hex = (bytes) => Buffer.from(bytes).toString("hex");

/** All packets of the engines: name, dialect, packet, text, objects. */
export function* vectors() {
    for (const [engine, dialect] of Object.entries(engines)) {
        for (const row of rows(`vectors/${engine}.ndjson`)) {
            if (row.bytes === undefined) continue;
            yield { name: `${engine} ${row.name}`, dialect, packet: unhex(row.bytes), text: row.text, objects: row.objects };
        }
    }
}
/** Damaged packets of Godot 4. */
export function damaged() {
    return rows(`vectors/godot-4.6.3-damaged.ndjson`).filter((row) => row.b !== undefined).map((row) => unhex(row.b));
}

/** Numbers that look random and are the same each time (mulberry32). */
export function random(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}
export const pick = (list, next) => list[Math.floor(next() * list.length)];
/** One bit turned, or bytes taken out, put in, or doubled. */
export function mutated(bytes, next) {
    const at = Math.floor(next() * bytes.length);
    const kind = next();
    if (kind < 0.7) {
        const other = bytes.slice();
        if (other.length > 0) other[at] ^= 1 << Math.floor(next() * 8);
        return other;
    }
    const size = 1 + Math.floor(next() * 8);
    const [head, tail] = [bytes.subarray(0, at), bytes.subarray(kind < 0.85 ? at + size : Math.max(0, at - size))];
    return Uint8Array.of(...head, ...tail);
}
