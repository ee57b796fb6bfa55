// Containers that keep what arrays would lose, and Objects.
import { NOT_CLONED, printedWithout } from "./cloning.js";
import type { Dictionary } from "./dictionary.js";
import { CONTAINER_KIND as CONTAINER_KINDS, ContainerTypeAt, Size, TYPES } from "./interface.js";
import { text } from "./structs.js";
import type { Variant } from "./variant.js";
import type { Instance } from "./wasm.js";

/** Marks containers of every copy of this package. */
export const CONTAINER: unique symbol = Symbol.for("gdvar.container") as any;
export const marked = (prototype: object) => void Object.defineProperty(prototype, CONTAINER, { value: true });

export { CONTAINER_KINDS };

/** The type of a typed container's elements. */
export interface ContainerType {
    kind: (typeof CONTAINER_KINDS)[number];
    /** The Variant type ("Vector3"); "Object" for classes and scripts. */
    type: string;
    /** The class, or the script's path. */
    name: string;
}

export const UNTYPED: ContainerType = Object.freeze({ kind: "untyped", type: "Nil", name: "" });

/** The types of a container's elements, or of its keys and values, from its node on a tape. `scratch`: 24 bytes for the result. @internal */
export function containerTypes(instance: Instance, document: number, node: number, scratch: number): [ContainerType, ContainerType] {
    const second = scratch + Size.containerType;
    instance.u8.fill(0, scratch, second + Size.containerType);
    instance.exports["gdvar_node_types"](document, node, scratch, second);
    const read = (at: number): ContainerType => ({
        kind: CONTAINER_KINDS[instance.u8[at + ContainerTypeAt.kind]!] ?? "untyped",
        type: TYPES[instance.u8[at + ContainerTypeAt.type]!] ?? "Nil",
        name: text.read(instance, at + ContainerTypeAt.name),
    });
    return [read(scratch), read(second)];
}

/**
 * An Array with an element type.
 *
 * Elements are not checked against it, and written unchanged: Godot converts those that do not fit, or drops them. `map`,
 * `filter` and `slice` give an Array without a type.
 */
export class GodotArray<T = unknown> extends Array<T> {
    static override get [Symbol.species](): ArrayConstructor {
        return Array;
    }
    type: ContainerType = UNTYPED;
    readonly gdvar: symbol = NOT_CLONED;

    /** An Array of that type with those elements. */
    static typed<T>(items: Iterable<T>, type: ContainerType): GodotArray<T> {
        const result = new this<T>();
        for (const item of items) result.push(item);
        result.type = type;
        return result;
    }
}

marked(GodotArray.prototype);

/** The packed typed array of Godot 4's development snapshots (docs/dialects.md). */
export class PackedTypedArray<T = unknown> extends GodotArray<T> {}

/** A PackedStringArray: an array of strings with its own type on the wire. */
export class PackedStringArray extends Array<string> {
    static override get [Symbol.species](): ArrayConstructor {
        return Array;
    }
    readonly gdvar: symbol = NOT_CLONED;

    /** An array of those texts. */
    static holding(texts: Iterable<string>): PackedStringArray {
        const result = new PackedStringArray();
        for (const text of texts) result.push(text);
        return result;
    }
}

marked(PackedStringArray.prototype);

/** An Object as data, never instantiated. Without a class name: null. */
export class GodotObject {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(readonly className: string, readonly properties: Dictionary<string, Variant>) {}
}

printedWithout(GodotArray, PackedStringArray, GodotObject);
