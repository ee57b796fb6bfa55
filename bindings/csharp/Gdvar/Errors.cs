using System;

namespace Gdvar {
    /// <summary>The reason why bytes or a value were refused. Codes: docs/errors.md.</summary>
    public sealed class GdvarException : Exception {
        /// <summary>"truncated", "depth_limit", ...</summary>
        public readonly string Code;
        /// <summary>The number of the code.</summary>
        public readonly int Number;
        /// <summary>"bytes", "options", "writing", ...</summary>
        public readonly string Kind;
        public readonly ErrorSource Origin;
        /// <summary>Bytes from the start of the packet, text or file.</summary>
        public readonly ulong Offset;
        /// <summary>At least so many more bytes are needed; else 0.</summary>
        public readonly ulong Need;
        /// <summary>The type that was read or written.</summary>
        public readonly VariantType Type;
        /// <summary>The value that was refused: "$.players[3].hp"; empty where it is not known.</summary>
        public readonly string Path;
        /// <summary>From 1, of texts; else 0.</summary>
        public readonly uint Line, Column;

        /// <summary>`what`: the reason in words, where the message of the error says less.</summary>
        internal unsafe GdvarException(gdvar_error error, string path, string what = null) : base(MessageOf(&error, path, what)) {
            Code = Text.OfC(Native.gdvar_error_name(error.code));
            Kind = Text.OfC(Native.gdvar_error_kind(error.code));
            Number = error.code;
            Origin = (ErrorSource)error.source;
            Offset = error.offset;
            Need = error.need;
            Type = (VariantType)error.type;
            Path = path;
            Line = error.line;
            Column = error.column;
        }

        /// <summary>A refusal of this binding: a value that no Variant holds.</summary>
        internal unsafe GdvarException(string code, string message, string path) : base(path + ": error[" + code + "]: " + message) {
            Code = code;
            fixed (byte* name = Text.ToC(code)) Number = Native.gdvar_error_code(name);
            Kind = Text.OfC(Native.gdvar_error_kind((ushort)Number));
            Origin = ErrorSource.Call;
            Path = path;
        }

        static unsafe string MessageOf(gdvar_error* error, string path, string what) {
            if (what == null) {
                var message = new byte[(int)Native.gdvar_error_message(error, null, UIntPtr.Zero) + 1];
                fixed (byte* to = message) {
                    Native.gdvar_error_message(error, to, (UIntPtr)message.Length);
                    what = Text.OfC(to);
                }
            }
            return path.Length > 0 ? path + ": " + what : what;
        }
    }
}
