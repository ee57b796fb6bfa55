# Records what JSON.parse of a real Godot 4.x engine makes of documents.
# Run: godot --headless -s json4.gd -- DOCUMENTS.txt OUT.ndjson
# DOCUMENTS.txt: a document in each line, in hex. Each line out: the packet of the value in hex; "" if it is refused
extends SceneTree
func _init() -> void:
	var a := OS.get_cmdline_user_args()
	var out := FileAccess.open(a[1], FileAccess.WRITE)
	for l in FileAccess.get_file_as_string(a[0]).split("\n"):
		var json := JSON.new()
		var text: String = l.hex_decode().get_string_from_utf8()
		var fine := json.parse(text) == OK
		out.store_line(JSON.stringify(var_to_bytes(json.data).hex_encode() if fine else ""))
	out.close()
	quit()
