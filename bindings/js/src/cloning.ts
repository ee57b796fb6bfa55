// structuredClone, postMessage and IndexedDB copy the properties of an instance and forget its class: a Vector3 would silently
// become a Dictionary, a PackedStringArray an Array. They throw at a symbol, with its description.
import { inspectCustom } from "./inspect.js";

/** The property `gdvar` of all values of a class. */
export const NOT_CLONED: symbol = Symbol("a value of gdvar: send the packet that encode makes of it");

type Inspect = (value: unknown, options: object) => string;
/** Hides that property when values of such classes are printed. */
export function printedWithout(...classes: readonly { prototype: object }[]): void {
    for (const { prototype } of classes) Object.defineProperty(prototype, inspectCustom, { value: printed, writable: true, configurable: true });
}
function printed(this: object, depth: number | null, options: object, inspect: Inspect): string {
    const { name } = this.constructor;
    if (depth !== null && depth < 0) return `[${name}]`;
    const isList = Array.isArray(this);
    const shown = Object.assign(isList ? [] : {}, this) as { gdvar?: symbol };
    delete shown.gdvar;
    return `${name}${isList ? `(${this.length})` : ""} ${inspect(shown, { ...options, depth })}`;
}
