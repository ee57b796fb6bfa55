// Variant's types without a JavaScript type.
//
// Math types have numbers as fields, in the order of the bytes. Each exists in both widths: `Vector3` has 32-bit components on
// the wire, `Vector3d` 64-bit ones, and a `Vector3d` is a `Vector3`. Numbers are only rounded when they are written. All values
// have a property `gdvar`, at which cloning fails.
import { NOT_CLONED, printedWithout } from "./cloning.js";
import { inspectCustom } from "./inspect.js";

/** A finite float with so many digits behind the point, and then without zeros at the end but for the first: String::num. */
function printedDigits(value: number, decimals: number): string {
    if (Math.abs(value) >= 1e21) return `${BigInt(value)}.0`;
    // `toFixed` rounds from the middle to the larger, engines to the even digit.
    const exact = Math.abs(value).toFixed(decimals + 30);
    const below = exact.slice(0, -30).replace(/\.$/, "");
    const rounded = /50{29}$/.test(exact) && /[02468]$/.test(below) ? below : Math.abs(value).toFixed(decimals);
    return (value < 0 || Object.is(value, -0) ? "-" : "") + rounded.replace(/(\.\d+?)0+$/, "$1");
}
/** A float as Godot 4.4 and later print it: with at most `digits` behind the point, and fewer above 10; `whole` is put behind a whole number. */
function printedFloat(value: number, digits: number, whole = ".0"): string {
    if (value - value !== 0) return value !== value ? "nan" : value > 0 ? "inf" : "-inf";
    const size = Math.abs(value);
    // Engines know it by its int of 64 bits.
    if (Number.isInteger(value)) return `${BigInt(value)}${size < 2 ** 63 ? whole : ".0"}`;
    const decimals = digits - (size > 10 ? Math.floor(Math.log10(size)) : 0);
    return printedDigits(value, decimals < 0 ? 6 : decimals);
}
/** Digits behind the point of floats with 64 and with 32 bits. */
const DIGITS = 14;
const NARROW_DIGITS = 6;

/**
 * A float that looks like an int as a plain number (1.0), or whose bits a number does not keep (some NaNs).
 *
 * `decode` makes one for each float with an integral value, so that `encode` writes a float again; all other floats are plain
 * numbers. It has a number's methods, and is its value in arithmetic and comparisons (`float * 2`, `float < 3`, `float == 2`).
 * It is an object to `===`, `typeof` and a Set: `Number(float)` is the number.
 */
