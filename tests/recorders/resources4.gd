# Records binary resources, scenes and packs that a Godot 4.x engine writes, and what it makes of them itself.
# Run in a folder with an empty project.godot:
#   godot --headless --path DIR -s resources4.gd -- DIR/
# expected.ndjson has lines {"name", "stored"}, var_to_bytes of what was saved, {"file", "name", "loaded"} where the engine
# loads something else, and {"uid", "text"}.
extends SceneTree

var dir := ""
var out: FileAccess

func values() -> Dictionary:
	var typed: Array[int] = [1, 2]
	var typed_dictionary: Dictionary[String, int] = {"a": 1}
	return {
		"nil_in_array": [null], "bool_false": false, "bool_true": true,
		"int": 7, "int_negative": -1, "int_least": -2147483648, "int_most": 2147483647, "int_wide": 2147483648,
		"int_wide_negative": -9223372036854775807 - 1,
		"float": 0.5, "float_wide": 0.1, "float_zero": -0.0, "float_inf": INF, "float_nan": NAN,
		"string": "abc", "string_empty": "", "string_unicode": "日本 é 👾", "string_long": "x".repeat(1000),
		"string_name": &"name", "string_name_empty": &"",
		"vector2": Vector2(1.5, -2.25), "vector2i": Vector2i(7, -8),
		"rect2": Rect2(1, 2, 3.5, 4.25), "rect2i": Rect2i(-1, 2, 3, 4),
		"vector3": Vector3(1.5, -2.25, 3.125), "vector3i": Vector3i(1, -2, 3),
		"transform2d": Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6)),
		"vector4": Vector4(1.5, 2.5, 3.5, 4.5), "vector4i": Vector4i(1, 2, 3, -4),
		"plane": Plane(Vector3(0, 1, 0), 5.5), "quaternion": Quaternion(0.1, 0.2, 0.3, 0.9),
		"aabb": AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)),
		"basis": Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)),
		"transform3d": Transform3D(Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Vector3(10, 11, 12)),
		"projection": Projection(Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8), Vector4(9, 10, 11, 12), Vector4(13, 14, 15, 16)),
		"color": Color(0.1, 0.2, 0.3, 0.4),
		"node_path": NodePath("Path/To/Node:prop:sub"), "node_path_absolute": NodePath("/root/É/ñ:ü"),
		"node_path_empty": NodePath(""), "node_path_known": NodePath("script:resource_name"),
		"rid": RID(), "callable": Callable(), "signal": Signal(),
		"dictionary": {"name": "Ada", 5: [1, 2.5, "x", null, true], &"sn": NodePath("a:b"), Vector2i(1, 2): "v", null: 1},
		"dictionary_empty": {}, "array_empty": [], "array_nested": [[], [[]], [[[1]]], {"a": {"b": {"c": [1]}}}],
		"array_typed": typed, "dictionary_typed": typed_dictionary,
		"packed_byte_0": PackedByteArray(), "packed_byte_3": PackedByteArray([1, 2, 255]),
		"packed_byte_4": PackedByteArray([1, 2, 3, 4]),
		"packed_int32": PackedInt32Array([0, 1, -1, 2147483647]), "packed_int64": PackedInt64Array([0, -1, 9223372036854775807]),
		"packed_float32": PackedFloat32Array([0.0, 0.1, -1.5, INF]), "packed_float64": PackedFloat64Array([0.0, 0.1, -1.5, INF]),
		"packed_string": PackedStringArray(["", "a", "abc", "日本"]), "packed_string_empty": PackedStringArray(),
		"packed_vector2": PackedVector2Array([Vector2(1, 2), Vector2(-3.5, 4.25)]),
		"packed_vector3": PackedVector3Array([Vector3(1, 2, 3), Vector3(-3.5, 4.25, 0.1)]),
		"packed_color": PackedColorArray([Color(0, 0.25, 0.5, 1), Color(2, 3, 4, 0)]),
		"packed_vector4": PackedVector4Array([Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8)]),
	}

func hex(value: Variant) -> String:
	return var_to_bytes(value).hex_encode()

func every(file: String, flags: int) -> void:
	var resource := Resource.new()
	var all := values()
	for name in all:
		resource.set_meta(name, all[name])
	if ResourceSaver.save(resource, "res://" + file, flags) != OK:
		print("not saved: ", file)
	var loaded := ResourceLoader.load("res://" + file, "", ResourceLoader.CACHE_MODE_IGNORE)
	for name in all:
		var value = loaded.get_meta(name)
		if hex(value) != hex(all[name]):
			out.store_line(JSON.stringify({"file": file, "name": name, "loaded": hex(value)}))

func store(path: String, text: String) -> void:
	FileAccess.open(path, FileAccess.WRITE).store_string(text)

