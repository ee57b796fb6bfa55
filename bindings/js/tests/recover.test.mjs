// Damaged saves, archives, layers, and why paths and changes are refused.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { decode, encode, frame, GdvarError, Vector2 } from "gdvar";
import { identify, layerNames, makeDocument, readEntries, recover, SaveFile, saveKinds, unwrap, wrap } from "gdvar/saves";
import { lookup } from "gdvar/tools";
import { data, engines, hex } from "./support.mjs";

const utf8 = (text) => new TextEncoder().encode(text);
const said = (bytes) => new TextDecoder().decode(bytes);
const records = makeDocument("records", [{ value: { hp: 1, bag: ["rope"] } }, { packet: encode({ hp: 2, bag: [3, 4] }) }]);

test("a cut save: what is whole, what is kept up to a break, and a sound save of it", () => {
    const found = recover(records.slice(0, -4));
    assert.equal(found.sound, false);
    assert.equal(found.stack, "godot-4.4 records");
    assert.equal(found.dialect, "godot-4.4");
    assert.equal(found.kind.name, "records");
    assert.deepEqual(found.items.map(({ offset, state, breakAt }) => [offset, state, breakAt]), [[4, "whole", undefined], [68, "partial", "$.bag[1]"]]);
    assert.equal(hex(found.content()), hex(records.slice(0, -4)));
    assert.equal(hex(found.content(4, 12)), hex(records.slice(4, 12)));
    // Inside of a layer that is cut, it is what the layer still gives.
    const zipped = recover(wrap(records, ["gzip"]).slice(0, -6));
    assert.equal(hex(zipped.content()), hex(records.slice(0, zipped.contentSize)));
    assert.ok(zipped.contentSize > 60);
    const { error } = found.items[1];
    assert.ok(error instanceof GdvarError);
    assert.deepEqual([error.code, error.need, error.type, error.path], ["truncated", 4, "int", "$.bag[1]"]);
    assert.match(error.message, /need 4 more bytes for an int/);
    const save = new SaveFile(found.write(), { plain: true });
    assert.deepEqual([save.value(0), save.value(1)], [{ hp: 1, bag: ["rope"] }, { hp: 2, bag: [3] }]);
    assert.equal(recover(records.slice(0, -4), { noPartial: true }).items.length, 1);
    assert.deepEqual(new SaveFile(found.write({ layers: ["gzip"] })).layers, ["gzip"]);
    assert.deepEqual(new SaveFile(found.write({ layers: ["gdec-4"], password: "p" }), { password: "p" }).count, 2);
    found.close();
    found.close();
    assert.throws(() => found.write(), { code: "misplaced" });
});

test("every prefix of a save gives the records that are whole in it", () => {
    const packets = Array.from({ length: 12 }, (_, i) => encode({ name: `player ${i}`, at: new Vector2(i, 0.5), bag: [i, "rope"] }));
    const whole = Buffer.concat(packets.map((packet) => frame(packet)));
    let end = 0;
    const ends = packets.map((packet) => (end += packet.length + 4));
    for (let size = 1; size <= whole.length; ++size) {
        let found;
        try {
            found = recover(whole.subarray(0, size));
        } catch (error) {
            assert.ok(error.code === "not_recognised" && size < ends[0], `${size}: ${error.stack}`);
            continue;
        }
        const complete = ends.filter((each) => each <= size).length;
        const items = found.items.filter(({ state }) => state === "whole").map(({ packet }) => hex(packet));
        if (size >= ends[0]) assert.deepEqual(items.slice(0, complete), packets.slice(0, complete).map(hex), `${size}`);
        if (size === whole.length) assert.equal(found.sound, true);
        found.close();
    }
});

