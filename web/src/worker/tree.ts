// The rows of a tree of which parts are open. Rows are made only when they are asked for, so that a million of them cost 4 bytes
// each.
import { GdvarError } from "gdvar";
import type { Document } from "gdvar/saves";
import { lastAtMost, lastUpTo } from "../sorted";
import { isIdentifier, step } from "./path";
import { refusalOf } from "./refusal";
import { hasKeys, label, lookOf, nameIn, preview, typeOf } from "./preview";
import type { Ref, Row } from "./shown";
import { Documents, type Values } from "./values";

/** A container that is open, or the list of a file's values. */
class Branch {
    readonly count: number;
    /** Rows below it: its children, and what is open in them. */
    rows: number;
    readonly open = new Map<number, Branch>();
    /** The places of what is open, in order, and the rows of all up to each of them. */
    private places: number[] | undefined = undefined;
    private sums: number[] = [];

    constructor(readonly parent: Branch | undefined, readonly place: number, count: number) {
        this.count = this.rows = count;
    }
    add(place: number, branch: Branch): void {
        this.open.set(place, branch);
        this.grow(branch.rows);
    }
    remove(place: number): void {
        const branch = this.open.get(place);
        if (branch === undefined) return;
        this.open.delete(place);
        this.grow(-branch.rows);
    }
    private grow(rows: number): void {
        for (let branch: Branch | undefined = this; branch !== undefined; branch = branch.parent) {
            branch.rows += rows;
            branch.places = undefined;
        }
    }
    private index(): number[] {
        if (this.places === undefined) {
            this.places = [...this.open.keys()].sort((a, b) => a - b);
            let sum = 0;
            this.sums = this.places.map((place) => (sum += this.open.get(place)!.rows));
        }
        return this.places;
    }
    /** The row, from 0, of the child at `place`. */
    rowOf(place: number): number {
        const before = lastUpTo(this.index(), place - 1);
        return place + (before < 0 ? 0 : this.sums[before]!);
    }
    /** The child in whose rows, or at which, `row` stands. */
    childAt(row: number): number {
        return Math.max(0, lastAtMost(this.count, (place) => this.rowOf(place), row));
    }
}
/** The branch of an open value. */
class Held extends Branch {
    private readonly children: Uint32Array;
    readonly keyed: boolean;
    constructor(parent: Branch | undefined, place: number, readonly value: number, readonly node: number, readonly document: Document) {
        const keyed = hasKeys(document, node);
        const children = document.children(node);
        super(parent, place, keyed ? children.length / 2 : children.length);
        [this.children, this.keyed] = [children, keyed];
    }
    key(place: number): number | undefined {
        return this.keyed ? this.children[2 * place] : undefined;
    }
    child(place: number): number {
        return this.children[this.keyed ? 2 * place + 1 : place]!;
    }
    /** The place of the child that is `node`, or has it as its key. */
    placeOf(node: number): number {
        const index = lastUpTo(this.children, node);
        return this.keyed ? index >> 1 : index;
    }
}

const refIn = (branch: Branch, place: number): Ref => (branch instanceof Held ? { value: branch.value, node: branch.child(place) } : { value: place, node: 0 });

/** A container's header, with the types of its elements. */
const MOST_HEADER = 1024;
/** Keys of a container that are compared to see that one is there once. */
const MOST_COMPARED = 256;

function nameOf(held: Held, place: number): string | undefined {
    const { document, count } = held;
    const text = (at: number) => {
        const key = held.key(at)!;
        return document.isProperty(key) || document.type(key) === "String" || document.type(key) === "StringName" ? document.text(key) : undefined;
    };
    const name = text(place);
    if (name === undefined || !isIdentifier(name) || count > MOST_COMPARED) return undefined;
    for (let at = 0; at < count; ++at) if (at !== place && text(at) === name) return undefined;
    return `.${name}`;
}

/** The step to a key of any kind. If pairs have one key, paths find the last: to the others, the step is their place. */
function stepTo(path: string, held: Held, place: number): string {
    const { document } = held;
    const key = held.key(place)!;
    const named = step(document.isProperty(key) ? document.text(key) : document.value(key), document.dialect);
    try {
        if (document.lookup(path + named)[0]?.node === held.child(place)) return named;
    } catch (error) {
        // A key that is found by no path.
        if (!(error instanceof GdvarError)) throw error;
    }
    return `[@${place}]`;
}

