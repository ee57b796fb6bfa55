// Answers for tests/languages (bindings/languages/vectors.py): a line for each line of the standard input.
//
//   DIALECT FLAGS DEPTH BYTES VALUES HEX    flags: 1 objects, 2 strict
//
// With files as arguments: the microseconds of decoding and encoding each, for bench.py.
//
// The answer: "ok SIZE HEX" with what the value is written as; "unwritten CODE PATH"; or "CODE OFFSET NEED TYPE PATH", between tabs.
using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Text;
using Gdvar;

static class Testee {
    static string Answer(string line) {
        string[] words = line.Split(' ');
        int flags = int.Parse(words[1]);
        var options = new DecodeOptions {
            Dialect = words[0], AllowObjects = (flags & 1) != 0, Strict = (flags & 2) != 0, MaxDepth = uint.Parse(words[2]),
            MaxBytes = ulong.Parse(words[3]), MaxValues = ulong.Parse(words[4]),
        };
        object value;
        int size;
        try {
            value = Variant.Decode(Bytes(words[5]), options, out size);
        } catch (GdvarException error) {
            string type = error.Type == VariantType.Nil ? "-" : ((int)error.Type).ToString();
            return error.Code + "\t" + error.Offset + "\t" + error.Need + "\t" + type + "\t" + error.Path;
        }
        try {
            return "ok " + size + " " + Hex(Variant.Encode(value, words[0], options.AllowObjects));
        } catch (GdvarException error) {
            return "unwritten\t" + error.Code + "\t" + error.Path;
        }
    }
    static byte[] Bytes(string hex) {
        var bytes = new byte[hex.Length / 2];
        for (int i = 0; i < bytes.Length; ++i) bytes[i] = Convert.ToByte(hex.Substring(2 * i, 2), 16);
        return bytes;
    }
    static string Hex(byte[] bytes) { return BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant(); }

    /// <summary>The best of many calls, in microseconds.</summary>
    static double Time(Action action) {
        double best = double.MaxValue;
        var all = Stopwatch.StartNew();
        for (int calls = 0; all.ElapsedMilliseconds < 500 || calls < 5; ++calls) {
            long before = all.ElapsedTicks;
            action();
            best = Math.Min(best, (all.ElapsedTicks - before) * 1e6 / Stopwatch.Frequency);
        }
        return best;
    }

    static void Main(string[] files) {
        foreach (string file in files) {
            byte[] packet = File.ReadAllBytes(file);
            object value = Variant.Decode(packet);
            Console.WriteLine(Time(() => Variant.Decode(packet)).ToString("F1", CultureInfo.InvariantCulture) + " " +
                              Time(() => Variant.Encode(value)).ToString("F1", CultureInfo.InvariantCulture));
        }
        if (files.Length > 0) return;
        var plain = new UTF8Encoding(false);
        var input = new StreamReader(Console.OpenStandardInput(), plain);
        var output = new StreamWriter(Console.OpenStandardOutput(), plain);
        for (string line; (line = input.ReadLine()) != null;) output.Write(Answer(line) + "\n");
        output.Flush();
    }
}
