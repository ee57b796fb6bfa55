// Every function refuses an option that it does not know: a limit that is misspelled would be no limit.
import assert from "node:assert/strict";
import dgram from "node:dgram";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import * as gdvar from "gdvar";
import * as node from "gdvar/node";
import * as saves from "gdvar/saves";
import * as tools from "gdvar/tools";

const { decode, Dictionary, encode, NETWORK } = gdvar;
const packet = encode({ a: 1 });
const save = gdvar.frame(packet);
const all = async (records) => {
    for await (const record of records) void record;
};
/** A socket that is open, and does nothing. */
const socket = { binaryType: "", readyState: 1, bufferedAmount: 0, send() {}, close() {}, addEventListener() {} };
const opened = () => new saves.SaveFile(save);

/** Each function with options, called with these; a second name is that of the module. */
const calls = {
    decode: (o) => decode(packet, o),
    bytesToVar: (o) => gdvar.bytesToVar(packet, o),
    decodeSome: (o) => gdvar.decodeSome(packet, o),
    encode: (o) => encode(1, o),
    varToBytes: (o) => gdvar.varToBytes(1, o),
    validate: (o) => gdvar.validate(packet, o),
    frame: (o) => gdvar.frame(packet, o),
    StreamFramer: (o) => new gdvar.StreamFramer(o),
    records: (o) => all(gdvar.records(save, o)),
    varToStr: (o) => tools.varToStr(1, o),
    strToVar: (o) => tools.strToVar("1", o),
    toTextFull: (o) => tools.toTextFull(1, o),
    fromTextFull: (o) => tools.fromTextFull("1", o),
    toJson: (o) => tools.toJson(1, o),
    fromJson: (o) => tools.fromJson("1", o),
    toPlainJson: (o) => tools.toPlainJson(1, o),
    fromPlainJson: (o) => tools.fromPlainJson("1", o),
    annotate: (o) => tools.annotate(packet, o),
    check: (o) => tools.check(packet, o),
    convert: (o) => [tools.convert(packet, o, {}), tools.convert(packet, {}, o)],
    "convert to": (o) => tools.convert(packet, {}, o),
    lookup: (o) => tools.lookup(packet, "$", o),
    setValue: (o) => tools.setValue(packet, "$.a", 2, o),
    eraseValue: (o) => tools.eraseValue(packet, "$.a", o),
    diff: (o) => tools.diff(packet, packet, o),
    patch: (o) => tools.patch(packet, tools.diff(packet, packet), o),
    Document: (o) => new tools.Document(packet, o),
    "Document value": (o) => new tools.Document(packet).value(0, o),
    "Document get": (o) => new tools.Document(packet).get("$", o),
    wrap: (o) => tools.wrap(packet, ["gzip"], o),
    unwrap: (o) => tools.unwrap(packet, o),
    "wrap saves": (o) => saves.wrap(packet, ["gzip"], o),
    "unwrap saves": (o) => saves.unwrap(packet, o),
    SaveFile: (o) => new saves.SaveFile(save, o),
    "SaveFile set": (o) => opened().set("#0 $.a", 2, o),
    "SaveFile code": (o) => opened().code(o),
    "SaveFile convert": (o) => opened().convert("godot3", o),
    identify: (o) => saves.identify(save, o),
    readEntries: (o) => saves.readEntries(save, o),
    recover: (o) => saves.recover(save, o),
    Recovery: (o) => saves.recover(save).write(o),
    makeDocument: (o) => saves.makeDocument("records", [{ value: 1, ...o }]),
    "NamedKey": (o) => new saves.SaveFile(save, { keys: [{ name: "a", ...o }] }),
    connect: (o) => node.connect({ port: 1, ...o }),
    createServer: (o) => node.createServer(async () => undefined, o),
    overStream: (o) => node.overStream(new PassThrough(), o),
    overWebSocket: (o) => node.overWebSocket(socket, o),
    Datagrams: (o) => new node.Datagrams(dgram.createSocket("udp4"), o),
};
/** Functions without options. */
const without = [
    "dialects", "version", "errorMeaning", "guess", "saveKinds", "layerNames", "SaveFile", "Document", "Recovery", "Connection", "Server", "GdvarError", "Dictionary", "NodePath",
];

test("there is no other function that takes options", () => {
    const isValue = (of) => typeof of === "function" && /^class/.test(String(of));
    for (const module of [gdvar, tools, saves, node]) {
        for (const [name, of] of Object.entries(module)) {
            if (typeof of !== "function" || (isValue(of) && !/Options|SaveFile|Document|Framer|Datagrams|Recovery/.test(name))) continue;
            assert.ok(name in calls || without.includes(name), name);
        }
    }
});

