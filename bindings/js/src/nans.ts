// The bits of NaNs in math values. Most JavaScript engines make all NaNs equal when they read a number, and none keeps a
// signalling one. Godot's are often negative (0xffc00000), as processors make them.

/** By math value: the words of all its components, if one is another NaN than JavaScript's own. */
const kept = new WeakMap<object, Uint32Array>();

const OWN = 0x7fc00000;
const OWN_HIGH = 0x7ff80000;

/** True if the words are a NaN. */
function isNaNAt(words: Uint32Array, at: number, wide: boolean): boolean {
    if (!wide) return (words[at]! & 0x7fffffff) >>> 0 > 0x7f800000;
    const high = words[at + 1]! & 0x7fffffff;
    return high > 0x7ff00000 || (high === 0x7ff00000 && words[at] !== 0);
}

/** Remembers the NaNs of a value that was made of `count` components from word `at` on. */
export function keepNaNs(value: object, words: Uint32Array, at: number, count: number, wide: boolean): void {
    const size = wide ? 2 : 1;
    for (let i = 0; i < count; ++i) {
        const place = at + i * size;
        if (!isNaNAt(words, place, wide)) continue;
        const isOwn = wide ? words[place] === 0 && words[place + 1] === OWN_HIGH : words[place] === OWN;
        if (!isOwn) return void kept.set(value, words.slice(at, at + count * size));
    }
}

/** Restores the NaNs among the `count` components of a value written from word `at` on. */
export function writeNaNs(value: object, words: Uint32Array, at: number, count: number, wide: boolean): void {
    const old = kept.get(value);
    const size = wide ? 2 : 1;
    for (let i = 0; i < count * size; i += size) {
        if (!isNaNAt(words, at + i, wide)) continue;
        // A component that was a number when the value was read has no old NaN.
        if (old !== undefined && isNaNAt(old, i, wide)) words.set(old.subarray(i, i + size), at + i);
        else writeOwnNaN(words, at + i, wide);
    }
}

/** Writes JavaScript's NaN. A number may carry the bits of its computation. */
export function writeOwnNaN(words: Uint32Array, at: number, wide: boolean): void {
    if (!wide) words[at] = OWN;
    else {
        words[at] = 0;
        words[at + 1] = OWN_HIGH;
    }
}
