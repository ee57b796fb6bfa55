# Records ConfigFiles and text resources: what a Godot 4.x engine writes, and what it reads from sound, odd and
# damaged ones. The folder that it runs in must be a project (project.godot).
# Run: godot --headless --path FOLDER -s texts4.gd -- ODD.ndjson OUT.ndjson SEED
# With 0 as SEED it records the texts of ODD alone.
# ODD has texts as lines {"k": kind, "t": text} or {"k": kind, "h": hex}; kinds are config, resource, scene.
# Each line of OUT has these members, and "s": true if the engine itself wrote the text, and "v", what it read:
# null if it refused the text. Values are packets in hex; in them a resource is a Dictionary: {"#sub": id},
# {"#ext": path}. A config has "e", the error of load, and in "v" what was read before that.
extends SceneTree
var out: FileAccess
var rng := RandomNumberGenerator.new()
var number := 0
const BITS := ["(", ")", "[", "]", "{", "}", ",", ":", "\"", "\\", ";", "&", "=", "#", "-", ".", "1", "_", " ", "\n", "null", "[s]\n", "a=1\n", "; x\n", "\\\"", "type", "SubResource(\"1\")", "\r\n", "é"]

func plain(v: Variant, subs: Dictionary) -> Variant:
	if v is Object:
		if v is Resource:
			var p: String = v.resource_path
			if p.contains("::"):
				var id := p.get_slice("::", 1)
				if not subs.has(id):
					subs[id] = null
					subs[id] = object_view(v, subs)
				return {"#sub": id}
			return {"#ext": p}
		return {"#object": v.get_class()}
	if v is Array:
		var a := []
		for x in v: a.append(plain(x, subs))
		if v.is_typed() and v.get_typed_builtin() != TYPE_OBJECT: return Array(a, v.get_typed_builtin(), &"", null)
		return a
	if v is Dictionary:
		var d := {}
		for k in v: d[plain(k, subs)] = plain(v[k], subs)
		if v.is_typed() and v.get_typed_key_builtin() != TYPE_OBJECT and v.get_typed_value_builtin() != TYPE_OBJECT:
			return Dictionary(d, v.get_typed_key_builtin(), &"", null, v.get_typed_value_builtin(), &"", null)
		return d
	return v
func packet(v: Variant, subs: Dictionary) -> String:
	return var_to_bytes(plain(v, subs)).hex_encode()
func object_view(r: Object, subs: Dictionary) -> Dictionary:
	var p := []
	for i in r.get_property_list():
		if i.usage & PROPERTY_USAGE_STORAGE and not i.name in ["script", "_bundled"]:
			p.append([i.name, packet(r.get(i.name), subs)])
	return {"type": r.get_class(), "p": p}
# SceneState crashes for a node without a name.
func named(ps: PackedScene) -> bool:
	var n: PackedInt32Array = ps.get("_bundled").nodes
	var at := 0
	while at < n.size():
		if n[at + 3] & 0x3FFFF == 0x3FFFF: return false
		at += 6 + 2 * n[at + 5]
		at += 1 + n[at]
	return true
func scene_view(ps: PackedScene, subs: Dictionary) -> Variant:
	if not named(ps): return null
	var s := ps.get_state()
	var nodes := []
	for i in s.get_node_count():
		var p := []
		for j in s.get_node_property_count(i):
			p.append([s.get_node_property_name(i, j), packet(s.get_node_property_value(i, j), subs)])
		var inst := s.get_node_instance(i)
		nodes.append({"n": s.get_node_name(i), "t": s.get_node_type(i), "path": str(s.get_node_path(i)), "i": s.get_node_index(i), "inst": inst.resource_path if inst else "", "ph": s.get_node_instance_placeholder(i), "g": Array(s.get_node_groups(i)), "p": p})
	var connections := []
	for i in s.get_connection_count():
		connections.append([s.get_connection_signal(i), str(s.get_connection_source(i)), str(s.get_connection_target(i)), s.get_connection_method(i), s.get_connection_flags(i), s.get_connection_unbinds(i), packet(s.get_connection_binds(i), subs)])
	var editable := []
	for x in ps.get("_bundled").get("editable_instances", []): editable.append(str(x))
	return {"nodes": nodes, "connections": connections, "editable": editable}
