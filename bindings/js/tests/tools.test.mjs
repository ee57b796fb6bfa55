// The full module's functions on packets: text, JSON, fields, conversion, paths, differences.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decode, Dictionary, encode, Float, GdvarError, PackedStringArray, StringName, validate, Vector2, Vector2i, Vector3 } from "gdvar";
import * as tools from "gdvar/tools";
import { damaged, data, hex, unhex, vectors } from "./support.mjs";

/** Where the text says what the packet does not (tests/data/README.md). */
const unsaid = new Set([
    "godot-4.6.3 typed_array_node_empty", "godot-4.6.3 typed_array_resource_null", "godot-4.6.3 typed_dictionary_int_resource",
    "pandemonium-5.3 pool_vector4i",
]);

test("text as the engines print it", () => {
    let same = 0;
    for (const { name, dialect, packet, text } of vectors()) {
        if (name.endsWith(" object_as_id") || unsaid.has(name)) continue;
        // Godot 3.2 printed floats in another way than 3.6.
        const options = name.startsWith("godot-3.2") ? { dialect, family: "3.2" } : { dialect };
        assert.equal(tools.varToStr(decode(packet, { dialect, objects: true }), options), text, name);
        ++same;
    }
    assert.ok(same > 1500, `${same} texts`);
});

test("the text of another family than the dialect's", () => {
    const value = [new Float(2), new Vector2(Infinity, 1)];
    for (const [family, printed] of [["3.2", "[ 2.0, Vector2( inf, 1 ) ]"], ["3.6", "[ 2.0, Vector2( inf, 1 ) ]"], ["4", "[2.0, Vector2(inf, 1)]"]]) {
        assert.equal(tools.varToStr(value, { family, dialect: "godot-3.1" }), printed);
    }
    assert.throws(() => tools.strToVar("Vector2( inf, 1 )", { family: "3.2" }), { code: "wrong_arguments" });
    assert.deepEqual(tools.strToVar("Vector2( inf, 1 )", { family: "3.6" }), new Vector2(Infinity, 1));
    for (const family of ["5", "toString", 4.0, 3.2]) {
        const message = `error[bad_option]: family is one of 2, 3.2, 3.6, 4.0, 4, pandemonium, not ${family}`;
        assert.throws(() => tools.varToStr(1, { family }), { code: "bad_option", message });
    }
});

test("numbers that an engine reads as others are refused by `strict`", () => {
    for (const text of ["99999999999999999999", "1e400", "PackedByteArray(256)", "Vector2(1e39, 0)", "[1, {2: 99999999999999999999}]"]) {
        tools.strToVar(text);
        assert.throws(() => tools.strToVar(text, { strict: true }), { code: "bad_number" }, text);
    }
    assert.deepEqual(tools.strToVar("[1.5, -7]", { strict: true }), [1.5, -7]);
    tools.fromPlainJson("99999999999999999999");
    assert.throws(() => tools.fromPlainJson("99999999999999999999", { strict: true }), { code: "bad_number" });
});

test("damaged text is refused, or read as the engine reads it", () => {
    const rows = readFileSync(`${data}/vectors/godot-4.6.3-text.ndjson`, "utf8").trim().split("\n").map((line) => JSON.parse(line));
    let read = 0;
    for (const { b, t } of rows) {
        try {
            const value = tools.strToVar(t);
            if (hex(encode(value, { objects: true })) === b) ++read;
        } catch (error) {
            assert.ok(error instanceof GdvarError && error.source !== "call", error.stack);
        }
    }
    assert.ok(read > 50, `${read} of ${rows.length}`);
});

test("gdvar's own text and typed JSON lose nothing", () => {
    for (const { name, dialect, packet } of vectors()) {
        const options = { dialect, objects: true };
        const value = decode(packet, options);
        const wanted = hex(encode(value, options));
        assert.equal(hex(encode(tools.fromTextFull(tools.toTextFull(value, options), options), options)), wanted, name);
        assert.equal(hex(encode(tools.fromJson(tools.toJson(value, options), options), options)), wanted, name);
        assert.equal(hex(encode(tools.fromJson(tools.toJson(value, { ...options, indent: 2 }), options), options)), wanted, name);
    }
});

test("plain JSON says what it loses", () => {
    const { json, losses } = tools.toPlainJson([new Vector2(1, 2), NaN, "x"]);
    assert.equal(json, '[[1,2],null,"x"]');
    assert.deepEqual(losses.map(({ path, what }) => [path, what]), [["$[0]", "Vector2 has no form of its own in JSON"], ["$[1]", "an infinity or NaN becomes null"]]);
    assert.deepEqual(tools.fromPlainJson('{"a": [1, 2.5]}'), new Dictionary([["a", [1, 2.5]]]));
    assert.throws(() => tools.fromPlainJson("[1,"), { code: "bad_syntax", line: 1, column: 4, offset: 3 });
});

