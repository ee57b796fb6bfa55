// Records of files and streams of any size.
import assert from "node:assert/strict";
import { createReadStream, openAsBlob, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { Readable } from "node:stream";
import { test } from "node:test";
import { decode, encode, frame, records } from "gdvar";
import { hex, random } from "./support.mjs";

const packets = Array.from({ length: 300 }, (_, i) => encode({ id: i, text: "x".repeat(i % 90), more: [i, null] }));
const whole = (options) => Buffer.concat(packets.map((packet) => frame(packet, options)));
const all = async (source, options) => {
    const found = [];
    for await (const each of records(source, options)) found.push(each);
    return found;
};
/** The bytes in pieces of up to `most`. */
function* cut(bytes, most) {
    const next = random(7);
    for (let at = 0; at < bytes.length; ) {
        const size = Math.floor(next() * most);
        yield bytes.subarray(at, at + size);
        at += size;
    }
}

test("the records of every kind of source", async () => {
    const skip = 7;
    for (const bigEndian of [false, true]) {
        const bytes = Buffer.concat([Buffer.alloc(skip, 1), whole({ bigEndian })]);
        const file = `${tmpdir()}/gdvar-records-${process.pid}`;
        writeFileSync(file, bytes);
        const stream = new ReadableStream({ start: (to) => [...cut(bytes, 5000)].forEach((piece) => to.enqueue(new Uint8Array(piece))) || to.close() });
        const notIterable = new Blob([bytes]).stream();
        Object.defineProperty(notIterable, Symbol.asyncIterator, { value: undefined });
        // As a browser's stream that has none.
        const reader = { getReader: () => notIterable.getReader() };
        const sources = {
            bytes, stream, reader, Blob: new Blob([bytes]), file: await openAsBlob(file), node: createReadStream(file, { highWaterMark: 100 }),
            pieces: cut(bytes, 40), readable: Readable.from(cut(bytes, 9)),
        };
        for (const [name, source] of Object.entries(sources)) {
            const found = await all(source, { bigEndian, skip });
            assert.deepEqual(found.map(({ packet }) => hex(packet)), packets.map(hex), name);
            for (const { packet, offset } of found) assert.equal(hex(bytes.subarray(offset, offset + packet.length)), hex(packet), name);
        }
        rmSync(file);
    }
    assert.deepEqual(await all(new Blob([])), []);
});

test("errors come behind the records before them, with their place in the source", async () => {
    const bytes = whole();
    const last = packets.at(-1).length;
    const cases = [
        [bytes.subarray(0, -1), {}, { code: "truncated", need: 1, offset: bytes.length - last - 4 }, packets.length - 1],
        [Buffer.concat([bytes, Buffer.from([255, 255, 0, 0])]), { maxRecord: 1000 }, { code: "size_limit", offset: bytes.length }, packets.length],
        [Buffer.concat([Buffer.alloc(9), bytes, Buffer.alloc(3)]), { skip: 9 }, { code: "truncated", offset: bytes.length + 9 }, packets.length],
        [Buffer.alloc(9), { skip: 12 }, { code: "truncated", need: 3, offset: 9 }, 0],
    ];
    for (const [given, options, wanted, count] of cases) {
        for (const source of [new Blob([given]), cut(given, 50)]) {
            let seen = 0;
            const read = async () => {
                for await (const _ of records(source, options)) ++seen;
            };
            await assert.rejects(read, { name: "GdvarError", ...wanted });
            assert.equal(seen, count);
        }
    }
    await assert.rejects(() => all([], { skip: -1 }), { code: "bad_option" });
    await assert.rejects(() => all([], { maxRecord: -1 }), { code: "bad_option" });
    await assert.rejects(() => all(["text"]), TypeError);
    const broken = Readable.from((function* () {
        yield whole().subarray(0, 50);
        throw new Error("the disk is on fire");
    })());
    await assert.rejects(() => all(broken), /the disk is on fire/);
});

test("a source that is left is closed, and nothing more is read of it", async () => {
    const bytes = whole();
    let given = 0;
    let isClosed = false;
    async function* source() {
        try {
            for (;;) {
                ++given;
                yield bytes;
            }
        } finally {
            isClosed = true;
        }
    }
    for await (const { packet } of records(source())) {
        assert.equal(decode(packet).get("id"), 0);
        break;
    }
    assert.deepEqual([given, isClosed], [1, true]);
    let cancelled = false;
    const stream = new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(bytes)), cancel: () => void (cancelled = true) });
    for await (const { offset } of records({ getReader: () => stream.getReader() })) if (offset > 1000) break;
    assert.equal(cancelled, true);
});

/** As many bytes of records as are asked for, of which one piece exists at a time. */
async function* long(size, record, piece) {
    const framed = frame(record);
    const many = Buffer.concat(Array.from({ length: Math.ceil(piece / framed.length) + 1 }, () => framed));
    for (let at = 0; at < size; at += piece) {
        // As a new piece each time: a view of what lies there would hide what is kept.
        yield new Uint8Array(many.subarray(at % framed.length, (at % framed.length) + Math.min(piece, size - at)));
    }
}
// GDVAR_LARGE_STREAM=5000 reads that many MB: offsets beyond 32 bits.
test("a stream of which little is in memory", async () => {
    const size = Number(process.env.GDVAR_LARGE_STREAM ?? 60) * 1e6;
    const record = encode({ data: new Uint8Array(100_000), name: "record" });
    const each = record.length + 4;
    const count = Math.floor(size / each);
    globalThis.gc?.();
    const before = process.memoryUsage();
    let [seen, most] = [0, 0];
    const read = async () => {
        for await (const { packet, offset } of records(long(size, record, 1 << 20), { maxRecord: 1 << 20 })) {
            assert.equal(offset, seen * each + 4);
            assert.equal(packet.length, record.length);
            if (++seen % 50 === 0) most = Math.max(most, process.memoryUsage().rss);
        }
    };
    await assert.rejects(read, { code: "truncated", offset: count * each });
    assert.equal(seen, count);
    assert.ok(most - before.rss < 250e6, `${most - before.rss} bytes more`);
});