func resource_view(path: String) -> Variant:
	var r := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	if r == null: return null
	var subs := {}
	var main: Variant = scene_view(r, subs) if r is PackedScene else object_view(r, subs)
	if main != null: main["sub"] = subs
	return main
# JSON.stringify leaves control characters as they are, and has \v, which is not JSON.
func json(line: Dictionary) -> String:
	var text := JSON.stringify(line)
	for c in range(1, 32): text = text.replace(char(c), "\\u%04x" % c)
	return text.replace("\\\\", char(1)).replace("\\v", "\\u000b").replace(char(1), "\\\\")
func write(path: String, bytes: PackedByteArray) -> void:
	var f := FileAccess.open(path, FileAccess.WRITE)
	f.store_buffer(bytes)
	f.close()
func record(kind: String, bytes: PackedByteArray, saved := false) -> void:
	number += 1
	var line := {"k": kind}
	var t := bytes.get_string_from_utf8()
	var odd := t.to_utf8_buffer() != bytes
	if odd or bytes.has(0): line["h"] = bytes.hex_encode()
	else: line["t"] = t
	if saved: line["s"] = true
	if kind == "config":
		write("res://case.cfg", bytes)
		var c := ConfigFile.new()
		line["e"] = c.load("res://case.cfg")
		line["v"] = []
		for s in c.get_sections():
			var keys := []
			for k in c.get_section_keys(s): keys.append([k, packet(c.get_value(s, k), {})])
			line["v"].append([s, keys])
	else:
		var path := "res://case%d.%s" % [number, "tscn" if kind == "scene" else "tres"]
		write(path, bytes)
		line["v"] = resource_view(path)
	out.store_line(json(line))
	out.flush()
func values() -> Array:
	return [true, false, 0, -1, 2147483648, -9223372036854775807, 9223372036854775807, 0.0, -0.0, 0.1, 1.0 / 3, 1e300, 1e-300, 16777217.0, INF, -INF, NAN, "", "a\"b\\c\nd\te\rf", "日本 é 😀", "\u0001\u001f\u007f", "'[=;]#", &"", &"na\"me\n", &"é",
		Vector2(1.5, -2), Vector2i(-1, 2), Rect2(1, 2, 3, 0.1), Rect2i(1, 2, 3, 4), Vector3(0.1, 1e20, INF), Vector3i(1, 2, 3), Transform2D(0.5, Vector2(1, 2)), Vector4(1, 2, 3, 4), Vector4i(1, 2, 3, 4), Plane(0, 1, 0, 2), Quaternion(0, 0, 0, 1), AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)), Basis.IDENTITY, Transform3D.IDENTITY, Projection.IDENTITY, Color(1, 0.5, 0.1, 0.25),
		NodePath(""), NodePath("/root/A:b:c"), NodePath("../é\"x"), RID(), Callable(), Signal(), {}, {"a": 1, "b": {"c": [1, {}]}, 2: Vector2(), &"n": null, 1.5: "x"}, [], [null, [1, [2]], "x", {"k": []}],
		PackedByteArray(), PackedByteArray([0, 127, 255]), PackedInt32Array([1, -2]), PackedInt64Array([1, -9223372036854775807]), PackedFloat32Array([0.1, NAN]), PackedFloat64Array([0.1, -INF]), PackedStringArray(["", "a\"b", "é\n"]), PackedVector2Array([Vector2(1, 2)]), PackedVector3Array([Vector3(1, 2, 3)]), PackedColorArray([Color.RED]), PackedVector4Array([Vector4(1, 2, 3, 4)]),
		[1, 2] as Array[int], ["a"] as Array[String], [] as Array[Node], {"a": 1} as Dictionary[String, int], {} as Dictionary[StringName, Variant], [&"x"] as Array[StringName]]
func save_config(c: ConfigFile) -> void:
	c.save("res://saved.cfg")
	record("config", FileAccess.get_file_as_bytes("res://saved.cfg"), true)
