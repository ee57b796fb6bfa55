// Documents: every node of every recorded packet says what the decoded value says.
import assert from "node:assert/strict";
import test from "node:test";
import { Dictionary, encode, PackedStringArray, Vector2i, Vector3 } from "../dist/index.js";
import { Document, lookup, varToStr } from "../dist/tools.js";
import { SaveFile } from "../dist/saves.js";
import { hex, vectors } from "./support.mjs";

const sample = encode({ name: "Ada", players: [{ hp: 7, pos: new Vector3(1, 2, 3) }, null], 5: new Int32Array([1, 2, 3]) });

test("nodes, children, ranges and paths", () => {
    const document = new Document(sample);
    assert.equal(document.size, sample.length);
    assert.equal(document.type(0), "Dictionary");
    const children = [...document.children(0)];
    assert.equal(children.length, 6);
    // Integer keys come first in JavaScript's objects.
    assert.deepEqual(children.map((node) => document.type(node)), ["String", "PackedInt32Array", "String", "String", "String", "Array"]);
    const players = children[5];
    assert.equal(document.path(players), "$.players");
    assert.equal(document.length(players), 2);
    assert.equal(document.next(0), document.count);
    assert.deepEqual([...document.numbers(children[1])], [1, 2, 3]);
    assert.deepEqual([...document.numbers(children[1], 2)], [1, 2]);
    const [first] = document.children(players);
    const pos = document.children(first)[3];
    assert.equal(document.path(pos), "$.players[0].pos");
    assert.equal(document.print(pos), "Vector3(1, 2, 3)");
    for (const form of ["xml", "toString"]) assert.throws(() => document.print(pos, form), { code: "misplaced" });
    assert.equal(document.text(document.children(first)[2]), "pos");
    const [begin, end] = document.range(pos);
    for (let offset = begin; offset < end; ++offset) assert.equal(document.at(offset).at(-1), pos);
    assert.deepEqual(document.at(begin), [0, players, first, pos]);
    assert.deepEqual(document.at(document.size), []);
    document.close();
    assert.throws(() => document.type(0), { name: "GdvarError", code: "misplaced" });
});

test("lookup gives nodes", () => {
    const document = new Document(sample);
    const [place] = document.lookup("$..pos");
    assert.equal(place.path, "$.players[0].pos");
    assert.deepEqual(document.packet(place.node), lookup(sample, "$..pos")[0].packet);
    assert.equal(document.lookup("$..pos.x")[0].node, undefined);
    assert.throws(() => document.lookup("$.nobody"), { code: "missing_key" });
});

test("what is no node is refused: nothing else of the module's memory is seen", () => {
    const secret = new SaveFile(encode({ token: "hunter2" }));
    const document = new Document(encode({ pos: new Vector3(1, 2, 3), list: [1, "x"] }));
    const part = document.lookup("$.pos.x")[0].node;
    assert.equal(part, undefined);
    const methods = ["value", "print", "path", "packet", "range", "type", "next", "children", "text", "texts", "numbers", "types", "length", "isProperty", "isContainer"];
    for (const node of [part, null, NaN, -1, 0.5, "0", document.count, 2 ** 32, Infinity]) {
        for (const method of methods) assert.throws(() => document[method](node), { code: "index_out_of_range" }, `${method}(${node})`);
        assert.throws(() => [...document.pairs(node)], { code: "index_out_of_range" });
    }
    for (const [begin, end] of [[-100, 10], [NaN, 5], [1e9, 2e9], [document.size - 1, Infinity]]) {
        assert.ok(document.bytes(begin, end).length <= document.size);
        assert.ok(!Buffer.from(document.bytes(begin, end)).includes("hunter2"));
    }
    assert.equal(document.bytes(-100, 4).length, 4);
    secret.close();
});

test("values by path, and pairs", () => {
    const document = new Document(sample);
    assert.equal(document.get("$.players[0].hp"), 7);
    assert.equal(document.get("$.players[0].pos.x").valueOf(), 1);
    assert.deepEqual(document.get("$.players[*]", { plain: true }), [{ hp: 7, pos: [1, 2, 3] }, null]);
    assert.deepEqual(document.get("$..hp"), [7]);
    assert.throws(() => document.get("$.nam"), (error) => error.code === "missing_key" && error.refusal.what === "no .nam (did you mean .name?)");
    assert.throws(() => document.lookup("$.nam"), (error) => error.refusal.at === "$");
    assert.throws(() => document.get("$["), { code: "bad_path" });
    const keys = [...document.pairs(0)].map(([key, value]) => [document.value(key), document.path(value)]);
    assert.deepEqual(keys, [["5", "$[\"5\"]"], ["name", "$.name"], ["players", "$.players"]]);
    assert.deepEqual([...document.pairs(keys.length * 2 - 1)], []);
});

