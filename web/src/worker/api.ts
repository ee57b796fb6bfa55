// The worker: files stay here, and the page asks.
import { expose } from "comlink";
import { dialects, GdvarError, type DialectName } from "gdvar";
import { annotate, layerNames, saveKinds, type Printed, type StaleSum } from "gdvar/saves";
import { Opened, type Opening } from "./opened";
import { oneLine } from "./preview";
import { refusalOf } from "./refusal";
import { search } from "./search";
import type { Comparison, Converted, Facts, Field, Ref, Refusal, Row, Search, Selected, Space } from "./shown";
import { space } from "./space";

/** The result of a change: the file as it is now, and the value that is selected. */
export interface Changed {
    facts: Facts;
    selected: Selected | undefined;
    refusal: Refusal | undefined;
}

const VALUES: ReadonlySet<string> = new Set(["string", "string-name", "bytes"]);
const files = new Map<number, Opened>();
let searches = 0;
let lastId = 0;

function file(id: number): Opened {
    const opened = files.get(id);
    if (opened === undefined) throw new Error(`there is no file ${id}`);
    return opened;
}
/** A restore that runs; all other calls wait for it. */
let restoring: Promise<void> | undefined = undefined;
/** Makes anew what was lost with the library's memory. */
async function restore(): Promise<void> {
    const lost = [...files.values()].filter((opened) => opened.isLost());
    if (lost.length > 0) restoring ??= restoreAll(lost).finally(() => (restoring = undefined));
    await restoring;
}
async function restoreAll(lost: Opened[]): Promise<void> {
    // A file for which there is still no memory says so when it is asked for something, and is tried again.
    for (const opened of lost) await opened.restore().catch(() => undefined);
}
async function changed(id: number, work: (opened: Opened) => Ref | Promise<Ref> | undefined): Promise<Changed> {
    const opened = file(id);
    try {
        const ref = await work(opened);
        // Selecting opens rows, which the facts count.
        const now = ref && selected(opened, ref);
        return { facts: opened.facts(), selected: now, refusal: undefined };
    } catch (error) {
        await restore();
        return { facts: opened.facts(), selected: undefined, refusal: refusalOf(error) };
    }
}
/** A question about a value that a change has just removed has no answer. */
function ifThere<T>(work: () => T): T | undefined {
    try {
        return work();
    } catch (error) {
        if (error instanceof GdvarError && error.code === "index_out_of_range") return undefined;
        throw error;
    }
}
function textOf<Text>(make: () => Text): { text: Text | undefined; refusal: Refusal | undefined } {
    try {
        return { text: make(), refusal: undefined };
    } catch (error) {
        return { text: undefined, refusal: refusalOf(error) };
    }
}
function selected(opened: Opened, ref: Ref): Selected | undefined {
    return opened.tree === undefined || opened.tree.rows === 0 ? undefined : opened.select(ref);
}

