// A packet's tape (wasm/README.md) as JavaScript values. The module has read and checked the packet: all that is here is
// making values of nodes.
import { GodotArray, GodotObject, PackedStringArray, PackedTypedArray, type ContainerType } from "./containers.js";
import { Dictionary, Shape } from "./dictionary.js";
import { core, optionsOf } from "./core.js";
import type { PacketOptions } from "./options.js";
import * as packed from "./packed.js";
import { Type, TYPES } from "./types.js";
import * as v from "./values.js";
import { toUtf8, utf8, type Instance } from "./wasm.js";

/** The shapes of what `decode` gives. The defaults lose nothing: `encode` of the result gives the same bytes. */
export interface DecodeOptions extends PacketOptions {
    /** "safe": a number from -(2^53 - 1) to 2^53 - 1, else a bigint. "bigint": always a bigint. */
    ints?: "safe" | "bigint";
    /** "Float": a Float where a number would be written as an int; "number": always a number. */
    floats?: "Float" | "number";
    /**
     * "Dictionary"; "Map"; or "object", for Dictionaries whose keys are texts and ints (names of properties). A Dictionary
     * whose keys would collide, or are not for an object, stays a Dictionary.
     */
    dictionaries?: "Dictionary" | "Map" | "object";
    /** "StringName", or "string". */
    stringNames?: "StringName" | "string";
    /** Short for floats: "number", dictionaries: "object", stringNames: "string". */
    plain?: boolean;
}

const WIDE = 1;
const FULL = 2;
const ID = 4;
const COPIED = 16;

// What is being read. A packet is read without interruption, so that these need no object around them.
let instance: Instance;
let u8: Uint8Array;
let i32: Int32Array;
let u32: Uint32Array;
let f32: Float32Array;
let f64: Float64Array;
let packet: Uint8Array;
/** Where the packet lies in the module's memory, and the next node in units of 16 bytes. */
let base = 0;
let next = 0;
let first = 0;
let document = 0;
let bigints = false;
let floatsAsNumbers = false;
let namesAsStrings = false;
let makeDictionary: (shape: Shape, values: unknown[]) => unknown;

let scratch = 0;
core.dropped.push(() => {
    document = scratch = 0;
});

/**
 * Reads the packet at the start of `bytes`: `bytes_to_var`, `get_var`.
 *
 * Packed arrays of numbers lie over `bytes` where their place in it allows (for 32-bit numbers, a place divisible by 4 in
 * its ArrayBuffer), else over a copy. Errors: GdvarError with code, offset and path.
 */
export function decode(bytes: Uint8Array | ArrayBuffer, options?: DecodeOptions): unknown {
    const view = bytesOf(bytes);
    return core.run((module) => {
        read(module, view, options);
        choose(options);
        const result = value();
        // Nothing is kept alive by what was read last.
        packet = NOTHING;
        if (view.length > 1 << 20) forget(module);
        return result;
    });
}
function bytesOf(bytes: Uint8Array | ArrayBuffer): Uint8Array {
    if (bytes instanceof Uint8Array) return bytes;
    if (ArrayBuffer.isView(bytes)) {
        const { buffer, byteOffset, byteLength } = bytes as ArrayBufferView;
        return new Uint8Array(buffer, byteOffset, byteLength);
    }
    if (Object.prototype.toString.call(bytes) === "[object ArrayBuffer]") return new Uint8Array(bytes);
    throw new TypeError("gdvar reads a Uint8Array or an ArrayBuffer");
}
/** The same; also says how many bytes the packet took. */
export function decodeSome(bytes: Uint8Array, options?: DecodeOptions): { value: unknown; size: number } {
    return { value: decode(bytes, options), size: lastSize };
}

const NOTHING = new Uint8Array(0);
let lastSize = 0;

function read(module: Instance, view: Uint8Array, options: DecodeOptions | undefined): void {
    instance = module;
    const settings = optionsOf(options);
    const { exports } = module;
    if (document === 0) {
        document = exports["gdvar_document_new"]();
        scratch = module.alloc(128);
    }
    base = module.put(view);
    const code: number = exports["gdvar_document_read"](document, module.given, settings, module.error);
    module.refresh();
    if (code !== 0) {
        throw module.failure(module.errorPath(module.given, settings));
    }
    exports["gdvar_document_tape"](module.result, document);
    look();
    const at = module.result >> 2;
    first = next = u32[at]! >>> 4;
    lastSize = u32[at + 3]!;
    packet = view;
}
/** After memory may have grown, and moved with it. */
function look(): void {
    ({ u8, i32, u32, f32, f64 } = instance);
}
/** Gives a large tape back. */
function forget(module: Instance): void {
    module.exports["gdvar_document_free"](document);
    document = 0;
    module.free(scratch);
    module.trim();
}

