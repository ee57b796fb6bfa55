extends SceneTree
# Measures the engine's own encode and decode. Environment: WDIR (where workloads_g4.gd is), TARGET_MS, BATCHES.
var TARGET := 1000000
var BATCHES := 5
func med(a: Array) -> float:
	a.sort()
	return a[a.size() / 2]
func time_enc(v, n: int) -> int:
	var t := Time.get_ticks_usec()
	for i in n: var_to_bytes(v)
	return Time.get_ticks_usec() - t
func time_dec(b: PackedByteArray, n: int) -> int:
	var t := Time.get_ticks_usec()
	for i in n: bytes_to_var(b)
	return Time.get_ticks_usec() - t
func time_enc_list(vs: Array, n: int) -> int:
	var t := Time.get_ticks_usec()
	for i in n:
		for v in vs: var_to_bytes(v)
	return Time.get_ticks_usec() - t
func time_dec_list(bs: Array, n: int) -> int:
	var t := Time.get_ticks_usec()
	for i in n:
		for b in bs: bytes_to_var(b)
	return Time.get_ticks_usec() - t
func time_empty(bs: Array, n: int) -> int:
	var t := Time.get_ticks_usec()
	for i in n:
		for b in bs: pass
	return Time.get_ticks_usec() - t
func run(label: String, fn: Callable, arg, bytes: int, ops: int) -> void:
	var n := 1
	var t: int = fn.call(arg, n) # warm-up + calibration
	while t < min(TARGET, 200000):
		n *= 2
		t = fn.call(arg, n)
	n = max(1, int(ceil(float(n) * TARGET / t)))
	var res := []
	for k in BATCHES: res.append(float(fn.call(arg, n)) * 1000.0 / n)
	var ns := med(res)
	print("BENCH\tgodot-%s\t%s\tbytes=%d\tns_per_op=%.1f\tMBps=%.1f\tmin=%.1f\tmax=%.1f\titers=%d" % [Engine.get_version_info().string.get_slice(".stable", 0).get_slice("-", 0), label, bytes, ns / ops, bytes * 1000.0 / ns, res[0] / ops, res[-1] / ops, n])
func _init() -> void:
	if OS.has_environment("TARGET_MS"): TARGET = int(OS.get_environment("TARGET_MS")) * 1000
	if OS.has_environment("BATCHES"): BATCHES = int(OS.get_environment("BATCHES"))
	var W = load(OS.get_environment("WDIR") + "/workloads_g4.gd").new()
	for nm in W.names():
		var v = W.build(nm)
		if nm == "small_packets":
			var bs := []
			var tot := 0
			for p in v:
				var b := var_to_bytes(p)
				bs.append(b)
				tot += b.size()
			run("small_packets/loop", time_empty, bs, tot, bs.size())
			run("small_packets/encode", time_enc_list, v, tot, bs.size())
			run("small_packets/decode", time_dec_list, bs, tot, bs.size())
		else:
			var b := var_to_bytes(v)
			run(nm + "/encode", time_enc, v, b.size(), 1)
			run(nm + "/decode", time_dec, b, b.size(), 1)
	quit()
