// Variant's types without a JavaScript type.
//
// Math types have numbers as fields, in the order of the bytes. Each exists in both widths: `Vector3` has 32-bit components on
// the wire, `Vector3d` 64-bit ones, and a `Vector3d` is a `Vector3`. Numbers are only rounded when they are written. All values
// have a property `gdvar`, at which cloning fails.
import { NOT_CLONED, printedWithout } from "./cloning.js";

/**
 * A float that looks like an int as a plain number (1.0), or whose bits a number does not keep (some NaNs).
 *
 * `decode` makes one for each float with an integral value, so that `encode` writes a float again; all other floats are plain
 * numbers. In arithmetic it is its value: `float * 2`.
 */
export class Float {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(
        readonly value: number,
        /** The bits of a NaN that is not JavaScript's own (0x7ff8000000000000). */
        readonly bits: bigint | undefined = undefined,
    ) {}
    valueOf(): number {
        return this.value;
    }
    toJSON(): number {
        return this.value;
    }
    toString(): string {
        return Number.isInteger(this.value) ? this.value.toFixed(1) : String(this.value);
    }
}

/** A StringName: text with its own type on the wire. */
export class StringName {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(readonly text: string) {}
    valueOf(): string {
        return this.text;
    }
    toString(): string {
        return this.text;
    }
    toJSON(): string {
        return this.text;
    }
}

/** A path to a node or property: `NodePath.parse("/root/Game:position:x")`. */
export class NodePath {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(
        /** ["root", "Game"] */
        readonly names: readonly string[] = [],
        /** ["position", "x"] */
        readonly subnames: readonly string[] = [],
        /** True if it begins with "/". */
        readonly absolute = false,
        /** Godot 2 wrote the last subname separately (docs/dialects.md). */
        readonly separateProperty = false,
    ) {}
    /** From text, as the engine reads it: names between "/", then subnames after ":". */
    static parse(text: string): NodePath {
        const [head = "", ...subnames] = text.split(":");
        const names = head.split("/").filter((name) => name !== "");
        return new NodePath(names, subnames.filter((name) => name !== ""), text.startsWith("/"));
    }
    toString(): string {
        return (this.absolute ? "/" : "") + this.names.join("/") + this.subnames.map((name) => ":" + name).join("");
    }
    toJSON(): string {
        return this.toString();
    }
}

// ---- math types ----

/** Godot's Vector2: 32-bit components; 64-bit ones have the class Vector2d. */
export class Vector2 {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public x = 0, public y = 0) {}
}
/** A Vector2 with 64-bit components. */
export class Vector2d extends Vector2 {}

/** Godot's Vector2i: 32-bit ints as components. */
export class Vector2i {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public x = 0, public y = 0) {}
}

/** Godot's Vector3: 32-bit components; 64-bit ones have the class Vector3d. */
export class Vector3 {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public x = 0, public y = 0, public z = 0) {}
}
/** A Vector3 with 64-bit components. */
export class Vector3d extends Vector3 {}

/** Godot's Vector3i: 32-bit ints as components. */
export class Vector3i {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public x = 0, public y = 0, public z = 0) {}
}

/** Godot's Vector4: 32-bit components; 64-bit ones have the class Vector4d. */
export class Vector4 {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public x = 0, public y = 0, public z = 0, public w = 0) {}
}
/** A Vector4 with 64-bit components. */
export class Vector4d extends Vector4 {}

/** Godot's Vector4i: 32-bit ints as components. */
export class Vector4i {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public x = 0, public y = 0, public z = 0, public w = 0) {}
}

/** Godot's Quaternion: 32-bit components; 64-bit ones have the class Quaterniond. */
export class Quaternion {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public x = 0, public y = 0, public z = 0, public w = 1) {}
}
/** A Quaternion with 64-bit components. */
export class Quaterniond extends Quaternion {}

/** Godot's Color: 32-bit components; 64-bit ones have the class Colord. */
export class Color {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public r = 0, public g = 0, public b = 0, public a = 1) {}
}
/** A Color with 64-bit components. */
export class Colord extends Color {}