function choose(options: DecodeOptions | undefined): void {
    const plain = options?.plain === true;
    bigints = options?.ints === "bigint";
    floatsAsNumbers = (options?.floats ?? (plain ? "number" : "Float")) === "number";
    namesAsStrings = (options?.stringNames ?? (plain ? "string" : "StringName")) === "string";
    const shape = options?.dictionaries ?? (plain ? "object" : "Dictionary");
    makeDictionary = shape === "Dictionary" ? dictionaryOf : shape === "Map" ? mapOf : objectOf;
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
            return text(base + i32[w + 1]! + 8, i32[w + 2]!);
        case Type.vector2: {
            if ((i32[w]! & UNUSUAL) !== 0 || (i32[w + 1]! & 3) !== 0) return math(node);
            const p = (base + i32[w + 1]! + 4) >> 2;
            return new v.Vector2(f32[p], f32[p + 1]);
        }
        case Type.vector3: {
            if ((i32[w]! & UNUSUAL) !== 0 || (i32[w + 1]! & 3) !== 0) return math(node);
            const p = (base + i32[w + 1]! + 4) >> 2;
            return new v.Vector3(f32[p], f32[p + 1], f32[p + 2]);
        }
        case Type.dictionary:
            return dictionary(node, i32[w + 2]!);
        case Type.array:
            return array(node, i32[w + 2]!);
        default:
            return other(node, w);
    }
}
const UNUSUAL = (WIDE | COPIED) << 8;

function integer(low: number, high: number): number | bigint {
    if (bigints) return (BigInt(high) << 32n) | BigInt(low >>> 0);
    if (low >> 31 === high) return low;
    // From -(2^53 - 1) to 2^53 - 1: the least of these high words goes with a low word of at least 1.
    if (high >= -0x200000 && high < 0x200000 && (high !== -0x200000 || low !== 0)) return high * 4294967296 + (low >>> 0);
    return (BigInt(high) << 32n) | BigInt(low >>> 0);
}

function real(number: number, w: number): number | v.Float {
    // Not for infinities, whose remainder is NaN.
    if (number % 1 === 0) return floatsAsNumbers ? number : new v.Float(number);
    if (number !== number && !floatsAsNumbers && (i32[w + 2] !== 0 || i32[w + 3] !== 0x7ff80000)) {
        return new v.Float(number, (BigInt(u32[w + 3]!) << 32n) | BigInt(u32[w + 2]!));
    }
    return number;
}

function other(node: number, w: number): unknown {
    const type = i32[w]! & 0xff;
    switch (type) {
        case Type.stringName: {
            const name = text(base + i32[w + 1]! + 8, i32[w + 2]!);
            return namesAsStrings ? name : new v.StringName(name);
        }
        case Type.nodePath:
            return nodePath(node - first);
        case Type.rid:
            return new v.RID(bits(w));
        case Type.object:
            return object(w);
        case Type.callable:
            return new v.Callable();
        case Type.signal:
            return new v.Signal(nameOf(node - first), bits(w));
        case Type.packedString:
            return strings(node - first);
        case Type.packedTyped:
            return array(node, i32[w + 2]!);
        case Type.image:
            return image(node - first);
        case Type.inputEvent:
            return inputEvent(node - first);
        default:
            return type >= Type.packedByte ? numbers(type, w) : math(node);
    }
}

function bits(w: number): bigint {
    return (BigInt(u32[w + 3]!) << 32n) | BigInt(u32[w + 2]!);
}

// ---- texts ----

// Short texts are kept: most packets say the same again and again. `slots` is a power of two.
const slots = 4096;
const longestKept = 32;
const keptTexts: string[] = new Array<string>(slots).fill("");
const keptSizes = new Int32Array(slots);
const keptWords = new Int32Array((slots * longestKept) / 4);

