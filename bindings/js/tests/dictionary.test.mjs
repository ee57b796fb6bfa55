// Dictionary: a Map in all that a Map does, and more where a Map can't.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import * as gdvar from "gdvar";
import * as equalHashes from "./equal_hashes.mjs";
import { hex, random } from "./support.mjs";

const { decode, Dictionary, encode, Float, StringName, Vector2i, Vector3 } = gdvar;

const looks = [(value, keys) => value.get(keys[1]), (value, keys) => value.set("new", 1).delete(keys[2]), (value) => value.has(new Vector2i(1, 2)), (value) => new Dictionary(value), (value) => inspect(value), (value, keys) => structured(value, keys)];
const structured = (value, keys) => new Dictionary([...value].map(([key]) => [[key], 1])).get([keys[3]]);
/** CPU time of this process, in ms, to read a Dictionary of the keys and to look into it. */
function costOf(kind, keys, dictionaries) {
    const made = new Dictionary();
    for (const key of keys) made.append(key, null);
    const packet = encode([made]);
    const begun = process.cpuUsage();
    const [value] = decode(packet, { dictionaries });
    if (value instanceof Map) {
        for (const look of looks) look(value, keys);
        assert.ok(value.has(keys[1]) && !value.has(keys[2]) && value.get("new") === 1 && value.size === keys.length, kind);
    } else assert.equal(Object.keys(value).length, keys.length);
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
}

test("nobody can choose keys that are slow to find", () => {
    const count = 20_000;
    const texts = Array.from({ length: count }, (_, i) => `k${i}`);
    for (const dictionaries of ["Dictionary", "Map", "object"]) {
        const usual = Math.max(costOf("texts", texts, dictionaries), costOf("texts", texts, dictionaries));
        for (const [kind, make] of Object.entries(equalHashes)) {
            const took = costOf(kind, make(count), dictionaries);
            // A Map takes 2 to 4 seconds for the numbers among them. A slow machine may take longer for texts, too.
            assert.ok(took < Math.max(700, 1.5 * usual), `${kind} as ${dictionaries}: ${took.toFixed(0)} ms, texts ${usual.toFixed(0)} ms`);
        }
    }
    // Few keys, and keys that nobody can choose so, are a Map.
    assert.equal(decode(encode(new Map(equalHashes.floats(64).map((key) => [key, 1]))), { dictionaries: "Map" }).constructor, Map);
    assert.equal(decode(encode(new Map(Array.from({ length: 500 }, (_, i) => [`k${i}`, i]))), { dictionaries: "Map" }).constructor, Map);
});

test("it does what a Map does with many keys", () => {
    const next = random(8);
    const map = new Map();
    const dictionary = new Dictionary();
    const texts = ["", "a", "ab", "abc", "\ud800", "x".repeat(200_000), "toString", "__proto__", "1", "-0"];
    for (let i = 0; i < 20_000; ++i) {
        const number = Math.floor(next() * 700);
        const key = [() => `k${number}`, () => number, () => number / 7, () => 10n ** 18n + BigInt(number), () => texts[number % texts.length], () => [null, true, false, NaN, Infinity, -Infinity][number % 6]][Math.floor(next() * 6)]();
        if (next() < 0.7) assert.equal(dictionary.set(key, i) === dictionary, map.set(key, i) === map);
        else assert.equal(dictionary.delete(key), map.delete(key));
        assert.equal(dictionary.get(key), map.get(key));
        assert.equal(dictionary.size, map.size);
    }
    assert.ok(map.size > 1000);
    assert.deepEqual([...dictionary], [...map]);
    for (const [key, value] of map) assert.equal(dictionary.get(key), value);
});

