// Turns a packet's tape (wasm/README.md) into JavaScript values. The module has read and checked the packet: here nodes only
// become values.
import { containerTypes, GodotArray, GodotObject, PackedStringArray, PackedTypedArray, UNTYPED, type ContainerType } from "./containers.js";
import { asObject, Dictionary, nameOf, Shape } from "./dictionary.js";
import { core, optionsOf } from "./core.js";
import { mayHaveOneHash } from "./key_map.js";
import { PACKED, type Packed, type TypedArrayClass } from "./math.js";
import { Names } from "./names.js";
import { keepNaNs } from "./nans.js";
import { checkOptions, PACKET_NAMES, type Names as OptionNames, type PacketOptions } from "./options.js";
import { PackedMathArray } from "./packed.js";
import * as texts from "./texts.js";
import { NodeFlags, Type } from "./interface.js";
import * as v from "./values.js";
import { utf8 } from "./utf8.js";
import type { Encodable, Plain, Variant } from "./variant.js";
import { bytesOf, type Instance } from "./wasm.js";

/** The shapes of decoded values. The defaults lose nothing: `encode` of the result gives the same bytes. */
export interface DecodeOptions extends PacketOptions {
    /**
     * "safe": a number from -(2^53 - 1) to 2^53 - 1, else a bigint. "bigint": always a bigint. "number": always a number, which
     * beyond 2^53 is not exact. "string": a number as for "safe", else a string of its digits. Different keys of a Dictionary may
     * become equal: two ints one number, or an int a String.
     */
    ints?: "safe" | "bigint" | "number" | "string";
    /** "Float": a Float if a number would be written as an int; "number": always a number. */
    floats?: "Float" | "number";
    /**
     * "Dictionary"; "Map"; or "object", for Dictionaries whose keys are texts and ints (names of properties). A Dictionary
     * whose keys would collide, or do not suit an object, stays a Dictionary.
     */
    dictionaries?: "Dictionary" | "Map" | "object";
    /** "StringName", or "string". */
    stringNames?: "StringName" | "string";
    /**
     * Plain objects, arrays, numbers, strings, booleans and null alone, in the form of plain JSON (docs/json.md): for programs that
     * only read, and for JSON.stringify. It changes the defaults of the options above: ints: "string", floats: "number",
     * dictionaries: "object", stringNames: "string".
     */
    plain?: boolean;
}
interface VariantShapes {
    dictionaries?: "Dictionary";
    plain?: false;
}
interface PlainShapes {
    plain: true;
    ints?: "number" | "string";
    floats?: "number";
    dictionaries?: "object";
    stringNames?: "string";
}
/** Options with which `decode` makes Variants. */
export type Lossless = DecodeOptions & VariantShapes;
/** Options with which `decode` makes what JSON.stringify takes. */
export type PlainOptions = DecodeOptions & PlainShapes;
/** The shapes that are allowed if values have a type: any, but if it is `Variant`, as without a type, those that make Variants. */
export type ShapesOf<Value> = [Value, Variant] extends [Variant, Value] ? VariantShapes : unknown;
/** A function that reads a text as a value. */
export interface FromText<Options> {
    <T = Variant>(text: string, options?: Options & VariantShapes): NoInfer<T>;
    <T = Plain>(text: string, options: Options & PlainShapes): NoInfer<T>;
    <T = Encodable>(text: string, options?: Options): NoInfer<T>;
}

/** @internal */
export const SHAPE_NAMES: OptionNames<Omit<DecodeOptions, keyof PacketOptions>> = { ints: true, floats: true, dictionaries: true, stringNames: true, plain: true };
/** @internal */
export const DECODE_NAMES: OptionNames<DecodeOptions> = { ...PACKET_NAMES, ...SHAPE_NAMES };

const { strings, PLACE, KEPT, UNKNOWN, ALONE } = texts;

