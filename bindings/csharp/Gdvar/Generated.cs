// Written by bindings/csharp/generate.py: gdvar.h for P/Invoke, and the math types.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Gdvar {
    /// <summary>The type of a value.</summary>
    public enum VariantType : byte {
        Nil = 0,
        Bool = 1,
        Int = 2,
        Float = 3,
        String = 4,
        Vector2 = 5,
        Vector2i = 6,
        Rect2 = 7,
        Rect2i = 8,
        Vector3 = 9,
        Vector3i = 10,
        Transform2D = 11,
        Vector4 = 12,
        Vector4i = 13,
        Plane = 14,
        Quaternion = 15,
        Aabb = 16,
        Basis = 17,
        Transform3D = 18,
        Projection = 19,
        Color = 20,
        StringName = 21,
        NodePath = 22,
        Rid = 23,
        Object = 24,
        Callable = 25,
        Signal = 26,
        Dictionary = 27,
        Array = 28,
        PackedByteArray = 29,
        PackedInt32Array = 30,
        PackedInt64Array = 31,
        PackedFloat32Array = 32,
        PackedFloat64Array = 33,
        PackedStringArray = 34,
        PackedVector2Array = 35,
        PackedVector3Array = 36,
        PackedColorArray = 37,
        PackedVector4Array = 38,
        PackedVector2iArray = 39,
        PackedVector3iArray = 40,
        PackedVector4iArray = 41,
        PackedTypedArray = 42,
        Image = 43,
        InputEvent = 44,
    }

    /// <summary>The origin of an error, which says what its offset counts.</summary>
    public enum ErrorSource : byte {
        Packet = 0,
        Text = 1,
        File = 2,
        Patch = 3,
        Call = 4,
    }

    /// <summary>How the type of a typed container is named.</summary>
    public enum ContainerKind : byte {
        Untyped = 0,
        Builtin = 1,
        ClassName = 2,
        Script = 3,
    }

    /// <summary>Permissions of SaveFile.Set.</summary>
    [Flags]
    public enum SetFlags : uint {
        Type = 1,
        Create = 2,
    }

    /// <summary>A Vector2.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Vector2 {
        public float X;
        public float Y;
        public Vector2(float x, float y) { X = x; Y = y; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1})", X, Y); }
    }

    /// <summary>A Vector2 with 64-bit components.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Vector2d {
        public double X;
        public double Y;
        public Vector2d(double x, double y) { X = x; Y = y; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1})", X, Y); }
    }

    /// <summary>A Vector2i.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Vector2i {
        public int X;
        public int Y;
        public Vector2i(int x, int y) { X = x; Y = y; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1})", X, Y); }
    }

    /// <summary>A Rect2.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Rect2 {
        public Vector2 Position;
        public Vector2 Size;
        public Rect2(Vector2 position, Vector2 size) { Position = position; Size = size; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1})", Position, Size); }
    }

    /// <summary>A Rect2 with 64-bit components.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Rect2d {
        public Vector2d Position;
        public Vector2d Size;
        public Rect2d(Vector2d position, Vector2d size) { Position = position; Size = size; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1})", Position, Size); }
    }

    /// <summary>A Rect2i.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Rect2i {
        public Vector2i Position;
        public Vector2i Size;
        public Rect2i(Vector2i position, Vector2i size) { Position = position; Size = size; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1})", Position, Size); }
    }

    /// <summary>A Vector3.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Vector3 {
        public float X;
        public float Y;
        public float Z;
        public Vector3(float x, float y, float z) { X = x; Y = y; Z = z; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2})", X, Y, Z); }
    }

    /// <summary>A Vector3 with 64-bit components.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Vector3d {
        public double X;
        public double Y;
        public double Z;
        public Vector3d(double x, double y, double z) { X = x; Y = y; Z = z; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2})", X, Y, Z); }
    }

    /// <summary>A Vector3i.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Vector3i {
        public int X;
        public int Y;
        public int Z;
        public Vector3i(int x, int y, int z) { X = x; Y = y; Z = z; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2})", X, Y, Z); }
    }

    /// <summary>A Transform2D.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Transform2D {
        public Vector2 X;
        public Vector2 Y;
        public Vector2 Origin;
        public Transform2D(Vector2 x, Vector2 y, Vector2 origin) { X = x; Y = y; Origin = origin; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2})", X, Y, Origin); }
    }

    /// <summary>A Transform2D with 64-bit components.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Transform2Dd {
        public Vector2d X;
        public Vector2d Y;
        public Vector2d Origin;
        public Transform2Dd(Vector2d x, Vector2d y, Vector2d origin) { X = x; Y = y; Origin = origin; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2})", X, Y, Origin); }
    }

    /// <summary>A Vector4.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Vector4 {
        public float X;
        public float Y;
        public float Z;
        public float W;
        public Vector4(float x, float y, float z, float w) { X = x; Y = y; Z = z; W = w; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2}, {3})", X, Y, Z, W); }
    }

    /// <summary>A Vector4 with 64-bit components.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Vector4d {
        public double X;
        public double Y;
        public double Z;
        public double W;
        public Vector4d(double x, double y, double z, double w) { X = x; Y = y; Z = z; W = w; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2}, {3})", X, Y, Z, W); }
    }

    /// <summary>A Vector4i.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Vector4i {
        public int X;
        public int Y;
        public int Z;
        public int W;
        public Vector4i(int x, int y, int z, int w) { X = x; Y = y; Z = z; W = w; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2}, {3})", X, Y, Z, W); }
    }

    /// <summary>A Plane.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Plane {
        public Vector3 Normal;
        public float D;
        public Plane(Vector3 normal, float d) { Normal = normal; D = d; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1})", Normal, D); }
    }

    /// <summary>A Plane with 64-bit components.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Planed {
        public Vector3d Normal;
        public double D;
        public Planed(Vector3d normal, double d) { Normal = normal; D = d; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1})", Normal, D); }
    }

    /// <summary>A Quaternion.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Quaternion {
        public float X;
        public float Y;
        public float Z;
        public float W;
        public Quaternion(float x, float y, float z, float w) { X = x; Y = y; Z = z; W = w; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2}, {3})", X, Y, Z, W); }
    }

    /// <summary>A Quaternion with 64-bit components.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Quaterniond {
        public double X;
        public double Y;
        public double Z;
        public double W;
        public Quaterniond(double x, double y, double z, double w) { X = x; Y = y; Z = z; W = w; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2}, {3})", X, Y, Z, W); }
    }

    /// <summary>A AABB.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Aabb {
        public Vector3 Position;
        public Vector3 Size;
        public Aabb(Vector3 position, Vector3 size) { Position = position; Size = size; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1})", Position, Size); }
    }

    /// <summary>A AABB with 64-bit components.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Aabbd {
        public Vector3d Position;
        public Vector3d Size;
        public Aabbd(Vector3d position, Vector3d size) { Position = position; Size = size; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1})", Position, Size); }
    }

    /// <summary>A Basis.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Basis {
        public Vector3 Row0;
        public Vector3 Row1;
        public Vector3 Row2;
        public Basis(Vector3 row0, Vector3 row1, Vector3 row2) { Row0 = row0; Row1 = row1; Row2 = row2; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2})", Row0, Row1, Row2); }
    }

    /// <summary>A Basis with 64-bit components.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Basisd {
        public Vector3d Row0;
        public Vector3d Row1;
        public Vector3d Row2;
        public Basisd(Vector3d row0, Vector3d row1, Vector3d row2) { Row0 = row0; Row1 = row1; Row2 = row2; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2})", Row0, Row1, Row2); }
    }

    /// <summary>A Transform3D.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Transform3D {
        public Basis Basis;
        public Vector3 Origin;
        public Transform3D(Basis basis, Vector3 origin) { Basis = basis; Origin = origin; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1})", Basis, Origin); }
    }

    /// <summary>A Transform3D with 64-bit components.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Transform3Dd {
        public Basisd Basis;
        public Vector3d Origin;
        public Transform3Dd(Basisd basis, Vector3d origin) { Basis = basis; Origin = origin; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1})", Basis, Origin); }
    }

    /// <summary>A Projection.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Projection {
        public Vector4 X;
        public Vector4 Y;
        public Vector4 Z;
        public Vector4 W;
        public Projection(Vector4 x, Vector4 y, Vector4 z, Vector4 w) { X = x; Y = y; Z = z; W = w; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2}, {3})", X, Y, Z, W); }
    }

    /// <summary>A Projection with 64-bit components.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Projectiond {
        public Vector4d X;
        public Vector4d Y;
        public Vector4d Z;
        public Vector4d W;
        public Projectiond(Vector4d x, Vector4d y, Vector4d z, Vector4d w) { X = x; Y = y; Z = z; W = w; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2}, {3})", X, Y, Z, W); }
    }

    /// <summary>A Color.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Color {
        public float R;
        public float G;
        public float B;
        public float A;
        public Color(float r, float g, float b, float a) { R = r; G = g; B = b; A = a; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2}, {3})", R, G, B, A); }
    }

    /// <summary>A Color with 64-bit components.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Colord {
        public double R;
        public double G;
        public double B;
        public double A;
        public Colord(double r, double g, double b, double a) { R = r; G = g; B = b; A = a; }
        public override string ToString() { return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2}, {3})", R, G, B, A); }
    }

    static class ShapeTable {
        public static IEnumerable<Shape> Rows() {
            yield return new Shape<Vector2>(VariantType.Vector2, false, false, typeof(float));
            yield return new Shape<Vector2d>(VariantType.Vector2, true, false, typeof(double));
            yield return new Shape<Vector2i>(VariantType.Vector2i, false, false, typeof(int));
            yield return new Shape<Rect2>(VariantType.Rect2, false, false, typeof(float));
            yield return new Shape<Rect2d>(VariantType.Rect2, true, false, typeof(double));
            yield return new Shape<Rect2i>(VariantType.Rect2i, false, false, typeof(int));
            yield return new Shape<Vector3>(VariantType.Vector3, false, false, typeof(float));
            yield return new Shape<Vector3d>(VariantType.Vector3, true, false, typeof(double));
            yield return new Shape<Vector3i>(VariantType.Vector3i, false, false, typeof(int));
            yield return new Shape<Transform2D>(VariantType.Transform2D, false, false, typeof(float));
            yield return new Shape<Transform2Dd>(VariantType.Transform2D, true, false, typeof(double));
            yield return new Shape<Vector4>(VariantType.Vector4, false, false, typeof(float));
            yield return new Shape<Vector4d>(VariantType.Vector4, true, false, typeof(double));
            yield return new Shape<Vector4i>(VariantType.Vector4i, false, false, typeof(int));
            yield return new Shape<Plane>(VariantType.Plane, false, false, typeof(float));
            yield return new Shape<Planed>(VariantType.Plane, true, false, typeof(double));
            yield return new Shape<Quaternion>(VariantType.Quaternion, false, false, typeof(float));
            yield return new Shape<Quaterniond>(VariantType.Quaternion, true, false, typeof(double));
            yield return new Shape<Aabb>(VariantType.Aabb, false, false, typeof(float));
            yield return new Shape<Aabbd>(VariantType.Aabb, true, false, typeof(double));
            yield return new Shape<Basis>(VariantType.Basis, false, false, typeof(float));
            yield return new Shape<Basisd>(VariantType.Basis, true, false, typeof(double));
            yield return new Shape<Transform3D>(VariantType.Transform3D, false, false, typeof(float));
            yield return new Shape<Transform3Dd>(VariantType.Transform3D, true, false, typeof(double));
            yield return new Shape<Projection>(VariantType.Projection, false, false, typeof(float));
            yield return new Shape<Projectiond>(VariantType.Projection, true, false, typeof(double));
            yield return new Shape<Color>(VariantType.Color, false, false, typeof(float));
            yield return new Shape<Colord>(VariantType.Color, true, false, typeof(double));
            yield return new Shape<byte>(VariantType.PackedByteArray, false, true, typeof(byte));
            yield return new Shape<int>(VariantType.PackedInt32Array, false, true, typeof(int));
            yield return new Shape<long>(VariantType.PackedInt64Array, false, true, typeof(long));
            yield return new Shape<float>(VariantType.PackedFloat32Array, false, true, typeof(float));
            yield return new Shape<double>(VariantType.PackedFloat64Array, false, true, typeof(double));
            yield return new Shape<Vector2>(VariantType.PackedVector2Array, false, true, typeof(float));
            yield return new Shape<Vector2d>(VariantType.PackedVector2Array, true, true, typeof(double));
            yield return new Shape<Vector3>(VariantType.PackedVector3Array, false, true, typeof(float));
            yield return new Shape<Vector3d>(VariantType.PackedVector3Array, true, true, typeof(double));
            yield return new Shape<Color>(VariantType.PackedColorArray, false, true, typeof(float));
            yield return new Shape<Colord>(VariantType.PackedColorArray, true, true, typeof(double));
            yield return new Shape<Vector4>(VariantType.PackedVector4Array, false, true, typeof(float));
            yield return new Shape<Vector4d>(VariantType.PackedVector4Array, true, true, typeof(double));
            yield return new Shape<Vector2i>(VariantType.PackedVector2iArray, false, true, typeof(int));
            yield return new Shape<Vector3i>(VariantType.PackedVector3iArray, false, true, typeof(int));
            yield return new Shape<Vector4i>(VariantType.PackedVector4iArray, false, true, typeof(int));
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_bytes {
        public void* data;
        public UIntPtr size;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_text {
        public byte* data;
        public UIntPtr size;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_type_info {
        public gdvar_text name;
        public byte component;
        public byte components;
        public byte packed;
        public byte widens;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_error {
        public ushort code;
        public byte type;
        public byte source;
        public int system;
        public ulong offset;
        public ulong need;
        public uint line;
        public uint column;
        public ulong change;
        public fixed ulong detail[8];
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_options {
        public uint size;
        public uint flags;
        public IntPtr dialect;
        public uint max_depth;
        public uint reserved;
        public ulong max_bytes;
        public ulong max_nodes;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_node_as_span {
        public uint count;
        public uint end;
    }

    [StructLayout(LayoutKind.Explicit)]
    unsafe struct gdvar_node_as {
        [FieldOffset(0)] public ulong bits;
        [FieldOffset(0)] public long integer;
        [FieldOffset(0)] public double real;
        [FieldOffset(0)] public gdvar_node_as_span span;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_node {
        public byte type;
        public byte flags;
        public ushort reserved;
        public uint offset;
        public gdvar_node_as @as;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_tape {
        public gdvar_node* nodes;
        public UIntPtr count;
        public byte* bytes;
        public UIntPtr size;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_numbers {
        public void* data;
        public uint count;
        public byte components;
        public byte component;
        public byte host_order;
        public byte reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_node_path_info {
        public uint names;
        public uint subnames;
        public byte absolute;
        public byte separate_property;
        public byte is_text;
        public byte reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_container_type {
        public byte kind;
        public byte type;
        public gdvar_text name;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_image {
        public uint format;
        public uint mipmaps;
        public uint width;
        public uint height;
        public gdvar_bytes data;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_input_event {
        public uint type;
        public uint device;
        public fixed uint words[2];
        public uint word_count;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_match {
        public gdvar_text path;
        public gdvar_bytes packet;
        public uint node;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_refusal {
        public ushort code;
        public byte needs;
        public byte type;
        public gdvar_text at;
        public gdvar_text what;
    }

    [StructLayout(LayoutKind.Explicit)]
    unsafe struct gdvar_item_as {
        [FieldOffset(0)] public ulong bits;
        [FieldOffset(0)] public long integer;
        [FieldOffset(0)] public double real;
        [FieldOffset(0)] public void* data;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_item {
        public byte type;
        public byte flags;
        public ushort reserved;
        public uint count;
        public gdvar_item_as @as;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_loss {
        public gdvar_text path;
        public gdvar_text what;
        public gdvar_text substitution;
        public byte type;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_row {
        public ulong offset;
        public ulong size;
        public gdvar_text path;
        public gdvar_text type;
        public gdvar_text value;
        public gdvar_text note;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_quirk {
        public gdvar_text name;
        public gdvar_text path;
        public ulong offset;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_candidate {
        public IntPtr dialect;
        public int fits;
        public long score;
        public ulong oddities;
        public gdvar_text reason;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_named_key {
        public gdvar_text name;
        public gdvar_text password;
        public gdvar_bytes key;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_save_options {
        public uint size;
        public uint flags;
        public IntPtr dialect;
        public gdvar_text password;
        public gdvar_bytes key;
        public ulong max_bytes;
        public uint lock_wait_ms;
        public uint reserved;
        public gdvar_text @as;
        public gdvar_named_key* keys;
        public UIntPtr key_count;
        public gdvar_text* inside;
        public UIntPtr inside_count;
        public ulong max_layers;
        public ulong skip;
        public gdvar_text* entries;
        public UIntPtr entry_count;
        public ulong max_text;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_kind {
        public gdvar_text name;
        public byte text;
        public byte named;
        public byte several;
        public byte made;
        public byte only_read;
        public fixed byte reserved[3];
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_reading {
        public gdvar_text name;
        public gdvar_text reason;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_finding {
        public gdvar_text name;
        public gdvar_text reason;
        public gdvar_text at;
        public gdvar_text opened_with;
        public gdvar_reading* others;
        public UIntPtr other_count;
        public gdvar_reading* ruled_out;
        public UIntPtr ruled_out_count;
        public uint layer;
        public uint reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_code {
        public gdvar_text kind;
        public gdvar_text path;
        public gdvar_text what;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_entry {
        public gdvar_text name;
        public ulong size;
        public ulong offset;
        public fixed byte md5[16];
        public gdvar_text* notes;
        public UIntPtr note_count;
        public uint flags;
        public uint reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_save_item {
        public gdvar_text name;
        public gdvar_bytes packet;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_place {
        public ulong begin;
        public ulong end;
        public ulong key_begin;
        public ulong key_end;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_stale_sum {
        public gdvar_text path;
        public gdvar_text of;
        public gdvar_text was;
        public gdvar_text now;
        public gdvar_text text;
        public byte mended;
        public fixed byte reserved[7];
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_recovered {
        public gdvar_text name;
        public gdvar_bytes packet;
        public ulong offset;
        public gdvar_text break_at;
        public gdvar_error broken;
        public byte state;
        public byte found_again;
        public byte doubtful;
        public fixed byte reserved[5];
        public ulong line;
    }

    [StructLayout(LayoutKind.Sequential)]
    unsafe struct gdvar_lost {
        public ulong begin;
        public ulong end;
        public uint layer;
        public ushort code;
        public byte doubtful;
        public byte reserved;
        public gdvar_text reason;
        public gdvar_text at;
        public ulong line;
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    unsafe delegate int gdvar_match_use(IntPtr user, gdvar_match* record);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    unsafe delegate void gdvar_refusal_use(IntPtr user, gdvar_refusal* record);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    unsafe delegate void gdvar_loss_use(IntPtr user, gdvar_loss* record);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    unsafe delegate void gdvar_row_use(IntPtr user, gdvar_row* record);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    unsafe delegate void gdvar_quirk_use(IntPtr user, gdvar_quirk* record);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    unsafe delegate void gdvar_candidate_use(IntPtr user, gdvar_candidate* record);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    unsafe delegate void gdvar_finding_use(IntPtr user, gdvar_finding* record);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    unsafe delegate void gdvar_code_use(IntPtr user, gdvar_code* record);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    unsafe delegate void gdvar_entry_use(IntPtr user, gdvar_entry* record);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    unsafe delegate void gdvar_stale_sum_use(IntPtr user, gdvar_stale_sum* record);

    sealed class BufferHandle : Handle {
        protected override bool ReleaseHandle() { Native.gdvar_buffer_free(handle); return true; }
    }

    sealed class DocumentHandle : Handle {
        protected override bool ReleaseHandle() { Native.gdvar_document_free(handle); return true; }
    }

    sealed class SaveHandle : Handle {
        protected override bool ReleaseHandle() { Native.gdvar_save_free(handle); return true; }
    }

    sealed class RecoveryHandle : Handle {
        protected override bool ReleaseHandle() { Native.gdvar_recovery_free(handle); return true; }
    }

    sealed class FramerHandle : Handle {
        protected override bool ReleaseHandle() { Native.gdvar_framer_free(handle); return true; }
    }

    static unsafe class Native {
        const string Library = "gdvar-c";
        public const int GDVAR_C_ABI = 17;
        public const int GDVAR_TYPE_COUNT = 45;
        public const uint GDVAR_NO_NODE = 4294967295;
        public const uint GDVAR_NO_LAYER = 4294967295;
        public const int GDVAR_NO_COMPONENT = 0;
        public const int GDVAR_U8 = 1;
        public const int GDVAR_I32 = 2;
        public const int GDVAR_I64 = 3;
        public const int GDVAR_F32 = 4;
        public const int GDVAR_F64 = 5;
        public const int GDVAR_FROM_PACKET = 0;
        public const int GDVAR_FROM_TEXT = 1;
        public const int GDVAR_FROM_FILE = 2;
        public const int GDVAR_FROM_PATCH = 3;
        public const int GDVAR_FROM_CALL = 4;
        public const int GDVAR_ALLOW_OBJECTS = 1;
        public const int GDVAR_STRICT = 2;
        public const int GDVAR_NODE_PATH_TEXT = 4;
        public const int GDVAR_WIDE_PAGE = 8;
        public const int GDVAR_ANY_SCRIPT = 16;
        public const int GDVAR_WIDE = 1;
        public const int GDVAR_FULL = 2;
        public const int GDVAR_ID = 4;
        public const int GDVAR_PROPERTY = 8;
        public const int GDVAR_COPIED = 16;
        public const int GDVAR_UNTYPED = 0;
        public const int GDVAR_BUILTIN = 1;
        public const int GDVAR_CLASS_NAME = 2;
        public const int GDVAR_SCRIPT = 3;
        public const int GDVAR_NEEDS_ANOTHER_VALUE = 0;
        public const int GDVAR_NEEDS_CREATE = 1;
        public const int GDVAR_NEEDS_TYPE = 2;
        public const int GDVAR_NEEDS_APPEND = 3;
        public const int GDVAR_NEEDS_ANOTHER_PATH = 4;
        public const int GDVAR_ITEM_WIDE = 1;
        public const int GDVAR_ITEM_FULL = 2;
        public const int GDVAR_ITEM_ID = 4;
        public const int GDVAR_ITEM_TYPED = 8;
        public const int GDVAR_ITEM_ABSOLUTE = 16;
        public const int GDVAR_ITEM_PROPERTY = 32;
        public const int GDVAR_ITEM_LITTLE = 64;
        public const int GDVAR_ITEM_UTF8 = 128;
        public const int GDVAR_TEXT = 0;
        public const int GDVAR_TEXT_FULL = 1;
        public const int GDVAR_JSON = 2;
        public const int GDVAR_PLAIN_JSON = 3;
        public const int GDVAR_TEXT_3_2 = 4;
        public const int GDVAR_TEXT_3_6 = 5;
        public const int GDVAR_TEXT_4 = 6;
        public const int GDVAR_TEXT_PANDEMONIUM = 7;
        public const int GDVAR_TEXT_2 = 8;
        public const int GDVAR_TEXT_4_0 = 9;
        public const int GDVAR_NO_LOCK = 65536;
        public const int GDVAR_NO_INSIDE = 131072;
        public const int GDVAR_ALL_READINGS = 262144;
        public const int GDVAR_NO_PARTIAL = 524288;
        public const int GDVAR_LOCK = 1048576;
        public const int GDVAR_ENTRY_ENCRYPTED = 1;
        public const int GDVAR_ENTRY_ABSENT = 2;
        public const int GDVAR_ENTRY_OFFSET = 4;
        public const int GDVAR_ENTRY_MD5 = 8;
        public const int GDVAR_ENTRY_HOSTILE = 16;
        public const int GDVAR_SET_TYPE = 1;
        public const int GDVAR_SET_CREATE = 2;
        public const int GDVAR_WHOLE = 0;
        public const int GDVAR_RESIZED = 1;
        public const int GDVAR_PARTIAL = 2;
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern uint gdvar_abi();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* gdvar_version();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_type_info gdvar_describe_type(byte type);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr gdvar_error_message(gdvar_error* error, byte* to, UIntPtr capacity);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* gdvar_error_name(ushort code);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* gdvar_error_kind(ushort code);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern byte* gdvar_error_meaning(ushort code);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_error_code(byte* name);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern BufferHandle gdvar_buffer_new();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void gdvar_buffer_free(IntPtr buffer);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_bytes gdvar_buffer_bytes(BufferHandle buffer);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void gdvar_buffer_clear(BufferHandle buffer);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr gdvar_find_dialect(byte* name);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr gdvar_dialect_at(UIntPtr index);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_text gdvar_dialect_name(IntPtr dialect);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_text gdvar_dialect_title(IntPtr dialect);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int gdvar_dialect_has(IntPtr dialect, byte type);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_validate(gdvar_bytes bytes, gdvar_options* options, UIntPtr* size, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_error_path(gdvar_bytes bytes, gdvar_options* options, gdvar_error* error, BufferHandle path);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern DocumentHandle gdvar_document_new();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void gdvar_document_free(IntPtr document);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_document_read(DocumentHandle document, gdvar_bytes bytes, gdvar_options* options, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_document_read_copy(DocumentHandle document, gdvar_bytes bytes, gdvar_options* options, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_tape gdvar_document_tape(DocumentHandle document);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_bytes gdvar_node_bytes(DocumentHandle document, uint node);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_text gdvar_node_name(DocumentHandle document, uint node);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_numbers gdvar_node_numbers(DocumentHandle document, uint node);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr gdvar_node_texts(DocumentHandle document, uint node, gdvar_text* to, UIntPtr capacity);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_node_path_info gdvar_node_path(DocumentHandle document, uint node);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void gdvar_node_types(DocumentHandle document, uint node, gdvar_container_type* first, gdvar_container_type* second);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_image gdvar_node_image(DocumentHandle document, uint node);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_input_event gdvar_node_input_event(DocumentHandle document, uint node);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern uint gdvar_find_text(DocumentHandle document, uint node, gdvar_text key);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern uint gdvar_find_index(DocumentHandle document, uint node, long index);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_path_several(gdvar_text path, int* several, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_lookup(DocumentHandle document, gdvar_text path, gdvar_match_use use, IntPtr user, UIntPtr* count, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_lookup_from(DocumentHandle document, uint node, gdvar_text path, gdvar_match_use use, IntPtr user, UIntPtr* count, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_explain_path(DocumentHandle document, gdvar_text path, gdvar_refusal_use use, IntPtr user);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_encode(gdvar_item* items, UIntPtr count, gdvar_options* options, BufferHandle to, gdvar_error* error, BufferHandle path);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_print(DocumentHandle document, uint node, int form, int indent, BufferHandle to, gdvar_loss_use losses, IntPtr user, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_parse(gdvar_text text, int form, gdvar_options* options, BufferHandle to, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_parse_with_path(gdvar_text text, int form, gdvar_options* options, BufferHandle to, gdvar_error* error, BufferHandle path);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_annotate(gdvar_bytes bytes, gdvar_options* options, gdvar_row_use use, IntPtr user, UIntPtr* size, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_check(gdvar_bytes bytes, gdvar_options* options, UIntPtr most, gdvar_quirk_use use, IntPtr user, ulong* count, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr gdvar_guess(gdvar_bytes* packets, UIntPtr count, gdvar_candidate_use use, IntPtr user, int* ambiguous);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_convert(gdvar_bytes packet, gdvar_options* from_options, gdvar_options* to_options, BufferHandle to, gdvar_loss_use losses, IntPtr user, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_set(gdvar_bytes packet, gdvar_text path, gdvar_bytes value, gdvar_options* options, BufferHandle to, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_erase(gdvar_bytes packet, gdvar_text path, gdvar_options* options, BufferHandle to, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_diff(DocumentHandle from, DocumentHandle to, BufferHandle patch, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_patch(gdvar_bytes packet, gdvar_bytes patch, gdvar_options* options, BufferHandle to, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_change_path(gdvar_bytes patch, ulong change, BufferHandle path, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_kind gdvar_kind_at(UIntPtr index);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_text gdvar_layer_name_at(UIntPtr index);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_open(byte* path, gdvar_save_options* options, out SaveHandle save, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_read(gdvar_bytes bytes, gdvar_save_options* options, out SaveHandle save, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void gdvar_save_free(IntPtr save);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr gdvar_save_dialect(SaveHandle save);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_layers(SaveHandle save, BufferHandle to, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_kind gdvar_save_kind(SaveHandle save);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_stack(SaveHandle save, BufferHandle to, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int gdvar_save_only_read(SaveHandle save);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_check(SaveHandle save, gdvar_error* error, BufferHandle path);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_findings(SaveHandle save, gdvar_finding_use use, IntPtr user, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_identify(gdvar_bytes bytes, gdvar_save_options* options, gdvar_finding_use use, IntPtr user, BufferHandle stack, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_code(SaveHandle save, UIntPtr most, gdvar_code_use use, IntPtr user, ulong* count, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_list_entries(byte* path, gdvar_save_options* options, gdvar_entry_use use, IntPtr user, BufferHandle description, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_read_entries(gdvar_bytes bytes, gdvar_save_options* options, gdvar_entry_use use, IntPtr user, BufferHandle description, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr gdvar_save_count(SaveHandle save);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_save_item gdvar_save_at(SaveHandle save, UIntPtr index);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_get(SaveHandle save, gdvar_text path, BufferHandle to, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_find_each(SaveHandle save, gdvar_text path, gdvar_match_use use, IntPtr user, UIntPtr* count, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_content(SaveHandle save, gdvar_bytes* content, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_place(SaveHandle save, UIntPtr index, ulong offset, gdvar_place* place, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_value_at(SaveHandle save, ulong at, UIntPtr* index, ulong* offset, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_place_of(SaveHandle save, gdvar_text path, gdvar_place* place, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_path_at(SaveHandle save, ulong at, BufferHandle to, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_set(SaveHandle save, gdvar_text path, gdvar_bytes value, uint flags, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_erase(SaveHandle save, gdvar_text path, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_set_all(SaveHandle save, gdvar_text path, gdvar_bytes value, uint flags, UIntPtr* count, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_erase_all(SaveHandle save, gdvar_text path, UIntPtr* count, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_rename(SaveHandle save, gdvar_text path, gdvar_bytes key, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_insert(SaveHandle save, long number, gdvar_bytes packet, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_replace(SaveHandle save, long number, gdvar_bytes packet, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_remove(SaveHandle save, long number, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_explain(SaveHandle save, gdvar_refusal_use use, IntPtr user);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int gdvar_save_changed(SaveHandle save);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_keep_changes(SaveHandle save, UIntPtr most_bytes, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_undo(SaveHandle save, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_redo(SaveHandle save, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr gdvar_save_change_count(SaveHandle save);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr gdvar_save_undo_count(SaveHandle save);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr gdvar_save_redo_count(SaveHandle save);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_bytes(SaveHandle save, BufferHandle to, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_write(SaveHandle save, byte* backup, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void gdvar_save_stale_sums(SaveHandle save, gdvar_stale_sum_use use, IntPtr user);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void gdvar_save_update_sums(SaveHandle save, int update);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_diff(SaveHandle from, SaveHandle to, BufferHandle patch, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_patch(SaveHandle save, gdvar_bytes patch, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_save_convert(SaveHandle save, IntPtr dialect, gdvar_text layers, BufferHandle to, gdvar_loss_use losses, IntPtr user, gdvar_error* error, BufferHandle path);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_make_document(gdvar_text kind, gdvar_save_item* items, UIntPtr count, IntPtr dialect, BufferHandle to, gdvar_error* error, BufferHandle path);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_wrap(gdvar_bytes inner, gdvar_text layers, gdvar_save_options* options, BufferHandle to, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_unwrap(gdvar_bytes outer, gdvar_save_options* options, BufferHandle to, BufferHandle layers, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_recover(gdvar_bytes bytes, gdvar_save_options* options, out RecoveryHandle recovery, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void gdvar_recovery_free(IntPtr recovery);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int gdvar_recovery_sound(RecoveryHandle recovery);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_kind gdvar_recovery_kind(RecoveryHandle recovery);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr gdvar_recovery_dialect(RecoveryHandle recovery, int* certain);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_recovery_layers(RecoveryHandle recovery, BufferHandle to, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_recovery_stack(RecoveryHandle recovery, BufferHandle to, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr gdvar_recovery_count(RecoveryHandle recovery);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_recovered gdvar_recovery_at(RecoveryHandle recovery, UIntPtr index);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_bytes gdvar_recovery_content(RecoveryHandle recovery);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr gdvar_recovery_lost_count(RecoveryHandle recovery);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_lost gdvar_recovery_lost_at(RecoveryHandle recovery, UIntPtr index);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern gdvar_text gdvar_recovery_note_at(RecoveryHandle recovery, UIntPtr index);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_recovery_write(RecoveryHandle recovery, gdvar_text layers, gdvar_save_options* options, BufferHandle to, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern FramerHandle gdvar_framer_new(int big_endian, ulong max_packet);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void gdvar_framer_free(IntPtr framer);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_framer_feed(FramerHandle framer, gdvar_bytes bytes, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_framer_next(FramerHandle framer, gdvar_bytes* packet, int* there, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong gdvar_framer_need(FramerHandle framer);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_framer_finish(FramerHandle framer, gdvar_error* error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ushort gdvar_append_frame(gdvar_bytes packet, int big_endian, BufferHandle to, gdvar_error* error);
    }
}
