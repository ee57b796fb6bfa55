// JavaScript values as a packet: first as the array of items that gdvar_encode takes (gdvar.h), in the module's memory;
// the module checks them and writes the packet.
import { GodotArray, GodotObject, PackedStringArray, PackedTypedArray, UNTYPED, type ContainerType } from "./containers.js";
import { core, optionsOf } from "./core.js";
import { Dictionary, type Shape } from "./dictionary.js";
import type { GdvarError } from "./errors.js";
import type { PacketOptions } from "./options.js";
import * as packed from "./packed.js";
import { Type, TYPES } from "./types.js";
import * as v from "./values.js";
import { toUtf8, type Instance } from "./wasm.js";

export interface EncodeOptions extends PacketOptions {
    /** "safe": integral numbers are ints (the default). "float": all numbers are floats, and only bigints are ints. */
    numbers?: "safe" | "float";
}

const WIDE = 1;
const FULL = 2;
const ID = 4;
const TYPED = 8;
const ABSOLUTE = 16;
const PROPERTY = 32;
const UTF8 = 128;
const MOST_DEPTH = 1024;

// What is being written. A value is written without interruption, so that these need no object around them.
let instance: Instance;
let u8: Uint8Array;
let i32: Int32Array;
let f32: Float32Array;
let f64: Float64Array;
let i64: BigInt64Array;
let depth = 0;
let floatsAlone = false;
/** Where a second walk is, which is made when a value can't be written. */
let trail: string[] | undefined;

// Items, in units of 16 bytes.
let items = 0;
let item = 0;
let itemsEnd = 0;
// Texts and components: blocks that stay where they are until the packet is written.
const blocks: number[] = [];
const blockSize = 65536;
let data = 0;
let dataEnd = 0;
// The keys of shapes stay from packet to packet.
let keys = 0;
let keysUsed = 0;
let keysGeneration = 0;
const keysSize = 65536;

core.dropped.push(() => {
    items = itemsEnd = data = dataEnd = keys = 0;
    blocks.length = 0;
    ++keysGeneration;
});

/**
 * Writes a value as a packet: `var_to_bytes`, `put_var`.
 *
 * What becomes what: docs/javascript.md. A value that is no Variant (undefined, a function, an instance of a class of your
 * own) is refused, and so is an integral number beyond 2^53: it may be meant as an int (then it must be a bigint) or as a
 * float (then a Float). Errors: GdvarError with code and path.
 */
export function encode(value: unknown, options?: EncodeOptions): Uint8Array<ArrayBuffer> {
    return core.run((module) => {
        const settings = optionsOf(options);
        floatsAlone = options?.numbers === "float";
        begin(module);
        try {
            write(value);
        } catch (error) {
            if (!(error instanceof Unwritable)) throw error;
            throw explain(error, value);
        }
        const count = item - items;
        const { exports } = module;
        const code: number = exports["gdvar_encode"](items << 4, count, settings, module.buffer, module.error, module.path);
        module.refresh();
        end(module);
        if (code === 0) return module.takeBuffer();
        exports["gdvar_buffer_clear"](module.buffer);
        throw module.failure(module.takeText(module.path));
    });
}

// ---- memory ----

function begin(module: Instance): void {
    instance = module;
    depth = 0;
    trail = undefined;
    if (itemsEnd === 0) {
        items = module.alloc(1024 * 16) >>> 4;
        itemsEnd = items + 1024;
    }
    if (keys === 0) {
        keys = module.alloc(keysSize);
        keysUsed = 0;
        ++keysGeneration;
    }
    if (keysUsed > keysSize - 4096) {
        keysUsed = 0;
        ++keysGeneration;
    }
    item = items;
    if (blocks.length === 0) addBlock(blockSize);
    else {
        data = blocks[0]!;
        dataEnd = data + blockSize;
    }
    look();
}
function look(): void {
    ({ u8, i32, f32, f64, i64 } = instance);
}
/** Gives back what a large value has taken. */
function end(module: Instance): void {
    while (blocks.length > 1) module.free(blocks.pop()!);
    if (itemsEnd - items > 65536) {
        module.free(items << 4);
        items = itemsEnd = 0;
    }
}
function addBlock(size: number): void {
    data = instance.alloc(size);
    dataEnd = data + size;
    blocks.push(data);
    look();
}
/** Room for so many bytes, at an address divisible by 8. */
function room(size: number): number {
    data = (data + 7) & ~7;
    if (data + size > dataEnd) addBlock(Math.max(blockSize, size));
    const at = data;
    data += size;
    return at;
}
function growItems(): void {
    const size = itemsEnd - items;
    const bigger = instance.alloc(size * 2 * 16) >>> 4;
    look();
    u8.copyWithin(bigger << 4, items << 4, itemsEnd << 4);
    instance.free(items << 4);
    item = bigger + size;
    items = bigger;
    itemsEnd = bigger + size * 2;
}

