// Tests of what the packets of vectors_test.py do not show: values, errors, documents, saves, streams. Tests DATA
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Gdvar;

static class Tests {
    static string data;

    static void Same(object expected, object found) {
        if (!Equals(expected, found)) throw new Exception("expected " + expected + ", found " + found);
    }
    static GdvarException Refused(string code, Action action) {
        try {
            action();
        } catch (GdvarException error) {
            Same(code, error.Code);
            return error;
        }
        throw new Exception("not refused: " + code);
    }
    static void Throws<T>(Action action) where T : Exception {
        try {
            action();
        } catch (T) {
            return;
        }
        throw new Exception("no " + typeof(T).Name);
    }
    static byte[] ReadData(string path) { return File.ReadAllBytes(Path.Combine(data, path)); }
    static readonly VariantDictionary player = new VariantDictionary {
        { "name", "Ada" }, { "hp", 100 }, { "pos", new Vector3(1, 2, 3) }, { "bag", new object[] { "rope", 3L, null, true } },
        { new StringName("speed"), 0.5f }, { "path", new NodePath { Names = new[] { "root", "x" }, Subnames = new[] { "y" }, Absolute = true } },
        { "points", new[] { new Vector3(1, 2, 3), new Vector3(4, 5, 6) } }, { "floats", new[] { 0.5f, float.NaN } }, { "names", new[] { "a", "" } },
        { "typed", new VariantArray { 1, 2 } }, { "turn", new Transform3D(new Basis(), new Vector3(7, 8, 9)) },
    };

    static void ValuesComeBack() {
        byte[] packet = Variant.Encode(player);
        int size;
        var again = (VariantDictionary)Variant.Decode(packet.Concat(new byte[] { 1, 2, 3 }).ToArray(), null, out size);
        Same(packet.Length, size);
        Same(packet.Length, Variant.Validate(packet));
        Same("Ada", again["name"]);
        Same(100L, again["hp"]);
        Same(new Vector3(1, 2, 3), again["pos"]);
        Same("(1, 2, 3)", again["pos"].ToString());
        Same(0.5, again[new StringName("speed")]);
        Same("/root/x:y", again["path"].ToString());
        Same(6f, ((Vector3[])again["points"])[1].Z);
        Same(true, float.IsNaN(((float[])again["floats"])[1]));
        Same("rope,3,,True", string.Join(",", (VariantArray)again["bag"]));
        Same(9f, ((Transform3D)again["turn"]).Origin.Z);
        Same(BitConverter.ToString(packet), BitConverter.ToString(Variant.Encode(again)));
        Throws<KeyNotFoundException>(() => Same(null, again["nothing"]));
        again["hp"] = 7;
        again["new"] = null;
        Same(7, again["hp"]);
        Same(true, again.Remove("hp") && !again.ContainsKey("hp") && again.ContainsKey("new"));
    }

    // Keys are found by any number of the same value, and by text.
    static void Keys() {
        var pairs = (VariantDictionary)Variant.Decode(Variant.Encode(new VariantDictionary { { 1, "a" }, { 0.5f, "b" }, { new StringName("hp"), "c" }, { null, "d" }, { "x", "e" } }));
        Same("a,a,b,b,c,c,d,e", string.Join(",", pairs[1], pairs[(byte)1], pairs[0.5f], pairs[0.5], pairs["hp"], pairs[new StringName("hp")], pairs[null], pairs[new StringName("x")]));
        pairs[1u] = "f";
        pairs["hp"] = "g";
        Same("5 f g", pairs.Count + " " + pairs[1L] + " " + pairs["hp"]);
        Same(false, pairs.ContainsKey(1.0) || pairs.ContainsKey("1") || pairs.ContainsKey(ulong.MaxValue));
        Same(true, pairs.Remove(1UL) && pairs.Remove("hp") && pairs.Count == 3);
    }

