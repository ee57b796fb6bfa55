# Says what Godot 4 makes of repeated tags in resources and scenes (file_live_test).
extends SceneTree

func _init() -> void:
	print("\nsaid ext ", load("res://ext.tres").get_meta("r").resource_name)
	print("said sub ", load("res://sub.tres").get_meta("r").resource_name)
	var scene: Node = load("res://scene.tscn").instantiate()
	var line := "said scene"
	for node in scene.get_children():
		line += " " + node.name + " " + node.get_class()
	print(line)
	var found := scene.get_node("A")
	print("said path ", found.get_class(), " ", found.get_child(0).name)
	var over = load("res://over.tscn").instantiate()
	print("said over ", over.get_child_count(), " ", int(over.get_child(0).position.x))
	var roots: Node = load("res://roots.tscn").instantiate()
	print("said roots ", "none" if roots == null else "some")
	quit()
