// The differences between two files: gdvar's patch, with the values that were there before.
import { decode, StringName, type DialectName, type Dictionary, type Variant } from "gdvar";
import type { SaveFile } from "gdvar/saves";
import { varToStr, type Document } from "gdvar/saves";
import { MOST_LINE } from "../printable";
import { cached } from "../sorted";
import { hasKeys, oneLine, preview } from "./preview";
import { pathOf, step } from "./path";
import type { Comparison, Difference, Ref } from "./shown";
import { refusalOf } from "./refusal";
import type { Tree } from "./tree";

const MOST_SHOWN = 5000;

type Step = Variant;
type Change = Dictionary<string, Variant>;

export function compare(from: SaveFile, tree: Tree, to: SaveFile, sameBytes: boolean): Comparison {
    try {
        const changes = decode<Change[]>(from.diff(to), { objects: true });
        const old = new Old(tree, tree.documents.values.listed);
        const differences = changes.slice(0, MOST_SHOWN).map((change) => {
            const made = difference(change, old, from.kind.named, from.dialect);
            tree.documents.trim(tree.inUse());
            return made;
        });
        return { differences, total: changes.length, sameBytes, refusal: undefined };
    } catch (error) {
        return { differences: [], total: 0, sameBytes, refusal: refusalOf(error) };
    }
}

const WORDS = { set: "changed", insert: "added", remove: "removed", order: "reordered" } as const;
function difference(change: Change, old: Old, named: boolean, dialect: DialectName): Difference {
    const what = (Object.keys(WORDS) as (keyof typeof WORDS)[]).find((word) => change.has(word))!;
    const steps = change.get(what) as Step[];
    const path = oneLine(stepsToPath(steps, old.listed, named, dialect), MOST_LINE);
    const after = change.has("value") ? oneLine(varToStr(change.get("value")!, { dialect }), MOST_LINE) : "";
    return { what: WORDS[what], path, before: old.text(steps, what), after };
}
function stepsToPath(steps: Step[], listed: boolean, named: boolean, dialect: DialectName): string {
    const [first, rest] = listed ? [steps[0], steps.slice(1)] : [undefined, steps];
    const inside = `$${rest.map((key) => step(key, dialect)).join("")}`;
    return first === undefined ? inside : named ? pathOf(inside, String(first), undefined) : pathOf(inside, undefined, Number(first));
}

/**
 * The values of the file that is compared from. A patch's paths hold after the changes before them: elements that came or went
 * before a change move those behind them.
 */
class Old {
    private readonly moves = new Map<string, { at: number; came: boolean }[]>();
    private readonly keys = new Map<string, Map<string, number>>();
    /** The elements of containers, and the numbers of settings: found once, not for each difference. */
    private readonly elements = new Map<string, Uint32Array>();
    private names: Map<string, number> | undefined = undefined;

    constructor(private readonly tree: Tree, readonly listed: boolean) {}
    text(steps: Step[], what: keyof typeof WORDS): string {
        let place: Ref | undefined = { value: 0, node: 0 };
        let rest = steps;
        if (this.listed) {
            const [first, ...others] = steps;
            place = this.value(first, steps.length === 1 ? what : "set");
            rest = others;
        }
        rest.forEach((key, i) => {
            place &&= this.child(place, key, i === rest.length - 1 ? what : "set");
        });
        if (place === undefined || what === "insert" || what === "order") return "";
        return oneLine(preview(this.tree.documents.get(place.value), place.node), MOST_LINE);
    }
    private value(first: unknown, what: string): Ref | undefined {
        const { values } = this.tree.documents;
        if (typeof first !== "number") {
            const named = this.named().get(String(first));
            return named === undefined ? undefined : { value: named, node: 0 };
        }
        const value = this.moved("#", first, what);
        return value === undefined || value >= values.count ? undefined : { value, node: 0 };
    }
    /** The first of each name. */
    private named(): Map<string, number> {
        if (this.names === undefined) {
            const { values } = this.tree.documents;
            this.names = new Map();
            for (let value = values.count - 1; value >= 0; --value) this.names.set(values.name(value) ?? "", value);
        }
        return this.names;
    }
    private child({ value, node }: Ref, key: Variant, what: string): Ref | undefined {
        const document = this.tree.documents.get(value);
        const name = `${value} ${node}`;
        if (hasKeys(document, node)) {
            const found = cached(this.keys, name, () => keysOf(document, node)).get(keyText(key));
            return found === undefined ? undefined : { value, node: found };
        }
        const place = this.moved(name, Number(key), what);
        const elements = cached(this.elements, name, () => document.children(node));
        const child = place === undefined ? undefined : elements[place];
        return child === undefined ? undefined : { value, node: child };
    }
    /** Where the element stood before all changes; undefined: it came by one of them. */
    private moved(name: string, at: number, what: string): number | undefined {
        const moves = cached(this.moves, name, () => []);
        let place: number | undefined = at;
        for (let i = moves.length - 1; i >= 0 && place !== undefined; --i) {
            const move = moves[i]!;
            if (!move.came) place += place >= move.at ? 1 : 0;
            else if (place === move.at) place = undefined;
            else if (place > move.at) --place;
        }
        if (what === "insert" || what === "remove") moves.push({ at, came: what === "insert" });
        return place;
    }
}
function keysOf(document: Document, node: number): Map<string, number> {
    const found = new Map<string, number>();
    const children = document.children(node);
    for (let i = 0; i + 1 < children.length; i += 2) {
        const key = children[i]!;
        found.set(keyText(document.isProperty(key) ? document.text(key) : document.value(key)), children[i + 1]!);
    }
    return found;
}
/** The same for keys that engines take for the same. */
function keyText(key: Variant): string {
    if (typeof key === "string") return `"${key}`;
    return key instanceof StringName ? `"${key.text}` : varToStr(key);
}