/** Which containers are open: the places of those in this one, and what is open in each. */
export interface Opened {
    [place: number]: Opened;
}

export class Tree {
    readonly documents: Documents;
    private readonly root: Branch;

    constructor(values: Values) {
        this.documents = new Documents(values);
        this.root = new Branch(undefined, 0, values.count);
        // A file of few values shows at once what is in the first.
        if (values.count === 0 || values.count > 16) return;
        try {
            this.open({ value: 0, node: 0 });
        } catch {
            // A broken value says so in its row.
        }
    }
    close(): void {
        this.documents.close();
    }
    get rows(): number {
        return this.root.rows;
    }

    /** Some of the rows that are open. */
    list(first: number, count: number): Row[] {
        const rows: Row[] = [];
        this.collect(this.root, 0, 0, first, Math.min(first + count, this.rows), rows);
        this.documents.trim(this.inUse());
        return rows;
    }
    private collect(branch: Branch, depth: number, begin: number, first: number, end: number, rows: Row[]): void {
        let place = branch.childAt(Math.max(first - begin, 0));
        for (let at = begin + branch.rowOf(place); place < branch.count && at < end; ++place) {
            if (at >= first) rows.push(this.row(branch, place, depth, at));
            ++at;
            const inside = branch.open.get(place);
            if (inside === undefined) continue;
            if (at + inside.rows > first) this.collect(inside, depth + 1, at, first, end, rows);
            at += inside.rows;
        }
    }

    private row(branch: Branch, place: number, depth: number, index: number): Row {
        const held = branch instanceof Held ? branch : undefined;
        const { value, node } = refIn(branch, place);
        const base = { ref: { value, node }, index, depth, place, siblings: branch.count, open: branch.open.has(place) };
        const named = this.labelOf(held, place);
        try {
            const document = held?.document ?? this.documents.get(value);
            const [begin, end] = document.range(node);
            const keyBegin = held?.keyed ? document.range(held.key(place)!)[0] : begin;
            return {
                ...base,
                ...named,
                type: typeOf(document, node),
                text: preview(document, node),
                look: lookOf(document, node),
                size: this.documents.values.made ? 0 : end - keyBegin,
                keySize: begin - keyBegin,
                opens: document.isContainer(node) && document.length(node) > 0,
                broken: held === undefined ? this.documents.values.broken(value) : place === branch.count - 1 && this.isCut(document, value, node) ? "breaks off in it" : "",
            };
        } catch (error) {
            const { message: text } = refusalOf(error);
            return { ...base, ...named, type: "", text, look: "broken", size: 0, keySize: 0, opens: false, broken: text };
        }
    }
    /** Whether a value that is the last in its container breaks off: it, or the last one in it. */
    private isCut(document: Document, value: number, node: number): boolean {
        const { values } = this.documents;
        if (values.broken(value) === "") return false;
        for (let at = node; document.isContainer(at); ) {
            const [begin, end] = document.range(at);
            const isEmpty = document.length(at) === 0;
            if (values.isCut(value, begin, Math.min(isEmpty ? end : document.range(at + 1)[0], begin + MOST_HEADER))) return true;
            if (isEmpty) return false;
            at = document.children(at).at(-1)!;
        }
        return false;
    }
    private labelOf(held: Held | undefined, place: number): Pick<Row, "label" | "labelKind"> {
        if (held === undefined) {
            const { values } = this.documents;
            if (!values.listed) return { label: "$", labelKind: "value" };
            return { label: nameIn(values, place), labelKind: values.name(place) === undefined ? "number" : "name" };
        }
        const key = held.key(place);
        if (key === undefined) return { label: String(place), labelKind: "number" };
        const { text, kind } = label(held.document, key);
        return { label: text, labelKind: kind };
    }

