// Conversions of values, and refusals.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import vm from "node:vm";
import * as gdvar from "gdvar";
import { Document } from "gdvar/tools";
import { core } from "../dist/core.js";
import { tools } from "../dist/engine.js";
import { TYPES } from "../dist/interface.js";
import { hex, random, rows, unhex, vectors } from "./support.mjs";

const { decode, encode } = gdvar;
const through = (value, options) => decode(encode(value, options), options);
const refused = (work) => {
    try {
        work();
    } catch (error) {
        assert.ok(error instanceof gdvar.GdvarError, error.stack);
        return [error.code, error.path];
    }
    return assert.fail("not refused");
};

test("numbers", () => {
    for (const int of [0, 1, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, -(2 ** 53 - 1)]) assert.equal(through(int), int);
    for (const int of [2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n)]) assert.equal(through(int), int);
    assert.equal(through(5n), 5);
    assert.equal(decode(encode(5), { ints: "bigint" }), 5n);
    for (const float of [0.5, -1e-300, Infinity, -Infinity, NaN]) assert.equal(through(float), float);
    for (const float of [0, -0, 1, 1e300, 2 ** 53]) {
        const back = through(new gdvar.Float(float));
        assert.ok(back instanceof gdvar.Float && Object.is(back.value, float));
        assert.equal(back * 2, float * 2);
    }
    assert.equal(decode(encode(new gdvar.Float(2)), { floats: "number" }), 2);
    assert.equal(hex(encode(-0)), hex(encode(0)));
    assert.equal(hex(encode(3, { numbers: "float" })), hex(encode(new gdvar.Float(3))));
    const nan = new gdvar.Float(NaN, 0xfff8000000000001n);
    assert.equal(through(nan).bits, nan.bits);
});

test("NaNs keep their bits in math values, and are one NaN where a program makes them", () => {
    const nans = [0xffc00000, 0x7f800001, 0xff812345, 0x7fffffff, 0x7fc00000];
    const classes = [
        new gdvar.Vector2(), new gdvar.Rect2(), new gdvar.Vector3(), new gdvar.Transform2D(), new gdvar.Vector4(), new gdvar.Plane(), new gdvar.Quaternion(),
        new gdvar.AABB(), new gdvar.Basis(), new gdvar.Transform3D(), new gdvar.Projection(), new gdvar.Color(),
    ];
    for (const value of classes) {
        for (const [i, nan] of nans.entries()) {
            // At a place that is divisible by 4, and at one that is not; in a component that i chooses.
            const packet = encode([value]);
            const view = new DataView(packet.buffer);
            view.setUint32(12 + 4 * (i % ((packet.length - 12) / 4)), nan, true);
            const back = decode(packet);
            assert.equal(hex(encode(back)), hex(packet));
            const moved = new Uint8Array(packet.length + 1).subarray(1);
            moved.set(packet);
            assert.equal(hex(encode(decode(moved))), hex(packet));
        }
    }
    const wide = encode(new gdvar.Vector2d(1, 2));
    new DataView(wide.buffer).setBigUint64(12, 0xfff0000000000001n, true);
    assert.equal(hex(encode(decode(wide))), hex(wide));
    // A changed value is written as it is now.
    const packet = encode(new gdvar.Vector2(1, 2));
    new DataView(packet.buffer).setUint32(4, 0xffc00001, true);
    const value = decode(packet);
    value.y = NaN;
    assert.equal(hex(encode(value)).slice(8), "0100c0ff0000c07f");
    value.x = 3;
    assert.equal(hex(encode(value)).slice(8), "000040400000c07f");
    const [zero, infinity] = [Number("0"), Number("Infinity")];
    for (const nan of [NaN, zero / zero, -(zero / zero), infinity - infinity, Math.sqrt(-1 - zero)]) {
        assert.equal(hex(encode(nan)).slice(8), "000000000000f87f");
        assert.equal(hex(encode(new gdvar.Float(nan))).slice(8), "000000000000f87f");
        assert.equal(hex(encode(new gdvar.Vector2(nan, 1))).slice(8), "0000c07f0000803f");
    }
    assert.equal(hex(encode(new gdvar.Vector2(infinity, -infinity))).slice(8), "0000807f000080ff");
});

test("texts", () => {
    for (const text of ["", "a", "hp", "żółw 🔥", "x".repeat(100), "é".repeat(40), "\ufeffmark", "\0nul".slice(1), "日本語".repeat(30)]) {
        assert.equal(through(text), text);
        assert.equal(through(new gdvar.StringName(text)).text, text);
        assert.deepEqual([...through({ [text]: 1 })], [[text, 1]]);
    }
    assert.equal(decode(encode(new gdvar.StringName("a")), { stringNames: "string" }), "a");
    assert.deepEqual(through(gdvar.PackedStringArray.holding(["a", "żółw"])), gdvar.PackedStringArray.holding(["a", "żółw"]));
    const path = gdvar.NodePath.parse("/root/Game:position:x");
    assert.deepEqual(through(path), path);
    assert.equal(String(path), "/root/Game:position:x");
});

test("packed arrays lie over the packet where they can", () => {
    for (const array of [Uint8Array.of(1, 2, 3), Int32Array.of(-1, 2), BigInt64Array.of(-1n, 2n ** 60n), Float32Array.of(0.5, 1), Float64Array.of(0.1)]) {
        const packet = encode(array);
        const back = decode(packet);
        assert.deepEqual(back, array);
        if (array.BYTES_PER_ELEMENT <= 4) assert.equal(back.buffer, packet.buffer);
        const moved = new Uint8Array(packet.length + 1).subarray(1);
        moved.set(packet);
        assert.deepEqual(decode(moved), array);
    }
    const points = new gdvar.PackedVector3Array(Float32Array.of(1, 2, 3, 4, 5, 6));
    const back = through(points);
    assert.deepEqual([...back], [new gdvar.Vector3(1, 2, 3), new gdvar.Vector3(4, 5, 6)]);
    assert.deepEqual(back.at(-1), new gdvar.Vector3(4, 5, 6));
    assert.equal(back.at(2), undefined);
    assert.ok(through(new gdvar.PackedVector2Array(Float64Array.of(0.1, 0.2))).at(0) instanceof gdvar.Vector2d);
});

