// Whole saves: opened in any layers, changed by path, written back in the same layers.
import { decode, type DecodeOptions } from "./decode.js";
import { encode } from "./encode.js";
import { calling, full, lossAt, type Call, type Loss } from "./full.js";
import { findDialect } from "./options.js";
import type { Instance } from "./wasm.js";

/** A password or key that may open a save, and what `Finding.openedWith` calls it. */
export interface NamedKey {
    name: string;
    password?: string;
    /** 32 bytes, or 64 hex digits. */
    key?: Uint8Array | string;
}
/** How a save is opened. */
export interface SaveOptions {
    password?: string;
    /** 32 bytes in place of a password. */
    key?: Uint8Array;
    /** Tried one after the other where there is no password or key. */
    keys?: readonly NamedKey[];
    /** Else it is guessed from the values. */
    dialect?: string;
    /** Objects in full, as inert data. */
    objects?: boolean;
    /** What the innermost layer holds ("json"), or a layer without magic ("brotli"). Else it is found. */
    as?: string;
    /** Paths of Strings and PackedByteArrays whose content is opened as the save: "$.data". */
    inside?: readonly string[];
    /** A value that is all of a save, and holds a document, stays closed. */
    noInside?: boolean;
    /** Files of a pack (PCK) or of a browser's export to open: "res://data.save", "#2". */
    entries?: readonly string[];
    /** That a layer may declare: 256 MiB is the default. */
    maxBytes?: number;
    /** Of a text inside of layers: 32 MiB is the default. */
    maxText?: number;
    /** No more layers are opened. */
    maxLayers?: number;
    /** Bytes before the save, which stay as they are. */
    skip?: number;
}

const SIZE_OF_SAVE_OPTIONS = 104;
const ALLOW_OBJECTS = 1;
const NO_LOCK = 1 << 16;
const NO_INSIDE = 1 << 17;

/** Writes a gdvar_save_options. Texts and keys are freed with the call. */
function saveOptions(call: Call, options: SaveOptions): number {
    const { module } = call;
    const at = call.alloc(SIZE_OF_SAVE_OPTIONS);
    const word = at >> 2;
    const long = (place: number, value: number) => {
        module.u32[word + place] = Math.min(value, Number.MAX_SAFE_INTEGER);
        module.u32[word + place + 1] = Math.min(value, Number.MAX_SAFE_INTEGER) / 4294967296;
    };
    const span = (place: number, bytes: number) => module.u8.copyWithin(at + 4 * place, bytes, bytes + 8);
    const list = (place: number, texts: readonly string[] | undefined) => {
        if (texts === undefined || texts.length === 0) return;
        const all = call.alloc(8 * texts.length);
        texts.forEach((text, i) => {
            const given = call.text(text);
            module.u8.copyWithin(all + 8 * i, given, given + 8);
        });
        module.u32[word + place] = all;
        module.u32[word + place + 1] = texts.length;
    };
    module.u8.fill(0, at, at + SIZE_OF_SAVE_OPTIONS);
    module.u32[word] = SIZE_OF_SAVE_OPTIONS;
    module.u32[word + 1] = NO_LOCK | (options.objects ? ALLOW_OBJECTS : 0) | (options.noInside ? NO_INSIDE : 0);
    module.u32[word + 2] = options.dialect === undefined ? 0 : findDialect(module, options.dialect);
    if (options.password !== undefined) span(3, call.text(options.password));
    if (options.key !== undefined) span(5, call.bytes(options.key));
    long(8, options.maxBytes ?? 256 << 20);
    if (options.as !== undefined) span(12, call.text(options.as));
    if (options.keys !== undefined && options.keys.length > 0) {
        const all = call.alloc(24 * options.keys.length);
        module.u8.fill(0, all, all + 24 * options.keys.length);
        options.keys.forEach(({ name, password, key }, i) => {
            const parts = [call.text(name), call.text(password ?? ""), typeof key === "string" ? call.text(key) : call.bytes(key ?? new Uint8Array())];
            parts.forEach((part, j) => module.u8.copyWithin(all + 24 * i + 8 * j, part, part + 8));
        });
        module.u32[word + 14] = all;
        module.u32[word + 15] = options.keys.length;
    }
    list(16, options.inside);
    if (options.maxLayers === undefined) module.u32.fill(0xffffffff, word + 18, word + 20);
    else long(18, options.maxLayers);
    long(20, options.skip ?? 0);
    list(22, options.entries);
    long(24, options.maxText ?? 32 << 20);
    return at;
}

