// All values of a file as one text.
import type { Printed } from "gdvar/saves";
import type { Values } from "./values";

/** Characters of text that are put together before they are given to the browser. */
const PIECE = 1 << 20;

/** The values one after the other, each with its name if it has one, as the command prints them. As JSON, each takes one line. */
export function exported(values: Values, form: Printed): Blob {
    const pieces: Blob[] = [];
    let lines = "";
    const flush = () => {
        pieces.push(new Blob([lines]));
        lines = "";
    };
    for (let value = 0; value < values.count; ++value) {
        const document = values.document(value);
        lines += `${named(values.name(value), document.print(0, form), form)}\n`;
        document.close();
        if (lines.length >= PIECE) flush();
    }
    flush();
    return new Blob(pieces);
}
function named(name: string | undefined, text: string, form: Printed): string {
    if (name === undefined) return text;
    return form === "text" ? `${name}=${text}` : `{${JSON.stringify(name)}:${text}}`;
}
