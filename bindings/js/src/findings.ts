// Identifies bytes: kinds of documents, layers, and reasons.
import type { GdvarError } from "./errors.js";
import { saves, type Call } from "./engine.js";
import { checkOptions } from "./options.js";
import { SAVE_NAMES, saveOptions, type SaveOptions } from "./save_options.js";

/** The kind of document inside a save's layers: "packet", "records", "config", "json", ... (docs/saves.md). */
export interface SaveKind {
    name: string;
    /** It is text; only changed parts are written anew. */
    text: boolean;
    /** Its values are found by name. */
    named: boolean;
    /** It may have any number of values. */
    several: boolean;
    /** It can't be changed or written. */
    onlyRead: boolean;
}
/** @internal */
export function kindAt(call: Call, at: number): SaveKind {
    const name = call.textAt(at >>> 2);
    const [text, named, several, , onlyRead] = call.module.u8.subarray(at + 8, at + 13);
    return { name, text: text !== 0, named: named !== 0, several: several !== 0, onlyRead: onlyRead !== 0 };
}

/** A possible or excluded reading of bytes, and why. */
export interface Reading {
    name: string;
    reason: string;
}
/** One layer or one document of a save, from the outermost inwards. */
export interface Finding {
    name: string;
    /** "3 records cover the 2916 bytes exactly" */
    reason: string;
    /** For a value that holds a save: its path, "#0 $.data". */
    at: string;
    /** The name of the matching one of `keys`. */
    openedWith: string;
    /** Other possible readings, the most plausible first. */
    others: Reading[];
    /** Formats that it resembles but is not. */
    ruledOut: Reading[];
    /** Its number among the layers; undefined: a document. */
    layer: number | undefined;
}
/** A place of a save at which engines run, load or instantiate something when they open it. */
export interface FoundCode {
    /**
     * A script in the file; a script that engines load; another file that they load, outside the game; an Object of a class
     * that is not known to be harmless.
     */
    kind: "embedded_script" | "loaded_script" | "outside_file" | "made_object";
    /** `$.sub["1"]`, `#2 $.pet.script` */
    path: string;
    /** The class, the file, or the reference: "GDScript", "res://pet.gd". */
    what: string;
}

/** @internal */
export function findingAt(record: number, call: Call): Finding {
    const word = record >>> 2;
    const { u32 } = call.module;
    const readings = (place: number): Reading[] => {
        const [at, count] = [u32[word + place]! >>> 2, u32[word + place + 1]!];
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

/** The identification of bytes of any kind. */
export interface Identification {
    /** "gdec-3 > gzip > records" */
    stack: string;
    /** The last one is "foreign" or "unknown" if the bytes are not a save. */
    findings: Finding[];
    /** Why the search ended: bad_key (encrypted, and none of the keys fits), bad_checksum, truncated, ... */
    error: GdvarError | undefined;
}
/** Identifies bytes of any kind, with reasons, without reading values; damaged ones up to the damage. */
export function identify(bytes: Uint8Array, options: SaveOptions = {}): Identification {
    checkOptions(options, SAVE_NAMES);
    const findings: Finding[] = [];
    return saves().calling(
        (call) => {
            const { module } = call;
            const callback: number = module.exports["gdvar_use_callback"]();
            const given = [call.bytes(bytes), saveOptions(call, options), callback, 0, module.buffer, module.error];
            const code: number = module.exports["gdvar_identify"](...given);
            module.refresh();
            const error = code === 0 ? undefined : module.failure();
            return { stack: module.takeText(), findings, error };
        },
        (record, call) => void findings.push(findingAt(record, call)),
    );
}

/** All kinds of documents inside a save's layers. */
export function saveKinds(): SaveKind[] {
    return saves().calling((call) => {
        const at = call.alloc(16);
        const kinds: SaveKind[] = [];
        for (let index = 0; ; ++index) {
            call.module.exports["gdvar_kind_at"](at, index);
            const kind = kindAt(call, at);
            if (kind.name === "") return kinds;
            kinds.push(kind);
        }
    });
}
/** The names of all layers: "gcpf", "gdec-3", "gzip", ... */
export function layerNames(): string[] {
    return saves().calling((call) => {
        const at = call.alloc(8);
        const names: string[] = [];
        for (let index = 0; ; ++index) {
            call.module.exports["gdvar_layer_name_at"](at, index);
            const name = call.textAt(at >>> 2);
            if (name === "") return names;
            names.push(name);
        }
    });
}