// The state of reading. A packet is read without interruption, so no object around them is needed.
let instance: Instance;
let u8: Uint8Array;
let i32: Int32Array;
let u32: Uint32Array;
let f32: Float32Array;
let f64: Float64Array;
let packet: Uint8Array;
/** The packet's address in the module's memory, and the next node in units of 16 bytes. */
let base = 0;
let next = 0;
let first = 0;
let document = 0;
/** The module's results, and the options of the call. */
let results = 0;
let settings = 0;
let bigints = false;
/** An int beyond what a number keeps. */
let large: (int: bigint) => number | bigint | string;
let floatsAsNumbers = false;
let namesAsStrings = false;
let plainly = false;
/** The bits of a node's first word that lead a vector to `math`. */
let unusual = 0;
let makeDictionary: (shape: Shape, values: unknown[]) => unknown;

let scratch = 0;
core.dropped.push(() => {
    document = scratch = 0;
});

/**
 * Reads the packet at the start of `bytes`: `bytes_to_var`, `get_var`.
 *
 * Packed arrays of numbers are views of `bytes` if their alignment in its ArrayBuffer allows (4 for 32-bit numbers), else of a
 * copy. In TypeScript `T` is the type that the caller expects; it is not checked. Errors: GdvarError with code, offset and path.
 */
export function decode<T = Variant>(bytes: Uint8Array | ArrayBuffer, options?: Lossless): NoInfer<T>;
export function decode<T = Plain>(bytes: Uint8Array | ArrayBuffer, options: PlainOptions): NoInfer<T>;
export function decode<T = Encodable>(bytes: Uint8Array | ArrayBuffer, options?: DecodeOptions): NoInfer<T>;
export function decode(bytes: Uint8Array | ArrayBuffer, options?: DecodeOptions): unknown {
    checkOptions(options, DECODE_NAMES);
    return decodeWith(bytes, options);
}
/** The same, with options that may include others. @internal */
export function decodeWith<T>(bytes: Uint8Array | ArrayBuffer, options: DecodeOptions | undefined): T {
    const view = bytesOf(bytes);
    return core.run((module) => {
        read(module, view, options);
        choose(options);
        const result = value() as T;
        // Keeps nothing alive after reading.
        packet = NOTHING;
        if (view.length > 1 << 20) forget(module);
        return result;
    });
}
/** The same; also returns the packet's size in bytes. */
export function decodeSome<T = Variant>(bytes: Uint8Array | ArrayBuffer, options?: Lossless): { value: NoInfer<T>; size: number };
export function decodeSome<T = Plain>(bytes: Uint8Array | ArrayBuffer, options: PlainOptions): { value: NoInfer<T>; size: number };
export function decodeSome<T = Encodable>(bytes: Uint8Array | ArrayBuffer, options?: DecodeOptions): { value: NoInfer<T>; size: number };
export function decodeSome(bytes: Uint8Array | ArrayBuffer, options?: DecodeOptions): { value: unknown; size: number } {
    return { value: decode(bytes, options), size: lastSize };
}

const NOTHING = new Uint8Array(0);
let lastSize = 0;

function read(module: Instance, view: Uint8Array, options: DecodeOptions | undefined): void {
    instance = module;
    settings = optionsOf(options);
    const { exports } = module;
    if (document === 0) {
        document = module.handle("gdvar_document_new");
        results = exports["gdvar_texts"]();
        scratch = module.alloc(128);
    }
    base = module.put(view);
    const code: number = exports["gdvar_read_packet"](document, module.given, settings, module.error);
    module.refresh();
    if (code !== 0) {
        throw module.failure(module.errorPath(module.given, settings));
    }
    look();
    const at = results >>> 2;
    first = next = u32[at + texts.NODES]! >>> 4;
    knownFacts = -1;
    lastSize = u32[at + texts.SIZE]!;
    if (i32[at + texts.FORGOTTEN] !== 0) forgetShapes();
    texts.makeStrings(module, results);
    packet = view;
}
function look(): void {
    ({ u8, i32, u32, f32, f64 } = instance);
}
/** Frees a large tape. */
function forget(module: Instance): void {
    module.exports["gdvar_document_free"](document);
    document = 0;
    module.free(scratch);
    module.trim();
}

