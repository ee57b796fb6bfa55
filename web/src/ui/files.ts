// The open files, as the page sees them. The worker has their bytes.
import { batch, signal, type Signal } from "@preact/signals";
import { printable } from "../printable";
import type { Changed } from "../worker/api";
import type { Opening } from "../worker/opened";
import { sameRef, type Facts, type Ref, type Refusal, type Row, type Search, type Selected } from "../worker/shown";
import { Pieces } from "./pieces";
import { proxy, worker, type Library } from "./worker";

/** Rows are requested in pieces of this size. */
const PIECE = 128;

export type Panel = "bytes" | "value" | "space" | "changes";

/** `of`: the value at that time. After other changes another value may have its path. */
interface Draft {
    text: string;
    of: string;
}

export class OpenFile {
    readonly id: number;
    /** Numbers files of one name, to tell them apart. */
    readonly number: number;
    readonly facts: Signal<Facts>;
    readonly count: Signal<number>;
    readonly rows: Pieces<Row>;
    readonly selected = signal<Selected | undefined>(undefined);
    /** The row to scroll to; counted, so that the same one can be requested again. */
    readonly show = signal<{ index: number; turn: number }>({ index: 0, turn: 0 });
    readonly busy = signal("");
    /** The row that is edited in place: "value.node". */
    readonly editing = signal<string | undefined>(undefined);
    readonly refusal = signal<Refusal | undefined>(undefined);
    readonly search = signal<(Search & { query: string }) | undefined>(undefined);
    readonly panel = signal<Panel>("bytes");
    /** Grows when values change: shown values must be requested again. */
    readonly version = signal(0);
    /** Unapplied text in the editor of a value, by path. */
    readonly drafts = signal<ReadonlyMap<string, Draft>>(new Map());
    /** The text in the editor of a value: its draft, if it is of this value. */
    draftOf({ path, edit = "" }: Selected): string {
        const draft = this.drafts.value.get(path);
        return draft?.of === edit ? draft.text : edit;
    }
    /** Without a text, or with that of the value, nothing is left to apply. */
    draft({ path, edit = "" }: Selected, text = edit): void {
        const drafts = new Map(this.drafts.value);
        if (text === edit) drafts.delete(path);
        else drafts.set(path, { text, of: edit });
        this.drafts.value = drafts;
    }
    /** Closing it loses nothing. */
    get isSafe(): boolean {
        return this.isKept && this.drafts.value.size === 0;
    }
    /** The changes are in the downloaded file, or in the file around this one. */
    get isKept(): boolean {
        return this.downloaded.value || (this.host !== undefined && this.isInHost.value);
    }
    /** The file was downloaded with all its changes. */
    readonly downloaded = signal(true);

    constructor(facts: Facts, number = 1) {
        this.id = facts.id;
        this.number = number;
        this.facts = signal(facts);
        this.count = signal(facts.rows);
        this.rows = new Pieces(PIECE, (first, count) => this.ask((it) => it.rows(this.id, first, count)));
        if (facts.rows > 0) void this.select({ value: 0, node: 0 });
    }
    private isClosed = false;
    /** Asks the worker about this file. If the file is closed before the answer, none comes: whoever waits is gone with the file. */
    async ask<T>(question: (it: Library) => Promise<T>): Promise<T> {
        try {
            const answer = await question(await worker);
            if (!this.isClosed) return answer;
        } catch (error) {
            if (!this.isClosed) throw error;
        }
        return new Promise<never>(() => undefined);
    }
    async close(): Promise<void> {
        this.isClosed = true;
        await (await worker).close(this.id);
    }
    /** "slot.save › $.data (2)" */
    get title(): string {
        const { name, inside } = this.facts.value;
        return printable(nameOf(name, inside)) + (this.number > 1 ? ` (${this.number})` : "");
    }
    get canEdit(): boolean {
        return this.facts.value.state === "open" && !this.facts.value.onlyRead;
    }

