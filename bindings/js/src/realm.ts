// What was made in another window or `vm` context: each has an Object, an Array, a Map and typed arrays of its own.

// What these getters say of a value no class can imitate.
const arrayName = getterOf(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag);
const mapSize = getterOf(Map.prototype, "size");

const arrayLength = getterOf(Object.getPrototypeOf(Uint8Array.prototype) as object, "length");
/** Of a typed array: a subclass may say anything of its length, and `set` copies all. */
export const lengthOf = (bytes: Uint8Array): number => arrayLength.call(bytes) as number;

const arrayKeys = (Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array).keys;
/** Whether a view has its bytes: its buffer may have been taken away, or made too small for it. Then the view is as an empty one. */
export function hasItsBytes(view: ArrayBufferView): boolean {
    try {
        // Both throw for such a view alone.
        if (typedArrayName(view) === undefined) void view.byteLength;
        else arrayKeys.call(view);
        return true;
    } catch {
        return false;
    }
}

/** The class of a typed array, of whichever context, or of the typed array that it is a subclass of; else undefined. */
export function typedArrayName(value: unknown): string | undefined {
    return arrayName.call(value) as string | undefined;
}
/** "Array", "Map", "Object" or the class of a typed array, of whichever context; undefined for instances of other classes. */
export function builtinClass(value: object): string | undefined {
    if (Array.isArray(value)) return "Array";
    const prototype: object | null = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) === null) return Object.hasOwn(prototype, "isPrototypeOf") ? "Object" : undefined;
    return typedArrayName(value) ?? (isMap(value) ? "Map" : undefined);
}
export const isArrayBuffer = (value: unknown): value is ArrayBuffer => Object.prototype.toString.call(value) === "[object ArrayBuffer]";
/** Dictionaries (dictionary.ts) say that they are Maps, too. */
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
