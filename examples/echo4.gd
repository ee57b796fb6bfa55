# Godot 4 talking to echo.cpp: one function for each transport, each gives a PacketPeer to put_var and get_var
# with. docs/networking.md shows them.
#
#     godot --headless -s echo4.gd -- [CERTIFICATE] tcp=PORT tls=PORT unix=PATH udp=PORT ws=PORT wss=PORT enet=PORT
#
# In a Node write `await get_tree().process_frame`.
extends SceneTree

var poll := func(): pass # to be called every frame while the connection is used
var certificate: X509Certificate # trusted CA certificate; null: the system's

# --- tcp
func open_tcp(port: int) -> PacketPeer:
	var tcp := StreamPeerTCP.new()
	tcp.connect_to_host("127.0.0.1", port)
	while tcp.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		await process_frame
		tcp.poll()
	poll = tcp.poll
	var peer := PacketPeerStream.new()
	peer.stream_peer = tcp
	return peer
# ---

# --- tls
func open_tls(port: int) -> PacketPeer:
	var tcp := StreamPeerTCP.new()
	tcp.connect_to_host("127.0.0.1", port)
	while tcp.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		await process_frame
		tcp.poll()
	var tls := StreamPeerTLS.new()
	tls.connect_to_stream(tcp, "localhost", TLSOptions.client(certificate))
	while tls.get_status() == StreamPeerTLS.STATUS_HANDSHAKING:
		await process_frame
		tls.poll()
	poll = tls.poll
	var peer := PacketPeerStream.new()
	peer.stream_peer = tls
	return peer
# ---

func open_unix(path: String) -> PacketPeer:
	var socket := StreamPeerUDS.new() # Godot 4.6
	socket.connect_to_host(path)
	while socket.get_status() == StreamPeerSocket.STATUS_CONNECTING:
		await process_frame
		socket.poll()
	poll = socket.poll
	var peer := PacketPeerStream.new()
	peer.stream_peer = socket
	return peer

# --- udp
func open_udp(port: int) -> PacketPeer:
	var peer := PacketPeerUDP.new()
	peer.connect_to_host("127.0.0.1", port)
	return peer
# ---

# --- websocket
func open_ws(port: int) -> PacketPeer:
	return await open_url("ws://127.0.0.1:%d" % port)

func open_wss(port: int) -> PacketPeer:
	return await open_url("wss://127.0.0.1:%d" % port)

func open_url(url: String) -> PacketPeer:
	var peer := WebSocketPeer.new()
	peer.inbound_buffer_size = 1 << 20 # a longer packet would end the connection
	peer.connect_to_url(url, TLSOptions.client(certificate, "localhost") if url.begins_with("wss") else null)
	while peer.get_ready_state() == WebSocketPeer.STATE_CONNECTING:
		await process_frame
		peer.poll()
	poll = peer.poll
	return peer
# ---

# --- enet
var host := ENetConnection.new() # lives as long as the connection; a Callable does not keep it

func open_enet(port: int) -> PacketPeer:
	host.create_host(1, 8)
	var peer := host.connect_to_host("127.0.0.1", port, 8)
	while peer.get_state() != ENetPacketPeer.STATE_CONNECTED:
		await process_frame
		serve()
	poll = serve
	return peer

func serve() -> void:
	while host.service()[0] > ENetConnection.EVENT_NONE: # one event, so one packet, a call
		pass
# ---

func echo(peer: PacketPeer, value: Variant) -> Variant:
	peer.put_var(value)
	while peer.get_available_packet_count() == 0:
		await process_frame
		poll.call()
	return peer.get_var()

func _initialize() -> void:
	Engine.max_fps = 60
	for arg in OS.get_cmdline_user_args():
		if not "=" in arg:
			certificate = load_certificate(arg)
			continue
		var transport := arg.get_slice("=", 0)
		var where := arg.get_slice("=", 1)
		poll = func(): pass
		var peer: PacketPeer = await call("open_" + transport, where if transport == "unix" else int(where))
		print(transport, ": ", await echo(peer, {"hello": transport, "at": Vector2(1, 2)}))
	quit()

func load_certificate(path: String) -> X509Certificate:
	var out := X509Certificate.new()
	out.load(path)
	return out