test("it does what a Map does", () => {
    const next = random(7);
    for (let round = 0; round < 50; ++round) {
        const map = new Map();
        const dictionary = new Dictionary();
        for (let i = 0; i < 300; ++i) {
            const key = [() => `k${Math.floor(next() * 40)}`, () => Math.floor(next() * 20), () => next() < 0.5, () => null][Math.floor(next() * 4)]();
            const what = next();
            if (what < 0.6) assert.equal(dictionary.set(key, i) === dictionary, map.set(key, i) === map);
            else if (what < 0.9) assert.equal(dictionary.delete(key), map.delete(key));
            else if (what < 0.91) { dictionary.clear(); map.clear(); }
            else assert.equal(dictionary.get(key), map.get(key));
            assert.equal(dictionary.has(key), map.has(key));
            assert.equal(dictionary.size, map.size);
        }
        assert.deepEqual([...dictionary], [...map]);
        assert.deepEqual([...dictionary.keys()], [...map.keys()]);
        assert.deepEqual([...dictionary.values()], [...map.values()]);
        const seen = [];
        dictionary.forEach((value, key) => seen.push([key, value]));
        assert.deepEqual(seen, [...map]);
        assert.deepEqual(dictionary.toMap(), map);
        assert.deepEqual(new Map(dictionary), map);
    }
    assert.ok(new Dictionary() instanceof Map);
    assert.equal(inspect(new Dictionary([["a", 1]])), "Dictionary(1) { 'a' => 1 }");
});

test("its keys are compared as Godot compares them", () => {
    const cells = new Dictionary([[new Vector2i(3, 4), "a"], [new StringName("hp"), 1], [1, "int"], [new Float(1), "float"], [[1, [2]], "array"]]);
    assert.equal(cells.get(new Vector2i(3, 4)), "a");
    assert.equal(cells.get("hp"), 1);
    assert.equal(cells.get(1), "int");
    assert.equal(cells.get(1n), "int");
    assert.equal(cells.get(new Float(1)), "float");
    assert.equal(cells.get([1, [2]]), "array");
    assert.equal(cells.get([1, 2]), undefined);
    assert.equal(cells.get(new Vector3(3, 4, 0)), undefined);
    assert.equal(cells.delete(new Vector2i(3, 4)), true);
    assert.equal(cells.get(new Vector2i(3, 4)), undefined);
    assert.equal(cells.size, 4);
});

test("what is removed while it is iterated over leaves nothing out", () => {
    const next = random(11);
    for (const size of [1, 5, 20, 40, 500]) {
        for (let round = 0; round < 40; ++round) {
            const map = new Map(Array.from({ length: size }, (_, i) => [`k${i}`, i]));
            const dictionary = round % 2 === 0 ? new Dictionary(map) : decode(encode(map));
            const pairs = () => Array.from({ length: size }, (_, i) => `k${i}`);
            const seen = [map, dictionary].map((of) => {
                const choose = random(round + 1);
                const all = [];
                for (const [key] of of) {
                    all.push(key);
                    const what = choose();
                    if (what < 0.4) of.delete(key);
                    else if (what < 0.6) of.delete(pairs()[Math.floor(choose() * size)]);
                    else if (what < 0.65 && all.length < 3 * size) of.set(key, of.get(key)) && of.delete(key) && of.set(key, -1);
                    else if (what < 0.655) of.clear();
                    else if (what < 0.7 && of === dictionary) encode(of);
                }
                return all;
            });
            assert.deepEqual(seen[1], seen[0]);
            assert.deepEqual([...dictionary], [...map]);
        }
    }
    const all = new Dictionary(Array.from({ length: 10 }, (_, i) => [i, i]));
    all.forEach((_, key) => all.delete(key));
    assert.equal(all.size, 0);
    assert.ok(next() < 1);
});

test("deepStrictEqual looks at keys and values", () => {
    const [a, b] = [decode(encode({ hp: 1 })), decode(encode({ mp: 1 }))];
    assert.deepStrictEqual(a, new Dictionary([["hp", 1]]));
    assert.notDeepStrictEqual(a, b);
    assert.notDeepStrictEqual(a, decode(encode({ hp: 2 })));
    a.set("x", 1).delete("x");
    assert.deepStrictEqual(a, new Dictionary([["hp", 1]]));
});

test("repeated keys stay, and the last one counts", () => {
    const twice = new Dictionary().append("a", 1).append("b", 2).append("a", 3);
    assert.equal(twice.size, 3);
    assert.equal(inspect(twice), "Dictionary(3) [ [ 'a', 1 ], [ 'b', 2 ], [ 'a', 3 ] ]");
    const read = decode(encode(twice));
    assert.deepEqual([...read], [["a", 1], ["b", 2], ["a", 3]]);
    assert.equal(read.get("a"), 3);
    read.set("a", 4);
    assert.deepEqual([...read], [["a", 1], ["b", 2], ["a", 4]]);
    assert.equal(read.delete("a"), true);
    assert.deepEqual([...read], [["b", 2]]);
    assert.equal(decode(encode(twice), { dictionaries: "Map" }) instanceof Dictionary, true);
    assert.ok(decode(encode(twice), { dictionaries: "object" }) instanceof Dictionary);
});