export class Float {
    readonly gdvar: symbol = NOT_CLONED;
    constructor(
        readonly value: number,
        /** The bits of a NaN that is not JavaScript's own (0x7ff8000000000000). */
        readonly bits: bigint | undefined = undefined,
    ) {}
    /** True if two floats, of either form, are the same number. */
    static equal(one: number | Float, other: number | Float): boolean {
        return Number(one) === Number(other);
    }
    /** Below 0, 0 or above 0, for `sort`: floats of either form by their numbers, and NaN last. */
    static compare(one: number | Float, other: number | Float): number {
        const [a, b] = [Number(one), Number(other)];
        return a < b ? -1 : a > b ? 1 : Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    }
    valueOf(): number {
        return this.value;
    }
    toJSON(): number {
        return this.value;
    }
    /** As Godot prints it: "1.0". With a radix as a number does: "1". */
    toString(radix?: number): string {
        return radix === undefined ? printedFloat(this.value, DIGITS) : this.value.toString(radix);
    }
    toFixed(digits?: number): string {
        return this.value.toFixed(digits);
    }
    toPrecision(digits?: number): string {
        return this.value.toPrecision(digits);
    }
    toExponential(digits?: number): string {
        return this.value.toExponential(digits);
    }
    toLocaleString(...given: Parameters<number["toLocaleString"]>): string {
        return this.value.toLocaleString(...given);
    }
    [inspectCustom](_depth: number, options: { stylize?: (text: string, style: string) => string }): string {
        return options.stylize?.(String(this), "number") ?? String(this);
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

/** How the components of a class are written and printed. */
interface Components {
    round(component: number): number;
    print(component: number, whole?: string): string;
}
const NARROW: Components = { round: Math.fround, print: (component, whole) => printedFloat(component, NARROW_DIGITS, whole) };
const WIDE: Components = { round: (component) => component, print: (component, whole) => printedFloat(component, DIGITS, whole) };
const INTS: Components = { ...WIDE, print: String };

const partsOf = (value: object): unknown[] => Object.values(value).filter((part) => typeof part !== "symbol");

/** A value of a math type: numbers, or values made of numbers. */
export abstract class MathValue<Part = unknown, Name = unknown> implements Iterable<Part> {
    readonly gdvar: symbol = NOT_CLONED;
    /** For TypeScript, which else would take a Quaternion for a Vector4. */
    declare protected readonly typeName: Name;
    /** NARROW, and of some classes another (below). @internal */
    declare readonly kind: Components;

    /** The fields, in the order of the bytes: `const [x, y] = vector`. */
    [Symbol.iterator](): IterableIterator<Part> {
        return partsOf(this)[Symbol.iterator]() as IterableIterator<Part>;
    }
    /**
     * True for a value of the same type with the same components, as they are written: 32-bit components are rounded. A Vector3d
     * may equal a Vector3. NaN equals nothing, as in Godot.
     */
    equals(other: unknown): boolean {
        if (!(other instanceof MathValue) || MathValue.typeOf(this) !== MathValue.typeOf(other)) return false;
        const components = other.components();
        return this.components().every((component, i) => component === components[i]);
    }
    /** As Godot 4.4 and later print it (`str`): "(1.0, 2.0, 3.0)". */
    toString(): string {
        return this.printed((component) => this.kind.print(component));
    }
    /** @internal */
    protected printed(print: (component: number) => string): string {
        return `(${this.components().map(print).join(", ")})`;
    }
    /** All numbers as they are written, in the order of the bytes. @internal */
    components(kind = this.kind): number[] {
        return partsOf(this).flatMap((part) => (part instanceof MathValue ? part.components(kind) : kind.round(Number(part))));
    }
    /** The prototype of a type's class with 32-bit components. @internal */
    static typeOf(value: MathValue): object {
        let [type, base]: object[] = [value, Object.getPrototypeOf(value) as object];
        for (; base !== MathValue.prototype; base = Object.getPrototypeOf(base) as object) type = base!;
        return type!;
    }
}
/** "[P: (0.0, 0.0), S: (1.0, 1.0)]" */
const labelled = (parts: Record<string, MathValue | string>) => `[${Object.entries(parts).map(([label, part]) => `${label}: ${part}`).join(", ")}]`;

/** Godot's Vector2: 32-bit components; 64-bit ones have the class Vector2d. */
export class Vector2 extends MathValue<number, "Vector2"> {
    constructor(public x = 0, public y = 0) {
        super();
    }
}
/** A Vector2 with 64-bit components. */
export class Vector2d extends Vector2 {}

/** Godot's Vector2i: 32-bit ints as components. */
export class Vector2i extends MathValue<number, "Vector2i"> {
    constructor(public x = 0, public y = 0) {
        super();
    }
}

/** Godot's Vector3: 32-bit components; 64-bit ones have the class Vector3d. */
export class Vector3 extends MathValue<number, "Vector3"> {
    constructor(public x = 0, public y = 0, public z = 0) {
        super();
    }
}
/** A Vector3 with 64-bit components. */
export class Vector3d extends Vector3 {}

/** Godot's Vector3i: 32-bit ints as components. */
export class Vector3i extends MathValue<number, "Vector3i"> {
    constructor(public x = 0, public y = 0, public z = 0) {
        super();
    }
}

/** Godot's Vector4: 32-bit components; 64-bit ones have the class Vector4d. */
export class Vector4 extends MathValue<number, "Vector4"> {
    constructor(public x = 0, public y = 0, public z = 0, public w = 0) {
        super();
    }
}
/** A Vector4 with 64-bit components. */
export class Vector4d extends Vector4 {}

/** Godot's Vector4i: 32-bit ints as components. */
export class Vector4i extends MathValue<number, "Vector4i"> {
    constructor(public x = 0, public y = 0, public z = 0, public w = 0) {
        super();
    }
}

/** Godot's Quaternion: 32-bit components; 64-bit ones have the class Quaterniond. */
export class Quaternion extends MathValue<number, "Quaternion"> {
    constructor(public x = 0, public y = 0, public z = 0, public w = 1) {
        super();
    }
    override toString(): string {
        return this.printed((component) => this.kind.print(component, ""));
    }
}
/** A Quaternion with 64-bit components. */
export class Quaterniond extends Quaternion {}

/** Godot's Color: 32-bit components; 64-bit ones have the class Colord. */
export class Color extends MathValue<number, "Color"> {
    constructor(public r = 0, public g = 0, public b = 0, public a = 1) {
        super();
    }
    override toString(): string {
        return this.printed((component) => (Number.isFinite(component) ? printedDigits(component, 4) : printedFloat(component, 4)));
    }
}
/** A Color with 64-bit components. */
export class Colord extends Color {}

/** Godot's Rect2: 32-bit components; 64-bit ones have the class Rect2d. */
export class Rect2 extends MathValue<Vector2, "Rect2"> {
    constructor(public position = new Vector2(), public size = new Vector2()) {
        super();
    }
    override toString(): string {
        return labelled({ P: this.position, S: this.size });
    }
}
/** A Rect2 with 64-bit components. */
export class Rect2d extends Rect2 {}

/** Godot's Rect2i: 32-bit ints as components. */
export class Rect2i extends MathValue<Vector2i, "Rect2i"> {
    constructor(public position = new Vector2i(), public size = new Vector2i()) {
        super();
    }
    override toString(): string {
        return labelled({ P: this.position, S: this.size });
    }
}

/** Godot's Plane: 32-bit components; 64-bit ones have the class Planed. */
export class Plane extends MathValue<Vector3 | number, "Plane"> {
    constructor(public normal = new Vector3(), public d = 0) {
        super();
    }
    override toString(): string {
        return labelled({ N: this.normal, D: this.kind.print(this.kind.round(this.d), "") });
    }
}
/** A Plane with 64-bit components. */
export class Planed extends Plane {}

/** Godot's AABB: 32-bit components; 64-bit ones have the class AABBd. */
export class AABB extends MathValue<Vector3, "AABB"> {
    constructor(public position = new Vector3(), public size = new Vector3()) {
        super();
    }
    override toString(): string {
        return labelled({ P: this.position, S: this.size });
    }
}
/** An AABB with 64-bit components. */
export class AABBd extends AABB {}

/** Two axis columns and the origin. */
export class Transform2D extends MathValue<Vector2, "Transform2D"> {
    constructor(public x = new Vector2(1, 0), public y = new Vector2(0, 1), public origin = new Vector2()) {
        super();
    }
    override toString(): string {
        return labelled({ X: this.x, Y: this.y, O: this.origin });
    }
}
/** A Transform2D with 64-bit components. */
export class Transform2Dd extends Transform2D {}

/** Three rows, as the engines keep and write it; a script's `basis.x` is `basis.column(0)`. */
export class Basis extends MathValue<Vector3, "Basis"> {
    constructor(public row0 = new Vector3(1, 0, 0), public row1 = new Vector3(0, 1, 0), public row2 = new Vector3(0, 0, 1)) {
        super();
    }
    /** The axis `index`: a script's x, y and z. */
    column(index: 0 | 1 | 2): Vector3 {
        const field = (["x", "y", "z"] as const)[index];
        return new (this.row0 instanceof Vector3d ? Vector3d : Vector3)(this.row0[field], this.row1[field], this.row2[field]);
    }
    override toString(): string {
        return labelled({ X: this.column(0), Y: this.column(1), Z: this.column(2) });
    }
}
/** A Basis with 64-bit components. */
export class Basisd extends Basis {}

/** Godot's Transform3D: 32-bit components; 64-bit ones have the class Transform3Dd. */
export class Transform3D extends MathValue<Basis | Vector3, "Transform3D"> {
    constructor(public basis = new Basis(), public origin = new Vector3()) {
        super();
    }
    override toString(): string {
        return labelled({ X: this.basis.column(0), Y: this.basis.column(1), Z: this.basis.column(2), O: this.origin });
    }
}
/** A Transform3D with 64-bit components. */
export class Transform3Dd extends Transform3D {}

/** Four columns. */
export class Projection extends MathValue<Vector4, "Projection"> {
    constructor(
        public x = new Vector4(1, 0, 0, 0),
        public y = new Vector4(0, 1, 0, 0),
        public z = new Vector4(0, 0, 1, 0),
        public w = new Vector4(0, 0, 0, 1),
    ) {
        super();
    }
    override toString(): string {
        return labelled({ X: this.x, Y: this.y, Z: this.z, W: this.w });
    }
}
/** A Projection with 64-bit components. */
export class Projectiond extends Projection {}

for (const [kind, classes] of [
    [NARROW, [MathValue]],
    [INTS, [Vector2i, Vector3i, Vector4i, Rect2i]],
    [WIDE, [Vector2d, Vector3d, Vector4d, Quaterniond, Colord, Rect2d, Planed, AABBd, Transform2Dd, Basisd, Transform3Dd, Projectiond]],
] as const) {
    for (const { prototype } of classes) Object.defineProperty(prototype, "kind", { value: kind });
}

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

printedWithout(StringName, NodePath, MathValue, RID, Callable, Signal, EncodedObjectAsID, Image, InputEvent);
