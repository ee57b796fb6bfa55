/**
 * Where an ASCII text stands in bytes, from `from` on, with letters of either case; -1: nowhere. It looks at the last letter first, and
 * steps as far as the byte there allows (Horspool).
 */
export function indexOfText(bytes: Uint8Array, text: string, from: number): number {
    const { wanted, steps } = prepared(text);
    const last = wanted.length - 1;
    for (let end = from + last; end < bytes.length; end += steps[bytes[end]!]!) {
        let i = last;
        while (i >= 0 && LOWER[bytes[end - last + i]!] === wanted[i]) --i;
        if (i < 0) return end - last;
    }
    return -1;
}
const LOWER = Uint8Array.from({ length: 256 }, (_, unit) => (unit >= 65 && unit <= 90 ? unit + 32 : unit));

interface Prepared {
    text: string;
    wanted: Uint8Array;
    /** By the byte at the end. */
    steps: Uint32Array;
}
let last: Prepared | undefined;
function prepared(text: string): Prepared {
    if (last?.text === text) return last;
    const wanted = Uint8Array.from(text, (unit) => LOWER[unit.charCodeAt(0)]!);
    const after = new Map([...wanted.subarray(0, -1)].map((unit, i) => [unit, wanted.length - 1 - i]));
    const steps = Uint32Array.from({ length: 256 }, (_, unit) => after.get(LOWER[unit]!) ?? wanted.length);
    return (last = { text, wanted, steps });
}
