using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Gdvar {
    /// <summary>
    /// Packets to values and back: `bytes_to_var`, `var_to_bytes`.
    ///
    /// Nil is null; bool, int, float and String are bool, long, double and string; packed arrays are byte[], int[], long[], float[],
    /// double[], string[], Vector2[] and so on; docs/csharp.md has the table.
    /// </summary>
    public static unsafe partial class Variant {
        /// <summary>The value of the packet at the start of `packet`. Errors: GdvarException, with offset and path.</summary>
        public static object Decode(ReadOnlySpan<byte> packet, DecodeOptions options = null) {
            int size;
            return Decode(packet, options, out size);
        }
        /// <summary>The same; `size` receives the bytes that the packet took.</summary>
        public static object Decode(ReadOnlySpan<byte> packet, DecodeOptions options, out int size) {
            fixed (byte* data = &MemoryMarshal.GetReference(packet))
            using (var document = Native.gdvar_document_new()) {
                gdvar_options given = DecodeOptions.Of(options);
                Packets.Read(document, new gdvar_bytes { data = data, size = (UIntPtr)packet.Length }, &given);
                gdvar_tape tape = Native.gdvar_document_tape(document);
                size = (int)tape.size;
                return new Decoder(document, tape).Value(0);
            }
        }
        /// <summary>Checks the packet at the start of `packet` and makes nothing. Returns the bytes that it took. Errors: as Decode.</summary>
        public static int Validate(ReadOnlySpan<byte> packet, DecodeOptions options = null) {
            fixed (byte* data = &MemoryMarshal.GetReference(packet)) {
                gdvar_options given = DecodeOptions.Of(options);
                gdvar_error error;
                UIntPtr size;
                var bytes = new gdvar_bytes { data = data, size = (UIntPtr)packet.Length };
                if (Native.gdvar_validate(bytes, &given, &size, &error) != 0) throw Packets.Refusal(bytes, &given, error);
                return (int)size;
            }
        }
    }

    /// <summary>A handle of the library, freed once.</summary>
    abstract class Handle : SafeHandle {
        protected Handle() : base(IntPtr.Zero, true) { }
        public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
    }

    static unsafe class Packets {
        static readonly bool littleEndian = BitConverter.IsLittleEndian;
        static uint abi;

        /// <summary>Whether this binding can work with the machine and the library. All that reads or writes values calls it.</summary>
        public static void CheckPlace() {
            if (!littleEndian) throw new PlatformNotSupportedException("gdvar for .NET reads packets in place: little-endian machines only");
            if (abi == 0) abi = Native.gdvar_abi();
            if (abi < Native.GDVAR_C_ABI) throw new NotSupportedException("the library gdvar-c is older than this binding: GDVAR_C_ABI is " + abi + ", and not " + Native.GDVAR_C_ABI);
        }
        public static void Read(DocumentHandle document, gdvar_bytes bytes, gdvar_options* options) {
            gdvar_error error;
            if (Native.gdvar_document_read(document, bytes, options, &error) != 0) throw Refusal(bytes, options, error);
        }
        public static GdvarException Refusal(gdvar_bytes bytes, gdvar_options* options, gdvar_error error) {
            using (var path = new Output()) {
                Native.gdvar_error_path(bytes, options, &error, path.Buffer);
                return new GdvarException(error, path.TakeText());
            }
        }
    }

    /// <summary>A gdvar_buffer for what a call appends.</summary>
    sealed unsafe class Output : IDisposable {
        public readonly BufferHandle Buffer = Native.gdvar_buffer_new();
        public void Dispose() { Buffer.Dispose(); }
        public byte[] Take() {
            gdvar_bytes bytes = Native.gdvar_buffer_bytes(Buffer);
            return new ReadOnlySpan<byte>(bytes.data, (int)bytes.size).ToArray();
        }
        public string TakeText() {
            gdvar_bytes bytes = Native.gdvar_buffer_bytes(Buffer);
            return Text.Of((byte*)bytes.data, (int)bytes.size);
        }
    }

    /// <summary>Makes values of a tape's nodes, without recursion.</summary>
    sealed unsafe class Decoder {
        readonly DocumentHandle document;
        readonly gdvar_node* nodes;
        readonly byte* bytes;
        uint next;

        /// <summary>A container that is being filled.</summary>
        struct Open {
            public object Container;
            public List<object> Elements;
            public VariantDictionary Pairs;
            public bool Named, HasKey;
            public object Key;
            public uint Left;
        }
        Open[] open = new Open[8];
        int depth;

        public Decoder(DocumentHandle document, gdvar_tape tape) {
            this.document = document;
            nodes = tape.nodes;
            bytes = tape.bytes;
        }

        public object Value(uint node) {
            next = node;
            for (;;) {
                if (depth > 0 && open[depth - 1].Named && !open[depth - 1].HasKey) SetKey(ref open[depth - 1], Text.Of(Native.gdvar_node_name(document, next++)));
                int before = depth;
                object value = One();
                if (depth > before) continue;
                // It may be the last one of its container, which is then the last one of its own.
                for (;;) {
                    if (depth == 0) return value;
                    if (!Put(ref open[depth - 1], value)) break;
                    value = open[--depth].Container;
                    open[depth] = default(Open);
                }
            }
        }
        static void SetKey(ref Open to, object key) {
            to.Key = key;
            to.HasKey = true;
        }
        /// <summary>Whether the container is full.</summary>
        static bool Put(ref Open to, object value) {
            if (to.Elements != null) to.Elements.Add(value);
            else if (!to.HasKey) {
                SetKey(ref to, value);
                return false;
            } else {
                to.Pairs.Add(to.Key, value);
                to.HasKey = false;
            }
            return --to.Left == 0;
        }
        object Begin(Open begun) {
            if (begun.Left == 0) return begun.Container;
            if (depth == open.Length) Array.Resize(ref open, 2 * depth);
            open[depth++] = begun;
            return null;
        }

        /// <summary>The next node's value; for a container with elements, `depth` grows.</summary>
        object One() {
            uint at = next++;
            gdvar_node* node = nodes + at;
            switch ((VariantType)node->type) {
                case VariantType.Nil: return null;
                case VariantType.Bool: return node->@as.bits != 0;
                case VariantType.Int: return node->@as.integer;
                case VariantType.Float: return node->@as.real;
                case VariantType.String: return Text.Of(bytes + node->offset + 8, (int)node->@as.span.count);
                case VariantType.StringName: return new StringName(Text.Of(bytes + node->offset + 8, (int)node->@as.span.count));
                case VariantType.NodePath: return Path(at);
                case VariantType.Rid: return new Rid { Id = node->@as.bits };
                case VariantType.Callable: return new Callable();
                case VariantType.Signal: return new Signal { Name = Text.Of(Native.gdvar_node_name(document, at)), ObjectId = node->@as.bits };
                case VariantType.PackedStringArray: return Texts(at);
                case VariantType.Image: return Image(at);
                case VariantType.InputEvent: return Event(at);
                case VariantType.Array: return Elements(at, new VariantArray());
                case VariantType.PackedTypedArray: return Elements(at, new PackedTypedArray());
                case VariantType.Dictionary: return Pairs(at);
                case VariantType.Object: return Object(at);
                default: return Numbers(at);
            }
        }

        object Numbers(uint at) {
            gdvar_node* node = nodes + at;
            Shape shape = Shape.Of(node->type, (node->flags & Native.GDVAR_WIDE) != 0);
            if (node->type >= (int)VariantType.PackedByteArray) return shape.ReadArray(bytes + node->offset + 8, (int)node->@as.span.count);
            if ((node->flags & Native.GDVAR_COPIED) == 0) return shape.Read(bytes + node->offset + 4);
            next = node->@as.span.end;
            return shape.Read((byte*)Native.gdvar_node_numbers(document, at).data);
        }
        string[] Texts(uint at) {
            var texts = new gdvar_text[(int)Native.gdvar_node_texts(document, at, null, UIntPtr.Zero)];
            fixed (gdvar_text* to = texts) Native.gdvar_node_texts(document, at, to, (UIntPtr)texts.Length);
            return Array.ConvertAll(texts, Text.Of);
        }
        NodePath Path(uint at) {
            gdvar_node_path_info info = Native.gdvar_node_path(document, at);
            string[] texts = Texts(at);
            var names = new string[info.names];
            var subnames = new string[info.subnames];
            Array.Copy(texts, names, names.Length);
            Array.Copy(texts, names.Length, subnames, 0, subnames.Length);
            return new NodePath { Names = names, Subnames = subnames, Absolute = info.absolute != 0, SeparateProperty = info.separate_property != 0 };
        }
        Image Image(uint at) {
            gdvar_image image = Native.gdvar_node_image(document, at);
            return new Image {
                Format = image.format, Mipmaps = image.mipmaps, Width = image.width, Height = image.height,
                Data = new ReadOnlySpan<byte>(image.data.data, (int)image.data.size).ToArray(),
            };
        }
        InputEvent Event(uint at) {
            gdvar_input_event input = Native.gdvar_node_input_event(document, at);
            return new InputEvent { Type = input.type, Device = input.device, Words = new ReadOnlySpan<uint>(input.words, (int)input.word_count).ToArray() };
        }

        object Elements(uint at, VariantArray array) {
            ContainerType second;
            Types(at, out array.ElementType, out second);
            uint left = nodes[at].@as.span.count;
            array.Capacity = (int)left;
            return Begin(new Open { Container = array, Elements = array, Left = left });
        }
        object Pairs(uint at) {
            var pairs = new VariantDictionary();
            Types(at, out pairs.KeyType, out pairs.ValueType);
            return Begin(new Open { Container = pairs, Pairs = pairs, Left = nodes[at].@as.span.count });
        }
        object Object(uint at) {
            gdvar_node* node = nodes + at;
            if ((node->flags & Native.GDVAR_ID) != 0) return new EncodedObjectAsId { Id = node->@as.bits };
            var made = new GodotObject();
            if ((node->flags & Native.GDVAR_FULL) == 0) return made;
            made.ClassName = Text.Of(Native.gdvar_node_name(document, at));
            return Begin(new Open { Container = made, Pairs = made.Properties, Named = true, Left = node->@as.span.count });
        }
        void Types(uint at, out ContainerType first, out ContainerType second) {
            first = second = null;
            // Types stand between a container's count and its elements.
            if (nodes[at].@as.span.count > 0 && nodes[at + 1].offset == nodes[at].offset + 8) return;
            gdvar_container_type one = default(gdvar_container_type), other = default(gdvar_container_type);
            Native.gdvar_node_types(document, at, &one, &other);
            first = TypeOf(one);
            second = TypeOf(other);
        }
        static ContainerType TypeOf(gdvar_container_type type) {
            if (type.kind == Native.GDVAR_UNTYPED) return null;
            return new ContainerType((ContainerKind)type.kind, (VariantType)type.type, Text.Of(type.name));
        }
    }
}