    static void Nulls() {
        string none = null;
        Same(1L, Variant.Decode(Variant.Encode(1, none), new DecodeOptions { Dialect = none }));
        var image = (Image)Variant.Decode(Variant.Encode(new Image { Data = null }, "godot-1.0"), new DecodeOptions { Dialect = "godot-1.0" });
        Same(0, image.Data.Length);
        Same("", Variant.Decode(Variant.Encode(new NodePath { Names = null, Subnames = null })).ToString());
        byte[] noObject = Variant.Encode(new GodotObject { ClassName = null, Properties = null }, null, true);
        Same("", ((GodotObject)Variant.Decode(noObject, new DecodeOptions { AllowObjects = true })).ClassName);
        Throws<ArgumentNullException>(() => new Document(null));
        Throws<ArgumentNullException>(() => Dialect.Find(null));
        Throws<ArgumentNullException>(() => SaveFile.Open(null));
        Throws<ArgumentNullException>(() => SaveFile.Read(null));
        Throws<ArgumentNullException>(() => Framer.Frame(null));
        Throws<ArgumentNullException>(() => new VariantStream(null));
        using (var document = new Document(Variant.Encode(player))) Throws<ArgumentNullException>(() => document.Lookup(null));
    }

    static void NetTypesAreTaken() {
        var map = new Dictionary<string, object> { { "a", (byte)1 }, { "b", new List<int> { 1, 2 } }, { "c", Enumerable.Range(0, 2) } };
        var again = (VariantDictionary)Variant.Decode(Variant.Encode(map));
        Same(1L, again["a"]);
        Same("1,2", string.Join(",", (VariantArray)again["b"]));
        Same("0,1", string.Join(",", (VariantArray)again["c"]));
        var typed = new VariantDictionary { { "x", 1 } };
        typed.KeyType = new ContainerType(VariantType.String);
        typed.ValueType = new ContainerType(ContainerKind.ClassName, VariantType.Object, "Node");
        var read = (VariantDictionary)Variant.Decode(Variant.Encode(typed));
        Same(VariantType.String, read.KeyType.Type);
        Same("Node", read.ValueType.Name);
    }

    static void Errors() {
        byte[] packet = Variant.Encode(new VariantDictionary { { "players", new object[] { new VariantDictionary { { "pos", new Vector3() } } } } });
        GdvarException error = Refused("truncated", () => Variant.Decode(packet.Take(packet.Length - 4).ToArray()));
        Same("$.players[0].pos", error.Path);
        Same((ulong)packet.Length - 16, error.Offset);
        Same(4UL, error.Need);
        Same(VariantType.Vector3, error.Type);
        Same("bytes", error.Kind);
        Same(100, error.Number);
        Same(ErrorSource.Packet, error.Origin);
        Same("$.players[0].pos: error[truncated]: need 4 more bytes for a Vector3", error.Message);
        Refused("truncated", () => Variant.Decode(new byte[0]));
        object deep = null;
        for (int i = 0; i < 100; ++i) deep = new object[] { deep };
        Variant.Decode(Variant.Encode(deep));
        Refused("depth_limit", () => Variant.Decode(Variant.Encode(deep), DecodeOptions.Network));
        Throws<ArgumentException>(() => Dialect.Find("godot-99"));
    }

    static void WhatCannotBeWritten() {
        Same("$[\"a b\"][5]", Refused("wrong_type", () => Variant.Encode(new VariantDictionary { { "a b", new VariantDictionary { { 5, new Version() } } } })).Path);
        Same("$", Refused("wrong_type", () => Variant.Encode(new Version())).Path);
        Same("$[0]", Refused("bad_utf8", () => Variant.Encode(new object[] { "\ud800", new Version() })).Path);
        Refused("wrong_type", () => Variant.Encode(new int[2, 2]));
        Func<object, byte[]> named = name => Variant.Encode(new GodotObject { ClassName = "Node", Properties = new VariantDictionary { { name, 6 } } }, null, true);
        Same(BitConverter.ToString(named("x")), BitConverter.ToString(named(new StringName("x"))));
        Refused("wrong_type", () => named(5));
        Refused("wrong_type", () => named(null));
        Same("$[0].a", Refused("wrong_type", () => Variant.Encode(new object[] { new VariantDictionary { { "a", new Version() } } })).Path);
        Same("$.n", Refused("number_out_of_range", () => Variant.Encode(new VariantDictionary { { "n", ulong.MaxValue } })).Path);
        Same("$[1]", Refused("bad_utf8", () => Variant.Encode(new object[] { "ok", "\ud800" })).Path);
        Refused("objects_forbidden", () => Variant.Encode(new GodotObject { ClassName = "Node" }));
        Refused("not_in_dialect", () => Variant.Encode(new Vector4(), "godot3"));
        var cycle = new VariantArray();
        cycle.Add(cycle);
        Refused("depth_limit", () => Variant.Encode(cycle));
    }

