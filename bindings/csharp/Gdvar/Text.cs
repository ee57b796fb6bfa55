using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Gdvar {
    /// <summary>
    /// Text as .NET has it. A byte that is not UTF-8 becomes the lone surrogate U+DC80 to U+DCFF of its number, and that again the byte:
    /// Godot 3 reads and writes such text.
    /// </summary>
    static unsafe class Text {
        static readonly UTF8Encoding utf8 = new UTF8Encoding(false);

        public static string Of(byte[] bytes) {
            fixed (byte* data = bytes) return Of(data, bytes.Length);
        }
        public static string Of(gdvar_text text) { return Of((byte*)text.data, (int)text.size); }
        public static string Of(byte* data, int size) {
            if (size == 0) return "";
            string text = utf8.GetString(data, size);
            return text.IndexOf('\ufffd') < 0 ? text : Escaped(data, size);
        }
        /// <summary>Text that ends with a NUL.</summary>
        public static string OfC(byte* data) {
            int size = 0;
            while (data[size] != 0) ++size;
            return Of(data, size);
        }
        /// <summary>The same for a parameter. A NUL in the text would cut it.</summary>
        public static byte[] ToC(string text) {
            if (text != null && text.IndexOf('\0') >= 0) throw new ArgumentException("a name with a NUL");
            return Argument(text == null ? null : text + "\0");
        }

        /// <summary>The bytes of an argument. Errors: ArgumentException; ArgumentNullException.</summary>
        public static byte[] Argument(string text) {
            if (text == null) throw new ArgumentNullException("text");
            byte[] bytes = Bytes(text);
            if (bytes == null) throw new ArgumentException("the text has half of a surrogate pair");
            return bytes;
        }
        public static gdvar_text At(byte* data, byte[] bytes) { return new gdvar_text { data = data, size = (UIntPtr)bytes.Length }; }
        /// <summary>Null for half of a surrogate pair that stands for no byte.</summary>
        public static byte[] Bytes(string text) {
            for (int i = 0; i < text.Length; ++i) if (char.IsSurrogate(text[i]) && Units(text, i++) == 1) return Unescaped(text);
            return utf8.GetBytes(text);
        }

        static string Escaped(byte* data, int size) {
            var text = new StringBuilder(size);
            for (int at = 0; at < size;) {
                int length = Sequence(data + at, size - at);
                if (length == 0) text.Append((char)(0xdc00 + data[at++]));
                else {
                    text.Append(utf8.GetString(data + at, length));
                    at += length;
                }
            }
            return text.ToString();
        }
        /// <summary>The bytes of the character there; 0: none.</summary>
        static int Sequence(byte* data, int left) {
            byte lead = data[0];
            int length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
            if (length > left) return 0;
            for (int i = 1; i < length; ++i) if ((data[i] & 0xc0) != 0x80) return 0;
            bool wrong = lead == 0xe0 && data[1] < 0xa0 || lead == 0xed && data[1] > 0x9f || lead == 0xf0 && data[1] < 0x90 ||
                         lead == 0xf4 && data[1] > 0x8f;
            return wrong ? 0 : length;
        }
        /// <summary>2 for a surrogate pair.</summary>
        static int Units(string text, int at) {
            return char.IsHighSurrogate(text[at]) && at + 1 < text.Length && char.IsLowSurrogate(text[at + 1]) ? 2 : 1;
        }
        static byte[] Unescaped(string text) {
            var bytes = new byte[text.Length * 3];
            int size = 0;
            for (int i = 0; i < text.Length; ++i) {
                if (text[i] >= 0xdc80 && text[i] <= 0xdcff) {
                    bytes[size++] = (byte)(text[i] - 0xdc00);
                    continue;
                }
                int units = Units(text, i);
                if (units == 1 && char.IsSurrogate(text[i])) return null;
                size += utf8.GetBytes(text, i, units, bytes, size);
                i += units - 1;
            }
            Array.Resize(ref bytes, size);
            return bytes;
        }
    }
}
