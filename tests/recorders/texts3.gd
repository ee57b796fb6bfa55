# Records ConfigFiles and text resources: what a Godot 3.x engine writes, and what it reads from sound, odd and
# damaged ones. The folder that it runs in must be a project (project.godot).
# Run: godot3-server --no-window --path FOLDER -s texts3.gd ODD.ndjson OUT.ndjson SEED
# With 0 as SEED it records the texts of ODD alone. The lines are those of texts4.gd.
extends SceneTree
var out_path = ""
var lines = PoolStringArray()
var rng = RandomNumberGenerator.new()
var number = 0
const BITS = ["(", ")", "[", "]", "{", "}", ",", ":", "\"", "\\", ";", "&", "=", "#", "-", ".", "1", "_", " ", "\n", "null", "[s]\n", "a=1\n", "; x\n", "\\\"", "type", "SubResource( 1 )", "\r\n", "é"]

func hex(b):
	var s = ""
	for x in b: s += "%02x" % x
	return s
func unhex(s):
	var b = PoolByteArray()
	for i in range(0, s.length(), 2): b.append(("0x" + s.substr(i, 2)).hex_to_int())
	return b
func plain(v, subs):
	if typeof(v) == TYPE_OBJECT:
		if v == null: return null
		if v is Resource:
			var p = v.resource_path
			if p.find("::") >= 0:
				var id = p.split("::")[1]
				if not subs.has(id):
					subs[id] = null
					subs[id] = object_view(v, subs)
				return {"#sub": id}
			return {"#ext": p}
		return {"#object": v.get_class()}
	if typeof(v) == TYPE_ARRAY:
		var a = []
		for x in v: a.append(plain(x, subs))
		return a
	if typeof(v) == TYPE_DICTIONARY:
		var d = {}
		for k in v: d[plain(k, subs)] = plain(v[k], subs)
		return d
	return v
func packet(v, subs):
	return hex(var2bytes(plain(v, subs)))
func object_view(r, subs):
	var p = []
	for i in r.get_property_list():
		if i.usage & PROPERTY_USAGE_STORAGE and not i.name in ["script", "_bundled"]:
			p.append([i.name, packet(r.get(i.name), subs)])
	return {"type": r.get_class(), "p": p}
# SceneState crashes for a node without a name.
func named(ps):
	var n = ps.get("_bundled").nodes
	var at = 0
	while at < n.size():
		if n[at + 3] & 0x3FFFF == 0x3FFFF: return false
		at += 6 + 2 * n[at + 5]
		at += 1 + n[at]
	return true
func scene_view(ps, subs):
	if not named(ps): return null
	var s = ps.get_state()
	var nodes = []
	for i in s.get_node_count():
		var p = []
		for j in s.get_node_property_count(i):
			p.append([s.get_node_property_name(i, j), packet(s.get_node_property_value(i, j), subs)])
		var inst = s.get_node_instance(i)
		nodes.append({"n": s.get_node_name(i), "t": s.get_node_type(i), "path": str(s.get_node_path(i)), "i": s.get_node_index(i), "inst": inst.resource_path if inst else "", "ph": s.get_node_instance_placeholder(i), "g": Array(s.get_node_groups(i)), "p": p})
	var connections = []
	for i in s.get_connection_count():
		connections.append([s.get_connection_signal(i), str(s.get_connection_source(i)), str(s.get_connection_target(i)), s.get_connection_method(i), s.get_connection_flags(i), 0, packet(s.get_connection_binds(i), subs)])
	var editable = []
	for x in ps.get("_bundled").get("editable_instances", []): editable.append(str(x))
	return {"nodes": nodes, "connections": connections, "editable": editable}
func resource_view(path):
	var r = ResourceLoader.load(path, "", true)
	if r == null: return null
	var subs = {}
	var main = scene_view(r, subs) if r is PackedScene else object_view(r, subs)
	if main != null: main["sub"] = subs
	return main