    /** Opens a container, and all that it is in. Returns its row. */
    open(ref: Ref): number {
        const [branch, place] = this.reach(ref);
        if (!branch.open.has(place)) this.openIn(branch, place, ref);
        return this.rowOf(branch, place);
    }
    /** Opens a child that is closed, if something is in it. */
    private openIn(branch: Branch, place: number, { value, node }: Ref): Held | undefined {
        const document = this.documents.get(value);
        if (!document.isContainer(node) || document.length(node) === 0) return undefined;
        const held = new Held(branch, place, value, node, document);
        branch.add(place, held);
        return held;
    }
    shut(ref: Ref): number {
        const [branch, place] = this.reach(ref);
        branch.remove(place);
        return this.rowOf(branch, place);
    }
    /** Opens what a value is in, and returns its row. */
    reveal(ref: Ref): number {
        const [branch, place] = this.reach(ref);
        return this.rowOf(branch, place);
    }
    /** The containers from the value down to the one that holds a node; the node itself is the last. */
    chain(ref: Ref): number[] {
        const document = this.documents.get(ref.value);
        return document.at(document.range(ref.node)[0]);
    }
    /** The value that holds another one; undefined for a value of the file. */
    parent(ref: Ref): Ref | undefined {
        const chain = this.chain(ref);
        return chain.length < 2 ? undefined : { value: ref.value, node: chain[chain.length - 2]! };
    }
    /** The key's node of a pair, or the name's of a property. */
    keyOf(ref: Ref): number | undefined {
        const [branch, place] = this.reach(ref);
        return branch instanceof Held ? branch.key(place) : undefined;
    }

    /** The path of a value in its document: the one that leads to this value, not to another pair with the same key. */
    path(ref: Ref): string {
        const way: [Held, number][] = [];
        let [branch, place] = this.reach(ref);
        for (; branch instanceof Held; place = branch.place, branch = branch.parent!) way.unshift([branch, place]);
        let path = "$";
        for (const [held, at] of way) path += held.keyed ? (nameOf(held, at) ?? stepTo(path, held, at)) : `[${at}]`;
        return path;
    }
    private reach({ value, node }: Ref): [Branch, number] {
        let branch = this.root;
        let place = value;
        const chain = node === 0 ? [0] : this.chain({ value, node });
        for (let i = 1; i < chain.length; ++i) {
            const held: Held = (branch.open.get(place) as Held | undefined) ?? this.openIn(branch, place, { value, node: chain[i - 1]! })!;
            branch = held;
            place = held.placeOf(chain[i]!);
        }
        return [branch, place];
    }
    private rowOf(branch: Branch, place: number): number {
        let row = branch.rowOf(place);
        for (let at: Branch = branch; at.parent !== undefined; at = at.parent) row += at.parent.rowOf(at.place) + 1;
        return row;
    }
    /** The values whose documents open rows need. */
    inUse(): Set<number> {
        return new Set(this.root.open.keys());
    }

    // ---- what stays open when the values change ----

    /** The places from the file's values down to a value. */
    places(ref: Ref): number[] {
        const [branch, place] = this.reach(ref);
        const places = [place];
        for (let at: Branch = branch; at.parent !== undefined; at = at.parent) places.unshift(at.place);
        return places;
    }
    /** The value at such places, or the last one on the way that is there. */
    refAt(places: readonly number[]): Ref | undefined {
        if (this.documents.values.count === 0) return undefined;
        const value = Math.min(places[0]!, this.documents.values.count - 1);
        const document = this.documents.get(value);
        let node = 0;
        for (const place of places.slice(1)) {
            const children = document.children(node);
            const step = hasKeys(document, node) ? 2 : 1;
            if (children.length === 0) break;
            node = children[Math.min(place, children.length / step - 1) * step + (step - 1)]!;
        }
        return { value, node };
    }
    opened(): Opened {
        const list = (branch: Branch): Opened => Object.fromEntries([...branch.open].map(([place, inside]) => [place, list(inside)]));
        return list(this.root);
    }
    /** Opens again what was open, where it is still there. */
    restore(opened: Opened): void {
        const open = (branch: Branch, list: Opened) => {
            for (const [key, inside] of Object.entries(list)) {
                const place = Number(key);
                if (place >= branch.count) continue;
                branch.remove(place);
                const held = this.openIn(branch, place, refIn(branch, place));
                if (held !== undefined) open(held, inside);
            }
        };
        open(this.root, opened);
    }
}
