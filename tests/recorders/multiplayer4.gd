# Records what Godot 4's SceneMultiplayer sends: a server and two clients in one process, joined by peers that write down
# each packet before they hand it over.
# Run: godot --headless -s multiplayer4.gd -- OUT.ndjson
# Lines: {"packet": hex, "from", "to", "mode", "channel"} as it was put, and before the packets of each step {"step": what,
# ...}: for "rpc" also "method", "id" (of the method), "path", "arguments" (var_to_bytes of each, hex), "bytes_only"; for
# "send_bytes", "spawn", "custom_spawn", "sync", "delta", "auth" what was sent, values as var_to_bytes in hex.
extends SceneTree

var out: FileAccess

class Wire extends MultiplayerPeerExtension:
	var file: FileAccess
	var id := 0
	var others := {}
	var queue := []
	var target := 0
	var channel := 0
	var mode := MultiplayerPeer.TRANSFER_MODE_RELIABLE

	func _get_available_packet_count() -> int: return queue.size()
	func _get_connection_status() -> ConnectionStatus: return MultiplayerPeer.CONNECTION_CONNECTED
	func _get_max_packet_size() -> int: return 1 << 24
	func _get_packet_channel() -> int: return queue[0][1]
	func _get_packet_mode() -> TransferMode: return queue[0][2]
	func _get_packet_peer() -> int: return queue[0][0]
	func _get_packet_script() -> PackedByteArray: return queue.pop_front()[3]
	func _get_transfer_channel() -> int: return channel
	func _get_transfer_mode() -> TransferMode: return mode
	func _get_unique_id() -> int: return id
	func _is_refusing_new_connections() -> bool: return false
	func _is_server() -> bool: return id == 1
	func _is_server_relay_supported() -> bool: return true
	func _poll() -> void: pass
	func _close() -> void: pass
	func _disconnect_peer(_peer: int, _force: bool) -> void: pass
	func _set_refuse_new_connections(_enable: bool) -> void: pass
	func _set_target_peer(peer: int) -> void: target = peer
	func _set_transfer_channel(c: int) -> void: channel = c
	func _set_transfer_mode(m: TransferMode) -> void: mode = m
	func _put_packet_script(bytes: PackedByteArray) -> Error:
		file.store_line(JSON.stringify({"packet": bytes.hex_encode(), "from": id, "to": target, "mode": mode, "channel": channel}))
		for other in others:
			if target == 0 or other == target or (target < 0 and other != -target):
				others[other].queue.append([id, channel, mode, bytes])
		return OK

class Caller extends Node:
	@rpc("any_peer") func any(..._arguments: Array) -> void: pass
	@rpc("any_peer", "unreliable", "call_remote", 3) func none() -> void: pass
	@rpc("any_peer") func one(_a: Variant) -> void: pass
	@rpc("authority", "unreliable_ordered") func two(_a: int, _b: String) -> void: pass

var networks := {}
var wires := {}
var callers := {}

func say(step: String, more := {}) -> void:
	more["step"] = step
	out.store_line(JSON.stringify(more))

func hexes(values: Array) -> Array:
	return values.map(func(v): return var_to_bytes(v).hex_encode())

func frames(n := 3) -> void:
	for i in n:
		await process_frame

func host(id: int) -> Node:
	return root.get_node("Host%d" % id)

func make_host(id: int) -> void:
	var node := Node.new()
	node.name = "Host%d" % id
	root.add_child(node)
	var network := SceneMultiplayer.new()
	network.root_path = node.get_path()
	networks[id] = network
	wires[id] = Wire.new()
	wires[id].id = id
	wires[id].file = out
	set_multiplayer(network, node.get_path())
	network.multiplayer_peer = wires[id]

func make_nodes(id: int) -> void:
	var caller := Caller.new()
	caller.name = "Caller"
	callers[id] = caller
	host(id).add_child(caller)
	var level := Node.new()
	level.name = "Level"
	host(id).add_child(level)
	var spawner := MultiplayerSpawner.new()
	spawner.name = "Spawner"
	spawner.spawn_path = ^"../Level"
	spawner.add_spawnable_scene(scene_path)
	spawner.spawn_function = func(data: Variant) -> Node:
		var node := Node2D.new()
		node.set_meta("data", data)
		return node
	host(id).add_child(spawner)

var scene_path := ""