/** What a save holds inside its layers: "packet", "records", "config", "json", ... (docs/saves.md). */
export interface SaveKind {
    name: string;
    /** It is text, of which only what changes is written anew. */
    text: boolean;
    /** Its values are found by name. */
    named: boolean;
    /** It may have any number of values. */
    several: boolean;
    /** It can't be changed or written. */
    onlyRead: boolean;
}
function kindAt(call: Call, at: number): SaveKind {
    const [text, named, several, , onlyRead] = call.module.u8.slice(at + 8, at + 13);
    return { name: call.textAt(at >> 2), text: text !== 0, named: named !== 0, several: several !== 0, onlyRead: onlyRead !== 0 };
}

/** What some bytes may be, or are not, and why. */
export interface Reading {
    name: string;
    reason: string;
}
/** One layer or one document of a save, from the outermost inwards. */
export interface Finding {
    name: string;
    /** "3 records cover the 2916 bytes exactly" */
    reason: string;
    /** Of a value that holds a save: where it stands, "#0 $.data". */
    at: string;
    /** The name of the one of `keys` that fitted. */
    openedWith: string;
    /** What else it may be, the most plausible first. */
    others: Reading[];
    /** What it looks like and is not. */
    ruledOut: Reading[];
    /** Its number among the layers; undefined: a document. */
    layer: number | undefined;
}
function findingAt(record: number, call: Call): Finding {
    const word = record >> 2;
    const { u32 } = call.module;
    const readings = (place: number): Reading[] => {
        const [at, count] = [u32[word + place]! >> 2, u32[word + place + 1]!];
        return Array.from({ length: count }, (_, i) => ({ name: call.textAt(at + 4 * i), reason: call.textAt(at + 4 * i + 2) }));
    };
    const layer = u32[word + 12]!;
    return {
        name: call.textAt(word),
        reason: call.textAt(word + 2),
        at: call.textAt(word + 4),
        openedWith: call.textAt(word + 6),
        others: readings(8),
        ruledOut: readings(10),
        layer: layer === 0xffffffff ? undefined : layer,
    };
}

/** What bytes of any kind are, and why, without reading values. `stack`: "gdec-3 > gzip > records". */
export function identify(bytes: Uint8Array, options: SaveOptions = {}): { stack: string; findings: Finding[] } {
    const findings: Finding[] = [];
    return calling(
        (call) => {
            const { module } = call;
            const callback: number = module.exports["gdvar_use_callback"]();
            call.run("gdvar_identify", [call.bytes(bytes), saveOptions(call, options), callback, 0, module.buffer]);
            return { stack: module.takeText(), findings };
        },
        (record, call) => void findings.push(findingAt(record, call)),
    );
}
/** Puts bytes into layers, the outermost first: `wrap(bytes, ["base64", "gdec-4"], { password })`. */
export function wrap(bytes: Uint8Array, layers: readonly string[], options: SaveOptions = {}): Uint8Array<ArrayBuffer> {
    return calling((call) => {
        call.run("gdvar_wrap", [call.bytes(bytes), call.text(layers.join(" ")), saveOptions(call, options), call.module.buffer]);
        return call.module.takeBuffer();
    });
}

const closed = new FinalizationRegistry((free: () => void) => free());

/** How a value is put in its place. */
export interface SetOptions {
    /** The value may get another type. */
    type?: boolean;
    /** A key, property or setting that is not there may be added. */
    create?: boolean;
}

/**
 * A save, opened from its bytes. What is changed is written back in the same layers, and all other bytes stay as they are; a
 * save in which nothing changes gives the bytes that came. Paths: `$.hp`, `#0 $.players[3]`, `application/config/name`
 * (docs/paths.md). It holds memory until `close`, or until it is forgotten.
 */
