// Dictionary: a Map in all that a Map does, and more where a Map can't.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { decode, Dictionary, encode, Float, StringName, Vector2i, Vector3 } from "gdvar";
import { random } from "./support.mjs";

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

test("repeated keys stay, and the last one counts", () => {
    const twice = new Dictionary().append("a", 1).append("b", 2).append("a", 3);
    assert.equal(twice.size, 3);
    const read = decode(encode(twice));
    assert.deepEqual([...read], [["a", 1], ["b", 2], ["a", 3]]);
    assert.equal(read.get("a"), 3);
    read.set("a", 4);
    assert.deepEqual([...read], [["a", 1], ["b", 2], ["a", 4]]);
    assert.equal(read.delete("a"), true);
    assert.deepEqual([...read], [["b", 2]]);
    assert.equal(decode(encode(twice), { dictionaries: "Map" }) instanceof Dictionary, true);
    assert.equal(decode(encode(twice), { plain: true }) instanceof Dictionary, true);
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
