// Values whose bytes are those of a .NET struct: math values, and the elements of packed arrays.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Gdvar {
    abstract unsafe class Shape {
        public VariantType Type;
        public bool Wide;
        public int Size;
        /// <summary>The value in these bytes, which need not be aligned; an array of so many.</summary>
        public abstract object Read(byte* from);
        public abstract object ReadArray(byte* from, int count);
        public abstract void Write(object value, byte* to);

        static readonly Dictionary<Type, Shape> byClass = new Dictionary<Type, Shape>();
        static readonly Shape[] byType = new Shape[2 * Native.GDVAR_TYPE_COUNT];

        static Shape() {
            foreach (Shape shape in ShapeTable.Rows()) {
                byType[2 * (int)shape.Type + (shape.Wide ? 1 : 0)] = shape;
                byClass.Add(shape.Class, shape);
            }
        }
        /// <summary>Null: the type has no components.</summary>
        public static Shape Of(int type, bool wide) { return byType[2 * type + (wide ? 1 : 0)]; }
        public static Shape Of(Type of) {
            Shape shape;
            return byClass.TryGetValue(of, out shape) ? shape : null;
        }
        /// <summary>The class of the values: Vector2, or Vector2[] for a packed array.</summary>
        public abstract Type Class { get; }
        public abstract Type Element { get; }
        /// <summary>Of the numbers: float, or double if it is wide.</summary>
        public Type Component;
    }

    sealed unsafe class Shape<T> : Shape where T : struct {
        readonly bool packed;
        public Shape(VariantType type, bool wide, bool packed, Type component) {
            Type = type;
            Wide = wide;
            Component = component;
            Size = Marshal.SizeOf(typeof(T));
            this.packed = packed;
        }
        public override Type Class { get { return packed ? typeof(T[]) : typeof(T); } }
        public override Type Element { get { return typeof(T); } }
        public override object Read(byte* from) { return MemoryMarshal.Read<T>(new ReadOnlySpan<byte>(from, Size)); }
        public override object ReadArray(byte* from, int count) { return new ReadOnlySpan<T>(from, count).ToArray(); }
        public override void Write(object value, byte* to) {
            T number = (T)value;
            MemoryMarshal.Write(new Span<byte>(to, Size), ref number);
        }
    }
}
