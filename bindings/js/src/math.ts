// The classes of math values and packed arrays. Decoding, encoding and the comparison of keys use these tables.
import * as packed from "./packed.js";
import { Type } from "./interface.js";
import * as v from "./values.js";

export type Class = abstract new (...given: any[]) => object;

/** A type, the class of its values with 32-bit components, and the one with 64-bit components; types of ints have one class. */
export const MATH: readonly [Type, Class, Class | undefined][] = [
    [Type.vector2, v.Vector2, v.Vector2d],
    [Type.vector2i, v.Vector2i, undefined],
    [Type.rect2, v.Rect2, v.Rect2d],
    [Type.rect2i, v.Rect2i, undefined],
    [Type.vector3, v.Vector3, v.Vector3d],
    [Type.vector3i, v.Vector3i, undefined],
    [Type.transform2d, v.Transform2D, v.Transform2Dd],
    [Type.vector4, v.Vector4, v.Vector4d],
    [Type.vector4i, v.Vector4i, undefined],
    [Type.plane, v.Plane, v.Planed],
    [Type.quaternion, v.Quaternion, v.Quaterniond],
    [Type.aabb, v.AABB, v.AABBd],
    [Type.basis, v.Basis, v.Basisd],
    [Type.transform3d, v.Transform3D, v.Transform3Dd],
    [Type.projection, v.Projection, v.Projectiond],
    [Type.color, v.Color, v.Colord],
];

export interface TypedArrayClass {
    new (buffer: ArrayBufferLike, at: number, count: number): ArrayBufferView;
    readonly name: string;
    readonly BYTES_PER_ELEMENT: number;
}
/** A packed array: the typed array of its numbers, the numbers per element, and the class around it. */
export interface Packed {
    type: Type;
    numbers: TypedArrayClass;
    width: number;
    around?: new (numbers: any) => packed.PackedMathArray<unknown>;
}
export const PACKED: readonly Packed[] = [
    { type: Type.packedByteArray, numbers: Uint8Array, width: 1 },
    { type: Type.packedInt32Array, numbers: Int32Array, width: 1 },
    { type: Type.packedInt64Array, numbers: BigInt64Array, width: 1 },
    { type: Type.packedFloat32Array, numbers: Float32Array, width: 1 },
    { type: Type.packedFloat64Array, numbers: Float64Array, width: 1 },
    { type: Type.packedVector2Array, numbers: Float32Array, width: 2, around: packed.PackedVector2Array },
    { type: Type.packedVector3Array, numbers: Float32Array, width: 3, around: packed.PackedVector3Array },
    { type: Type.packedColorArray, numbers: Float32Array, width: 4, around: packed.PackedColorArray },
    { type: Type.packedVector4Array, numbers: Float32Array, width: 4, around: packed.PackedVector4Array },
    { type: Type.packedVector2iArray, numbers: Int32Array, width: 2, around: packed.PackedVector2iArray },
    { type: Type.packedVector3iArray, numbers: Int32Array, width: 3, around: packed.PackedVector3iArray },
    { type: Type.packedVector4iArray, numbers: Int32Array, width: 4, around: packed.PackedVector4iArray },
];
