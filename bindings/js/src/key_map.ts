// An index for keys chosen by others. JavaScript's own Maps won't do: V8 hashes numbers, and some engines texts, without a
// secret, so that an attacker's keys take time with the square of their number.

/** With so few keys, equal hashes cost little: the engine's own Map, which is faster, holds them. */
export const FEW_KEYS = 64;

/** For texts, numbers, booleans and null, which are hashed with a secret. */
export class KeyMap<Value> {
    private table: Map<unknown, Value> | Table<Value> = new Map();

    get(key: unknown): Value | undefined {
        return this.table.get(key);
    }
    set(key: unknown, value: Value): void {
        const { table } = this;
        table.set(key, value);
        if (table instanceof Map && table.size > FEW_KEYS) this.table = new Table(table);
    }
    delete(key: unknown): void {
        this.table.delete(key);
    }
}

class Table<Value> {
    /** The entries, by their numbers from 1. */
    readonly #keys: unknown[] = [];
    readonly #values: Value[] = [];
    readonly #hashes: number[] = [];
    /** By the last bits of the hash: the last entry with these; 0: none. And the previous entry of each. */
    #last = new Int32Array(4 * FEW_KEYS);
    readonly #before: number[] = [];

    constructor(entries: Map<unknown, Value>) {
        for (const [key, value] of entries) this.#add(key, value, hashOf(key));
    }
    get(key: unknown): Value | undefined {
        const at = this.#find(key, hashOf(key));
        return at === 0 ? undefined : this.#values[at - 1];
    }
    set(key: unknown, value: Value): void {
        const hash = hashOf(key);
        const at = this.#find(key, hash);
        if (at === 0) this.#add(key, value, hash);
        else this.#values[at - 1] = value;
    }
    delete(key: unknown): void {
        const hash = hashOf(key);
        const at = this.#find(key, hash);
        if (at === 0) return;
        const bucket = hash & (this.#last.length - 1);
        if (this.#last[bucket] === at) this.#last[bucket] = this.#before[at - 1]!;
        else {
            let after = this.#last[bucket]!;
            while (this.#before[after - 1] !== at) after = this.#before[after - 1]!;
            this.#before[after - 1] = this.#before[at - 1]!;
        }
        this.#keys[at - 1] = this.#values[at - 1] = GONE as never;
    }

    #find(key: unknown, hash: number): number {
        let at = this.#last[hash & (this.#last.length - 1)]!;
        while (at !== 0 && !(this.#hashes[at - 1] === hash && isSame(this.#keys[at - 1], key))) at = this.#before[at - 1]!;
        return at;
    }
    #add(key: unknown, value: Value, hash: number): void {
        this.#keys.push(key);
        this.#values.push(value);
        this.#hashes.push(hash);
        this.#before.push(0);
        if (this.#keys.length > this.#last.length) this.#grow();
        else this.#link(this.#keys.length);
    }
    #link(at: number): void {
        const bucket = this.#hashes[at - 1]! & (this.#last.length - 1);
        this.#before[at - 1] = this.#last[bucket]!;
        this.#last[bucket] = at;
    }
    #grow(): void {
        this.#last = new Int32Array(this.#last.length * 2);
        for (let at = 1; at <= this.#keys.length; ++at) if (this.#keys[at - 1] !== GONE) this.#link(at);
    }
}
const GONE = Symbol("gone");
/** As Maps compare: NaN equals NaN. */
const isSame = (one: unknown, other: unknown) => one === other || (one !== one && other !== other);

// HalfSipHash-1-3 over words of 32 bits.
const [secret0, secret1] = crypto.getRandomValues(new Int32Array(2)) as unknown as [number, number];
let words = new Int32Array(64);
const number = new Float64Array(1);
const int = new BigInt64Array(number.buffer);
const halves = new Int32Array(number.buffer);

function hashOf(key: unknown): number {
    if (typeof key === "string") return hashOfText(key);
    // No packet has an int of more bits.
    if (typeof key === "bigint") int[0] = key;
    else number[0] = typeof key === "number" ? key : 0;
    words[0] = halves[0]!;
    words[1] = halves[1]!;
    return hashOfWords(2);
}
function hashOfText(text: string): number {
    const units = text.length;
    const count = (units >>> 1) + 2;
    if (count > words.length) words = new Int32Array(count);
    for (let i = 0; i < count - 1; ++i) words[i] = text.charCodeAt(2 * i) | (text.charCodeAt(2 * i + 1) << 16);
    words[count - 1] = units;
    const hash = hashOfWords(count);
    // A long text is rare.
    if (count > 65536) words = new Int32Array(64);
    return hash;
}
function hashOfWords(count: number): number {
    let v0 = secret0;
    let v1 = secret1;
    let v2 = 0x6c796765 ^ secret0;
    let v3 = 0x74656462 ^ secret1;
    // Three rounds follow the words.
    for (let i = 0; i < count + 3; ++i) {
        const word = i < count ? words[i]! : 0;
        if (i === count) v2 ^= 0xff;
        v3 ^= word;
        v0 = (v0 + v1) | 0;
        v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
        v0 = (v0 << 16) | (v0 >>> 16);
        v2 = (v2 + v3) | 0;
        v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
        v0 = (v0 + v3) | 0;
        v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
        v2 = (v2 + v1) | 0;
        v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
        v2 = (v2 << 16) | (v2 >>> 16);
        v0 ^= word;
    }
    return v1 ^ v3;
}

/** True if keys of a packet can be chosen so that V8 gives them one hash: numbers, and texts that are numbers. */
export function mayHaveOneHash(keys: readonly unknown[]): boolean {
    return keys.length > FEW_KEYS && keys.some((key) => typeof key === "number" || typeof key === "bigint" || (typeof key === "string" && /^\d+$/.test(key)));
}
