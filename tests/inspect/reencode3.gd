# Reads packets that gdvar wrote, with a Godot 3 engine, and writes what it makes of them.
# Run: godot3-server --no-window -s script.gd FOLDER/ (values.bin: a length and a packet each)
extends SceneTree
func _init():
	var d = ""
	for x in OS.get_cmdline_args():
		if x.ends_with("/"): d = x
	var from = File.new()
	from.open(d + "values.bin", File.READ)
	var to = File.new()
	to.open(d + "engine.bin", File.WRITE)
	while from.get_position() < from.get_len():
		var b = var2bytes(from.get_var())
		to.store_32(b.size())
		to.store_buffer(b)
	to.close()
	quit()
