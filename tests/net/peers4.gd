# Godot 4 as the other side of gdvar's endpoints: client of all transports, or a server that echoes.
#   client OUT CERT NAME=PORT_OR_PATH...     server OUT CERT KEY NAME=PORT_OR_PATH...
extends SceneTree

var lines := PackedStringArray()
var limit := 0

func values() -> Array:
	var typed: Array[Vector3] = [Vector3(1, 2, 3), Vector3(4, 5, 6)]
	var typed_names: Array[StringName] = [&"a", &"b"]
	var typed_objects: Array[Resource] = []
	var pairs: Dictionary[String, int] = {"one": 1, "two": 2}
	return [null, true, false, 0, 1, -1, 127, 1 << 40, -9223372036854775808, 0.5, 0.1, INF, -INF, "", "text",
		"h\u00e9 \u4f60\u597d", &"name", ^"a/b:c:d", ^"/root/x", Vector2(1, 2), Vector2i(-1, 2), Rect2(1, 2, 3, 4),
		Rect2i(1, 2, 3, 4), Vector3(1, 2, 3), Vector3i(1, -2, 3), Transform2D(0.5, Vector2(3, 4)), Vector4(1, 2, 3, 4),
		Vector4i(1, 2, 3, -4), Plane(0, 1, 0, 5), Quaternion(0.1, 0.2, 0.3, 0.9), AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)),
		Basis(Vector3(0, 1, 0), 0.5), Transform3D(Basis(), Vector3(1, 2, 3)), Projection(), Color(0.1, 0.2, 0.3, 0.4), RID(),
		Callable(), Signal(), {"a": 1, 2: [3, {"deep": Vector3()}], Vector2i(1, 2): "key"}, [], {}, [1, "two", [3.0, null]],
		PackedByteArray([1, 2, 3]), PackedInt32Array([1, -2]), PackedInt64Array([1 << 40]), PackedFloat32Array([0.5]),
		PackedFloat64Array([0.1]), PackedStringArray(["a", "", "\u00e9"]), PackedVector2Array([Vector2(1, 2)]),
		PackedVector3Array([Vector3(1, 2, 3)]), PackedColorArray([Color(1, 0, 0)]), PackedVector4Array([Vector4(1, 2, 3, 4)]),
		typed, typed_names, typed_objects, pairs]

func late() -> bool:
	return Time.get_ticks_msec() > limit

# Waits until `done` says so.
func until(done: Callable) -> bool:
	while not done.call():
		if late():
			return false
		OS.delay_msec(1)
	return true

func say(line: String) -> void:
	lines.append(line)

func compare(name: String, sent: Variant, got: Variant) -> bool:
	if var_to_bytes(sent) == var_to_bytes(got):
		return true
	say("%s: %s came back as %s" % [name, var_to_str(sent), var_to_str(got)])
	return false

func stream_round(name: String, s: StreamPeer) -> void:
	var good := 0
	for value in values():
		s.put_var(value)
		if compare(name, value, s.get_var()):
			good += 1
	s.put_var(Resource.new(), true)
	say("%s %d %s" % [name, good, s.get_var()])

func packet_round(name: String, p: PacketPeer, poll: Callable) -> void:
	var good := 0
	var ready := func():
		poll.call()
		return p.get_available_packet_count() > 0
	for value in values():
		p.put_var(value)
		if not until(ready):
			say("%s: no answer to %s" % [name, var_to_str(value)])
			return
		if compare(name, value, p.get_var()):
			good += 1
	p.put_var(Resource.new(), true)
	if not until(ready):
		say(name + ": no answer to an object")
		return
	say("%s %d %s" % [name, good, p.get_var()])

func connected_tcp(port: int) -> StreamPeerTCP:
	var t := StreamPeerTCP.new()
	t.connect_to_host("127.0.0.1", port)
	until(func():
		t.poll()
		return t.get_status() != StreamPeerTCP.STATUS_CONNECTING)
	t.set_no_delay(true) # put_var sends a length and a packet: each would wait for the other's answer
	return t

func client(name: String, where: String, cert: X509Certificate) -> void:
	var port := int(where)
	match name:
		"tcp", "tcp_big":
			var t := connected_tcp(port)
			t.big_endian = name == "tcp_big"
			stream_round(name, t)
			t.disconnect_from_host()
		"packets":
			var t := connected_tcp(port)
			t.big_endian = true # must not matter
			var p := PacketPeerStream.new()
			p.stream_peer = t
			packet_round(name, p, func(): t.poll())
		"tls":
			var t := connected_tcp(port)
			var s := StreamPeerTLS.new()
			s.connect_to_stream(t, "localhost", TLSOptions.client(cert))
			until(func():
				s.poll()
				return s.get_status() != StreamPeerTLS.STATUS_HANDSHAKING)
			if s.get_status() != StreamPeerTLS.STATUS_CONNECTED:
				say("tls: status %d" % s.get_status())
				return
			stream_round(name, s)
		"unix":
			if not ClassDB.class_exists("StreamPeerUDS"):
				say("unix: this engine has no StreamPeerUDS")
				return
			var u: StreamPeer = ClassDB.instantiate("StreamPeerUDS")
			u.call("connect_to_host", where)
			until(func():
				u.call("poll")
				return u.call("get_status") != 1)
			stream_round(name, u)
		"udp":
			var p := PacketPeerUDP.new()
			p.connect_to_host("127.0.0.1", port)
			packet_round(name, p, func(): pass)
		"ws", "wss":
			var w := WebSocketPeer.new()
			w.inbound_buffer_size = 1 << 20
			w.outbound_buffer_size = 1 << 20
			if name == "ws":
				w.connect_to_url("ws://127.0.0.1:%d/game" % port)
			else:
				w.connect_to_url("wss://127.0.0.1:%d/game" % port, TLSOptions.client(cert, "localhost"))
			until(func():
				w.poll()
				return w.get_ready_state() != WebSocketPeer.STATE_CONNECTING)
			packet_round(name, w, func(): w.poll())
			w.close()
			until(func():
				w.poll()
				return w.get_ready_state() == WebSocketPeer.STATE_CLOSED)
			say("%s closed %d" % [name, w.get_close_code()])
		"enet", "enet_coder":
			var host := ENetConnection.new()
			host.create_host(1, 4)
			if name == "enet_coder":
				host.compress(ENetConnection.COMPRESS_RANGE_CODER)
			var p := host.connect_to_host("127.0.0.1", port, 4, 4711)
			var event := []
			until(func():
				event = host.service(1)
				return p.get_state() == ENetPacketPeer.STATE_CONNECTED)
			packet_round(name, p, func(): host.service(0))
			p.peer_disconnect()
			until(func():
				host.service(1)
				return p.get_state() == ENetPacketPeer.STATE_DISCONNECTED)

