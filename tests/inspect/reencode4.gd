# Reads packets that gdvar wrote, with a Godot 4 engine, and writes what it makes of them.
# Run: godot --headless -s script.gd -- FOLDER/ (values.bin: a length and a packet each)
extends SceneTree
func _init() -> void:
	var d := OS.get_cmdline_user_args()[0]
	var from := FileAccess.open(d + "values.bin", FileAccess.READ)
	var to := FileAccess.open(d + "engine.bin", FileAccess.WRITE)
	while from.get_position() < from.get_length():
		var b := var_to_bytes(bytes_to_var(from.get_buffer(from.get_32())))
		to.store_32(b.size())
		to.store_buffer(b)
	to.close()
	quit()
