// Keys, values and paths that hold what someone looks for.
import type { Document } from "gdvar/saves";
import { lastUpTo } from "../sorted";
import { hasKeys, label, lookOf, nameIn, preview } from "./preview";
import type { Ref, Search } from "./shown";
import type { Tree } from "./tree";
import { refusalOf } from "./refusal";

const MOST_FOUND = 1000;
/** Milliseconds of work before others get a turn. */
const SLICE = 40;

/** Looks through all values, and tells `use` now and then; `isOver` stops it. */
export async function search(tree: Tree, query: string, use: (state: Search) => void, isOver: () => boolean): Promise<void> {
    const state: Search = { found: [], total: 0, done: false, refusal: undefined };
    const work = isPath(query) ? byPath(tree, query, state) : byText(tree, query, state);
    let begun = performance.now();
    try {
        for (const _ of work) {
            if (performance.now() - begun < SLICE) continue;
            use({ ...state });
            await new Promise((resume) => setTimeout(resume, 0));
            if (isOver()) return;
            begun = performance.now();
        }
    } catch (error) {
        state.refusal = refusalOf(error);
    }
    state.done = true;
    use(state);
}
const isPath = (query: string) => /^(\$|#(\d+|\*) *(\$|$))/.test(query);

function add(tree: Tree, state: Search, trails: Trails, ref: Ref): void {
    ++state.total;
    if (state.found.length >= MOST_FOUND) return;
    const document = tree.documents.get(ref.value);
    state.found.push({ ref, trail: trails.of(ref), text: preview(document, ref.node), look: lookOf(document, ref.node) });
}
/** The keys down to a value. Values that are found one after the other share most of the way, which is kept. */
class Trails {
    private value = -1;
    private levels: { node: number; children: Uint32Array }[] = [];
    constructor(private readonly tree: Tree) {}
    /** "players › 3 › pos" */
    of(ref: Ref): string {
        const { values } = this.tree.documents;
        const document = this.tree.documents.get(ref.value);
        if (this.value !== ref.value) [this.value, this.levels] = [ref.value, []];
        const steps = values.listed ? [nameIn(values, ref.value)] : [];
        for (let depth = 0, node = 0; node !== ref.node; ++depth) {
            if (this.levels[depth]?.node !== node) this.levels.splice(depth, Infinity, { node, children: document.children(node) });
            const { children } = this.levels[depth]!;
            if (children.length === 0) break;
            const at = lastUpTo(children, ref.node);
            steps.push(hasKeys(document, node) ? label(document, children[at & ~1]!).text : String(at));
            node = children[at]!;
        }
        return steps.length === 0 ? "$" : steps.join(" › ");
    }
}

function* byPath(tree: Tree, query: string, state: Search): Generator<void> {
    const trails = new Trails(tree);
    const [, record, path] = /^(?:#(\d+|\*) *)?(.*)$/.exec(query)!;
    const { count } = tree.documents.values;
    const values = record === undefined ? (count === 1 ? [0] : undefined) : record === "*" ? undefined : [Number(record)];
    let refused: unknown;
    for (let value = values?.[0] ?? 0; value < (values === undefined ? count : values[0]! + 1); ++value) {
        try {
            for (const { node } of tree.documents.get(value).lookup(path === "" ? "$" : path!)) {
                if (node !== undefined) add(tree, state, trails, { value, node });
            }
        } catch (error) {
            refused ??= error;
        }
        tree.documents.trim(tree.inUse());
        yield;
    }
    if (state.total === 0 && refused !== undefined) throw refused;
}

function* byText(tree: Tree, query: string, state: Search): Generator<void> {
    const trails = new Trails(tree);
    const wanted = query.toLowerCase();
    const { values } = tree.documents;
    for (const value of values.candidates(query)) {
        if (value === undefined) {
            yield;
            continue;
        }
        const name = values.name(value);
        const isNamed = name?.toLowerCase().includes(wanted) === true;
        if (isNamed) add(tree, state, trails, { value, node: 0 });
        let document: Document;
        try {
            document = tree.documents.get(value);
        } catch {
            // A broken item has no values to look at.
            continue;
        }
        for (const node of document.find(query)) {
            if (node === undefined) yield;
            else if (node !== 0 || !isNamed) add(tree, state, trails, { value, node });
        }
        tree.documents.trim(tree.inUse());
    }
}
