# Reads what recover wrote, with a Godot 4 engine, as the sound files are read, and writes down what it found.
# Run: godot --headless -s recover4.gd -- FOLDER/
# FOLDER/jobs.txt, results.txt: as for recover3.gd.
extends SceneTree
func open(path: String, kind: String, argument: String) -> FileAccess:
	match kind:
		"gcpf": return FileAccess.open_compressed(path, FileAccess.READ, int(argument))
		"pass": return FileAccess.open_encrypted_with_pass(path, FileAccess.READ, argument)
		"key": return FileAccess.open_encrypted(path, FileAccess.READ, argument.hex_decode())
	return FileAccess.open(path, FileAccess.READ)
func packet(value) -> String: return " " + var_to_bytes(value).hex_encode()
func json(text: String) -> String:
	var parser := JSON.new()
	return packet(parser.data) if parser.parse(text) == OK else " no JSON"
func result(d: String, job: PackedStringArray) -> String:
	var f := open(d + job[0], job[1], job[2].replace("%20", " "))
	if f == null: return " can't open"
	var found := ""
	match job[1]:
		"base64": return packet(Marshalls.base64_to_variant(f.get_as_text()))
		"text": return packet(str_to_var(f.get_as_text()))
		"json": return json(f.get_as_text())
		"lines":
			for line in f.get_as_text().split("\n", false): found += json(line)
			return found
	f.big_endian = job[2] == "big"
	while f.get_position() < f.get_length(): found += packet(f.get_var())
	return found
func _init() -> void:
	var d := OS.get_cmdline_user_args()[0]
	var results := FileAccess.open(d + "results.txt", FileAccess.WRITE)
	for line in FileAccess.get_file_as_string(d + "jobs.txt").split("\n", false):
		var job := line.split(" ")
		results.store_line(job[0] + result(d, job))
	results.close()
	quit()
