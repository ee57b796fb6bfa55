// Saves of the engines, in every container: read, unchanged byte for byte, changed, and read again.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { decode, encode, Float, frame, GdvarError } from "gdvar";
import { identify, SaveFile, unwrap, wrap } from "gdvar/saves";
import { Document, toJson } from "gdvar/tools";
import { data, engines, hex, unhex } from "./support.mjs";

function* saves() {
    for (const engine of Object.keys(engines)) {
        const folder = `${data}/saves/${engine}`;
        const rows = readFileSync(`${folder}/expected.ndjson`, "utf8").trim().split("\n").map((line) => JSON.parse(line));
        const packets = rows.filter((row) => row.bytes !== undefined).map((row) => unhex(row.bytes));
        const secrets = rows.find((row) => row.pass !== undefined);
        for (const file of readdirSync(folder).filter((name) => !name.endsWith(".ndjson")).sort()) {
            const options = file.startsWith("gdec_pass") ? { password: secrets.pass } : file.startsWith("gdec_key") ? { key: Buffer.from(secrets.key) } : {};
            yield { name: `${engine}/${file}`, bytes: new Uint8Array(readFileSync(`${folder}/${file}`)), options, packets };
        }
    }
}

test("every save of the engines is read, and comes back byte for byte", () => {
    let count = 0;
    for (const { name, bytes, options, packets } of saves()) {
        const save = new SaveFile(bytes, { ...options, objects: true });
        assert.equal(hex(save.bytes()), hex(bytes), name);
        assert.equal(save.changed, false);
        const found = Array.from({ length: save.count }, (_, i) => hex(save.packet(i)));
        assert.ok(found.length > 0 && found.every((packet) => packets.some((each) => hex(each) === packet) || save.count === 1), `${name}: ${save.stack}`);
        assert.equal(save.stack.endsWith(save.kind.name), true, save.stack);
        assert.deepEqual(save.findings().filter(({ layer }) => layer !== undefined).map((finding) => finding.name), save.layers, name);
        save.close();
        assert.throws(() => save.count, { code: "misplaced" });
        ++count;
    }
    assert.ok(count >= 25, `${count} saves`);
});

test("sums beside what was changed are told, and mended", () => {
    const json = new TextEncoder().encode('{"size": 20, "data": "twenty characters, 1"}');
    const save = new SaveFile(json);
    assert.deepEqual(save.staleSums(), []);
    save.set("$.data", "more than twenty characters");
    save.bytes();
    const [sum] = save.staleSums();
    const { path, of, was, now, mended } = sum;
    assert.deepEqual({ path, of, was, now, mended }, { path: "$.size", of: "the size of $.data", was: "20", now: "27", mended: false });
    assert.equal(sum.text, "$.size: 20 was the size of $.data, which is 27 now");
    const made = new TextDecoder().decode(save.bytes({ updateSums: true }));
    assert.equal(made, '{"size": 27, "data": "more than twenty characters"}');
    assert.equal(save.staleSums()[0].mended, true);
    save.close();
});

test("getters of a value may ask the save that takes it", () => {
    const save = new SaveFile(frame(encode({ a: 1 })));
    save.set("#0 $.a", { get count() { return save.count; } }, { type: true });
    save.replace(0, { get kind() { return save.kind.name; } });
    assert.equal(save.get("#0 $.kind"), "records");
    save.close();
});

test("several values are found, set and erased at once", () => {
    const records = [{ players: [{ hp: 1 }, { hp: 2.5 }] }, { players: [{ hp: 3 }] }, 7];
    const save = new SaveFile(new Uint8Array(records.flatMap((record) => [...frame(encode(record))])), { dictionaries: "object" });
    assert.deepEqual(save.findAll("$..hp"), [
        { path: "#0 $.players[0].hp", value: 1 },
        { path: "#0 $.players[1].hp", value: 2.5 },
        { path: "#1 $.players[0].hp", value: 3 },
    ]);
    assert.deepEqual(save.get("#* $.players[*].hp"), [1, 2.5, 3]);
    assert.deepEqual(save.findAll("#0 $.players[5:]"), []);
    assert.throws(() => save.findAll("$..mp"), { code: "missing_key" });
    assert.throws(() => save.setAll("$.players[*].hp", 9), { code: "missing_key" });
    assert.throws(
        () => save.setAll("#* $.players[*].hp", "x"),
        ({ code, refusal }) => code === "wrong_type" && refusal.at === "#0 $.players[0].hp" && refusal.needs === "type",
    );
    assert.equal(save.changed, false);
    assert.equal(save.setAll("#* $.players[*].hp", 9), 3);
    // A float stays one.
    assert.deepEqual(save.get("#* $.players[*].hp"), [9, new Float(9), 9]);
    assert.equal(save.setAll("#1 $.players[*].hp", "x", { type: true }), 1);
    assert.equal(save.eraseAll("#* $..hp"), 3);
    assert.deepEqual(save.value(0), { players: [{}, {}] });
    assert.throws(() => save.setAll("#0 $", 1, { create: true }), { code: "bad_option" });
    save.close();
});

