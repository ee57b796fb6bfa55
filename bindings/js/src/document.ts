// A packet that is read once; values are made only on request.
import { containerTypes, type ContainerType } from "./containers.js";
import { DECODE_NAMES, decodeWith, type DecodeOptions, type Lossless, type PlainOptions } from "./decode.js";
import { lookup, tools, type Call, type Engine } from "./engine.js";
import { GdvarError } from "./errors.js";
import { checkOptions, PACKET_NAMES, type DialectName, type Names, type PacketOptions } from "./options.js";
import type { Components } from "./packed.js";
import * as s from "./structs.js";
import { Component, ErrorAt, Form, NodeFlags, NumbersAt, Size, Type, TYPES, type TypeName } from "./interface.js";
import { MATCH, TAPE } from "./layouts.js";
import { toUtf8, utf8 } from "./utf8.js";
import type { Encodable, Plain, Variant } from "./variant.js";
import { Handle, type Instance } from "./wasm.js";

/** A match of a path: its own path and its node; undefined for a part of a value (`.pos.x`). */
export interface Place {
    path: string;
    node: number | undefined;
}

/** The answer for a missing value; without it, a missing value is an error. */
export interface Otherwise<Default = unknown> {
    default?: Default;
}
/** @internal */
export const OTHERWISE_NAMES: Names<Otherwise> = { default: true };
const GET_NAMES: Names<DecodeOptions & Otherwise> = { ...DECODE_NAMES, ...OTHERWISE_NAMES };
const MISSING: readonly string[] = ["missing_key", "index_out_of_range", "wrong_type"];
/** The result of `get`, or the default. @internal */
export function orDefault(options: Otherwise, get: () => unknown): unknown {
    try {
        return get();
    } catch (error) {
        if ("default" in options && error instanceof GdvarError && MISSING.includes(error.code)) return options.default;
        throw error;
    }
}

/** A document's forms of text: as the engine prints it, gdvar's own, typed and plain JSON. */
const PRINTED = { text: Form.text, full: Form.textFull, json: Form.json, plain: Form.plainJson } as const;
export type Printed = keyof typeof PRINTED;

const COMPONENTS = {
    [Component.u8]: Uint8Array, [Component.i32]: Int32Array, [Component.i64]: BigInt64Array, [Component.f32]: Float32Array, [Component.f64]: Float64Array,
} as const;

/**
 * A packet, read and checked once. Its values and the names of properties are nodes: numbers from 0, the packet's own value, in
 * the order of the bytes. The node after a node's last descendant, `next(node)`, is its next sibling. Memory: the packet and 16
 * bytes a node, until `close`, or until the document is garbage collected.
 */
export class Document {
    /** The packet's size in bytes. */
    readonly size: number;
    /** The number of nodes. */
    readonly count: number;
    readonly #engine: Engine;
    readonly #module: Instance;
    readonly #options: PacketOptions;
    readonly #isStale: () => boolean;
    readonly #handle: Handle;
    readonly #document: number;
    /** The tape's address divided by 4, and the packet's. */
    #tape: number;
    #bytes: number;