    private pending: { ref: Ref; see: boolean } | undefined = undefined;
    private selecting: Promise<void> | undefined = undefined;
    /** The row requested by a key, until it is selected: the next key goes on from there. */
    aim: number | undefined = undefined;
    /** Selects a value and opens its containers; `see`: scrolls to it. While an earlier request is under way, only the last counts. */
    async select(ref: Ref, see = true): Promise<void> {
        this.pending = { ref, see };
        this.selecting ??= this.selectLast();
        await this.selecting;
    }
    /** Selects the value to which a byte of the content belongs. */
    async selectAt(offset: number): Promise<void> {
        const ref = await this.ask((it) => it.at(this.id, offset));
        if (ref !== undefined) await this.select(ref);
    }
    /** Resolves when the last request is selected. */
    settled(): Promise<void> | undefined {
        return this.selecting;
    }
    private async selectLast(): Promise<void> {
        try {
            while (this.pending !== undefined) {
                const wanted: { ref: Ref; see: boolean } = this.pending;
                this.pending = undefined;
                const { selected, rows } = await this.ask((it) => it.select(this.id, wanted.ref));
                batch(() => {
                    if (rows !== this.count.value) {
                        this.count.value = rows;
                        this.rows.renew();
                    }
                    this.selected.value = selected;
                    this.refusal.value = undefined;
                    if (wanted.see) this.see(selected.index);
                });
            }
        } finally {
            this.selecting = this.aim = undefined;
        }
    }
    see(index: number): void {
        this.show.value = { index, turn: this.show.value.turn + 1 };
    }
    async toggle(row: Row, open = !row.open): Promise<void> {
        if (!row.opens || row.open === open) return;
        const { value: before } = this.count;
        const { rows } = await this.ask((it) => it.toggle(this.id, row.ref, open));
        batch(() => {
            this.count.value = rows;
            this.rows.renew();
            ++this.rows.came.value;
        });
        // The selected value may be closed now; else it may be on another line.
        const { value: selected } = this.selected;
        const isInside = !open && selected !== undefined && selected.index > row.index && selected.index < row.index + 1 + (before - rows);
        if (selected !== undefined) void this.select(isInside ? row.ref : selected.ref, isInside);
    }
    async openWith(opening: Opening): Promise<void> {
        this.drafts.value = new Map();
        await this.during("opening", async () => this.take(await this.ask((it) => it.openWith(this.id, opening))));
        if (this.facts.value.rows > 0) await this.select({ value: 0, node: 0 });
    }
    /** The row of the value that holds the selected one. */
    async up(): Promise<void> {
        const { value: selected } = this.selected;
        const parent = selected && (await this.ask((it) => it.parent(this.id, selected.ref)));
        if (parent !== undefined) await this.select(parent);
    }

    // ---- changes ----

    private change(what: string, work: () => Promise<Changed>): Promise<boolean> {
        const made = this.made(what, work).finally(() => {
            if (this.changing === made) this.changing = undefined;
        });
        return (this.changing = made);
    }
    /** A change under way; resolves to its success. */
    changing: Promise<boolean> | undefined = undefined;
    private async made(what: string, work: () => Promise<Changed>): Promise<boolean> {
        return this.during(what, async () => {
            const { facts, selected, refusal } = await work();
            batch(() => {
                this.refusal.value = refusal;
                if (refusal === undefined) this.takeChanged(facts, selected);
                else this.take(facts);
            });
            return refusal === undefined;
        });
    }
    private takeChanged(facts: Facts, selected: Selected | undefined): void {
        this.take(facts);
        this.downloaded.value = facts.changes.length === 0;
        this.isInHost.value = facts.changes.length === 0 && !this.wasPutBack;
        ++this.version.value;
        this.selected.value = selected;
        if (selected !== undefined) this.see(selected.index);
    }
    /** Without a change it differs from the other file. */
    private wasPutBack = false;
    /** The file around it has the same value. */
    readonly isInHost = signal(true);
    /** The open file whose value is open here, if any. */
    get host(): OpenFile | undefined {
        const { host } = this.facts.value;
        return host === undefined ? undefined : files.value.find(({ id }) => id === host);
    }
    /** Puts the changed content back into the value that is open here, and shows it there. */
    async putBack(): Promise<void> {
        const { host } = this;
        if (host === undefined) return;
        await this.during("putting back", async () => {
            const { facts, selected, refusal } = await this.ask((it) => it.putBack(this.id));
            batch(() => {
                this.refusal.value = refusal;
                if (refusal !== undefined) return host.take(facts);
                host.takeChanged(facts, selected);
                this.wasPutBack = this.isInHost.value = true;
                active.value = host;
            });
        });
    }
    async set(ref: Ref, text: string, asText: boolean, type = false): Promise<boolean> {
        return this.change("changing", () => this.ask((it) => it.set(this.id, ref, text, asText, type)));
    }
    async remove(ref: Ref): Promise<boolean> {
        return this.change("removing", () => this.ask((it) => it.remove(this.id, ref)));
    }
    async rename(ref: Ref, key: string): Promise<boolean> {
        return this.change("renaming", () => this.ask((it) => it.rename(this.id, ref, key)));
    }
    async add(ref: Ref | undefined, key: string, text: string): Promise<boolean> {
        return this.change("adding", () => this.ask((it) => it.add(this.id, ref, key, text)));
    }
    async undo(): Promise<boolean> {
        if (this.facts.value.changes.length === 0) return false;
        return this.change("undoing", () => this.ask((it) => it.undo(this.id, this.selected.value?.ref)));
    }
    async redo(): Promise<boolean> {
        if (this.facts.value.undone === 0) return false;
        return this.change("redoing", () => this.ask((it) => it.redo(this.id, this.selected.value?.ref)));
    }
    private take(facts: Facts): void {
        this.facts.value = facts;
        this.count.value = facts.rows;
        this.rows.renew();
    }
    async during<T>(what: string, work: () => Promise<T>): Promise<T> {
        this.busy.value = what;
        try {
            return await work();
        } finally {
            this.busy.value = "";
        }
    }