test("changes are taken back and made again", () => {
    const packet = encode({ hp: 1, bag: [1, 2] });
    const save = new SaveFile(packet);
    assert.equal(save.undo(), false);
    save.keepChanges();
    const states = [save.bytes()];
    for (const change of [
        () => save.set("$.hp", 2),
        () => save.setAll("$.bag[*]", 7),
        () => save.rename("$.hp", "mp"),
        () => save.set("$.name", "x".repeat(100), { create: true }),
        () => save.erase("$.bag"),
        () => save.replace(0, { hp: 3 }),
    ]) {
        change();
        states.push(save.bytes());
        assert.deepEqual([save.changeCount, save.undoCount, save.redoCount], [states.length - 1, states.length - 1, 0]);
    }
    assert.throws(() => save.set("$.no", 1), { code: "missing_key" });
    for (let i = states.length - 1; i-- > 0; ) {
        assert.equal(save.undo(), true);
        assert.deepEqual(save.bytes(), states[i]);
    }
    assert.equal(save.undo(), false);
    assert.equal(save.changed, false);
    assert.deepEqual([save.get("$.hp"), save.get("$.bag[*]")], [1, [1, 2]]);
    for (const state of states.slice(1)) {
        assert.equal(save.redo(), true);
        assert.deepEqual(save.bytes(), state);
    }
    assert.equal(save.redo(), false);
    assert.equal(save.undo(), true);
    save.set("$.hp", 5, { create: true });
    assert.equal(save.redo(), false);
    save.close();
});

test("what is not there has a default", () => {
    const packet = encode({ hp: 1, bag: [1] });
    for (const held of [new SaveFile(packet), new Document(packet)]) {
        assert.equal(held.get("$.hp", { default: 5 }), 1);
        assert.equal(held.get("$.mp", { default: 5 }), 5);
        assert.equal(held.get("$.mp", { default: undefined }), undefined);
        assert.equal(held.get("$.bag[3]", { default: null }), null);
        assert.deepEqual(held.get("$.mp[*]", { default: [] }), []);
        assert.throws(() => held.get("$[", { default: 5 }), { code: "bad_path" });
        assert.throws(() => held.get("$.mp"), { code: "missing_key" });
        held.close();
    }
});

test("a text is refused for what is wrong in it", () => {
    const text = new TextEncoder().encode("[a]\nx=1\ny=oops(\n");
    for (const bytes of [text, wrap(text, ["gzip"])])
        for (const options of [{}, { as: "config" }])
            assert.throws(() => new SaveFile(bytes, options), { code: "unknown_constructor", line: 3, column: 3, message: /^3:3: / });
});

test("whether all of a save is sound", () => {
    const record = frame(encode(42));
    const bytes = (...parts) => new Uint8Array(parts.flatMap((part) => [...part]));
    new SaveFile(bytes(record, record)).check();
    const rows = [
        ["#1 $", bytes(record, frame(bytes(encode(42), [0, 0, 0, 0])), record)],
        [undefined, bytes(record, record, [1, 2, 3])],
    ];
    for (const [path, unsound] of rows) {
        const save = new SaveFile(unsound);
        assert.deepEqual(save.bytes(), unsound);
        assert.throws(() => save.check(), { code: "trailing_bytes", path });
        assert.throws(() => save.convert("godot-3.1"), { code: "trailing_bytes" });
        assert.throws(() => save.diff(save), { code: "trailing_bytes" });
        save.close();
    }
});

test("a size in front of a container is a layer", () => {
    const packet = encode({ hp: 100, name: "Ada" });
    for (const layer of ["size-u32", "unpacked-size-u32", "size-u64-be"]) {
        const bytes = wrap(packet, [layer, "zlib"]);
        const save = new SaveFile(bytes);
        assert.deepEqual(save.layers, [layer, "zlib"]);
        save.set("$.name", "A longer name");
        const again = new SaveFile(save.bytes());
        assert.deepEqual([again.layers, again.get("$.name")], [[layer, "zlib"], "A longer name"]);
    }
});