    /** Reads the packet at the start of `packet`. Errors: GdvarError with code, offset and path. */
    constructor(packet: Uint8Array, options?: PacketOptions);
    /** @internal */
    constructor(packet: Uint8Array, options: PacketOptions | undefined, borrowed: Borrowed);
    constructor(packet: Uint8Array, options: PacketOptions = {}, borrowed?: Borrowed) {
        // The options of a save, which were checked, also apply to its values.
        if (borrowed === undefined) checkOptions(options, PACKET_NAMES);
        this.#options = options;
        const engine = borrowed?.engine ?? tools();
        this.#engine = engine;
        this.#module = engine.keeper.get();
        this.#isStale = borrowed?.isStale ?? (() => false);
        [this.#document, this.#tape, this.#bytes, this.size, this.count] = engine.calling((call) => {
            const { module } = call;
            const { exports } = module;
            const settings = call.options(options);
            const bytes = borrowed?.at(call) ?? call.bytes(packet);
            const document = module.handle("gdvar_document_new");
            const read = borrowed === undefined ? "gdvar_document_read_copy" : "gdvar_document_read";
            const code: number = exports[read](document, bytes, settings, module.error);
            module.refresh();
            if (code !== 0) {
                exports["gdvar_document_free"](document);
                throw module.failure(module.errorPath(bytes, settings));
            }
            const { nodes, count, bytes: at, size } = call.returned(TAPE, "gdvar_document_tape", document);
            return [document, nodes >>> 2, at, size, count] as const;
        });
        this.#handle = new Handle(engine.keeper, this.#document, this, "gdvar_document_free", "the document");
    }
    /** The dialect of reading: "godot-4.4". */
    get dialect(): DialectName {
        return this.#options.dialect || "godot-4.4";
    }
    /** Frees its memory. The document can't be used afterwards. */
    close(): void {
        this.#handle.close();
    }
    /** False after `close`, or if it was lost when a call found no memory left: then it can't be used any more. */
    get isOpen(): boolean {
        return this.#handle.isOpen;
    }

    /** The value's type; "Nil" for the name of a property. */
    type(node: number): TypeName {
        return TYPES[this.#tag(node) & 0xff] ?? "Nil";
    }
    /** True if the node is the name of a property, whose value is the next node. */
    isProperty(node: number): boolean {
        return (this.#tag(node) & (NodeFlags.property << 8)) !== 0;
    }
    /** True for an Object with a class and properties, an Array or a Dictionary. */
    isContainer(node: number): boolean {
        return holds(this.#tag(node));
    }
    /** The number of elements, pairs or properties, of a packed array's elements, of a text's bytes; else 0. */
    length(node: number): number {
        const tag = this.#tag(node);
        const type = tag & 0xff;
        const counts = holds(tag) || type === Type.string || type === Type.stringName || (type >= Type.packedByteArray && type < Type.packedTypedArray);
        if (type === Type.packedStringArray) return this.#engine.keeper.run((module) => module.exports["gdvar_node_texts"](this.#document, node, 0, 0) >>> 0);
        return counts || this.isProperty(node) ? this.#word(node, 2) : 0;
    }
    /** The node behind the value and its content; `count` behind the last one. */
    next(node: number): number {
        this.#check(node);
        return this.#next(this.#nodes(), node);
    }
    /** The values in a container; in a Dictionary or an Object keys (or names) and values in turn. */
    children(node: number): Uint32Array {
        const tape = this.#nodes();
        const tag = this.#tag(node);
        if (!holds(tag)) return new Uint32Array(0);
        const type = tag & 0xff;
        const found = new Uint32Array(this.#word(node, 2) * (type === Type.array || type === Type.packedTypedArray ? 1 : 2));
        for (let i = 0, at = node + 1; i < found.length; ++i) {
            found[i] = at;
            at = this.#next(tape, at);
        }
        return found;
    }
    /** The keys, or names of properties, and values of a container that has them. */
    *pairs(node: number): Generator<[key: number, value: number], void, undefined> {
        const type = this.#tag(node) & 0xff;
        if (type === Type.array || type === Type.packedTypedArray) return;
        const children = this.children(node);
        for (let i = 0; i < children.length; i += 2) yield [children[i]!, children[i + 1]!];
    }
    /** Begin and end of a value, or of a property's name, in the packet. */
    range(node: number): [begin: number, end: number] {
        this.#check(node);
        const tape = this.#nodes();
        const next = this.#next(tape, node);
        const begin = tape[this.#tape + 4 * node + 1]!;
        const end = next < this.count ? tape[this.#tape + 4 * next + 1]! : this.size;
        // Components may be between the nodes.
        if (!(begin < end && end <= this.size)) throw this.#noNode(node);
        return [begin, end];
    }
    /** The nodes from the packet's value to the innermost one whose bytes include `offset`; none behind the packet. */
    at(offset: number): number[] {
        const chain: number[] = [];
        const tape = this.#nodes();
        const begin = (node: number) => tape[this.#tape + 4 * node + 1]!;
        if (!(offset >= 0 && offset < this.size)) return chain;
        for (let node = 0, end = this.count; ; ) {
            chain.push(node);
            if (!holds(tape[this.#tape + 4 * node]!)) return chain;
            end = this.#next(tape, node);
            let child = node + 1;
            if (child >= end || begin(child) > offset) return chain;
            for (let after = this.#next(tape, child); after < end && begin(after) <= offset; after = this.#next(tape, child)) child = after;
            node = child;
        }
    }
    /** "$.players[3].pos" */
    path(node: number): string {
        this.#open();
        return this.#engine.keeper.run((module) => {
            const { exports, error, given } = module;
            module.u8.fill(0, error, error + Size.error);
            module.u8[error + ErrorAt.code] = REFUSED;
            module.u32[(error + ErrorAt.offset) >>> 2] = this.range(node)[0];
            [module.u32[given >>> 2], module.u32[(given >>> 2) + 1]] = [this.#bytes, this.size];
            exports["gdvar_error_path"](given, this.#engine.options.at(this.#options), error, module.buffer);
            module.refresh();
            return module.takeText();
        });
    }
    /** The text of a String or StringName, a property's name, an Object's class, a Signal's name; else "". */
    text(node: number): string {
        this.#check(node);
        return this.#engine.keeper.run((module) => {
            module.exports["gdvar_node_name"](module.result, this.#document, node);
            return s.text.read(module, module.result);
        });
    }
    /** The texts of a PackedStringArray, or the names and then the subnames of a NodePath: the first `most`. */
    texts(node: number, most = Infinity): string[] {
        this.#check(node);
        return this.#engine.calling((call) => {
            const { module } = call;
            const all: number = module.exports["gdvar_node_texts"](this.#document, node, 0, 0) >>> 0;
            const count = atMost(all, most);
            const at = call.alloc(8 * count + 8);
            module.exports["gdvar_node_texts"](this.#document, node, at, count);
            module.refresh();
            return Array.from({ length: count }, (_, i) => s.text.read(module, at + 8 * i));
        });
    }
    /** The adjacent components of a math value, or of the first `most` elements of a packed array; else none. */
    numbers(node: number, most = Infinity): Components | Uint8Array | BigInt64Array {
        this.#check(node);
        return this.#engine.keeper.run((module) => {
            module.exports["gdvar_node_numbers"](module.result, this.#document, node);
            const { u8, u32, result } = module;
            const at = u32[(result + NumbersAt.data) >>> 2]!;
            const count = atMost(u32[(result + NumbersAt.count) >>> 2]!, most) * u8[result + NumbersAt.components]!;
            const make = COMPONENTS[u8[result + NumbersAt.component] as keyof typeof COMPONENTS] ?? Uint8Array;
            return new make(module.u8.slice(at, at + count * make.BYTES_PER_ELEMENT).buffer);
        });
    }
    /** The types of a typed Array's elements, or of a typed Dictionary's keys and values. */
    types(node: number): [ContainerType, ContainerType] {
        this.#check(node);
        return this.#engine.keeper.run((module) => {
            return containerTypes(module, this.#document, node, module.result);
        });
    }
    /** The value as text: as the engine prints it ("text"), gdvar's own ("full"), typed ("json") or plain JSON. */
    print(node: number, form: Printed = "text", indent = 0): string {
        this.#check(node);
        return this.#engine.calling((call) => {
            // Another word is refused by the module.
            const number = Object.hasOwn(PRINTED, form) ? PRINTED[form] : -1;
            call.run("gdvar_print", [this.#document, node, number, indent, call.module.buffer, 0, 0]);
            return call.module.takeText();
        });
    }
    /** A copy of the value's bytes: a packet of its own. */
    packet(node: number): Uint8Array<ArrayBuffer> {
        const [begin, end] = this.range(node);
        return this.#module.u8.slice(this.#bytes + begin, this.#bytes + end);
    }
    /** Bytes of the packet, borrowed until the next call of any function of this package. */
    bytes(begin: number, end: number): Uint8Array {
        this.#nodes();
        const from = Math.min(Math.max(0, begin), this.size);
        return this.#module.u8.subarray(this.#bytes + from, this.#bytes + Math.min(Math.max(from, end), this.size));
    }
    /** The value as from `decode`. */
    value<T = Variant>(node: number, options?: Lossless): NoInfer<T>;
    value<T = Plain>(node: number, options: PlainOptions): NoInfer<T>;
    value<T = Encodable>(node: number, options?: DecodeOptions): NoInfer<T>;
    value(node: number, options: DecodeOptions = {}): unknown {
        checkOptions(options, DECODE_NAMES);
        return decodeWith(this.packet(node), { ...this.#options, ...options });
    }
    /**
     * The value at a path, as `decode` gives it; of a path that may lead to several (`[*]`, `..`) an array of all. `default`, if
     * it is given, stands for what is not there. Errors: bad_path, missing_key, index_out_of_range, wrong_type.
     */
    get<T = Variant, Default = T>(path: string, options?: Lossless & Otherwise<Default>): NoInfer<T> | Default;
    get<T = Plain, Default = T>(path: string, options: PlainOptions & Otherwise<Default>): NoInfer<T> | Default;
    get<T = Encodable, Default = T>(path: string, options?: DecodeOptions & Otherwise<Default>): NoInfer<T> | Default;
    get<T>(path: string, options: DecodeOptions & Otherwise<null>): NoInfer<T> | null;
    get(path: string, options: DecodeOptions & Otherwise = {}): unknown {
        checkOptions(options, GET_NAMES);
        this.#open();
        return orDefault(options, () => {
            const [found, several] = this.#engine.collecting(FOUND_PACKET, (call) => {
                const isSeveral = call.written(s.u32, (at) => call.run("gdvar_path_several", [call.text(path), at])) !== 0;
                lookup(call, this.#document, path);
                return isSeveral;
            });
            const { default: _, ...decoding } = options;
            const values = found.map(({ packet }) => decodeWith(packet, { ...this.#options, ...decoding }));
            return several ? values : values[0];
        });
    }
    /**
     * The values that contain a text, or whose key or name does, in the order of the bytes: texts, and numbers and math values
     * in the form of `print`. The case of ASCII letters is ignored. Sometimes yields `undefined`, so that the caller can do
     * other work in a large packet.
     */
    *find(text: string): Generator<number | undefined, void, undefined> {
        const wanted = Wanted.of(text);
        /** The containers around the node: where each ends, whether it is a Dictionary, and whether a key comes next. */
        const around: { end: number; keyed: boolean; isKey: boolean }[] = [];
        let keyHolds = false;
        for (let node = 0; node < this.count; ) {
            const tape = this.#nodes();
            const { u8 } = this.#module;
            const bytes = this.#bytes;
            for (const end = Math.min(node + 4096, this.count); node < end; ) {
                const at = this.#tape + 4 * node;
                const tag = tape[at]!;
                const type = tag & 0xff;
                while (around.length > 0 && around[around.length - 1]!.end <= node) around.pop();
                const parent = around[around.length - 1];
                const isName = (tag & (NodeFlags.property << 8)) !== 0;
                const isKey = isName || (parent?.keyed === true && parent.isKey);
                if (parent !== undefined) parent.isKey = !parent.isKey;
                const isText = isName || type === Type.string || type === Type.stringName;
                const begin = bytes + tape[at + 1]! + (isName ? 4 : 8);
                const holdsIt = isText ? wanted.isIn(u8, begin, begin + tape[at + 2]!) : this.#holds(node, type, wanted);
                if (isKey) keyHolds = holdsIt;
                else if (holdsIt || keyHolds) yield node;
                if (!isKey) keyHolds = false;
                if (holds(tag)) around.push({ end: tape[at + 3]!, keyed: type === Type.dictionary, isKey: true });
                node = holds(tag) ? node + 1 : this.#next(tape, node);
                // The caller may have made the memory grow meanwhile.
                if (holdsIt) break;
            }
            yield undefined;
        }
    }
    /**
     * True if `find` finds such a text only where its bytes, ignoring the case of ASCII letters, are in the packet: packets
     * without them can be skipped. False for numbers, and for words of printed values.
     */
    static standsAsBytes(text: string): boolean {
        return Wanted.of(text).isBytes;
    }
    #holds(node: number, type: Type, wanted: Wanted): boolean {
        if (type === Type.packedStringArray) return this.texts(node).some((text) => wanted.isInText(text));
        if (type === Type.object || type === Type.signal) return wanted.isInText(this.text(node));
        if (type === Type.nodePath || wanted.mayBePrinted(type)) return wanted.isInText(this.print(node));
        return false;
    }
    /** Every value at a path, in the order of the bytes (docs/paths.md). Errors: bad_path, missing_key, ... */
    lookup(path: string): Place[] {
        this.#open();
        const [found] = this.#engine.collecting(FOUND_NODE, (call) => lookup(call, this.#document, path));
        return found;
    }

    #open(): void {
        this.#handle.get();
        if (this.#isStale()) throw this.#module.refusal("misplaced", "the save of this document has changed, or was closed");
    }
    #nodes(): Uint32Array {
        this.#open();
        this.#module.refresh();
        return this.#module.u32;
    }
    /** Programs pass results of `lookup`, which may be undefined. */
    #check(node: number): void {
        this.#open();
        if (node >>> 0 !== node || node >= this.count) throw this.#noNode(node);
    }
    #noNode(node: number): Error {
        return this.#module.refusal("index_out_of_range", `there is no node ${String(node)} of ${this.count}`);
    }
    #word(node: number, place: number): number {
        this.#check(node);
        return this.#nodes()[this.#tape + 4 * node + place]!;
    }
    #tag(node: number): number {
        return this.#word(node, 0);
    }
    #next(tape: Uint32Array, node: number): number {
        const at = this.#tape + 4 * node;
        const tag = tape[at]!;
        return holds(tag) || (tag & (NodeFlags.copied << 8)) !== 0 ? tape[at + 3]! : node + 1;
    }
}

/** The searched text. */
class Wanted {
    /** Many packets are searched for the same text, one after the other. */
    private static last: { given: string; wanted: Wanted } | undefined = undefined;
    static of(text: string): Wanted {
        if (Wanted.last?.given !== text) Wanted.last = { given: text, wanted: new Wanted(text) };
        return Wanted.last.wanted;
    }
    readonly isBytes: boolean;
    private readonly text: string;
    /** Undefined: not only ASCII. */
    private readonly bytes: Uint8Array | undefined;
    private readonly isNumber: boolean;
    /** By type: true if the printed form of such a value may contain the text. */
    private readonly printed: readonly boolean[];
    private constructor(text: string) {
        this.text = text.toLowerCase();
        this.bytes = /^[\0-\x7f]*$/.test(text) ? toUtf8.encode(this.text) : undefined;
        // "1.5e", "(1, 2", "inf", "nan"
        this.isNumber = /^[-+.,\d\s()einfa]*$/.test(this.text);
        this.printed = TYPES.map((_, type) => this.isPrintedAs(type));
        const isWord = PRINTED_WORDS.some((word) => word.includes(this.text));
        // A NodePath is printed with marks between its names. In plain names and texts these would be bytes.
        const isPlain = /^[\w ]+$/.test(this.text);
        this.isBytes = isPlain && !isWord && this.printed.every((may, type) => !may || type === Type.nil || type === Type.bool);
    }
    isInText(text: string): boolean {
        return text.toLowerCase().includes(this.text);
    }
    isIn(u8: Uint8Array, begin: number, end: number): boolean {
        const { bytes } = this;
        if (bytes === undefined) return this.isInText(utf8.decode(u8.subarray(begin, end)));
        const first = bytes[0];
        if (first === undefined) return true;
        for (let at = begin, last = end - bytes.length; at <= last; ++at) {
            if (lower(u8[at]!) !== first) continue;
            let i = 1;
            while (i < bytes.length && lower(u8[at + i]!) === bytes[i]) ++i;
            if (i === bytes.length) return true;
        }
        return false;
    }
    mayBePrinted(type: Type): boolean {
        return this.printed[type] === true;
    }
    private isPrintedAs(type: Type): boolean {
        if (type === Type.nil || type === Type.bool) return /^[a-z]*$/.test(this.text);
        if (type === Type.int || type === Type.float) return this.isNumber;
        const isMath = type >= Type.vector2 && type <= Type.color;
        return isMath && (this.isNumber || TYPES[type]!.toLowerCase().startsWith(this.text.replace(/\(.*/s, "")));
    }
}
/** Words of printed values that are not in their bytes. */
const PRINTED_WORDS = ["null", "true", "false", "nodepath"];

function lower(unit: number): number {
    return unit >= 65 && unit <= 90 ? unit + 32 : unit;
}

function holds(tag: number): boolean {
    const type = tag & 0xff;
    return type === Type.dictionary || type === Type.array || type === Type.packedTypedArray || (type === Type.object && (tag & (NodeFlags.full << 8)) !== 0);
}

/** Bytes in the module already: the address of their gdvar_bytes, and whether they are gone. @internal */
export interface Borrowed {
    engine: Engine;
    at(call: Call): number;
    isStale(): boolean;
}

/** Any code will do: a path is computed from the offset alone. */
const REFUSED = 1;
const FOUND_PACKET = s.some(MATCH, "packet");
const FOUND_NODE: s.Member<Place> = s.some(MATCH, "path", "node");
/** `most` limited to 0 to `all`, whatever number it is. */
function atMost(all: number, most: number): number {
    return Math.max(0, Math.trunc(Math.min(all, most)) || 0);
}
