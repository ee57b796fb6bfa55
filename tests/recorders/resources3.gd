# Records binary resources, scenes and packs that a Godot 3.x engine writes, and what it makes of them itself.
# Run in a folder with an empty project.godot:
#   godot3-server --path DIR -s resources3.gd DIR/
# expected.ndjson has lines {"name", "stored"}, var2bytes of what was saved, and {"file", "name", "loaded"} where the
# engine loads something else.
extends SceneTree

var out = File.new()

func values():
	return {
		"nil_in_array": [null], "bool_false": false, "bool_true": true,
		"int": 7, "int_negative": -1, "int_least": -2147483648, "int_most": 2147483647, "int_wide": 2147483648,
		"int_wide_negative": -9223372036854775807 - 1,
		"float": 0.5, "float_wide": 0.1, "float_zero": -0.0, "float_inf": INF, "float_nan": NAN,
		"string": "abc", "string_empty": "", "string_unicode": "日本 é", "string_long": "x".repeat(1000),
		"vector2": Vector2(1.5, -2.25), "rect2": Rect2(1, 2, 3.5, 4.25), "vector3": Vector3(1.5, -2.25, 3.125),
		"transform2d": Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6)),
		"plane": Plane(Vector3(0, 1, 0), 5.5), "quat": Quat(0.1, 0.2, 0.3, 0.9),
		"aabb": AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)),
		"basis": Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)),
		"transform": Transform(Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Vector3(10, 11, 12)),
		"color": Color(0.1, 0.2, 0.3, 0.4),
		"node_path": NodePath("Path/To/Node:prop:sub"), "node_path_absolute": NodePath("/root/É/ñ:ü"),
		"node_path_empty": NodePath(""), "node_path_known": NodePath("script:resource_name"),
		"rid": RID(),
		"dictionary": {"name": "Ada", 5: [1, 2.5, "x", null, true], "path": NodePath("a:b"), Vector2(1, 2): "v", null: 1},
		"dictionary_empty": {}, "array_empty": [], "array_nested": [[], [[]], [[[1]]], {"a": {"b": {"c": [1]}}}],
		"pool_byte_0": PoolByteArray(), "pool_byte_3": PoolByteArray([1, 2, 255]), "pool_byte_4": PoolByteArray([1, 2, 3, 4]),
		"pool_int": PoolIntArray([0, 1, -1, 2147483647]), "pool_real": PoolRealArray([0.0, 0.1, -1.5, INF]),
		"pool_string": PoolStringArray(["", "a", "abc", "日本"]), "pool_string_empty": PoolStringArray(),
		"pool_vector2": PoolVector2Array([Vector2(1, 2), Vector2(-3.5, 4.25)]),
		"pool_vector3": PoolVector3Array([Vector3(1, 2, 3), Vector3(-3.5, 4.25, 0.1)]),
		"pool_color": PoolColorArray([Color(0, 0.25, 0.5, 1), Color(2, 3, 4, 0)]),
	}

func hex(value):
	return var2bytes(value).hex_encode()

func every(file, flags):
	var resource = Resource.new()
	var all = values()
	for name in all:
		resource.set_meta(name, all[name])
	if ResourceSaver.save("res://" + file, resource, flags) != OK:
		print("not saved: ", file)
	var loaded = ResourceLoader.load("res://" + file, "", true)
	for name in all:
		if hex(loaded.get_meta(name)) != hex(all[name]):
			out.store_line(JSON.print({"file": file, "name": name, "loaded": hex(loaded.get_meta(name))}))

func store(path, text):
	var file = File.new()
	file.open(path, File.WRITE)
	file.store_string(text)
	file.close()

func tree():
	store("res://item.gd", "extends Resource\nexport var health = 0\nexport(Array, Resource) var parts = []\n" +
		"export var counts = {}\nexport(Resource) var other\nexport(NodePath) var where\n")
	var other = Resource.new()
	other.set_meta("x", 1)
	ResourceSaver.save("res://other.res", other)
	other.take_over_path("res://other.res")
	var item = load("res://item.gd").new()
	item.resource_name = "Sword"
	item.health = 42
	var gradient = Gradient.new()
	gradient.offsets = PoolRealArray([0.0, 0.25, 1.0])
	gradient.colors = PoolColorArray([Color.red, Color.green, Color.blue])
	var texture = GradientTexture.new()
	texture.gradient = gradient
	texture.width = 64
	item.parts = [texture, gradient]
	item.counts = {"a": 1, "b": 2}
	item.other = other
	item.where = NodePath("A/B:c")
	item.set_meta("deep", {"list": [gradient, {"texture": texture, other: 1}]})
	ResourceSaver.save("res://tree.res", item)
	ResourceSaver.save("res://tree_compressed.res", item, ResourceSaver.FLAG_COMPRESS)
	ResourceSaver.save("res://tree_relative.res", item, ResourceSaver.FLAG_RELATIVE_PATHS)
	var script = GDScript.new()
	script.source_code = "extends Resource\nexport var level = 3\n"
	script.reload()
	var inner = script.new()
	inner.level = 9
	ResourceSaver.save("res://inner_script.res", inner, ResourceSaver.FLAG_SAVE_BIG_ENDIAN | ResourceSaver.FLAG_COMPRESS)

func scene():
	var root = Node2D.new()
	root.name = "Root"
	root.position = Vector2(10, 20)
	root.add_to_group("saved", true)
	var child = Node.new()
	child.name = "Child"
	child.set_meta("kept", [1, 2, 3])
	root.add_child(child)
	child.owner = root
	var timer = Timer.new()
	timer.name = "Timer"
	timer.wait_time = 2.5
	child.add_child(timer)
	timer.owner = root
	timer.connect("timeout", root, "set_visible", [false], CONNECT_PERSIST)
	var animation = Animation.new()
	animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(0, NodePath("Child:position"))
	animation.track_insert_key(0, 0.0, Vector2(0, 0))
	animation.track_insert_key(0, 1.0, Vector2(5, 5))
	root.set_meta("animation", animation)
	var packed = PackedScene.new()
	packed.pack(root)
	ResourceSaver.save("res://scene.scn", packed)
	root.free()

func packs():
	store("res://empty.txt", "")
	store("res://data.cfg", "[player]\n\nname=\"Ada\"\nhp=100\n")
	var record = File.new()
	record.open("res://data.save", File.WRITE)
	record.store_var({"hp": 100, "name": "Ada"})
	record.close()
	ProjectSettings.set_setting("application/config/name", "Packed")
	ProjectSettings.save_custom("res://made.binary")
	var packer = PCKPacker.new()
	packer.pck_start("res://pack.pck", 16)
	for pair in [["data.cfg", "data.cfg"], ["saves/data.save", "data.save"], ["project.binary", "made.binary"],
			["things/tree.res", "tree.res"], ["empty.txt", "empty.txt"]]:
		packer.add_file("res://" + pair[0], "res://" + pair[1])
	packer.flush(false)

func _init():
	out.open("res://expected.ndjson", File.WRITE)
	var all = values()
	for name in all:
		out.store_line(JSON.print({"name": name, "stored": hex(all[name])}))
	every("every.res", 0)
	every("every_big.res", ResourceSaver.FLAG_SAVE_BIG_ENDIAN)
	every("every_compressed.res", ResourceSaver.FLAG_COMPRESS)
	out.close()
	tree()
	scene()
	packs()
	quit()
