# Writes a resource with an InputEventKey for each number in numbers.txt, and their names; or, where
# other.tres is, the names of the keys in it.
# Run: godot3-server --no-window -s script.gd FOLDER/
extends SceneTree
func _init():
	var d = ""
	for x in OS.get_cmdline_args():
		if x.ends_with("/"): d = x
	var file = File.new()
	var keys = []
	if file.file_exists(d + "other.tres"):
		keys = load(d + "other.tres").get_meta("keys")
	else:
		file.open(d + "numbers.txt", File.READ)
		for n in file.get_as_text().split("\n", false):
			var key = InputEventKey.new()
			key.scancode = int(n)
			key.physical_scancode = int(n)
			keys.append(key)
		file.close()
		var made = Resource.new()
		made.set_meta("keys", keys)
		ResourceSaver.save(d + "keys.tres", made)
	file.open(d + "names.txt", File.WRITE)
	for key in keys:
		file.store_line(OS.get_scancode_string(key.scancode) + "|" + OS.get_scancode_string(key.physical_scancode))
	file.close()
	quit()
