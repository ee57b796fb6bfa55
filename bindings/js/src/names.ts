// Names of a plain object's members for keys of any type: those of plain JSON (docs/json.md).
import { KeyMap } from "./key_map.js";
import { mathKey, structuredKey } from "./keys.js";
import { MathValue, NodePath, StringName, Float } from "./values.js";

/** The names of one object. A name that occurs again gets a number: "1 (2)". */
export class Names {
    /** The last number of each name that occurred again. */
    readonly #counts = new KeyMap<number>();

    /** The next name, for `asObject`. */
    readonly of = (key: unknown, made: object): string => {
        const name = nameOf(key);
        if (!Object.hasOwn(made, name)) return name;
        for (let count = (this.#counts.get(name) ?? 1) + 1; ; ++count) {
            const numbered = `${name} (${count})`;
            if (Object.hasOwn(made, numbered)) continue;
            this.#counts.set(name, count);
            return numbered;
        }
    };
}

function nameOf(key: unknown): string {
    if (typeof key === "string") return key;
    if (typeof key === "number") return Number.isNaN(key) ? "null" : Number.isFinite(key) ? String(key) : `${key < 0 ? "-" : ""}1e99999`;
    if (key === null || typeof key !== "object") return String(key);
    if (key instanceof Float) return Number.isNaN(key.value) ? "null" : key.toString();
    if (key instanceof StringName || key instanceof NodePath) return String(key);
    if (!(key instanceof MathValue)) return structuredKey(key);
    const [name, components] = mathKey(key);
    return `${name}(${components.map((component) => digits(component, key.kind.round)).join(", ")})`;
}
/** The shortest digits that are this component; null for infinities and NaN. */
function digits(component: number, round: (number: number) => number): string {
    if (!Number.isFinite(component)) return "null";
    for (let count = 1; count < 10; ++count) {
        const shorter = Number(component.toPrecision(count));
        if (round(shorter) === component) return String(shorter);
    }
    return String(component);
}
