// Options of opening a save: gdvar_save_options.
import type { Call } from "./engine.js";
import { OptionFlags, SaveFlags, SaveOptionsAt, SaveOptionsInit, Size } from "./interface.js";
import { checkedLimit, checkOptions, checkWidePage, findDialect, type DialectName, type Names } from "./options.js";
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

/** Writes a gdvar_save_options. Texts and keys are freed with the call. @internal */
export function saveOptions(call: Call, options: SaveOptions, flags = 0): number {
    const { module } = call;
    const at = call.alloc(Size.saveOptions);
    const dialect = options.dialect === undefined ? 0 : findDialect(module, options.dialect);
    const word = (place: SaveOptionsAt) => (at + place) >>> 2;
    const limit = (place: SaveOptionsAt, name: "maxBytes" | "maxLayers" | "skip" | "maxText", otherwise: number) => {
        setLong(module.u32, word(place), checkedLimit(module, name, options[name] ?? otherwise));
    };
    const span = (place: SaveOptionsAt, bytes: number) => module.u8.copyWithin(at + place, bytes, bytes + Size.bytes);
    const array = (place: SaveOptionsAt, items: number, count: number) => module.u32.set([items, count], word(place));
    const texts = (place: SaveOptionsAt, given: readonly string[] | undefined) => {
        if (given === undefined || given.length === 0) return;
        if (!Array.isArray(given)) throw module.refusal("bad_option", "paths and names of entries are given as an array");
        array(place, call.spans(given.map((text) => call.text(text))), given.length);
    };
    module.u8.fill(0, at, at + Size.saveOptions);
    const flag = (set: boolean | undefined, bit: number) => (set ? bit : 0);
    module.u32[word(SaveOptionsAt.size)] = Size.saveOptions;
    module.u32[word(SaveOptionsAt.flags)] =
        flags | flag(options.objects, OptionFlags.allowObjects) | flag(options.noInside, SaveFlags.noInside) |
        flag(options.allReadings, SaveFlags.allReadings) | flag(options.widePage, OptionFlags.widePage);
    checkWidePage(module, options.widePage, options.dialect);
    module.u32[word(SaveOptionsAt.dialect)] = dialect;
    if (options.password !== undefined) span(SaveOptionsAt.password, call.text(options.password));
    if (options.key !== undefined) span(SaveOptionsAt.key, call.bytes(options.key));
    limit(SaveOptionsAt.maxBytes, "maxBytes", SaveOptionsInit.maxBytes);
    if (options.as !== undefined) span(SaveOptionsAt.as, call.text(options.as));
    if (options.keys !== undefined) array(SaveOptionsAt.keys, namedKeys(call, options.keys), options.keys.length);
    texts(SaveOptionsAt.inside, options.inside);
    limit(SaveOptionsAt.maxLayers, "maxLayers", SaveOptionsInit.maxLayers);
    limit(SaveOptionsAt.skip, "skip", 0);
    texts(SaveOptionsAt.entries, options.entries);
    limit(SaveOptionsAt.maxText, "maxText", SaveOptionsInit.maxText);
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
