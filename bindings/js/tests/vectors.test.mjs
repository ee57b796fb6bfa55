// What real engines have written, and damaged packets: the same bytes come back, and the same errors as in C++.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, encode, validate } from "gdvar";
import { askCpp, damaged, hex, random, vectors, verdict } from "./support.mjs";

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

function questions() {
    const next = random(20260101);
    const asked = damaged().map((packet) => ({ packet, dialect: "godot-4.4" }));
    for (const { packet, dialect, objects } of vectors()) {
        asked.push({ packet, dialect, objects }, { packet, dialect, objects: false, strict: true });
        asked.push({ packet, dialect, objects, depth: 2 }, { packet, dialect, objects, values: 5 }, { packet, dialect, objects, bytes: 40 });
        for (let i = 0; i < 6; ++i) {
            const cut = Math.floor(next() * (packet.length + 1));
            asked.push({ packet: packet.slice(0, cut), dialect, objects });
            const flipped = packet.slice();
            if (flipped.length > 0) flipped[Math.floor(next() * flipped.length)] ^= 1 << Math.floor(next() * 8);
            asked.push({ packet: flipped, dialect, objects });
        }
    }
    return asked;
}

test("sound, damaged and limited packets get the verdicts of C++", (t) => {
    const asked = questions();
    const answers = askCpp(asked);
    if (answers === undefined) return t.skip("GDVAR_VERDICTS does not name the program of verdicts.cpp");
    assert.equal(answers.length, asked.length);
    asked.forEach(({ packet, dialect, objects = false, strict = false, depth, bytes, values }, i) => {
        const limits = { ...(depth && { depth }), ...(bytes && { bytes }), ...(values && { values }) };
        const options = { dialect, objects, strict, limits };
        const what = `${dialect} ${hex(packet)} ${JSON.stringify(options)}`;
        assert.equal(verdict(() => validate(packet, options)), answers[i], what);
        const decoded = verdict(() => (decode(packet, options), validate(packet, options)));
        assert.equal(decoded, answers[i], what);
    });
});
