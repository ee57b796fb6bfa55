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
