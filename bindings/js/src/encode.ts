// JavaScript values as a packet: first as the array of items of gdvar_encode (gdvar.h), in the module's memory; the module
// checks them and writes the packet.
import { NOT_CLONED } from "./cloning.js";
import { CONTAINER, CONTAINER_KINDS, GodotArray, GodotObject, PackedStringArray, PackedTypedArray, UNTYPED, type ContainerType } from "./containers.js";
import { core, optionsOf } from "./core.js";
import { Dictionary, type Shape } from "./dictionary.js";
import type { ErrorCode, GdvarError } from "./errors.js";
import { MATH, PACKED, type Class, type Packed } from "./math.js";
import { writeNaNs, writeOwnNaN } from "./nans.js";
import { checkOptions, PACKET_NAMES, type Names, type PacketOptions } from "./options.js";
import type { PackedMathArray } from "./packed.js";
import { builtinClass, hasItsBytes, typedArrayName } from "./realm.js";
import { ItemFlags, OptionsInit, Type, TYPES } from "./interface.js";
import * as v from "./values.js";
import type { Encodable } from "./variant.js";
import { bufferMethod, isEscaped, isWellFormed, toUtf8 } from "./utf8.js";
import { LOST_BYTES, outOfMemory, type Instance } from "./wasm.js";

export interface EncodeOptions extends PacketOptions {
    /** "safe": integral numbers are ints (the default). "float": all numbers are floats, and only bigints are ints. */
    numbers?: "safe" | "float";
}

/** @internal */
export const ENCODE_NAMES: Names<EncodeOptions> = { ...PACKET_NAMES, numbers: true };

/** A flag of packed arrays, for this module alone (bindings/c/src/encode.cpp). */
const LEFT_OUT = ItemFlags.id;

// The state of writing. A value is written without interruption, so no object around them is needed.
let instance: Instance;
let u8: Uint8Array;
let i32: Int32Array;
let f32: Float32Array;
let f64: Float64Array;
let u32: Uint32Array;
let i64: BigInt64Array;
let depth = 0;
let floatsAlone = false;
/** The path of a second walk, made if a value can't be written, and the objects on it. */
let trail: string[] | undefined;
const around = new Set<object>();

// Items, in units of 16 bytes.
let items = 0;
let item = 0;
let itemsEnd = 0;
// Texts and components: blocks that do not move until the packet is written.
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
    items = itemsEnd = data = dataEnd = keys = unitsAt = 0;
    blocks.length = 0;
    ++keysGeneration;
});

/**
 * Writes a value as a packet: `var_to_bytes`, `put_var`.
 *
 * docs/javascript.md lists the types. A value that is not a Variant (undefined, a function, an instance of a class of your own)
 * is refused, and so is an integral number beyond 2^53: it may be meant as an int (then use a bigint) or as a float (then a
 * Float). Errors: GdvarError with code and path.
 */
export function encode(value: Encodable, options?: EncodeOptions): Uint8Array<ArrayBuffer> {
    checkOptions(options, ENCODE_NAMES);
    return encodeWith(value, options);
}
/** The same, with options that may include others. @internal */
export function encodeWith(value: unknown, options: EncodeOptions | undefined): Uint8Array<ArrayBuffer> {
    return core.run((module) => {
        const settings = optionsOf(options);
        const numbers = options?.numbers ?? "safe";
        if (numbers !== "safe" && numbers !== "float") throw module.refusal("bad_option", `numbers is safe or float, not ${String(numbers)}`);
        floatsAlone = numbers === "float";
        mayLeaveOut = true;
        if (!tryToWrite(module, value, settings)) {
            if (leftOut.length > 0) {
                // The value's path is found from the bytes before it, of which none may be left out.
                module.exports["gdvar_buffer_clear"](module.path);
                mayLeaveOut = false;
                if (tryToWrite(module, value, settings)) {
                    module.exports["gdvar_buffer_clear"](module.buffer);
                    throw module.refusal("misplaced", "the value has changed while it was written");
                }
            }
            throw module.failure(module.takeText(module.path));
        }
        if (leftOut.length === 0) return module.takeBuffer();
        try {
            return whole(module);
        } finally {
            leftOut = [];
            module.exports["gdvar_buffer_clear"](module.buffer);
        }
    });
}
function tryToWrite(module: Instance, value: unknown, settings: number): boolean {
    begin(module);
    try {
        write(value);
    } catch (error) {
        // After a trap there is no instance whose memory could be freed.
        if (error instanceof WebAssembly.RuntimeError) throw error;
        try {
            throw error instanceof Unwritable ? explain(error, value) : error;
        } finally {
            end(module);
        }
    }
    const { exports } = module;
    const code: number = exports["gdvar_encode"](items * 16, item - items, settings, module.buffer, module.error, module.path);
    module.refresh();
    if (code !== 0) exports["gdvar_buffer_clear"](module.buffer);
    else for (const part of leftOut) part.place = module.u32[part.place >>> 2]!;
    end(module);
    return code === 0;
}

