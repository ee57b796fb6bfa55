# Makes packs, loads them and prints what it reads in each: pack, path and content in hex. Godot 4.
extends SceneTree

var dir := OS.get_environment("HOME")
var names := ["empty.txt", "one.bin", "a/b/c/deep.bin", "with space.bin", "ümläut.bin", "large.bin", "data.save"]

func content(i: int) -> PackedByteArray:
	if i == names.size() - 1:
		return var_to_bytes({"hp": 7})
	var out := PackedByteArray()
	out.resize([0, 1, 31, 32, 33, 70000][i])
	for k in out.size():
		out[k] = (k * 31 + i * 7 + k / 256) % 256
	return out

func make(pack: String, alignment: int, key: String, encrypt: bool, directory: bool) -> void:
	var packer := PCKPacker.new()
	packer.pck_start(dir + pack, alignment, key, directory)
	for i in names.size():
		var file := FileAccess.open(dir + "source", FileAccess.WRITE)
		file.store_buffer(content(i))
		file.close()
		var copy := dir + "source%d" % i
		DirAccess.rename_absolute(dir + "source", copy)
		packer.add_file("res://" + pack + "/" + names[i], copy, encrypt)
	packer.flush()

func read(pack: String, inside: String) -> void:
	if not ProjectSettings.load_resource_pack(dir + pack):
		print("gdvar: not loaded: ", pack)
	for name in names:
		var path: String = "res://" + inside + "/" + name
		print("gdvar: ", pack, "\t", path, "\t", FileAccess.get_file_as_bytes(path).hex_encode())

func _init() -> void:
	# The key of an engine that was built without one.
	var key := "0".repeat(64)
	make("plain.pck", 32, key, false, false)
	make("aligned.pck", 4096, key, false, false)
	make("files.pck", 32, key, true, false)
	make("directory.pck", 32, key, true, true)
	make("inside.pck", 32, key, false, false)
	# As an export with the pack in the executable.
	var pack := FileAccess.get_file_as_bytes(dir + "inside.pck")
	var program := FileAccess.open(dir + "program", FileAccess.WRITE)
	program.store_string("an executable".repeat(100))
	program.store_buffer(pack)
	program.store_64(pack.size())
	program.store_string("GDPC")
	program.close()
	for name in ["plain.pck", "aligned.pck", "files.pck", "directory.pck"]:
		read(name, name)
	read("program", "inside.pck")
	quit()