func write(path, bytes):
	var f = File.new()
	f.open(path, File.WRITE)
	f.store_buffer(bytes)
	f.close()
func read(path):
	var f = File.new()
	f.open(path, File.READ)
	var b = f.get_buffer(f.get_len())
	f.close()
	return b
func json(line):
	var text = to_json(line)
	for c in range(1, 32): text = text.replace(char(c), "\\u%04x" % c)
	return text.replace("\\\\", char(1)).replace("\\v", "\\u000b").replace(char(1), "\\\\")
func record(kind, bytes, saved = false):
	number += 1
	var line = {"k": kind}
	var t = bytes.get_string_from_utf8()
	var odd = t.to_utf8() != bytes
	for c in bytes:
		if c == 0xED or c > 0xF3: odd = true  # these engines take more for UTF-8 than JSON may hold
	if odd: line["h"] = hex(bytes)
	else: line["t"] = t
	if saved: line["s"] = true
	if kind == "config":
		write("res://case.cfg", bytes)
		var c = ConfigFile.new()
		line["e"] = c.load("res://case.cfg")
		line["v"] = []
		for s in c.get_sections():
			var keys = []
			for k in c.get_section_keys(s): keys.append([k, packet(c.get_value(s, k), {})])
			line["v"].append([s, keys])
	else:
		var path = "res://case%d.%s" % [number, "tscn" if kind == "scene" else "tres"]
		write(path, bytes)
		line["v"] = resource_view(path)
	lines.append(json(line))
func flush():
	var f = File.new()
	f.open(out_path, File.WRITE)
	for l in lines: f.store_line(l)
	f.close()
func values():
	return [true, false, 0, -1, 2147483648, -9223372036854775807, 9223372036854775807, 0.0, -0.0, 0.1, 1.0 / 3, 1e300, 1e-300, 16777217.0, INF, NAN, "", "a\"b\\c\nd\te\rf", "日本 é", "'[=;]#",
		Vector2(1.5, -2), Rect2(1, 2, 3, 0.1), Vector3(0.1, 1e20, 2), Transform2D(0.5, Vector2(1, 2)), Plane(0, 1, 0, 2), Quat(0, 0, 0, 1), AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)), Basis(), Transform(), Color(1, 0.5, 0.1, 0.25),
		NodePath(""), NodePath("/root/A:b:c"), NodePath("../é\"x"), {}, {"a": 1, "b": {"c": [1, {}]}, 2: Vector2(), 1.5: "x"}, [], [null, [1, [2]], "x", {"k": []}],
		PoolByteArray(), PoolByteArray([0, 127, 255]), PoolIntArray([1, -2]), PoolRealArray([0.1, 3]), PoolStringArray(["", "a\"b", "é\n"]), PoolVector2Array([Vector2(1, 2)]), PoolVector3Array([Vector3(1, 2, 3)]), PoolColorArray([Color.red])]
func save_config(c):
	c.save("res://saved.cfg")
	record("config", read("res://saved.cfg"), true)
func configs():
	var all = values()
	var c = ConfigFile.new()
	for i in all.size():
		c.set_value("types", "v%d" % i, all[i])
		if i % 8 == 7 or i == all.size() - 1:
			save_config(c)
			c = ConfigFile.new()
	for code in range(1, 127):
		if code >= 48 and code <= 57 or code >= 65 and code <= 90 or code >= 97 and code != 123 and code < 123: continue
		c = ConfigFile.new()
		c.set_value("k", "a%sb" % char(code), 1)
		c.set_value("a%sb" % char(code), "k", 1)
		save_config(c)
	for s in ["", " s", "s ", "s\\", "s]", "]", "\\]", "s\\\\", "é", "日本", "\n"]:
		c = ConfigFile.new()
		c.set_value("first", "k", 1)
		c.set_value(s, "k", 2)
		c.set_value("last", "é" + s, 3)
		save_config(c)
	for i in 12:
		c = ConfigFile.new()
		for j in rng.randi_range(1, 12):
			c.set_value(["", "a", "b", "audio/x", "Sec tion"][rng.randi() % 5], ["k", "k2", "a/b", "Key 3", "é", "a.b"][rng.randi() % 6] + str(rng.randi() % 3), all[rng.randi() % all.size()])
		save_config(c)
