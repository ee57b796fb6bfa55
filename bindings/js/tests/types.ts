// Code as users write it in TypeScript, compiled with `strict`. Nothing of it is run.
import {
    decode, Dictionary, encode, Float, frame, GdvarError, GodotArray, NETWORK, PackedVector3Array, records, StreamFramer, validate, Vector3,
    type ContainerType, type DecodeOptions, type Dialect, dialects,
} from "gdvar";
import { makeDocument, recover, SaveFile, type Finding, type LostRange, type Recovery, type StaleSum } from "gdvar/saves";
import { connect, createServer, Datagrams, overWebSocket, type Connection } from "gdvar/node";
import { annotate, type Row } from "gdvar/tools";
import type { Socket } from "node:dgram";

const options: DecodeOptions = { dialect: "godot-4.4", limits: NETWORK, dictionaries: "Map" };
const value: unknown = decode(new Uint8Array([0, 0, 0, 0]), options);
if (value instanceof Map) {
    const hp: unknown = value.get("hp");
    void hp;
}
const players = new Dictionary<string, { pos: Vector3 }>([["ada", { pos: new Vector3(1, 2, 3) }]]);
const x: number | undefined = players.get("ada")?.pos.x;
const asMap: Map<string, { pos: Vector3 }> = players;
// @ts-expect-error: a key of another type
players.set(1, { pos: new Vector3() });
// @ts-expect-error: an option that there is none of
decode(new Uint8Array(), { dictionary: "Map" });

const bytes: Uint8Array<ArrayBuffer> = encode([x, new Float(1), new PackedVector3Array(new Float32Array(3))]);
const size: number = validate(bytes, { strict: true });
const framer = new StreamFramer({ bigEndian: false, maxPacket: size });
for (const packet of framer.feed(frame(bytes))) decode(packet);
try {
    framer.finish();
} catch (error) {
    if (error instanceof GdvarError) {
        const { code, offset, path }: { code: string; offset: number | undefined; path: string | undefined } = error;
        void [code, offset, path];
    }
}
const ints: ContainerType = { kind: "builtin", type: "int", name: "" };
const typed: GodotArray<number> = GodotArray.typed([1, 2], ints);
const names: string[] = dialects().map(({ name }: Dialect) => name);
void [asMap, typed, names];
const rows: Row[] = annotate(bytes).rows;
const save = new SaveFile(bytes, { keys: [{ name: "mine", password: "p" }], plain: true });
const findings: Finding[] = save.findings();
const sums: StaleSum[] = save.staleSums();
save.bytes({ updateSums: true });
// @ts-expect-error: a save has no such option
new SaveFile(bytes, { pass: "p" });
void [rows, findings, sums];
const found: Recovery = recover(bytes, { password: "p", noPartial: true });
const lost: LostRange[] = [...found.lost];
const state: "whole" | "resized" | "partial" | undefined = found.items[0]?.state;
const document: Uint8Array<ArrayBuffer> = makeDocument("records", [{ value: 1 }, { packet: bytes, name: "x" }]);
// @ts-expect-error: neither a value nor a packet
makeDocument("records", [{ name: "x" }]);
void [lost, state, document];
async function offsets(source: Blob | ReadableStream<Uint8Array>): Promise<number[]> {
    const all: number[] = [];
    for await (const { packet, offset } of records(source, { maxRecord: 1 << 20, skip: 4 })) all.push(offset + packet.length);
    return all;
}
void offsets;
async function talk(udp: Socket): Promise<void> {
    const server = createServer(async (connection) => {
        for await (const message of connection) await connection.send(message);
    }, { maxConnections: 10, idleTimeout: 1000 });
    const client: Connection = await connect({ port: await server.listen(0), dialect: "godot3" });
    const web: Connection = overWebSocket(new WebSocket("ws://127.0.0.1"), { maxPacket: 1000 });
    const error: Error | undefined = await client.closed;
    for await (const { value: got, port } of new Datagrams(udp)) void [got, port, web, error];
    // @ts-expect-error: a handler is asynchronous
    createServer(() => 1);
}
void talk;