test("JSON.stringify writes it as an object, or refuses it", () => {
    const value = { name: "Ada", hp: new Float(1), pos: new Vector3(1, 2, 3), [7]: [new Dictionary([["__proto__", 1]])] };
    assert.equal(JSON.stringify(decode(encode(value))), '{"7":[{"__proto__":1}],"name":"Ada","hp":1,"pos":{"x":1,"y":2,"z":3}}');
    const removed = new Dictionary([["a", 1], ["b", 2], ["c", 3]]);
    removed.delete("a");
    assert.equal(JSON.stringify(removed), '{"b":2,"c":3}');
    for (const pairs of [[[null, 1]], [[1, 1], ["1", 2]], [[new Vector2i(1, 2), 1]]]) assert.throws(() => JSON.stringify(new Dictionary(pairs)), TypeError);
    assert.throws(() => JSON.stringify(new Dictionary().append("a", 1).append("a", 2)), TypeError);
});

test("what is changed in one does not change another with the same keys", () => {
    const packet = encode([{ a: 1, b: 2 }, { a: 3, b: 4 }]);
    const [one, other] = decode(packet);
    one.set("c", 5).delete("a");
    other.set("b", 6);
    assert.deepEqual([...one], [["b", 2], ["c", 5]]);
    assert.deepEqual([...other], [["a", 3], ["b", 6]]);
    assert.deepEqual(decode(packet)[0].toMap(), new Map([["a", 1], ["b", 2]]));
    assert.deepEqual(decode(encode([one, other])).map((each) => [...each]), [[["b", 2], ["c", 5]], [["a", 3], ["b", 6]]]);
});

test("many removals take linear time", () => {
    const large = new Dictionary();
    for (let i = 0; i < 200_000; ++i) large.set(i, i);
    for (let i = 0; i < 200_000; i += 2) large.delete(i);
    assert.equal(large.size, 100_000);
    assert.equal(large.get(100_001), 100_001);
});

test("a repeated key goes with all its pairs, in linear time", () => {
    const dictionary = new Dictionary();
    const most = 30_000;
    for (let i = 0; i < most; ++i) dictionary.append(i % 20_000, i).append(new Vector2i(i % 100, 0), i);
    assert.equal(dictionary.get(5), 20_005);
    assert.equal(dictionary.size, 2 * most);
    assert.ok(dictionary.delete(5) && !dictionary.has(5) && !dictionary.delete(5));
    assert.equal(dictionary.size, 2 * most - 2);
    dictionary.append(5, "again");
    assert.equal(dictionary.get(5), "again");
    for (let i = 0; i < 20_000; ++i) assert.ok(dictionary.delete(i));
    assert.equal(dictionary.size, most);
    for (let i = 0; i < 100; ++i) assert.ok(dictionary.delete(new Vector2i(i, 0)));
    assert.equal(dictionary.size, 0);
    assert.equal(hex(encode(dictionary)), hex(encode(new Dictionary())));
});

