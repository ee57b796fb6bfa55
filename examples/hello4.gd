# The shortest client in Godot 4: sends one value to echo.cpp at tcp://127.0.0.1:4000 and prints the answer.
# docs/networking.md shows it.
#
#     godot --headless -s hello4.gd
# --- first client
extends SceneTree

func _initialize() -> void:
	var tcp := StreamPeerTCP.new()
	tcp.connect_to_host("127.0.0.1", 4000)
	while tcp.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		await process_frame
		tcp.poll()
	tcp.set_no_delay(true)
	tcp.put_var({"hello": "tcp", "at": Vector2(1, 2)})
	print(tcp.get_var()) # waits for the answer
	quit()
# ---