test("a damaged save in a value is opened by name, and what is the whole save can stay closed", () => {
    const text = '{"hp": 1, "bag": [1, 2, 3]}';
    const outer = makeDocument("records", [{ value: { data: text, other: 1 } }]).slice(0, -12);
    assert.deepEqual(recover(outer).layers, []);
    assert.deepEqual(recover(outer, { inside: ["$.data"] }).layers, ["string"]);
    const alone = encode(text);
    assert.deepEqual(recover(alone).layers, ["string"]);
    assert.deepEqual(recover(alone, { noInside: true }).layers, []);
    assert.throws(() => recover(wrap(utf8(text), ["gzip"]), { maxText: 4, as: "json" }), { code: "size_limit" });
});

test("what is lost, with reasons, lines and paths", () => {
    const text = '[audio]\nvolume=0.5\ndevice="HDMI\n[video]\nfullscreen=true\nsize={"x": 640, "y": [48';
    const found = recover(utf8(text));
    assert.deepEqual(found.lost.map(({ at, line, reason }) => [at, line, reason]), [
        ["$.audio.device", 3, "the string has no end"],
        ["$.video.size.y[0]", 6, "expected ',' or ']'"],
    ]);
    assert.deepEqual(found.lost.map(({ begin, end, layer }) => [end - begin, layer]), [[13, undefined], [2, undefined]]);
    assert.equal(said(found.write()), '[audio]\nvolume=0.5\n[video]\nfullscreen=true\nsize={"x": 640, "y": []}\n');
    const damaged = wrap(records, ["gzip"]).slice();
    damaged[damaged.length - 6] ^= 1;
    const wrong = recover(damaged);
    assert.equal(wrong.sound, false);
    assert.deepEqual(wrong.layers, ["gzip"]);
    assert.ok(wrong.lost.length > 0 && wrong.lost.every(({ layer, reason, code }) => layer === 0 && reason !== "" && code !== ""), JSON.stringify(wrong.lost));
    assert.throws(() => recover(utf8("nothing of the kind")), { code: "not_recognised" });
});

test("every save of the engines is sound, and damaged ones give a save that opens", () => {
    let opened = 0;
    for (const engine of Object.keys(engines)) {
        const folder = `${data}/saves/${engine}`;
        for (const file of readdirSync(folder).filter((name) => !name.endsWith(".ndjson") && !/gdec/.test(name))) {
            const bytes = new Uint8Array(readFileSync(`${folder}/${file}`));
            const sound = recover(bytes);
            assert.equal(sound.sound, true, `${engine}/${file}`);
            assert.deepEqual(sound.lost, []);
            const half = bytes.slice(0, bytes.length - 9);
            let found;
            try {
                found = recover(half);
            } catch (error) {
                assert.ok(error instanceof GdvarError, error.stack);
                continue;
            }
            assert.ok(!found.sound || found.lost.length + found.notes.length === 0, file);
            const options = { objects: true, dialect: found.dialect, as: found.kind.name };
            assert.equal(new SaveFile(found.write(), options).count, found.kind.several ? found.items.length : 1, `${engine}/${file}`);
            ++opened;
        }
    }
    assert.ok(opened > 20, `${opened}`);
});

test("files that a game has left in a browser", () => {
    const name = "/userfs/godot/app_userdata/Game/a.save";
    const exported = utf8(JSON.stringify({ [name]: { timestamp: "2024", mode: 33206, contents: { 0: 123, 1: 125 } } }));
    const { description, entries } = readEntries(exported);
    assert.equal(description, "1 file that a game has left in a browser");
    assert.deepEqual(entries, [{ name, size: 2, offset: undefined, md5: undefined, encrypted: false, opens: true, hostileName: false, notes: ["an object of numbers"] }]);
    const save = new SaveFile(exported, { entries: ["#0"] });
    assert.equal(save.onlyRead, true);
    assert.throws(() => readEntries(records), { code: "not_recognised" });
});

