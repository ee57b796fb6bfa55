# Reads and prints text with a Godot 3 engine and writes down, as packets, what it read or printed.
# Run: godot3-server --no-window -s live3.gd FOLDER/
# FOLDER/jobs.txt: a line "text HEX" (of UTF-8) or "print HEX" (a packet) each.
extends SceneTree
func unhex_bytes(digits):
	var bytes = PoolByteArray()
	for i in range(0, digits.length(), 2):
		bytes.append("0123456789abcdef".find(digits[i]) * 16 + "0123456789abcdef".find(digits[i + 1]))
	return bytes
func result(kind, digits):
	var bytes = unhex_bytes(digits)
	if kind == "print": return var2str(bytes2var(bytes))
	return str2var(bytes.get_string_from_utf8())
func _init():
	var d = ""
	for x in OS.get_cmdline_args():
		if x.ends_with("/"): d = x
	var jobs = File.new()
	jobs.open(d + "jobs.txt", File.READ)
	var results = File.new()
	results.open(d + "results.txt", File.WRITE)
	while not jobs.eof_reached():
		var job = jobs.get_line().split(" ")
		if job.size() < 2: continue
		results.store_line(var2bytes(result(job[0], job[1])).hex_encode())
	results.close()
	quit()