function text(at: number, size: number): string {
    if (size > longestKept || (at & 3) !== 0) return longText(at, size);
    if (size === 0) return "";
    const word = at >> 2;
    const words = (size + 3) >> 2;
    let hash = size;
    for (let i = word; i < word + words; ++i) {
        hash = Math.imul(hash ^ i32[i]!, 0x9e3779b1);
        hash ^= hash >>> 15;
    }
    const slot = hash & (slots - 1);
    const kept = slot << 3;
    if (keptSizes[slot] === size) {
        // What follows the text in its last word is compared with it: nothing is found that is not the same.
        let i = 0;
        while (i < words && keptWords[kept + i] === i32[word + i]) ++i;
        if (i === words) return keptTexts[slot]!;
    }
    const made = longText(at, size);
    keptTexts[slot] = made;
    keptSizes[slot] = size;
    for (let i = 0; i < words; ++i) keptWords[kept + i] = i32[word + i]!;
    return made;
}
/** TextDecoder takes as long for a call as a dozen letters take here. */
function longText(at: number, size: number): string {
    if (size > 24) return utf8.decode(u8.subarray(at, at + size));
    let made = "";
    for (let i = at; i < at + size; ++i) {
        const unit = u8[i]!;
        if (unit > 127) return utf8.decode(u8.subarray(at, at + size));
        made += String.fromCharCode(unit);
    }
    return made;
}

function nameOf(index: number): string {
    instance.exports["gdvar_node_name"](instance.result, document, index);
    const at = instance.result >> 2;
    return longText(u32[at]!, u32[at + 1]!);
}
function textsOf(index: number): string[] {
    const count: number = instance.exports["gdvar_node_texts"](document, index, 0, 0) >>> 0;
    const at = instance.alloc(count * 8 + 1);
    look();
    instance.exports["gdvar_node_texts"](document, index, at, count);
    const texts: string[] = [];
    for (let i = at >> 2, end = i + count * 2; i < end; i += 2) texts.push(text(u32[i]!, u32[i + 1]!));
    instance.free(at);
    return texts;
}
function strings(index: number): PackedStringArray {
    return PackedStringArray.holding(textsOf(index));
}
function nodePath(index: number): v.NodePath {
    const texts = textsOf(index);
    instance.exports["gdvar_node_path"](instance.result, document, index);
    const names = u32[instance.result >> 2]!;
    const absolute = u8[instance.result + 8] !== 0;
    const separateProperty = u8[instance.result + 9] !== 0;
    return new v.NodePath(texts.slice(0, names), texts.slice(names), absolute, separateProperty);
}

// ---- math values ----

type Numbers = Float32Array | Float64Array | Int32Array;
type Make = (n: Numbers, i: number, wide: boolean) => unknown;

const vector2 = (n: Numbers, i: number, wide: boolean) => new (wide ? v.Vector2d : v.Vector2)(n[i], n[i + 1]);
const vector3 = (n: Numbers, i: number, wide: boolean) => new (wide ? v.Vector3d : v.Vector3)(n[i], n[i + 1], n[i + 2]);
const vector4 = (n: Numbers, i: number, wide: boolean) =>
    new (wide ? v.Vector4d : v.Vector4)(n[i], n[i + 1], n[i + 2], n[i + 3]);
const vector2i = (n: Numbers, i: number) => new v.Vector2i(n[i], n[i + 1]);
const basis = (n: Numbers, i: number, wide: boolean) =>
    new (wide ? v.Basisd : v.Basis)(vector3(n, i, wide), vector3(n, i + 3, wide), vector3(n, i + 6, wide));

/** How values of a type are made of their components, and how many of these there are. */
const MATH: { [type: number]: { size: number; ints?: boolean; make: Make } } = {
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
    const wide = (flags & WIDE) !== 0;
    const { size, ints, make } = MATH[i32[w]! & 0xff]!;
    let at = base + i32[w + 1]! + 4;
    if ((flags & COPIED) !== 0) {
        at = (node + 1) << 4;
        next = first + u32[w + 3]!;
    }
    if ((at & (wide ? 7 : 3)) !== 0) {
        u8.copyWithin(scratch, at, at + size * (wide ? 8 : 4));
        at = scratch;
    }
    return wide ? make(f64, at >> 3, true) : make(ints ? i32 : f32, at >> 2, false);
}

// ---- packed arrays of numbers ----

interface Typed {
    new (buffer: ArrayBufferLike, at: number, count: number): ArrayBufferView;
    readonly BYTES_PER_ELEMENT: number;
}
/** The typed array of a packed array, how many of its numbers are in one element, and the class around it. */
const PACKED: { [type: number]: [Typed, number, (new (numbers: any) => unknown)?] } = {
    [Type.packedByte]: [Uint8Array, 1],
    [Type.packedInt32]: [Int32Array, 1],
    [Type.packedInt64]: [BigInt64Array, 1],
    [Type.packedFloat32]: [Float32Array, 1],
    [Type.packedFloat64]: [Float64Array, 1],
    [Type.packedVector2]: [Float32Array, 2, packed.PackedVector2Array],
    [Type.packedVector3]: [Float32Array, 3, packed.PackedVector3Array],
    [Type.packedColor]: [Float32Array, 4, packed.PackedColorArray],
    [Type.packedVector4]: [Float32Array, 4, packed.PackedVector4Array],
    [Type.packedVector2i]: [Int32Array, 2, packed.PackedVector2iArray],
    [Type.packedVector3i]: [Int32Array, 3, packed.PackedVector3iArray],
    [Type.packedVector4i]: [Int32Array, 4, packed.PackedVector4iArray],
};

