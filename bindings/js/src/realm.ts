// Objects from another window or `vm` context: each has an Object, an Array, a Map and typed arrays of its own.

// No class can imitate the results of these getters.
const arrayName = getterOf(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag);
const mapSize = getterOf(Map.prototype, "size");

const arrayLength = getterOf(Object.getPrototypeOf(Uint8Array.prototype) as object, "length");
/** The length of a typed array: a subclass may override `length`, and `set` copies everything. */
export const lengthOf = (bytes: Uint8Array): number => arrayLength.call(bytes) as number;

const arrayKeys = (Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array).keys;
/** False for a view whose buffer was transferred, or made too small: the view then looks empty. */
export function hasItsBytes(view: ArrayBufferView): boolean {
    try {
        // Both throw only for such a view.
        if (typedArrayName(view) === undefined) void view.byteLength;
        else arrayKeys.call(view);
        return true;
    } catch {
        return false;
    }
}

/** The class of a typed array, from any context, or the typed array that it extends; else undefined. */
export function typedArrayName(value: unknown): string | undefined {
    return arrayName.call(value) as string | undefined;
}
/** "Array", "Map", "Object" or the class of a typed array, from any context; undefined for instances of other classes. */
export function builtinClass(value: object): string | undefined {
    if (Array.isArray(value)) return "Array";
    const prototype: object | null = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) === null) return Object.hasOwn(prototype, "isPrototypeOf") ? "Object" : undefined;
    return typedArrayName(value) ?? (isMap(value) ? "Map" : undefined);
}
export const isArrayBuffer = (value: unknown): value is ArrayBuffer => Object.prototype.toString.call(value) === "[object ArrayBuffer]";
/** Dictionaries (dictionary.ts) count as Maps, too. */
export function isMap(value: object): value is Map<unknown, unknown> {
    if (value instanceof Map) return true;
    try {
        mapSize.call(value);
        return true;
    } catch {
        return false;
    }
}
function getterOf(prototype: object, name: PropertyKey): (this: unknown) => unknown {
    return Object.getOwnPropertyDescriptor(prototype, name)!.get!;
}