// ---- parts left out ----

// The components of large packed arrays are not copied to the module and back: it writes everything else, and reports their
// places.
const WORTH_IT = 4096;
const TOO_LARGE = 1 << 30;
let mayLeaveOut = true;
interface LeftOut {
    bytes: Uint8Array;
    /** The number of bytes: bytes that a getter removes afterwards would leave a gap. */
    size: number;
    /** Their place among the written bytes; before that, the address where the module will report it. */
    place: number;
}
let leftOut: LeftOut[] = [];

/** The content of the module's buffer, with the parts left out. */
function whole(module: Instance): Uint8Array<ArrayBuffer> {
    const { exports, result, buffer } = module;
    if (leftOut.some(({ bytes, size }) => bytes.length !== size)) {
        throw module.refusal("misplaced", "a packed array lost its bytes while it was written");
    }
    exports["gdvar_buffer_bytes"](result, buffer);
    module.refresh();
    const at = module.u32[result >>> 2]!;
    const written = module.u8.subarray(at, at + module.u32[(result >>> 2) + 1]!);
    const made = uncleared(leftOut.reduce((sum, { size }) => sum + ((size + 3) & ~3), written.length));
    let from = 0;
    let to = 0;
    for (const { bytes, size, place } of leftOut) {
        made.set(written.subarray(from, place), to);
        to += place - from;
        made.set(bytes, to);
        to += size;
        for (let padding = -size & 3; padding > 0; --padding) made[to++] = 0;
        from = place;
    }
    made.set(written.subarray(from), to);
    return made;
}

/** Memory that will be overwritten completely: Node need not clear it first. */
function uncleared(size: number): Uint8Array<ArrayBuffer> {
    const { Buffer } = globalThis as { Buffer?: { allocUnsafeSlow?: (size: number) => Uint8Array<ArrayBuffer> } };
    try {
        const { buffer, byteOffset } = Buffer?.allocUnsafeSlow?.(size) ?? new Uint8Array(size);
        return new Uint8Array(buffer, byteOffset, size);
    } catch {
        throw outOfMemory();
    }
}

// ---- memory ----

function begin(module: Instance): void {
    instance = module;
    depth = 0;
    trail = undefined;
    if (leftOut.length > 0) leftOut = [];
    if (itemsEnd === 0) {
        items = module.alloc(1024 * 16) >>> 4;
        itemsEnd = items + 1024;
    }
    if (unitsAt === 0) unitsAt = module.alloc(2 * LONGEST_AS_UNITS + 16);
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
    ({ u8, i32, u32, f32, f64, i64 } = instance);
}
/** Frees the memory of a large value. */
function end(module: Instance): void {
    while (blocks.length > 1) module.free(blocks.pop()!);
    if (itemsEnd - items > 65536) {
        module.free(items * 16);
        items = itemsEnd = 0;
    }
}
function addBlock(size: number): void {
    data = instance.alloc(size);
    dataEnd = data + size;
    blocks.push(data);
    look();
}
/** Reserves that many bytes, at an address divisible by 8. */
function reserve(size: number): number {
    // An invalid size would lead out of the block.
    if (!(size >= 0)) throw new Unwritable("wrong_type", "bytes must be a Uint8Array");
    data += -data & 7;
    if (data + size > dataEnd) addBlock(Math.max(blockSize, size));
    const at = data;
    data += size;
    return at;
}
/** Makes room for `more` items. */
function growItems(more = 1): void {
    const used = item - items;
    let size = itemsEnd - items;
    while (size < used + more) size *= 2;
    const bigger = instance.alloc(size * 16) >>> 4;
    look();
    u8.copyWithin(bigger * 16, items * 16, item * 16);
    instance.free(items * 16);
    item = bigger + used;
    items = bigger;
    itemsEnd = bigger + size;
}

