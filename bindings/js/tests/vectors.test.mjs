// Packets of real engines come back byte for byte; the rows of the documentation pages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decode, encode } from "gdvar";
import { fromTextFull, toTextFull } from "gdvar/tools";
import { data, hex, unhex, vectors } from "./support.mjs";

/** Godot 3 leaves in the padding of a NodePath what was in its memory; all else must be the same. */
function samePacket(given, wanted, text) {
    if (hex(given) === hex(wanted)) return true;
    if (!text.includes("NodePath") || given.length !== wanted.length) return false;
    let differing = 0;
    for (let i = 0; i < given.length; ++i) {
        if (given[i] === wanted[i]) continue;
        if (given[i] !== 0) return false;
        ++differing;
    }
    return differing <= 3 * (text.match(/NodePath|[/:]/g)?.length ?? 0);
}

test("every packet of the engines comes back byte for byte", () => {
    let count = 0;
    for (const { name, dialect, packet, text, objects } of vectors()) {
        const options = { dialect, objects };
        const back = encode(decode(packet, options), options);
        assert.ok(samePacket(back, packet, text), `${name}: ${text}\n${hex(packet)}\n${hex(back)}`);
        ++count;
    }
    assert.ok(count > 1500, `${count} packets`);
});

test("packets at any place in memory give the same values", () => {
    for (const { dialect, packet, objects } of vectors()) {
        const options = { dialect, objects };
        const wanted = hex(encode(decode(packet, options), options));
        for (const place of [1, 2, 3, 4]) {
            const moved = new Uint8Array(packet.length + 8).subarray(place, place + packet.length);
            moved.set(packet);
            assert.equal(hex(encode(decode(moved, options), options)), wanted);
        }
    }
});

test("every row of the documentation pages", () => {
    const rows = readFileSync(`${data}/pages.tsv`, "utf8").trim().split("\n").filter((line) => !line.startsWith("#")).map((line) => line.split("\t"));
    assert.ok(rows.length >= 100);
    for (const [dialect, digits, text] of rows) {
        const options = { dialect, objects: true, strict: true };
        const packet = unhex(digits);
        const refused = /^refused: (.*)/.exec(text);
        if (refused !== null) {
            assert.throws(() => decode(packet, { ...options, strict: false }), { code: refused[1] });
            continue;
        }
        // The old form of a NodePath is read, and never written.
        const isOldPath = packet[0] === 15 && packet[7] < 0x80;
        const value = decode(packet, { ...options, strict: !isOldPath });
        assert.equal(toTextFull(value, { dialect }), text);
        if (!isOldPath) assert.equal(hex(encode(value, options)), digits);
        assert.deepEqual(fromTextFull(text, { dialect }), value);
    }
});
