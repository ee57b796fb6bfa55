// Foreign text for the page: names and values of files, printed as by the command (apps/gdvar/output/printable.cpp).

/** Controls, marks of direction, separators, embeddings, overrides, isolates, the byte order mark, annotations, tags; lone surrogates. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Surrogate}]/gu;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r" };

function escaped(character: string): string {
    const code = character.codePointAt(0)!;
    const digits = (count: number) => code.toString(16).padStart(count, "0");
    // A byte that is not UTF-8 is one of these in the text.
    if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
    return SHORT[character] ?? (code > 0xffff ? `\\U${digits(8)}` : `\\u${digits(4)}`);
}

/** The most characters of a path or a value in a line. */
export const MOST_LINE = 300;
/** The most characters of a message about a file: names and paths in it may have any size. */
const MOST_SAID = 1000;

/** The text in one line, without characters that are obeyed instead of shown, cut after `most` characters. */
export function printable(text: string, most = Infinity): string {
    if (text.length <= most) return text.replace(UNPRINTABLE, escaped);
    // Not between two surrogates.
    const end = /[\ud800-\udbff]/.test(text[most - 1]!) ? most - 1 : most;
    return `${text.slice(0, end).replace(UNPRINTABLE, escaped)}…`;
}
/** As `printable`, for several lines: line feeds and tabs stay. */
export function printableLines(text: string): string {
    return text.replace(UNPRINTABLE, (character) => (character === "\n" || character === "\t" ? character : escaped(character)));
}
/** A message, a path or a name, in one line. */
export const said = (text: string) => printable(text, MOST_SAID);
