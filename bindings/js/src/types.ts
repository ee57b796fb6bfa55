// The numbers of gdvar_type; tests/values.test.mjs compares them with the module's.

export const TYPES = [
    "Nil", "bool", "int", "float", "String", "Vector2", "Vector2i", "Rect2", "Rect2i", "Vector3", "Vector3i",
    "Transform2D", "Vector4", "Vector4i", "Plane", "Quaternion", "AABB", "Basis", "Transform3D", "Projection", "Color",
    "StringName", "NodePath", "RID", "Object", "Callable", "Signal", "Dictionary", "Array", "PackedByteArray",
    "PackedInt32Array", "PackedInt64Array", "PackedFloat32Array", "PackedFloat64Array", "PackedStringArray",
    "PackedVector2Array", "PackedVector3Array", "PackedColorArray", "PackedVector4Array", "PackedVector2iArray",
    "PackedVector3iArray", "PackedVector4iArray", "PackedTypedArray", "Image", "InputEvent",
] as const;
/** The name of a Variant type. */
export type TypeName = (typeof TYPES)[number];

/** Flags of a node on the tape (gdvar_node). */
export const enum Flag {
    wide = 1,
    full = 2,
    id = 4,
    property = 8,
    copied = 16,
}

export const enum Type {
    nil, bool, int, float, string, vector2, vector2i, rect2, rect2i, vector3, vector3i, transform2d, vector4, vector4i,
    plane, quaternion, aabb, basis, transform3d, projection, color, stringName, nodePath, rid, object, callable, signal,
    dictionary, array, packedByte, packedInt32, packedInt64, packedFloat32, packedFloat64, packedString, packedVector2,
    packedVector3, packedColor, packedVector4, packedVector2i, packedVector3i, packedVector4i, packedTyped, image,
    inputEvent,
}