# A Node2D with a MultiplayerSynchronizer: position always, the rest when it changes, "visible" only at spawning.
func make_scene() -> PackedScene:
	var node := Node2D.new()
	node.name = "Player"
	var config := SceneReplicationConfig.new()
	for p in [^".:position", ^".:rotation", ^".:z_index", ^".:modulate", ^".:visible"]:
		config.add_property(p)
		config.property_set_spawn(p, true)
	config.property_set_replication_mode(^".:position", SceneReplicationConfig.REPLICATION_MODE_ALWAYS)
	for p in [^".:rotation", ^".:z_index", ^".:modulate"]:
		config.property_set_replication_mode(p, SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE)
	config.property_set_replication_mode(^".:visible", SceneReplicationConfig.REPLICATION_MODE_NEVER)
	var sync := MultiplayerSynchronizer.new()
	sync.name = "Sync"
	sync.replication_config = config
	node.add_child(sync)
	sync.owner = node
	var scene := PackedScene.new()
	scene.pack(node)
	ResourceSaver.save(scene, scene_path)
	node.free()
	scene = load(scene_path)
	scene_path = scene.resource_path
	return scene

func rpc_step(from: int, to: int, method: String, arguments: Array, node: Node = null) -> void:
	if node == null:
		node = callers[from]
	say("rpc", {"from": from, "to": to, "method": method, "id": ["any", "none", "one", "two"].find(method),
		"path": str(host(from).get_path_to(node)), "arguments": hexes(arguments)})
	node.callv("rpc_id", [to, method] + arguments)
	await frames(2)

func values() -> Array:
	var typed: Array[Vector3] = [Vector3(1, 2, 3), Vector3(4, 5, 6)]
	var pairs: Dictionary[String, int] = {"one": 1, "two": 2}
	return [null, true, false, 0, 1, -1, 127, 128, -128, -129, 32767, 32768, -32768, -32769, 2147483647, 2147483648,
		-2147483648, -2147483649, 9223372036854775807, -9223372036854775807 - 1, 0.5, 0.1, INF, -0.0, 1e300, "", "text",
		"h\u00e9 \u4f60\u597d", &"name", ^"a/b:c:d", ^"/root/x", Vector2(1, 2), Vector2i(-1, 2), Rect2(1, 2, 3, 4),
		Rect2i(1, 2, 3, 4), Vector3(1, 2, 3), Vector3i(1, -2, 3), Transform2D(0.5, Vector2(3, 4)), Vector4(1, 2, 3, 4),
		Vector4i(1, 2, 3, -4), Plane(0, 1, 0, 5), Quaternion(0.1, 0.2, 0.3, 0.9), AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)),
		Basis(Vector3(0, 1, 0), 0.5), Transform3D(Basis(), Vector3(1, 2, 3)), Projection(), Color(0.1, 0.2, 0.3, 0.4), RID(),
		{"a": 1, 2: [3, {"deep": Vector3()}], Vector2i(1, 2): "key"}, [], {}, [1, "two", [3.0, null]],
		PackedByteArray([1, 2, 3]), PackedInt32Array([1, -2]), PackedInt64Array([1 << 40]), PackedFloat32Array([0.5]),
		PackedFloat64Array([0.1]), PackedStringArray(["a", "", "\u00e9"]), PackedVector2Array([Vector2(1, 2)]),
		PackedVector3Array([Vector3(1, 2, 3)]), PackedColorArray([Color(1, 0, 0)]), PackedVector4Array([Vector4(1, 2, 3, 4)]),
		PackedByteArray(), typed, pairs]

func connect_all() -> void:
	for client in [20, 300000]:
		wires[1].others[client] = wires[client]
		wires[client].others[1] = wires[1]
		say("connect", {"client": client})
		wires[1].peer_connected.emit(client)
		wires[client].peer_connected.emit(1)
		await frames()

func authenticate() -> void:
	for id in networks:
		var network: SceneMultiplayer = networks[id]
		network.auth_callback = func(peer: int, data: PackedByteArray) -> void:
			if data.get_string_from_ascii() == "again" or id == 1:
				network.complete_auth(peer)
			else:
				network.send_auth(peer, "secret".to_ascii_buffer())
				network.complete_auth(peer)
		network.peer_authenticating.connect(func(peer: int) -> void:
			if id == 1:
				network.send_auth(peer, "who are you?".to_ascii_buffer()))

