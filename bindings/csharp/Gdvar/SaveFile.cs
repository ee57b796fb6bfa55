using System;
using System.Collections.Generic;

namespace Gdvar {
    /// <summary>How a save is opened.</summary>
    public sealed class SaveOptions {
        /// <summary>null: guessed from the values.</summary>
        public Dialect Dialect;
        /// <summary>Of an encrypted save.</summary>
        public string Password;
        /// <summary>32 bytes in place of a password.</summary>
        public byte[] Key;
        /// <summary>The name of what the innermost layer holds: "json"; null: what is found.</summary>
        public string As;
        /// <summary>Objects in full, as inert data.</summary>
        public bool AllowObjects;
        /// <summary>Locks the file before it is read; else the first change locks it.</summary>
        public bool Lock;
        /// <summary>Bytes that a layer may declare, and that are read into memory.</summary>
        public ulong MaxBytes = 256u << 20;
    }

    /// <summary>A save in any layers, changed by path and written back in the same layers. Paths: docs/paths.md.</summary>
    public sealed unsafe class SaveFile : IDisposable {
        readonly SaveHandle save;
        SaveFile(SaveHandle save) { this.save = save; }

        /// <summary>Opens a file. Errors: GdvarException: io, not_recognised, bad_key, bad_checksum, ...</summary>
        public static SaveFile Open(string path, SaveOptions options = null) {
            fixed (byte* name = Text.ToC(path)) {
                byte* file = name;
                return Opened(options, (gdvar_save_options* given, out SaveHandle made, gdvar_error* error) => Native.gdvar_save_open(file, given, out made, error));
            }
        }
        /// <summary>From bytes, which are copied.</summary>
        public static SaveFile Read(byte[] bytes, SaveOptions options = null) {
            if (bytes == null) throw new ArgumentNullException("bytes");
            fixed (byte* data = bytes) {
                var all = new gdvar_bytes { data = data, size = (UIntPtr)bytes.Length };
                return Opened(options, (gdvar_save_options* given, out SaveHandle made, gdvar_error* error) => Native.gdvar_save_read(all, given, out made, error));
            }
        }
        delegate ushort Opener(gdvar_save_options* options, out SaveHandle save, gdvar_error* error);
        static SaveFile Opened(SaveOptions options, Opener open) {
            Packets.CheckPlace();
            options = options ?? new SaveOptions();
            byte[] password = Text.Argument(options.Password ?? ""), key = options.Key ?? new byte[0], kind = Text.Argument(options.As ?? "");
            fixed (byte* passwordAt = password, keyAt = key, kindAt = kind) {
                var given = new gdvar_save_options {
                    size = (uint)sizeof(gdvar_save_options), dialect = options.Dialect == null ? IntPtr.Zero : options.Dialect.Handle,
                    flags = (uint)((options.AllowObjects ? Native.GDVAR_ALLOW_OBJECTS : 0) | (options.Lock ? Native.GDVAR_LOCK : 0)),
                    password = Text.At(passwordAt, password), key = new gdvar_bytes { data = keyAt, size = (UIntPtr)key.Length },
                    @as = Text.At(kindAt, kind), max_bytes = options.MaxBytes, lock_wait_ms = 30000, max_layers = ulong.MaxValue, max_text = 32u << 20,
                };
                SaveHandle made;
                gdvar_error error;
                if (open(&given, out made, &error) != 0) throw new GdvarException(error, "");
                return new SaveFile(made);
            }
        }
        public void Dispose() { save.Dispose(); }

        /// <summary>The layers of the save: "gdec-3 > gzip > godot-3.1 records".</summary>
        public string Stack { get { return Text.Of(Made((to, error) => Native.gdvar_save_stack(save, to, error))); } }
        public Dialect Dialect { get { return Dialect.At(Native.gdvar_save_dialect(save)); } }
        /// <summary>The number of records, settings or lines.</summary>
        public int Count { get { return (int)Native.gdvar_save_count(save); } }
        /// <summary>A record's value.</summary>
        public object this[int index] {
            get {
                if (index < 0 || index >= Count) throw new ArgumentOutOfRangeException("index");
                gdvar_bytes packet = Native.gdvar_save_at(save, (UIntPtr)index).packet;
                object value = Value(new ReadOnlySpan<byte>(packet.data, (int)packet.size));
                GC.KeepAlive(this);
                return value;
            }
        }
        public bool IsChanged { get { return Native.gdvar_save_changed(save) != 0; } }

