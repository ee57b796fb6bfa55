# Reads files that gdvar wrote, with a Godot 4 engine, and writes down what it found.
# Run: godot --headless -s live4.gd -- FOLDER/
# FOLDER/jobs.txt: as for live3.gd.
extends SceneTree
func open(path: String, kind: String, argument: String) -> FileAccess:
	match kind:
		"gcpf": return FileAccess.open_compressed(path, FileAccess.READ, int(argument))
		"pass": return FileAccess.open_encrypted_with_pass(path, FileAccess.READ, argument)
		"key": return FileAccess.open_encrypted(path, FileAccess.READ, argument.hex_decode())
	return FileAccess.open(path, FileAccess.READ)
func result(d: String, job: PackedStringArray) -> String:
	if job[1] == "raw":
		return FileAccess.get_file_as_bytes(d + job[0]).decompress(int(job[3].split(":")[1]), int(job[2])).hex_encode()
	var f := open(d + job[0], job[1], job[2].replace("%20", " "))
	if f == null: return "can't open"
	if job[3] != "records": return f.get_buffer(int(job[3].split(":")[1])).hex_encode()
	f.big_endian = job[2] == "big"
	var found := ""
	for i in 3: found += var_to_bytes(f.get_var()).hex_encode() + " "
	return found
func _init() -> void:
	var d := OS.get_cmdline_user_args()[0]
	var results := FileAccess.open(d + "results.txt", FileAccess.WRITE)
	for line in FileAccess.get_file_as_string(d + "jobs.txt").split("\n", false):
		var job := line.split(" ")
		results.store_line(job[0] + " " + result(d, job))
	results.close()
	quit()
