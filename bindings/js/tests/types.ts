// What users write in TypeScript, compiled with `strict`. Nothing of it is run.
import {
    decode, Dictionary, encode, Float, frame, GdvarError, GodotArray, NETWORK, PackedVector3Array, StreamFramer, validate, Vector3,
    type ContainerType, type DecodeOptions, type Dialect, dialects,
} from "gdvar";
import { SaveFile, type Finding } from "gdvar/saves";
import { annotate, type Row } from "gdvar/tools";

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
// @ts-expect-error: a save has no such option
new SaveFile(bytes, { pass: "p" });
void [rows, findings];
