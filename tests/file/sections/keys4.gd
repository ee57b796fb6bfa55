# As keys3.gd.
# Run: godot --headless -s script.gd -- FOLDER/
extends SceneTree
func _init() -> void:
	var d := OS.get_cmdline_user_args()[0]
	var keys := []
	if FileAccess.file_exists(d + "other.tres"):
		keys = load(d + "other.tres").get_meta("keys")
	else:
		for n in FileAccess.get_file_as_string(d + "numbers.txt").split("\n", false):
			var key := InputEventKey.new()
			key.keycode = int(n) as Key
			key.physical_keycode = int(n) as Key
			keys.append(key)
		var made := Resource.new()
		made.set_meta("keys", keys)
		ResourceSaver.save(made, d + "keys.tres")
	var file := FileAccess.open(d + "names.txt", FileAccess.WRITE)
	for key in keys:
		file.store_line(OS.get_keycode_string(key.keycode) + "|" + OS.get_keycode_string(key.physical_keycode))
	file.close()
	quit()
