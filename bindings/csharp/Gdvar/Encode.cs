using System;
using System.Collections;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Gdvar {
    public static partial class Variant {
        /// <summary>
        /// The packet of a value. It also takes integers of all widths, float, any IDictionary and any IEnumerable. Errors: GdvarException
        /// with the path of a value that no Variant holds, or that the dialect can't express.
        /// </summary>
        public static byte[] Encode(object value, Dialect dialect = null, bool allowObjects = false) {
            // A value may call this again, by its enumerator.
            Encoder encoder = Encoder.Kept ?? new Encoder();
            Encoder.Kept = null;
            try {
                encoder.Options = new DecodeOptions { Dialect = dialect, AllowObjects = allowObjects };
                encoder.Write(value);
                return encoder.Finish();
            } finally {
                if (encoder.Done()) Encoder.Kept = encoder;
            }
        }
    }

    /// <summary>A value as the array of items of gdvar_encode, which checks them and writes the packet.</summary>
    sealed unsafe class Encoder {
        const int MostDepth = 1024;
        /// <summary>Arrays of at least so many bytes are not copied before they are written.</summary>
        const int WorthPinning = 4096;

        gdvar_item[] items = new gdvar_item[64];
        int count;
        /// <summary>Texts and components. An item's place in here is made an address when the array has its final size.</summary>
        byte[] data = new byte[1024];
        int used;
        readonly List<int> placed = new List<int>();
        readonly List<GCHandle> pins = new List<GCHandle>();
        int depth;
        public DecodeOptions Options;

        /// <summary>This thread's, whose memory serves the next value. Null while it works.</summary>
        [ThreadStatic] public static Encoder Kept;
        const int MostKept = 65536;

        /// <summary>Lets go of the value. Returns false if it has grown large.</summary>
        public bool Done() {
            foreach (GCHandle pin in pins) pin.Free();
            pins.Clear();
            placed.Clear();
            count = used = depth = 0;
            return items.Length <= MostKept && data.Length <= 16 * MostKept;
        }

        public byte[] Finish() {
            using (var packet = new Output()) {
                GdvarException refusal = Run(packet);
                if (refusal != null) throw refusal;
                return packet.Take();
            }
        }
        /// <summary>A refusal of the value behind the items, or the library's of an earlier one. It says where the items end.</summary>
        GdvarException Refused(string code, string message) {
            using (var packet = new Output()) {
                GdvarException refusal = Run(packet);
                return refusal == null || refusal.Code == "too_few_items" ? new GdvarException(code, message, refusal == null ? "$" : refusal.Path) : refusal;
            }
        }
        /// <summary>Writes the items. Returns the refusal, or null.</summary>
        GdvarException Run(Output packet) {
            using (var path = new Output())
            fixed (gdvar_item* first = items)
            fixed (byte* start = data) {
                foreach (int place in placed) first[place].@as.data = start + first[place].@as.bits;
                gdvar_options given = DecodeOptions.Of(Options);
                gdvar_error error;
                ushort code = Native.gdvar_encode(first, (UIntPtr)count, &given, packet.Buffer, &error, path.Buffer);
                return code == 0 ? null : new GdvarException(error, path.TakeText());
            }
        }

        // ---- items ----

        /// <summary>Adds an item; returns its number. `bits`: its `as`.</summary>
        int Put(VariantType type, int flags, long size, ulong bits = 0) {
            if (size > int.MaxValue) throw Refused("too_large", "more than 2^31 - 1 bytes or elements");
            if (count == items.Length) Array.Resize(ref items, 2 * count);
            items[count] = new gdvar_item { type = (byte)type, flags = (byte)flags, count = (uint)size };
            items[count].@as.bits = bits;
            return count++;
        }
        /// <summary>Room in `data`, divisible by 8, for the last item.</summary>
        int Reserve(int item, int size) {
            used = (used + 7) & ~7;
            if (size > data.Length - used) Grow(size);
            items[item].@as.bits = (ulong)used;
            placed.Add(item);
            used += size;
            return used - size;
        }
        void Grow(int size) { Array.Resize(ref data, (int)Math.Min(int.MaxValue - 64, Math.Max(2L * data.Length, (long)used + size + 8))); }
        void PutText(VariantType type, int flags, string text) {
            text = text ?? "";
            if (text.Length > data.Length - used - 8) Grow(text.Length);
            used = (used + 7) & ~7;
            int size = 0;
            for (; size < text.Length && text[size] < 0x80; ++size) data[used + size] = (byte)text[size];
            if (size == text.Length) {
                Reserve(Put(type, flags, size), size);
                return;
            }
            byte[] bytes = Text.Bytes(text);
            if (bytes == null) throw Refused("bad_utf8", "the text has half of a surrogate pair");
            int item = Put(type, flags, bytes.Length);
            int at = Reserve(item, bytes.Length);
            Array.Copy(bytes, 0, data, at, bytes.Length);
        }
        void PutArray(VariantType type, int flags, Array array, int size) {
            int item = Put(type, flags, array.Length);
            long bytes = (long)array.Length * size;
            GCHandle pin = GCHandle.Alloc(array, GCHandleType.Pinned);
            if (bytes >= WorthPinning) {
                pins.Add(pin);
                items[item].@as.data = (void*)pin.AddrOfPinnedObject();
                return;
            }
            int at = Reserve(item, (int)bytes);
            Marshal.Copy(pin.AddrOfPinnedObject(), data, at, (int)bytes);
            pin.Free();
        }
        void PutType(ContainerType type) {
            PutText(type == null ? VariantType.Nil : type.Type, type == null ? 0 : (int)type.Kind, type == null ? "" : type.Name);
        }

        // ---- values ----

        static readonly Dictionary<Type, Action<Encoder, object>> writers = new Dictionary<Type, Action<Encoder, object>>();
        static void Add<T>(Action<Encoder, T> write) { writers[typeof(T)] = (encoder, value) => write(encoder, (T)value); }
        static Encoder() {
            Add<bool>((e, v) => e.Put(VariantType.Bool, 0, 0, v ? 1UL : 0));
            Add<long>((e, v) => e.Int(v));
            Add<int>((e, v) => e.Int(v));
            Add<uint>((e, v) => e.Int(v));
            Add<short>((e, v) => e.Int(v));
            Add<ushort>((e, v) => e.Int(v));
            Add<sbyte>((e, v) => e.Int(v));
            Add<byte>((e, v) => e.Int(v));
            Add<ulong>((e, v) => {
                if (v > long.MaxValue) throw e.Refused("number_out_of_range", v + " does not fit an int of 64 bits");
                e.Int((long)v);
            });
            Add<double>((e, v) => e.Float(v));
            Add<float>((e, v) => e.Float(v));
            Add<string>((e, v) => e.PutText(VariantType.String, 0, v));
            Add<StringName>((e, v) => e.PutText(VariantType.StringName, 0, v.ToString()));
            Add<NodePath>((e, v) => e.Path(v));
            Add<Rid>((e, v) => e.Put(VariantType.Rid, 0, 0, v.Id));
            Add<EncodedObjectAsId>((e, v) => e.Put(VariantType.Object, Native.GDVAR_ITEM_ID, 0, v.Id));
            Add<Callable>((e, v) => e.Put(VariantType.Callable, 0, 0));
            Add<Signal>((e, v) => {
                e.Put(VariantType.Signal, 0, 0, v.ObjectId);
                e.PutText(VariantType.String, 0, v.Name);
            });
            Add<string[]>((e, v) => {
                e.Put(VariantType.PackedStringArray, 0, v.Length);
                e.PutTexts(v);
            });
            Add<Image>((e, v) => e.Image(v));
            Add<InputEvent>((e, v) => e.Event(v));
            Add<GodotObject>((e, v) => e.Object(v));
            Add<VariantArray>((e, v) => e.Elements(VariantType.Array, v.ElementType, v, false));
            Add<PackedTypedArray>((e, v) => e.Elements(VariantType.PackedTypedArray, v.ElementType, v, true));
            Add<VariantDictionary>((e, v) => e.Pairs(v));
        }

        public void Write(object value) {
            if (value == null) {
                Put(VariantType.Nil, 0, 0);
                return;
            }
            // Most values are these; the table would take longer.
            var text = value as string;
            if (text != null) PutText(VariantType.String, 0, text);
            else if (value is long) Int((long)value);
            else if (value is double) Float((double)value);
            else Other(value);
        }
        void Other(object value) {
            Action<Encoder, object> writer;
            Type type = value.GetType();
            Shape shape;
            if (writers.TryGetValue(type, out writer)) writer(this, value);
            else if ((shape = Shape.Of(type)) != null) Numbers(shape, value);
            else if (value is IDictionary) Map((IDictionary)value);
            else if (value is Array && ((Array)value).Rank > 1) throw Refused("wrong_type", "no Variant holds an array of " + ((Array)value).Rank + " dimensions");
            else if (value is IEnumerable) Elements(VariantType.Array, null, new VariantArray(Each((IEnumerable)value)), false);
            else throw Refused("wrong_type", "no Variant holds a " + type.FullName);
        }
        static IEnumerable<object> Each(IEnumerable values) {
            foreach (object value in values) yield return value;
        }

        void Int(long value) { Put(VariantType.Int, 0, 0, (ulong)value); }
        void Float(double value) { Put(VariantType.Float, 0, 0, (ulong)BitConverter.DoubleToInt64Bits(value)); }
        void Numbers(Shape shape, object value) {
            int flags = shape.Wide ? Native.GDVAR_ITEM_WIDE : 0;
            var array = value as Array;
            if (array != null) {
                PutArray(shape.Type, flags, array, shape.Size);
                return;
            }
            int at = Reserve(Put(shape.Type, flags, 0), shape.Size);
            fixed (byte* to = data) shape.Write(value, to + at);
        }
        void Path(NodePath path) {
            int flags = (path.Absolute ? Native.GDVAR_ITEM_ABSOLUTE : 0) | (path.SeparateProperty ? Native.GDVAR_ITEM_PROPERTY : 0);
            string[] names = OrNone(path.Names), subnames = OrNone(path.Subnames);
            Put(VariantType.NodePath, flags, (long)names.Length + subnames.Length, (ulong)subnames.Length);
            PutTexts(names);
            PutTexts(subnames);
        }
        static T[] OrNone<T>(T[] array) { return array ?? new T[0]; }
        void PutTexts(string[] texts) {
            foreach (string text in texts) PutText(VariantType.String, 0, text);
        }
        /// <summary>The struct that an item points at, and the bytes that this one points at, if any.</summary>
        void PutRecord<T>(VariantType type, T record) where T : struct {
            var array = new[] { record };
            GCHandle pin = GCHandle.Alloc(array, GCHandleType.Pinned);
            pins.Add(pin);
            Put(type, 0, 0, (ulong)pin.AddrOfPinnedObject());
        }
        void Image(Image image) {
            byte[] bytes = OrNone(image.Data);
            GCHandle pin = GCHandle.Alloc(bytes, GCHandleType.Pinned);
            pins.Add(pin);
            PutRecord(VariantType.Image, new gdvar_image {
                format = image.Format, mipmaps = image.Mipmaps, width = image.Width, height = image.Height,
                data = new gdvar_bytes { data = (void*)pin.AddrOfPinnedObject(), size = (UIntPtr)bytes.Length },
            });
        }
        void Event(InputEvent input) {
            uint[] words = OrNone(input.Words);
            var record = new gdvar_input_event { type = input.Type, device = input.Device, word_count = (uint)words.Length };
            for (int i = 0; i < words.Length && i < 2; ++i) record.words[i] = words[i];
            PutRecord(VariantType.InputEvent, record);
        }

        // ---- containers ----

        void Open() {
            if (++depth > MostDepth) throw Refused("depth_limit", "more than 1024 nested containers");
        }
        void Elements(VariantType type, ContainerType of, VariantArray elements, bool typed) {
            Open();
            typed |= of != null;
            Put(type, typed ? Native.GDVAR_ITEM_TYPED : 0, elements.Count);
            if (typed) PutType(of);
            for (int i = 0; i < elements.Count; ++i) Write(elements[i]);
            --depth;
        }
        void Pairs(VariantDictionary pairs) {
            Open();
            bool typed = pairs.KeyType != null || pairs.ValueType != null;
            Put(VariantType.Dictionary, typed ? Native.GDVAR_ITEM_TYPED : 0, pairs.Count);
            if (typed) {
                PutType(pairs.KeyType);
                PutType(pairs.ValueType);
            }
            foreach (KeyValuePair<object, object> pair in pairs) {
                Write(pair.Key);
                Write(pair.Value);
            }
            --depth;
        }
        void Map(IDictionary map) {
            var pairs = new VariantDictionary();
            foreach (DictionaryEntry pair in map) pairs.Add(pair.Key, pair.Value);
            Pairs(pairs);
        }
        void Object(GodotObject value) {
            if (string.IsNullOrEmpty(value.ClassName)) {
                Put(VariantType.Object, 0, 0);
                return;
            }
            Open();
            VariantDictionary properties = value.Properties ?? new VariantDictionary();
            Put(VariantType.Object, Native.GDVAR_ITEM_FULL, properties.Count);
            PutText(VariantType.String, 0, value.ClassName);
            foreach (KeyValuePair<object, object> property in properties) {
                if (!(property.Key is string || property.Key is StringName)) throw Refused("wrong_type", "the name of a property is a string");
                PutText(VariantType.String, 0, property.Key.ToString());
                Write(property.Value);
            }
            --depth;
        }
    }
}