function choose(options: DecodeOptions | undefined): void {
    if (options === undefined) {
        // For small packets the general choice would be noticeable.
        keepAll();
        return;
    }
    plainly = options.plain === true;
    unusual = plainly ? ~0 : UNUSUAL;
    const ints = chosen("ints", options, plainly ? "string" : "safe");
    bigints = ints === "bigint";
    large = ints === "string" ? String : ints === "number" ? Number : itself;
    floatsAsNumbers = chosen("floats", options, plainly ? "number" : "Float") === "number";
    namesAsStrings = chosen("stringNames", options, plainly ? "string" : "StringName") === "string";
    const shape = chosen("dictionaries", options, plainly ? "object" : "Dictionary");
    makeDictionary = shape === "Dictionary" ? dictionaryOf : shape === "Map" ? mapOf : plainly ? plainObjectOf : objectOf;
}
const itself = (int: bigint) => int;
/** The defaults, which lose nothing. */
function keepAll(): void {
    plainly = bigints = floatsAsNumbers = namesAsStrings = false;
    unusual = UNUSUAL;
    large = itself;
    makeDictionary = dictionaryOf;
}

const CHOICES = {
    ints: ["safe", "bigint", "number", "string"],
    floats: ["Float", "number"],
    dictionaries: ["Dictionary", "Map", "object"],
    stringNames: ["StringName", "string"],
} as const;
/** An option's value. A word other than its choices is refused, as it would be taken for one of them. */
function chosen<Name extends keyof typeof CHOICES>(name: Name, options: DecodeOptions, otherwise: DecodeOptions[Name]): DecodeOptions[Name] {
    const given = options[name];
    if (given === undefined) return otherwise;
    const choices: readonly unknown[] = CHOICES[name];
    if (!choices.includes(given)) throw instance.refusal("bad_option", `${name} is ${choices.join(" or ")}, not ${String(given)}`);
    return given;
}

// ---- values ----

function value(): unknown {
    const node = next++;
    const w = node << 2;
    switch (i32[w]! & 0xff) {
        case Type.nil:
            return null;
        case Type.bool:
            return i32[w + 2] !== 0;
        case Type.int:
            return integer(i32[w + 2]!, i32[w + 3]!);
        case Type.float:
            return real(f64[(node << 1) + 1]!, w);
        case Type.string:
            return text(w);
        case Type.vector2: {
            if ((i32[w]! & unusual) !== 0 || (i32[w + 1]! & 3) !== 0) return math(node);
            const p = (base + i32[w + 1]! + 4) >>> 2;
            const x = f32[p]!;
            const y = f32[p + 1]!;
            return x !== x || y !== y ? math(node) : new v.Vector2(x, y);
        }
        case Type.vector3: {
            if ((i32[w]! & unusual) !== 0 || (i32[w + 1]! & 3) !== 0) return math(node);
            const p = (base + i32[w + 1]! + 4) >>> 2;
            const x = f32[p]!;
            const y = f32[p + 1]!;
            const z = f32[p + 2]!;
            return x !== x || y !== y || z !== z ? math(node) : new v.Vector3(x, y, z);
        }
        case Type.dictionary:
            return dictionary(node, i32[w + 2]!);
        case Type.array:
            return array(node, i32[w + 2]!);
        default:
            return plainly ? plainOther(node, w) : other(node, w);
    }
}
const UNUSUAL = (NodeFlags.wide | NodeFlags.copied) << 8;

function integer(low: number, high: number): number | bigint | string {
    if (bigints) return (BigInt(high) << 32n) | BigInt(low >>> 0);
    if (low >> 31 === high) return low;
    // From -(2^53 - 1) to 2^53 - 1: the least of these high words goes with a low word of at least 1.
    if (high >= -0x200000 && high < 0x200000 && (high !== -0x200000 || low !== 0)) return high * 4294967296 + (low >>> 0);
    return large((BigInt(high) << 32n) | BigInt(low >>> 0));
}
/** The same of a bigint: for `plain`. */
function chosenInt(int: bigint): number | bigint | string {
    if (bigints) return int;
    return int >= Number.MIN_SAFE_INTEGER && int <= Number.MAX_SAFE_INTEGER ? Number(int) : large(int);
}