/** Adds an item; the caller fills in its `as`. Returns its place in words. */
function put(type: number, flags: number, count: number): number {
    if (item === itemsEnd) growItems();
    const w = item++ << 2;
    i32[w] = type | (flags << 8);
    i32[w + 1] = count;
    return w;
}
function putBits(type: number, flags: number, count: number, bits: bigint): void {
    if (typeof bits !== "bigint") throw new Unwritable("wrong_type", `an id is a bigint, not ${said(bits)}`);
    if (BigInt.asUintN(64, bits) !== bits && BigInt.asIntN(64, bits) !== bits) throw new Unwritable("wrong_type", `${bits} does not fit 64 bits`);
    const w = put(type, flags, count);
    i64[(w >> 1) + 1] = BigInt.asIntN(64, bits);
}

// ---- values ----

/** A value that can't be written; a second walk finds its path. */
class Unwritable {
    constructor(readonly code: ErrorCode, readonly message: string) {}
}
function explain(error: Unwritable, value: unknown): GdvarError {
    trail = [];
    depth = 0;
    item = items;
    try {
        write(value);
    } catch (again) {
        if (!(again instanceof Unwritable)) throw again;
        error = again;
    } finally {
        around.clear();
    }
    const path = shortened("$" + trail.join(""));
    trail = undefined;
    return instance.refusal(error.code, `${error.message} at ${path}`, path);
}
const MOST_PATH = 300;
/** Both ends of a long path, as the library's `shortened_path`; of no character only a half. */
function shortened(path: string): string {
    if (path.length <= MOST_PATH) return path;
    const half = (MOST_PATH - 3) / 2;
    const head = path.slice(0, Math.floor(half)).replace(/[\ud800-\udbff]$/, "");
    return `${head}...${path.slice(-Math.ceil(half)).replace(/^[\udc00-\udfff]/, "")}`;
}
/** "a number", "undefined", "an object": for messages. */
const said = (value: unknown) => (value === undefined || value === null ? String(value) : `${typeof value === "object" ? "an" : "a"} ${typeof value}`);
function step(key: unknown): string {
    // An object may have no text: its class name must do.
    if (typeof key === "object" && key !== null && !(key instanceof v.StringName)) return `[${className(key)}]`;
    if (typeof key !== "string" && typeof key !== "object") return `[${String(key)}]`;
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
            if (value === NOT_CLONED) throw new Unwritable("wrong_type", "these are the properties of a value of gdvar without its class: give the value");
            throw new Unwritable("wrong_type", `no Variant holds ${typeof value === "undefined" ? "undefined" : `a ${typeof value}`}`);
    }
}

