# Records how a real Godot 4.x engine prints floats and math values: `str`.
# Run: godot --headless -s str4.gd -- OUT.ndjson
# Each line out: {"b": the packet in hex, "s": its text}. Fixed values first, then random ones, the same each time
extends SceneTree
var out: FileAccess
var random := RandomNumberGenerator.new()
const FIXED := [
	0.0, -0.0, 1.0, -1.0, 10.0, 10.5, 0.1, -0.1, 123.456, 1e-8, -1e-8, 0.0078125, 0.0234375, -0.0078125, 0.5, 1234567.125, 12345.678, 99.9999999,
	16777216.0, 3.4e38, 1e10, 1e15, 123456789012345678.0, 1e19, 1e21, 1e300, 1e-300, 1.5e-7, 4503599627370495.5, 1.23456789012345678, 12.3456789012345678,
	9.99999999999999999, 99999.99999999, INF, -INF, NAN,
]
func row(value: Variant) -> void:
	out.store_line(JSON.stringify({"b": var_to_bytes(value).hex_encode(), "s": str(value)}))
func number() -> float:
	return random.randf_range(-1, 1) * pow(10, random.randi_range(-9, 12))
func vector2() -> Vector2:
	return Vector2(number(), number())
func vector3() -> Vector3:
	return Vector3(number(), number(), number())
func vector4() -> Vector4:
	return Vector4(number(), number(), number(), number())
func _init() -> void:
	out = FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.WRITE)
	random.seed = 1
	for x in FIXED:
		for value in [x, Vector3(x, -x, 1), Quaternion(x, 0, 0, -x), Color(x, -x, 0), Plane(0, 0, 1, x)]:
			row(value)
	for i in 100:
		row(number())
	for i in 10:
		for value in [
			vector2(), vector3(), vector4(), Vector2i(vector2()), Vector3i(vector3()), Vector4i(vector4()), Rect2(vector2(), vector2()),
			Rect2i(vector2(), vector2()), Plane(vector3(), number()), AABB(vector3(), vector3()), Transform2D(vector2(), vector2(), vector2()),
			Basis(vector3(), vector3(), vector3()), Transform3D(vector3(), vector3(), vector3(), vector3()),
			Projection(vector4(), vector4(), vector4(), vector4()), Quaternion(number(), number(), number(), number()), Color(number(), number(), number(), number()),
		]:
			row(value)
	quit()