const md5 = (bytes) => createHash("md5").update(bytes).digest();
/** A pack as Godot 4.3 writes it, with one file. */
function pack(name, content) {
    const path = utf8(name);
    const padded = Math.ceil(path.length / 4) * 4;
    const head = Buffer.alloc(4 + 16 + 4 + 8 + 64 + 4 + 4 + padded + 8 + 8 + 16 + 4);
    let at = head.write("GDPC", 0, "latin1");
    for (const word of [2, 4, 3, 0, 0]) at = head.writeUInt32LE(word, at);
    at = head.writeBigUInt64LE(0n, at) + 64;
    at = head.writeUInt32LE(1, at);
    at = head.writeUInt32LE(padded, at);
    head.set(path, at);
    at = head.writeBigUInt64LE(BigInt(head.length), at + padded);
    at = head.writeBigUInt64LE(BigInt(content.length), at);
    head.set(md5(content), at);
    return Buffer.concat([head, content]);
}
test("the files of a pack", () => {
    const bytes = pack("res://../data.save", records);
    const { description, entries } = readEntries(bytes);
    assert.match(description, /^format 2 of Godot 4\.3/);
    assert.equal(entries.length, 1);
    const place = { size: records.length, offset: bytes.length - records.length, md5: new Uint8Array(md5(records)) };
    const state = { encrypted: false, opens: true, hostileName: true, notes: entries[0].notes };
    assert.deepEqual(entries[0], { name: "res://../data.save", ...place, ...state });
    assert.equal(new SaveFile(bytes, { entries: ["#0"] }).get("#0 $.hp"), 1);
});

test("the files of packs that engines have made", () => {
    for (const engine of ["godot-4.6.3", "godot-3.6.2", "godot-3.2.3"]) {
        const bytes = new Uint8Array(readFileSync(`${data}/resources/${engine}/pack.pck`));
        const { entries } = readEntries(bytes);
        assert.ok(entries.length > 1, engine);
        // A pack may also say that a file of an older one is removed. PCKPacker of Godot 3 writes no MD5.
        const known = entries.filter((each) => each.opens && each.md5);
        assert.ok(known.length > 1 || engine !== "godot-4.6.3");
        for (const { offset, size, md5: sum } of known) {
            assert.equal(hex(md5(bytes.subarray(offset, offset + size))), hex(sum));
        }
    }
    const folder = `${data}/resources/godot-4.6.3`;
    assert.throws(() => readEntries(new Uint8Array(readFileSync(`${folder}/encrypted_directory.pck`))), { code: "bad_key" });
    assert.ok(readEntries(new Uint8Array(readFileSync(`${folder}/encrypted_files.pck`))).entries.some(({ encrypted }) => encrypted));
});

test("layers on and off again", () => {
    for (const layers of [[], ["gzip"], ["base64", "gdec-4"], ["gcpf-zstd"], ["gdec-3", "gcpf-fastlz"]]) {
        const outer = wrap(records, layers, { password: "p" });
        const { bytes, layers: found } = unwrap(outer, { password: "p" });
        assert.equal(hex(bytes), hex(records));
        assert.deepEqual(found, layers);
    }
    assert.throws(() => unwrap(wrap(records, ["gdec-4"], { password: "p" })), { code: "bad_key" });
    assert.deepEqual(unwrap(records).layers, []);
    assert.ok(["gcpf", "gdec-3", "gzip", "base64"].every((name) => layerNames().includes(name)), layerNames().join());
    assert.deepEqual(saveKinds().filter(({ named }) => named).map(({ name }) => name), ["project"]);
});

test("bytes that can't be opened are identified up to where they can't", () => {
    const { findings, error } = identify(wrap(wrap(records, ["gdec-4"], { password: "p" }), ["base64"]));
    assert.equal(error.code, "bad_key");
    assert.deepEqual(findings.map(({ name }) => name), ["base64", "gdec"]);
    assert.equal(identify(records).error, undefined);
});

test("new documents", () => {
    assert.equal(said(makeDocument("json-lines", [{ value: { hp: 7 } }, { value: [1, 2] }])), '{"hp":7}\n[1,2]\n');
    const settings = makeDocument("project", [{ name: "application/config/name", value: "Game" }, { name: "a/b", value: 2 }]);
    const save = new SaveFile(settings);
    assert.deepEqual([save.kind.name, save.name(1), save.get("a/b")], ["project", "a/b", 2]);
    assert.equal(new SaveFile(makeDocument("records", [{ value: new Vector2(1, 2) }], "godot3"), { dialect: "godot3" }).dialect, "godot-3.1");
    assert.throws(() => makeDocument("nonsense", []), { code: "bad_mode" });
    assert.throws(() => makeDocument("packet", [{ value: 1 }, { value: 2 }]), { code: "trailing_bytes" });
});

