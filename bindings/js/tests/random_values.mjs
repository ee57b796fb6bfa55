// Random values of every type that a dialect has.
import * as gdvar from "gdvar";
import { pick } from "./support.mjs";

const letters = ["a", "b", "_", " ", "/", ":", "\"", "\\", "'", "\n", "\t", "\u0001", "ż", "é", "日", "\u{1f525}", "\ufeff", "\u2028", "z", "Z", "0", "9", "{", "]", "%"];
const bits = new DataView(new ArrayBuffer(8));

/** The types that can be written in a dialect, found by trying. */
export function abilities({ name: dialect, types }) {
    const can = (value) => {
        try {
            gdvar.encode(value, { dialect, objects: true });
            return true;
        } catch (error) {
            if (error instanceof gdvar.GdvarError) return false;
            throw error;
        }
    };
    const [int] = elements;
    return {
        types: types.filter((type) => type !== "Object"),
        longs: can(2n ** 40n),
        doubles: can(0.1),
        wide: can(new gdvar.Vector3d(0.1, 0.2, 0.3)),
        elements: elements.filter((type) => can(gdvar.GodotArray.typed([], type))),
        typedDictionaries: can(Object.assign(new gdvar.Dictionary(), { keyType: int })),
        objects: can(new gdvar.GodotObject("Node", new gdvar.Dictionary())),
        objectIds: can(new gdvar.EncodedObjectAsID(5n)),
        ids: can(new gdvar.RID(5n)),
        signals: can(new gdvar.Signal("hit", 5n)),
        oddTexts: oddTexts.filter(can),
        oddPackedTexts: oddTexts.filter((text) => can(gdvar.PackedStringArray.holding([text]))),
    };
}
const elements = [
    { kind: "builtin", type: "int", name: "" },
    { kind: "builtin", type: "Vector2", name: "" },
    { kind: "class_name", type: "Object", name: "Node" },
    { kind: "script", type: "Object", name: "res://a.gd" },
];
/** Bytes that are not UTF-8: a lone one, a surrogate, a long form. */
const oddTexts = ["\udce9", "a\udced\udca0\udc80b", "\udcc1\udcbf"];

