# Reads text and JSON with a Godot 3 engine and writes down, as packets, what it read.
# Run: godot3-server --no-window -s rewrite3.gd FOLDER/
# FOLDER/jobs.txt: a line "text HEX" or "json HEX" (of UTF-8) each.
extends SceneTree
func unhex_text(digits):
	var bytes = PoolByteArray()
	for i in range(0, digits.length(), 2):
		bytes.append("0123456789abcdef".find(digits[i]) * 16 + "0123456789abcdef".find(digits[i + 1]))
	return bytes.get_string_from_utf8()
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
		var text = unhex_text(job[1])
		results.store_line(var2bytes(str2var(text) if job[0] == "text" else JSON.parse(text).result).hex_encode())
	results.close()
	quit()