/** False for infinities. (Remainders take twenty times as long.) */
function isIntegral(number: number): boolean {
    return Math.trunc(number) === number && number - number === 0;
}
function real(number: number, w: number): number | v.Float {
    if (isIntegral(number)) return floatsAsNumbers ? number : new v.Float(number);
    if (number !== number && !floatsAsNumbers && (i32[w + 2] !== 0 || i32[w + 3] !== 0x7ff80000)) {
        return new v.Float(number, (BigInt(u32[w + 3]!) << 32n) | BigInt(u32[w + 2]!));
    }
    return number;
}

function other(node: number, w: number): unknown {
    const type = i32[w]! & 0xff;
    switch (type) {
        case Type.stringName: {
            const name = text(w);
            return namesAsStrings ? name : new v.StringName(name);
        }
        case Type.nodePath:
            return nodePath(payload(w));
        case Type.rid:
            return new v.RID(bits(w));
        case Type.object:
            return object(w);
        case Type.callable:
            return new v.Callable();
        case Type.signal:
            return new v.Signal((facts() & NAMED_SIGNALS) !== 0 ? records(payload(w), 1)[0]! : "", bits(w));
        case Type.packedStringArray:
            return PackedStringArray.holding(records(payload(w) + 4, u32[w + 2]!, (facts() & COUNTED_NULS) !== 0));
        case Type.packedTypedArray:
            return array(node, i32[w + 2]!);
        case Type.image:
            return image(payload(w));
        case Type.inputEvent:
            return inputEvent(payload(w));
        default:
            return type >= Type.packedByteArray ? numbers(type, w) : math(node);
    }
}

/** The same for `plain`: in the forms of plain JSON. */
function plainOther(node: number, w: number): unknown {
    const type = i32[w]! & 0xff;
    switch (type) {
        case Type.callable:
        case Type.image:
        case Type.inputEvent:
            return null;
        case Type.packedTypedArray:
            return itemsOf(i32[w + 2]!);
        case Type.object:
            return plainObject(w);
    }
    const made = other(node, w);
    if (made instanceof v.NodePath) return String(made);
    if (made instanceof v.RID) return chosenInt(made.id);
    if (made instanceof v.Signal) return { signal: made.name, object_id: chosenInt(made.objectId) };
    if (made instanceof BigInt64Array) return Array.from(made, chosenInt);
    if (made instanceof PackedMathArray) return Array.from(made.components);
    if (ArrayBuffer.isView(made) || made instanceof PackedStringArray) return Array.from(made as Iterable<unknown>);
    return made;
}
function plainObject(w: number): unknown {
    const made = object(w);
    if (made instanceof v.EncodedObjectAsID) return { object_id: chosenInt(made.id) };
    const { className, properties } = made as GodotObject;
    if (className === "") return null;
    const { shape, values } = Dictionary.parts(properties);
    return asObject(["@class", ...shape.keys], [className, ...values], new Names().of);
}

function bits(w: number): bigint {
    return (BigInt(u32[w + 3]!) << 32n) | BigInt(u32[w + 2]!);
}

/** The address behind a value's header. */
function payload(w: number): number {
    return base + u32[w + 1]! + 4;
}
/** A number in the packet, perhaps unaligned. */
function word(at: number): number {
    return (at & 3) === 0 ? u32[at >>> 2]! : (u8[at]! | (u8[at + 1]! << 8) | (u8[at + 2]! << 16) | (u8[at + 3]! << 24)) >>> 0;
}
/** Properties of a packet that depend on its dialect and are not on the tape. */
function facts(): number {
    if (knownFacts < 0) knownFacts = instance.exports["gdvar_dialect_facts"](settings);
    return knownFacts;
}
let knownFacts = -1;
const SEPARATE_PROPERTY = 1;
const NAMED_SIGNALS = 2;
const COUNTED_NULS = 4;
const TYPED_ARRAYS = 8;

// ---- texts ----

