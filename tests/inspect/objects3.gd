# Writes Objects with properties that Godot 4 calls otherwise, as one packet.
# Run: godot3-server --no-window -s script.gd FOLDER/
extends SceneTree
func made(object, values):
	for name in values: object.set(name, values[name])
	return object
func _init():
	var d = ""
	for x in OS.get_cmdline_args():
		if x.ends_with("/"): d = x
	var to = File.new()
	to.open(d + "objects.bin", File.WRITE)
	to.store_buffer(var2bytes([
		made(Reference.new(), {}),
		made(Label.new(), {"hint_tooltip": "tip", "rect_min_size": Vector2(30, 40), "text": "hello"}),
		made(Camera2D.new(), {"smoothing_speed": 7.5, "drag_margin_left": 0.25}),
		made(RayCast.new(), {"cast_to": Vector3(1, 2, 3)}),
		made(RigidBody.new(), {"contacts_reported": 5, "mass": 2.5}),
		made(InputEventMouseButton.new(), {"doubleclick": true, "shift": true, "button_index": 2}),
		made(Button.new(), {"toggle_mode": true, "pressed": true, "focus_neighbour_left": NodePath("a/b")}),
	], true))
	to.close()
	quit()