function number(value: number): void {
    // Numbers that are not integral, NaN and infinities included.
    if (Math.trunc(value) !== value || value - value !== 0 || floatsAlone) {
        const w = put(Type.float, 0, 0);
        f64[(w >> 1) + 1] = value;
        if (value !== value) writeOwnNaN(u32, w + 2, true);
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
    if (typeof text !== "string") throw new Unwritable("wrong_type", `a text must be a string, not ${said(text)}`);
    const size = text.length;
    if (size > mostOneByOne) return putLongText(type, text);
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
    const w = put(type, ItemFlags.utf8, size);
    i32[w + 2] = at;
}
function putLongText(type: number, text: string): void {
    const size = text.length;
    const at = reserve(size * 3 + 8);
    const written = units !== undefined && size <= LONGEST_AS_UNITS ? throughUnits(text, size, at) : throughEncoder(text, size, at);
    if (written < 0) return putEscapedText(type, text);
    data = at + written;
    const w = put(type, ItemFlags.utf8, written);
    i32[w + 2] = at;
}
/** Bytes that are not UTF-8 (utf8.ts): the module checks them by the dialect's rule. */
function putEscapedText(type: number, text: string): void {
    if (!isEscaped(text)) throw new Unwritable("bad_utf8", "the text has half of a surrogate pair");
    const at = reserve(text.length * 3);
    const { written } = toUtf8.encodeInto(text, u8.subarray(at, at + text.length * 3));
    data = at + written;
    const w = put(type, 0, written);
    i32[w + 2] = at;
}
/** Node copies UTF-16 faster than it converts it, and the module converts it. */
function throughUnits(text: string, size: number, at: number): number {
    units!.call(u8, text, unitsAt, 2 * size);
    return instance.exports["gdvar_to_utf8"](unitsAt, size, at);
}
function throughEncoder(text: string, size: number, at: number): number {
    return isWellFormed(text) ? toUtf8.encodeInto(text, u8.subarray(at, at + size * 3), true).written : -1;
}
const LONGEST_AS_UNITS = 4096;
let unitsAt = 0;
const units = bufferMethod<(this: Uint8Array, text: string, at: number, size: number) => number>("ucs2Write", (write) => {
    const bytes = new Uint8Array(6);
    return write.call(bytes, "\u017b\u5317", 2, 4) === 4 && bytes.join() === "0,0,123,1,23,83";
});
/** So many characters, one by one, take as long as a call. */
const mostOneByOne = units === undefined ? 64 : 16;

type Writer = (value: any) => void;
/** By prototype: an object may have a property named "constructor". */
const writers = new Map<unknown, Writer>();

function object(value: object): void {
    if (trail === undefined) return writeObject(value);
    if (around.has(value)) throw new Unwritable("depth_limit", "a value inside itself");
    around.add(value);
    writeObject(value);
    around.delete(value);
}
function writeObject(value: object): void {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === v.Float.prototype) return float(value as v.Float);
    if (prototype === Dictionary.prototype) return dictionary(value as Dictionary);
    if (prototype === Array.prototype) return array(value as unknown[]);
    const writer = writers.get(prototype) ?? inheritedWriter(value);
    if (writer === undefined) {
        const from = isForeign(value) ? " of another copy of gdvar" : "";
        throw new Unwritable("wrong_type", `no Variant holds an object of the class ${className(value)}${from}`);
    }
    writer(value);
}
/** For instances of subclasses, objects without a prototype, and objects from another window or `vm` context. */
function inheritedWriter(value: object): Writer | undefined {
    const prototype: object | null = Object.getPrototypeOf(value);
    if (prototype === null) return plainObject;
    if (isForeign(value)) return undefined;
    for (let type: unknown = prototype; type !== null; type = Object.getPrototypeOf(type)) {
        const writer = writers.get(type);
        // An instance of a class is not a plain object.
        if (writer !== undefined) return writer === plainObject ? undefined : writer;
    }
    const name = builtinClass(value);
    return name === undefined ? undefined : foreignWriters.get(name);
}
/** A container of another copy of this package: as an array or a Map it would lose its types. */
function isForeign(value: object): boolean {
    return CONTAINER in value && ![Dictionary, GodotArray, PackedStringArray].some((ours) => value instanceof ours);
}
function className(value: object): string {
    const { constructor } = Object.getPrototypeOf(value) ?? {};
    return typeof constructor === "function" ? constructor.name : "Object";
}

// ---- containers ----