test("the fields of a packet have no gap, and a broken one is told", () => {
    const all = [...vectors()].map(({ packet, dialect, objects }) => ({ packet, dialect, objects }));
    for (const packet of damaged()) all.push({ packet, dialect: "godot-4.4", objects: false });
    for (const { packet, dialect, objects } of all) {
        const { rows, size, error } = tools.annotate(packet, { dialect, objects });
        let at = 0;
        for (const row of rows) {
            // The row that reports the break is not one of its own.
            if (row.size === 0) continue;
            assert.equal(row.offset, at);
            at += row.size;
        }
        assert.equal(at, packet.length);
        if (error === undefined) assert.equal(size, validate(packet, { dialect, objects }));
        // It reads up to the break, where `validate` may know sooner that bytes are missing.
        else assert.throws(() => validate(packet, { dialect, objects }), GdvarError);
    }
});

test("quirks, and which dialect packets are of", () => {
    const odd = unhex("0100000002000000");
    assert.deepEqual(tools.check(odd), { quirks: [{ name: "bool_value", path: "$", offset: 4 }], total: 1 });
    const { dialect, candidates } = tools.guess([encode([new StringName("x")])]);
    assert.equal(dialect, "godot-4.4");
    assert.ok(candidates.length > 5 && candidates.every(({ reason }) => reason !== ""));
    assert.equal(tools.guess([unhex("ffffffff")]).dialect, undefined);
});

test("conversion names its losses", () => {
    const { packet, losses } = tools.convert(encode([new StringName("x"), 1]), {}, { dialect: "godot3" });
    assert.deepEqual(decode(packet, { dialect: "godot3" }), ["x", 1]);
    assert.deepEqual(losses, [{ path: "$[0]", what: "StringName does not exist in godot-3.1", substitution: "becomes a String", type: "StringName" }]);
    assert.throws(() => tools.convert(unhex("02000000"), {}, { dialect: "godot3" }), { code: "truncated", path: "$" });
});

test("any number of quirks, texts and components may be asked for", () => {
    const odd = encode(new Dictionary().append("a", 1).append("a", 2).append("a", 3));
    for (const [most, count] of [[0, 0], [1, 1], [1.5, 1], [Infinity, 2], [2 ** 40, 2], [undefined, 2]]) {
        const { quirks, total } = tools.check(odd, { most });
        assert.deepEqual([quirks.length, total], [count, 2], String(most));
    }
    assert.throws(() => tools.check(odd, { most: -1 }), { code: "bad_option" });
    const document = new tools.Document(encode([PackedStringArray.holding(["a", "b", "c"]), new Float32Array([1, 2, 3])]));
    for (const [most, count] of [[-1, 0], [NaN, 0], [1.5, 1], [Infinity, 3]]) {
        assert.deepEqual([document.texts(1, most).length, document.numbers(2, most).length], [count, count], String(most));
    }
    document.close();
});

test("of keys that are one in the target, one pair stays, and the others are losses", () => {
    const packet = encode(new Dictionary([[new Vector2i(1, 2), "int"], [new Vector2(1, 2), "float"]]));
    const { packet: made, losses } = tools.convert(packet, {}, { dialect: "godot3" });
    assert.deepEqual([...decode(made, { dialect: "godot3", strict: true })], [[new Vector2(1, 2), "float"]]);
    assert.equal(losses.length, 2);
    const twice = encode(new Dictionary().append("a", 1).append("a", 2).append("b", 3));
    const kept = tools.convert(twice, {}, {});
    assert.deepEqual([...decode(kept.packet)], [["a", 2], ["b", 3]]);
    assert.equal(kept.losses.length, 1);
});

test("paths, differences and patches", () => {
    const packet = encode({ players: [{ hp: 7, pos: new Vector3(1, 2, 3) }, { hp: 9, pos: new Vector3() }], f: new Float(1) });
    const found = tools.lookup(packet, "$.players[*].hp");
    assert.deepEqual(found.map(({ path, packet }) => [path, decode(packet)]), [["$.players[0].hp", 7], ["$.players[1].hp", 9]]);
    const changed = tools.setValue(packet, "$.players[1].hp", 10);
    assert.deepEqual(decode(tools.lookup(changed, "$..hp")[1].packet), 10);
    const shorter = tools.eraseValue(changed, "$.f");
    const patch = tools.diff(packet, shorter);
    assert.equal(hex(tools.patch(packet, patch)), hex(shorter));
    assert.throws(() => tools.patch(shorter, patch), { name: "GdvarError", source: "patch" });
    assert.throws(() => tools.lookup(packet, "$.none"), { code: "missing_key" });
    assert.throws(() => tools.lookup(packet, "$["), { code: "bad_path" });
    assert.throws(() => tools.setValue(packet, "$.players.x", 1), { name: "GdvarError" });
});
