# Records which keys of a Dictionary a real Godot 3.x engine merges.
# Run: godot3-server -s keys3.gd KEYS.txt OUT.ndjson
# KEYS.txt: a packet in each line, in hex. Each line out: the numbers of the keys that are merged with that one
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
	var keys = []
	for l in f.get_as_text().split("\n"):
		keys.append(bytes_of(l))
	var head = bytes_of("1200000002000000")
	var value = bytes_of("0200000000000000")
	var out = File.new()
	out.open(a[1], File.WRITE)
	for key in keys:
		var merged = []
		for i in range(keys.size()):
			if bytes2var(head + key + value + keys[i] + value).size() == 1:
				merged.append(i)
		out.store_line(JSON.print(merged))
	out.close()
	quit()
