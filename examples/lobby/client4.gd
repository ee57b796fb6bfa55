# A player of lobby.cpp, for Godot 4: waits until PARTY players are here, says hello, walks to the goal, and
# leaves when all of them stand there.
#
#     godot --headless -s client4.gd -- tcp|ws PORT NAME PARTY
extends SceneTree

const STEP := Vector2(1, 0.5)
const GOAL := 3 * STEP

var tcp: StreamPeerTCP
var web: WebSocketPeer
var peer: PacketPeer # the same functions for both: put_var, get_var, get_available_packet_count
var my_name: String
var my_id := 0
var party := 1
var players := {} # id: {"id", "name", "at"}
var joining := false
var steps := 0
var pause := 0.0

func _initialize() -> void:
	Engine.max_fps = 60
	var args := OS.get_cmdline_user_args()
	my_name = args[2]
	party = int(args[3])
	if args[0] == "ws":
		web = WebSocketPeer.new()
		web.connect_to_url("ws://127.0.0.1:" + args[1])
		peer = web
	else:
		tcp = StreamPeerTCP.new()
		tcp.connect_to_host("127.0.0.1", int(args[1]))
		# StreamPeerTCP.get_var() would wait for a whole value and halt the game; this one has it or has not.
		var packets := PacketPeerStream.new()
		packets.stream_peer = tcp
		peer = packets

# --- every frame
func _process(delta: float) -> bool: # in a Node: without the result
	poll()
	if is_closed():
		return true # ends the program
	if not is_open():
		return false
	if not joining:
		joining = true
		peer.put_var({"type": "join", "name": my_name})
	while peer.get_available_packet_count() > 0:
		received(peer.get_var())
	pause -= delta
	if my_id in players and players.size() >= party and pause <= 0 and steps < 3:
		if steps == 0:
			peer.put_var({"type": "say", "text": "hello, I am " + my_name})
		steps += 1
		pause = 0.1
		peer.put_var({"type": "move", "to": steps * STEP})
	return false
# ---

func received(message: Dictionary) -> void:
	match message.type:
		"welcome":
			my_id = message.id
			for player in message.players:
				players[player.id] = player
		"joined":
			players[message.player.id] = message.player
			print("%s joined" % message.player.name)
		"left":
			print("%s left" % players[message.id].name)
			players.erase(message.id)
		"said":
			print("%s says: %s" % [players[message.id].name, message.text])
		"moved":
			players[message.id].at = message.to
			print("%s moved to %.1f, %.1f" % [players[message.id].name, message.to.x, message.to.y])
			if players.size() >= party and players.values().all(func(player): return player.at == GOAL):
				leave()
		"refused":
			print("refused: ", message.why)
			leave()

func poll() -> void:
	if web:
		web.poll()
	else:
		tcp.poll()

func is_open() -> bool:
	if web:
		return web.get_ready_state() == WebSocketPeer.STATE_OPEN
	return tcp.get_status() == StreamPeerTCP.STATUS_CONNECTED

func is_closed() -> bool:
	if web:
		return web.get_ready_state() == WebSocketPeer.STATE_CLOSED
	return tcp.get_status() in [StreamPeerTCP.STATUS_NONE, StreamPeerTCP.STATUS_ERROR]

func leave() -> void:
	if web:
		web.close()
	else:
		tcp.disconnect_from_host()