# One connection of each transport: everything comes back; the String "quit" ends it.
func serve_stream(name: String, s: StreamPeer) -> void:
	var count := 0
	while not late():
		var value: Variant = s.get_var()
		if value is String and value == "quit":
			break
		s.put_var(value)
		count += 1
	say("%s served %d" % [name, count])

func serve_packets(name: String, p: PacketPeer, poll: Callable) -> void:
	var count := 0
	var ready := func():
		poll.call()
		return p.get_available_packet_count() > 0
	while until(ready):
		var value: Variant = p.get_var()
		if value is String and value == "quit":
			break
		p.put_var(value)
		count += 1
	poll.call()
	say("%s served %d" % [name, count])

func accepted(port: int) -> StreamPeerTCP:
	var server := TCPServer.new()
	server.listen(port, "127.0.0.1")
	until(server.is_connection_available)
	var t := server.take_connection()
	server.stop()
	t.set_no_delay(true)
	return t

func server(name: String, where: String, cert: X509Certificate, key: CryptoKey) -> void:
	var port := int(where)
	match name:
		"tcp", "tcp_big":
			var t := accepted(port)
			if t:
				t.big_endian = name == "tcp_big"
				serve_stream(name, t)
		"packets":
			var t := accepted(port)
			var p := PacketPeerStream.new()
			p.output_buffer_max_size = 1 << 20
			p.input_buffer_max_size = 1 << 20
			p.stream_peer = t
			serve_packets(name, p, func(): t.poll())
		"tls":
			var t := accepted(port)
			var s := StreamPeerTLS.new()
			s.accept_stream(t, TLSOptions.server(key, cert))
			until(func():
				s.poll()
				return s.get_status() != StreamPeerTLS.STATUS_HANDSHAKING)
			serve_stream(name, s)
		"unix":
			if not ClassDB.class_exists("UDSServer"):
				say("unix: this engine has no UDSServer")
				return
			var server: Object = ClassDB.instantiate("UDSServer")
			server.call("listen", where)
			until(func(): return server.call("is_connection_available"))
			serve_stream(name, server.call("take_connection"))
		"udp":
			var server := UDPServer.new()
			server.listen(port, "127.0.0.1")
			until(func():
				server.poll()
				return server.is_connection_available())
			serve_packets(name, server.take_connection(), func(): server.poll())
		"ws", "wss":
			var stream: StreamPeer = accepted(port)
			if name == "wss":
				var s := StreamPeerTLS.new()
				s.accept_stream(stream, TLSOptions.server(key, cert))
				until(func():
					s.poll()
					return s.get_status() != StreamPeerTLS.STATUS_HANDSHAKING)
				stream = s
			var w := WebSocketPeer.new()
			w.inbound_buffer_size = 1 << 20
			w.outbound_buffer_size = 1 << 20
			w.accept_stream(stream)
			serve_packets(name, w, func(): w.poll())
			w.close()
			until(func():
				w.poll()
				return w.get_ready_state() == WebSocketPeer.STATE_CLOSED)
		"enet", "enet_coder":
			var host := ENetConnection.new()
			host.create_host_bound("127.0.0.1", port, 4, 4)
			if name == "enet_coder":
				host.compress(ENetConnection.COMPRESS_RANGE_CODER)
			var state := {"peer": null}
			until(func():
				var event: Array = host.service(1)
				if event[0] == ENetConnection.EVENT_CONNECT:
					state.peer = event[1]
				return state.peer != null)
			serve_packets(name, state.peer, func(): host.service(0))
			var end := Time.get_ticks_msec() + 300
			while Time.get_ticks_msec() < end:
				host.service(1)

func _init() -> void:
	limit = Time.get_ticks_msec() + 50000
	var args := OS.get_cmdline_user_args()
	var cert := X509Certificate.new()
	cert.load(args[2])
	var first := 3
	var key := CryptoKey.new()
	if args[0] == "server":
		key.load(args[3])
		first = 4
	for i in range(first, args.size()):
		var part := args[i].split("=")
		if args[0] == "client":
			client(part[0], part[1], cert)
		else:
			server(part[0], part[1], cert, key)
	var out := FileAccess.open(args[1], FileAccess.WRITE)
	out.store_string("\n".join(lines) + "\n")
	out.close()
	quit()
