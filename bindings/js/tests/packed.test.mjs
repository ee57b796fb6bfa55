// Packed arrays, of which large ones do not pass through the module.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as gdvar from "gdvar";
import { hex, random } from "./support.mjs";

const { decode, encode } = gdvar;
const sizes = [0, 1, 2, 3, 4, 5, 1023, 1024, 1025, 4094, 4095, 4096, 4097, 4098, 5000, 100001];
/** Each class of arrays of numbers, its number on the wire and how many components an element has. */
const classes = [
    [Uint8Array, 29, 1], [Int32Array, 30, 1], [BigInt64Array, 31, 1], [Float32Array, 32, 1], [Float64Array, 33, 1],
    [Float32Array, 35, 2, gdvar.PackedVector2Array], [Float32Array, 36, 3, gdvar.PackedVector3Array],
    [Float32Array, 37, 4, gdvar.PackedColorArray], [Float32Array, 38, 4, gdvar.PackedVector4Array],
    [Float64Array, 35 | 0x10000, 2, gdvar.PackedVector2Array], [Float64Array, 36 | 0x10000, 3, gdvar.PackedVector3Array],
];
function arrayOf(next, [typed, , width, around], count) {
    const numbers = typed.from({ length: count * width }, () => (typed === BigInt64Array ? BigInt(Math.floor(next() * 1e15)) : next() * 1000));
    return { numbers, value: around === undefined ? numbers : new around(numbers) };
}
/** The bytes, made by hand. */
function wire([, type], numbers, count) {
    const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    const head = Buffer.alloc(8);
    head.writeUInt32LE(type, 0);
    head.writeUInt32LE(count, 4);
    return Buffer.concat([head, bytes, Buffer.alloc(-bytes.length & 3)]);
}

test("every class and size, alone and among others", () => {
    const next = random(1);
    for (const row of classes) {
        for (const count of sizes) {
            const { numbers, value } = arrayOf(next, row, count);
            const bytes = wire(row, numbers, count);
            assert.equal(Buffer.compare(encode(value), bytes), 0, `${row[0].name} ${row[1]} ${count}`);
            // Not at the start of its ArrayBuffer.
            const moved = new row[0](numbers.length + 1).subarray(1);
            moved.set(numbers);
            const packet = Buffer.from(encode([1, value, "text", row[3] === undefined ? moved : new row[3](moved), value, null]));
            const int = "0200000001000000";
            const text = "040000000400000074657874";
            const one = bytes.toString("hex");
            assert.equal(packet.toString("hex"), `1c00000006000000${int}${one}${text}${one}${one}00000000`);
            assert.equal(Buffer.compare(encode(decode(packet)), packet), 0, `${row[0].name} ${row[1]} ${count}`);
        }
    }
});

test("many at once, and small packets afterwards", () => {
    const next = random(2);
    const values = Array.from({ length: 200 }, (_, i) => arrayOf(next, classes[i % classes.length], 1 + Math.floor(next() * 4000)).value);
    const texts = values.map((value, i) => [`${i}`.repeat(i), value, { at: value }]);
    for (let time = 0; time < 2; ++time) {
        assert.deepEqual(decode(encode(texts), { dictionaries: "object" }), texts);
        assert.equal(hex(encode(5)), "0200000005000000");
    }
    gdvar.validate(encode(texts));
});

test("errors have their paths, whether the module finds them or not", () => {
    const large = new Float32Array(5000);
    const refusal = (value, options) => {
        try {
            encode(value, options);
        } catch (error) {
            return `${error.code} ${error.path}`;
        }
        return undefined;
    };
    assert.equal(refusal({ a: large, b: [large, undefined] }), "wrong_type $.b[1]");
    assert.equal(refusal({ a: large, b: [large, new gdvar.StringName("x")] }, { dialect: "godot-3.1" }), "not_in_dialect $.b[1]");
    assert.equal(refusal({ a: large, b: [large, new gdvar.PackedVector4Array(new Float32Array(8000))] }, { dialect: "godot-3.1" }), "not_in_dialect $.b[1]");
    assert.equal(refusal([new gdvar.PackedVector2Array(new Float64Array(8000))], { dialect: "godot-3.1" }), "not_in_dialect $[0]");
    assert.equal(hex(encode([1])), "1c000000010000000200000001000000");
});