test("a save is converted into other layers", () => {
    const save = new SaveFile(wrap(records, ["gdec-4"], { password: "p" }), { password: "p" });
    assert.deepEqual(new SaveFile(save.convert("godot3").bytes, { password: "p" }).layers, ["gdec-3"]);
    assert.deepEqual(new SaveFile(save.convert("godot3", { layers: ["gzip"] }).bytes).layers, ["gzip"]);
    assert.deepEqual(new SaveFile(save.convert("godot3", { layers: [] }).bytes).layers, []);
    assert.throws(() => save.convert("godot3", { layers: ["nonsense"] }), { code: "bad_mode" });
});

const refusal = (work) => {
    try {
        work();
    } catch (error) {
        assert.ok(error instanceof GdvarError, error.stack);
        return [error.code, error.refusal?.at, error.refusal?.what, error.refusal?.needs];
    }
    assert.fail("nothing was refused");
};
test("what is refused is explained", () => {
    const save = new SaveFile(makeDocument("packet", [{ value: { hp: 7, bag: [1], name: "Ada" } }]));
    assert.deepEqual(refusal(() => save.get("$.hpp")), ["missing_key", "$", "no .hpp (did you mean .hp?)", "another path"]);
    assert.deepEqual(refusal(() => save.set("$.mp", 7)).slice(0, 2), ["missing_key", "$"]);
    assert.equal(refusal(() => save.set("$.mp", 7))[3], "create");
    assert.equal(refusal(() => save.set("$.hp", "seven"))[3], "type");
    assert.equal(refusal(() => save.set("$.bag[1]", 7))[3], "append");
    assert.equal(refusal(() => save.erase("$.bag[7]"))[0], "index_out_of_range");
    assert.deepEqual(refusal(() => lookup(encode({ hp: 7 }), "$.hpp")), ["missing_key", "$", "no .hpp (did you mean .hp?)", "another path"]);
    save.set("$.mp", 7, { create: true });
    save.set("$.hp", "seven", { type: true });
    assert.deepEqual(decode(save.packet(), { plain: true }), { hp: "seven", bag: [1], name: "Ada", mp: 7 });
});

test("all that a document may be", () => {
    const bytes = utf8("[1, 2]");
    const others = (options) => new SaveFile(bytes, options).findings().at(-1);
    const few = others({});
    const all = others({ allReadings: true });
    assert.equal(few.name, all.name);
    assert.ok(all.others.length + all.ruledOut.length > few.others.length + few.ruledOut.length, JSON.stringify([few, all]));
});

test("what was encrypted is written with the password or key that it was recovered with", () => {
    const [password, key] = ["correct horse 1", new Uint8Array(32).fill(7)];
    const hexKey = Buffer.from(key).toString("hex");
    const value = { name: "Ada", list: Array.from({ length: 200 }, (_, i) => ({ i })) };
    for (const secret of [{ password }, { key }, { keys: [{ name: "k", key: hexKey }] }, { keys: [{ name: "p", password }] }]) {
        const locked = wrap(encode(value), ["gdec-4"], secret.keys === undefined ? secret : secret.keys[0].key === undefined ? { password } : { key });
        const recovery = recover(locked.subarray(0, locked.length >> 1), secret);
        const made = new SaveFile(recovery.write(), secret);
        assert.equal(made.stack, "gdec-4 > godot-4.4 packet");
        assert.equal(made.get("$.list[0].i"), 0);
        for (const each of [made, recovery]) each.close();
    }
    const recovery = recover(wrap(encode(value), ["gdec-4"], { password }), { password });
    assert.equal(new SaveFile(recovery.write({ password: "another" }), { password: "another" }).get("$.name"), "Ada");
});
