# A server of Godot 3's NetworkedMultiplayerENet for multiplayer3.cpp, which see: waits for two clients and calls them.
extends SceneTree

var node

func values():
	return [null, true, false, 0, 1, -1, 127, 1 << 40, 0.5, 0.1, "", "text", "h\u00e9 \u4f60\u597d",
		Vector2(1, 2), Rect2(1, 2, 3, 4), Vector3(1, 2, 3),
		Transform2D(0.5, Vector2(3, 4)), Plane(0, 1, 0, 5), Quat(0.1, 0.2, 0.3, 0.9), AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)),
		Basis(Vector3(0, 1, 0), 0.5), Transform(Basis(), Vector3(1, 2, 3)), Color(0.1, 0.2, 0.3, 0.4),
		{"a": 1, 2: [3, {"deep": Vector3()}], Vector2(1, 2): "key"}, [], {}, [1, "two", [3.0, null]],
		PoolByteArray([1, 2, 3]), PoolIntArray([1, -2]), PoolRealArray([0.5]), PoolStringArray(["a", "", "b"]),
		PoolVector2Array([Vector2(1, 2)]), PoolVector3Array([Vector3(1, 2, 3)]), PoolColorArray([Color(1, 0, 0)])]

func hexes(list):
	var out = []
	for v in list:
		out.append(var2bytes(v).hex_encode())
	return out

func step(to, what):
	multiplayer.send_bytes(JSON.print(what).to_utf8(), to)

func pause(seconds = 0.03):
	return create_timer(seconds)

func call_step(to, method, arguments):
	step(to, {"step": "rpc", "method": method, "path": str(root.get_path_to(node)), "arguments": hexes(arguments)})
	node.callv("rpc_id", [to, method] + arguments)

func run():
	while get_network_connected_peers().size() < 2:
		yield(pause(), "timeout")
	var all = values()
	call_step(2, "first", [])
	yield(pause(0.2), "timeout")
	for value in all:
		call_step(2, "one", [value])
		step(2, {"step": "rset", "property": "some_value", "path": str(root.get_path_to(node)), "value": hexes([value])[0]})
		node.rset_id(2, "some_value", value)
		yield(pause(), "timeout")
	for n in [0, 1, 2, 3, all.size()]:
		call_step(0, "any", all.slice(0, n - 1) if n else [])
		yield(pause(), "timeout")
	step(2, {"step": "unreliable", "method": "place", "arguments": hexes([Vector2(1, 2)])})
	node.rpc_unreliable_id(2, "place", Vector2(1, 2))
	yield(pause(), "timeout")
	call_step(-3, "all_but_one", [3])
	yield(pause(), "timeout")
	step(3, {"step": "leave"})
	yield(pause(0.3), "timeout")
	network_peer.close_connection()
	yield(pause(0.2), "timeout")
	quit()

func _initialize():
	var server = NetworkedMultiplayerENet.new()
	server.compression_mode = NetworkedMultiplayerENet.COMPRESS_NONE
	server.create_server(int(OS.get_cmdline_args()[-1]), 8)
	network_peer = server
	var level = Node.new()
	level.name = "Level"
	root.add_child(level)
	node = Node.new()
	node.name = "Caller"
	level.add_child(node)
	run()