func tree() -> void:
	store("res://item.gd", "class_name Item\nextends Resource\n@export var health := 0\n@export var parts: Array[Resource] = []\n" +
		"@export var counts: Dictionary[String, int] = {}\n@export var other: Resource\n@export var where: NodePath\n")
	var other := Resource.new()
	other.set_meta("x", 1)
	ResourceSaver.save(other, "res://other.res")
	ResourceSaver.set_uid("res://other.res", 1234567890123)
	other.take_over_path("res://other.res")
	var item: Resource = load("res://item.gd").new()
	item.resource_name = "Sword"
	item.health = 42
	var gradient := Gradient.new()
	gradient.offsets = PackedFloat32Array([0.0, 0.25, 1.0])
	gradient.colors = PackedColorArray([Color.RED, Color.GREEN, Color.BLUE])
	var texture := GradientTexture1D.new()
	texture.gradient = gradient
	texture.width = 64
	item.parts.append_array([texture, gradient])
	item.counts["a"] = 1
	item.counts["b"] = 2
	item.other = other
	item.where = ^"A/B:c"
	item.set_meta("deep", {"list": [gradient, {"texture": texture, other: 1}]})
	ResourceSaver.save(item, "res://tree.res")
	ResourceSaver.save(item, "res://tree_compressed.res", ResourceSaver.FLAG_COMPRESS)
	ResourceSaver.save(item, "res://tree_relative.res", ResourceSaver.FLAG_RELATIVE_PATHS)
	ResourceSaver.save(item, "res://tree_bundled.res", ResourceSaver.FLAG_BUNDLE_RESOURCES)
	var script := GDScript.new()
	script.source_code = "extends Resource\n@export var level := 3\n"
	script.reload()
	var inner: Resource = script.new()
	inner.level = 9
	ResourceSaver.save(inner, "res://inner_script.res", ResourceSaver.FLAG_SAVE_BIG_ENDIAN | ResourceSaver.FLAG_COMPRESS)

func scene() -> void:
	var root := Node2D.new()
	root.name = "Root"
	root.position = Vector2(10, 20)
	root.add_to_group("saved", true)
	var child := Node.new()
	child.name = "Child"
	child.set_meta("kept", [1, 2, 3])
	root.add_child(child)
	child.owner = root
	var timer := Timer.new()
	timer.name = "Timer"
	timer.wait_time = 2.5
	child.add_child(timer)
	timer.owner = root
	timer.timeout.connect(root.set_visible.bind(false), CONNECT_PERSIST)
	var animation := Animation.new()
	animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(0, ^"Child:position")
	animation.track_insert_key(0, 0.0, Vector2(0, 0))
	animation.track_insert_key(0, 1.0, Vector2(5, 5))
	root.set_meta("animation", animation)
	var packed := PackedScene.new()
	packed.pack(root)
	ResourceSaver.save(packed, "res://scene.scn")

func packs() -> void:
	store("res://empty.txt", "")
	store("res://data.cfg", "[player]\n\nname=\"Ada\"\nhp=100\n")
	var record := FileAccess.open("res://data.save", FileAccess.WRITE)
	record.store_var({"hp": 100, "name": "Ada"})
	record.close()
	ProjectSettings.set_setting("application/config/name", "Packed")
	ProjectSettings.save_custom("res://made.binary")
	var packer := PCKPacker.new()
	packer.pck_start("res://pack.pck")
	for pair in [["data.cfg", "data.cfg"], ["saves/data.save", "data.save"], ["project.binary", "made.binary"],
			["things/tree.res", "tree.res"], ["empty.txt", "empty.txt"]]:
		packer.add_file("res://" + pair[0], "res://" + pair[1])
	if packer.has_method("add_file_removal"):
		packer.call("add_file_removal", "res://gone.txt")
	packer.flush()
	packer.pck_start("res://encrypted_directory.pck", 32, "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", true)
	packer.add_file("res://data.cfg", "res://data.cfg", true)
	packer.flush()
	packer.pck_start("res://encrypted_files.pck", 32, "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", false)
	packer.add_file("res://data.cfg", "res://data.cfg", true)
	packer.add_file("res://plain.cfg", "res://data.cfg", false)
	packer.flush()

func _init() -> void:
	out = FileAccess.open("res://expected.ndjson", FileAccess.WRITE)
	var all := values()
	for name in all:
		out.store_line(JSON.stringify({"name": name, "stored": hex(all[name])}))
	for uid in [0, 1, 24, 25, 33, 34, 1234567890123, 9223372036854775807, -1]:
		out.store_line(JSON.stringify({"uid": str(uid), "text": ResourceUID.id_to_text(uid)}))
	every("every.res", 0)
	every("every_big.res", ResourceSaver.FLAG_SAVE_BIG_ENDIAN)
	every("every_compressed.res", ResourceSaver.FLAG_COMPRESS)
	tree()
	scene()
	packs()
	quit()