func configs() -> void:
	var all := values()
	var c := ConfigFile.new()
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
	for s in ["", " s", "s ", "s\\", "s]", "]", "\\]", "s\\\\", "é", "日本", "\ufeff", "\n"]:
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
func save_resource(r: Resource, extension := "tres") -> void:
	var path := "res://saved%d.%s" % [number, extension]
	ResourceSaver.save(r, path)
	record("scene" if extension == "tscn" else "resource", FileAccess.get_file_as_bytes(path), true)
func resources() -> void:
	var all := values()
	for from in range(0, all.size(), 12):
		var r := Resource.new()
		for i in range(from, min(from + 12, all.size())): r.set_meta("v%d" % i, all[i])
		save_resource(r)
	var g := Gradient.new()
	g.offsets = PackedFloat32Array([0, 0.5, 1])
	g.colors = PackedColorArray([Color.RED, Color.GREEN, Color.BLUE])
	save_resource(g)
	var t := GradientTexture1D.new()
	t.gradient = g
	save_resource(t)
	var box := StyleBoxTexture.new()
	box.texture = t
	box.resource_name = "na\"me\nx"
	box.set_meta("odd", [1, {"a": &"b", 2: t, g: g}, g])
	save_resource(box)
	var flat := StyleBoxFlat.new()
	flat.bg_color = Color(0.25, 0.5, 1)
	flat.border_width_left = 3
	flat.set_meta("ext", load("res://ext.tres"))
	flat.set_meta("exts", [load("res://ext.tres"), load("res://base.tscn")])
	save_resource(flat)
	var curve := Curve.new()
	curve.add_point(Vector2(0, 1), 0.5, 0.25)
	curve.add_point(Vector2(1, 0))
	save_resource(curve)
	var anim := Animation.new()
	var track := anim.add_track(Animation.TYPE_VALUE)
	anim.track_set_path(track, "A/B:position")
	anim.track_insert_key(track, 0.0, Vector2(1, 2))
	anim.track_insert_key(track, 0.5, Vector2(3, 4), 0.5)
	save_resource(anim)
	var env := Environment.new()
	env.background_mode = Environment.BG_COLOR
	env.fog_enabled = true
	save_resource(env)
	var key := InputEventKey.new()
	key.keycode = KEY_A
	key.ctrl_pressed = true
	save_resource(key)
	var shape := BoxShape3D.new()
	shape.size = Vector3(1, 2, 3)
	save_resource(shape)
	var long := Resource.new()
	long.set_meta("bytes", PackedByteArray(range(100)))
	save_resource(long)
	var held = load("res://held.gd").new()
	held.health = 7
	held.tags = ["a", "b"] as Array[StringName]
	held.others = [g, shape] as Array[Resource]
	held.counts = {"x": 1} as Dictionary[String, int]
	var inner = load("res://held.gd").new()
	inner.health = 8
	held.mine.append(inner)
	held.set_dynamic("a b", 1)
	held.set_dynamic("é=", "x")
	save_resource(held)