    // Bytes that are not UTF-8 are read in Godot 3's packets, and written again.
    static void TextThatIsNotUtf8() {
        byte[] packet = { 4, 0, 0, 0, 6, 0, 0, 0, 0x61, 0xed, 0xa0, 0x80, 0xc5, 0xbb, 0, 0 };
        string text = (string)Variant.Decode(packet, new DecodeOptions { Dialect = "godot3" });
        Same("a\udced\udca0\udc80\u017b", text);
        Same(BitConverter.ToString(packet), BitConverter.ToString(Variant.Encode(text, "godot3")));
        string emoji = "\ud83d\ude00\ufffd";
        Same(emoji, Variant.Decode(Variant.Encode(emoji)));
    }

    static void Documents() {
        byte[] packet = Variant.Encode(player);
        using (var document = new Document(packet)) {
            Same(packet.Length, document.Size);
            Same(VariantType.Dictionary, document.Root.Type);
            Same("Ada", document.Root["name"].Value());
            Same(3L, document.Root["bag"][1].Value());
            Same(false, document.Root["bag"][9].Exists || document.Root["nothing"].Exists);
            Same(4, ((VariantArray)document.Root["bag"].Value()).Count);
            Same(0.5, document.Root["speed"].Value());
            ReadOnlySpan<Vector3> points = document.Root["points"].Elements<Vector3>();
            Same(2, points.Length);
            Same(6f, points[1].Z);
            Same(5f, document.Root["points"].Elements<float>()[4]);
            Throws<InvalidCastException>(() => document.Root["points"].Elements<int>());
            Throws<InvalidCastException>(() => document.Root["bag"].Elements<int>());
            Throws<InvalidOperationException>(() => document.Root["nothing"].Value());
            List<Match> found = document.Lookup("$.points[*].z");
            Same("$.points[1].z=6", found[1].Path + "=" + found[1].Value);
            Same("$", Refused("missing_key", () => document.Lookup("$.hpp")).Path);
            Refused("bad_path", () => document.Lookup("hp["));
        }
        Refused("truncated", () => new Document(new byte[3]));
        var closed = new Document(packet);
        closed.Dispose();
        Throws<ObjectDisposedException>(() => closed.Root.Value());
    }

    // The span is the packet's own memory.
    static void SpansAreNoCopies() {
        byte[] packet = ReadData("workloads/g4/mesh.bin");
        using (var document = new Document(packet)) {
            var mesh = (VariantDictionary)document.Root.Value();
            string key = (string)mesh.First(pair => pair.Value is Vector3[]).Key;
            ReadOnlySpan<Vector3> before = document.Root[key].Elements<Vector3>();
            Same(((Vector3[])mesh[key]).Length, before.Length);
            float x = before[0].X;
            for (int i = 0; i < packet.Length; ++i) packet[i] ^= 1;
            Same(false, x.Equals(before[0].X));
            for (int i = 0; i < packet.Length; ++i) packet[i] ^= 1;
        }
    }