/** The text of the node at `w`: of a String, a StringName or a property's name. */
function text(w: number): string {
    let id = i32[w + 3]!;
    if (id === UNKNOWN) id = lookAt(w);
    return id === ALONE ? textAlone(w) : strings[id & PLACE]!;
}
/** The module prepares texts from this one on. Its memory does not move. */
function lookAt(w: number): number {
    instance.exports["gdvar_look_at_texts"](document, (w >>> 2) - first);
    texts.makeStrings(instance, results);
    return i32[w + 3]!;
}
function textAlone(w: number): string {
    return decoded(base + u32[w + 1]! + ((i32[w]! & (NodeFlags.property << 8)) !== 0 ? 4 : 8), u32[w + 2]!);
}
function decoded(at: number, size: number): string {
    return utf8.decode(u8.subarray(at, at + size));
}

/**
 * Consecutive texts in the packet, each as its size, its bytes, and zeros up to a multiple of 4. A final NUL is left out if it
 * is `counted`.
 */
function records(at: number, count: number, counted = false): string[] {
    const made: string[] = [];
    while (made.length < count) {
        instance.exports["gdvar_look_at_records"](at, count - made.length, counted);
        texts.makeStrings(instance, results);
        const ids = u32[(results >>> 2) + texts.IDS]! >>> 2;
        const end = ids + u32[(results >>> 2) + texts.LOOKED_AT]!;
        for (let i = ids; i < end; ++i) {
            const size = word(at);
            const id = i32[i]!;
            made.push(id === ALONE ? decoded(at + 4, counted && size > 0 && u8[at + 3 + size] === 0 ? size - 1 : size) : strings[id & PLACE]!);
            at += 4 + ((size + 3) & ~3);
        }
    }
    return made;
}

/** Names and subnames; or text, in old packets. */
function nodePath(at: number): v.NodePath {
    const names = word(at);
    if (names >>> 31 === 0) return v.NodePath.parse(records(at, 1)[0]!);
    const flags = word(at + 8);
    const separate = (flags & 2) !== 0;
    const count = names & 0x7fffffff;
    const all = records(at + 12, count + word(at + 4) + (separate ? 1 : 0));
    const subnames = all.splice(count);
    return new v.NodePath(all, subnames, (flags & 1) !== 0, separate && (facts() & SEPARATE_PROPERTY) !== 0);
}

// ---- math values ----

type Numbers = Float32Array | Float64Array | Int32Array;
type Make = (n: Numbers, i: number, wide: boolean) => object;

const vector2 = (n: Numbers, i: number, wide: boolean) => new (wide ? v.Vector2d : v.Vector2)(n[i], n[i + 1]);
const vector3 = (n: Numbers, i: number, wide: boolean) => new (wide ? v.Vector3d : v.Vector3)(n[i], n[i + 1], n[i + 2]);
const vector4 = (n: Numbers, i: number, wide: boolean) =>
    new (wide ? v.Vector4d : v.Vector4)(n[i], n[i + 1], n[i + 2], n[i + 3]);
const vector2i = (n: Numbers, i: number) => new v.Vector2i(n[i], n[i + 1]);
const basis = (n: Numbers, i: number, wide: boolean) =>
    new (wide ? v.Basisd : v.Basis)(vector3(n, i, wide), vector3(n, i + 3, wide), vector3(n, i + 6, wide));

