// The values that .NET has no type for. Generated.cs has the math types.
using System;
using System.Collections;
using System.Collections.Generic;

namespace Gdvar {
    /// <summary>A StringName: text with a type of its own on the wire.</summary>
    public struct StringName : IEquatable<StringName> {
        readonly string text;
        public StringName(string text) { this.text = text; }
        public override string ToString() { return text ?? ""; }
        public bool Equals(StringName other) { return ToString() == other.ToString(); }
        public override bool Equals(object other) { return other is StringName && Equals((StringName)other); }
        public override int GetHashCode() { return ToString().GetHashCode(); }
    }

    /// <summary>A NodePath: "/root/Player:position:x" has the names root and Player and the subnames position and x.</summary>
    public sealed class NodePath {
        public string[] Names = new string[0], Subnames = new string[0];
        public bool Absolute;
        /// <summary>Godot 2: the last subname is the separate property of its format.</summary>
        public bool SeparateProperty;
        public override string ToString() {
            return (Absolute ? "/" : "") + string.Join("/", Names) + (Subnames.Length > 0 ? ":" : "") + string.Join(":", Subnames);
        }
    }

    public struct Rid { public ulong Id; }
    /// <summary>An Object that was written as its id alone.</summary>
    public struct EncodedObjectAsId { public ulong Id; }
    /// <summary>A Callable, of which the wire holds nothing.</summary>
    public struct Callable { }
    public sealed class Signal { public string Name = ""; public ulong ObjectId; }

    /// <summary>An Object as data: nothing is made or run. Without a class it is a null Object.</summary>
    public sealed class GodotObject {
        public string ClassName = "";
        /// <summary>Property names and values. A name is a string or a StringName, and a string where it was read.</summary>
        public VariantDictionary Properties = new VariantDictionary();
    }

    /// <summary>Godot 1's and 2's Image.</summary>
    public sealed class Image { public uint Format, Mipmaps, Width, Height; public byte[] Data = new byte[0]; }
    /// <summary>Godot 1's and 2's InputEvent, with as many words as an event of its type has.</summary>
    public sealed class InputEvent { public uint Type, Device; public uint[] Words = new uint[0]; }

    /// <summary>The type that elements of a container must have. Elements are not checked against it.</summary>
    public sealed class ContainerType {
        public readonly ContainerKind Kind;
        public readonly VariantType Type;
        /// <summary>The class, or the script's path.</summary>
        public readonly string Name;
        public ContainerType(ContainerKind kind, VariantType type, string name) { Kind = kind; Type = type; Name = name; }
        public ContainerType(VariantType type) : this(ContainerKind.Builtin, type, "") { }
    }

    /// <summary>An Array.</summary>
    public class VariantArray : List<object> {
        /// <summary>null: an Array without an element type.</summary>
        public ContainerType ElementType;
        public VariantArray() { }
        public VariantArray(IEnumerable<object> elements) : base(elements) { }
    }

    /// <summary>The packed typed array of Godot 4's development snapshots.</summary>
    public sealed class PackedTypedArray : VariantArray { }

    /// <summary>
    /// A Dictionary: pairs in their order, equal keys included. Looking a key up takes time with the number of pairs; no packet can
    /// make it slower than that. An int is the same key in every width, as a float is, and a StringName is the same as its text.
    /// </summary>
    public sealed class VariantDictionary : IEnumerable<KeyValuePair<object, object>> {
        readonly List<KeyValuePair<object, object>> pairs = new List<KeyValuePair<object, object>>();
        /// <summary>null: without a type.</summary>
        public ContainerType KeyType, ValueType;

        public int Count { get { return pairs.Count; } }
        /// <summary>Appends a pair, whatever the other keys are.</summary>
        public void Add(object key, object value) { pairs.Add(new KeyValuePair<object, object>(key, value)); }
        public bool Remove(object key) {
            key = Plain(key);
            return pairs.RemoveAll(pair => Equals(Plain(pair.Key), key)) > 0;
        }
        public bool ContainsKey(object key) { return Place(key) >= 0; }
        /// <summary>The value of the last of the equal keys, as engines read them.</summary>
        public bool TryGetValue(object key, out object value) {
            int place = Place(key);
            value = place < 0 ? null : pairs[place].Value;
            return place >= 0;
        }
        /// <summary>The value for a key. Setting it replaces that value, or appends a pair. Errors: KeyNotFoundException.</summary>
        public object this[object key] {
            get {
                object value;
                if (!TryGetValue(key, out value)) throw new KeyNotFoundException("there is no key " + key);
                return value;
            }
            set {
                int place = Place(key);
                if (place < 0) Add(key, value);
                else pairs[place] = new KeyValuePair<object, object>(pairs[place].Key, value);
            }
        }
        public IEnumerator<KeyValuePair<object, object>> GetEnumerator() { return pairs.GetEnumerator(); }
        IEnumerator IEnumerable.GetEnumerator() { return pairs.GetEnumerator(); }

        int Place(object key) {
            key = Plain(key);
            return pairs.FindLastIndex(pair => Equals(Plain(pair.Key), key));
        }
        /// <summary>A key as a packet gives it back, and a StringName as its text.</summary>
        static object Plain(object key) {
            switch (Convert.GetTypeCode(key)) {
                case TypeCode.SByte: case TypeCode.Byte: case TypeCode.Int16: case TypeCode.UInt16: case TypeCode.Int32: case TypeCode.UInt32:
                    return Convert.ToInt64(key);
                case TypeCode.UInt64:
                    return (ulong)key > long.MaxValue ? key : (long)(ulong)key;
                case TypeCode.Single:
                    return (double)(float)key;
                default:
                    return key is StringName ? key.ToString() : key;
            }
        }
    }
}