test("friendlier shapes", () => {
    const packet = encode(new Map([["a", new gdvar.Float(1)], [2, [new Map([["__proto__", 1]])]]]));
    const plain = decode(packet, { plain: true });
    assert.deepEqual(Object.keys(plain).sort(), ["2", "a"]);
    assert.equal(plain.a, 1);
    assert.deepEqual(Object.getOwnPropertyNames(plain[2][0]), ["__proto__"]);
    assert.equal(Object.getPrototypeOf(plain[2][0]), Object.prototype);
    assert.ok(decode(encode(new Map([[null, 1]])), { dictionaries: "object" }) instanceof gdvar.Dictionary);
    assert.deepEqual(decode(encode({ a: 1 }), { dictionaries: "Map" }), new Map([["a", 1]]));
    assert.equal(Object.getPrototypeOf(decode(encode({ a: 1 }), { dictionaries: "Map" })), Map.prototype);
});

test("ints in four forms", () => {
    const ints = [1n, 2n ** 53n - 1n, -(2n ** 53n) + 1n, 2n ** 53n, -(2n ** 63n), 2n ** 63n - 1n];
    const as = (form) => decode(encode(ints), form && { ints: form });
    assert.deepEqual(as("bigint"), ints);
    assert.deepEqual(as("number"), ints.map(Number));
    assert.deepEqual(as("string"), [...ints.slice(0, 3).map(Number), ...ints.slice(3).map(String)]);
    assert.deepEqual(as("safe"), [...ints.slice(0, 3).map(Number), ...ints.slice(3)]);
    assert.deepEqual(as(), as("safe"));
});

const rounded = (name) => name.replace(/-?\d[\d.e+-]*/g, (digits) => Math.fround(Number(digits)));
/** The same JSON, apart from digits (plain JSON has the shortest of a 32-bit float) and from the names of keys that are containers. */
function sameJson(one, other) {
    if (typeof one === "number" && typeof other === "number") return one === other || Math.fround(one) === Math.fround(other);
    if (one === null || typeof one !== "object") return one === other;
    const [names, others] = [Object.keys(one), Object.keys(other)];
    const isSame = (name, i) => name.startsWith('["') || name === others[i] || rounded(name) === rounded(others[i]);
    return names.length === others.length && names.every((name, i) => isSame(name, i) && sameJson(one[name], other[others[i]]));
}

test("plain values are plain JSON, for every value of every engine", () => {
    let packets = 0;
    for (const { name, dialect, packet, objects } of vectors()) {
        const options = { dialect, objects: objects ?? false };
        const written = JSON.stringify(decode(packet, { ...options, plain: true, ints: "number" }));
        const json = new Document(packet, options).print(0, "plain");
        assert.ok(sameJson(JSON.parse(written), JSON.parse(json)), `${name}: ${written} ${json}`);
        assert.ok(JSON.stringify(decode(packet, { ...options, plain: true })).length >= written.length);
        ++packets;
    }
    assert.ok(packets > 1000);
});

test("names of keys in plain values", () => {
    const { Float, NodePath, StringName, Vector2, Vector2i } = gdvar;
    const keys = ["a", new StringName("b"), 1, "1", new Float(1), 0.5, null, true, 2n ** 60n, "null", "null", new NodePath(["p"]), new Vector2i(1, -2), new Vector2(0.1, 1), "__proto__"];
    const packet = encode(keys.reduce((made, key) => made.append(key, made.size), new gdvar.Dictionary()));
    const plain = decode(packet, { plain: true });
    const wanted = JSON.parse(new Document(packet).print(0, "plain"));
    assert.deepEqual(plain, wanted);
    assert.deepEqual(new Set(Object.keys(plain)), new Set([
        "1", "a", "b", "1 (2)", "1.0", "0.5", "null", "true", "1152921504606846976", "null (2)", "null (3)", "p", "Vector2i(1, -2)", "Vector2(0.1, 1)", "__proto__",
    ]));
    assert.equal(Object.getPrototypeOf(plain), Object.prototype);
    // Containers have names, too, of one length for each level: names in names would double.
    let deep = new Map();
    for (let i = 0; i < 500; ++i) deep = new Map([[deep, i]]);
    const [name] = Object.keys(decode(encode(deep), { plain: true }));
    assert.ok(name.length > 500 && name.length < 30_000, String(name.length));
    // The choices hold again behind a key.
    assert.deepEqual(decode(encode([new Map([[[1n, new Float(2)], [2n ** 60n, new Float(3), new StringName("s"), new Vector2i()]]])]), { plain: true }).map(Object.values), [
        [["1152921504606846976", 3, "s", [0, 0]]],
    ]);
});