/** How values of a type are made of their components, and the number of these. */
const FORMS: { [type: number]: { size: number; ints?: boolean; make: Make } } = {
    [Type.vector2]: { size: 2, make: vector2 },
    [Type.vector2i]: { size: 2, ints: true, make: vector2i },
    [Type.rect2]: {
        size: 4,
        make: (n, i, wide) => new (wide ? v.Rect2d : v.Rect2)(vector2(n, i, wide), vector2(n, i + 2, wide)),
    },
    [Type.rect2i]: { size: 4, ints: true, make: (n, i) => new v.Rect2i(vector2i(n, i), vector2i(n, i + 2)) },
    [Type.vector3]: { size: 3, make: vector3 },
    [Type.vector3i]: { size: 3, ints: true, make: (n, i) => new v.Vector3i(n[i], n[i + 1], n[i + 2]) },
    [Type.transform2d]: {
        size: 6,
        make: (n, i, wide) =>
            new (wide ? v.Transform2Dd : v.Transform2D)(vector2(n, i, wide), vector2(n, i + 2, wide), vector2(n, i + 4, wide)),
    },
    [Type.vector4]: { size: 4, make: vector4 },
    [Type.vector4i]: { size: 4, ints: true, make: (n, i) => new v.Vector4i(n[i], n[i + 1], n[i + 2], n[i + 3]) },
    [Type.plane]: { size: 4, make: (n, i, wide) => new (wide ? v.Planed : v.Plane)(vector3(n, i, wide), n[i + 3]) },
    [Type.quaternion]: {
        size: 4,
        make: (n, i, wide) => new (wide ? v.Quaterniond : v.Quaternion)(n[i], n[i + 1], n[i + 2], n[i + 3]),
    },
    [Type.aabb]: {
        size: 6,
        make: (n, i, wide) => new (wide ? v.AABBd : v.AABB)(vector3(n, i, wide), vector3(n, i + 3, wide)),
    },
    [Type.basis]: { size: 9, make: basis },
    [Type.transform3d]: {
        size: 12,
        make: (n, i, wide) => new (wide ? v.Transform3Dd : v.Transform3D)(basis(n, i, wide), vector3(n, i + 9, wide)),
    },
    [Type.projection]: {
        size: 16,
        make: (n, i, wide) =>
            new (wide ? v.Projectiond : v.Projection)(
                vector4(n, i, wide), vector4(n, i + 4, wide), vector4(n, i + 8, wide), vector4(n, i + 12, wide),
            ),
    },
    [Type.color]: {
        size: 4,
        make: (n, i, wide) => new (wide ? v.Colord : v.Color)(n[i], n[i + 1], n[i + 2], n[i + 3]),
    },
};

function math(node: number): unknown {
    const w = node << 2;
    const flags = i32[w]! >> 8;
    const wide = (flags & NodeFlags.wide) !== 0;
    const { size, ints, make } = FORMS[i32[w]! & 0xff]!;
    let at = base + i32[w + 1]! + 4;
    if ((flags & NodeFlags.copied) !== 0) {
        at = (node + 1) * 16;
        next = first + u32[w + 3]!;
    }
    if ((at & (wide ? 7 : 3)) !== 0) {
        u8.copyWithin(scratch, at, at + size * (wide ? 8 : 4));
        at = scratch;
    }
    if (plainly) {
        const from = at >>> (wide ? 3 : 2);
        return [...(ints ? i32 : wide ? f64 : f32).subarray(from, from + size)];
    }
    if (ints) return make(i32, at >>> 2, false);
    const made = wide ? make(f64, at >>> 3, true) : make(f32, at >>> 2, false);
    keepNaNs(made, u32, at >>> 2, size, wide);
    return made;
}

// ---- packed arrays of numbers ----

const packedTypes: (Packed | undefined)[] = [];
for (const each of PACKED) packedTypes[each.type] = each;

function numbers(type: number, w: number): unknown {
    const { numbers: narrow, width, around } = packedTypes[type]!;
    const typed: TypedArrayClass = (i32[w]! & (NodeFlags.wide << 8)) !== 0 ? Float64Array : narrow;
    const count = u32[w + 2]! * width;
    const at = u32[w + 1]! + 8;
    const place = packet.byteOffset + at;
    const made = place % typed.BYTES_PER_ELEMENT === 0
        ? new typed(packet.buffer, place, count)
        : new typed(copied(at, count * typed.BYTES_PER_ELEMENT), 0, count);
    return around ? new around(made) : made;
}

/** A copy of bytes of the packet. `slice` would not do: a Buffer's copies nothing. */
function copied(at: number, size: number): ArrayBuffer {
    const copy = new Uint8Array(size);
    copy.set(packet.subarray(at, at + size));
    return copy.buffer;
}

function image(at: number): v.Image {
    const data = at + 20 - base;
    return new v.Image(word(at), word(at + 4), word(at + 8), word(at + 12), packet.subarray(data, data + word(at + 16)));
}
/** The number of words in an InputEvent of each type. */
const WORDS = [0, 2, 0, 1, 2, 1, 1, 0, 0];
function inputEvent(at: number): v.InputEvent {
    const type = word(at);
    const words = Array.from({ length: WORDS[type] ?? 0 }, (_, i) => word(at + 12 + 4 * i));
    return new v.InputEvent(type, word(at + 4), words);
}