    static void Saves() {
        string file = Path.Combine(Path.GetTempPath(), "gdvar-" + Guid.NewGuid());
        File.WriteAllBytes(file, ReadData("saves/godot-4.6.3/gdec_pass.save"));
        var options = new SaveOptions { Password = "correct horse 1" };
        try {
            Refused("bad_key", () => SaveFile.Open(file));
            using (SaveFile save = SaveFile.Open(file, options)) {
                Same(97L, save.Get("#0 $.players[3].hp"));
                Same("gdec-4 > godot-4.4 records", save.Stack);
                Same(true, save.Count > 1 && save[1] is VariantArray);
                save.KeepChanges();
                save.Set("#0 $.players[3].hp", 9999);
                Same(9999L, save.Find("#0 $.players[*].hp")[3].Value);
                Same("#0 $.players[3].hp: this is an int, the value is a String", Refused("wrong_type", () => save.Set("#0 $.players[3].hp", "many")).Message);
                Refused("missing_key", () => save.Get("#0 $.nothing"));
                save.Undo();
                Same(97L, save.Get("#0 $.players[3].hp"));
                Same("0 1", save.UndoCount + " " + save.RedoCount);
                Refused("misplaced", () => save.Undo());
                save.Redo();
                save.Set("#0 $.new", new[] { 1f }, SetFlags.Create);
                save.Erase("#0 $.players[0]");
                Same(true, save.IsChanged);
                save.Write(file + ".old");
            }
            using (SaveFile save = SaveFile.Open(file, options)) Same(9999L, save.Get("#0 $.players[2].hp"));
            using (SaveFile save = SaveFile.Read(File.ReadAllBytes(file + ".old"), options)) Same(97L, save.Get("#0 $.players[3].hp"));
            Refused("io", () => SaveFile.Open(file + ".none"));
        } finally {
            File.Delete(file);
            File.Delete(file + ".old");
        }
    }

    static void Framers() {
        byte[] stream = Framer.Frame(Variant.Encode(1)).Concat(Framer.Frame(Variant.Encode("two"))).ToArray();
        using (var framer = new Framer()) {
            var seen = new List<object>();
            foreach (byte one in stream) {
                framer.Feed(new[] { one });
                for (byte[] packet; (packet = framer.Next()) != null;) seen.Add(Variant.Decode(packet));
            }
            Same("1,two", string.Join(",", seen));
            framer.Finish();
            framer.Feed(new byte[] { 0, 0, 32, 0 });
            Refused("size_limit", () => framer.Next());
            Refused("size_limit", () => framer.Feed(stream));
        }
        using (var framer = new Framer(true)) {
            framer.Feed(Framer.Frame(Variant.Encode(true), true).Take(9).ToArray());
            Same(null, framer.Next());
            Same(3UL, Refused("truncated", () => framer.Finish()).Need);
        }
    }