test("all packets of the engines: children cover their containers, each byte leads to its node", () => {
    let nodes = 0;
    for (const { name, dialect, packet, objects } of vectors()) {
        const document = new Document(packet, { dialect, objects });
        const walk = (node) => {
            ++nodes;
            const [begin, end] = document.range(node);
            assert.ok(begin < end && end <= document.size, name);
            if (!document.isProperty(node)) {
                const value = document.value(node, { objects: true });
                assert.equal(varToStr(value, { dialect }), document.print(node), name);
            }
            assert.equal(document.at(begin).at(-1), node, `${name} ${node}`);
            assert.equal(document.at(end - 1).includes(node), true, name);
            let at = node + 1;
            for (const child of document.children(node)) {
                assert.equal(child, at, name);
                const range = document.range(child);
                assert.ok(range[0] >= begin && range[1] <= end, name);
                walk(child);
                at = document.next(child);
            }
            if (document.isContainer(node)) assert.equal(at, document.next(node), name);
        };
        walk(0);
        assert.equal(hex(document.packet(0)), hex(packet.subarray(0, document.size)), name);
        document.close();
    }
    assert.ok(nodes > 1500, `${nodes}`);
});

test("a document of a save lies over its bytes, and is stale after a change", () => {
    const save = new SaveFile(sample);
    const document = save.document();
    assert.equal(document.print(document.lookup("$.name")[0].node), '"Ada"');
    assert.throws(() => save.set("$.name", 5), { code: "wrong_type" });
    assert.equal(document.print(document.lookup("$.name")[0].node), '"Ada"');
    save.set("$.name", "Eve");
    assert.throws(() => document.type(0), { code: "misplaced" });
    assert.equal(save.document().print(save.document().lookup("$.name")[0].node), '"Eve"');
});

test("find: texts, keys, numbers and math values", () => {
    const packet = encode(new Dictionary([
        ["Name", "Ada Lovelace"], ["ünï", "ÄRGER"], [new Vector2i(3, 4), "cell"], ["list", [7.5, 12, new Vector3(1, 2, 3), null]],
        ["words", PackedStringArray.holding(["alpha", "beta"])], ["inner", { "nothing here": { lovely: 1 } }],
    ]));
    const document = new Document(packet);
    const paths = (text) => [...document.find(text)].filter((node) => node !== undefined).map((node) => document.path(node));
    assert.deepEqual(paths("LOVE"), ["$.Name", '$.inner["nothing here"].lovely']);
    assert.deepEqual(paths("name"), ["$.Name"]);
    assert.deepEqual(paths("ärg"), ['$["ünï"]']);
    assert.deepEqual(paths("Ünï"), ['$["ünï"]']);
    assert.deepEqual(paths("7.5"), ["$.list[0]"]);
    assert.deepEqual(paths("12"), ["$.list[1]"]);
    assert.deepEqual(paths("vector3(1"), ["$.list[2]"]);
    assert.deepEqual(paths("3, 4"), ["$[Vector2i(3, 4)]"]);
    assert.deepEqual(paths("bet"), ["$.words"]);
    assert.deepEqual(paths("null"), ["$.list[3]"]);
    assert.deepEqual(paths("nobody"), []);
});

test("what stands as bytes is found only where they are", () => {
    for (const text of ["player_1", "Sword", "two words", "vec3x", "gamma9"]) assert.equal(Document.standsAsBytes(text), true, text);
    for (const text of ["12", "7.5", "inf", "e", "true", "nul", "vec", "vector3(1", "Node", "a/b", "é", "", "-"]) assert.equal(Document.standsAsBytes(text), false, text);
    let found = 0;
    for (const { name, dialect, packet, objects } of vectors()) {
        const document = new Document(packet, { dialect, objects });
        const all = Buffer.from(packet).toString("latin1").toLowerCase();
        for (const text of ["ob", "x", "am", "abc", "hello", "key", "pa", "so"]) {
            if (!Document.standsAsBytes(text) || [...document.find(text)].every((node) => node === undefined)) continue;
            ++found;
            assert.ok(all.includes(text), `${name} ${text}`);
        }
        document.close();
    }
    assert.ok(found > 20, String(found));
});

test("find agrees with a walk over all values", () => {
    for (const { name, dialect, packet, objects } of vectors()) {
        const document = new Document(packet, { dialect, objects });
        for (const wanted of ["a", "1", "e", "vec", "-", "é"]) {
            const walked = [];
            const holds = (node) => {
                if (document.isProperty(node)) return document.text(node).toLowerCase().includes(wanted);
                const type = document.type(node);
                if (type === "String" || type === "StringName" || type === "Object" || type === "Signal") return document.text(node).toLowerCase().includes(wanted);
                if (type === "PackedStringArray") return document.texts(node).some((text) => text.toLowerCase().includes(wanted));
                if (document.isContainer(node) || type.startsWith("Packed") || type === "RID" || type === "Callable" || type === "Image" || type === "InputEvent") return false;
                return document.print(node).toLowerCase().includes(wanted);
            };
            const walk = (node, isNamed) => {
                if (isNamed || holds(node)) walked.push(node);
                const children = document.children(node);
                const keyed = document.type(node) === "Dictionary" || document.type(node) === "Object";
                for (let i = 0; i < children.length; ++i) {
                    if (!keyed) walk(children[i], false);
                    else if (i % 2 === 1) walk(children[i], holds(children[i - 1]));
                    else if (document.isContainer(children[i])) walk(children[i], false);
                }
            };
            walk(0, false);
            const found = [...document.find(wanted)].filter((node) => node !== undefined);
            assert.deepEqual(found, walked.sort((a, b) => a - b), `${name} ${wanted}`);
        }
        document.close();
    }
});
