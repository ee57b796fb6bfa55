// Strings of texts that gdvar-core.wasm has prepared (wasm/texts.cpp): repeated ones are kept, all others are made many at a
// time.
import { bufferMethod, narrow, type Slice } from "./utf8.js";
import type { Instance } from "./wasm.js";

/** By the place in a text's id: first the kept ones, then those of the last prepared texts. */
export const strings: string[] = Array.from({ length: 8192 + 2 * 1024 }, () => "");
export const PLACE = 0x3fff;
export const KEPT = 8192;
/** Ids without a string: of a text that is not prepared yet, and of one that is decoded alone. */
export const UNKNOWN = 0;
export const ALONE = 1;

// The words of the module's Results.
export const NODES = 0;
export const SIZE = 1;
export const LOOKED_AT = 2;
export const FORGOTTEN = 3;
const COUNTS = 4;
const ENTRIES = 6;
const UNITS = 8;
export const IDS = 10;

const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });
const wide: Slice =
    bufferMethod<Slice>("ucs2Slice", (slice) => slice.call(Uint8Array.of(0, 0, 0x7b, 0x01, 0x17, 0x53), 2, 6) === "\u017b\u5317") ??
    function (from, to) {
        return utf16.decode(this.subarray(from, to));
    };

/** Makes the strings that the last call has passed. */
export function makeStrings(instance: Instance, results: number): void {
    const { i32 } = instance;
    const word = results >>> 2;
    const ascii = i32[word + COUNTS]!;
    const others = i32[word + COUNTS + 1]!;
    if (ascii !== 0) make(instance, i32[word + ENTRIES]! >>> 2, ascii, i32[word + UNITS]!, 1, narrow);
    if (others !== 0) make(instance, i32[word + ENTRIES + 1]! >>> 2, others, i32[word + UNITS + 1]!, 2, wide);
}
function make({ u8, i32 }: Instance, entry: number, count: number, at: number, bytes: number, slice: Slice): void {
    let together = "";
    let from = 0;
    for (const end = entry + 2 * count; entry !== end; entry += 2) {
        const units = i32[entry + 1]!;
        if (units >>> 16 !== 0) {
            together = slice.call(u8, at, (at += (units >>> 16) * bytes));
            from = 0;
        }
        strings[i32[entry]!] = together.substring(from, (from += units & 0xffff));
    }
}