test("an option that is none is refused by each of them, with the name that was meant", async () => {
    const refused = { code: "bad_option", message: /^error\[bad_option\]: there is no .* "(nothing|__proto__|toString)": (there are|did you mean) / };
    for (const [name, call] of Object.entries(calls)) {
        for (const options of [{ nothing: 1 }, { nothing: undefined }, { toString: 1 }, JSON.parse('{"__proto__": 1}')]) {
            await assert.rejects(async () => call(options), refused, name);
        }
    }
    const meant = {
        limits: [["limit", "decode"], ["limts", "encode"], ["Limits", "validate"], ["limit", "createServer"]],
        dialect: [["dialetc", "decode"], ["dialekt", "varToStr"], ["dialect_", "SaveFile"]],
        password: [["pasword", "SaveFile"], ["passwd", "unwrap"], ["passwort", "NamedKey"], ["pasword", "recover"]],
        create: [["creat", "SaveFile set"]], maxPacket: [["maxpacket", "StreamFramer"], ["max_packet", "overStream"]], layers: [["layer", "Recovery"]],
        maxRecord: [["maxRecords", "records"]], packet: [["paket", "makeDocument"]], idleTimeout: [["idletimeout", "connect"]],
    };
    for (const [name, wrong] of Object.entries(meant)) {
        for (const [given, call] of wrong) {
            await assert.rejects(async () => calls[call]({ [given]: 1 }), { code: "bad_option", message: new RegExp(`"${given}": did you mean ${name}\\?$`) }, `${call} ${given}`);
        }
    }
});

test("so are limits that are none, and options that are no object", async () => {
    for (const limits of [{ bytess: 1 }, { depht: 1 }, { limits: NETWORK }]) assert.throws(() => decode(packet, { limits }), { code: "bad_option" });
    assert.throws(() => decode(packet, { limits: { byte: 1 } }), { message: 'error[bad_option]: there is no limit "byte": did you mean bytes?' });
    for (const limits of [5, "5", true]) assert.throws(() => decode(packet, { limits }), { code: "bad_option" });
    for (const options of ["godot3", true, 5n]) for (const call of [calls.decode, calls.encode, calls.validate, calls.SaveFile]) assert.throws(() => call(options), { code: "bad_option" });
    for (const options of [new Map([["limits", NETWORK]]), [NETWORK]]) assert.throws(() => decode(packet, options), { code: "bad_option" });
    // When it is made: nobody is there to hear of it when the first packet comes.
    for (const options of [
        { limits: { byte: 1 } }, { limits: { bytes: NaN } }, { dialect: "godot-5" }, { widePage: true }, { maxPacket: "5" }, { idleTimeout: "100" },
        { idleTimeout: NaN },
    ]) {
        for (const call of [calls.createServer, calls.overStream, calls.overWebSocket]) assert.throws(() => call(options), { code: "bad_option" });
    }
    for (const maxConnections of [NaN, -1, "5"]) assert.throws(() => calls.createServer({ maxConnections }), { code: "bad_option" });
    for (const name of ["inside", "entries"]) assert.throws(() => calls.SaveFile({ [name]: "$.a" }), { code: "bad_option" });
    // An index.
    assert.deepEqual([1, 2].map(encode).map(decode), [1, 2]);
    const long = "x".repeat(1_000_000);
    assert.throws(() => decode(packet, { [long]: 1 }), (error) => error.message.length < 500);
});

test("options that there are do what they did", async () => {
    const every = { dialect: "godot-4.4", objects: false, strict: true, limits: NETWORK, anyScript: false, widePage: false };
    const shapes = { ints: "safe", floats: "Float", dictionaries: "Dictionary", stringNames: "StringName", plain: false };
    assert.deepEqual(decode(encode(1, { ...every, numbers: "safe" }), { ...every, ...shapes }), 1);
    const server = node.createServer(async (connection) => connection.send(await connection.get()), {
        ...every, ...shapes, numbers: "safe", maxPacket: 1000, maxQueued: 1000, idleTimeout: 1000, bigEndian: true, maxConnections: 2, report: () => undefined,
    });
    const client = await node.connect({ port: await server.listen(0), host: "127.0.0.1", connectTimeout: 1000, bigEndian: true, ...every, ...shapes });
    await client.send(new Dictionary([["a", 1]]));
    assert.deepEqual(await client.get(), new Dictionary([["a", 1]]));
    await client.close();
    await server.close();
    const udp = dgram.createSocket("udp4");
    const datagrams = new node.Datagrams(udp.bind(0, "127.0.0.1"), { ...every, ...shapes, numbers: "safe", maxPacket: 1000, maxQueued: 1000, report: () => undefined });
    await once(udp, "listening");
    datagrams.close();
    await wait(0);
});
