using System;
using System.Collections.Generic;

namespace Gdvar {
    /// <summary>The rules of one family of engines (docs/dialects.md).</summary>
    public sealed unsafe class Dialect {
        internal readonly IntPtr Handle;
        Dialect(IntPtr handle) { Handle = handle; }

        /// <summary>By name or alias: "godot-4.4", "godot3". Errors: ArgumentException, there is none.</summary>
        public static Dialect Find(string name) {
            fixed (byte* text = Text.ToC(name)) {
                IntPtr handle = Native.gdvar_find_dialect(text);
                if (handle == IntPtr.Zero) throw new ArgumentException("there is no dialect " + name);
                return new Dialect(handle);
            }
        }
        /// <summary>null stays null: the default.</summary>
        public static implicit operator Dialect(string name) { return name == null ? null : Find(name); }
        internal static Dialect At(IntPtr handle) { return handle == IntPtr.Zero ? null : new Dialect(handle); }

        /// <summary>All of them, the newest Godot's first.</summary>
        public static List<Dialect> All {
            get {
                var all = new List<Dialect>();
                for (Dialect one; (one = At(Native.gdvar_dialect_at((UIntPtr)all.Count))) != null;) all.Add(one);
                return all;
            }
        }
        public string Name { get { return Text.Of(Native.gdvar_dialect_name(Handle)); } }
        public string Title { get { return Text.Of(Native.gdvar_dialect_title(Handle)); } }
        /// <summary>Whether values of the type can be written.</summary>
        public bool Has(VariantType type) { return Native.gdvar_dialect_has(Handle, (byte)type) != 0; }
        public override string ToString() { return Name; }
    }

    /// <summary>How packets are read. The limits of a new one are the engines' own.</summary>
    public sealed unsafe class DecodeOptions {
        /// <summary>null: godot-4.4.</summary>
        public Dialect Dialect;
        /// <summary>Objects in full, as inert data; ids always pass.</summary>
        public bool AllowObjects;
        /// <summary>Refuses everything that no engine would write.</summary>
        public bool Strict;
        /// <summary>Any value may be the script of an Object, as in values out of resources.</summary>
        public bool AnyScript;
        /// <summary>Open containers around a value, at most 1024.</summary>
        public uint MaxDepth = 1024;
        /// <summary>Bytes of one packet.</summary>
        public ulong MaxBytes = uint.MaxValue;
        /// <summary>Values in one packet.</summary>
        public ulong MaxValues = ulong.MaxValue;

        /// <summary>Limits for packets from peers that nobody vouches for: depth 64, 1 MiB, 65,536 values.</summary>
        public static DecodeOptions Network {
            get { return new DecodeOptions { MaxDepth = 64, MaxBytes = 1 << 20, MaxValues = 1 << 16 }; }
        }

        internal static gdvar_options Of(DecodeOptions given) {
            Packets.CheckPlace();
            return (given ?? new DecodeOptions()).ToC();
        }
        gdvar_options ToC() {
            int flags = (AllowObjects ? Native.GDVAR_ALLOW_OBJECTS : 0) | (Strict ? Native.GDVAR_STRICT : 0) |
                         (AnyScript ? Native.GDVAR_ANY_SCRIPT : 0);
            return new gdvar_options {
                size = (uint)sizeof(gdvar_options), flags = (uint)flags, dialect = Dialect == null ? IntPtr.Zero : Dialect.Handle,
                max_depth = MaxDepth, max_bytes = MaxBytes, max_nodes = MaxValues,
            };
        }
    }
}
