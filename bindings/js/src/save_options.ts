// Options of opening a save: gdvar_save_options.
import type { Call } from "./engine.js";
import {
    ALLOW_OBJECTS, checkedLimit, checkOptions, checkWidePage, findDialect, setLong, WIDE_PAGE, type Names,
} from "./options.js";

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
    dialect?: string;
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
const SIZE_OF_SAVE_OPTIONS = 104;
const NO_INSIDE = 1 << 17;
const ALL_READINGS = 1 << 18;
/** @internal */
export const NO_PARTIAL = 1 << 19;
const ALL_LAYERS = 0xffffffff;

/** Writes a gdvar_save_options. Texts and keys are freed with the call. @internal */
export function saveOptions(call: Call, options: SaveOptions, flags = 0): number {
    const { module } = call;
    const at = call.alloc(SIZE_OF_SAVE_OPTIONS);
    const word = at >>> 2;
    const limit = (place: number, name: keyof SaveOptions, otherwise: number) => {
        setLong(module.u32, word + place, checkedLimit(module, name, (options[name] as number | undefined) ?? otherwise));
    };
    const span = (place: number, bytes: number) => module.u8.copyWithin(at + 4 * place, bytes, bytes + 8);
    const list = (place: number, texts: readonly string[] | undefined) => {
        if (texts === undefined || texts.length === 0) return;
        if (!Array.isArray(texts)) throw module.refusal("bad_option", "paths and names of entries are given as an array");
        module.u32[word + place] = call.spans(texts.map((text) => call.text(text)));
        module.u32[word + place + 1] = texts.length;
    };
    module.u8.fill(0, at, at + SIZE_OF_SAVE_OPTIONS);
    module.u32[word] = SIZE_OF_SAVE_OPTIONS;
    const flag = (set: boolean | undefined, bit: number) => (set ? bit : 0);
    module.u32[word + 1] =
        flags | flag(options.objects, ALLOW_OBJECTS) | flag(options.noInside, NO_INSIDE) |
        flag(options.allReadings, ALL_READINGS) | flag(options.widePage, WIDE_PAGE);
    checkWidePage(module, options.widePage, options.dialect);
    module.u32[word + 2] = options.dialect === undefined ? 0 : findDialect(module, options.dialect);
    if (options.password !== undefined) span(3, call.text(options.password));
    if (options.key !== undefined) span(5, call.bytes(options.key));
    limit(8, "maxBytes", 256 << 20);
    if (options.as !== undefined) span(12, call.text(options.as));
    if (options.keys !== undefined) {
        module.u32[word + 14] = namedKeys(call, options.keys);
        module.u32[word + 15] = options.keys.length;
    }
    list(16, options.inside);
    limit(18, "maxLayers", ALL_LAYERS);
    limit(20, "skip", 0);
    list(22, options.entries);
    limit(24, "maxText", 32 << 20);
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
