# Reads text and JSON and prints text with a Godot 4 engine and writes down, as packets, the results.
# Run: godot --headless -s live4.gd -- FOLDER/
# FOLDER/jobs.txt: a line "text HEX", "json HEX" (of UTF-8), "print HEX" or "native HEX" (packets) each.
extends SceneTree
func result(kind: String, bytes: PackedByteArray) -> String:
	var value: Variant
	var text := "" if kind == "print" or kind == "native" else bytes.get_string_from_utf8()
	if kind == "print": value = var_to_str(bytes_to_var_with_objects(bytes))
	elif kind == "native": value = JSON.to_native(JSON.parse_string(JSON.stringify(JSON.from_native(bytes_to_var(bytes)))))
	elif kind == "text": value = str_to_var(text)
	else: value = JSON.to_native(JSON.parse_string(text))
	return var_to_bytes(value).hex_encode()
func _init() -> void:
	var d := OS.get_cmdline_user_args()[0]
	var jobs := FileAccess.open(d + "jobs.txt", FileAccess.READ)
	var results := FileAccess.open(d + "results.txt", FileAccess.WRITE)
	while not jobs.eof_reached():
		var job := jobs.get_line().split(" ")
		if job.size() < 2: continue
		results.store_line(result(job[0], job[1].hex_decode()))
	results.close()
	quit()
