# Records what JSON.parse of a real Godot 3.x engine makes of documents.
# Run: godot3-server -s json3.gd DOCUMENTS.txt OUT.ndjson
# DOCUMENTS.txt: a document in each line, in hex. Each line out: the packet of the value in hex; "" if it is refused
extends SceneTree
func bytes_of(hex):
	var out = PoolByteArray()
	for i in range(0, hex.length(), 2):
		out.append(("0x" + hex.substr(i, 2)).hex_to_int())
	return out
func _init():
	var a = []
	for x in OS.get_cmdline_args():
		if x.ends_with(".txt") or x.ends_with(".ndjson"): a.append(x)
	var f = File.new()
	f.open(a[0], File.READ)
	var out = File.new()
	out.open(a[1], File.WRITE)
	for l in f.get_as_text().split("\n"):
		var done = JSON.parse(bytes_of(l).get_string_from_utf8())
		out.store_line(JSON.print(var2bytes(done.result).hex_encode() if done.error == OK else ""))
	out.close()
	quit()