function numbers(type: number, w: number): unknown {
    const [narrow, width, around] = PACKED[type]!;
    const typed = (i32[w]! & (WIDE << 8)) !== 0 ? Float64Array : narrow;
    const count = u32[w + 2]! * width;
    const at = u32[w + 1]! + 8;
    const place = packet.byteOffset + at;
    const made = place % typed.BYTES_PER_ELEMENT === 0
        ? new typed(packet.buffer, place, count)
        : new typed(packet.slice(at, at + count * typed.BYTES_PER_ELEMENT).buffer, 0, count);
    return around ? new around(made) : made;
}

function image(index: number): v.Image {
    instance.exports["gdvar_node_image"](instance.result, document, index);
    const at = instance.result >> 2;
    const data = u32[at + 4]! - base;
    return new v.Image(u32[at]!, u32[at + 1]!, u32[at + 2]!, u32[at + 3]!, packet.subarray(data, data + u32[at + 5]!));
}
function inputEvent(index: number): v.InputEvent {
    instance.exports["gdvar_node_input_event"](instance.result, document, index);
    const at = instance.result >> 2;
    const words = [u32[at + 2]!, u32[at + 3]!].slice(0, u32[at + 4]);
    return new v.InputEvent(u32[at]!, u32[at + 1]!, words);
}

// ---- containers ----

const KINDS = ["untyped", "builtin", "class_name", "script"] as const;

/** Whether a container surely has no types: they would stand between its count and its elements. */
function isPlain(node: number, count: number): boolean {
    return count > 0 && i32[((node + 1) << 2) + 1] === i32[(node << 2) + 1]! + 8;
}
/** The types of a container: [elements], or [keys, values]; undefined for none. */
function typesOf(node: number): [ContainerType, ContainerType] | undefined {
    const at = scratch;
    instance.exports["gdvar_node_types"](document, node - first, at, at + 12);
    const read = (word: number): ContainerType => ({
        kind: KINDS[u8[word << 2]!] ?? "untyped",
        type: TYPES[u8[(word << 2) + 1]!] ?? "Nil",
        name: longText(u32[word + 1]!, u32[word + 2]!),
    });
    const types: [ContainerType, ContainerType] = [read(at >> 2), read((at >> 2) + 3)];
    return types[0].kind === "untyped" && types[1].kind === "untyped" ? undefined : types;
}

function array(node: number, count: number): unknown[] {
    const isPacked = (i32[node << 2]! & 0xff) === Type.packedTyped;
    const types = isPacked || !isPlain(node, count) ? typesOf(node) : undefined;
    const items: unknown[] = [];
    for (let i = 0; i < count; ++i) items.push(value());
    if (isPacked) return PackedTypedArray.typed(items, types?.[0] ?? { kind: "untyped", type: "Nil", name: "" });
    return types === undefined ? items : GodotArray.typed(items, types[0]);
}

function object(w: number): unknown {
    const flags = i32[w]! >> 8;
    if ((flags & ID) !== 0) return new v.EncodedObjectAsID(bits(w));
    if ((flags & FULL) === 0) return new GodotObject("", new Dictionary());
    const className = nameOf((w >> 2) - first);
    const keys: unknown[] = [];
    const values: unknown[] = [];
    for (let i = i32[w + 2]!; i > 0; --i) {
        const name = next++ << 2;
        keys.push(text(base + i32[name + 1]! + 4, i32[name + 2]!));
        values.push(value());
    }
    return new GodotObject(className, new Dictionary<string, unknown>(new Shape(keys), values));
}

function dictionary(node: number, count: number): unknown {
    if (!isPlain(node, count)) {
        const types = typesOf(node);
        if (types !== undefined || count === 0) {
            const made = pairs(count);
            if (types === undefined) return makeDictionary(made[0], made[1]);
            const typed = new Dictionary(made[0], made[1]);
            [typed.keyType, typed.valueType] = types;
            return typed;
        }
    }
    const guess = count <= mostKeys && (i32[next << 2]! & 0xff) === Type.string ? guesses[guessFor(count)] : undefined;
    return guess === undefined ? unknownPairs(count) : guessedPairs(guess, count);
}
/** Keys and values one by one. */
function pairs(count: number): [Shape, unknown[]] {
    const keys: unknown[] = [];
    const values: unknown[] = [];
    for (let i = 0; i < count; ++i) {
        keys.push(value());
        values.push(value());
    }
    return [new Shape(keys), values];
}