test("keys are the same where the library says that they are", () => {
    const options = { dialect: "godot-4.4", objects: true };
    const { Vector2, Vector2d, Rect2, Rect2d, Plane, Color, Transform3D, Transform3Dd, NodePath } = gdvar;
    const zero = new Vector2(0, 0);
    const [one, two] = [new Vector2i(1, 1), new Vector2i(2, 2)];
    const objectOf = (name, value) => new gdvar.GodotObject(name, new Dictionary([["a", value]]));
    const keys = [
        null, true, false, 0, 1, 5n, 2n ** 60n, 0.1, 1.5, NaN, Infinity, new Float(0), new Float(-0), new Float(1), new Float(1.5), new Float(NaN, 0xfff8000000000001n), new Float(-Infinity),
        "a", new StringName("a"), NodePath.parse("a"), NodePath.parse("/a"), NodePath.parse("a:b"), "", new StringName("1"), "1",
        new Vector2(0.1, 0.2), new Vector2(Math.fround(0.1), Math.fround(0.2)), new Vector2d(0.1, 0.2), new Vector2d(Math.fround(0.1), Math.fround(0.2)),
        new Vector2(1, 1), new Vector2d(1, 1), one, new Vector2(NaN, 1), new Vector2d(NaN, 1), zero, new Vector2(-0, 0), new Vector2i(16777217, 0), new Vector2i(16777216, 0),
        new Rect2(zero, zero), new Rect2(new Vector2(), new Vector2()), new Rect2d(zero, zero), new Rect2(zero, new Vector2(1, 0)), new Plane(), new Color(0.1, 0, 0), new Color(0, 0.1, 0),
        new Transform3D(), new Transform3Dd(), new gdvar.Basis(), new gdvar.Quaternion(), new gdvar.Vector4(0, 0, 0, 1),
        [], [1], [1.5], [new Float(1)], ["a"], [new StringName("a")], [NaN], [new Vector2(NaN, 0)], [one, two, one], [one, two, two], [one, two, new Vector2i(1, 1)], [[one], one], [one, [one]],
        gdvar.GodotArray.typed([1], { kind: "builtin", type: "int", name: "" }), gdvar.PackedStringArray.holding(["a"]), gdvar.PackedStringArray.holding(["a,b"]), gdvar.PackedStringArray.holding(["a", "b"]),
        {}, { a: 1 }, new Dictionary([["a", 1]]), new Dictionary([[new StringName("a"), 1]]), new Dictionary([["a", "x"]]), new Dictionary([["a", new StringName("x")]]), new Map([["a", 1], ["b", 2]]), new Map([["b", 2], ["a", 1]]),
        new Dictionary([[NaN, 1]]), new Dictionary([[1, NaN]]), new Uint8Array([1]), new Int32Array([1]), new BigInt64Array([1n]), new Float32Array([0.1]), new Float64Array([0.1]), new Float64Array([Math.fround(0.1)]), new Float32Array([NaN]), new Float32Array([-0]), new Float32Array([0]),
        new gdvar.PackedVector2Array(new Float32Array([1, 2])), new gdvar.PackedVector2Array(new Float64Array([1, 2])), new gdvar.PackedVector2Array(new Float32Array([2, 1])), new gdvar.PackedColorArray(new Float32Array(4)), new gdvar.PackedVector4Array(new Float32Array(4)),
        new gdvar.RID(5), new gdvar.RID(6), new gdvar.GodotObject("", new Dictionary()), [null], [new gdvar.GodotObject("", new Dictionary())],
        new gdvar.Callable(), new gdvar.Signal("a", 1), new gdvar.Signal("a", 2),
    ];
    const isRepeated = (pair) => {
        try {
            gdvar.validate(gdvar.encode(pair, options), { ...options, strict: true });
            return false;
        } catch (error) {
            if (error.code === "duplicate_key") return true;
            throw error;
        }
    };
    let same = 0;
    for (const [i, a] of keys.entries()) {
        for (const [j, b] of keys.entries()) {
            const both = new Dictionary().append(a, 1).append(b, 2);
            const wanted = isRepeated(both);
            assert.equal(new Dictionary([[a, 1]]).has(b), wanted, `${i} ${j}`);
            // A copy that came through a packet is the same key, too.
            const [back] = gdvar.decode(gdvar.encode(new Dictionary([[a, 1]]), options), options).keys();
            assert.equal(new Dictionary([[back, 1]]).has(b), wanted, `${i} ${j} from a packet`);
            same += wanted;
        }
    }
    assert.ok(same > keys.length, `${same}`);
    // Objects are themselves alone; in a packet there are never two of the same.
    for (const make of [() => objectOf("Node", 1), () => new gdvar.EncodedObjectAsID(5), () => [objectOf("Node", 1)]]) {
        const key = make();
        const held = new Dictionary([[key, 1]]);
        assert.deepEqual([held.has(key), held.has(make())], [true, false]);
        assert.ok(!isRepeated(new Dictionary().append(make(), 1).append(make(), 2)));
    }
    const cycle = [];
    cycle.push(cycle);
    assert.equal(new Dictionary([[cycle, 1]]).size, 1);
});
