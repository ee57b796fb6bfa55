# Records which keys of a Dictionary a real Godot 4.x engine merges.
# Run: godot --headless -s keys4.gd -- KEYS.txt OUT.ndjson
# KEYS.txt: a packet in each line, in hex. Each line out: the numbers of the keys that are merged with that one
extends SceneTree
func _init() -> void:
	var a := OS.get_cmdline_user_args()
	var keys: Array[PackedByteArray] = []
	for l in FileAccess.get_file_as_string(a[0]).split("\n"):
		keys.append(l.hex_decode())
	var head := "1b00000002000000".hex_decode()
	var value := "0200000000000000".hex_decode()
	var out := FileAccess.open(a[1], FileAccess.WRITE)
	for key in keys:
		var merged := []
		for i in keys.size():
			var pairs: Dictionary = bytes_to_var(head + key + value + keys[i] + value)
			if pairs.size() == 1:
				merged.append(i)
		out.store_line(JSON.stringify(merged))
	out.close()
	quit()
