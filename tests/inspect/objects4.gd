# Reads Objects, and writes down their classes and some properties.
# Run: godot --headless -s script.gd -- FOLDER/
extends SceneTree
const asked := [[], ["tooltip_text", "custom_minimum_size", "text"], ["position_smoothing_speed", "drag_left_margin"],
	["target_position"], ["max_contacts_reported", "mass"], ["double_click", "shift_pressed", "button_index"],
	["toggle_mode", "button_pressed", "focus_neighbor_left"]]
func _init() -> void:
	var d := OS.get_cmdline_user_args()[0]
	var objects: Array = bytes_to_var_with_objects(FileAccess.get_file_as_bytes(d + "objects.bin"))
	var to := FileAccess.open(d + "results.txt", FileAccess.WRITE)
	for i in objects.size():
		var line: String = objects[i].get_class()
		for name in asked[i]: line += " " + str(objects[i].get(name))
		to.store_line(line)
	to.close()
	quit()