// ---- containers ----

/** True if a container certainly has no types: they would be between its count and its elements. */
function isUntyped(node: number, count: number): boolean {
    if (count > 0) return i32[((node + 1) << 2) + 1] === i32[(node << 2) + 1]! + 8;
    // The upper half of the header decides, except in dialects with a type in each Array.
    const at = base + i32[(node << 2) + 1]! + 2;
    return u8[at] === 0 && u8[at + 1] === 0 && (facts() & TYPED_ARRAYS) === 0;
}
/** The types of a container: [elements], or [keys, values]; undefined if untyped. */
function typesOf(node: number): [ContainerType, ContainerType] | undefined {
    const types = containerTypes(instance, document, node - first, scratch);
    return types[0].kind === "untyped" && types[1].kind === "untyped" ? undefined : types;
}

// Arrays are made in their final size, which `push` would find in steps; short ones without holes. `new Array` gives very large
// ones another, slow form.
const mostBlank = 32;
const mostAtOnce = 1 << 22;
const blanks: unknown[][] = Array.from({ length: mostBlank + 1 }, (_, size) => Array.from({ length: size }, () => undefined));

/** The next values. */
function itemsOf(count: number): unknown[] {
    if (count > mostAtOnce) {
        const items: unknown[] = [];
        for (let i = 0; i < count; ++i) items.push(value());
        return items;
    }
    if (count <= mostBlank) {
        const items = blanks[count]!.slice();
        for (let i = 0; i < count; ++i) items[i] = value();
        return items;
    }
    const items = new Array<unknown>(count);
    let i = 0;
    // Not through `value`: an array with only numbers has no objects.
    for (; i < count && i32[next << 2] === Type.float; ++i) {
        const number = f64[(next << 1) + 1]!;
        if (isIntegral(number) || number !== number) break;
        items[i] = number;
        ++next;
    }
    for (; i < count; ++i) items[i] = value();
    return items;
}
function array(node: number, count: number): unknown[] {
    const isPacked = (i32[node << 2]! & 0xff) === Type.packedTypedArray;
    const types = isPacked || (!plainly && !isUntyped(node, count)) ? typesOf(node) : undefined;
    const items = itemsOf(count);
    if (isPacked) return PackedTypedArray.typed(items, types?.[0] ?? UNTYPED);
    return types === undefined ? items : GodotArray.typed(items, types[0]);
}

function object(w: number): unknown {
    const flags = i32[w]! >> 8;
    if ((flags & NodeFlags.id) !== 0) return new v.EncodedObjectAsID(bits(w));
    if ((flags & NodeFlags.full) === 0) return new GodotObject("", new Dictionary());
    const className = records(payload(w), 1)[0]!;
    const keys: unknown[] = [];
    const values: unknown[] = [];
    for (let i = i32[w + 2]!; i > 0; --i) {
        const name = next++ << 2;
        keys.push(text(name));
        values.push(value());
    }
    return new GodotObject(className, new Dictionary<string>(new Shape(keys), values));
}

function dictionary(node: number, count: number): unknown {
    const types = plainly || isUntyped(node, count) ? undefined : typesOf(node);
    if (types !== undefined) {
        const typed = new Dictionary(...pairs(count));
        [typed.keyType, typed.valueType] = types;
        return typed;
    }
    if (count === 0) return makeDictionary(new Shape([]), []);
    if (count > mostKeys) return makeDictionary(...pairs(count));
    const guess = guesses[guessFor(count)];
    return guess === undefined ? unknownPairs([], [], [], count) : guessedPairs(guess, count);
}
/** A key. Those of which `plain` makes a name keep what tells them apart. */
function key(): unknown {
    if (!plainly || makeDictionary !== plainObjectOf) return value();
    const before = [bigints, large, floatsAsNumbers, namesAsStrings] as const;
    keepAll();
    const made = value();
    [bigints, large, floatsAsNumbers, namesAsStrings] = before;
    [plainly, unusual, makeDictionary] = [true, ~0, plainObjectOf];
    return made;
}
/** Keys and values one by one. */
function pairs(count: number): [Shape, unknown[]] {
    const keys: unknown[] = [];
    const values: unknown[] = [];
    for (let i = 0; i < count; ++i) {
        keys.push(key());
        values.push(value());
    }
    return [new Shape(keys), values];
}

