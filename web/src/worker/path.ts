// Paths (docs/paths.md) of values in a file.
import { StringName, type DialectName, type Variant } from "gdvar";
import { toTextFull } from "gdvar/saves";

/** The path in a file of a path in one of its values: "#2 $.hp", `$["input/jump"].deadzone`. */
export function pathOf(path: string, name: string | undefined, number: number | undefined): string {
    if (name !== undefined) return `$[${toTextFull(name)}]${path.slice(1)}`;
    return number === undefined ? path : `#${number} ${path}`;
}
/** A key that stands in a path behind a point. */
export const isIdentifier = (text: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);
/** The step to a key, an index or a property. */
export function step(key: Variant, dialect: DialectName): string {
    const text = key instanceof StringName ? key.text : key;
    return typeof text === "string" && isIdentifier(text) ? `.${text}` : `[${toTextFull(text, { dialect })}]`;
}
