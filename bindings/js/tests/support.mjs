// What the tests share: recorded packets, and the verdicts of C++.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const source = process.env.GDVAR_SOURCE_DIR ?? fileURLToPath(new URL("../../..", import.meta.url));
export const data = `${source}/tests/data`;

/** The engines that recorded packets, and their dialects. */
export const engines = {
    "godot-4.6.3": "godot-4.4",
    "godot-3.6.2": "godot-3.1",
    "godot-3.2.3": "godot-3.1",
    "pandemonium-5.3": "pandemonium-5",
};

const lines = (file) => readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
export const unhex = (hex) => new Uint8Array(Buffer.from(hex, "hex"));
export const hex = (bytes) => Buffer.from(bytes).toString("hex");

/** All packets of the engines: name, dialect, packet, text, objects. */
export function* vectors() {
    for (const [engine, dialect] of Object.entries(engines)) {
        for (const row of lines(`${data}/vectors/${engine}.ndjson`)) {
            if (row.bytes === undefined) continue;
            yield { name: `${engine} ${row.name}`, dialect, packet: unhex(row.bytes), text: row.text, objects: row.objects };
        }
    }
}
/** Damaged packets of Godot 4. */
export function damaged() {
    return lines(`${data}/vectors/godot-4.6.3-damaged.ndjson`).filter((row) => row.b !== undefined).map((row) => unhex(row.b));
}

/** What C++ says of packets: `questions` are {packet, dialect, objects, strict, depth, bytes, values}. */
export function askCpp(questions) {
    const program = process.env.GDVAR_VERDICTS;
    if (program === undefined) return undefined;
    const input = questions.map(({ packet, dialect, objects, strict, depth = 1024, bytes = 4294967295, values = "18446744073709551615" }) =>
        `${dialect} ${(objects ? 1 : 0) + (strict ? 2 : 0)} ${depth} ${bytes} ${values} ${hex(packet)}\n`);
    return execFileSync(program, { input: input.join(""), maxBuffer: 1 << 30 }).toString().trimEnd().split("\n");
}
/** The same words for what `read` does. */
export function verdict(read) {
    try {
        return `ok ${read()}`;
    } catch (error) {
        if (error.name !== "GdvarError") throw error;
        return [error.code, error.offset, error.need ?? 0, error.type ?? "", error.path].join("\t");
    }
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
