# Reads what recover wrote, with a Godot 3 engine, as the sound files are read, and writes down what it found.
# Run: godot3-server --no-window -s recover3.gd FOLDER/
# FOLDER/jobs.txt: a line "NAME KIND ARGUMENT" each; %20 in an argument is a space.
# FOLDER/results.txt: a line "NAME HEX HEX ..." each: the values as packets.
extends SceneTree
func key(hex):
	var bytes = PoolByteArray()
	for i in range(0, 64, 2): bytes.append(("0x" + hex.substr(i, 2)).hex_to_int())
	return bytes
func open(path, kind, argument):
	var f = File.new()
	var error = OK
	if kind == "gcpf": error = f.open_compressed(path, File.READ, int(argument))
	elif kind == "pass": error = f.open_encrypted_with_pass(path, File.READ, argument)
	elif kind == "key": error = f.open_encrypted(path, File.READ, key(argument))
	else: error = f.open(path, File.READ)
	return f if error == OK else null
func packet(value): return " " + var2bytes(value).hex_encode()
func json(text):
	var parsed = JSON.parse(text)
	return packet(parsed.result) if parsed.error == OK else " no JSON"
func result(d, job):
	var f = open(d + job[0], job[1], job[2].replace("%20", " "))
	if f == null: return " can't open"
	var found = ""
	if job[1] == "base64": return packet(Marshalls.base64_to_variant(f.get_as_text()))
	if job[1] == "text": return packet(str2var(f.get_as_text()))
	if job[1] == "json": return json(f.get_as_text())
	if job[1] == "lines":
		for line in f.get_as_text().split("\n", false): found += json(line)
		return found
	f.endian_swap = job[2] == "big"
	while f.get_position() < f.get_len(): found += packet(f.get_var())
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
		results.store_line(job[0] + result(d, job))
	results.close()
	quit()
