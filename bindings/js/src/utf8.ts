// Texts. In strings, bytes that are not UTF-8 are the surrogates U+DC80 to U+DCFF, one for each byte, as in Python's
// "surrogateescape": so texts of Godot 3 and Pandemonium survive a round trip.

/** A byte order mark is a character like others. */
const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const encoder = new TextEncoder();
const ESCAPE = 0xdc00;

export const utf8 = {
    decode(bytes: Uint8Array): string {
        try {
            return strict.decode(bytes);
        } catch {
            return escaped(bytes);
        }
    },
};
/** A method of Node's Buffer, which is faster than the web's, if `works`: there are imitations of Buffer. */
export function bufferMethod<Method>(name: string, works: (method: Method) => boolean): Method | undefined {
    const { Buffer } = globalThis as { Buffer?: { prototype?: Record<string, unknown> } };
    const method = Buffer?.prototype?.[name];
    if (typeof method !== "function") return undefined;
    try {
        return works(method as Method) ? (method as Method) : undefined;
    } catch {
        return undefined;
    }
}

/** A string of some bytes of an array. */
export type Slice = (this: Uint8Array, from: number, to: number) => string;
/** For ASCII alone. */
export const narrow: Slice =
    bufferMethod<Slice>("latin1Slice", (slice) => slice.call(Uint8Array.of(0, 0x61, 0x62), 1, 3) === "ab") ??
    function (from, to) {
        return utf8.decode(this.subarray(from, to));
    };

/** Short texts of ASCII that came last, by the last bits of a hash: most come again and again. */
const recent: string[] = Array.from({ length: 1024 }, () => "");
const MOST_RECENT = 32;
/** The text of some bytes. (A call of TextDecoder takes 200 ns.) */
export function textAt(bytes: Uint8Array, at: number, size: number): string {
    if (size === 0) return "";
    if (size > MOST_RECENT) return utf8.decode(bytes.subarray(at, at + size));
    let hash = size;
    let all = 0;
    for (let i = at; i < at + size; ++i) {
        all |= bytes[i]!;
        hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
    }
    if (all > 127) return utf8.decode(bytes.subarray(at, at + size));
    const place = (hash ^ (hash >>> 10)) & 1023;
    const known = recent[place]!;
    if (known.length === size) {
        let i = 0;
        while (i < size && known.charCodeAt(i) === bytes[at + i]) ++i;
        if (i === size) return known;
    }
    return (recent[place] = narrow.call(bytes, at, at + size));
}

function escaped(bytes: Uint8Array): string {
    let made = "";
    let sound = 0;
    const take = (end: number) => {
        made += strict.decode(bytes.subarray(sound, end));
    };
    for (let at = 0; at < bytes.length; ) {
        const size = sequence(bytes, at);
        if (size > 0) {
            at += size;
            continue;
        }
        take(at);
        made += String.fromCharCode(ESCAPE + bytes[at]!);
        sound = ++at;
    }
    take(bytes.length);
    return made;
}
/** The size of the character at `at`; 0 if it is not valid. */
function sequence(bytes: Uint8Array, at: number): number {
    const lead = bytes[at]!;
    if (lead < 0x80) return 1;
    if (lead < 0xc2 || lead > 0xf4) return 0;
    const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    // The second byte's bounds exclude overlong forms, surrogates, and anything beyond the last character.
    const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    for (let i = 1; i < size; ++i) {
        const next = bytes[at + i] ?? 0;
        if (next < (i === 1 ? least : 0x80) || next > (i === 1 ? most : 0xbf)) return 0;
    }
    return size;
}

export const toUtf8 = {
    /** A surrogate that stands for no byte becomes U+FFFD. */
    encode(text: string): Uint8Array<ArrayBuffer> {
        if (isWellFormed(text)) return encoder.encode(text);
        const to = new Uint8Array(text.length * 3);
        return to.slice(0, toUtf8.encodeInto(text, to).written);
    },
    /** `to` has three bytes for each unit of the text. */
    encodeInto(text: string, to: Uint8Array, sound = isWellFormed(text)): { written: number } {
        if (sound) return encoder.encodeInto(text, to);
        let at = 0;
        for (const part of text.split(/(?<=[\udc80-\udcff])|(?=[\udc80-\udcff])/u)) {
            const unit = part.charCodeAt(0);
            if (unit >= ESCAPE + 0x80 && unit <= ESCAPE + 0xff) to[at++] = unit - ESCAPE;
            else at += encoder.encodeInto(part, to.subarray(at)).written;
        }
        return { written: at };
    },
};

export function isWellFormed(text: string): boolean {
    // Engines since 2023 have it.
    const { isWellFormed: known } = text as { isWellFormed?: () => boolean };
    return known === undefined ? !/\p{Surrogate}/u.test(text) : known.call(text);
}
/** True if every surrogate stands for a byte. */
export function isEscaped(text: string): boolean {
    return !/[\ud800-\udc7f\udd00-\udfff]/u.test(text);
}
