# Writes and reads the saves of tests/data/stacks/stacks.json with a Godot 4.x engine, as stacks3.gd does with Godot 3.x.
#   godot --headless --path DIR -s stacks4.gd -- make DIR/
#   godot --headless --path DIR -s stacks4.gd -- load DIR/
extends SceneTree

const HERO = "extends Resource\n@export var hp = 0\n@export var name = \"\"\n@export var items = []\n@export var alive = false\n@export var speed = 0.0\n@export var pos = Vector2()\n@export var raw = PackedByteArray()\n@export var tint = Color()\n"
const MODES = {"gcpf-fastlz": FileAccess.COMPRESSION_FASTLZ, "gcpf-deflate": FileAccess.COMPRESSION_DEFLATE, "gcpf-zstd": FileAccess.COMPRESSION_ZSTD, "gcpf-gzip": FileAccess.COMPRESSION_GZIP}
const STREAMS = {"zlib": FileAccess.COMPRESSION_DEFLATE, "zstd": FileAccess.COMPRESSION_ZSTD, "gzip": FileAccess.COMPRESSION_GZIP}
const PASSWORD = "correct horse"
var folder = ""

func key():
	var bytes = PackedByteArray()
	for i in range(32): bytes.append(i * 7 % 256)
	return bytes

func open(path, way, mode):
	if way == "plain": return FileAccess.open(path, mode)
	elif way == "pass": return FileAccess.open_encrypted_with_pass(path, mode, PASSWORD)
	elif way == "key": return FileAccess.open_encrypted(path, mode, key())
	return FileAccess.open_compressed(path, mode, MODES[way])

func bytes_of(path):
	var f = open(path, "plain", FileAccess.READ)
	var bytes = f.get_buffer(f.get_length())
	f.close()
	return bytes

func put(path, bytes):
	var f = open(path, "plain", FileAccess.WRITE)
	f.store_buffer(bytes)
	f.close()

# ---- values
func sample(row):
	var steps = row.how
	var plain = steps[0] == "json" or steps[1] == "json" if steps.size() > 1 else false
	var out = {"hp": 7, "name": "Ada", "items": [1, 2, 3], "alive": true, "speed": 1.5}
	if not plain:
		out.pos = Vector2(1.5, -2)
		out.raw = PackedByteArray([1, 2, 255])
		out.tint = Color(0.5, 0.25, 1, 1)
	return out

func edited(row, to):
	var value = sample(row)
	if to != null:
		value[row.path.get_extension()] = int(to) if typeof(to) == TYPE_FLOAT else to
	if not row.how.has("several"): return value
	var first = sample(row)
	first.hp = 1
	var last = sample(row)
	last.name = "Zoë"
	return [first, value, last]

func config_of(value):
	var c = ConfigFile.new()
	for name in value: c.set_value("player", name, value[name])
	c.set_value("meta", "version", 3)
	return c

func value_of(c):
	var out = {}
	for name in c.get_section_keys("player"): out[name] = c.get_value("player", name)
	return out

# ---- steps from a value to what is stored, and back
func forward(x, step):
	match step:
		"json": return JSON.stringify(x)
		"text": return var_to_str(x)
		"bytes": return var_to_bytes(x)
		"utf8": return x.to_utf8_buffer()
		"base64": return Marshalls.raw_to_base64(x)
		"base64-variant": return Marshalls.variant_to_base64(x)
		"hex": return x.hex_encode()
		"data": return {"version": 3, "data": x}
		"file-pass-string", "file-zstd-var":
			var f = open(folder + "tmp", "pass" if step == "file-pass-string" else "gcpf-zstd", FileAccess.WRITE)
			if step == "file-pass-string": f.store_string(x)
			else: f.store_var(x)
			f.close()
			return bytes_of(folder + "tmp")
		"config-text":
			config_of(x).save(folder + "tmp.cfg")
			return bytes_of(folder + "tmp.cfg").get_string_from_utf8()
	return x.compress(STREAMS[step])

func backward(x, step):
	match step:
		"json": return JSON.parse_string(x)
		"text": return str_to_var(x)
		"bytes": return bytes_to_var(x)
		"utf8": return x.get_string_from_utf8()
		"base64": return Marshalls.base64_to_raw(x)
		"base64-variant": return Marshalls.base64_to_variant(x)
		"hex": return x.hex_decode()
		"data": return x.data
		"file-pass-string", "file-zstd-var":
			put(folder + "tmp", x)
			var f = open(folder + "tmp", "pass" if step == "file-pass-string" else "gcpf-zstd", FileAccess.READ)
			return f.get_as_text() if step == "file-pass-string" else f.get_var()
		"config-text":
			put(folder + "tmp.cfg", x.to_utf8_buffer())
			var c = ConfigFile.new()
			return value_of(c) if c.load(folder + "tmp.cfg") == OK else null
	if step == "brotli": return x.decompress_dynamic(-1, FileAccess.COMPRESSION_BROTLI)
	return x.decompress(65536, STREAMS[step])