func calls() -> void:
	var all := values()
	await rpc_step(1, 0, "none", [])
	for value in all:
		await rpc_step(1, 20, "one", [value])
	await rpc_step(20, 1, "none", [])
	await rpc_step(20, 1, "one", [true])
	await rpc_step(20, 300000, "one", ["relayed"])
	await rpc_step(20, 300000, "one", ["relayed again"])
	await rpc_step(20, -300000, "one", ["all but one"])
	await rpc_step(1, 0, "two", [7, "seven"])
	for n in [0, 1, 2, 3, 10, all.size()]:
		await rpc_step(1, 0, "any", all.slice(0, n))
	await rpc_step(1, 0, "any", [PackedByteArray([0, 255])])
	await rpc_step(1, 0, "any", [PackedByteArray([1]), 2])
	await rpc_step(1, 0, "any", range(255))
	# Node ids above 255: their width in the packet grows.
	for i in 300:
		for id in networks:
			var node := Caller.new()
			node.name = "N%d" % i
			host(id).add_child(node)
	for i in 300:
		var node := host(1).get_node("N%d" % i)
		if i % 50 == 0 or i > 296:
			await rpc_step(1, 20, "one", [i], node)
			await rpc_step(1, 20, "one", [i], node)
		else:
			say("confirm", {"path": "N%d" % i})
			node.rpc_id(20, "none")
			await frames(1)
	var freed := Node.new()
	freed.free()
	say("freed", {"arguments": hexes([null])})
	callers[1].rpc_id(20, "one", freed)
	await frames()
	say("freed", {"arguments": hexes([1, null])})
	callers[1].rpc_id(20, "any", 1, freed)
	await frames()

func bytes() -> void:
	for size in [1, 2, 100]:
		var data := PackedByteArray()
		for i in size:
			data.append(i * 7 % 256)
		say("send_bytes", {"bytes": data.hex_encode(), "from": 1})
		networks[1].send_bytes(data, 20)
		await frames(1)

func replication(scene: PackedScene) -> void:
	var spawner := host(1).get_node("Spawner") as MultiplayerSpawner
	var data := {"kind": "orc", "at": Vector2(3, 4)}
	for value in [data, null, 5, true, PackedByteArray([1, 2])]:
		say("custom_spawn", {"data": hexes([value])[0]})
		var made := spawner.spawn(value)
		await frames()
		say("despawn")
		made.free()
		await frames()
	var player := scene.instantiate() as Node2D
	player.name = "Hero"
	player.position = Vector2(1.5, 2.5)
	player.rotation = 0.25
	player.z_index = 77
	player.visible = false
	say("spawn", {"name": "Hero", "state": hexes([player.position, player.rotation, player.z_index, player.modulate,
		player.visible])})
	host(1).get_node("Level").add_child(player)
	await frames()
	for i in 5:
		player.position = Vector2(i, -i)
		say("sync", {"values": hexes([player.position])})
		await frames(1)
	player.z_index = -1000
	say("delta", {"mask": 2, "values": hexes([player.z_index])})
	await frames()
	player.rotation = 1.5
	player.modulate = Color(1, 0, 0)
	say("delta", {"mask": 5, "values": hexes([player.rotation, player.modulate])})
	await frames()
	var second := scene.instantiate() as Node2D
	second.name = "Second"
	second.position = Vector2(9, 9)
	say("spawn", {"name": "Second", "state": hexes([second.position, second.rotation, second.z_index, second.modulate,
		second.visible])})
	host(1).get_node("Level").add_child(second)
	await frames()
	say("sync", {"values": hexes([player.position, second.position])})
	await frames(1)
	say("despawn")
	player.free()
	await frames()
	say("leave")
	wires[1].others.erase(20)
	wires[1].peer_disconnected.emit(20)
	wires[20].peer_disconnected.emit(1)
	await frames()

func _initialize() -> void:
	var path := OS.get_cmdline_user_args()[0]
	out = FileAccess.open(path, FileAccess.WRITE)
	say("start", {"version": Engine.get_version_info()["string"]})
	scene_path = path.get_base_dir() + "/player.tscn"
	await process_frame
	var scene := make_scene()
	for id in [1, 20, 300000]:
		make_host(id)
		make_nodes(id)
	authenticate()
	await connect_all()
	await frames()
	await calls()
	await bytes()
	await replication(scene)
	out.close()
	quit()
