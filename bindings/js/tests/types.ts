// Code as users write it in TypeScript, compiled with `strict`. Nothing of it is run.
import {
    Callable, decode, decodeSome, dialects, Dictionary, EncodedObjectAsID, encode, Float, frame, GdvarError, GodotArray, GodotObject, Image, InputEvent, MathValue, NETWORK,
    NodePath, PackedMathArray, PackedVector3Array, Quaternion, records, RID, Signal, StreamFramer, StringName, validate, Vector2, Vector2i, Vector3, Vector4,
    type ContainerType, type DecodeOptions, type Dialect, type DialectName, type Encodable, type ErrorCode, type Plain, type Variant,
} from "gdvar";
import { makeDocument, recover, SaveFile, type Finding, type LostRange, type Recovery, type StaleSum } from "gdvar/saves";
import { connect, createServer, Datagrams, overWebSocket, type ConnectOptions, type Connection } from "gdvar/node";
import { annotate, Document, fromJson, fromPlainJson, fromTextFull, strToVar, type Row } from "gdvar/tools";
import type { Socket } from "node:dgram";

const options: DecodeOptions = { dialect: "godot-4.4", limits: NETWORK, dictionaries: "Map" };
const value: Encodable = decode(new Uint8Array([0, 0, 0, 0]), options);
if (value instanceof Map) {
    const hp: unknown = value.get("hp");
    void hp;
}
/** All kinds of values: what is left is none. */
function kindOf(variant: Variant): string {
    switch (typeof variant) {
        case "string":
        case "number":
        case "bigint":
        case "boolean":
            return typeof variant;
    }
    if (variant === null) return "null";
    if (variant instanceof Float) return variant.toFixed(2) + variant.toString(16);
    if (variant instanceof StringName || variant instanceof NodePath) return variant.toString();
    if (variant instanceof Vector2) return String(variant.x);
    if (variant instanceof Vector2i) return String(variant.y);
    if (variant instanceof Quaternion) return String(variant.w);
    if (variant instanceof Vector4) return String(variant.w);
    if (variant instanceof MathValue) return variant.equals(variant) ? "a math value" : "NaN";
    if (variant instanceof Dictionary) return kindOf(variant.get("hp") ?? null) + [...variant.keys()].map(kindOf);
    if (Array.isArray(variant)) return variant.map(kindOf).join();
    if (variant instanceof PackedMathArray) return String(variant.length);
    if (ArrayBuffer.isView(variant)) return String(variant.byteLength);
    if (variant instanceof GodotObject) return variant.className + kindOf(variant.properties.get("name") ?? null);
    if (variant instanceof EncodedObjectAsID || variant instanceof RID) return String(variant.id);
    if (variant instanceof Signal) return variant.name;
    if (variant instanceof Callable || variant instanceof Image || variant instanceof InputEvent) return "";
    const none: never = variant;
    return none;
}
kindOf(decode(new Uint8Array()));
const [, part]: Iterable<number> & number[] = [...new Vector3()];
// @ts-expect-error: a Vector4 is no Quaternion
const turned: Quaternion = new Vector4();
interface Player { hp: number; name: string }
type Saved = { hp: number; name: string };
const player: Player = decode<Player>(new Uint8Array());
encode({ ...player });
encode(decode<Saved>(new Uint8Array()));
// @ts-expect-error: an interface may be a class
encode(player);
// @ts-expect-error: undefined is no Variant
encode(undefined);
// @ts-expect-error: nor is a function
encode([() => 1]);
// @ts-expect-error: nor is a Date
encode({ now: new Date() });
const plain: Plain = decode(new Uint8Array(), { plain: true });
if (typeof plain === "object" && plain !== null && !Array.isArray(plain)) encode(plain["hp"] ?? null);
// @ts-expect-error: bigints are not plain
const large: Plain = decode(new Uint8Array(), { plain: true, ints: "bigint" });
// @ts-expect-error: nor are Floats
const whole: Plain = decode(new Uint8Array(), { plain: true, floats: "Float" });
const plains: Plain[] = [
    decodeSome(new Uint8Array(), { plain: true }).value, new Document(new Uint8Array()).value(0, { plain: true }), new Document(new Uint8Array()).get("$", { plain: true }),
    fromJson("", { plain: true }), fromPlainJson("", { plain: true }), fromTextFull("", { plain: true }), strToVar("", { plain: true, family: "2" }),
];
const variants: Variant[] = [decodeSome(new Uint8Array()).value, new Document(new Uint8Array()).value(0), fromJson(""), strToVar("", { strict: true }), new SaveFile(new Uint8Array()).value()];
// @ts-expect-error: no Variant is a plain object
const mistaken: Variant = fromJson("", { plain: true });
// @ts-expect-error: nor is one a plain Map
const asMaps: Variant = strToVar("", { dictionaries: "Map" });
// @ts-expect-error: the type of the values must be said
new SaveFile(new Uint8Array(), { plain: true });
// @ts-expect-error: of a connection, too
overWebSocket(new WebSocket(""), { plain: true });
// @ts-expect-error: of a client
void connect({ port: 1, dictionaries: "object" });
// @ts-expect-error: of a server
createServer(async () => undefined, { plain: true });
overWebSocket<Plain>(new WebSocket(""), { plain: true, ints: "number" });
void connect<Encodable>({ port: 1, dictionaries: "object" });
const open: (options: ConnectOptions) => Promise<Connection<Encodable>> = (options) => connect<Encodable>(options);
createServer<Plain>(async (connection) => void (await connection.get()), { plain: true });
void [whole, plains, variants, mistaken, asMaps, open];
// @ts-expect-error: a dialect that there is none of
decode(new Uint8Array(), { dialect: "godot5" });
const dialect: DialectName = dialects()[0]?.name ?? "godot-3.5.3";
void [part, turned, large, dialect];
const players = new Dictionary<string, { pos: Vector3 }>([["ada", { pos: new Vector3(1, 2, 3) }]]);
const x: number | undefined = players.get("ada")?.pos.x;
const asMap: Map<string, { pos: Vector3 }> = players;
// @ts-expect-error: a key of another type
players.set(1, { pos: new Vector3() });
// @ts-expect-error: an option that there is none of
decode(new Uint8Array(), { dictionary: "Map" });

