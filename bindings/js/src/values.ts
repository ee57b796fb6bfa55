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
    readonly value: number;
    /** The bits of a NaN that is not JavaScript's own (0x7ff8000000000000). */
    readonly bits: bigint | undefined;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(value: number, bits?: bigint) {
        this.value = value;
        this.bits = bits;
    }
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
    readonly text: string;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(text: string) {
        this.text = text;
    }
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
    /** ["root", "Game"] */
    readonly names: readonly string[];
    /** ["position", "x"] */
    readonly subnames: readonly string[];
    /** True if it begins with "/". */
    readonly absolute: boolean;
    /** Godot 2 wrote the last subname separately (docs/dialects.md). */
    readonly separateProperty: boolean;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(
        names: readonly string[] = [],
        subnames: readonly string[] = [],
        absolute = false,
        separateProperty = false,
    ) {
        this.names = names;
        this.subnames = subnames;
        this.absolute = absolute;
        this.separateProperty = separateProperty;
    }
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
    x: number;
    y: number;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(x = 0, y = 0) {
        this.x = x;
        this.y = y;
    }
}
/** A Vector2 with 64-bit components. */
export class Vector2d extends Vector2 {}

/** Godot's Vector2i: 32-bit ints as components. */
export class Vector2i {
    x: number;
    y: number;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(x = 0, y = 0) {
        this.x = x;
        this.y = y;
    }
}

/** Godot's Vector3: 32-bit components; 64-bit ones have the class Vector3d. */
export class Vector3 {
    x: number;
    y: number;
    z: number;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(x = 0, y = 0, z = 0) {
        this.x = x;
        this.y = y;
        this.z = z;
    }
}
/** A Vector3 with 64-bit components. */
export class Vector3d extends Vector3 {}

/** Godot's Vector3i: 32-bit ints as components. */
export class Vector3i {
    x: number;
    y: number;
    z: number;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(x = 0, y = 0, z = 0) {
        this.x = x;
        this.y = y;
        this.z = z;
    }
}

/** Godot's Vector4: 32-bit components; 64-bit ones have the class Vector4d. */
export class Vector4 {
    x: number;
    y: number;
    z: number;
    w: number;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(x = 0, y = 0, z = 0, w = 0) {
        this.x = x;
        this.y = y;
        this.z = z;
        this.w = w;
    }
}
/** A Vector4 with 64-bit components. */
export class Vector4d extends Vector4 {}

/** Godot's Vector4i: 32-bit ints as components. */
export class Vector4i {
    x: number;
    y: number;
    z: number;
    w: number;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(x = 0, y = 0, z = 0, w = 0) {
        this.x = x;
        this.y = y;
        this.z = z;
        this.w = w;
    }
}

/** Godot's Quaternion: 32-bit components; 64-bit ones have the class Quaterniond. */
export class Quaternion {
    x: number;
    y: number;
    z: number;
    w: number;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(x = 0, y = 0, z = 0, w = 1) {
        this.x = x;
        this.y = y;
        this.z = z;
        this.w = w;
    }
}
/** A Quaternion with 64-bit components. */
export class Quaterniond extends Quaternion {}

/** Godot's Color: 32-bit components; 64-bit ones have the class Colord. */
export class Color {
    r: number;
    g: number;
    b: number;
    a: number;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(r = 0, g = 0, b = 0, a = 1) {
        this.r = r;
        this.g = g;
        this.b = b;
        this.a = a;
    }
}
/** A Color with 64-bit components. */
export class Colord extends Color {}

/** Godot's Rect2: 32-bit components; 64-bit ones have the class Rect2d. */
export class Rect2 {
    position: Vector2;
    size: Vector2;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(position = new Vector2(), size = new Vector2()) {
        this.position = position;
        this.size = size;
    }
}
/** A Rect2 with 64-bit components. */
export class Rect2d extends Rect2 {}

/** Godot's Rect2i: 32-bit ints as components. */
export class Rect2i {
    position: Vector2i;
    size: Vector2i;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(position = new Vector2i(), size = new Vector2i()) {
        this.position = position;
        this.size = size;
    }
}

/** Godot's Plane: 32-bit components; 64-bit ones have the class Planed. */
export class Plane {
    normal: Vector3;
    d: number;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(normal = new Vector3(), d = 0) {
        this.normal = normal;
        this.d = d;
    }
}
/** A Plane with 64-bit components. */
export class Planed extends Plane {}

/** Godot's AABB: 32-bit components; 64-bit ones have the class AABBd. */
export class AABB {
    position: Vector3;
    size: Vector3;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(position = new Vector3(), size = new Vector3()) {
        this.position = position;
        this.size = size;
    }
}
/** An AABB with 64-bit components. */
export class AABBd extends AABB {}

/** Two axis columns and the origin. */
export class Transform2D {
    x: Vector2;
    y: Vector2;
    origin: Vector2;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(x = new Vector2(1, 0), y = new Vector2(0, 1), origin = new Vector2()) {
        this.x = x;
        this.y = y;
        this.origin = origin;
    }
}
/** A Transform2D with 64-bit components. */
export class Transform2Dd extends Transform2D {}

/** Three rows, as the engines keep and write it; a script's `basis.x` is `basis.column(0)`. */
export class Basis {
    row0: Vector3;
    row1: Vector3;
    row2: Vector3;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(row0 = new Vector3(1, 0, 0), row1 = new Vector3(0, 1, 0), row2 = new Vector3(0, 0, 1)) {
        this.row0 = row0;
        this.row1 = row1;
        this.row2 = row2;
    }
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
    basis: Basis;
    origin: Vector3;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(basis = new Basis(), origin = new Vector3()) {
        this.basis = basis;
        this.origin = origin;
    }
}
/** A Transform3D with 64-bit components. */
export class Transform3Dd extends Transform3D {}

/** Four columns. */
export class Projection {
    x: Vector4;
    y: Vector4;
    z: Vector4;
    w: Vector4;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(
        x = new Vector4(1, 0, 0, 0),
        y = new Vector4(0, 1, 0, 0),
        z = new Vector4(0, 0, 1, 0),
        w = new Vector4(0, 0, 0, 1),
    ) {
        this.x = x;
        this.y = y;
        this.z = z;
        this.w = w;
    }
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
    readonly name: string;
    readonly objectId: bigint;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(name = "", objectId: bigint | number = 0n) {
        this.name = name;
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
    readonly format: number;
    readonly mipmaps: number;
    readonly width: number;
    readonly height: number;
    readonly data: Uint8Array;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(format: number, mipmaps: number, width: number, height: number, data: Uint8Array) {
        this.format = format;
        this.mipmaps = mipmaps;
        this.width = width;
        this.height = height;
        this.data = data;
    }
}

/** Godot 1's and 2's InputEvent; `words` has as many numbers as an event of its type. */
export class InputEvent {
    readonly type: number;
    readonly device: number;
    readonly words: readonly number[];
    readonly gdvar: symbol = NOT_CLONED;
    constructor(type: number, device: number, words: readonly number[] = []) {
        this.type = type;
        this.device = device;
        this.words = words;
    }
}

printedWithout(
    Float, StringName, NodePath, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i, Quaternion, Color, Rect2, Rect2i, Plane, AABB, Transform2D,
    Basis, Transform3D, Projection, RID, Callable, Signal, EncodedObjectAsID, Image, InputEvent,
);
