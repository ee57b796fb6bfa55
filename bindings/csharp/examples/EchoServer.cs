// A server that sends every value back, for Godot's StreamPeerTCP: put_var, get_var. EchoServer PORT [--big-endian]
using System;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Threading.Tasks;
using Gdvar;

static class EchoServer {
    static int Main(string[] arguments) {
        var listener = new TcpListener(IPAddress.Loopback, int.Parse(arguments[0]));
        listener.Start();
        Console.WriteLine("listening on " + ((IPEndPoint)listener.LocalEndpoint).Port);
        for (;;) Serve(listener.AcceptTcpClient(), arguments.Length > 1 && arguments[1] == "--big-endian");
    }

    static async void Serve(TcpClient client, bool bigEndian) {
        // put_var sends a length and a packet: without this each waits for the other's answer.
        client.NoDelay = true;
        try {
            using (var peer = new VariantStream(client.GetStream(), DecodeOptions.Network, bigEndian))
                for (byte[] packet; (packet = await peer.GetPacketAsync()) != null;) await peer.PutVarAsync(Answer(packet));
        } catch (GdvarException error) {
            Console.WriteLine("lost: " + error.Message);
        } catch (IOException error) {
            Console.WriteLine("lost: " + error.Message);
        }
    }
    static object Answer(byte[] packet) {
        try {
            return Variant.Decode(packet, DecodeOptions.Network);
        } catch (GdvarException error) {
            return error.Code;
        }
    }
}
