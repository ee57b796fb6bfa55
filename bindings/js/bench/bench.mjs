// One table: gdvar on its lossless default, and what else reads and writes such data, in one run and in turn, after each
// answer was checked.
//
// Usage: node bench.mjs GDVAR WORKLOADS
//   GDVAR      the native command, which makes JSON and Godot 3's bytes of the workloads
//   WORKLOADS  tests/data/workloads/g4
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as cbor from "cbor-x";
import * as msgpackr from "msgpackr";
import { decode, encode, validate } from "gdvar";

const require = createRequire(import.meta.url);
const { GdBuffer } = require("gd-com");
const utils = require("@gd-com/utils");

const [command, folder] = process.argv.slice(2);
const native = (...words) => ({
    of: (input) => execFileSync(command, words, { input, maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "ignore"] }),
});

const milliseconds = Number(process.env.GDVAR_BENCH_MS ?? 60);
const rounds = Number(process.env.GDVAR_BENCH_ROUNDS ?? 7);

/** The median of rounds of each of `works`, in microseconds a call; all in turn, so that what the machine does meets all. */
function measure(works) {
    const names = Object.keys(works).filter((name) => works[name] !== undefined);
    const times = new Map(names.map((name) => [name, []]));
    for (const name of names) for (const end = performance.now() + milliseconds; performance.now() < end; ) works[name]();
    for (let round = 0; round < rounds; ++round) {
        for (const name of names) {
            const work = works[name];
            let calls = 0;
            const start = performance.now();
            let now = start;
            for (; now - start < milliseconds; now = performance.now()) {
                work();
                ++calls;
            }
            times.get(name).push(((now - start) * 1000) / calls);
        }
    }
    return new Map(names.map((name) => [name, times.get(name).sort((a, b) => a - b)[rounds >> 1]]));
}
function print(title, measured, base) {
    const columns = [...measured].map(([name, time]) => `${name} ${time.toFixed(1)} µs (${(time / measured.get(base)).toFixed(2)})`);
    console.log(`${title.padEnd(22)} ${columns.join(", ")}`);
}

/** Whether a value of another program says the same: it may have Vector3 as {x, y, z}, and floats of 32 bits. */
function same(ours, theirs) {
    if (typeof ours === "number" || typeof ours === "bigint") {
        const number = Number(theirs);
        return Number(ours) === number || Math.fround(Number(ours)) === Math.fround(number);
    }
    if (ours === null || typeof ours !== "object") return ours === theirs;
    if (typeof theirs !== "object" || theirs === null) return false;
    const list = (value) => (value instanceof Map ? [...value] : Object.entries(value));
    const [mine, others] = [list(ours), list(theirs)];
    if (mine.length !== others.length) return false;
    if (Array.isArray(ours)) return mine.every(([, value], i) => same(value, others[i][1]));
    const found = new Map(others.map(([key, value]) => [String(key), value]));
    return mine.every(([key, value]) => found.has(String(key)) && same(value, found.get(String(key))));
}
/** A reader, if it reads that: else undefined, and a line that says why not. */
function checked(name, read, wanted) {
    try {
        if (same(wanted, read())) return read;
        console.log(`  ${name}: reads it wrongly`);
    } catch (error) {
        console.log(`  ${name}: does not read it: ${String(error.message ?? error).slice(0, 80)}`);
    }
    return undefined;
}

for (const name of ["mmo_tick", "settings", "savegame", "chat"]) {
    const packet = new Uint8Array(readFileSync(join(folder, `${name}.bin`)));
    const value = decode(packet);
    assert.equal(Buffer.compare(encode(value), packet), 0);
    const plain = JSON.parse(native("json", "--plain", "--as", "packet", "-").of(packet));
    const json = JSON.stringify(plain);
    const asMsgpack = msgpackr.pack(plain);
    const asCbor = cbor.encode(plain);
    const godot3 = native("convert", "--as", "packet", "--from", "godot4", "--to", "godot3", "-o", "-", "-").of(packet);
    console.log(`${name}: ${packet.length} bytes, ${json.length} of JSON`);
    print("  decode", measure({
        "gdvar": () => decode(packet),
        "JSON.parse": () => JSON.parse(json),
        "msgpackr": checked("msgpackr", () => msgpackr.unpack(asMsgpack), plain),
        "cbor-x": checked("cbor-x", () => cbor.decode(asCbor), plain),
        "gd-com": checked("gd-com", () => new GdBuffer(Buffer.from(godot3)).getVar(), plain),
        "@gd-com/utils": checked("@gd-com/utils", () => utils.getVar(Buffer.from(packet)).value, plain),
        "gdvar, Map": () => decode(packet, { dictionaries: "Map" }),
        "gdvar, plain": () => decode(packet, { plain: true }),
        "gdvar, validate": () => validate(packet),
    }), "JSON.parse");
    print("  encode", measure({
        "gdvar": () => encode(value),
        "JSON.stringify": () => JSON.stringify(plain),
        "msgpackr": () => msgpackr.pack(plain),
        "cbor-x": () => cbor.encode(plain),
    }), "JSON.stringify");
}

for (const name of ["float_array", "mesh", "tilemap"]) {
    const packet = new Uint8Array(readFileSync(join(folder, `${name}.bin`)));
    const value = decode(packet);
    assert.equal(Buffer.compare(encode(value), packet), 0);
    console.log(`${name}: ${packet.length} bytes`);
    print("  ", measure({
        "decode": () => decode(packet),
        "encode": () => encode(value),
        "copy": () => packet.slice(),
    }), "copy");
}

/** The packets of a stream, each by itself. */
function packetsOf(stream) {
    const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
    const packets = [];
    for (let at = 0; at < stream.length; at += 4 + view.getUint32(at, true)) packets.push(stream.slice(at + 4, at + 4 + view.getUint32(at, true)));
    return packets;
}
{
    const stream = new Uint8Array(readFileSync(join(folder, "small_packets.frames")));
    const packets = packetsOf(stream);
    const values = packets.map((packet) => decode(packet));
    packets.forEach((packet, i) => assert.equal(Buffer.compare(encode(values[i]), packet), 0));
    const plain = packets.map((packet) => decode(packet, { plain: true }));
    const godot3 = native("convert", "--as", "records", "--from", "godot4", "--to", "godot3", "-o", "-", "-").of(stream);
    const [three, four] = [packetsOf(new Uint8Array(godot3)), packets].map((all) => all.map((packet) => Buffer.from(packet)));
    console.log(`small packets: ${packets.length}`);
    const measured = measure({
        "gdvar, decode": () => packets.forEach((packet) => decode(packet)),
        "gdvar, encode": () => values.forEach((value) => encode(value)),
        "gd-com": checked("gd-com", () => three.map((packet) => new GdBuffer(packet).getVar()), plain),
        "@gd-com/utils": checked("@gd-com/utils", () => four.map((packet) => utils.getVar(packet).value), plain),
    });
    for (const [name, time] of measured) {
        const ratio = (time / measured.get("gdvar, decode")).toFixed(2);
        console.log(`  ${name.padEnd(16)} ${(packets.length / time).toFixed(3)} million a second (${ratio} of gdvar's time to decode)`);
    }
}