func save_resource(r, extension = "tres"):
	var path = "res://saved%d.%s" % [number, extension]
	ResourceSaver.save(path, r)
	record("scene" if extension == "tscn" else "resource", read(path), true)
func resources():
	var all = values()
	for from in range(0, all.size(), 12):
		var r = Resource.new()
		for i in range(from, min(from + 12, all.size())): r.set_meta("v%d" % i, all[i])
		save_resource(r)
	var g = Gradient.new()
	g.offsets = PoolRealArray([0, 0.5, 1])
	g.colors = PoolColorArray([Color.red, Color.green, Color.blue])
	save_resource(g)
	var t = GradientTexture.new()
	t.gradient = g
	save_resource(t)
	var box = StyleBoxTexture.new()
	box.texture = t
	box.resource_name = "na\"me\nx"
	box.set_meta("odd", [1, {"a": "b", 2: t, g: g}, g])
	save_resource(box)
	var flat = StyleBoxFlat.new()
	flat.bg_color = Color(0.25, 0.5, 1)
	flat.border_width_left = 3
	flat.set_meta("ext", load("res://ext.tres"))
	flat.set_meta("exts", [load("res://ext.tres"), load("res://base.tscn")])
	save_resource(flat)
	var curve = Curve.new()
	curve.add_point(Vector2(0, 1), 0.5, 0.25)
	curve.add_point(Vector2(1, 0))
	save_resource(curve)
	var anim = Animation.new()
	var track = anim.add_track(Animation.TYPE_VALUE)
	anim.track_set_path(track, "A/B:position")
	anim.track_insert_key(track, 0.0, Vector2(1, 2))
	anim.track_insert_key(track, 0.5, Vector2(3, 4), 0.5)
	save_resource(anim)
	var env = Environment.new()
	env.background_mode = Environment.BG_COLOR
	env.fog_enabled = true
	save_resource(env)
	var key = InputEventKey.new()
	key.scancode = KEY_A
	key.control = true
	save_resource(key)
	var shape = BoxShape.new()
	shape.extents = Vector3(1, 2, 3)
	save_resource(shape)
	var long = Resource.new()
	long.set_meta("bytes", PoolByteArray(range(100)))
	save_resource(long)
	var held = load("res://held.gd").new()
	held.health = 7
	held.others = [g, shape]
	var inner = load("res://held.gd").new()
	inner.health = 8
	held.mine = inner
	held.set_dynamic("a b", 1)
	held.set_dynamic("é=", "x")
	save_resource(held)