/** An item; its `as` is left to the caller. Returns its place in words. */
function put(type: number, flags: number, count: number): number {
    if (item === itemsEnd) growItems();
    const w = item++ << 2;
    i32[w] = type | (flags << 8);
    i32[w + 1] = count;
    return w;
}
function putBits(type: number, flags: number, count: number, bits: bigint): void {
    if (BigInt.asUintN(64, bits) !== bits && BigInt.asIntN(64, bits) !== bits) throw new Unwritable("wrong_type", `${bits} does not fit 64 bits`);
    const w = put(type, flags, count);
    i64[(w >> 1) + 1] = BigInt.asIntN(64, bits);
}

// ---- values ----

/** A value that can't be written; where it is, a second walk finds out. */
class Unwritable {
    readonly code: string;
    readonly message: string;
    constructor(code: string, message: string) {
        this.code = code;
        this.message = message;
    }
}
function explain(error: Unwritable, value: unknown): GdvarError {
    trail = [];
    depth = 0;
    item = items;
    try {
        write(value);
    } catch (again) {
        if (!(again instanceof Unwritable)) throw again;
    }
    const path = "$" + trail.join("");
    trail = undefined;
    end(instance);
    return instance.refusal(error.code, `${error.message} at ${path}`, path);
}
function step(key: unknown): string {
    if (typeof key === "number") return `[${key}]`;
    const text = String(key);
    return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) ? `.${text}` : `[${JSON.stringify(text)}]`;
}

function write(value: unknown): void {
    switch (typeof value) {
        case "string":
            return putText(Type.string, value);
        case "number":
            return number(value);
        case "boolean": {
            const w = put(Type.bool, 0, 0);
            i32[w + 2] = value ? 1 : 0;
            i32[w + 3] = 0;
            return;
        }
        case "bigint":
            return bigint(value);
        case "object":
            if (value === null) {
                put(Type.nil, 0, 0);
                return;
            }
            return object(value);
        default:
            throw new Unwritable("wrong_type", `no Variant holds ${typeof value === "undefined" ? "undefined" : `a ${typeof value}`}`);
    }
}

function number(value: number): void {
    if (value % 1 !== 0 || floatsAlone) {
        const w = put(Type.float, 0, 0);
        f64[(w >> 1) + 1] = value;
        return;
    }
    if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) {
        throw new Unwritable("wrong_type", `${value} may be an int or a float: give a bigint or a Float`);
    }
    const w = put(Type.int, 0, 0);
    i32[w + 2] = value | 0;
    i32[w + 3] = Math.floor(value / 4294967296);
}
function bigint(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw new Unwritable("wrong_type", `${value} does not fit 64 bits`);
    putBits(Type.int, 0, 0, value);
}

function putText(type: number, text: string): void {
    const size = text.length;
    if (size > 64) return putLongText(type, text);
    let at = data;
    if (at + size > dataEnd) {
        addBlock(blockSize);
        at = data;
    }
    for (let i = 0; i < size; ++i) {
        const unit = text.charCodeAt(i);
        if (unit > 127) return putLongText(type, text);
        u8[at + i] = unit;
    }
    data = at + size;
    const w = put(type, UTF8, size);
    i32[w + 2] = at;
}
function putLongText(type: number, text: string): void {
    if (!isWellFormed(text)) throw new Unwritable("bad_utf8", "half of a surrogate pair in a text");
    const at = room(text.length * 3);
    const { written } = toUtf8.encodeInto(text, u8.subarray(at, at + text.length * 3));
    data = at + written;
    const w = put(type, 0, written);
    i32[w + 2] = at;
}
function isWellFormed(text: string): boolean {
    return !/\p{Surrogate}/u.test(text);
}

type Writer = (value: any) => void;
/** By the prototypes of values: an object may have a property of the name "constructor". */
const writers = new Map<unknown, Writer>();