        /// <summary>The value at a path: "#0 $.players[3].hp". Errors: GdvarException with missing_key, bad_path, ...</summary>
        public object Get(string path) {
            return Value(Made((to, error) => AtPath(path, text => Native.gdvar_save_get(save, text, to, error))));
        }
        /// <summary>Every value that a path leads to: "#* $.players[*].hp".</summary>
        public List<Match> Find(string path) {
            return Match.All(path, Values(), (text, use, error) => Native.gdvar_save_find_each(save, text, use, IntPtr.Zero, null, error), Refusal);
        }
        /// <summary>
        /// Puts a value at a path. It takes the type of the old one if it fits; `flags` allow another type and a new key. Errors:
        /// GdvarException, with the reason as message.
        /// </summary>
        public void Set(string path, object value, SetFlags flags = 0) {
            byte[] packet = Variant.Encode(value, Dialect, true);
            fixed (byte* data = packet) {
                var bytes = new gdvar_bytes { data = data, size = (UIntPtr)packet.Length };
                Call(error => AtPath(path, text => Native.gdvar_save_set(save, text, bytes, (uint)flags, error)));
            }
        }
        /// <summary>Removes the element, pair or property at a path.</summary>
        public void Erase(string path) { Call(error => AtPath(path, text => Native.gdvar_save_erase(save, text, error))); }
        /// <summary>Keeps all changes from now on, for Undo, in `mostBytes` of memory (0: 64 MiB).</summary>
        public void KeepChanges(long mostBytes = 0) { Call(error => Native.gdvar_save_keep_changes(save, (UIntPtr)mostBytes, error)); }
        /// <summary>Takes the last change back, to the last byte. Errors: GdvarException with misplaced: there is none.</summary>
        public void Undo() { Call(error => Native.gdvar_save_undo(save, error)); }
        public void Redo() { Call(error => Native.gdvar_save_redo(save, error)); }
        public int UndoCount { get { return (int)Native.gdvar_save_undo_count(save); } }
        public int RedoCount { get { return (int)Native.gdvar_save_redo_count(save); } }

        /// <summary>The file's bytes, as Write would write them.</summary>
        public byte[] Bytes() { return Made((to, error) => Native.gdvar_save_bytes(save, to, error)); }
        /// <summary>Replaces the file atomically. `backup`: the name under which the old file is kept.</summary>
        public void Write(string backup = null) {
            fixed (byte* name = backup == null ? null : Text.ToC(backup)) {
                byte* kept = name;
                Call(error => Native.gdvar_save_write(save, kept, error));
            }
        }

        // ---- calls ----

        delegate ushort Asked(gdvar_error* error);
        delegate ushort Appending(BufferHandle to, gdvar_error* error);
        delegate ushort WithText(gdvar_text text);

        void Call(Asked call) {
            gdvar_error error;
            if (call(&error) != 0) throw Refusal(error);
        }
        byte[] Made(Appending call) {
            using (var output = new Output()) {
                gdvar_error error;
                if (call(output.Buffer, &error) != 0) throw Refusal(error);
                return output.Take();
            }
        }
        static ushort AtPath(string path, WithText call) {
            byte[] bytes = Text.Argument(path);
            fixed (byte* data = bytes) return call(Text.At(data, bytes));
        }
        DecodeOptions Values() { return new DecodeOptions { Dialect = Dialect, AllowObjects = true, AnyScript = true }; }
        object Value(ReadOnlySpan<byte> packet) { return Variant.Decode(packet, Values()); }

        /// <summary>The error, with the words of gdvar_save_explain where it has some.</summary>
        GdvarException Refusal(gdvar_error error) {
            string at = "", what = null;
            gdvar_refusal_use use = (user, refusal) => {
                at = Text.Of(refusal->at);
                what = Text.Of(refusal->what);
            };
            ushort code = Native.gdvar_save_explain(save, use, IntPtr.Zero);
            GC.KeepAlive(use);
            return code == error.code && what != null ? new GdvarException(error, at, what) : new GdvarException(error, at);
        }
    }
}
