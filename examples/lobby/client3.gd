# A player of lobby.cpp, for Godot 3: waits until PARTY players are here, says hello, walks to the goal, and
# leaves when all of them stand there.
#
#     godot3-server -s client3.gd tcp|ws PORT NAME PARTY
extends SceneTree

const STEP = Vector2(1, 0.5)
const GOAL = Vector2(3, 1.5)

var tcp
var web
var peer # a PacketPeer; the same functions for both: put_var, get_var, get_available_packet_count
var my_name = ""
var my_id = 0
var party = 1
var players = {} # id: {"id", "name", "at"}
var joining = false
var steps = 0
var pause = 0.0

func _initialize():
	Engine.target_fps = 60
	var args = OS.get_cmdline_args() # all of them, the engine's own first
	var first = args.size() - 4
	my_name = args[first + 2]
	party = int(args[first + 3])
	if args[first] == "ws":
		web = WebSocketClient.new()
		web.connect_to_url("ws://127.0.0.1:" + args[first + 1])
		peer = web.get_peer(1)
	else:
		tcp = StreamPeerTCP.new()
		tcp.connect_to_host("127.0.0.1", int(args[first + 1]))
		# StreamPeerTCP.get_var() would wait for a whole value and halt the game; this one has it or has not.
		peer = PacketPeerStream.new()
		peer.stream_peer = tcp

func _idle(delta): # in a Node: _process
	if web:
		web.poll()
	if is_closed():
		return quit()
	if not is_open():
		return
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

func received(message):
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
			if players.size() >= party and all_at_goal():
				leave()
		"refused":
			print("refused: ", message.why)
			leave()

func all_at_goal():
	for player in players.values():
		if player.at != GOAL:
			return false
	return true

func is_open():
	if web:
		return web.get_connection_status() == NetworkedMultiplayerPeer.CONNECTION_CONNECTED
	return tcp.get_status() == StreamPeerTCP.STATUS_CONNECTED

func is_closed():
	if web:
		return web.get_connection_status() == NetworkedMultiplayerPeer.CONNECTION_DISCONNECTED
	return tcp.get_status() in [StreamPeerTCP.STATUS_NONE, StreamPeerTCP.STATUS_ERROR]

func leave():
	if web:
		web.disconnect_from_host()
	else:
		tcp.disconnect_from_host()