/** `make()`: one value after the other; `next` gives numbers from 0 to 1. */
export function maker(able, next) {
    const below = (end) => Math.floor(next() * end);
    const chance = (share) => next() < share;
    const word = () => below(0x100000000);
    const long = () => BigInt.asIntN(64, (BigInt(word()) << 32n) | BigInt(word())) >> BigInt(below(64));
    const anyBits = () => BigInt.asUintN(64, long());
    const ids = () => (able.ids ? anyBits() : 0n);
    const i32 = () => word() >> below(32);
    const u32 = () => word() >>> below(32);
    /** Any bits but a NaN's: a number is JavaScript's own NaN. */
    const f32 = () => {
        if (chance(0.5)) return Math.fround((next() - 0.5) * 2 ** (below(60) - 20));
        if (chance(0.5)) return below(2000) - 1000;
        bits.setUint32(0, word());
        const value = bits.getFloat32(0);
        return Number.isNaN(value) ? NaN : value;
    };
    const f64 = () => {
        if (chance(0.7) || !able.doubles) return f32();
        bits.setBigUint64(0, anyBits());
        const value = bits.getFloat64(0);
        return Number.isNaN(value) ? NaN : value;
    };
    const textWith = (odd) => {
        const letter = () => (odd.length > 0 && chance(0.02) ? pick(odd, next) : pick(letters, next));
        return Array.from({ length: below(chance(0.1) ? 90 : 12) }, letter).join("");
    };
    const text = () => textWith(able.oddTexts);
    const name = () => Array.from({ length: 1 + below(6) }, () => pick(["a", "B", "_", "é", "日", "7"], next)).join("");
    const list = (make, most = 4) => Array.from({ length: below(most + 1) }, make);
    const wide = () => able.wide && chance(0.3);
    const math = (Narrow, Wide, build) => () => {
        const isWide = wide();
        return build(isWide ? Wide : Narrow, isWide ? f64 : f32, isWide);
    };
    const v2 = (f, isWide) => new (isWide ? gdvar.Vector2d : gdvar.Vector2)(f(), f());
    const v3 = (f, isWide) => new (isWide ? gdvar.Vector3d : gdvar.Vector3)(f(), f(), f());
    const v4 = (f, isWide) => new (isWide ? gdvar.Vector4d : gdvar.Vector4)(f(), f(), f(), f());
    const basis = (f, isWide) => new (isWide ? gdvar.Basisd : gdvar.Basis)(v3(f, isWide), v3(f, isWide), v3(f, isWide));
    const packedFloats = (Make, width) => () => {
        const isWide = wide();
        const numbers = Array.from({ length: width * below(4) }, isWide ? f64 : f32);
        return new Make(isWide ? Float64Array.from(numbers) : Float32Array.from(numbers));
    };
    const packedInts = (Make, width) => () => new Make(Int32Array.from({ length: width * below(4) }, i32));
    const real = () => {
        const value = f64();
        if (Number.isNaN(value) && able.doubles && chance(0.5)) return new gdvar.Float(NaN, 0x7ff8000000000000n | (anyBits() & 0x7ffffffffffffn));
        return Number.isInteger(value) ? new gdvar.Float(value) : value;
    };
    const color = (f, isWide) => new (isWide ? gdvar.Colord : gdvar.Color)(f(), f(), f(), f());
    const elementType = () => pick(able.elements, next);
    let depth = 0;
    const child = () => {
        ++depth;
        const value = any();
        --depth;
        return value;
    };
    const key = () => (chance(0.6) ? text() : chance(0.5) ? i32() : child());
    const dictionary = (of = child) => new gdvar.Dictionary(list(() => [key(), of()]));
    const makers = {
        Nil: () => null,
        bool: () => chance(0.5),
        int: () => (chance(0.5) || !able.longs ? i32() : long()),
        float: real,
        String: text,
        StringName: () => new gdvar.StringName(text()),
        NodePath: () => new gdvar.NodePath(list(name), list(name), chance(0.5)),
        Vector2: math(0, 0, (_, f, isWide) => v2(f, isWide)),
        Vector2i: () => new gdvar.Vector2i(i32(), i32()),
        Rect2: math(gdvar.Rect2, gdvar.Rect2d, (Make, f, isWide) => new Make(v2(f, isWide), v2(f, isWide))),
        Rect2i: () => new gdvar.Rect2i(makers.Vector2i(), makers.Vector2i()),
        Vector3: math(0, 0, (_, f, isWide) => v3(f, isWide)),
        Vector3i: () => new gdvar.Vector3i(i32(), i32(), i32()),
        Vector4: math(0, 0, (_, f, isWide) => v4(f, isWide)),
        Vector4i: () => new gdvar.Vector4i(i32(), i32(), i32(), i32()),
        Transform2D: math(gdvar.Transform2D, gdvar.Transform2Dd, (Make, f, isWide) => new Make(v2(f, isWide), v2(f, isWide), v2(f, isWide))),
        Plane: math(gdvar.Plane, gdvar.Planed, (Make, f, isWide) => new Make(v3(f, isWide), f())),
        Quaternion: math(gdvar.Quaternion, gdvar.Quaterniond, (Make, f) => new Make(f(), f(), f(), f())),
        AABB: math(gdvar.AABB, gdvar.AABBd, (Make, f, isWide) => new Make(v3(f, isWide), v3(f, isWide))),
        Basis: math(0, 0, (_, f, isWide) => basis(f, isWide)),
        Transform3D: math(gdvar.Transform3D, gdvar.Transform3Dd, (Make, f, isWide) => new Make(basis(f, isWide), v3(f, isWide))),
        Projection: math(gdvar.Projection, gdvar.Projectiond, (Make, f, isWide) => new Make(v4(f, isWide), v4(f, isWide), v4(f, isWide), v4(f, isWide))),
        // Its components have 32 bits in every build of the engines.
        Color: () => color(f32, false),
        RID: () => new gdvar.RID(ids()),
        Callable: () => new gdvar.Callable(),
        Signal: () => (able.signals ? new gdvar.Signal(name(), anyBits()) : new gdvar.Signal()),
        Dictionary: () => {
            const made = dictionary();
            if (able.typedDictionaries && chance(0.2)) Object.assign(made, { keyType: elementType(), ...(chance(0.7) && { valueType: elementType() }) });
            return made;
        },
        Array: () => (able.elements.length > 0 && chance(0.2) ? gdvar.GodotArray.typed(list(child), elementType()) : list(child)),
        PackedByteArray: () => Uint8Array.from(list(() => below(256), 12)),
        PackedInt32Array: () => Int32Array.from(list(i32)),
        PackedInt64Array: () => BigInt64Array.from(list(long)),
        PackedFloat32Array: () => Float32Array.from(list(f32)),
        PackedFloat64Array: () => Float64Array.from(list(f64)),
        PackedStringArray: () => gdvar.PackedStringArray.holding(list(() => textWith(able.oddPackedTexts))),
        PackedVector2Array: packedFloats(gdvar.PackedVector2Array, 2),
        PackedVector3Array: packedFloats(gdvar.PackedVector3Array, 3),
        PackedVector4Array: packedFloats(gdvar.PackedVector4Array, 4),
        PackedColorArray: () => new gdvar.PackedColorArray(Float32Array.from({ length: 4 * below(4) }, f32)),
        PackedVector2iArray: packedInts(gdvar.PackedVector2iArray, 2),
        PackedVector3iArray: packedInts(gdvar.PackedVector3iArray, 3),
        PackedVector4iArray: packedInts(gdvar.PackedVector4iArray, 4),
        PackedTypedArray: () => gdvar.PackedTypedArray.typed(list(child), { kind: "builtin", type: "int", name: "" }),
        Image: () => new gdvar.Image(below(10), below(2), u32(), u32(), makers.PackedByteArray()),
        InputEvent: () => new gdvar.InputEvent(0, u32()),
    };
    const containers = ["Dictionary", "Array", ...(able.types.includes("PackedTypedArray") ? ["PackedTypedArray"] : [])];
    const objects = [
        ...(able.objects ? [() => new gdvar.GodotObject(name(), new gdvar.Dictionary(list(() => [name(), child()]))), () => new gdvar.GodotObject("", new gdvar.Dictionary())] : []),
        ...(able.objectIds ? [() => new gdvar.EncodedObjectAsID(anyBits())] : []),
    ];
    const leaves = able.types.filter((type) => !containers.includes(type));
    function any() {
        if (depth < 5 && chance(0.4)) return makers[pick(containers, next)]();
        if (objects.length > 0 && depth < 5 && chance(0.05)) return pick(objects, next)();
        return makers[pick(leaves, next)]();
    }
    return any;
}