test("saves are changed, written, and read again", () => {
    for (const { name, bytes, options } of saves()) {
        const save = new SaveFile(bytes, { ...options, objects: true });
        if (save.kind.onlyRead) continue;
        const before = Array.from({ length: save.count }, (_, i) => hex(save.packet(i)));
        save.replace(save.count - 1, { hp: 7 });
        assert.equal(save.changed, true);
        const path = save.count === 1 ? "$.hp" : `#${save.count - 1} $.hp`;
        save.set(path, 8);
        const again = new SaveFile(save.bytes(), { ...options, objects: true });
        assert.equal(again.get(path), 8, name);
        assert.equal(again.stack, save.stack);
        assert.deepEqual(Array.from({ length: again.count - 1 }, (_, i) => hex(again.packet(i))), before.slice(0, -1));
        const patch = new SaveFile(bytes, { ...options, objects: true });
        patch.patch(patch.diff(again));
        assert.equal(hex(patch.packet(patch.count - 1)), hex(again.packet(again.count - 1)));
    }
});

test("a wrong password, damaged and foreign bytes are told", () => {
    for (const { bytes, options, name } of saves()) {
        if (options.password === undefined) continue;
        assert.throws(() => new SaveFile(bytes, { password: "wrong" }), { name: "GdvarError", code: "bad_checksum" }, name);
        assert.throws(() => new SaveFile(bytes), { code: "bad_key" });
        const save = new SaveFile(bytes, { keys: [{ name: "old", password: "wrong" }, { name: "mine", password: options.password }], objects: true });
        assert.equal(save.findings().find(({ openedWith }) => openedWith !== "").openedWith, "mine");
    }
    assert.throws(() => new SaveFile(new Uint8Array([1, 2, 3])), GdvarError);
    assert.equal(identify(Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1")).findings.at(-1).name, "foreign");
});

test("code is named by path", () => {
    const text = '[a]\nx=Object(GDScript,"script/source":"")\ny=Resource("user://b.tres")\nz=Object(InputEventKey,"device":0)\n';
    const save = new SaveFile(new TextEncoder().encode(text));
    const places = [
        { kind: "embedded_script", path: "$.a.x", what: "GDScript" },
        { kind: "outside_file", path: "$.a.y", what: "user://b.tres" },
    ];
    assert.deepEqual(save.code(), { places, total: 2 });
    assert.deepEqual(save.code({ most: 1 }), { places: places.slice(0, 1), total: 2 });
    save.close();
    assert.deepEqual(new SaveFile(new TextEncoder().encode('{"script": "res://a.gd"}')).code(), { places: [], total: 0 });
});

test("texts: one value changes, every other byte stays", () => {
    const config = new TextEncoder().encode("; mine\n[audio]\nvolume = 0.80 ; loud\nname=\"ä\"\n");
    const layers = ["base64", "gdec-4"];
    const save = new SaveFile(wrap(config, layers, { password: "p" }), { password: "p" });
    assert.equal(save.kind.name, "config");
    assert.deepEqual(save.layers, layers);
    assert.equal(save.get("$.audio.name"), "ä");
    save.set("$.audio.volume", 0.5);
    save.rename("$.audio.name", "title");
    const plain = new SaveFile(config);
    plain.patch(plain.diff(save));
    assert.equal(new TextDecoder().decode(plain.bytes()), "; mine\n[audio]\nvolume = 0.5 ; loud\ntitle=\"ä\"\n");
    assert.throws(() => save.get("$.audio.none"), { code: "missing_key" });
    const { bytes, losses } = new SaveFile(new TextEncoder().encode('[a]\nx=PoolIntArray( 1, 2 )\n')).convert("godot4");
    assert.equal(new TextDecoder().decode(bytes), "[a]\nx=PackedInt32Array(1, 2)\n");
    assert.deepEqual(losses, []);
});

test("every stack of the field is recognised, and read", () => {
    const rows = JSON.parse(readFileSync(`${data}/stacks/stacks.json`, "utf8"));
    const password = "correct horse";
    const key = Uint8Array.from({ length: 32 }, (_, i) => (i * 7) % 256);
    const keys = [{ name: "password", password }, { name: "key", key }];
    const wanted = new Map(rows.map((row) => [row.name, row]));
    let count = 0;
    for (const engine of ["godot-3.2.3", "godot-3.6.2", "godot-4.6.3"]) {
        for (const line of readFileSync(`${data}/stacks/${engine}.ndjson`, "utf8").trim().split("\n")) {
            const { name, bytes } = JSON.parse(line);
            const { stack, path, inside, as } = wanted.get(name);
            if (bytes === undefined) continue;
            const save = new SaveFile(unhex(bytes), { keys, objects: true, ...(inside && { inside: [inside] }), ...(as && { as }) });
            const words = stack.replaceAll("{dialect}", engines[engine]).replaceAll("{gdec}", engine.startsWith("godot-4") ? "gdec-4" : "gdec-3");
            assert.equal(save.stack, words, `${engine} ${name}`);
            assert.notEqual(save.get(path), undefined);
            ++count;
        }
    }
    assert.ok(count > 150, `${count}`);
});

test("many saves one after the other, forgotten ones too", () => {
    const packet = encode({ hp: 1 });
    for (let i = 0; i < 3000; ++i) {
        const save = new SaveFile(packet);
        assert.deepEqual(decode(save.bytes()).get("hp"), 1);
        if (i % 2) save.close();
    }
});

test("what has a few bytes goes into every layer that compresses", () => {
    for (const layer of ["gcpf-fastlz", "gcpf-deflate", "gcpf-zstd", "gcpf-gzip", "gzip", "zlib", "zstd"]) {
        for (let size = 1; size < 80; ++size) {
            const bytes = new Uint8Array(size).fill(7);
            assert.deepEqual(unwrap(wrap(bytes, [layer])), { bytes, layers: [layer] }, `${layer} ${size}`);
        }
    }
});

test("values of resources, whose scripts are references", () => {
    const text = '[gd_resource type="Resource" format=3]\n\n[ext_resource type="Script" path="res://hero.gd" id="1"]\n\n[resource]\nscript = ExtResource("1")\nhp = 7\n';
    const save = new SaveFile(new TextEncoder().encode(text));
    assert.equal(save.value().get("resource").properties.get("hp"), 7);
    assert.match(toJson(save.value()), /ExtResource/);
    assert.equal(save.document().get("$.resource.hp"), 7);
    save.set("$.resource.hp", 8);
    assert.ok(new TextDecoder().decode(save.bytes()).endsWith("hp = 8\n"));
});

test("the uid of a binary resource in all its digits", () => {
    const save = new SaveFile(new Uint8Array(readFileSync(`${data}/resources/godot-4.6.3/other.res`)));
    assert.equal(save.get("$.header.uid"), "uid://xrf6og40");
});

test("numbers and places that are none, and bytes in any view", () => {
    const packet = encode({ hp: 7 });
    const save = new SaveFile(packet.buffer);
    assert.equal(save.stack, "godot-4.4 packet");
    const other = new SaveFile(encode({ token: "hunter2" }));
    for (const [begin, end] of [[NaN, 1000], [-1000, 1000], [5, 2], [1e9, 2e9], [0, NaN], [-Infinity, Infinity]]) {
        const bytes = save.content(begin, end);
        assert.ok(bytes.length <= packet.length && !Buffer.from(bytes).includes("hunter2"), `${begin} ${end}`);
    }
    assert.deepEqual(Buffer.from(save.content()), Buffer.from(packet));
    for (const number of [2 ** 64, NaN, 0.5, Infinity]) {
        for (const work of [() => save.remove(number), () => save.insert(number, 1), () => save.replace(number, 1), () => save.place(number), () => save.place(0, number)]) {
            assert.throws(work, { code: "index_out_of_range" });
        }
    }
    for (const at of [NaN, 1.5, -1, 2 ** 60]) {
        for (const work of [() => save.valueAt(at), () => save.pathAt(at)]) assert.throws(work, { code: "index_out_of_range" });
    }
    for (const options of [{ maxBytes: -1 }, { maxBytes: NaN }, { maxText: "x" }, { skip: -1 }, { maxLayers: -2 }, { widePage: true }, { dialect: "godot3", widePage: true }]) {
        assert.throws(() => new SaveFile(packet, options), { code: "bad_option" }, JSON.stringify(options));
    }
    for (const number of [2 ** 32, -1]) assert.throws(() => save.place(number), { code: "index_out_of_range" });
    assert.equal(save.changed, false);
    other.close();
    save.close();
});

// A change takes as long as what it changes, not as long as the save.
test("20,000 changes of one save, in a packet and in a text", () => {
    const players = Array.from({ length: 6800 }, (_, i) => ({ name: `player ${i}`, hp: BigInt(i), bag: [1n, "sword"], pos: [1.5, 2.5] }));
    const packet = encode({ version: 3n, players });
    const text = new TextEncoder().encode(JSON.stringify({ players: players.map(({ name, pos }, i) => ({ name, hp: i, pos })) }));
    assert.ok(packet.length > 800_000);
    for (const bytes of [packet, text]) {
        const save = new SaveFile(bytes);
        const started = performance.now();
        for (let i = 0; i < 20_000; ++i) save.set(`$.players[${(i * 7) % 6800}].hp`, BigInt(i));
        const taken = performance.now() - started;
        // About 0.2 s; copying and reading the packet each time would take minutes.
        assert.ok(taken < 10_000, `${taken} ms`);
        const again = new SaveFile(save.bytes());
        assert.deepEqual([0, 1, 6799].map((i) => again.get(`$.players[${i}].hp`)), [0, 1, 6799].map((i) => save.get(`$.players[${i}].hp`)));
        assert.equal(save.get(`$.players[${(19_999 * 7) % 6800}].hp`), 19_999);
    }
});
