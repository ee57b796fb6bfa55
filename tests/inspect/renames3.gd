# Prints every class of a Godot 3 engine with its parent, and its own properties.
extends SceneTree
func _init():
	var to = File.new()
	for x in OS.get_cmdline_args():
		if x.ends_with("/"): to.open(x + "classes.txt", File.WRITE)
	for c in ClassDB.get_class_list():
		to.store_line("class " + c + " " + ClassDB.get_parent_class(c))
		for p in ClassDB.class_get_property_list(c, true):
			to.store_line("property " + c + " " + p.name)
	to.close()
	quit()
