// Keys that V8 gives one hash: it hashes numbers, and texts that are numbers, without a secret.

const MASK = (1n << 64n) - 1n;
/** x of x ^ (x >> shift), of so many bits. */
function unshifted(value, shift, bits) {
    let x = value;
    for (let done = shift; done < bits; done += shift) x = value ^ (x >> BigInt(shift));
    return x;
}
/** The number by which a product with an odd one is undone. */
function inverse(odd, bits) {
    let x = 1n;
    for (let i = 0; i < 6; ++i) x = (x * (2n - odd * x)) & ((1n << BigInt(bits)) - 1n);
    return x & ((1n << BigInt(bits)) - 1n);
}
const [by65, by21, bySum] = [65n, 21n, (1n << 18n) - 1n].map((odd) => inverse(odd, 64));
/** The bits that V8's ComputeLongHash makes `hash` of. */
function bitsOf(hash) {
    let x = unshifted(hash, 22, 64);
    x = unshifted((x * by65) & MASK, 11, 64);
    x = unshifted((x * by21) & MASK, 31, 64);
    return ((x + 1n) * bySum) & MASK;
}
const MASK32 = (1n << 32n) - 1n;
const [by2057, by5, bySum32] = [2057n, 5n, (1n << 15n) - 1n].map((odd) => inverse(odd, 32));
/** The int that V8's ComputeUnseededHash makes `hash` of. */
function intOf(hash) {
    let x = unshifted(hash, 16, 32);
    x = unshifted((x * by2057) & MASK32, 4, 32);
    x = unshifted((x * by5) & MASK32, 12, 32);
    return Number(BigInt.asIntN(32, ((x + 1n) * bySum32) & MASK32));
}

const bits = new BigUint64Array(1);
const double = new Float64Array(bits.buffer);
/** Floats with one hash. */
export function floats(count) {
    const found = [];
    for (let high = 1n; found.length < count; ++high) {
        bits[0] = bitsOf((high << 30n) | 5n);
        if (Number.isFinite(double[0]) && !Number.isInteger(double[0])) found.push(double[0]);
    }
    return found;
}
/** Ints of 32 bits that stand in one bucket of every Map of up to 2^17 keys. */
export const ints = (count) => Array.from({ length: count }, (_, high) => intOf((BigInt(high) << 16n) | 5n));
/** Texts of digits that do, where V8 takes an index for its own hash. */
export const digits = (count) => Array.from({ length: count }, (_, i) => String((i + 153) * 65536));
/** Ints beyond 2^53, of which V8 hashes the low 64 bits. */
export function bigints(count) {
    const found = [];
    for (let high = 1n; found.length < count; ++high) {
        const value = BigInt.asIntN(64, bitsOf((high << 30n) | 5n));
        if (value > 1n << 53n) found.push(value);
    }
    return found;
}