function object(value: object): void {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Dictionary.prototype) return dictionary(value as Dictionary);
    if (prototype === Array.prototype) return array(value as unknown[]);
    const writer = writers.get(prototype) ?? inheritedWriter(value);
    if (writer === undefined) throw new Unwritable("wrong_type", `no Variant holds an object of the class ${className(value)}`);
    writer(value);
}
/** For instances of subclasses, and objects without a prototype. */
function inheritedWriter(value: object): Writer | undefined {
    if (Object.getPrototypeOf(value) === null) return plainObject;
    for (let type: unknown = Object.getPrototypeOf(value); type !== null; type = Object.getPrototypeOf(type)) {
        const writer = writers.get(type);
        // Whatever has a class of its own is no plain object.
        if (writer !== undefined) return writer === plainObject ? undefined : writer;
    }
    return undefined;
}
function className(value: object): string {
    const { constructor } = Object.getPrototypeOf(value) ?? {};
    return typeof constructor === "function" ? constructor.name : "?";
}

// ---- containers ----

function open(): void {
    if (++depth > MOST_DEPTH) throw new Unwritable("depth_limit", `more than ${MOST_DEPTH} containers in each other`);
}
function child(key: unknown, value: unknown): void {
    if (trail === undefined) return write(value);
    trail.push(step(key));
    write(value);
    trail.pop();
}

function array(value: unknown[]): void {
    open();
    put(Type.array, 0, value.length);
    if (trail === undefined) for (let i = 0; i < value.length; ++i) write(value[i]);
    else for (let i = 0; i < value.length; ++i) child(i, value[i]);
    --depth;
}
function typedArray(value: GodotArray): void {
    if (value.type.kind === "untyped") return array(value);
    open();
    put(Type.array, TYPED, value.length);
    putType(value.type);
    for (let i = 0; i < value.length; ++i) child(i, value[i]);
    --depth;
}
function packedTyped(value: PackedTypedArray): void {
    open();
    put(Type.packedTyped, TYPED, value.length);
    putType(value.type);
    for (let i = 0; i < value.length; ++i) child(i, value[i]);
    --depth;
}
const KINDS = ["untyped", "builtin", "class_name", "script"];
function putType(type: ContainerType): void {
    const kind = KINDS.indexOf(type.kind);
    const number = TYPES.indexOf(type.type as never);
    if (kind < 0 || number < 0) throw new Unwritable("bad_container_type", `no container has a type ${JSON.stringify(type)}`);
    const before = item;
    putText(number, type.name);
    i32[before << 2] = number | (kind << 8);
}

/** What a shape's keys are in the module's memory. */
interface Written {
    generation: number;
    at: number[];
    size: number[];
}
function dictionary(value: Dictionary): void {
    const { shape, values } = Dictionary.parts(value);
    open();
    const typed = value.keyType !== undefined || value.valueType !== undefined;
    put(Type.dictionary, typed ? TYPED : 0, values.length);
    if (typed) {
        putType(value.keyType ?? UNTYPED);
        putType(value.valueType ?? UNTYPED);
    }
    const written = shape.wire === undefined || trail !== undefined ? undefined : writtenKeys(shape);
    if (written === undefined) {
        for (let i = 0; i < values.length; ++i) {
            child(shape.keys[i], shape.keys[i]);
            child(shape.keys[i], values[i]);
        }
    } else {
        const { at, size } = written;
        for (let i = 0; i < values.length; ++i) {
            const w = put(Type.string, UTF8, size[i]!);
            i32[w + 2] = at[i]!;
            write(values[i]);
        }
    }
    --depth;
}
function writtenKeys(shape: Shape): Written | undefined {
    const known = shape.written as Written | undefined;
    if (known !== undefined && known.generation === keysGeneration) return known;
    const written: Written = { generation: keysGeneration, at: [], size: [] };
    for (const key of shape.keys as string[]) {
        const bytes = toUtf8.encode(key);
        // The next packet begins anew.
        if (keysUsed + bytes.length > keysSize) return undefined;
        u8.set(bytes, keys + keysUsed);
        written.at.push(keys + keysUsed);
        written.size.push(bytes.length);
        keysUsed += bytes.length;
    }
    shape.written = written;
    return written;
}
function map(value: Map<unknown, unknown>): void {
    open();
    put(Type.dictionary, 0, value.size);
    for (const [key, of] of value) {
        child(key, key);
        child(key, of);
    }
    --depth;
}
function plainObject(value: Record<string, unknown>): void {
    open();
    const names = Object.keys(value);
    put(Type.dictionary, 0, names.length);
    for (const name of names) {
        putText(Type.string, name);
        child(name, value[name]);
    }
    --depth;
}

