// Identifies bytes: kinds of documents, layers, and reasons.
import type { GdvarError } from "./errors.js";
import { saves } from "./engine.js";
import { CODE, FINDING, KIND as ALL_OF_KIND } from "./layouts.js";
import { checkOptions } from "./options.js";
import { SAVE_NAMES, saveOptions, type SaveOptions } from "./save_options.js";
import * as s from "./structs.js";

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
export const KIND: s.Member<SaveKind> = s.some(ALL_OF_KIND, "name", "text", "named", "several", "onlyRead");

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
export const FOUND_CODE = CODE as s.Member<FoundCode>;

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
    const [findings, result] = saves().collecting(FINDING, (call) => {
        const { module } = call;
        const code: number = module.exports["gdvar_identify"](call.bytes(bytes), saveOptions(call, options), ...call.use, module.buffer, module.error);
        module.refresh();
        const error = code === 0 ? undefined : module.failure();
        return { stack: module.takeText(), error };
    });
    return { ...result, findings };
}

/** All kinds of documents inside a save's layers. */
export function saveKinds(): SaveKind[] {
    return saves().calling((call) => call.allReturned(KIND, "gdvar_kind_at", ({ name }) => name));
}
/** The names of all layers: "gcpf", "gdec-3", "gzip", ... */
export function layerNames(): string[] {
    return saves().calling((call) => call.allReturned(s.text, "gdvar_layer_name_at", (name) => name));
}
