# Godot 3 as the other side of gdvar's endpoints: client of all transports, or a server that echoes.
#   client OUT CERT NAME=PORT...     server OUT CERT KEY NAME=PORT...
extends SceneTree

var lines = PoolStringArray()
var limit = 0
var polled = null # what has to be polled while waiting

func values():
	return [null, true, false, 0, 1, -1, 127, 1 << 40, 0.5, 0.1, "", "text", "h\u00e9 \u4f60\u597d",
		NodePath("a/b:c:d"), NodePath("/root/x"), Vector2(1, 2), Rect2(1, 2, 3, 4), Vector3(1, 2, 3),
		Transform2D(0.5, Vector2(3, 4)), Plane(0, 1, 0, 5), Quat(0.1, 0.2, 0.3, 0.9), AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)),
		Basis(Vector3(0, 1, 0), 0.5), Transform(Basis(), Vector3(1, 2, 3)), Color(0.1, 0.2, 0.3, 0.4),
		{"a": 1, 2: [3, {"deep": Vector3()}], Vector2(1, 2): "key"}, [], {}, [1, "two", [3.0, null]],
		PoolByteArray([1, 2, 3]), PoolIntArray([1, -2]), PoolRealArray([0.5]), PoolStringArray(["a", "", "b"]),
		PoolVector2Array([Vector2(1, 2)]), PoolVector3Array([Vector3(1, 2, 3)]), PoolColorArray([Color(1, 0, 0)]),
		[[[[1]]]], {"nested": {"more": {"and": [true]}}}]

func late():
	return OS.get_ticks_msec() > limit

func say(line):
	lines.append(line)

func compare(name, sent, got):
	# The padding of a NodePath holds whatever was in memory.
	if typeof(sent) == typeof(got) and (var2bytes(sent) == var2bytes(got) or var2str(sent) == var2str(got)):
		return true
	say("%s: %s came back as %s" % [name, var2str(sent), var2str(got)])
	return false

func poll():
	if polled and polled.has_method("poll"):
		polled.poll()

func wait_packet(p):
	while true:
		poll()
		if p.get_available_packet_count() > 0:
			return true
		if late():
			return false
		OS.delay_msec(1)

func stream_round(name, s):
	var good = 0
	for value in values():
		s.put_var(value)
		if compare(name, value, s.get_var()):
			good += 1
	s.put_var(Resource.new(), true)
	say("%s %d %s" % [name, good, s.get_var()])

func packet_round(name, p):
	var good = 0
	for value in values():
		p.put_var(value)
		if not wait_packet(p):
			say("%s: no answer to %s" % [name, var2str(value)])
			return
		if compare(name, value, p.get_var()):
			good += 1
	p.put_var(Resource.new(), true)
	if not wait_packet(p):
		say(name + ": no answer to an object")
		return
	say("%s %d %s" % [name, good, p.get_var()])

func connected_tcp(port):
	var t = StreamPeerTCP.new()
	t.connect_to_host("127.0.0.1", port)
	while t.get_status() == StreamPeerTCP.STATUS_CONNECTING and not late():
		OS.delay_msec(1)
	t.set_no_delay(true) # put_var sends a length and a packet: each would wait for the other's answer
	return t

func handshake(s):
	while not late():
		s.poll()
		if s.get_status() != StreamPeerSSL.STATUS_HANDSHAKING:
			break
		OS.delay_msec(1)
	if s.get_status() != StreamPeerSSL.STATUS_CONNECTED:
		say("tls: status %d" % s.get_status())

func client(name, port, cert):
	polled = null
	match name:
		"tcp", "tcp_big":
			var t = connected_tcp(port)
			t.big_endian = name == "tcp_big"
			stream_round(name, t)
			t.disconnect_from_host()
		"packets":
			var t = connected_tcp(port)
			t.big_endian = true # must not matter
			var p = PacketPeerStream.new()
			p.stream_peer = t
			packet_round(name, p)
		"tls":
			var s = StreamPeerSSL.new()
			s.blocking_handshake = false
			s.connect_to_stream(connected_tcp(port), true, "localhost", cert)
			handshake(s)
			stream_round(name, s)
		"udp":
			var p = PacketPeerUDP.new()
			p.set_dest_address("127.0.0.1", port)
			packet_round(name, p)
		"ws":
			var w = WebSocketClient.new()
			w.connect_to_url("ws://127.0.0.1:%d/game" % port)
			polled = w
			while w.get_connection_status() == NetworkedMultiplayerPeer.CONNECTION_CONNECTING and not late():
				w.poll()
				OS.delay_msec(1)
			packet_round(name, w.get_peer(1))
			w.disconnect_from_host()
		"enet", "enet_coder":
			var e = NetworkedMultiplayerENet.new()
			e.compression_mode = NetworkedMultiplayerENet.COMPRESS_RANGE_CODER if name == "enet_coder" else NetworkedMultiplayerENet.COMPRESS_NONE
			e.create_client("127.0.0.1", port)
			polled = e
			while e.get_connection_status() == NetworkedMultiplayerPeer.CONNECTION_CONNECTING and not late():
				e.poll()
				OS.delay_msec(1)
			e.set_target_peer(1)
			packet_round(name, e)
			e.close_connection()

