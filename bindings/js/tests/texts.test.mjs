// Texts, which the module hands over many at a time: those that are kept, those of a batch, those that stand alone. All
// of it again in a process that lacks what Node has for that, as browsers do.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { hex, random } from "./support.mjs";

const asInBrowsers = process.env.GDVAR_TEST_WITHOUT_BUFFER === "1";
if (asInBrowsers) {
    delete Buffer.prototype.latin1Slice;
    delete Buffer.prototype.ucs2Slice;
    delete Buffer.prototype.ucs2Write;
    delete String.prototype.isWellFormed;
}
const { Dictionary, GodotObject, NodePath, PackedStringArray, StringName, decode, encode } = await import("gdvar");

const letters = ["a", "Z", "0", " ", "\0", "\x7f", "\x80", "é", "ÿ", "ż", "\u07ff", "\u0800", "北", "\ud7ff", "\ue000", "\ufeff", "\uffff", "\u{10000}", "🔥", "\u{10ffff}"];
/** A text of so many letters, of the first `kinds` of them. */
function textOf(next, size, kinds = letters.length) {
    let text = "";
    while (text.length < size) text += letters[Math.floor(next() * kinds)];
    return text;
}
/** A written value is read again, and written as the same bytes. */
function comesBack(value, options) {
    const packet = encode(value, options);
    const back = decode(packet, options);
    assert.deepEqual(back, value);
    assert.equal(hex(encode(back, options)), hex(packet));
}

test("every size, of ASCII and beyond, the first and the third time", () => {
    const next = random(1);
    for (let size = 0; size < 150; ++size) {
        for (const kinds of [4, 8, letters.length]) {
            const text = textOf(next, size, kinds);
            for (let time = 0; time < 3; ++time) comesBack([text, new StringName(text), text]);
        }
    }
    for (const size of [255, 256, 257, 341, 342, 511, 512, 513, 1000, 1022, 1023, 1024, 1025, 5000, 100000]) {
        for (const kinds of [4, letters.length]) comesBack([textOf(next, size, kinds), "x", textOf(next, size, kinds), textOf(next, 20)]);
    }
});

test("each character at each place around the sizes that are read at once", () => {
    for (const letter of letters) {
        const texts = [];
        for (let before = 0; before < 36; ++before) for (const after of [0, 1, 15]) texts.push("x".repeat(before) + letter + "y".repeat(after));
        comesBack(texts);
        comesBack(PackedStringArray.holding(texts.map((text) => text.replaceAll("\0", "0"))));
    }
});

test("more texts than one batch holds", () => {
    const next = random(2);
    const texts = Array.from({ length: 10000 }, (_, i) => textOf(next, Math.floor(next() * 60), i % 3 === 0 ? letters.length : 4) + i);
    comesBack(texts);
    comesBack(texts.map((text) => new StringName(text)));
    comesBack(PackedStringArray.holding(texts));
    comesBack(Object.assign(new NodePath(texts.slice(0, 3000), texts.slice(3000))));
    comesBack(new Dictionary(texts.map((text, i) => [text, i])));
    // Batches within batches: the texts of a PackedStringArray between those of an Array.
    comesBack(texts.slice(0, 3000).flatMap((text, i) => [text, PackedStringArray.holding(texts.slice(i, i + 3)), NodePath.parse(`/root/${i}:x`), text]));
});

test("more texts than are kept, and shapes of their keys", () => {
    const names = Array.from({ length: 30000 }, (_, i) => `key ${i}`);
    for (let round = 0; round < 2; ++round) {
        for (let from = 0; from < names.length; from += 3000) {
            const records = [];
            for (let i = from; i < from + 3000; i += 3) {
                const pairs = names.slice(i, i + 3).map((name, place) => [name, [`${name} of ${place}`, place]]);
                // Twice, so that they are kept; the third has another last key.
                records.push(new Dictionary(pairs), new Dictionary(pairs), new Dictionary([...pairs.slice(0, 2), ["other", 1]]));
            }
            comesBack(records);
        }
    }
});

