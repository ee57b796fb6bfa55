# Reads text with a Godot 3 engine and writes down, as packets, what it read.
# Run: godot3-server --no-window -s live3.gd FOLDER/
# FOLDER/jobs.txt: a line "text HEX" each; the hexadecimal digits are UTF-8.
extends SceneTree
func unhex(digits):
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
		results.store_line(var2bytes(str2var(unhex(job[1]))).hex_encode())
	results.close()
	quit()
