# Prints every class of a Godot 4 engine with its parent, and its own properties.
extends SceneTree
func _init() -> void:
	var to := FileAccess.open(OS.get_cmdline_user_args()[0] + "classes.txt", FileAccess.WRITE)
	for c in ClassDB.get_class_list():
		to.store_line("class " + c + " " + ClassDB.get_parent_class(c))
		for p in ClassDB.class_get_property_list(c, true):
			to.store_line("property " + c + " " + p.name)
	to.close()
	quit()
