// The values of a file, each as a document: those of a sound save, or those that were recovered from a damaged one.
import type { Recovery, SaveFile } from "gdvar/saves";
import { Document } from "gdvar/saves";
import { MOST_LINE, printable } from "../printable";
import { indexOfText } from "./bytes";
import { refusalOf } from "./refusal";

export interface Values {
    readonly count: number;
    /** Values stand in a list of their own: records, lines, settings. */
    readonly listed: boolean;
    /** The values were made of a text: their sizes are not the file's. */
    readonly made: boolean;
    name(value: number): string | undefined;
    document(value: number): Document;
    /** Why only a part of it is there; "" if all of it is. */
    broken(value: number): string;
    /** Whether a container has fewer elements than the file says, whose header stands at these places of the packet. */
    isCut(value: number, begin: number, end: number): boolean;
    /** The values in which a search may find a text, or whose name may hold it; undefined now and then, for others' turns. */
    candidates(text: string): Generator<number | undefined>;
}
function* upTo(count: number, first = 0): Generator<number> {
    for (let value = first; value < count; ++value) yield value;
}

/** Documents of the values that are looked at, the last ones; those of open rows stay. */
export class Documents {
    private readonly made = new Map<number, Document>();
    constructor(readonly values: Values) {}
    get(value: number): Document {
        let document = this.made.get(value);
        // The one that was asked for last is the last to go.
        if (document !== undefined) this.made.delete(value);
        else document = this.values.document(value);
        this.made.set(value, document);
        return document;
    }
    /** Keeps `most` documents besides those that are in use. */
    trim(inUse: ReadonlySet<number>, most = 64): void {
        let extra = this.made.size - inUse.size - most;
        for (const [value, document] of this.made) {
            if (extra <= 0) return;
            if (inUse.has(value)) continue;
            document.close();
            this.made.delete(value);
            --extra;
        }
    }
    close(): void {
        for (const document of this.made.values()) document.close();
        this.made.clear();
    }
}

/** Bytes of the content that are searched at once. */
const PIECE = 1 << 20;
/** Values that are searched without further ado. */
const FEW = 64;

export class SavedValues implements Values {
    readonly count: number;
    readonly listed: boolean;
    readonly made: boolean;
    private readonly named: boolean;
    constructor(private readonly save: SaveFile) {
        this.count = save.count;
        const { named, several, text } = save.kind;
        this.named = named;
        this.made = text || (this.count > 0 && save.place(0) === undefined);
        this.listed = named || several;
    }
    name(value: number): string | undefined {
        return this.named ? this.save.name(value) : undefined;
    }
    document(value: number): Document {
        return this.save.document(value);
    }
    broken(): string {
        return "";
    }
    isCut(): boolean {
        return false;
    }
    /** Packets in the content without the text's bytes are passed over unread. */
    candidates(text: string): Generator<number | undefined> {
        const isSieved = !this.named && !this.made && this.count >= FEW && Document.standsAsBytes(text) && this.save.place(0) !== undefined;
        return isSieved ? this.sieved(text) : upTo(this.count);
    }
    private *sieved(text: string): Generator<number | undefined> {
        const { save } = this;
        const size = save.contentSize;
        let found = 0;
        for (let at = 0; at < size; ) {
            const piece = save.content(at, at + PIECE);
            const begin = at;
            // A match that begins in this piece and ends in the next one is found there.
            at += piece.length < PIECE ? piece.length : PIECE - text.length + 1;
            for (let hit = indexOfText(piece, text, 0); hit >= 0; ) {
                const { index } = save.valueAt(begin + hit);
                const place = save.place(index);
                yield index;
                // Where most values have it, the sieve costs more than it spares.
                if (place === undefined || (++found >= FEW && 2 * found > index)) return yield* upTo(this.count, index + 1);
                at = Math.max(at, place.end);
                hit = indexOfText(piece, text, Math.max(place.end - begin, hit + 1));
            }
            yield undefined;
        }
    }
}

export class RecoveredValues implements Values {
    readonly count: number;
    readonly listed: boolean;
    readonly made: boolean;
    constructor(private readonly recovery: Recovery) {
        this.count = recovery.items.length;
        this.listed = recovery.kind.named || recovery.kind.several;
        this.made = recovery.kind.text;
    }
    name(value: number): string | undefined {
        return this.recovery.kind.named ? this.recovery.items[value]!.name : undefined;
    }
    document(value: number): Document {
        return new Document(this.recovery.items[value]!.packet, { dialect: this.recovery.dialect, objects: true });
    }
    candidates(): Generator<number> {
        return upTo(this.count);
    }
    broken(value: number): string {
        const { state, breakAt, error } = this.recovery.items[value]!;
        return state === "partial" ? `breaks off at ${printable(breakAt ?? "", MOST_LINE)}${error === undefined ? "" : `: ${refusalOf(error).message}`}` : "";
    }
    isCut(value: number, begin: number, end: number): boolean {
        const { packet, offset, state } = this.recovery.items[value]!;
        if (this.made || state !== "partial") return false;
        // The packet of a value that breaks off has the counts of the items that are there.
        const came = this.recovery.content(offset + begin, offset + end);
        return came.some((byte, i) => byte !== packet[begin + i]);
    }
}