/** Godot's Rect2: 32-bit components; 64-bit ones have the class Rect2d. */
export class Rect2 {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public position = new Vector2(), public size = new Vector2()) {}
}
/** A Rect2 with 64-bit components. */
export class Rect2d extends Rect2 {}

/** Godot's Rect2i: 32-bit ints as components. */
export class Rect2i {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public position = new Vector2i(), public size = new Vector2i()) {}
}

/** Godot's Plane: 32-bit components; 64-bit ones have the class Planed. */
export class Plane {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public normal = new Vector3(), public d = 0) {}
}
/** A Plane with 64-bit components. */
export class Planed extends Plane {}

/** Godot's AABB: 32-bit components; 64-bit ones have the class AABBd. */
export class AABB {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public position = new Vector3(), public size = new Vector3()) {}
}
/** An AABB with 64-bit components. */
export class AABBd extends AABB {}

/** Two axis columns and the origin. */
export class Transform2D {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public x = new Vector2(1, 0), public y = new Vector2(0, 1), public origin = new Vector2()) {}
}
/** A Transform2D with 64-bit components. */
export class Transform2Dd extends Transform2D {}

/** Three rows, as the engines keep and write it; a script's `basis.x` is `basis.column(0)`. */
export class Basis {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public row0 = new Vector3(1, 0, 0), public row1 = new Vector3(0, 1, 0), public row2 = new Vector3(0, 0, 1)) {}
    /** The axis `index`: a script's x, y and z. */
    column(index: 0 | 1 | 2): Vector3 {
        const field = (["x", "y", "z"] as const)[index];
        return new Vector3(this.row0[field], this.row1[field], this.row2[field]);
    }
}
/** A Basis with 64-bit components. */
export class Basisd extends Basis {}

/** Godot's Transform3D: 32-bit components; 64-bit ones have the class Transform3Dd. */
export class Transform3D {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(public basis = new Basis(), public origin = new Vector3()) {}
}
/** A Transform3D with 64-bit components. */
export class Transform3Dd extends Transform3D {}

/** Four columns. */
export class Projection {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(
        public x = new Vector4(1, 0, 0, 0),
        public y = new Vector4(0, 1, 0, 0),
        public z = new Vector4(0, 0, 1, 0),
        public w = new Vector4(0, 0, 0, 1),
    ) {}
}
/** A Projection with 64-bit components. */
export class Projectiond extends Projection {}

// ---- ids and inert data ----

/** A resource's id, meaningless outside its process. */
export class RID {
    readonly id: bigint;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(id: bigint | number = 0n) {
        this.id = BigInt(id);
    }
}

/** A Callable, which has no content on the wire. */
export class Callable {
    readonly gdvar: symbol = NOT_CLONED;
}

function signedId(id: bigint | number): bigint {
    const given = BigInt(id);
    return BigInt.asUintN(64, given) === given ? BigInt.asIntN(64, given) : given;
}

/** A Signal: its name and the id of its object, signed as Godot prints it. */
export class Signal {
    readonly objectId: bigint;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(readonly name = "", objectId: bigint | number = 0n) {
        this.objectId = signedId(objectId);
    }
}

/** An Object written only as its id. The id is signed, as Godot prints it; an unsigned one is accepted, too. */
export class EncodedObjectAsID {
    readonly id: bigint;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(id: bigint | number = 0n) {
        this.id = signedId(id);
    }
}

/** Godot 1's and 2's Image. */
export class Image {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(readonly format: number, readonly mipmaps: number, readonly width: number, readonly height: number, readonly data: Uint8Array) {}
}

/** Godot 1's and 2's InputEvent; `words` has as many numbers as an event of its type. */
export class InputEvent {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(readonly type: number, readonly device: number, readonly words: readonly number[] = []) {}
}

printedWithout(
    Float, StringName, NodePath, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i, Quaternion, Color, Rect2, Rect2i, Plane, AABB, Transform2D,
    Basis, Transform3D, Projection, RID, Callable, Signal, EncodedObjectAsID, Image, InputEvent,
);