function godotObject(value: GodotObject): void {
    if (value.className === "") {
        put(Type.object, 0, 0);
        return;
    }
    open();
    put(Type.object, FULL, value.properties.size);
    putText(Type.string, value.className);
    for (const [name, of] of value.properties) {
        putText(Type.string, name);
        child(name, of);
    }
    --depth;
}

// ---- numbers ----

function mathWriter(type: number, wide: boolean, numbers: (value: any) => number[], ints = false): Writer {
    return (value) => {
        const list = numbers(value);
        for (const number of list) {
            if (typeof number !== "number") throw new Unwritable("wrong_type", `a ${TYPES[type]} has numbers, not ${typeof number}`);
            if (ints && (number | 0) !== number) throw new Unwritable("wrong_type", `${number} is no 32-bit int`);
        }
        const at = room(list.length * (wide ? 8 : 4));
        if (wide) f64.set(list, at >> 3);
        else if (ints) i32.set(list, at >> 2);
        else f32.set(list, at >> 2);
        const w = put(type, wide ? WIDE : 0, 0);
        i32[w + 2] = at;
    };
}
const of2 = (n: v.Vector2 | v.Vector2i) => [n.x, n.y];
const of3 = (n: v.Vector3 | v.Vector3i) => [n.x, n.y, n.z];
const of4 = (n: v.Vector4 | v.Vector4i | v.Quaternion) => [n.x, n.y, n.z, n.w];
const ofColor = (n: v.Color) => [n.r, n.g, n.b, n.a];
const ofRect2 = (n: v.Rect2 | v.Rect2i) => [...of2(n.position), ...of2(n.size)];
const ofPlane = (n: v.Plane) => [...of3(n.normal), n.d];
const ofAabb = (n: v.AABB) => [...of3(n.position), ...of3(n.size)];
const ofTransform2d = (n: v.Transform2D) => [...of2(n.x), ...of2(n.y), ...of2(n.origin)];
const ofBasis = (n: v.Basis) => [...of3(n.row0), ...of3(n.row1), ...of3(n.row2)];
const ofTransform3d = (n: v.Transform3D) => [...ofBasis(n.basis), ...of3(n.origin)];
const ofProjection = (n: v.Projection) => [...of4(n.x), ...of4(n.y), ...of4(n.z), ...of4(n.w)];

type Class = abstract new (...given: any[]) => object;
const MATH: readonly [number, Class, Class | undefined, (value: any) => number[]][] = [
    [Type.vector2, v.Vector2, v.Vector2d, of2],
    [Type.vector2i, v.Vector2i, undefined, of2],
    [Type.rect2, v.Rect2, v.Rect2d, ofRect2],
    [Type.rect2i, v.Rect2i, undefined, ofRect2],
    [Type.vector3, v.Vector3, v.Vector3d, of3],
    [Type.vector3i, v.Vector3i, undefined, of3],
    [Type.transform2d, v.Transform2D, v.Transform2Dd, ofTransform2d],
    [Type.vector4, v.Vector4, v.Vector4d, of4],
    [Type.vector4i, v.Vector4i, undefined, of4],
    [Type.plane, v.Plane, v.Planed, ofPlane],
    [Type.quaternion, v.Quaternion, v.Quaterniond, of4],
    [Type.aabb, v.AABB, v.AABBd, ofAabb],
    [Type.basis, v.Basis, v.Basisd, ofBasis],
    [Type.transform3d, v.Transform3D, v.Transform3Dd, ofTransform3d],
    [Type.projection, v.Projection, v.Projectiond, ofProjection],
    [Type.color, v.Color, v.Colord, ofColor],
];
for (const [type, narrow, wide, numbers] of MATH) {
    writers.set(narrow.prototype, mathWriter(type, false, numbers, wide === undefined));
    if (wide !== undefined) writers.set(wide.prototype, mathWriter(type, true, numbers));
}
// The most frequent ones, without an array between.
writers.set(v.Vector2.prototype, (value: v.Vector2) => {
    const at = room(8);
    f32[at >> 2] = coordinate(value.x);
    f32[(at >> 2) + 1] = coordinate(value.y);
    const w = put(Type.vector2, 0, 0);
    i32[w + 2] = at;
});
writers.set(v.Vector3.prototype, (value: v.Vector3) => {
    const at = room(12);
    f32[at >> 2] = coordinate(value.x);
    f32[(at >> 2) + 1] = coordinate(value.y);
    f32[(at >> 2) + 2] = coordinate(value.z);
    const w = put(Type.vector3, 0, 0);
    i32[w + 2] = at;
});
function coordinate(value: number): number {
    if (typeof value !== "number") throw new Unwritable("wrong_type", `a vector has numbers, not ${typeof value}`);
    return value;
}

