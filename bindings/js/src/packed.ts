import { NOT_CLONED, printedWithout } from "./cloning.js";
import { Color, Colord, Vector2, Vector2d, Vector2i, Vector3, Vector3d, Vector3i, Vector4, Vector4d, Vector4i } from "./values.js";

export type Components = Float32Array | Float64Array | Int32Array;

/**
 * A packed array of math values. `components` is a Float64Array if the packet has 64-bit components, and a view of the packet
 * itself if possible (docs/javascript.md).
 */
export abstract class PackedMathArray<E, C extends Components = Components> implements Iterable<E> {
    /** Components of one element. */
    abstract readonly width: number;
    readonly gdvar: symbol = NOT_CLONED;
    constructor(readonly components: C) {}
    get length(): number {
        return this.components.length / this.width;
    }
    /** A copy of the element at `index`, counted from the end if it is negative; undefined if there is none. */
    at(index: number): E | undefined {
        const place = Math.trunc(index) + (index < 0 ? this.length : 0);
        return place >= 0 && place < this.length ? this.element(place * this.width) : undefined;
    }
    *[Symbol.iterator](): IterableIterator<E> {
        for (let i = 0; i < this.components.length; i += this.width) yield this.element(i);
    }
    protected abstract element(place: number): E;
}
printedWithout(PackedMathArray);

type Floats = Float32Array | Float64Array;

export class PackedVector2Array extends PackedMathArray<Vector2, Floats> {
    readonly width = 2;
    protected element(i: number): Vector2 {
        const { components: c } = this;
        return new (c instanceof Float64Array ? Vector2d : Vector2)(c[i], c[i + 1]);
    }
}
export class PackedVector3Array extends PackedMathArray<Vector3, Floats> {
    readonly width = 3;
    protected element(i: number): Vector3 {
        const { components: c } = this;
        return new (c instanceof Float64Array ? Vector3d : Vector3)(c[i], c[i + 1], c[i + 2]);
    }
}
export class PackedVector4Array extends PackedMathArray<Vector4, Floats> {
    readonly width = 4;
    protected element(i: number): Vector4 {
        const { components: c } = this;
        return new (c instanceof Float64Array ? Vector4d : Vector4)(c[i], c[i + 1], c[i + 2], c[i + 3]);
    }
}
export class PackedColorArray extends PackedMathArray<Color, Floats> {
    readonly width = 4;
    protected element(i: number): Color {
        const { components: c } = this;
        return new (c instanceof Float64Array ? Colord : Color)(c[i], c[i + 1], c[i + 2], c[i + 3]);
    }
}
export class PackedVector2iArray extends PackedMathArray<Vector2i, Int32Array> {
    readonly width = 2;
    protected element(i: number): Vector2i {
        return new Vector2i(this.components[i], this.components[i + 1]);
    }
}
export class PackedVector3iArray extends PackedMathArray<Vector3i, Int32Array> {
    readonly width = 3;
    protected element(i: number): Vector3i {
        return new Vector3i(this.components[i], this.components[i + 1], this.components[i + 2]);
    }
}
export class PackedVector4iArray extends PackedMathArray<Vector4i, Int32Array> {
    readonly width = 4;
    protected element(i: number): Vector4i {
        const { components: c } = this;
        return new Vector4i(c[i], c[i + 1], c[i + 2], c[i + 3]);
    }
}