function open(): void {
    if (++depth > OptionsInit.maxDepth) throw new Unwritable("depth_limit", `more than ${OptionsInit.maxDepth} nested containers`);
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
    elements(value);
    --depth;
}
function elements(value: unknown[]): void {
    const count = value.length;
    if (trail === undefined) for (let i = floatsOf(value, count); i < count; ++i) write(value[i]);
    else for (let i = 0; i < count; ++i) child(i, value[i]);
    mustStay(value.length === count);
}
/** Writes the first elements as long as they are floats, and says how many: as `number` does, without an object for each. */
function floatsOf(value: unknown[], count: number): number {
    let i = 0;
    while (i < count && typeof value[i] === "number") {
        // An array with holes may be of any length.
        const end = Math.min(count, i + 65536);
        if (itemsEnd - item < end - i) growItems(end - i);
        const [words, doubles, start] = [i32, f64, item - i];
        for (; i < end; ++i) {
            const float = value[i];
            if (typeof float !== "number" || Math.trunc(float) === float || float - float !== 0) break;
            words[(start + i) << 2] = Type.float;
            words[((start + i) << 2) + 1] = 0;
            doubles[((start + i) << 1) + 1] = float;
        }
        item = start + i;
        if (i < end) break;
    }
    return i;
}
/** A getter may have changed the container whose count has been written. */
function mustStay(isSame: boolean): void {
    if (!isSame) throw new Unwritable("misplaced", "a container has changed while it was written");
}
function typedArray(value: GodotArray): void {
    if (value.type?.kind === "untyped") return array(value);
    open();
    put(Type.array, ItemFlags.typed, value.length);
    putType(value.type);
    elements(value);
    --depth;
}
function packedTyped(value: PackedTypedArray): void {
    open();
    put(Type.packedTypedArray, ItemFlags.typed, value.length);
    putType(value.type);
    elements(value);
    --depth;
}
function putType(type: ContainerType): void {
    const kind = CONTAINER_KINDS.indexOf(type?.kind);
    const number = TYPES.indexOf(type?.type as never);
    if (kind < 0 || number < 0) throw new Unwritable("bad_container_type", `no container has a type ${String(type?.type)} of kind ${String(type?.kind)}`);
    putText(number, type.name);
    // The items may have moved with that one.
    i32[(item - 1) << 2] = number | (kind << 8);
}

