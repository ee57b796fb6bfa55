// When no memory is left: an error for the call that wanted it, and for what was lost with it; everything else goes on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { gzipSync } from "node:zlib";

// 64 MiB for each module, instead of 4 GiB.
setFlagsFromString("--wasm-max-mem-pages=1024");
const { StreamFramer, decode, encode, frame } = await import("gdvar");
const { Document, varToStr } = await import("gdvar/tools");
const { SaveFile, recover } = await import("gdvar/saves");

/** An Array of nils: four bytes each, and much more when they are read. */
function nils(count) {
    const packet = new Uint8Array(8 + 4 * count);
    new DataView(packet.buffer).setUint32(0, 28, true);
    new DataView(packet.buffer).setUint32(4, count, true);
    return packet;
}
const TOO_MANY = 15_000_000;
const noMemory = { name: "GdvarError", code: "no_memory", kind: "system" };
const small = new Map([["a", [1, "ż", new Float64Array(2)]]]);
const works = () => assert.deepEqual(decode(encode(small), { dictionaries: "Map" }), small);

test("packets", () => {
    const framer = new StreamFramer();
    for (const [name, work] of Object.entries({
        decode: () => decode(nils(TOO_MANY)),
        encode: () => encode(new Array(TOO_MANY).fill(null)),
        "a text": () => encode("ż".repeat(30_000_000)),
        "a stream": () => framer.push(frame(new Uint8Array(60_000_000))),
    })) {
        assert.throws(work, noMemory, name);
        works();
    }
    framer.close();
});

test("documents", () => {
    const document = new Document(encode(small));
    assert.throws(() => new Document(nils(TOO_MANY)), noMemory);
    assert.throws(() => varToStr(encode(new Array(6_000_000).fill(null))), noMemory);
    assert.equal(document.isOpen, false);
    assert.throws(() => document.get("$.a[0]"), noMemory);
    document.close();
    const again = new Document(encode(small));
    assert.ok(again.isOpen);
    assert.equal(again.get("$.a[0]"), 1);
    again.close();
    assert.equal(again.isOpen, false);
});

test("saves", () => {
    const save = new SaveFile(encode(small));
    save.set("$.a[0]", 2);
    const recovery = recover(encode(small).subarray(0, 40));
    assert.deepEqual([save.isOpen, recovery.isOpen], [true, true]);
    const bomb = gzipSync(nils(TOO_MANY));
    assert.throws(() => new SaveFile(bomb, { maxBytes: 2 ** 30 }), noMemory);
    assert.deepEqual([save.isOpen, recovery.isOpen], [false, false]);
    assert.throws(() => save.bytes(), noMemory);
    assert.throws(() => recovery.write(), noMemory);
    // A lost save can be closed, too.
    save.close();
    recovery.close();
    const again = new SaveFile(encode(small));
    again.set("$.a[0]", 2);
    assert.deepEqual(again.get("$.a[0]"), 2);
    works();
});
