using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Gdvar {
    /// <summary>
    /// A packet that was read and checked once; values are made when they are asked for. The array must stay as it is until Dispose.
    /// Several threads may read one.
    /// </summary>
    public sealed unsafe class Document : IDisposable {
        internal readonly DocumentHandle Handle = Native.gdvar_document_new();
        internal readonly byte[] Packet;
        readonly DecodeOptions options;
        GCHandle pin;

        /// <summary>Reads the packet at the start of `packet`. Errors: GdvarException.</summary>
        public Document(byte[] packet, DecodeOptions options = null) {
            if (packet == null) throw new ArgumentNullException("packet");
            Packet = packet;
            this.options = options;
            pin = GCHandle.Alloc(packet, GCHandleType.Pinned);
            try {
                gdvar_options given = DecodeOptions.Of(options);
                Packets.Read(Handle, new gdvar_bytes { data = (void*)pin.AddrOfPinnedObject(), size = (UIntPtr)packet.Length }, &given);
            } catch {
                Dispose();
                throw;
            }
        }
        ~Document() { Free(); }
        public void Dispose() {
            Handle.Dispose();
            Free();
            GC.SuppressFinalize(this);
        }
        void Free() {
            if (pin.IsAllocated) pin.Free();
        }

        public View Root { get { return new View(this, 0); } }
        /// <summary>Bytes that the packet took.</summary>
        public int Size { get { return (int)Tape.size; } }
        internal gdvar_tape Tape {
            get {
                if (Handle.IsClosed) throw new ObjectDisposedException("Document");
                return Native.gdvar_document_tape(Handle);
            }
        }

        /// <summary>
        /// Every value that a path leads to: "$.players[*].hp" (docs/paths.md). Errors: GdvarException with bad_path, missing_key,
        /// index_out_of_range, wrong_type.
        /// </summary>
        public List<Match> Lookup(string path) {
            return Match.All(path, options, (text, use, error) => Native.gdvar_lookup(Handle, text, use, IntPtr.Zero, null, error), error => {
                gdvar_options given = DecodeOptions.Of(options);
                gdvar_tape tape = Tape;
                GdvarException refusal = Packets.Refusal(new gdvar_bytes { data = tape.bytes, size = tape.size }, &given, error);
                GC.KeepAlive(this);
                return refusal;
            });
        }
    }

    /// <summary>A value that a path leads to.</summary>
    public sealed unsafe class Match {
        /// <summary>Its own path: "$.players[3].hp".</summary>
        public readonly string Path;
        public readonly object Value;
        Match(string path, object value) { Path = path; Value = value; }

        internal delegate ushort Ask(gdvar_text path, gdvar_match_use use, gdvar_error* error);
        internal static List<Match> All(string path, DecodeOptions options, Ask ask, Func<gdvar_error, GdvarException> refusal) {
            var found = new List<Match>();
            Exception failed = null;
            // An exception must not pass through the library's frames.
            gdvar_match_use use = (user, match) => {
                try {
                    var packet = new ReadOnlySpan<byte>(match->packet.data, (int)match->packet.size);
                    found.Add(new Match(Text.Of(match->path), Variant.Decode(packet, options)));
                } catch (Exception exception) {
                    failed = exception;
                }
                return failed == null ? 1 : 0;
            };
            gdvar_error error;
            byte[] bytes = Text.Argument(path);
            ushort code;
            fixed (byte* data = bytes) code = ask(Text.At(data, bytes), use, &error);
            GC.KeepAlive(use);
            if (failed != null) throw failed;
            if (code != 0) throw refusal(error);
            return found;
        }
    }

    /// <summary>A value of a Document.</summary>
    public unsafe struct View {
        readonly Document document;
        readonly uint node;
        internal View(Document document, uint node) { this.document = document; this.node = node; }

        /// <summary>False for what is not there.</summary>
        public bool Exists { get { return document != null && node != Native.GDVAR_NO_NODE; } }
        public VariantType Type { get { return (VariantType)Node().type; } }
        /// <summary>The value for a String or StringName key of a Dictionary, or of a property; the last of equal ones.</summary>
        public View this[string key] {
            get {
                Node();
                byte[] bytes = Text.Argument(key);
                fixed (byte* data = bytes) return new View(document, Native.gdvar_find_text(document.Handle, node, Text.At(data, bytes)));
            }
        }
        /// <summary>An element of an Array, or the value for an int key.</summary>
        public View this[long index] {
            get {
                Node();
                return new View(document, Native.gdvar_find_index(document.Handle, node, index));
            }
        }
        /// <summary>The value and all in it. Errors: InvalidOperationException, it does not exist.</summary>
        public object Value() {
            Node();
            object value = new Decoder(document.Handle, document.Tape).Value(node);
            GC.KeepAlive(document);
            return value;
        }
        /// <summary>
        /// The elements of a packed array, in the bytes of the packet: no copy is made. T is the element (Vector3), or its component
        /// (float). Errors: InvalidCastException, it is no packed array of that.
        /// </summary>
        public ReadOnlySpan<T> Elements<T>() where T : struct {
            gdvar_node at = Node();
            bool packed = at.type >= (int)VariantType.PackedByteArray;
            Shape shape = packed ? Shape.Of(at.type, (at.flags & Native.GDVAR_WIDE) != 0) : null;
            if (shape == null || (shape.Element != typeof(T) && shape.Component != typeof(T)))
                throw new InvalidCastException(Type + " is no packed array of " + typeof(T).Name);
            return MemoryMarshal.Cast<byte, T>(new ReadOnlySpan<byte>(document.Packet, (int)at.offset + 8, (int)at.@as.span.count * shape.Size));
        }

        gdvar_node Node() {
            if (!Exists) throw new InvalidOperationException("there is no such value");
            gdvar_node at = document.Tape.nodes[node];
            GC.KeepAlive(document);
            return at;
        }
    }
}