// Dictionaries of records have the same keys again and again. The shape of the last one with as many pairs and as long a
// first key is tried first; another one is looked for by its keys.

/** The keys of a shape as a packet has them: their sizes, and their bytes in words, filled up with zeros. */
interface Wire {
    sizes: number[];
    words: number[];
}
const mostKeys = 128;
const guesses: (Shape | undefined)[] = new Array<undefined>(8192).fill(undefined);
const shapes = new Map<string, Shape>();
let keysInShapes = 0;

function guessFor(count: number): number {
    return ((i32[(next << 2) + 2]! & 63) << 7) | (count & 127);
}

function guessedPairs(shape: Shape, count: number): unknown {
    const { sizes, words } = shape.wire as Wire;
    const values = shape.blank!.slice();
    for (let i = 0, at = 0; i < count; ++i) {
        const w = next << 2;
        const size = i32[w + 2]!;
        let word = base + i32[w + 1]! + 8;
        if ((i32[w]! & 0xff) !== Type.string || size !== sizes[i] || (word & 3) !== 0) return missedPairs(shape, values, i, count);
        word >>= 2;
        const end = at + ((size + 3) >> 2);
        for (; at < end && words[at] === i32[word]; ++at) ++word;
        if (at !== end) return missedPairs(shape, values, i, count);
        ++next;
        values[i] = value();
    }
    return makeDictionary(shape, values);
}
/** The first `from` keys are those of the shape; the others must be looked at. */
function missedPairs(guess: Shape, values: unknown[], from: number, count: number): unknown {
    const keys = guess.keys.slice(0, from);
    for (let i = from; i < count; ++i) {
        keys.push(value());
        values[i] = value();
    }
    return makeDictionary(knownShape(keys), values);
}
function unknownPairs(count: number): unknown {
    const [shape, values] = pairs(count);
    return makeDictionary(count <= mostKeys ? knownShape(shape.keys) : shape, values);
}

/** The one shape of these keys, which is the next guess for Dictionaries like it. */
function knownShape(keys: unknown[]): Shape {
    for (const key of keys) if (typeof key !== "string") return new Shape(keys);
    const all = keys as string[];
    const name = JSON.stringify(all);
    let shape = shapes.get(name);
    if (shape === undefined) {
        // Foreign packets may have other keys each time.
        keysInShapes += all.length;
        if (keysInShapes > 65536) {
            shapes.clear();
            guesses.fill(undefined);
            keysInShapes = all.length;
        }
        shape = new Shape(keys);
        shape.wire = wireOf(all);
        shape.blank = all.map(() => undefined);
        shapes.set(name, shape);
    }
    const { sizes } = shape.wire as Wire;
    guesses[((sizes[0]! & 63) << 7) | (all.length & 127)] = shape;
    return shape;
}
function wireOf(keys: string[]): Wire {
    const sizes: number[] = [];
    const words: number[] = [];
    for (const key of keys) {
        const bytes = toUtf8.encode(key);
        const padded = new Uint8Array((bytes.length + 3) & ~3);
        padded.set(bytes);
        sizes.push(bytes.length);
        for (const word of new Int32Array(padded.buffer)) words.push(word);
    }
    return { sizes, words };
}

function dictionaryOf(shape: Shape, values: unknown[]): Dictionary {
    return new Dictionary(shape, values);
}
function mapOf(shape: Shape, values: unknown[]): unknown {
    const map = new Map<unknown, unknown>();
    for (let i = 0; i < values.length; ++i) map.set(shape.keys[i], values[i]);
    return map.size === values.length ? map : new Dictionary(shape, values);
}
function objectOf(shape: Shape, values: unknown[]): unknown {
    const result: Record<string, unknown> = {};
    const seen = new Set<string>();
    for (let i = 0; i < values.length; ++i) {
        const key = shape.keys[i];
        const isName = typeof key === "string" || typeof key === "number" || key instanceof v.StringName;
        const name = String(key);
        if (!isName || seen.has(name)) return new Dictionary(shape, values);
        seen.add(name);
        if (name === "__proto__") {
            Object.defineProperty(result, name, { value: values[i], enumerable: true, configurable: true, writable: true });
        } else {
            result[name] = values[i];
        }
    }
    return result;
}