# ---- files
func store(f, x, step):
	match step:
		"var": f.store_var(x)
		"string": f.store_string(x)
		"line": f.store_line(x)
		"pascal": f.store_pascal_string(x)
		"buffer": f.store_buffer(x)

func stored(f, step):
	match step:
		"var": return f.get_var()
		"string": return f.get_as_text()
		"line": return f.get_line()
		"pascal": return f.get_pascal_string()
	return f.get_buffer(f.get_length())

func make(row, value, path):
	var last = row.how[row.how.size() - 1]
	if last == "config":
		var c = config_of(value)
		match row.open:
			"plain": return c.save(path)
			"pass": return c.save_encrypted_pass(path, PASSWORD)
			"key": return c.save_encrypted(path, key())
	if last in ["tres", "res"]:
		var r = load("res://hero.gd").new()
		for name in value: r.set(name, value[name])
		return ResourceSaver.save(r, path)
	var f = open(path, row.open, FileAccess.WRITE)
	for each in value if row.how.has("several") else [value]:
		var x = each
		for step in row.how:
			if not step in ["several", last]: x = forward(x, step)
		store(f, x, last)
	f.close()

func read(row, path):
	var last = row.how[row.how.size() - 1]
	if last == "config":
		var c = ConfigFile.new()
		var error = OK
		match row.open:
			"plain": error = c.load(path)
			"pass": error = c.load_encrypted_pass(path, PASSWORD)
			"key": error = c.load_encrypted(path, key())
		return value_of(c) if error == OK else null
	if last in ["tres", "res"]:
		var r = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
		if r == null: return null
		var found = {}
		for name in sample(row): found[name] = r.get(name)
		return found
	var f = open(path, row.open, FileAccess.READ)
	if f == null: return null
	var out = []
	for i in range(3 if row.how.has("several") else 1):
		var x = stored(f, last)
		var steps = row.how.duplicate()
		steps.pop_back()
		steps.reverse()
		for step in steps:
			if step != "several" and x != null: x = backward(x, step)
		out.append(x)
	return out if row.how.has("several") else out[0]

# ---- the same text for the same value, whatever the order of its pairs
func shown(x):
	if typeof(x) == TYPE_ARRAY:
		var parts = PackedStringArray()
		for each in x: parts.append(shown(each))
		return "[" + ", ".join(parts) + "]"
	if typeof(x) == TYPE_DICTIONARY:
		var names = x.keys().map(func(name): return str(name))  # StringNames are sorted by their addresses
		names.sort()
		var parts = PackedStringArray()
		for name in names: parts.append(name + ": " + shown(x[name]))
		return "{" + ", ".join(parts) + "}"
	return var_to_str(x)

func table(name):
	return JSON.parse_string(bytes_of(folder + name).get_string_from_utf8())

func extension(row):
	var last = row.how[row.how.size() - 1]
	return last if last in ["tres", "res"] else "save"

func _init():
	var mode = ""
	for x in OS.get_cmdline_user_args():
		if x.ends_with("/"): folder = x
		if x in ["make", "load"]: mode = x
	put(folder + "hero.gd", HERO.to_utf8_buffer())
	var rows = {}
	for row in table("stacks.json"): rows[row.name] = row
	var out = open(folder + ("made.ndjson" if mode == "make" else "results.ndjson"), "plain", FileAccess.WRITE)
	if mode == "make":
		for row in rows.values():
			if row.has("by_gdvar"): continue
			var path = "res://" + row.name + "." + extension(row)
			make(row, edited(row, null), path)
			out.store_line(JSON.stringify({"name": row.name, "bytes": bytes_of(path).hex_encode()}))
	else:
		for job in table("jobs.json"):
			var row = rows[job.row]
			var path = "res://expected-" + row.name + "." + extension(row)
			var expected = edited(row, job.to)
			if row.has("by_gdvar"):
				if row.how[0] == "json": expected = backward(forward(expected, "json"), "json")
			else:
				make(row, expected, path)
				expected = read(row, path)
			out.store_line(JSON.stringify({"file": job.file, "value": shown(read(row, "res://" + job.file)), "expected": shown(expected)}))
	out.close()
	quit()
