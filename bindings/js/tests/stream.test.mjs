// Packets of a stream, however it is cut.
import assert from "node:assert/strict";
import { test } from "node:test";
import { encode, frame, StreamFramer, dialects, errorMeaning, validate, version } from "gdvar";
import { hex, random } from "./support.mjs";

test("packets come out as they went in, wherever the stream is cut", () => {
    const next = random(3);
    for (const bigEndian of [false, true]) {
        const packets = Array.from({ length: 200 }, (_, i) => encode({ id: i, text: "x".repeat(i) }));
        const stream = Buffer.concat(packets.map((packet) => frame(packet, { bigEndian })));
        const framer = new StreamFramer({ bigEndian });
        const out = [];
        for (let at = 0; at < stream.length; ) {
            const size = Math.floor(next() * 40);
            out.push(...framer.feed(stream.subarray(at, at + size)));
            at += size;
        }
        framer.finish();
        assert.deepEqual(out.map(hex), packets.map(hex));
    }
});

test("bytes are taken at once, also where nobody asks for the packets", () => {
    const framer = new StreamFramer();
    const bytes = frame(encode("Ada"));
    framer.feed(bytes.subarray(0, 10));
    const rest = framer.feed(Buffer.concat([bytes.subarray(10), frame(encode(1)), frame(encode(2))]));
    assert.equal(hex(rest.next().value), hex(encode("Ada")));
    assert.deepEqual([...framer.feed(new Uint8Array(0))].map(hex), [1, 2].map((value) => hex(encode(value))));
    framer.finish();
});

test("what is too long, or cut, is told", () => {
    const framer = new StreamFramer({ maxPacket: 10 });
    assert.throws(() => [...framer.feed(frame(encode("a long text that is more than ten bytes")))], { name: "GdvarError", code: "size_limit" });
    const cut = new StreamFramer();
    assert.deepEqual([...cut.feed(frame(encode("text")).subarray(0, 6))], []);
    assert.equal(cut.need, 10);
    assert.throws(() => cut.finish(), { name: "GdvarError", code: "truncated", need: 10 });
    assert.throws(() => new StreamFramer({ maxPacket: -1 }), { code: "bad_option" });
});

test("many framers at once", () => {
    const framers = Array.from({ length: 2000 }, () => new StreamFramer());
    const stream = frame(encode([1, 2, 3]));
    for (const at of stream.keys()) for (const framer of framers) {
        const [packet] = framer.feed(stream.subarray(at, at + 1));
        assert.equal(packet !== undefined, at === stream.length - 1);
    }
});

test("dialects and version", () => {
    const all = dialects();
    assert.equal(all[0].name, "godot-4.4");
    assert.ok(all.length >= 13 && all.every(({ title, types }) => title !== "" && types.length > 20));
    assert.match(version(), /^\d+\.\d+\.\d+$/);
});

test("the meaning of an error", () => {
    assert.throws(() => validate(new Uint8Array(3)), ({ code }) => errorMeaning(code) === "The bytes end before the value does.");
    for (const code of ["no_code", "bad_option", "", undefined, null, 100]) assert.equal(errorMeaning(code), "");
});
