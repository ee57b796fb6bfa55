// structuredClone, postMessage and IndexedDB copy the properties of an instance, and forget its class: a Vector3 would come back as a
// Dictionary, a PackedStringArray as an Array, and nobody would be told. They throw at a symbol, and say its description.
import { inspectCustom } from "./inspect.js";

/** What the property `gdvar` of all values of a class is. */
export const NOT_CLONED: symbol = Symbol("a value of gdvar: send the packet that encode makes of it");

type Inspect = (value: unknown, options: object) => string;
/** Values of such classes are printed without that property. */
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