test("names of keys are those of plain JSON, but for digits and for text of keys that have no simple one", () => {
    const names = (packet, options) => [decode(packet, { ...options, plain: true }), JSON.parse(new Document(packet, options).print(0, "plain"))].map((made) => Object.keys(made));
    let same = 0;
    for (const { engine, keys } of rows("keys.ndjson")) {
        const options = { dialect: engine.startsWith("godot-4") ? "godot4" : "godot3" };
        const header = encode(new gdvar.Dictionary([[1, 1]]), options).subarray(0, 8);
        for (const key of keys) {
            const [[name], [wanted]] = names(Buffer.concat([header, unhex(key), encode(1, options)]), options);
            if (/^[[{]/.test(wanted)) continue;
            // -0, and whole components of 64 bits, are among the digits that differ.
            assert.equal(name, /[(]/.test(wanted) ? wanted.replace(/-0(?=[,)])/g, "0").replace(/\.0(?=[,)])/g, "") : wanted.replace("-0.0", "0.0"), key);
            ++same;
        }
    }
    assert.ok(same > 200, String(same));
    const { Float, Vector2, Vector2d } = gdvar;
    // The name of a key is the same beside any others.
    for (const beside of ["x", true, 2, new Vector2()]) {
        const dictionary = new gdvar.Dictionary([[NaN, 1], [beside, 2], [Infinity, 3], [-Infinity, 4], [0.5, 5]]);
        const made = names(encode(dictionary));
        assert.deepEqual(made[0], made[1]);
        for (const name of ["null", "1e99999", "-1e99999", "0.5"]) assert.ok(made[0].includes(name), name);
    }
    for (const [key, ...wanted] of [
        [1e-7, "1e-7", "1e-07"], [new Float(1e21), "1000000000000000000000.0", "1e+21"], [new Float(-0), "0.0", "-0.0"], [new Vector2(-0, 1), "Vector2(0, 1)", "Vector2(-0, 1)"],
        [new Vector2(0.54926264, 4582727700), "Vector2(0.54926264, 4582727700)", "Vector2(0.54926264, 4582727680)"], [new Vector2d(0.1, 1), "Vector2(0.1, 1)", "Vector2(0.1, 1.0)"],
        [new gdvar.RID(3n), '["RID","3"]', '{"type":"RID","id":"3"}'],
    ]) assert.deepEqual(names(encode(new gdvar.Dictionary([[key, 1]]))), wanted.map((name) => [name]));
});

test("plain values with other choices, and what can be cloned", () => {
    const packet = encode({ id: 2n ** 60n, name: new gdvar.StringName("Ada"), list: gdvar.GodotArray.typed([1], { kind: "builtin", type: "int", name: "" }), ids: new BigInt64Array([1n, 2n ** 60n]) });
    const plain = decode(packet, { plain: true });
    assert.deepEqual(structuredClone(plain), { id: "1152921504606846976", name: "Ada", list: [1], ids: [1, "1152921504606846976"] });
    assert.deepEqual(decode(packet, { plain: true, ints: "number" }).ids, [1, 2 ** 60]);
    assert.deepEqual(decode(packet, { plain: true, ints: "bigint" }).ids, [1n, 2n ** 60n]);
    assert.ok(decode(packet, { plain: true, stringNames: "StringName" }).name instanceof gdvar.StringName);
    assert.ok(decode(packet, { plain: true, dictionaries: "Map" }) instanceof Map);
    // A choice of one call is none of the next.
    assert.deepEqual([...decode(packet).get("ids")], [1n, 2n ** 60n]);
});

test("a Float is a number where JavaScript lets it", () => {
    const { Float } = gdvar;
    const hp = decode(encode(new Float(100)));
    assert.deepEqual([hp.toFixed(2), hp.toPrecision(4), hp.toExponential(1), hp.toString(16), hp.toLocaleString("de")], ["100.00", "100.0", "1.0e+2", "64", "100"]);
    assert.deepEqual([hp * 2, hp + 1, -hp, hp > 99, hp < 100, hp >= 100, hp == 100, Math.max(hp, 3), Number(hp) === 100, isNaN(hp)], [200, 101, -100, true, false, true, true, 100, true, false]);
    assert.deepEqual([String(hp), `${hp}`, JSON.stringify([hp]), inspect(hp), inspect([hp])], ["100.0", "100.0", "[100]", "100.0", "[ 100.0 ]"]);
    assert.ok(Float.equal(hp, 100) && Float.equal(100, hp) && !Float.equal(hp, 1) && !Float.equal(NaN, NaN));
    assert.deepEqual([hp, 9.5, new Float(-1)].sort(Float.compare).map(Number), [-1, 9.5, 100]);
    assert.deepEqual([new Float(3), NaN, 1, Infinity, new Float(2), NaN, -Infinity, 0].sort(Float.compare).map(Number), [-Infinity, 0, 1, 2, 3, Infinity, NaN, NaN]);
    assert.deepEqual([[Infinity, Infinity], [NaN, new Float(NaN)], [NaN, 1], [1, NaN], [0, -0]].map((pair) => Float.compare(...pair)), [0, 0, 1, -1, 0]);
    assert.deepEqual(encode(hp), encode(new Float(100)));
});

test("floats and math values are printed as Godot 4.6.3 prints them", () => {
    let printed = 0;
    for (const { b, s } of rows("str.ndjson")) {
        const value = decode(unhex(b));
        assert.equal(String(typeof value === "number" ? new gdvar.Float(value) : value), s);
        ++printed;
    }
    assert.equal(printed, 440);
    assert.equal(String(new gdvar.Basisd(new gdvar.Vector3d(0.123456789, 2, 3))), "[X: (0.123456789, 0.0, 0.0), Y: (2.0, 1.0, 0.0), Z: (3.0, 0.0, 1.0)]");
});

test("math values are compared by components, and give their fields in order", () => {
    const { AABB, Color, Plane, Quaternion, Rect2, Rect2d, Transform3D, Vector2, Vector2d, Vector2i, Vector3, Vector4 } = gdvar;
    assert.ok(new Vector3(1, 2, 3).equals(new Vector3(1, 2, 3)) && !new Vector3(1, 2, 3).equals(new Vector3(1, 2, 4)));
    // As they are written: 32 bits are rounded, ints and 64 bits are not.
    assert.ok(new Vector2(0.1, 0).equals(decode(encode(new Vector2(0.1, 0)))));
    assert.ok(!new Vector2(0.1, 0).equals(new Vector2d(0.1, 0)) && new Vector2(0.5, 0).equals(new Vector2d(0.5, 0)));
    assert.ok(!new Vector2i(2 ** 24 + 1, 0).equals(new Vector2i(2 ** 24, 0)) && new Vector2(2 ** 24 + 1, 0).equals(new Vector2(2 ** 24, 0)));
    assert.ok(new Rect2d(new Vector2d(0.1, 0)).equals(new Rect2d(new Vector2d(0.1, 0))) && new Transform3D().equals(new Transform3D()));
    assert.ok(!new Vector4().equals(new Quaternion(0, 0, 0, 0)) && !new Vector2().equals(new Vector2i()) && !new Rect2().equals(undefined) && !new Color().equals({}));
    assert.ok(new Vector2(0, -0).equals(new Vector2()) && !new Vector2(NaN, 0).equals(new Vector2(NaN, 0)));
    class Point extends Vector2 {}
    assert.ok(new Point(1, 2).equals(new Vector2(1, 2)) && new Vector2d(1, 2).equals(new Point(1, 2)));
    const [x, y, z] = new Vector3(1, 2, 3);
    const [normal, d] = new Plane(new Vector3(0, 1, 0), 4);
    assert.deepEqual([x, y, z, normal, d], [1, 2, 3, new Vector3(0, 1, 0), 4]);
    assert.deepEqual([[...new Color(1, 2, 3)], [...new AABB()]], [[1, 2, 3, 1], [new Vector3(), new Vector3()]]);
    assert.deepEqual(Object.keys(new Vector2(1, 2)).filter((name) => name !== "gdvar"), ["x", "y"]);
});

test("what no Variant holds is refused with its path", () => {
    const loop = [];
    loop.push(loop);
    class Own {}
    for (const [value, code, path] of [
        [undefined, "wrong_type", "$"],
        [{ a: [1, undefined] }, "wrong_type", "$.a[1]"],
        [[{ "odd key": () => 1 }], "wrong_type", '$[0]["odd key"]'],
        [new Map([["k", new Map([["x", Symbol()]])]]), "wrong_type", "$.k.x"],
        [new gdvar.Dictionary([["d", new Own()]]), "wrong_type", "$.d"],
        [[new Date()], "wrong_type", "$[0]"],
        [[new Set()], "wrong_type", "$[0]"],
        [[new Uint16Array(2)], "wrong_type", "$[0]"],
        [[new gdvar.PackedVector2Array(Int32Array.of(1, 2))], "wrong_type", "$[0]"],
        [[new gdvar.PackedVector2iArray(Float64Array.of(1, 2))], "wrong_type", "$[0]"],
        [[new gdvar.PackedColorArray([1, 2, 3, 4])], "wrong_type", "$[0]"],
        [[new gdvar.PackedVector2Array(Float32Array.of(1))], "wrong_type", "$[0]"],
        [2 ** 60, "wrong_type", "$"],
        [2n ** 63n, "wrong_type", "$"],
        [["\ud800"], "bad_utf8", "$[0]"],
        [new gdvar.Vector2i(1.5, 2), "wrong_type", "$"],
        [new gdvar.Vector3("1", 2, 3), "wrong_type", "$"],
        [new gdvar.Image(1, 0, 1, 1, new Uint8Array(1)), "not_in_dialect", "$"],
        [[1, new gdvar.GodotObject("Node", new gdvar.Dictionary())], "objects_forbidden", "$[1]"],
        [new gdvar.RID(2n ** 64n), "wrong_type", "$"],
        [[new gdvar.Image(-1, 0, 1, 1, new Uint8Array(1))], "wrong_type", "$[0]"],
        [{ get a() { return encode(1); } }, "misplaced", undefined],
        // A hole is undefined.
        [[1, , 2], "wrong_type", "$[1]"],
    ]) assert.deepEqual(refused(() => encode(value)), [code, path]);
    // Values inside themselves are named; what is there twice is none of them.
    const pair = { list: [] };
    pair.list.push(1, { back: pair });
    const keyed = new gdvar.Dictionary();
    keyed.set("k", new Map([["in", keyed]]));
    for (const [value, path] of [[loop, "$[0]"], [pair, "$.list[1].back"], [[1, pair], "$[1].list[1].back"], [keyed, "$.k.in"]]) {
        assert.throws(() => encode(value), { code: "depth_limit", path, message: `error[depth_limit]: a value inside itself at ${path}` });
    }
    const twice = [1];
    assert.deepEqual(refused(() => encode([twice, twice, undefined])), ["wrong_type", "$[2]"]);
    // The next one is not disturbed.
    assert.equal(through(7), 7);
});

test("what was made in another context is written as one's own", () => {
    const make = (source) => vm.runInNewContext(`(${source})`, { gdvar });
    for (const source of [
        "[1, [2, 'three'], []]",
        "({ a: 1, b: { constructor: [null, true] } })",
        "Object.assign(Object.create(null), { a: 1 })",
        "new Map([['a', new Map([[1, [2]]])]])",
        "new (class extends Map {})([['a', 1]])",
        "new (class extends Array {})('a', 'b')",
        "Uint8Array.of(1, 255)",
        "new Uint8Array(Uint8Array.of(1, 2, 3, 4).buffer, 1, 2)",
        "Int32Array.of(1, -1)",
        "BigInt64Array.of(1n, -1n)",
        "Float32Array.of(0.5, NaN)",
        "Float64Array.of(0.1, Infinity)",
        "new Uint8Array(100_000)",
        "new gdvar.PackedVector2Array(Float32Array.of(0.1, 0.2))",
        "new gdvar.PackedVector2Array(Float64Array.of(0.1, 0.2))",
        "new gdvar.GodotArray([{ a: [1] }])",
    ]) assert.equal(hex(encode(make(source))), hex(encode(eval(`(${source})`))), source);
    for (const source of [
        "new (class Own {})()", "new Date()", "new Set([1])", "new Uint16Array(2)", "new DataView(new ArrayBuffer(4))", "/a/", "() => 1", "new Error('a')", "new WeakMap()",
        "({ __proto__: { get [Symbol.toStringTag]() { return 'Uint8Array'; } }, length: 1 })",
        "({ __proto__: Map.prototype, size: 1 })", "({ __proto__: Uint8Array.prototype })", "Object.create({ isPrototypeOf: 1 })",
    ]) assert.deepEqual(refused(() => encode([make(source)])), ["wrong_type", "$[0]"], source);
    // As keys, too.
    const keys = new gdvar.Dictionary();
    for (const source of ["[1, { a: 2 }]", "new Map([['a', 1]])", "({ b: Uint8Array.of(1) })"]) {
        keys.set(make(source), source);
        assert.equal(keys.get(eval(`(${source})`)), source);
    }
    assert.equal(keys.size, 3);
});

test("what is of the wrong kind inside of a value is refused, and leaves the module as it was", () => {
    const many = Array.from({ length: 40 }, () => new Uint8Array(4000));
    const { Dictionary, Float, GodotObject, NodePath, Signal, StringName } = gdvar;
    const wrong = [
        new StringName(42), new StringName(undefined), new NodePath([7]), new NodePath("a/b"), new NodePath(["a"], "b"), new Signal(5, 1), new Float("12abc"), new Float(),
        new GodotObject("Node", new Dictionary([[1, 2]])), new GodotObject(5, new Dictionary()), gdvar.PackedStringArray.holding(["a", 7]),
        new gdvar.Image(0, 0, 1, 1, { length: NaN }),
    ];
    const before = hex(encode(["sound", 1.5]));
    for (const value of wrong) {
        for (const all of [value, [value, ...many], [value, new gdvar.Vector2(5, 6)]]) assert.deepEqual(refused(() => encode(all, { objects: true }))[0], "wrong_type");
        assert.equal(hex(encode(["sound", 1.5])), before);
        assert.deepEqual(refused(() => decode(new Uint8Array(3))), ["truncated", "$"]);
        assert.ok(gdvar.dialects().length > 10);
    }
    assert.deepEqual(refused(() => encode(1, { numbers: "Float" })), ["bad_option", undefined]);
    assert.deepEqual(refused(() => encode(new Map([[Object.create(null), undefined]]))), ["wrong_type", "$[Object]"]);
});

test("what changes while it is written is refused, and leaves nothing for the next packet", () => {
    const { Dictionary } = gdvar;
    const changing = [
        () => {
            const map = new Map([["a", new Uint8Array(8192)], ["b", { get q() { map.delete("c"); return 1; } }], ["c", 1]]);
            return map;
        },
        () => {
            const inner = [{ get z() { inner.pop(); outer.push(9); return 1; } }, 1];
            const outer = [inner];
            return outer;
        },
        () => {
            const all = new Dictionary([["a", { get q() { all.append("c", 1); return 1; } }], ["b", 1]]);
            return all;
        },
        () => {
            const all = new Dictionary([["b", 1], ["a", { get q() { all.delete("b"); return 1; } }]]);
            return all;
        },
        () => {
            const map = new Map([["b", { get q() { map.set("c", 1); return 1; } }]]);
            return map;
        },
    ];
    for (const make of changing) {
        assert.ok(["misplaced", "too_few_items", "wrong_type"].includes(refused(() => encode(make()))[0]), String(make));
        assert.equal(hex(encode("next")), "04000000040000006e657874");
    }
});

test("the items of a packet may grow at any of them", () => {
    const type = { kind: "builtin", type: "int", name: "" };
    for (const before of [1019, 1020, 1021, 1022, 1023, 1024, 2045, 2046, 2047]) {
        const typed = Object.assign(new gdvar.Dictionary([[1, 2]]), { keyType: type });
        const old = { dialect: "godot-2" };
        for (const [last, options] of [[gdvar.GodotArray.typed([1, 2], type)], [typed], [new gdvar.Image(0, 0, 1, 1, Uint8Array.of(1, 2, 3, 4)), old], [new gdvar.InputEvent(1, 0, [1, 2]), old]]) {
            const value = [...Array(before).fill(null), last];
            assert.equal(decode(encode(value, options), options).length, before + 1, String(before));
        }
    }
});

test("typed arrays have the bytes that they have, whatever they say", () => {
    class Short extends Uint8Array {
        get length() { return 4; }
    }
    const long = new Short(400_000);
    long.set(encode("Ada"));
    const framer = new gdvar.StreamFramer();
    assert.equal(decode(long), "Ada");
    assert.deepEqual([...framer.feed(gdvar.frame(encode(1)))].length, 1);
    const lying = Object.defineProperty(new Float32Array(4), "length", { value: 60 });
    assert.equal(decode(encode([lying, "secret"]))[0].length, 4);
    const gone = new Float32Array(4);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    assert.equal(refused(() => encode([gone]))[0], "wrong_type");
});

test("fields of the wrong kind are refused with the path of their value", () => {
    const { Basis, EncodedObjectAsID, Float, GodotArray, GodotObject, Image, InputEvent, NodePath, Rect2, RID, Signal, Transform3D } = gdvar;
    const with_ = (of, fields) => Object.assign(of, fields);
    const wrong = [
        new Rect2(null), new Basis(null), new Transform3D(null), new NodePath(null), with_(new NodePath(), { subnames: null }), new GodotObject("A", null),
        new GodotObject("A", [["a", 1]]), with_(new RID(), { id: 5 }), with_(new Signal(), { objectId: 5 }), with_(new EncodedObjectAsID(), { id: undefined }),
        with_(new Float(1), { bits: 5 }), new Image(1n, 0, 1, 1, new Uint8Array(4)), new Image(0, 0, 1, 1, "abcd"), new Image(0, 0, 1, 1, [1, 2, 3, 4]), new InputEvent(1, 0, null),
    ];
    for (const value of wrong) assert.deepEqual(refused(() => encode([value], { objects: true })), ["wrong_type", "$[0]"], value.constructor.name);
    assert.equal(refused(() => encode(with_(GodotArray.typed([1], {}), { type: null })))[0], "bad_container_type");
});

test("floats of 8 bytes are for page dialects alone", () => {
    const wide = unhex("05000000000000000000f83f9a9999999999b93f");
    const options = { dialect: "page-4", widePage: true };
    assert.deepEqual(decode(wide, options), new gdvar.Vector2d(1.5, 0.1));
    assert.equal(hex(encode(new gdvar.Vector2d(1.5, 0.1), options)), hex(wide));
    for (const dialect of [undefined, "godot-4.4", "godot3"]) {
        for (const call of [() => decode(wide, { dialect, widePage: true }), () => encode(1, { dialect, widePage: true })]) {
            assert.throws(call, { code: "bad_option", message: /page-\* dialects alone/ });
        }
        assert.equal(decode(encode(1, { dialect, widePage: false }), { dialect, widePage: false }), 1);
    }
});

test("ids of Objects are signed, and taken both ways", () => {
    for (const [given, signed] of [[5n, 5n], [-5n, -5n], [2n ** 64n - 5n, -5n], [2n ** 63n, -(2n ** 63n)]]) {
        assert.equal(through(new gdvar.EncodedObjectAsID(given)).id, signed);
        assert.equal(new gdvar.EncodedObjectAsID(given).id, signed);
        assert.equal(through(new gdvar.Signal("s", given)).objectId, signed);
    }
    assert.equal(through(new gdvar.RID(2n ** 64n - 5n)).id, 2n ** 64n - 5n);
    for (const beyond of [2n ** 64n, -(2n ** 63n) - 1n]) assert.equal(refused(() => encode(new gdvar.EncodedObjectAsID(beyond)))[0], "wrong_type");
});

test("keys that have no text are no names", () => {
    const packet = encode(new Map([[{ toString: 1, valueOf: 1 }, 0]]));
    assert.ok(decode(packet, { dictionaries: "object" }) instanceof gdvar.Dictionary);
    assert.ok(decode(encode(new Map([[[{ toString: 1 }], 0]])), { dictionaries: "object" }) instanceof gdvar.Dictionary);
});

test("a getter that throws costs no memory", () => {
    const memory = () => tools().calling(({ module }) => module.exports.memory.buffer.byteLength) + core.get().exports.memory.buffer.byteLength;
    const value = ["x".repeat(1e6), { get a() { throw new Error("no"); } }];
    const often = (count) => {
        for (let i = 0; i < count; ++i) assert.throws(() => encode(value), { message: "no" });
        return memory();
    };
    const before = often(5);
    assert.equal(often(100), before);
});

test("containers of another copy of the package are refused: they would lose their types", async () => {
    const place = mkdtempSync(join(tmpdir(), "gdvar-copy-"));
    try {
        cpSync(new URL("../dist", import.meta.url), join(place, "dist"), { recursive: true });
        cpSync(new URL("../package.json", import.meta.url), join(place, "package.json"));
        const other = await import(pathToFileURL(join(place, "dist/index.js")).href);
        const type = { kind: "builtin", type: "int", name: "" };
        for (const value of [other.PackedStringArray.holding(["x"]), other.GodotArray.typed([1], type), new other.Dictionary([["a", 1]]), new other.Float(1)]) {
            assert.deepEqual(refused(() => encode([value])), ["wrong_type", "$[0]"]);
        }
    } finally {
        rmSync(place, { recursive: true });
    }
});

test("objects with odd names, and of odd kinds", () => {
    const odd = { constructor: 1, toString: 2, hasOwnProperty: 3 };
    assert.deepEqual(decode(encode(odd), { plain: true }), odd);
    assert.deepEqual([...through(Object.assign(Object.create(null), { a: 1 }))], [["a", 1]]);
    class Point extends gdvar.Vector2 {}
    assert.deepEqual(through(new Point(1, 2)), new gdvar.Vector2(1, 2));
    assert.deepEqual(through(Buffer.from("ab")), Uint8Array.of(97, 98));
    assert.equal(decode(encode(7).buffer), 7);
    assert.throws(() => decode("text"), TypeError);
    const large = new gdvar.Dictionary([[Array.from({ length: 300_000 }, (_, i) => i), 1]]);
    assert.equal(large.get(Array.from({ length: 300_000 }, (_, i) => i)), 1);
});

test("a value that changes while it is written leaves nothing for the next packet", () => {
    const next = () => assert.equal(hex(encode("abc")), "040000000300000061626300");
    const shrinking = () => {
        const buffer = new ArrayBuffer(8192, { maxByteLength: 8192 });
        return [new Uint8Array(buffer), () => buffer.resize(10)];
    };
    const leaving = () => {
        const bytes = new Uint8Array(8192);
        return [bytes, () => structuredClone(bytes, { transfer: [bytes.buffer] })];
    };
    for (const make of [shrinking, leaving]) {
        const [bytes, change] = make();
        const value = [bytes, { get late() { return change(), 1; } }];
        assert.throws(() => encode(value), { code: "misplaced" });
        next();
    }
});

test("a view that has lost its bytes is no empty one", () => {
    const classes = [Uint8Array, Int32Array, BigInt64Array, Float32Array, Float64Array];
    /** A view of each class behind the end of its buffer, which was made smaller, or has gone. */
    const lost = (Class, change) => {
        const buffer = new ArrayBuffer(64, { maxByteLength: 64 });
        const views = [new Class(buffer, 32, 2), new Class(buffer, 32), new Class(buffer, 16, 4)];
        change(buffer);
        return views.filter(({ length }) => length === 0);
    };
    const packets = [gdvar.frame, gdvar.validate, decode, (bytes) => new gdvar.StreamFramer().feed(bytes)];
    for (const change of [(buffer) => buffer.resize(8), (buffer) => structuredClone(buffer, { transfer: [buffer] })]) {
        for (const Class of classes) {
            const views = lost(Class, change);
            assert.equal(views.length, 3, Class.name);
            for (const view of views) {
                assert.deepEqual(refused(() => encode([view])), ["wrong_type", "$[0]"], Class.name);
                for (const use of packets) assert.throws(() => use(view), TypeError);
            }
        }
        for (const view of lost(Float32Array, change)) assert.equal(refused(() => encode(new gdvar.PackedVector2Array(view)))[0], "wrong_type");
        for (const view of lost(Uint8Array, change)) assert.equal(refused(() => encode(new gdvar.Image(0, 0, 1, 1, view), { dialect: "godot-2" }))[0], "wrong_type");
    }
    const buffer = new ArrayBuffer(64, { maxByteLength: 64 });
    const view = new DataView(buffer, 32);
    buffer.resize(8);
    for (const use of packets) assert.throws(() => use(view), TypeError);
    // A view that follows its buffer's size has the bytes that are there; an empty one is empty.
    assert.deepEqual(through(new Uint8Array(buffer)), new Uint8Array(8));
    for (const Class of classes) assert.deepEqual(through(new Class(0)), new Class(0));
    assert.deepEqual(through(new Float32Array(new ArrayBuffer(8), 8)), new Float32Array(0));
});

test("values can't be cloned without their class", () => {
    const { Dictionary, GodotArray, GodotObject, Float, PackedStringArray } = gdvar;
    const ints = { kind: "builtin", type: "int", name: "" };
    const made = Object.entries(gdvar).filter(([name, of]) => typeof of === "function" && /^class/.test(String(of)) && !/^(GdvarError|StreamFramer|Dictionary|Float|StringName|Packed|Godot|Image|InputEvent)/.test(name));
    assert.ok(made.length > 30);
    const values = [
        ...made.map(([, Class]) => new Class()), new Float(1), new gdvar.StringName("a"), new Dictionary([["a", 1]]), GodotArray.typed([1], ints), PackedStringArray.holding(["a"]), new GodotObject("A", new Dictionary()),
        new gdvar.PackedVector2Array(new Float32Array(2)), gdvar.PackedTypedArray.typed([1], ints), new gdvar.Image(0, 0, 1, 1, new Uint8Array(4)), new gdvar.InputEvent(1, 0),
        Object.assign(new Dictionary(), { keyType: ints, valueType: ints }), new Float(NaN, 0x7ff8000000000001n),
    ];
    for (const value of values) {
        for (const around of [value, [value], { value }, new Map([["value", value]])]) {
            assert.throws(() => structuredClone(around), { name: "DataCloneError", message: /send the packet/ }, value.constructor.name);
        }
        // Nor are the properties of one taken for a Dictionary.
        assert.match(refused(() => encode([{ ...value }])).join(), /^wrong_type,\$\[0\]\.(gdvar|bits|keyType)$/, value.constructor.name);
        assert.doesNotMatch(inspect([value]), /gdvar/);
    }
    // JavaScript's own values come back as they were, and so do all values of the packet.
    const all = [1, "a", null, true, 1n, new Uint8Array(3), new Float32Array(3), { x: 1, y: 2, z: 3 }, new Map([[1, { text: "a" }]])];
    assert.equal(hex(encode(structuredClone(all))), hex(encode(all)));
    const packet = encode({ pos: new gdvar.Vector3(1, 2, 3) });
    assert.deepEqual(decode(structuredClone(packet)).get("pos"), new gdvar.Vector3(1, 2, 3));
    assert.equal(JSON.stringify(new gdvar.Vector3(1, 2, 3)), '{"x":1,"y":2,"z":3}');
    assert.equal(inspect({ a: new gdvar.Vector2(1, 2) }), "{ a: Vector2 { x: 1, y: 2 } }");
    assert.equal(inspect(new gdvar.Rect2(), { depth: 0 }), "Rect2 { position: [Vector2], size: [Vector2] }");
    assert.equal(inspect(PackedStringArray.holding(["a", "b"])), "PackedStringArray(2) [ 'a', 'b' ]");
});

test("bytes come in any view, and nothing else is taken for bytes", () => {
    const packet = encode({ a: 1 });
    for (const view of [packet.buffer, new DataView(packet.buffer), Buffer.from(packet), new Uint8Array([0, 0, 0, 0, ...packet]).subarray(4)]) {
        assert.equal(hex(encode(decode(view))), hex(packet));
        assert.equal(gdvar.validate(view), packet.length);
        assert.equal(hex(gdvar.frame(view)), hex(gdvar.frame(packet)));
    }
    for (const other of ["abcd", [1, 2, 3, 4], null, undefined, {}, 5]) {
        for (const use of [decode, gdvar.validate, gdvar.frame, (bytes) => [...new gdvar.StreamFramer().feed(bytes)]]) assert.throws(() => use(other), TypeError);
    }
});

test("Godot's names, and how many bytes a packet took", () => {
    assert.equal(gdvar.bytesToVar(gdvar.varToBytes("Ada")), "Ada");
    const two = new Uint8Array([...encode("Ada"), ...encode(5)]);
    for (const bytes of [two, two.buffer]) assert.deepEqual(gdvar.decodeSome(bytes), { value: "Ada", size: encode("Ada").length });
});

test("types are the module's", () => {
    const named = tools().calling(({ module }) => {
        const at = module.alloc(16);
        return Array.from({ length: TYPES.length + 1 }, (_, type) => {
            module.exports.gdvar_describe_type(at, type);
            return module.text(module.u32[at >> 2], module.u32[(at >> 2) + 1]);
        });
    });
    assert.deepEqual(named, [...TYPES, ""]);
});

test("options that are none are refused", () => {
    for (const options of [{ dictionaries: "map" }, { ints: "BigInt" }, { floats: "float" }, { stringNames: "String" }]) {
        assert.throws(() => decode(encode(1), options), { code: "bad_option" });
    }
    for (const options of [{ dialect: "godot-9" }, { limits: { depth: -1 } }, { limits: { depth: 2000 } }, { limits: { bytes: NaN } }, { limits: { values: "9" } }, { dialect: "godot3\0zzz" }]) {
        assert.deepEqual(refused(() => encode(1, options)), ["bad_option", undefined]);
    }
});

test("a limit that is no number is refused also after one that is", () => {
    assert.equal(decode(encode(1), { limits: { depth: 64 } }), 1);
    assert.throws(() => decode(encode(1), { limits: { depth: "64" } }), { code: "bad_option" });
    assert.equal(decode(encode(1), { limits: null, dialect: null }), 1);
});

test("deep values, up to the engines' limit", () => {
    let deep = 1;
    for (let i = 0; i < 1024; ++i) deep = [deep];
    const packet = encode(deep);
    assert.equal(hex(encode(decode(packet))), hex(packet));
    const [code, path] = refused(() => encode([deep]));
    assert.deepEqual([code, path], ["depth_limit", `$${"[0]".repeat(49)}...0]${"[0]".repeat(49)}`]);
    // Both ends are kept, in whole characters, as the library does.
    for (const shift of ["", "a", "ab", "abc"]) {
        const long = `${shift}${"\u{1f525}".repeat(200)}`;
        const [, own] = refused(() => encode({ [long]: [1, undefined] }));
        assert.ok(own.length <= 300 && own.isWellFormed() && own.startsWith(`$["${shift}\u{1f525}`) && own.endsWith('\u{1f525}"][1]'), own);
        const whole = encode({ [long]: [1, "two"] });
        assert.match(refused(() => decode(whole.subarray(0, -4)))[1], /^\$.{1,200}\.\.\..{1,200}\[1\]$/u);
    }
    const packets = [Uint8Array.from({ length: 8 * 1025 + 4 }, (_, i) => (i % 8 === 0 ? 28 : i % 8 === 4 ? 1 : 0))];
    assert.equal(refused(() => decode(packets[0]))[0], "depth_limit");
});

test("texts that are not UTF-8 have a surrogate for each byte, and come back", () => {
    // Engines look no further than the first NUL.
    const behind = "a\0\udce9\udcff\u{1f525}";
    const written = encode([behind, gdvar.PackedStringArray.holding([behind]), new gdvar.StringName(behind), { [behind]: behind }]);
    assert.equal(hex(written).split("6100e9fff09f94a5").length, 6);
    assert.equal(hex(encode(decode(written))), hex(written));
    assert.equal(decode(written)[0], behind);
    // Godot 3 takes surrogates, too.
    const odd = "x\udced\udca0\udc80y";
    const packet = encode({ [odd]: odd }, { dialect: "godot3" });
    assert.ok(hex(packet).includes("78eda08079"));
    const back = decode(packet, { dialect: "godot3" });
    assert.deepEqual([...back], [[odd, odd]]);
    assert.equal(hex(encode(back, { dialect: "godot3" })), hex(packet));
    assert.equal(hex(encode([back, back], { dialect: "godot3" })).split("78eda08079").length, 5);
    // Godot 4 takes none of it.
    assert.deepEqual(refused(() => encode([odd])), ["bad_utf8", "$[0]"]);
    assert.deepEqual(refused(() => encode(["\udce9"], { dialect: "godot3" })), ["bad_utf8", "$[0]"]);
    assert.deepEqual(refused(() => encode(["\udce9\ud800"], { dialect: "godot3" })), ["bad_utf8", "$[0]"]);
});

test("any value as a script, by option", () => {
    const value = new gdvar.GodotObject("Resource", new gdvar.Dictionary([["script", 7]]));
    const packet = encode([value], { objects: true });
    assert.deepEqual(refused(() => decode(packet, { objects: true })), ["bad_script", "$[0].script"]);
    assert.deepEqual(decode(packet, { objects: true, anyScript: true }), [value]);
});

test("Arrays of floats, up to what is no float", () => {
    const floats = (count) => Array.from({ length: count }, (_, i) => i + 0.25);
    for (const count of [0, 1, 1000, 65535, 65536, 65537, 200_000]) assert.deepEqual(through(floats(count)), floats(count));
    for (const other of [1, "x", null, Infinity, -0.0, [0.5], { a: 0.5 }]) {
        for (const at of [1, 40, 65536, 70_000]) {
            const mixed = [...floats(at), other, ...floats(3)];
            const packet = encode(mixed);
            assert.deepEqual(encode(decode(packet)), packet);
            assert.deepEqual(decode(packet, { floats: "number", dictionaries: "object" }).slice(at), [Object.is(other, -0) ? 0 : other, ...floats(3)]);
        }
    }
    assert.deepEqual(encode([0.5, NaN, 1]), encode([new gdvar.Float(0.5), new gdvar.Float(NaN), 1]));
    assert.deepEqual(encode([0.5, 1], { numbers: "float" }), encode([0.5, new gdvar.Float(1)]));
    // Holes cost nothing.
    const holes = [0.5];
    holes.length = 2 ** 32 - 1;
    assert.deepEqual(refused(() => encode(holes)), ["wrong_type", "$[1]"]);
    assert.deepEqual(refused(() => encode([...floats(70_000), undefined])), ["wrong_type", "$[70000]"]);
});
