using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading.Tasks;

namespace Gdvar {
    /// <summary>Cuts what arrives on a stream into the packets that put_var put behind a length of 32 bits.</summary>
    public sealed unsafe class Framer : IDisposable {
        readonly FramerHandle framer;

        /// <summary>`bigEndian`: the big_endian of the StreamPeer. `maxPacket`: larger ones are refused by their length.</summary>
        public Framer(bool bigEndian = false, ulong maxPacket = 1 << 20) { framer = Native.gdvar_framer_new(bigEndian ? 1 : 0, maxPacket); }
        public void Dispose() { framer.Dispose(); }

        /// <summary>Takes the next bytes of the stream.</summary>
        public void Feed(ReadOnlySpan<byte> bytes) {
            gdvar_error error;
            fixed (byte* data = &MemoryMarshal.GetReference(bytes))
                if (Native.gdvar_framer_feed(framer, new gdvar_bytes { data = data, size = (UIntPtr)bytes.Length }, &error) != 0) throw new GdvarException(error, "");
        }
        /// <summary>The next packet, or null: more bytes are needed. Errors: GdvarException, after which the stream is lost.</summary>
        public byte[] Next() {
            gdvar_bytes packet;
            gdvar_error error;
            int there;
            if (Native.gdvar_framer_next(framer, &packet, &there, &error) != 0) throw new GdvarException(error, "");
            byte[] copy = there == 0 ? null : new ReadOnlySpan<byte>(packet.data, (int)packet.size).ToArray();
            // Until here: the packet lies in the framer's memory.
            GC.KeepAlive(this);
            return copy;
        }
        /// <summary>Call at the end of the stream. Errors: GdvarException with truncated, in the middle of a packet.</summary>
        public void Finish() {
            gdvar_error error;
            if (Native.gdvar_framer_finish(framer, &error) != 0) throw new GdvarException(error, "");
        }

        /// <summary>A packet behind its length.</summary>
        public static byte[] Frame(byte[] packet, bool bigEndian = false) {
            if (packet == null) throw new ArgumentNullException("packet");
            using (var output = new Output())
            fixed (byte* data = packet) {
                gdvar_error error;
                var bytes = new gdvar_bytes { data = data, size = (UIntPtr)packet.Length };
                if (Native.gdvar_append_frame(bytes, bigEndian ? 1 : 0, output.Buffer, &error) != 0) throw new GdvarException(error, "");
                return output.Take();
            }
        }
    }

    /// <summary>Values over a stream, as StreamPeer's put_var and get_var send them. One reader and one writer at a time.</summary>
    public sealed class VariantStream : IDisposable {
        readonly Stream stream;
        readonly bool bigEndian;
        readonly DecodeOptions options;
        readonly Framer framer;
        readonly byte[] buffer = new byte[16384];

        /// <summary>`options`: of reading; null: DecodeOptions.Network, as a peer is on the other side. The stream is closed by Dispose.</summary>
        public VariantStream(Stream stream, DecodeOptions options = null, bool bigEndian = false) {
            if (stream == null) throw new ArgumentNullException("stream");
            this.stream = stream;
            this.options = options ?? DecodeOptions.Network;
            this.bigEndian = bigEndian;
            framer = new Framer(bigEndian, this.options.MaxBytes);
        }
        public void Dispose() {
            framer.Dispose();
            stream.Dispose();
        }

        /// <summary>Whether the stream has ended, or failed: no more packets can be read.</summary>
        public bool Lost { get; private set; }

        /// <summary>
        /// The next packet, or null at the end of the stream. Errors: GdvarException (a length that is too large, an end within a packet),
        /// IOException. After an error, and at the end, the stream is `Lost`.
        /// </summary>
        public async Task<byte[]> GetPacketAsync() {
            byte[] packet = null;
            try {
                return packet = await NextAsync().ConfigureAwait(false);
            } finally {
                Lost = packet == null;
            }
        }
        async Task<byte[]> NextAsync() {
            for (;;) {
                byte[] packet = framer.Next();
                if (packet != null) return packet;
                int size = await stream.ReadAsync(buffer, 0, buffer.Length).ConfigureAwait(false);
                if (size == 0) {
                    framer.Finish();
                    return null;
                }
                framer.Feed(new ReadOnlySpan<byte>(buffer, 0, size));
            }
        }
        public async Task PutPacketAsync(byte[] packet) {
            byte[] framed = Framer.Frame(packet, bigEndian);
            await stream.WriteAsync(framed, 0, framed.Length).ConfigureAwait(false);
        }
        /// <summary>
        /// The next value. Errors: as GetPacketAsync; EndOfStreamException. A GdvarException while the stream is not `Lost` is of a packet
        /// that was refused: the next one can be read.
        /// </summary>
        public async Task<object> GetVarAsync() {
            byte[] packet = await GetPacketAsync().ConfigureAwait(false);
            if (packet == null) throw new EndOfStreamException();
            return Variant.Decode(packet, options);
        }
        public Task PutVarAsync(object value) { return PutPacketAsync(Variant.Encode(value, options.Dialect, options.AllowObjects)); }
    }
}
