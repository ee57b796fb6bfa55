// What bytes are: kinds of documents, layers, and why.
import type { GdvarError } from "./errors.js";
import { saves, type Call } from "./engine.js";
import { checkOptions } from "./options.js";
import { SAVE_NAMES, saveOptions, type SaveOptions } from "./save_options.js";

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
/** @internal */
export function kindAt(call: Call, at: number): SaveKind {
    const name = call.textAt(at >>> 2);
    const [text, named, several, , onlyRead] = call.module.u8.subarray(at + 8, at + 13);
    return { name, text: text !== 0, named: named !== 0, several: several !== 0, onlyRead: onlyRead !== 0 };
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

/** What bytes of any kind are. */
export interface Identification {
    /** "gdec-3 > gzip > records" */
    stack: string;
    /** The last one is "foreign" or "unknown" if the bytes are no save. */
    findings: Finding[];
    /** Why no more could be found: bad_key (encrypted, and none of the keys fits), bad_checksum, truncated, ... */
    error: GdvarError | undefined;
}
/** What bytes of any kind are, and why, without reading values; of damaged ones, all up to the damage. */
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

/** All that a save may hold inside its layers. */
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