test("keys that look alike", () => {
    comesBack(["a", new StringName("a"), new Dictionary([["a", 1]]), new Dictionary([[new StringName("a"), 1]]), new Dictionary([["a", 1]])]);
    const alike = [[["hp", 1], ["mp", 2]], [["hp", 1], [new StringName("mp"), 2]], [["hp", 1], ["mp\0", 2]], [["hp\0", 1], ["mp", 2]], [["hp", 1], [5, 2]], [["mp", 1], ["hp", 2]], [["hp", 1], ["hp", 2]]];
    const made = alike.map((pairs) => {
        const dictionary = new Dictionary();
        for (const [key, value] of pairs) dictionary.append(key, value);
        return dictionary;
    });
    for (let time = 0; time < 3; ++time) comesBack(Array.from({ length: 50 }, (_, i) => made[(i * 5) % made.length]));
    comesBack(Array.from({ length: 20 }, () => new GodotObject("Node", new Dictionary([["hp", 1], ["name", "x"]]))), { objects: true });
});

test("what is no UTF-8 by Unicode's rule has a surrogate for each byte, and is written again", () => {
    const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
    const back = (text) => Buffer.concat(Array.from(text, (character) => (/[\udc80-\udcff]/u.test(character) ? Buffer.of(character.charCodeAt(0) & 255) : Buffer.from(character))));
    const packetOf = (bytes) => Uint8Array.from([4, 0, 0, 0, bytes.length, 0, 0, 0, ...bytes, ...new Array((4 - (bytes.length % 4)) % 4).fill(0)]);
    // Behind a NUL engines do not look; Godot 3 lets surrogates and forms of 5 bytes pass.
    for (const [dialect, bytes] of [
        ["godot-4.4", [0x61, 0, 0xff]], ["godot-4.4", [0x61, 0, 0xc5]], ["godot-4.4", [0xc5, 0xbc, 0, 0xe5, 0x8c]],
        ["godot-3.1", [0x61, 0xed, 0xa0, 0x80, 0x62]], ["godot-3.1", [0xf8, 0x88, 0x80, 0x80, 0x80]], ["godot-3.1", [0xf4, 0x90, 0x80, 0x80]],
    ]) {
        for (const filling of [0, 20, 40]) {
            const text = [...bytes, ...new Array(filling).fill(0x7a)];
            assert.throws(() => strict.decode(Uint8Array.from(text)));
            for (let time = 0; time < 3; ++time) {
                const read = decode(packetOf(text), { dialect });
                assert.deepEqual([...back(read)], text);
                assert.deepEqual([...encode(read, { dialect })], [...packetOf(text)]);
            }
        }
    }
});

test("halves of surrogate pairs are refused, wherever they stand", () => {
    const refusal = (text) => {
        try {
            encode({ a: [text] });
        } catch (error) {
            return `${error.code} ${error.path}`;
        }
        return undefined;
    };
    for (const size of [0, 1, 6, 7, 8, 9, 15, 16, 17, 63, 64, 65, 4094, 4095, 4096, 5000]) {
        const filling = "x".repeat(size);
        for (const half of ["\ud800", "\udbff", "\udc00", "\udfff", "\udc00\ud800", "\ud800\ud800", "\ud83d\ud83d\udd25"]) {
            for (const text of [half + filling, filling + half, filling + half + filling, `é${filling}${half}`]) {
                assert.equal(refusal(text), "bad_utf8 $.a[0]", `${size} ${JSON.stringify(half)}`);
            }
        }
        for (const whole of ["\ud800\udc00", "\udbff\udfff", "\ud7ff\ue000", "\u07ff\u0800"]) comesBack([filling + whole, whole + filling, filling + whole + filling]);
    }
});

test("the same without Node's Buffer", { skip: asInBrowsers }, () => {
    const environment = { ...process.env, GDVAR_TEST_WITHOUT_BUFFER: "1" };
    delete environment.NODE_TEST_CONTEXT;
    execFileSync(process.execPath, [fileURLToPath(import.meta.url)], { env: environment, stdio: "pipe" });
});