const api = {
    dialects: () => dialects().map(({ name, title }) => ({ name, title })),
    /** The kinds that a user may choose for a file. A String or bytes are layers only as values. */
    readings: () => ({ documents: saveKinds().map(({ name }) => name), layers: layerNames().filter((name) => !VALUES.has(name)) }),

    async open(name: string, blob: Blob, opening: Opening = {}): Promise<Facts> {
        const id = ++lastId;
        const opened = await Opened.open(id, name, blob, opening);
        files.set(id, opened);
        return opened.facts();
    },
    async openWith(id: number, opening: Opening): Promise<Facts> {
        await file(id).openWith(opening);
        return file(id).facts();
    },
    close(id: number): void {
        files.get(id)?.close();
        files.delete(id);
    },

    rows: (id: number, first: number, count: number): Row[] => file(id).tree?.list(first, count) ?? [],
    /** Opens or closes a value; the number of rows after it, and its row. */
    toggle(id: number, ref: Ref, open: boolean): { rows: number; index: number } {
        const tree = file(id).tree!;
        const index = open ? tree.open(ref) : tree.shut(ref);
        return { rows: tree.rows, index };
    },
    select(id: number, ref: Ref): { selected: Selected; rows: number } {
        const opened = file(id);
        return { selected: opened.select(ref), rows: opened.tree!.rows };
    },
    parent: (id: number, ref: Ref): Ref | undefined => ifThere(() => file(id).tree!.parent(ref)),
    at: (id: number, offset: number): Ref | undefined => file(id).at(offset),
    content: (id: number, begin: number, end: number): Uint8Array => file(id).content(begin, end).slice(),

    print: (id: number, ref: Ref, form: Printed) => textOf(() => file(id).document(ref).print(ref.node, form, 2)),
    exportAll: (id: number, form: Printed) => textOf(() => file(id).exportAll(form)),
    /** Every field of a value, with places in the content; at most `most`. */
    fields(id: number, ref: Ref, begin: number, most: number): Field[] {
        const opened = file(id);
        const { dialect } = opened.facts();
        const packet = ifThere(() => opened.packet(ref));
        if (packet === undefined) return [];
        const { rows } = annotate(packet, { dialect: dialect || "godot-4.4", objects: true });
        return rows.slice(0, most).map(({ offset, size, type, value, note }) => {
            return { offset: offset + begin, size, type: oneLine(type), value: oneLine(value), note: oneLine(note) };
        });
    },
    space: (id: number, ref: Ref | undefined): Space | undefined => ifThere(() => space(file(id).tree!, ref)),

    async search(id: number, query: string, use: (state: Search) => void): Promise<void> {
        const mine = ++searches;
        const { tree } = file(id);
        if (tree !== undefined) await search(tree, query, use, () => mine !== searches || file(id).tree !== tree);
    },
    stopSearch(): void {
        ++searches;
    },

    set: (id: number, ref: Ref, text: string, asText: boolean, type: boolean) => changed(id, (opened) => opened.set(ref, text, type, asText)),
    remove: (id: number, ref: Ref) => changed(id, (opened) => opened.remove(ref)),
    rename: (id: number, ref: Ref, key: string) => changed(id, (opened) => opened.rename(ref, key)),
    add: (id: number, ref: Ref | undefined, key: string, text: string) => changed(id, (opened) => opened.add(ref, key, text)),
    undo: (id: number, near: Ref | undefined) => changed(id, (opened) => opened.undo(near)),
    redo: (id: number, near: Ref | undefined) => changed(id, (opened) => opened.redo(near)),

    saved: (id: number, updateSums = false): Uint8Array => file(id).saved(updateSums),
    staleSums: (id: number): StaleSum[] => file(id).staleSums(),
    /** Opens a file of an archive as a file of its own. */
    async openEntry(id: number, place: number): Promise<Facts> {
        const { file: blob, name } = file(id);
        const entry = file(id).facts().archive?.entries[place];
        const short = entry?.name.split("/").pop() || `${name} #${place}`;
        return api.open(short, blob, { ...file(id).secrets, entry: `#${place}`, size: entry?.size });
    },
    /** Opens what a String or PackedByteArray holds, as a file of its own. */
    async openInside(id: number, ref: Ref): Promise<Facts> {
        const opened = await file(id).openInside(++lastId, ref);
        files.set(opened.id, opened);
        return opened.facts();
    },
    /** Puts what was changed there back into the value. The result is that of the file that the value is in. */
    putBack(id: number): Promise<Changed> {
        const inner = file(id);
        return changed(inner.host!.id, (opened) => opened.putBack(inner));
    },
    original: (id: number): Blob => file(id).origin,
    convert: (id: number, dialect: DialectName): Converted => file(id).convert(dialect),
    compare: (id: number, other: number): Promise<Comparison> => file(id).compare(file(other)),
};
export type Api = typeof api;

/** The same; a call that has taken all memory costs no file its changes. */
const guarded = Object.entries(api).map(([name, work]: [string, (...given: any[]) => unknown]) => {
    const call = async (...given: unknown[]) => {
        await restoring;
        try {
            return await work(...given);
        } finally {
            await restore();
        }
    };
    return [name, call];
});

expose(Object.fromEntries(guarded));
// Messages that come while the modules are compiled would be lost.
postMessage("ready");