func scenes() -> void:
	var root := Node2D.new()
	root.name = "Root"
	var c := Sprite2D.new()
	c.name = "Child"
	c.position = Vector2(1.5, -2)
	c.texture = GradientTexture1D.new()
	c.texture.gradient = Gradient.new()
	root.add_child(c)
	c.owner = root
	c.add_to_group("g1", true)
	c.add_to_group("b\"g", true)
	c.unique_name_in_owner = true
	c.set_meta("m", {"a": [1, 2], "t": c.texture})
	var n := Node.new()
	n.name = "De ep é"
	c.add_child(n)
	n.owner = root
	n.connect("ready", root.queue_free, CONNECT_PERSIST)
	n.connect("tree_entered", root.set_name.bind("x", 1), CONNECT_PERSIST | CONNECT_DEFERRED)
	n.connect("renamed", root.set_name.unbind(1), CONNECT_PERSIST)
	var ps := PackedScene.new()
	ps.pack(root)
	save_resource(ps, "tscn")
	var root2 := Node.new()
	root2.name = "R2"
	var inst = load("res://base.tscn").instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)
	root2.add_child(inst)
	inst.owner = root2
	root2.set_editable_instance(inst, true)
	inst.get_child(0).position = Vector2(9, 9)
	var ps2 := PackedScene.new()
	ps2.pack(root2)
	save_resource(ps2, "tscn")
	var single := Control.new()
	single.name = "UI"
	for k in ["Label", "Button", "LineEdit"]:
		var x = ClassDB.instantiate(k)
		x.name = k
		x.text = "multi\nline \"%s\"" % k
		single.add_child(x)
		x.owner = single
		x.add_theme_color_override("font_color", Color.RED)
	var ps3 := PackedScene.new()
	ps3.pack(single)
	save_resource(ps3, "tscn")
	var three := Node3D.new()
	three.name = "World"
	for k in ["Camera3D", "MeshInstance3D", "DirectionalLight3D", "CollisionShape3D"]:
		var x = ClassDB.instantiate(k)
		x.name = k
		x.position = Vector3(1, 2, 3)
		if x is MeshInstance3D: x.mesh = BoxMesh.new()
		if x is CollisionShape3D: x.shape = SphereShape3D.new()
		three.add_child(x)
		x.owner = three
	var ps4 := PackedScene.new()
	ps4.pack(three)
	save_resource(ps4, "tscn")
func mutate(b: PackedByteArray) -> PackedByteArray:
	var i := rng.randi_range(0, b.size())
	var bit: PackedByteArray = BITS[rng.randi() % BITS.size()].to_utf8_buffer()
	match rng.randi_range(0, 4):
		0: return b.slice(0, i)
		1: return b.slice(0, i) + b.slice(i + 1)
		2, 3: return b.slice(0, i) + bit + b.slice(i)
		_: return b.slice(0, i) + bit + b.slice(i + 1)
func texts_of(path: String) -> Array:
	var texts := []
	for l in FileAccess.get_file_as_string(path).split("\n"):
		if l.is_empty(): continue
		var d: Dictionary = JSON.parse_string(l)
		texts.append([d.k, d.t.to_utf8_buffer() if d.has("t") else d.h.hex_decode()])
	return texts
func _init() -> void:
	var a := OS.get_cmdline_user_args()
	var only_odd := int(a[2]) == 0
	rng.seed = int(a[2])
	write("res://ext.tres", "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nresource_name = \"ext\"\n".to_utf8_buffer())
	write("res://base.tscn", "[gd_scene format=3]\n\n[node name=\"Base\" type=\"Node2D\"]\n\n[node name=\"C\" type=\"Node2D\" parent=\".\"]\n".to_utf8_buffer())
	write("res://held.gd", "class_name Held\nextends Resource\n@export var health := 1\n@export var tags: Array[StringName]\n@export var others: Array[Resource]\n@export var counts: Dictionary[String, int]\n@export var mine: Array[Held]\nvar dynamic := {}\nfunc set_dynamic(k, v): dynamic[k] = v\nfunc _get(k): return dynamic.get(String(k))\nfunc _set(k, v):\n\tdynamic[String(k)] = v\n\treturn true\nfunc _get_property_list():\n\tvar p := []\n\tfor k in dynamic: p.append({\"name\": k, \"type\": TYPE_NIL, \"usage\": PROPERTY_USAGE_DEFAULT | PROPERTY_USAGE_NIL_IS_VARIANT})\n\treturn p\n".to_utf8_buffer())
	out = FileAccess.open(a[1], FileAccess.WRITE)
	if not only_odd:
		configs()
		resources()
		scenes()
	out.flush()
	var saved := texts_of(a[1])
	for t in texts_of(a[0]): record(t[0], t[1])
	for i in 0 if only_odd else 220:
		var t: Array = saved[rng.randi() % saved.size()]
		if t[1].size() > 1200 or t[0] == "resource": continue
		var m := mutate(t[1])
		if rng.randi() % 3 == 0: m = mutate(m)
		if not m.get_string_from_utf8().contains("parent=\"\""): record(t[0], m)  # which crashes the engine
	out.close()
	quit()
