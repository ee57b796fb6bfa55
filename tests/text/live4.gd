# Reads text and JSON with a Godot 4 engine and writes down, as packets, what it read.
# Run: godot --headless -s live4.gd -- FOLDER/
# FOLDER/jobs.txt: a line "text HEX" or "json HEX" each; the hexadecimal digits are UTF-8.
extends SceneTree
func result(kind: String, text: String) -> String:
	var value: Variant
	if kind == "text": value = str_to_var(text)
	else: value = JSON.to_native(JSON.parse_string(text))
	return var_to_bytes(value).hex_encode()
func _init() -> void:
	var d := OS.get_cmdline_user_args()[0]
	var jobs := FileAccess.open(d + "jobs.txt", FileAccess.READ)
	var results := FileAccess.open(d + "results.txt", FileAccess.WRITE)
	while not jobs.eof_reached():
		var job := jobs.get_line().split(" ")
		if job.size() < 2: continue
		results.store_line(result(job[0], job[1].hex_decode().get_string_from_utf8()))
	results.close()
	quit()
