// Wraps bytes in layers and unwraps them, lists files of archives, and makes documents from values.
import { encode } from "./encode.js";
import { saves, type Engine } from "./engine.js";
import { EntryFlags } from "./interface.js";
import { ENTRY as ALL_OF_ENTRY } from "./layouts.js";
import { checkOptions, findDialect, type DialectName } from "./options.js";
import { SAVE_NAMES, saveOptions, type SaveOptions } from "./save_options.js";
import * as s from "./structs.js";
import type { Encodable } from "./variant.js";

/** @internal */
export function wrapIn(engine: Engine, bytes: Uint8Array, layers: readonly string[], options: SaveOptions = {}): Uint8Array<ArrayBuffer> {
    return engine.calling((call) => call.output("gdvar_wrap", [call.bytes(bytes), call.text(layers.join(" ")), saveOptions(call, options)]));
}
/** @internal */
export function unwrapIn(engine: Engine, bytes: Uint8Array, options: SaveOptions = {}): { bytes: Uint8Array<ArrayBuffer>; layers: string[] } {
    return engine.calling((call) => {
        const { module } = call;
        // The state of a failed call must not reach this one.
        module.exports["gdvar_buffer_clear"](module.path);
        call.run("gdvar_unwrap", [call.bytes(bytes), saveOptions(call, options), module.buffer, module.path]);
        return { bytes: module.takeBuffer(), layers: layersIn(module.takeText(module.path)) };
    });
}
/** Puts bytes into layers, the outermost first: `wrap(bytes, ["base64", "gdec-4"], { password })`. */
export function wrap(bytes: Uint8Array, layers: readonly string[], options?: SaveOptions): Uint8Array<ArrayBuffer> {
    checkOptions(options, SAVE_NAMES);
    return wrapIn(saves(), bytes, layers, options);
}
/** Takes bytes out of all their layers; bytes without layers are returned unchanged. */
export function unwrap(bytes: Uint8Array, options?: SaveOptions): { bytes: Uint8Array<ArrayBuffer>; layers: string[] } {
    checkOptions(options, SAVE_NAMES);
    return unwrapIn(saves(), bytes, options);
}
/** @internal */
export function layersIn(names: string): string[] {
    return names.split(" ").filter((name) => name !== "");
}

/** A file of a pack (PCK) or of a browser's export. */
export interface Entry {
    /** As in the archive; "" if the export has none for it. */
    name: string;
    /** The content's size in bytes. */
    size: number;
    /** The place of its bytes in the pack. */
    offset: number | undefined;
    md5: Uint8Array<ArrayBuffer> | undefined;
    encrypted: boolean;
    /** The content exists: the option `entries` opens it. */
    opens: boolean;
    /** The name leads out of its folder, is an absolute path, or has control or hidden characters: write no file with it. */
    hostileName: boolean;
    /** Suspicious properties, in words: "removed by this patch". */
    notes: string[];
}
const ENTRY: s.Member<Entry> = s.as(ALL_OF_ENTRY, ({ offset, md5, flags, ...entry }) => ({
    ...entry,
    offset: flags & EntryFlags.offset ? offset : undefined,
    md5: flags & EntryFlags.md5 ? md5 : undefined,
    encrypted: (flags & EntryFlags.encrypted) !== 0,
    opens: (flags & EntryFlags.absent) === 0,
    hostileName: (flags & EntryFlags.hostile) !== 0,
}));
/**
 * The files of a pack (PCK) or of a browser's export, in their order, and a description: "format 3 of Godot 4.6.3, 6 files".
 * The archive may be in layers. Errors: not_recognised (no such archive), bad_key (its directory is encrypted), ...
 */
export function readEntries(bytes: Uint8Array, options: SaveOptions = {}): { description: string; entries: Entry[] } {
    checkOptions(options, SAVE_NAMES);
    const [entries, description] = saves().collecting(ENTRY, (call) => {
        return call.outputText("gdvar_read_entries", [call.bytes(bytes), saveOptions(call, options), ...call.use]);
    });
    return { description, entries };
}

/** A value of a new document, or its packet in the document's dialect; settings have names. */
export type DocumentItem = { name?: string } & ({ value: Encodable } | { packet: Uint8Array });
const ITEM_NAMES = { name: true, value: true, packet: true } as const;
/**
 * A new document of a kind ("records", "config", "json-lines", ...; `saveKinds`), without layers. Errors: bad_mode (no such
 * kind), trailing_bytes (several values for a kind that has one), unsupported_type (a kind that can only be changed or read),
 * not_in_dialect, too_large.
 */
export function makeDocument(kind: string, items: Iterable<DocumentItem>, dialect: DialectName = "godot-4.4"): Uint8Array<ArrayBuffer> {
    const packets = [...items].map((item) => {
        checkOptions(item, ITEM_NAMES, "field of an item");
        return { name: item.name ?? "", packet: "packet" in item ? item.packet : encode(item.value, { dialect, objects: true }) };
    });
    return saves().calling((call) => {
        const { module } = call;
        const all = call.spans(packets.flatMap(({ name, packet }) => [call.text(name), call.bytes(packet)]));
        call.runWithPath("gdvar_make_document", [call.text(kind), all, packets.length, findDialect(module, dialect), module.buffer]);
        return module.takeBuffer();
    });
}