const bytes: Uint8Array<ArrayBuffer> = encode([x ?? null, new Float(1), new PackedVector3Array(new Float32Array(3))]);
const size: number = validate(bytes, { strict: true });
const framer = new StreamFramer({ bigEndian: false, maxPacket: size });
for (const packet of framer.feed(frame(bytes))) decode(packet);
try {
    framer.finish();
} catch (error) {
    if (error instanceof GdvarError) {
        // @ts-expect-error: a code that there is none of
        if (error.code === "truncted") throw error;
        const { code, offset, path }: { code: ErrorCode; offset: number | undefined; path: string | undefined } = error;
        void [code, offset, path];
    }
}
const ints: ContainerType = { kind: "builtin", type: "int", name: "" };
const typed: GodotArray<number> = GodotArray.typed([1, 2], ints);
const names: string[] = dialects().map(({ name }: Dialect) => name);
void [asMap, typed, names];
const rows: Row[] = annotate(bytes).rows;
const save = new SaveFile<Plain>(bytes, { keys: [{ name: "mine", password: "p" }], plain: true });
const hp: number = save.get<number>("$.hp", { default: 0 });
const mp: number | undefined = save.get<number, undefined>("$.mp", { default: undefined });
const xp: number | null = save.get<number>("$.xp", { default: null }) ?? new Document(bytes).get<number>("$.xp", { default: null });
// @ts-expect-error: the default of a number
const sp: number = save.get<number>("$.sp", { default: null });
void [xp, sp];
const items: Plain = new SaveFile<Plain>(bytes, { plain: true }).value();
// @ts-expect-error: undefined is no Variant
save.set("$.hp", undefined);
void [hp, mp, items];
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
    const web: Connection<Saved> = overWebSocket(new WebSocket("ws://127.0.0.1"), { maxPacket: 1000 });
    const error: Error | undefined = await client.closed;
    for await (const { value: got, port } of new Datagrams(udp)) void [got, port, web, error];
    // @ts-expect-error: a handler is asynchronous
    createServer(() => 1);
}
void talk;
