import { inspectCustom } from "./inspect.js";
import { NOT_CLONED } from "./cloning.js";
import { marked, type ContainerType } from "./containers.js";
import { KeyMap } from "./key_map.js";
import { simpleKey, structuredKey } from "./keys.js";
import { StringName } from "./values.js";
import type { Variant } from "./variant.js";

/** In place of a removed key and value. */
const REMOVED: unique symbol = Symbol("removed");

/**
 * The keys of Dictionaries, in order. Dictionaries of `decode` with the same keys share one, so that a thousand players of ten
 * fields have one list of keys and one index between them.
 */
export class Shape {
    /** As many `undefined` as keys: a copy of it receives the values of a new Dictionary. Only for `decode`. */
    blank: unknown[] | undefined = undefined;
    /** The places of each key that is equal to itself; several for a repeated key. */
    private simple: KeyMap<Places> | undefined = undefined;
    /** The same for keys that are compared by content. */
    private structured: KeyMap<Places> | undefined = undefined;
    /** Data of `decode` for comparing a packet's keys, and of `encode`. */
    wire: unknown = undefined;
    written: unknown = undefined;

    constructor(readonly keys: unknown[]) {}

    /** The last place of the key; -1 if it is missing. */
    find(key: unknown): number {
        const [places, by] = this.table(key);
        const found = places.get(by);
        return found === undefined ? -1 : typeof found === "number" ? found : found[found.length - 1]!;
    }
    /** Adds a key that was put at the end to the index. */
    add(key: unknown): void {
        this.index();
        this.keys.push(key);
        this.note(key, this.keys.length - 1);
    }
    /** Removes all occurrences of a key. Returns their places. */
    remove(key: unknown): readonly number[] {
        const [places, by] = this.table(key);
        const found = places.get(by) ?? [];
        places.delete(by);
        const all = typeof found === "number" ? [found] : found;
        for (const place of all) this.keys[place] = REMOVED;
        return all;
    }

    private note(key: unknown, place: number): void {
        const [places, by] = this.table(key);
        const found = places.get(by);
        if (found === undefined) places.set(by, place);
        else if (typeof found === "number") places.set(by, [found, place]);
        else found.push(place);
    }
    private table(key: unknown): [KeyMap<Places>, unknown] {
        const simple = this.index();
        const plain = simpleKey(key);
        return plain !== undefined ? [simple, plain] : [(this.structured ??= new KeyMap()), structuredKey(key)];
    }
    private index(): KeyMap<Places> {
        if (this.simple === undefined) {
            this.simple = new KeyMap();
            for (let i = 0; i < this.keys.length; ++i) this.note(this.keys[i], i);
        }
        return this.simple;
    }
}
type Places = number | number[];

/** A key's name in an object that has its earlier names; undefined if the key is neither text nor number, or the name is there. */
export function nameOf(key: unknown, made: object): string | undefined {
    // Checked before converting to text, which not every object can.
    if (typeof key !== "string" && typeof key !== "number" && !(key instanceof StringName)) return undefined;
    const name = String(key);
    return Object.hasOwn(made, name) ? undefined : name;
}
/** A plain object of pairs; undefined if a key has no name. */
export function asObject(keys: readonly unknown[], values: readonly unknown[], nameIn = nameOf): Record<string, unknown> | undefined {
    const result: Record<string, unknown> = {};
    for (let i = 0; i < values.length; ++i) {
        const name = nameIn(keys[i], result);
        if (name === undefined) return undefined;
        if (name === "__proto__") {
            Object.defineProperty(result, name, { value: values[i], enumerable: true, configurable: true, writable: true });
        } else {
            result[name] = values[i];
        }
    }
    return result;
}

/** The places of pairs between two compactions: iterators continue in the next one. */
class Table {
    next: Table | undefined = undefined;
    /** The removed places, in order. */
    removed: number[] = [];
}
/** The number of `places` before `place`. */
function countBefore(places: readonly number[], place: number): number {
    let low = 0;
    for (let high = places.length; low < high; ) {
        const middle = (low + high) >> 1;
        if (places[middle]! < place) low = middle + 1;
        else high = middle;
    }
    return low;
}
/** A key of a Map that is only printed: a Map by the keys themselves may be slow. */
class Printed {
    readonly #key: unknown;
    constructor(key: unknown) {
        this.#key = key;
    }
    [inspectCustom](depth: number, options: object, inspect: (value: unknown, options: object) => string): string {
        return inspect(this.#key, { ...options, depth });
    }
}
/** Up to so many pairs are compacted after each removal. */
const MOST_AT_ONCE = 32;

/**
 * A Dictionary: a Map that also holds what no Map can.
 *
 * It has all of Map's methods, keeps its pairs in order, and `instanceof Map` is true. Keys are compared as in Godot:
 * `cells.get(new Vector2i(3, 4))` finds the pair, and "hp" finds a String or a StringName. A packet may repeat a key: all its
 * pairs are kept, the last one is found, as in the engines, and `size` counts all.
 *
 * `structuredClone` and `postMessage` throw for it, as for all values with a class of this package: send the packet.
 */
export class Dictionary<K = Variant, V = Variant> implements Map<K, V> {
    #shape: Shape;
    #removed = 0;
    /** For active iterators; undefined as long as there were none. */
    #table: Table | undefined = undefined;
    /** Keys and values in parallel, with REMOVED in both. Public, so that deepStrictEqual and its like compare them. @internal */
    keyList: unknown[];
    /** @internal */
    valueList: unknown[];
    /** True if no other Dictionary has the shape. */
    #owns: boolean;
    /** The types of a typed Dictionary's keys and values (Godot 4.4). */
    keyType: ContainerType | undefined = undefined;
    valueType: ContainerType | undefined = undefined;
    readonly gdvar: symbol = NOT_CLONED;

