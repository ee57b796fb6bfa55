// The values of a file, each as a document, and where they stand: those of a sound save, or those that were recovered from a damaged one.
import type { Recovery, SaveFile, SaveKind } from "gdvar/saves";
import { Document } from "gdvar/saves";
import { MOST_LINE, printable } from "../printable";
import { lastAtMost, lastUpTo } from "../sorted";
import { indexOfText } from "./bytes";
import { refusalOf } from "./refusal";
import type { Ref } from "./shown";

/** The values of a file, and the content of its innermost layer, in which they stand. */
export abstract class Values<Source extends SaveFile | Recovery = SaveFile | Recovery> {
    abstract readonly count: number;
    /** Values stand in a list of their own: records, lines, settings. */
    readonly listed: boolean;
    /** The values were made of a text: their sizes are not the file's. */
    abstract readonly made: boolean;
    protected readonly kind: SaveKind;
    /** The size of the content. */
    readonly size: number;
    constructor(protected readonly source: Source) {
        this.kind = source.kind;
        this.listed = this.kind.named || this.kind.several;
        this.size = source.contentSize;
    }
    bytes(begin: number, end: number): Uint8Array {
        return this.source.content(begin, end);
    }
    abstract name(value: number): string | undefined;
    abstract document(value: number): Document;
    /** Why only a part of it is there; "" if all of it is. */
    abstract broken(value: number): string;
    /** Whether a container has fewer elements than the file says, whose header stands at these places of the packet. */
    abstract isCut(value: number, begin: number, end: number): boolean;
    /** The values in which a search may find a text, or whose name may hold it; undefined now and then, for others' turns. */
    abstract candidates(text: string): Generator<number | undefined>;
    /** Where a value stands in the content whose place in its packet is known. */
    abstract range(value: number, begin: number, end: number): [begin: number, end: number] | undefined;
    /** The value to which a byte of the content belongs, and a place in its packet. */
    abstract owner(offset: number): { value: number; offset: number } | undefined;
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
    /** The innermost value to which a byte of the content belongs. */
    at(offset: number): Ref | undefined {
        const owner = this.values.owner(offset);
        if (owner === undefined) return undefined;
        const document = this.get(owner.value);
        return { value: owner.value, node: valueOf(document, document.at(owner.offset)) };
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

/** The innermost node; of a key, the value of its pair. */
function valueOf(document: Document, chain: readonly number[]): number {
    if (chain.length < 2) return 0;
    const node = chain[chain.length - 1]!;
    if (document.isProperty(node)) return document.next(node);
    const parent = chain[chain.length - 2]!;
    if (document.type(parent) !== "Dictionary") return node;
    const children = document.children(parent);
    return children[lastUpTo(children, node) | 1]!;
}

/** Bytes of the content that are searched at once. */
const PIECE = 1 << 20;
/** Values that are searched without further ado. */
const FEW = 64;

/** The values of a text were made of it; packets stand in the content as they are. */
export class SavedValues extends Values<SaveFile> {
    readonly count = this.source.count;
    readonly made = this.kind.text || (this.count > 0 && this.source.place(0) === undefined);
    // Where values stand that were made of a file of another form is not known.
    private readonly hasPlaces = this.count > 0 && (this.kind.text || !this.made);

    name(value: number): string | undefined {
        return this.kind.named ? this.source.name(value) : undefined;
    }
    document(value: number): Document {
        return this.source.document(value);
    }
    range(value: number, begin: number, end: number): [number, number] | undefined {
        const { text } = this.kind;
        const place = this.hasPlaces ? this.source.place(value, text ? begin : 0) : undefined;
        return place && (text ? [place.begin, place.end] : [place.begin + begin, place.begin + end]);
    }
    owner(offset: number): { value: number; offset: number } | undefined {
        if (!this.hasPlaces) return undefined;
        // The last row of bytes has room for more of them.
        const { index: value, offset: inside } = this.source.valueAt(Math.min(offset, this.size - 1));
        return { value, offset: this.kind.text ? inside : offset - this.source.place(value)!.begin };
    }
    broken(): string {
        return "";
    }
    isCut(): boolean {
        return false;
    }
    /** Packets in the content without the text's bytes are passed over unread. */
    candidates(text: string): Generator<number | undefined> {
        const isSieved = !this.kind.named && !this.made && this.count >= FEW && Document.standsAsBytes(text);
        return isSieved ? this.sieved(text) : upTo(this.count);
    }
    private *sieved(text: string): Generator<number | undefined> {
        const { source: save, size } = this;
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

/** The readable part of a damaged file stands in packets of its own: only the beginnings are known in the file. */
export class RecoveredValues extends Values<Recovery> {
    private readonly items = this.source.items;
    readonly count = this.items.length;
    readonly made = this.kind.text;

    name(value: number): string | undefined {
        return this.kind.named ? this.items[value]!.name : undefined;
    }
    document(value: number): Document {
        return new Document(this.items[value]!.packet, { dialect: this.source.dialect, objects: true });
    }
    candidates(): Generator<number> {
        return upTo(this.count);
    }
    broken(value: number): string {
        const { state, breakAt, error } = this.items[value]!;
        return state === "partial" ? `breaks off at ${printable(breakAt ?? "", MOST_LINE)}${error === undefined ? "" : `: ${refusalOf(error).message}`}` : "";
    }
    isCut(value: number, begin: number, end: number): boolean {
        const { packet, offset, state } = this.items[value]!;
        if (this.made || state !== "partial") return false;
        // The packet of a value that breaks off has the counts of the items that are there.
        const came = this.source.content(offset + begin, offset + end);
        return came.some((byte, i) => byte !== packet[begin + i]);
    }
    range(value: number, begin: number, end: number): [number, number] | undefined {
        const { offset } = this.items[value]!;
        return this.made ? undefined : [offset + begin, offset + end];
    }
    owner(offset: number): { value: number; offset: number } | undefined {
        if (this.made || this.count === 0) return undefined;
        // The length before a packet is its record's.
        const value = Math.max(0, lastAtMost(this.count, (at) => this.items[at]!.offset - 4, offset));
        return { value, offset: offset - this.items[value]!.offset };
    }
}