// Dictionaries of records repeat the same keys. A repeated key has an id (texts.ts): the shape of the last Dictionary with as
// many pairs and the same first key is tried first; any other is found by its ids.

const mostKeys = 128;
const guesses: (Shape | undefined)[] = new Array<undefined>(8192).fill(undefined);
const shapes = new Map<string, Shape>();
let keysInShapes = 0;

function forgetShapes(): void {
    shapes.clear();
    guesses.fill(undefined);
    keysInShapes = 0;
}
function guessFor(count: number): number {
    return placeOfGuess(i32[(next << 2) + 3]!, count);
}
function placeOfGuess(id: number, count: number): number {
    return (id ^ Math.imul(count, 0x9e5)) & 8191;
}

function guessedPairs(shape: Shape, count: number): unknown {
    const ids = shape.wire as number[];
    const values = shape.blank!.slice();
    if (values.length !== count) return unknownPairs([], [], [], count);
    for (let i = 0; i < count; ++i) {
        const w = next << 2;
        if (i32[w + 3] !== ids[i] || i32[w] !== Type.string) {
            if (i32[w] !== Type.string || i32[w + 3] !== UNKNOWN || lookAt(w) !== ids[i]) {
                return unknownPairs(shape.keys.slice(0, i), ids.slice(0, i), values.slice(0, i), count);
            }
        }
        ++next;
        values[i] = value();
    }
    return makeDictionary(shape, values);
}
/** Pairs, the first of which were already read. */
function unknownPairs(keys: unknown[], ids: number[], values: unknown[], count: number): unknown {
    let kept = true;
    while (values.length < count) {
        const w = next << 2;
        if (i32[w] === Type.string) {
            keys.push(text(w));
            const id = i32[w + 3]!;
            kept &&= id !== ALONE && (id & PLACE) < KEPT;
            ids.push(id);
            ++next;
        } else {
            kept = false;
            keys.push(key());
        }
        values.push(value());
    }
    return makeDictionary(kept ? knownShape(keys, ids) : new Shape(keys), values);
}
/** The shape of these keys, which becomes the next guess for similar Dictionaries. */
function knownShape(keys: unknown[], ids: number[]): Shape {
    const name = ids.join();
    let shape = shapes.get(name);
    if (shape === undefined) {
        // Foreign packets may have other keys each time.
        if (keysInShapes + ids.length > 65536) forgetShapes();
        keysInShapes += ids.length;
        shape = new Shape(keys);
        shape.wire = ids;
        shape.blank = keys.map(() => undefined);
        shapes.set(name, shape);
    }
    guesses[placeOfGuess(ids[0]!, ids.length)] = shape;
    return shape;
}

function dictionaryOf(shape: Shape, values: unknown[]): Dictionary {
    return new Dictionary(shape, values);
}
function mapOf(shape: Shape, values: unknown[]): unknown {
    if (mayHaveOneHash(shape.keys)) return new Dictionary(shape, values);
    const map = new Map<unknown, unknown>();
    for (let i = 0; i < values.length; ++i) map.set(shape.keys[i], values[i]);
    return map.size === values.length ? map : new Dictionary(shape, values);
}
function plainObjectOf(shape: Shape, values: unknown[]): unknown {
    return asObject(shape.keys, values, quickName) ?? asObject(shape.keys, values, new Names().of);
}
/** The names that need no `Names`, where NaN and infinities have other ones. */
function quickName(key: unknown, made: object): string | undefined {
    return typeof key === "number" && !Number.isFinite(key) ? undefined : nameOf(key, made);
}
function objectOf(shape: Shape, values: unknown[]): unknown {
    return asObject(shape.keys, values) ?? new Dictionary(shape, values);
}
