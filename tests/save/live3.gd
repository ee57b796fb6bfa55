# Reads files that gdvar wrote, with a Godot 3 engine, and writes down what it found.
# Run: godot3-server --no-window -s live3.gd FOLDER/
# FOLDER/jobs.txt: a line "NAME KIND ARGUMENT CONTENT" each, content "records" or "bytes:SIZE";
# %20 in an argument is a space.
extends SceneTree
func key(hex):
	var bytes = PoolByteArray()
	for i in range(0, 64, 2): bytes.append(("0x" + hex.substr(i, 2)).hex_to_int())
	return bytes
func open(path, kind, argument):
	var f = File.new()
	var error = OK
	if kind == "plain": error = f.open(path, File.READ)
	elif kind == "gcpf": error = f.open_compressed(path, File.READ, int(argument))
	elif kind == "pass": error = f.open_encrypted_with_pass(path, File.READ, argument)
	elif kind == "key": error = f.open_encrypted(path, File.READ, key(argument))
	return f if error == OK else null
func result(d, job):
	if job[1] == "raw":
		var packed = File.new()
		packed.open(d + job[0], File.READ)
		return packed.get_buffer(packed.get_len()).decompress(int(job[3].split(":")[1]), int(job[2])).hex_encode()
	var f = open(d + job[0], job[1], job[2].replace("%20", " "))
	if f == null: return "can't open"
	if job[3] != "records": return f.get_buffer(int(job[3].split(":")[1])).hex_encode()
	f.endian_swap = job[2] == "big"
	var found = ""
	for i in 3: found += var2bytes(f.get_var()).hex_encode() + " "
	return found
func _init():
	var d = ""
	for x in OS.get_cmdline_args():
		if x.ends_with("/"): d = x
	var jobs = File.new()
	jobs.open(d + "jobs.txt", File.READ)
	var results = File.new()
	results.open(d + "results.txt", File.WRITE)
	while true:
		var line = jobs.get_line()
		if line == "": break
		var job = line.split(" ")
		results.store_line(job[0] + " " + result(d, job))
	results.close()
	quit()
