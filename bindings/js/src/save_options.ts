// Options of opening a save: gdvar_save_options.
import type { Call } from "./engine.js";
import { ALLOW_OBJECTS, checkedLimit, checkOptions, checkWidePage, findDialect, WIDE_PAGE, type DialectName, type Names } from "./options.js";
import * as s from "./structs.js";
import { setLong } from "./wasm.js";

/** A password or key that may open a save, and its name for `Finding.openedWith`. */
export interface NamedKey {
    name: string;
    password?: string;
    /** 32 bytes, or 64 hex digits. */
    key?: Uint8Array | string;
}
/** Options of opening a save. */
export interface SaveOptions {
    password?: string;
    /** 32 bytes in place of a password. */
    key?: Uint8Array;
    /** Tried in order if there is no password or key. */
    keys?: readonly NamedKey[];
    /** Default: guessed from the values. */
    dialect?: DialectName;
    /** Objects in full, as inert data. */
    objects?: boolean;
    /** The kind of the innermost document ("json"), or a layer without magic ("brotli"). Default: recognised. */
    as?: string;
    /** Paths of Strings and PackedByteArrays whose content is opened as the save: "$.data". */
    inside?: readonly string[];
    /** Does not open a value that is the whole save and holds a document. */
    noInside?: boolean;
    /** Files of a pack (PCK) or of a browser's export to open: "res://data.save", "#2". */
    entries?: readonly string[];
    /** The most bytes that a layer may declare. Default: 256 MiB. */
    maxBytes?: number;
    /** The most bytes of a text inside layers. Default: 32 MiB. */
    maxText?: number;
    /** The most layers to open. */
    maxLayers?: number;
    /** Bytes before the save, which stay unchanged. */
    skip?: number;
    /** Page dialects: every Float field has 8 bytes. */
    widePage?: boolean;
    /** `SaveFile.findings`: all possible readings of the document, not only likely ones. */
    allReadings?: boolean;
}

/** @internal */
export const SAVE_NAMES: Names<SaveOptions> = {
    password: true, key: true, keys: true, dialect: true, objects: true, as: true, inside: true, noInside: true, entries: true, maxBytes: true,
    maxText: true, maxLayers: true, skip: true, widePage: true, allReadings: true,
};
const KEY_NAMES: Names<NamedKey> = { name: true, password: true, key: true };
const NO_INSIDE = 1 << 17;
const ALL_READINGS = 1 << 18;
/** @internal */
export const NO_PARTIAL = 1 << 19;
const ALL_LAYERS = 0xffffffff;

/** gdvar_save_options; the arrays are not read. */
const ARRAY = s.list(s.text);
const { size: SIZE, places: PLACES } = s.struct({
    size: s.u32, flags: s.u32, dialect: s.u32, password: s.text, key: s.bytes, maxBytes: s.u64, lockWait: s.u32, reserved: s.u32, as: s.text,
    keys: ARRAY, inside: ARRAY, maxLayers: s.u64, skip: s.u64, entries: ARRAY, maxText: s.u64,
});
type Place = keyof typeof PLACES;

/** Writes a gdvar_save_options. Texts and keys are freed with the call. @internal */
export function saveOptions(call: Call, options: SaveOptions, flags = 0): number {
    const { module } = call;
    const at = call.alloc(SIZE);
    const dialect = options.dialect === undefined ? 0 : findDialect(module, options.dialect);
    const word = (place: Place) => (at + PLACES[place]) >>> 2;
    const limit = (place: "maxBytes" | "maxLayers" | "skip" | "maxText", otherwise: number) => {
        setLong(module.u32, word(place), checkedLimit(module, place, options[place] ?? otherwise));
    };
    const span = (place: Place, bytes: number) => module.u8.copyWithin(at + PLACES[place], bytes, bytes + 8);
    const array = (place: Place, items: number, count: number) => module.u32.set([items, count], word(place));
    const texts = (place: "inside" | "entries") => {
        const given = options[place];
        if (given === undefined || given.length === 0) return;
        if (!Array.isArray(given)) throw module.refusal("bad_option", "paths and names of entries are given as an array");
        array(place, call.spans(given.map((text) => call.text(text))), given.length);
    };
    module.u8.fill(0, at, at + SIZE);
    const flag = (set: boolean | undefined, bit: number) => (set ? bit : 0);
    module.u32[word("size")] = SIZE;
    module.u32[word("flags")] =
        flags | flag(options.objects, ALLOW_OBJECTS) | flag(options.noInside, NO_INSIDE) |
        flag(options.allReadings, ALL_READINGS) | flag(options.widePage, WIDE_PAGE);
    checkWidePage(module, options.widePage, options.dialect);
    module.u32[word("dialect")] = dialect;
    if (options.password !== undefined) span("password", call.text(options.password));
    if (options.key !== undefined) span("key", call.bytes(options.key));
    limit("maxBytes", 256 << 20);
    if (options.as !== undefined) span("as", call.text(options.as));
    if (options.keys !== undefined) array("keys", namedKeys(call, options.keys), options.keys.length);
    texts("inside");
    limit("maxLayers", ALL_LAYERS);
    limit("skip", 0);
    texts("entries");
    limit("maxText", 32 << 20);
    return at;
}

/** An array of gdvar_named_key. */
function namedKeys(call: Call, keys: readonly NamedKey[]): number {
    for (const key of keys) checkOptions(key, KEY_NAMES, "field of a key");
    const parts = keys.flatMap(({ name, password = "", key = "" }) => [
        call.text(name), call.text(password), typeof key === "string" ? call.text(key) : call.bytes(key),
    ]);
    return call.spans(parts);
}
