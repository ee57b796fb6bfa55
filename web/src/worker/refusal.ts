import { GdvarError } from "gdvar";
import { said } from "../printable";
import type { Refusal } from "./shown";

/** An error as data; what is not gdvar's own is thrown on. */
export function refusalOf(error: unknown): Refusal {
    if (error instanceof RangeError || (error instanceof Error && error.name === "NotReadableError")) {
        return { code: error.name, message: error.message, offset: undefined, path: undefined, needsType: false };
    }
    if (!(error instanceof GdvarError)) throw error;
    const { code, message, offset, path, refusal, line = 1, column = 1 } = error;
    // The page shows code, offset and path by themselves. Where in a text it is wrong helps if it is not at its beginning.
    const bare = message.replace(/^(0x[0-9a-f]+: |\d+:\d+: )?(error\[\w+\]: )?/, "");
    const place = line > 1 ? ` (line ${line}, column ${column})` : column > 1 ? ` (column ${column})` : "";
    const words = refusal?.what ?? bare + place;
    const at = refusal?.at ?? path;
    return { code, message: said(words), offset, path: at && said(at), needsType: refusal?.needs === "type" };
}
