// Godot's Variant wire format from .NET, by P/Invoke: mcs -unsafe Tape.cs && mono Tape.exe FILE
// (LD_LIBRARY_PATH or the system's folders must hold libgdvar-c.so.0.)
// Prints the keys of a packet's Dictionary with the types of their values, from the tape.
using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;

static unsafe class Tape {
    [StructLayout(LayoutKind.Sequential)] struct Bytes { public void* Data; public UIntPtr Size; }
    [StructLayout(LayoutKind.Sequential)] struct TypeInfo {
        public Bytes Name; public byte Component, Components, Packed, Widens;
    }
    [StructLayout(LayoutKind.Sequential)] struct Error {
        public ushort Code; public byte Type, Source; public int System; public ulong Offset, Need;
        public uint Line, Column; public ulong Change; public fixed ulong Detail[8];
    }
    [StructLayout(LayoutKind.Explicit)] struct Node {
        [FieldOffset(0)] public byte Type;
        [FieldOffset(1)] public byte Flags;
        [FieldOffset(4)] public uint Offset;
        [FieldOffset(8)] public long Integer;
        [FieldOffset(8)] public double Real;
        [FieldOffset(8)] public uint Count;
        [FieldOffset(12)] public uint End;
    }
    [StructLayout(LayoutKind.Sequential)] struct Nodes {
        public Node* First; public UIntPtr Count; public byte* Packet; public UIntPtr Size;
    }
    const string Library = "libgdvar-c.so.0";
    [DllImport(Library)] static extern uint gdvar_abi();
    [DllImport(Library)] static extern IntPtr gdvar_document_new();
    [DllImport(Library)] static extern void gdvar_document_free(IntPtr document);
    [DllImport(Library)] static extern ushort gdvar_document_read(IntPtr document, Bytes bytes, IntPtr options, out Error error);
    [DllImport(Library)] static extern Nodes gdvar_document_tape(IntPtr document);
    [DllImport(Library)] static extern TypeInfo gdvar_describe_type(byte type);
    [DllImport(Library)] static extern UIntPtr gdvar_error_message(ref Error error, byte[] to, UIntPtr capacity);

    const byte StringType = 4, ObjectType = 24, DictionaryType = 27, ArrayType = 28, Full = 2;

    static uint NextSibling(Node* nodes, uint i) {
        byte type = nodes[i].Type;
        bool holds = type == DictionaryType || type == ArrayType || (type == ObjectType && (nodes[i].Flags & Full) != 0);
        return holds ? nodes[i].End : i + 1;
    }

    static int Main(string[] arguments) {
        if (gdvar_abi() < 1) return 1;
        byte[] packet = File.ReadAllBytes(arguments[0]);
        IntPtr document = gdvar_document_new();
        fixed (byte* data = packet) {  // for as long as the document is used
            var bytes = new Bytes { Data = data, Size = (UIntPtr)packet.Length };
            Error error;
            if (gdvar_document_read(document, bytes, IntPtr.Zero, out error) != 0) return Fail(ref error);
            Nodes tape = gdvar_document_tape(document);
            Node* nodes = tape.First;
            for (uint i = 1; nodes[0].Type == DictionaryType && i < nodes[0].End;) {
                uint value = NextSibling(nodes, i);
                Bytes name = gdvar_describe_type(nodes[value].Type).Name;
                if (nodes[i].Type == StringType)
                    Console.WriteLine(Text(tape.Packet + nodes[i].Offset + 8, nodes[i].Count) + "\t" +
                                      Text((byte*)name.Data, (uint)name.Size));
                i = NextSibling(nodes, value);
            }
        }
        gdvar_document_free(document);
        return 0;
    }
    static string Text(byte* data, uint size) { return Encoding.UTF8.GetString(data, (int)size); }
    static int Fail(ref Error error) {
        var message = new byte[200];
        gdvar_error_message(ref error, message, (UIntPtr)message.Length);
        Console.Error.WriteLine(Encoding.UTF8.GetString(message).TrimEnd('\0'));
        return 1;
    }
}