    /** @param pairs in order; a later pair replaces an earlier one with the same key, except with `append` */
    constructor(pairs: Iterable<readonly [K, V]> | Shape = [], values?: unknown[]) {
        if (pairs instanceof Shape) {
            this.#shape = pairs;
            this.#owns = false;
            this.keyList = pairs.keys;
            this.valueList = values!;
            return;
        }
        this.#shape = new Shape([]);
        this.keyList = this.#shape.keys;
        this.valueList = [];
        this.#owns = true;
        for (const [key, value] of pairs) this.set(key, value);
    }
    /** Not for users: the input of `encode`. */
    static parts(dictionary: Dictionary<any, any>): { shape: Shape; values: unknown[] } {
        if (dictionary.#removed > 0) dictionary.#compact();
        return { shape: dictionary.#shape, values: dictionary.valueList };
    }

    get size(): number {
        return this.valueList.length - this.#removed;
    }
    get [Symbol.toStringTag](): string {
        return "Dictionary";
    }

    get(key: K): V | undefined {
        const place = this.#shape.find(key);
        return place < 0 ? undefined : (this.valueList[place] as V);
    }
    has(key: K): boolean {
        return this.#shape.find(key) >= 0;
    }
    /** Replaces the value of the key, the last of equal ones, or appends the pair. */
    set(key: K, value: V): this {
        const place = this.#shape.find(key);
        if (place < 0) return this.append(key, value);
        this.valueList[place] = value;
        return this;
    }
    getOrInsert(key: K, value: V): V {
        return this.getOrInsertComputed(key, () => value);
    }
    getOrInsertComputed(key: K, make: (key: K) => V): V {
        const place = this.#shape.find(key);
        if (place >= 0) return this.valueList[place] as V;
        const value = make(key);
        this.set(key, value);
        return value;
    }
    /** Appends the pair even if the key exists. */
    append(key: K, value: V): this {
        this.#own();
        this.#shape.add(key);
        this.valueList.push(value);
        return this;
    }
    /** Removes the key and its value, and all pairs of a repeated key. */
    delete(key: K): boolean {
        if (!this.#owns && this.#shape.find(key) < 0) return false;
        this.#own();
        const places = this.#shape.remove(key);
        if (places.length === 0) return false;
        for (const place of places) this.valueList[place] = REMOVED;
        this.#removed += places.length;
        if (this.#removed * 2 > this.valueList.length || this.valueList.length <= MOST_AT_ONCE) this.#compact();
        return true;
    }
    clear(): void {
        this.#keep(() => false);
    }

    *entries(): MapIterator<[K, V]> {
        let table = (this.#table ??= new Table());
        for (let i = 0; ; ++i) {
            for (; table.next !== undefined; table = table.next) i -= countBefore(table.removed, i);
            if (i >= this.valueList.length) return;
            if (this.valueList[i] !== REMOVED) yield [this.keyList[i] as K, this.valueList[i] as V];
        }
    }
    *keys(): MapIterator<K> {
        for (const [key] of this.entries()) yield key;
    }
    *values(): MapIterator<V> {
        for (const [, value] of this.entries()) yield value;
    }
    [Symbol.iterator](): MapIterator<[K, V]> {
        return this.entries();
    }
    forEach(use: (value: V, key: K, map: Map<K, V>) => void, self?: unknown): void {
        for (const [key, value] of this.entries()) use.call(self, value, key, this);
    }

    /** A plain Map; of equal keys the last one's value. It finds keys that are objects only by identity. */
    toMap(): Map<K, V> {
        return new Map(this.entries());
    }
    /**
     * For JSON.stringify: a plain object, if all keys are texts and numbers. Errors: TypeError for other keys, or if two are
     * one name (1 and "1"); `toJson` of gdvar/tools writes any Dictionary.
     */
    toJSON(): Record<string, unknown> {
        const { shape, values } = Dictionary.parts(this);
        const made = asObject(shape.keys, values);
        if (made === undefined) throw new TypeError("a Dictionary with these keys is no JSON object: use toJson of gdvar/tools");
        return made;
    }
    [inspectCustom](_depth: number, options: object, inspect: (value: unknown, options: object) => string): string {
        if (new Dictionary(this).size !== this.size) return `Dictionary(${this.size}) ${inspect([...this], options)}`;
        return inspect(new Map(Array.from(this, ([key, value]) => [new Printed(key), value])), options).replace(/^Map/, "Dictionary");
    }

    #own(): void {
        if (this.#owns) return;
        this.#shape = new Shape(this.#shape.keys.slice());
        this.keyList = this.#shape.keys;
        this.#owns = true;
    }
    #compact(): void {
        this.#keep((i) => this.valueList[i] !== REMOVED);
    }
    #keep(wanted: (place: number) => boolean): void {
        if (this.#table !== undefined) {
            this.#table.removed = this.valueList.flatMap((_, i) => (wanted(i) ? [] : [i]));
            this.#table = this.#table.next = new Table();
        }
        const keys = this.keyList.filter((_, i) => wanted(i));
        this.valueList = this.valueList.filter((_, i) => wanted(i));
        this.#shape = new Shape(keys);
        this.keyList = keys;
        this.#owns = true;
        this.#removed = 0;
    }
}
// Makes `instanceof Map` true; none of Map's own methods can still be called, and there is no table behind them.
Object.setPrototypeOf(Dictionary.prototype, Map.prototype);
marked(Dictionary.prototype);
