// The types of values: for TypeScript alone.
import type { GodotArray, GodotObject, PackedStringArray } from "./containers.js";
import type { Dictionary } from "./dictionary.js";
import type * as p from "./packed.js";
import type * as v from "./values.js";

/** A value of a math type. Those with 64-bit components (`Vector3d`) are among them. */
export type MathVariant =
    | v.Vector2 | v.Vector2i | v.Vector3 | v.Vector3i | v.Vector4 | v.Vector4i | v.Quaternion | v.Color | v.Rect2 | v.Rect2i | v.Plane | v.AABB
    | v.Transform2D | v.Basis | v.Transform3D | v.Projection;
/** A packed array. */
export type PackedVariant =
    | Uint8Array | Int32Array | BigInt64Array | Float32Array | Float64Array | PackedStringArray | p.PackedVector2Array | p.PackedVector3Array
    | p.PackedVector4Array | p.PackedColorArray | p.PackedVector2iArray | p.PackedVector3iArray | p.PackedVector4iArray;
/** Any value, as `decode` makes it with its defaults. */
export type Variant =
    | null | boolean | number | bigint | string | v.Float | v.StringName | v.NodePath | MathVariant | PackedVariant | Variant[] | GodotArray<Variant>
    | Dictionary<Variant, Variant> | GodotObject | v.EncodedObjectAsID | v.RID | v.Callable | v.Signal | v.Image | v.InputEvent;
/** Any value, as `decode` makes it with `plain: true`: what JSON.stringify takes. */
export type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain };
/** Any value that `encode` takes. An object whose type is an interface is given as `{ ...object }`. */
export type Encodable = Variant | readonly Encodable[] | ReadonlyMap<Encodable, Encodable> | { readonly [name: string]: Encodable };