    // The memory of a framer that nothing names any more is freed after the packet was copied.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static byte[] OfFramer(byte[] frame) {
        var framer = new Framer();
        framer.Feed(frame);
        return framer.Next();
    }
    static void FramersAreKept() {
        var text = new string('x', 300000);
        byte[] frame = Framer.Frame(Variant.Encode(text));
        bool stop = false;
        var collector = new Thread(() => {
            while (!Volatile.Read(ref stop)) {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        });
        collector.Start();
        try {
            Parallel.For(0, 2000, i => Same(text, Variant.Decode(OfFramer(frame))));
        } finally {
            Volatile.Write(ref stop, true);
            collector.Join();
        }
    }

    // A stream that is lost is told from a packet that was refused.
    static void LostStreams() {
        var cases = new Dictionary<string, byte[]> {
            { "bad_length 1", new byte[] { 255, 255, 255, 255 } }, { "size_limit 1", new byte[] { 0, 0, 32, 0 } }, { "truncated 1", new byte[] { 8, 0, 0, 0, 0 } },
            { "unknown_type unknown_type end", new byte[] { 4, 0, 0, 0, 255, 0, 0, 0, 4, 0, 0, 0, 255, 0, 0, 0 } }, { "end", new byte[0] },
        };
        foreach (KeyValuePair<string, byte[]> each in cases) {
            using (var stream = new VariantStream(new MemoryStream(each.Value))) {
                string seen = "";
                while (!stream.Lost) {
                    try {
                        stream.GetVarAsync().GetAwaiter().GetResult();
                    } catch (GdvarException error) {
                        seen += error.Code + (stream.Lost ? " 1" : " ");
                    } catch (EndOfStreamException) {
                        seen += "end";
                    }
                }
                Same(each.Key, seen);
            }
        }
    }

    static void Streams() {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var client = new TcpClient();
        client.Connect((IPEndPoint)listener.LocalEndpoint);
        using (var ours = new VariantStream(client.GetStream()))
        using (var theirs = new VariantStream(listener.AcceptTcpClient().GetStream())) {
            ours.PutVarAsync(player).Wait();
            Same("Ada", ((VariantDictionary)theirs.GetVarAsync().Result)["name"]);
            ours.PutPacketAsync(new byte[] { 255, 0, 0, 0 }).Wait();
            Task<object> bad = theirs.GetVarAsync();
            Throws<AggregateException>(() => bad.Wait());
            Same("unknown_type", ((GdvarException)bad.Exception.InnerException).Code);
            ours.PutVarAsync("end").Wait();
            Same("end", theirs.GetVarAsync().Result);
            client.Client.Shutdown(SocketShutdown.Send);
            Same(null, theirs.GetPacketAsync().Result);
        }
        listener.Stop();
    }

    // A file that store_var wrote is such a stream.
    static void FileOfRecords() {
        using (var records = new VariantStream(new MemoryStream(ReadData("saves/godot-4.6.3/plain.save")))) {
            for (int i = 0; i < 3; ++i) records.GetVarAsync().Wait();
            Same(null, records.GetPacketAsync().Result);
        }
    }

    static void ManyThreads() {
        byte[] packet = ReadData("workloads/g4/mmo_tick.bin");
        string hex = BitConverter.ToString(packet);
        Parallel.For(0, 40, i => Same(hex, BitConverter.ToString(Variant.Encode(Variant.Decode(packet)))));
    }

    // Nothing stays allocated: neither what was read nor what was refused.
    static void MemoryStays() {
        byte[] packet = ReadData("workloads/g4/savegame.bin");
        byte[] cut = packet.Take(packet.Length - 1).ToArray();
        Action all = () => {
            for (int i = 0; i < 30; ++i) {
                Variant.Encode(Variant.Decode(packet));
                Refused("truncated", () => Variant.Decode(cut));
                using (var document = new Document(packet)) Same(true, document.Root.Exists);
            }
            GC.Collect();
            GC.WaitForPendingFinalizers();
        };
        all();
        long before = Process.GetCurrentProcess().WorkingSet64;
        // A document that stays takes 170 kB: a hundred MB for each of the three.
        for (int i = 0; i < 20; ++i) all();
        long grown = Process.GetCurrentProcess().WorkingSet64 - before;
        if (grown > 64 << 20) throw new Exception("grew by " + grown + " bytes");
    }

    static void Dialects() {
        List<Dialect> all = Dialect.All.ToList();
        Same(true, all.Count >= 13 && all.All(one => one.Title.Length > 0));
        Same(true, Dialect.Find("godot-4.4").Has(VariantType.PackedVector4Array) && !Dialect.Find("godot3").Has(VariantType.Vector4));
    }

    static int Main(string[] arguments) {
        data = arguments[0];
        int passed = 0, failed = 0;
        foreach (MethodInfo test in typeof(Tests).GetMethods(BindingFlags.Static | BindingFlags.NonPublic)) {
            if (test.GetParameters().Length > 0 || test.ReturnType != typeof(void) || test.Name.Contains("<")) continue;
            try {
                test.Invoke(null, null);
                ++passed;
            } catch (TargetInvocationException error) {
                ++failed;
                Console.WriteLine("FAILED " + test.Name + ": " + error.InnerException);
            }
        }
        Console.WriteLine(passed + " passed, " + failed + " failed");
        return failed;
    }
}