func serve_stream(name, s):
	var count = 0
	while not late():
		var value = s.get_var()
		if typeof(value) == TYPE_STRING and value == "quit":
			break
		s.put_var(value)
		count += 1
	say("%s served %d" % [name, count])

func serve_packets(name, p, enet = null):
	var count = 0
	while wait_packet(p):
		if enet:
			enet.set_target_peer(enet.get_packet_peer())
		var value = p.get_var()
		if typeof(value) == TYPE_STRING and value == "quit":
			break
		p.put_var(value)
		count += 1
	poll()
	say("%s served %d" % [name, count])

func accepted(port):
	var server = TCP_Server.new()
	server.listen(port, "127.0.0.1")
	while not server.is_connection_available() and not late():
		OS.delay_msec(1)
	var t = server.take_connection()
	server.stop()
	t.set_no_delay(true)
	return t

func linger():
	var end = OS.get_ticks_msec() + 300
	while OS.get_ticks_msec() < end:
		poll()
		OS.delay_msec(5)

func server(name, port, cert, key):
	polled = null
	match name:
		"tcp", "tcp_big":
			var t = accepted(port)
			t.big_endian = name == "tcp_big"
			serve_stream(name, t)
		"packets":
			var p = PacketPeerStream.new()
			p.output_buffer_max_size = 1 << 20
			p.input_buffer_max_size = 1 << 20
			p.stream_peer = accepted(port)
			serve_packets(name, p)
		"tls":
			var s = StreamPeerSSL.new()
			s.blocking_handshake = false
			s.accept_stream(accepted(port), key, cert)
			handshake(s)
			serve_stream(name, s)
		"udp":
			var p = PacketPeerUDP.new()
			p.listen(port, "127.0.0.1")
			var count = 0
			while wait_packet(p):
				var value = p.get_var()
				if typeof(value) == TYPE_STRING and value == "quit":
					break
				p.set_dest_address(p.get_packet_ip(), p.get_packet_port())
				p.put_var(value)
				count += 1
			say("udp served %d" % count)
		"ws":
			var w = WebSocketServer.new()
			w.set_buffers(1024, 1024, 1024, 1024)
			w.listen(port)
			polled = w
			var ids = []
			w.connect("client_connected", self, "_came", [ids])
			while ids.size() == 0 and not late():
				w.poll()
				OS.delay_msec(1)
			serve_packets(name, w.get_peer(ids[0]))
			linger()
			w.stop()
		"enet", "enet_coder":
			var e = NetworkedMultiplayerENet.new()
			e.compression_mode = NetworkedMultiplayerENet.COMPRESS_RANGE_CODER if name == "enet_coder" else NetworkedMultiplayerENet.COMPRESS_NONE
			e.set_bind_ip("127.0.0.1")
			e.create_server(port, 4)
			polled = e
			serve_packets(name, e, e)
			linger()
			e.close_connection()

func _came(id, _protocol, ids):
	ids.append(id)

func _init():
	limit = OS.get_ticks_msec() + 50000
	var args = OS.get_cmdline_args()
	while args[0] != "client" and args[0] != "server":
		args.remove(0)
	var cert = X509Certificate.new()
	cert.load(args[2])
	var first = 3
	var key = CryptoKey.new()
	if args[0] == "server":
		key.load(args[3])
		first = 4
	for i in range(first, args.size()):
		var part = args[i].split("=")
		if args[0] == "client":
			client(part[0], int(part[1]), cert)
		else:
			server(part[0], int(part[1]), cert, key)
	var out = File.new()
	out.open(args[1], File.WRITE)
	out.store_string(lines.join("\n") + "\n")
	out.close()
	quit()