export class SaveFile {
    #save = 0;
    readonly #module: Instance;
    readonly #original: Uint8Array<ArrayBuffer>;
    readonly #decoding: DecodeOptions;

    /** Errors: GdvarError: not_recognised, bad_key (encrypted, and no password fits), bad_checksum, truncated, ... */
    constructor(bytes: Uint8Array, options: SaveOptions & Pick<DecodeOptions, "ints" | "floats" | "dictionaries" | "stringNames" | "plain"> = {}) {
        this.#module = full.get();
        this.#original = new Uint8Array(bytes);
        calling((call) => {
            const handle = call.alloc(4);
            call.run("gdvar_save_read", [call.bytes(bytes), saveOptions(call, options), handle]);
            this.#save = call.module.u32[handle >> 2]!;
        });
        const [module, save] = [this.#module, this.#save];
        closed.register(this, () => module.exports["gdvar_save_free"](save), this);
        const { ints, floats, dictionaries, stringNames, plain } = options;
        // Objects in documents that are text need no flag; in packets the save has already refused them.
        this.#decoding = { dialect: this.dialect, objects: true, ...(ints && { ints }), ...(floats && { floats }), ...(dictionaries && { dictionaries }), ...(stringNames && { stringNames }), ...(plain && { plain }) };
    }
    /** Gives its memory back. It can't be used afterwards. */
    close(): void {
        if (this.#save === 0) return;
        closed.unregister(this);
        const save = this.#open();
        this.#save = 0;
        full.run((module) => module.exports["gdvar_save_free"](save));
    }

    /** "godot-4.4" */
    get dialect(): string {
        return calling((call) => {
            const { module } = call;
            module.exports["gdvar_dialect_name"](module.result, module.exports["gdvar_save_dialect"](this.#open()));
            return call.textAt(module.result >> 2);
        });
    }
    /** From the outermost inwards: ["base64", "gdec-4"]. */
    get layers(): string[] {
        return this.#said("gdvar_save_layers").split(" ").filter((name) => name !== "");
    }
    /** "gdec-3 > gzip > godot-3.1 records" */
    get stack(): string {
        return this.#said("gdvar_save_stack");
    }
    get kind(): SaveKind {
        return calling((call) => {
            const at = call.alloc(16);
            call.module.exports["gdvar_save_kind"](at, this.#open());
            return kindAt(call, at);
        });
    }
    /** It can't be changed or written: a binary resource, a file in a pack. */
    get onlyRead(): boolean {
        return full.run((module) => module.exports["gdvar_save_only_read"](this.#open()) !== 0);
    }
    get changed(): boolean {
        return full.run((module) => module.exports["gdvar_save_changed"](this.#open()) !== 0);
    }
    /** What it was found to be, and why. */
    findings(): Finding[] {
        const findings: Finding[] = [];
        return calling(
            (call) => {
                call.run("gdvar_save_findings", [this.#open(), call.module.exports["gdvar_use_callback"](), 0]);
                return findings;
            },
            (record, call) => void findings.push(findingAt(record, call)),
        );
    }

    /** How many values there are: records, lines, settings; else 1. */
    get count(): number {
        return full.run((module) => module.exports["gdvar_save_count"](this.#open()) >>> 0);
    }
    /** The name of a setting. */
    name(index: number): string {
        return calling((call) => call.textAt(this.#item(call, index) >> 2));
    }
    /** The bytes of a value by its number: a packet in the save's dialect. */
    packet(index = 0): Uint8Array<ArrayBuffer> {
        return calling((call) => {
            const word = (this.#item(call, index) >> 2) + 2;
            const { u8, u32 } = call.module;
            return u8.slice(u32[word]!, u32[word]! + u32[word + 1]!);
        });
    }
    value(index = 0): unknown {
        return decode(this.packet(index), this.#decoding);
    }
    get(path: string): unknown {
        const packet = calling((call) => {
            this.#run(call, "gdvar_save_get", [call.text(path), call.module.buffer]);
            return call.module.takeBuffer();
        });
        return decode(packet, this.#decoding);
    }

    /** Puts a value at a path. It takes the type of the old one if it fits. */
    set(path: string, value: unknown, options: SetOptions = {}): void {
        const packet = this.#encoded(value);
        const flags = (options.type ? 1 : 0) | (options.create ? 2 : 0);
        calling((call) => this.#run(call, "gdvar_save_set", [call.text(path), call.bytes(packet), flags]));
    }
    erase(path: string): void {
        calling((call) => this.#run(call, "gdvar_save_erase", [call.text(path)]));
    }
    /** The pair or property at a path gets another key. */
    rename(path: string, key: unknown): void {
        const packet = this.#encoded(key);
        calling((call) => this.#run(call, "gdvar_save_rename", [call.text(path), call.bytes(packet)]));
    }
    /** A new record before record `number`; negative numbers count from the end, `count` is behind the last one. */
    insert(number: number, value: unknown): void {
        const packet = this.#encoded(value);
        calling((call) => this.#run(call, "gdvar_save_insert", [BigInt(number), call.bytes(packet)]));
    }
    /** Another value for a whole record, setting or only value. */
    replace(number: number, value: unknown): void {
        const packet = this.#encoded(value);
        calling((call) => this.#run(call, "gdvar_save_replace", [BigInt(number), call.bytes(packet)]));
    }
    /** The record or setting of that number goes. */
    remove(number: number): void {
        calling((call) => this.#run(call, "gdvar_save_remove", [BigInt(number)]));
    }

    /** The file, with what was changed; without a change, the bytes that came. */
    bytes(): Uint8Array<ArrayBuffer> {
        if (!this.changed) return this.#original.slice();
        return calling((call) => {
            this.#run(call, "gdvar_save_bytes", [call.module.buffer]);
            return call.module.takeBuffer();
        });
    }
    /** The changes that give this save the values of `other`, as a patch: a packet (docs/patch.md). */
    diff(other: SaveFile): Uint8Array<ArrayBuffer> {
        return calling((call) => {
            this.#run(call, "gdvar_save_diff", [other.#open(), call.module.buffer]);
            return call.module.takeBuffer();
        });
    }
    /** Makes the changes of a patch: all, or after an error none. */
    patch(changes: Uint8Array): void {
        calling((call) => this.#run(call, "gdvar_save_patch", [call.bytes(changes)]));
    }
    /** The file for the engines of another dialect, and what could not be kept. This save stays as it is. */
    convert(dialect: string): { bytes: Uint8Array<ArrayBuffer>; losses: Loss[] } {
        const losses: Loss[] = [];
        return calling(
            (call) => {
                const { module } = call;
                const none = call.alloc(8);
                module.u32.fill(0, none >> 2, (none >> 2) + 2);
                const given = [findDialect(module, dialect), none, module.buffer, module.exports["gdvar_use_callback"](), 0];
                call.run("gdvar_save_convert", [this.#open(), ...given], [0]);
                return { bytes: module.takeBuffer(), losses };
            },
            (record, call) => void losses.push(lossAt(call, record)),
        );
    }

    #open(): number {
        if (this.#save === 0) throw this.#module.refusal("misplaced", "this save was closed");
        // After a trap the memory with the save is gone.
        if (full.get() !== this.#module) throw this.#module.refusal("no_memory", "the save was lost when no memory was left");
        return this.#save;
    }
    #run(call: Call, name: string, given: readonly unknown[]): void {
        call.run(name, [this.#open(), ...given], []);
    }
    #said(name: string): string {
        return calling((call) => {
            this.#run(call, name, [call.module.buffer]);
            return call.module.takeText();
        });
    }
    #item(call: Call, index: number): number {
        const at = call.alloc(16);
        const count: number = call.module.exports["gdvar_save_count"](this.#open()) >>> 0;
        const place = Math.trunc(index) + (index < 0 ? count : 0);
        if (!(place >= 0 && place < count)) throw call.module.refusal("index_out_of_range", `there is no value ${index} of ${count}`);
        call.module.exports["gdvar_save_at"](at, this.#open(), place);
        call.module.refresh();
        return at;
    }
    #encoded(value: unknown): Uint8Array {
        return encode(value, { dialect: this.dialect, objects: true });
    }
}