function packedWriter(type: number, width: number): Writer {
    return (value: ArrayBufferView & { length: number }) => {
        const at = room(value.byteLength);
        u8.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), at);
        const wide = value instanceof Float64Array && type !== Type.packedFloat64;
        const w = put(type, wide ? WIDE : 0, value.length / width);
        i32[w + 2] = at;
    };
}
const ARRAYS: readonly [Class, number][] = [
    [Uint8Array, Type.packedByte],
    [Int32Array, Type.packedInt32],
    [BigInt64Array, Type.packedInt64],
    [Float32Array, Type.packedFloat32],
    [Float64Array, Type.packedFloat64],
];
for (const [of, type] of ARRAYS) writers.set(of.prototype, packedWriter(type, 1));
const VECTORS: readonly [Class, number, number][] = [
    [packed.PackedVector2Array, Type.packedVector2, 2],
    [packed.PackedVector3Array, Type.packedVector3, 3],
    [packed.PackedVector4Array, Type.packedVector4, 4],
    [packed.PackedColorArray, Type.packedColor, 4],
    [packed.PackedVector2iArray, Type.packedVector2i, 2],
    [packed.PackedVector3iArray, Type.packedVector3i, 3],
    [packed.PackedVector4iArray, Type.packedVector4i, 4],
];
for (const [of, type, width] of VECTORS) {
    const writer = packedWriter(type, width);
    writers.set(of.prototype, (value: packed.PackedMathArray<unknown>) => {
        if (value.components.length % width !== 0) throw new Unwritable("wrong_type", `${value.components.length} components for elements of ${width}`);
        writer(value.components);
    });
}

// ---- the rest ----

function packedStrings(value: PackedStringArray): void {
    put(Type.packedString, 0, value.length);
    for (let i = 0; i < value.length; ++i) {
        const text = value[i];
        if (typeof text !== "string") child(i, undefined);
        else putText(Type.string, text);
    }
}
function nodePath(value: v.NodePath): void {
    const flags = (value.absolute ? ABSOLUTE : 0) | (value.separateProperty ? PROPERTY : 0);
    putBits(Type.nodePath, flags, value.names.length + value.subnames.length, BigInt(value.subnames.length));
    for (const name of value.names) putText(Type.string, name);
    for (const name of value.subnames) putText(Type.string, name);
}
function float(value: v.Float): void {
    const w = put(Type.float, 0, 0);
    if (value.bits !== undefined) i64[(w >> 1) + 1] = BigInt.asIntN(64, value.bits);
    else f64[(w >> 1) + 1] = value.value;
}
function word(value: number): number {
    if (value >>> 0 !== value) throw new Unwritable("wrong_type", `${value} is no number from 0 to 2^32 - 1`);
    return value;
}
function image(value: v.Image): void {
    const bytes = room(value.data.length);
    u8.set(value.data, bytes);
    const at = room(24);
    i32.set([value.format, value.mipmaps, value.width, value.height].map(word), at >> 2);
    i32.set([bytes, value.data.length], (at >> 2) + 4);
    i32[put(Type.image, 0, 0) + 2] = at;
}
function inputEvent(value: v.InputEvent): void {
    const at = room(20);
    i32.set([value.type, value.device, value.words[0] ?? 0, value.words[1] ?? 0, value.words.length].map(word), at >> 2);
    i32[put(Type.inputEvent, 0, 0) + 2] = at;
}
function signal(value: v.Signal): void {
    putBits(Type.signal, 0, 0, value.objectId);
    putText(Type.string, value.name);
}

const REST: readonly [Class, Writer][] = [
    [Object as unknown as Class, plainObject],
    [Map, map],
    [Dictionary, dictionary],
    [Array, array],
    [GodotArray, typedArray],
    [PackedTypedArray, packedTyped],
    [PackedStringArray, packedStrings],
    [GodotObject, godotObject],
    [v.Float, float],
    [v.StringName, (value: v.StringName) => putText(Type.stringName, value.text)],
    [v.NodePath, nodePath],
    [v.RID, (value: v.RID) => putBits(Type.rid, 0, 0, value.id)],
    [v.Callable, () => void put(Type.callable, 0, 0)],
    [v.Signal, signal],
    [v.EncodedObjectAsID, (value: v.EncodedObjectAsID) => putBits(Type.object, ID, 0, value.id)],
    [v.Image, image],
    [v.InputEvent, inputEvent],
];
for (const [of, writer] of REST) writers.set(of.prototype, writer);
