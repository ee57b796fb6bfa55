# Reads text and JSON with a Godot 4 engine and writes down, as packets, what it read.
# Run: godot --headless -s rewrite4.gd -- FOLDER/
# FOLDER/jobs.txt: a line "text HEX" or "json HEX" (of UTF-8) each.
extends SceneTree
func _init() -> void:
	var d := OS.get_cmdline_user_args()[0]
	var jobs := FileAccess.open(d + "jobs.txt", FileAccess.READ)
	var results := FileAccess.open(d + "results.txt", FileAccess.WRITE)
	while not jobs.eof_reached():
		var job := jobs.get_line().split(" ")
		if job.size() < 2: continue
		var text := job[1].hex_decode().get_string_from_utf8()
		results.store_line(var_to_bytes(str_to_var(text) if job[0] == "text" else JSON.parse_string(text)).hex_encode())
	results.close()
	quit()