    // ---- search ----

    async find(query: string): Promise<void> {
        if (query === "") {
            this.search.value = undefined;
            await (await worker).stopSearch();
            return;
        }
        this.search.value = { query, found: [], total: 0, done: false, refusal: undefined };
        const use = (state: Search) => {
            if (this.search.value?.query === query) this.search.value = { query, ...state };
        };
        await this.ask((it) => it.search(this.id, query, proxy(use)));
    }
    isSelected(ref: Ref): boolean {
        return sameRef(this.selected.value?.ref, ref);
    }
}

const nameOf = (name: string, inside: string) => name + (inside === "" ? "" : ` › ${inside}`);

export const files = signal<OpenFile[]>([]);
export const active = signal<OpenFile | undefined>(undefined);
export const loading = signal(0);
/** The reason why the page can't work at all. */
export const broken = signal("");
worker.catch((error: Error) => (broken.value = error.message));

export async function openFiles(list: Iterable<File | { name: string; blob: Blob; isNew?: boolean }>): Promise<void> {
    for (const given of list) {
        ++loading.value;
        try {
            const blob = given instanceof File ? given : given.blob;
            const file = show(await (await worker).open(given.name, blob));
            // A new file exists nowhere else yet.
            if (!(given instanceof File) && given.isNew === true) file.downloaded.value = false;
        } catch (error) {
            problem.value = `${given.name}: ${error instanceof Error ? error.message : String(error)}`;
        } finally {
            --loading.value;
        }
    }
}
export const problem = signal("");
function show(facts: Facts): OpenFile {
    const name = nameOf(facts.name, facts.inside);
    const taken = files.value.filter(({ facts: { value } }) => nameOf(value.name, value.inside) === name).map(({ number }) => number);
    let number = 1;
    while (taken.includes(number)) ++number;
    const file = new OpenFile(facts, number);
    batch(() => {
        files.value = [...files.value, file];
        active.value = file;
    });
    return file;
}
/** Opens a file of an archive as a file of its own. */
export async function openEntry(archive: OpenFile, place: number): Promise<void> {
    show(await archive.ask((it) => it.openEntry(archive.id, place)));
}
/** Opens a value's content in place of the whole file. */
export async function openInside(outer: OpenFile, ref: Ref): Promise<void> {
    show(await outer.during("opening", () => outer.ask((it) => it.openInside(outer.id, ref))));
}

export async function closeFile(file: OpenFile): Promise<void> {
    const at = files.value.indexOf(file);
    batch(() => {
        files.value = files.value.filter((other) => other !== file);
        if (active.value === file) active.value = files.value[Math.min(at, files.value.length - 1)];
    });
    await file.close();
}

/** Gives bytes to the browser as a download. */
export function download(name: string, blob: Blob): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    // The browser has taken it by then.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
