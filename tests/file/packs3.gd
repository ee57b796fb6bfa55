# Makes packs, loads them and prints what it reads in each: pack, path and content in hex. Godot 3.
extends SceneTree

var dir = OS.get_environment("HOME")
var names = ["empty.txt", "one.bin", "a/b/c/deep.bin", "with space.bin", "ümläut.bin", "large.bin", "data.save"]

func content(i):
	if i == names.size() - 1:
		return var2bytes({"hp": 7})
	var out = PoolByteArray()
	out.resize([0, 1, 31, 32, 33, 70000][i])
	for k in out.size():
		out[k] = (k * 31 + i * 7 + k / 256) % 256
	return out

func make(pack, alignment):
	var packer = PCKPacker.new()
	packer.pck_start(dir + pack, alignment)
	for i in names.size():
		var copy = dir + "source%d" % i
		var file = File.new()
		file.open(copy, File.WRITE)
		file.store_buffer(content(i))
		file.close()
		packer.add_file("res://" + pack + "/" + names[i], copy)
	packer.flush()

func read(pack):
	if not ProjectSettings.load_resource_pack(dir + pack):
		print("gdvar: not loaded: ", pack)
	for name in names:
		var path = "res://" + pack + "/" + name
		var file = File.new()
		if file.open(path, File.READ) != OK:
			print("gdvar: not opened: ", path)
			continue
		print("gdvar: ", pack, "\t", path, "\t", file.get_buffer(file.get_len()).hex_encode())
		file.close()

func _init():
	make("plain.pck", 0)
	make("aligned.pck", 4096)
	for name in ["plain.pck", "aligned.pck"]:
		read(name)
	quit()