/** A shape's keys in the module's memory. */
interface Written {
    generation: number;
    at: number[];
    size: number[];
}
function dictionary(value: Dictionary): void {
    const { shape, values } = Dictionary.parts(value);
    open();
    const typed = value.keyType !== undefined || value.valueType !== undefined;
    put(Type.dictionary, typed ? ItemFlags.typed : 0, values.length);
    if (typed) {
        putType(value.keyType ?? UNTYPED);
        putType(value.valueType ?? UNTYPED);
    }
    const count = values.length;
    const written = shape.wire === undefined || trail !== undefined ? undefined : writtenKeys(shape);
    if (written === undefined) {
        for (let i = 0; i < count; ++i) {
            child(shape.keys[i], shape.keys[i]);
            child(shape.keys[i], values[i]);
        }
    } else {
        const { at, size } = written;
        for (let i = 0; i < count; ++i) {
            const w = put(Type.string, ItemFlags.utf8, size[i]!);
            i32[w + 2] = at[i]!;
            write(values[i]);
        }
    }
    // Removing pairs replaces its lists.
    mustStay(values.length === count && value.valueList === values);
    --depth;
}
function writtenKeys(shape: Shape): Written | undefined {
    const known = shape.written as Written | undefined;
    if (known !== undefined && known.generation === keysGeneration) return known;
    const written: Written = { generation: keysGeneration, at: [], size: [] };
    for (const key of shape.keys as string[]) {
        // The module must check it.
        if (!isWellFormed(key)) return undefined;
        const bytes = toUtf8.encode(key);
        // The next packet starts over.
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
    const count = value.size;
    put(Type.dictionary, 0, count);
    let written = 0;
    for (const [key, of] of value) {
        if (++written > count) break;
        child(key, key);
        child(key, of);
    }
    mustStay(written === count);
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
    const { properties } = value;
    if (!(properties instanceof Map)) throw new Unwritable("wrong_type", `the properties of a GodotObject are a Dictionary, not ${said(properties)}`);
    open();
    const count = properties.size;
    put(Type.object, ItemFlags.full, count);
    putText(Type.string, value.className);
    let written = 0;
    for (const [name, of] of properties) {
        if (++written > count) break;
        putText(Type.string, name);
        child(name, of);
    }
    mustStay(written === count);
    --depth;
}

// ---- numbers ----

/** The components of the current value. */
const stage = new Float64Array(16);
function component(value: number): number {
    if (typeof value !== "number") throw new Unwritable("wrong_type", `components are numbers, not ${typeof value}`);
    return value;
}
/** Puts the components of a value into `stage`, from a place on; returns the place behind them. */
type Stage = (value: any, i: number) => number;

function mathWriter(type: number, wide: boolean, numbers: Stage, ints = false): Writer {
    return (value) => {
        const count = numbers(value, 0);
        const at = reserve(count * (wide ? 8 : 4));
        let sum = 0;
        for (let i = 0; i < count; ++i) {
            const number = stage[i]!;
            if (wide) f64[(at >>> 3) + i] = number;
            else if (ints) i32[(at >>> 2) + i] = int(number);
            else f32[(at >>> 2) + i] = number;
            sum += number;
        }
        // The sum of infinities of both signs is NaN, too: `writeNaNs` checks each component.
        if (sum !== sum) writeNaNs(value, u32, at >>> 2, count, wide);
        const w = put(type, wide ? ItemFlags.wide : 0, 0);
        i32[w + 2] = at;
    };
}
function int(value: number): number {
    if ((value | 0) !== value) throw new Unwritable("wrong_type", `${value} is not a 32-bit int`);
    return value;
}
const of2 = (n: v.Vector2 | v.Vector2i, i: number) => {
    stage[i] = component(n?.x);
    stage[i + 1] = component(n?.y);
    return i + 2;
};
const of3 = (n: v.Vector3 | v.Vector3i, i: number) => {
    stage[i] = component(n?.x);
    stage[i + 1] = component(n?.y);
    stage[i + 2] = component(n?.z);
    return i + 3;
};
const of4 = (n: v.Vector4 | v.Vector4i | v.Quaternion, i: number) => {
    stage[i] = component(n?.x);
    stage[i + 1] = component(n?.y);
    stage[i + 2] = component(n?.z);
    stage[i + 3] = component(n?.w);
    return i + 4;
};
const ofColor = (n: v.Color, i: number) => {
    stage[i] = component(n?.r);
    stage[i + 1] = component(n?.g);
    stage[i + 2] = component(n?.b);
    stage[i + 3] = component(n?.a);
    return i + 4;
};
const ofRect2 = (n: v.Rect2 | v.Rect2i, i: number) => of2(n?.size, of2(n?.position, i));
const ofPlane = (n: v.Plane, i: number) => {
    const d = of3(n?.normal, i);
    stage[d] = component(n?.d);
    return d + 1;
};
const ofAabb = (n: v.AABB, i: number) => of3(n?.size, of3(n?.position, i));
const ofTransform2d = (n: v.Transform2D, i: number) => of2(n?.origin, of2(n?.y, of2(n?.x, i)));
const ofBasis = (n: v.Basis, i: number) => of3(n?.row2, of3(n?.row1, of3(n?.row0, i)));
const ofTransform3d = (n: v.Transform3D, i: number) => of3(n?.origin, ofBasis(n?.basis, i));
const ofProjection = (n: v.Projection, i: number) => of4(n?.w, of4(n?.z, of4(n?.y, of4(n?.x, i))));

const STAGES: { [type: number]: Stage } = {
    [Type.vector2]: of2,
    [Type.vector2i]: of2,
    [Type.rect2]: ofRect2,
    [Type.rect2i]: ofRect2,
    [Type.vector3]: of3,
    [Type.vector3i]: of3,
    [Type.transform2d]: ofTransform2d,
    [Type.vector4]: of4,
    [Type.vector4i]: of4,
    [Type.plane]: ofPlane,
    [Type.quaternion]: of4,
    [Type.aabb]: ofAabb,
    [Type.basis]: ofBasis,
    [Type.transform3d]: ofTransform3d,
    [Type.projection]: ofProjection,
    [Type.color]: ofColor,
};
for (const [type, narrow, wide] of MATH) {
    const numbers = STAGES[type]!;
    writers.set(narrow.prototype, mathWriter(type, false, numbers, wide === undefined));
    if (wide !== undefined) writers.set(wide.prototype, mathWriter(type, true, numbers));
}
function packedWriter({ type, numbers, width, around }: Packed): Writer {
    const wideName = around !== undefined && numbers === Float32Array ? Float64Array.name : undefined;
    return (value: ArrayBufferView & { length: number }) => {
        const name = typedArrayName(value);
        const wide = name === wideName;
        if (name === undefined || (name !== numbers.name && !wide)) throw new Unwritable("wrong_type", `a ${TYPES[type]} is made of a ${numbers.name}`);
        const bytes = bytesIn(value);
        // The object's own `length` may be anything.
        const count = bytes.length / (wide ? 8 : numbers.BYTES_PER_ELEMENT);
        if (count % width !== 0) throw new Unwritable("wrong_type", `${count} components for elements of ${width}`);
        const apart = mayLeaveOut && bytes.length >= WORTH_IT && bytes.length < TOO_LARGE;
        const at = reserve(apart ? 4 : bytes.length);
        if (apart) {
            leftOut.push({ bytes, size: bytes.length, place: at });
        } else {
            u8.set(bytes, at);
        }
        const w = put(type, (wide ? ItemFlags.wide : 0) | (apart ? LEFT_OUT : 0), count / width);
        i32[w + 2] = at;
    };
}
function bytesIn(value: ArrayBufferView): Uint8Array {
    if (!hasItsBytes(value)) throw new Unwritable("wrong_type", LOST_BYTES);
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}
for (const each of PACKED) {
    const writer = packedWriter(each);
    if (each.around === undefined) writers.set(each.numbers.prototype, writer);
    else writers.set(each.around.prototype, (value: PackedMathArray<unknown>) => writer(value.components));
}

// ---- the rest ----

function packedStrings(value: PackedStringArray): void {
    put(Type.packedStringArray, 0, value.length);
    for (let i = 0; i < value.length; ++i) {
        const text = value[i];
        if (typeof text !== "string") child(i, undefined);
        else putText(Type.string, text);
    }
}
function nodePath(value: v.NodePath): void {
    if (!Array.isArray(value.names) || !Array.isArray(value.subnames)) throw new Unwritable("wrong_type", "the names and subnames of a NodePath are arrays");
    const flags = (value.absolute ? ItemFlags.absolute : 0) | (value.separateProperty ? ItemFlags.property : 0);
    const w = put(Type.nodePath, flags, value.names.length + value.subnames.length);
    i32[w + 2] = value.subnames.length;
    i32[w + 3] = 0;
    for (const name of value.names) putText(Type.string, name);
    for (const name of value.subnames) putText(Type.string, name);
}
function float(value: v.Float): void {
    if (typeof value.value !== "number") throw new Unwritable("wrong_type", `a Float is made of a number, not ${said(value.value)}`);
    if (value.bits !== undefined && typeof value.bits !== "bigint") throw new Unwritable("wrong_type", `the bits of a Float are a bigint, not ${said(value.bits)}`);
    const w = put(Type.float, 0, 0);
    if (value.bits !== undefined) i64[(w >> 1) + 1] = BigInt.asIntN(64, value.bits);
    else f64[(w >> 1) + 1] = value.value;
    if (value.bits === undefined && value.value !== value.value) writeOwnNaN(u32, w + 2, true);
}
function word(value: number): number {
    if (typeof value !== "number" || value >>> 0 !== value) throw new Unwritable("wrong_type", `${String(value)} is no number from 0 to 2^32 - 1`);
    return value;
}
function image(value: v.Image): void {
    if (typedArrayName(value.data) !== "Uint8Array") throw new Unwritable("wrong_type", `the data of an Image is a Uint8Array, not ${said(value.data)}`);
    const data = bytesIn(value.data);
    const bytes = reserve(data.length);
    u8.set(data, bytes);
    const at = reserve(24);
    i32.set([value.format, value.mipmaps, value.width, value.height].map(word), at >>> 2);
    i32.set([bytes, data.length], (at >>> 2) + 4);
    const w = put(Type.image, 0, 0);
    i32[w + 2] = at;
}
function inputEvent(value: v.InputEvent): void {
    if (!Array.isArray(value.words)) throw new Unwritable("wrong_type", `the words of an InputEvent are an array, not ${said(value.words)}`);
    const at = reserve(20);
    i32.set([value.type, value.device, value.words[0] ?? 0, value.words[1] ?? 0, value.words.length].map(word), at >>> 2);
    const w = put(Type.inputEvent, 0, 0);
    i32[w + 2] = at;
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
    [v.EncodedObjectAsID, (value: v.EncodedObjectAsID) => putBits(Type.object, ItemFlags.id, 0, value.id)],
    [v.Image, image],
    [v.InputEvent, inputEvent],
];
for (const [of, writer] of REST) writers.set(of.prototype, writer);

const foreignWriters = new Map<string, Writer | undefined>();
for (const of of [Object, Map, Array]) foreignWriters.set(of.name, writers.get(of.prototype));
for (const { numbers, around } of PACKED) if (around === undefined) foreignWriters.set(numbers.name, writers.get(numbers.prototype));
