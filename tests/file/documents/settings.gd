# Without gdvar's settings it writes a project.binary; with them it prints what it reads there. Godot 3 and 4.
extends SceneTree

func _init():
	if ProjectSettings.has_setting("gdvar/added"):
		for setting in ["application/config/name", "gdvar/kept", "gdvar/changed", "gdvar/added"]:
			print("gdvar: ", setting, "=", ProjectSettings.get_setting(setting))
		print("gdvar: erased=", ProjectSettings.has_setting("gdvar/erased"))
	else:
		ProjectSettings.set_setting("application/config/name", "Old")
		ProjectSettings.set_setting("gdvar/kept", Vector3(1, 2, 3))
		ProjectSettings.set_setting("gdvar/changed", {"list": [1, 2, 3]})
		ProjectSettings.set_setting("gdvar/erased", 7)
		print("gdvar: ", ProjectSettings.save_custom(OS.get_environment("HOME") + "made.binary"))
	quit()