func scenes():
	var root = Node2D.new()
	root.name = "Root"
	var c = Sprite.new()
	c.name = "Child"
	c.position = Vector2(1.5, -2)
	c.texture = GradientTexture.new()
	c.texture.gradient = Gradient.new()
	root.add_child(c)
	c.owner = root
	c.add_to_group("g1", true)
	c.add_to_group("b\"g", true)
	c.set_meta("m", {"a": [1, 2], "t": c.texture})
	var n = Node.new()
	n.name = "De ep é"
	c.add_child(n)
	n.owner = root
	n.connect("ready", root, "queue_free", [], CONNECT_PERSIST)
	n.connect("tree_entered", root, "set_name", ["x", 1], CONNECT_PERSIST | CONNECT_DEFERRED)
	var ps = PackedScene.new()
	ps.pack(root)
	save_resource(ps, "tscn")
	var root2 = Node.new()
	root2.name = "R2"
	var inst = load("res://base.tscn").instance(PackedScene.GEN_EDIT_STATE_INSTANCE)
	root2.add_child(inst)
	inst.owner = root2
	if root2.has_method("set_editable_instance"): root2.call("set_editable_instance", inst, true)
	inst.get_child(0).position = Vector2(9, 9)
	var ps2 = PackedScene.new()
	ps2.pack(root2)
	save_resource(ps2, "tscn")
	var single = Control.new()
	single.name = "UI"
	for k in ["Label", "Button", "LineEdit"]:
		var x = ClassDB.instance(k)
		x.name = k
		x.text = "multi\nline \"%s\"" % k
		single.add_child(x)
		x.owner = single
		x.add_color_override("font_color", Color.red)
	var ps3 = PackedScene.new()
	ps3.pack(single)
	save_resource(ps3, "tscn")
	var three = Spatial.new()
	three.name = "World"
	for k in ["Camera", "MeshInstance", "DirectionalLight", "CollisionShape"]:
		var x = ClassDB.instance(k)
		x.name = k
		x.translation = Vector3(1, 2, 3)
		if x is MeshInstance: x.mesh = CubeMesh.new()
		if x is CollisionShape: x.shape = SphereShape.new()
		three.add_child(x)
		x.owner = three
	var ps4 = PackedScene.new()
	ps4.pack(three)
	save_resource(ps4, "tscn")
func part(b, from, to):
	return b.subarray(from, to - 1) if to > from else PoolByteArray()
func mutate(b):
	var i = rng.randi_range(0, b.size())
	var n = b.size()
	var bit = BITS[rng.randi() % BITS.size()].to_utf8()
	match rng.randi_range(0, 4):
		0: return part(b, 0, i)
		1: return part(b, 0, i) + part(b, i + 1, n)
		2, 3: return part(b, 0, i) + bit + part(b, i, n)
		_: return part(b, 0, i) + bit + part(b, i + 1, n)
func texts_of(path):
	var texts = []
	for l in read(path).get_string_from_utf8().split("\n"):
		if l == "": continue
		var d = parse_json(l)
		texts.append([d.k, d.t.to_utf8() if d.has("t") else unhex(d.h)])
	return texts
func _init():
	var a = OS.get_cmdline_args()
	var n = a.size()
	rng.seed = int(a[n - 1])
	out_path = a[n - 2]
	write("res://ext.tres", "[gd_resource type=\"Resource\" format=2]\n\n[resource]\nresource_name = \"ext\"\n".to_utf8())
	write("res://base.tscn", "[gd_scene format=2]\n\n[node name=\"Base\" type=\"Node2D\"]\n\n[node name=\"C\" type=\"Node2D\" parent=\".\"]\n".to_utf8())
	write("res://held.gd", "extends Resource\nexport(int) var health = 1\nexport(Array, Resource) var others\nexport(Resource) var mine\nvar dynamic = {}\nfunc set_dynamic(k, v): dynamic[k] = v\nfunc _get(k): return dynamic.get(k)\nfunc _set(k, v):\n\tdynamic[k] = v\n\treturn true\nfunc _get_property_list():\n\tvar p = []\n\tfor k in dynamic: p.append({\"name\": k, \"type\": typeof(dynamic[k]), \"usage\": PROPERTY_USAGE_DEFAULT})\n\treturn p\n".to_utf8())
	var only_odd = int(a[n - 1]) == 0
	if not only_odd:
		configs()
		resources()
		scenes()
	flush()
	var saved = texts_of(out_path)
	for t in texts_of(a[n - 3]): record(t[0], t[1])
	flush()
	for i in (0 if only_odd else 220):
		var t = saved[rng.randi() % saved.size()]
		if t[1].size() > 1200 or t[0] == "resource": continue
		var m = mutate(t[1])
		if rng.randi() % 3 == 0: m = mutate(m)
		if m.get_string_from_utf8().find("parent=\"\"") < 0: record(t[0], m)  # which crashes the engine
	flush()
	quit()
