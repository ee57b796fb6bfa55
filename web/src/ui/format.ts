/** "1,536 bytes", "2.4 MB" */
export function bytes(size: number): string {
    if (size < 10_000) return `${size.toLocaleString("en")} ${size === 1 ? "byte" : "bytes"}`;
    const units = ["kB", "MB", "GB"];
    let value = size / 1000;
    let unit = 0;
    for (; value >= 1000 && unit < units.length - 1; ++unit) value /= 1000;
    return `${value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 1 })} ${units[unit]}`;
}
/** For a column: "96", "12.5k", "3.1M". */
export function short(size: number): string {
    if (size < 10_000) return String(size);
    return size < 1e6 ? `${(size / 1e3).toFixed(size < 1e5 ? 1 : 0)}k` : `${(size / 1e6).toFixed(size < 1e8 ? 1 : 0)}M`;
}
export const hex = (number: number, digits: number) => number.toString(16).padStart(digits, "0");
export const count = (number: number, one: string, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
/** Inserts a word before a name's ending: "slot1.save" becomes "slot1-godot4.save". */
export function withWord(name: string, word: string): string {
    const dot = name.lastIndexOf(".");
    return dot > 0 ? `${name.slice(0, dot)}-${word}${name.slice(dot)}` : `${name}-${word}`;
}
