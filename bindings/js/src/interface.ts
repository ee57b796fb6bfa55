// Written by tools/describe/interface.py --update, out of gdvar.h.
import { place, struct, u16, u32, u64, u8 } from "./structs.js";
/** @internal */ export const ERROR = /* @__PURE__ */ struct(104, { code: [0, u16], type: [2, u8], source: [3, u8], system: [4, u32], offset: [8, u64], need: [16, u64], line: [24, u32], column: [28, u32], change: [32, u64], detail: [40, place] });

export const enum Type { nil = 0, bool = 1, int = 2, float = 3, string = 4, vector2 = 5, vector2i = 6, rect2 = 7, rect2i = 8, vector3 = 9, vector3i = 10, transform2d = 11, vector4 = 12, vector4i = 13, plane = 14, quaternion = 15, aabb = 16, basis = 17, transform3d = 18, projection = 19, color = 20, stringName = 21, nodePath = 22, rid = 23, object = 24, callable = 25, signal = 26, dictionary = 27, array = 28, packedByteArray = 29, packedInt32Array = 30, packedInt64Array = 31, packedFloat32Array = 32, packedFloat64Array = 33, packedStringArray = 34, packedVector2Array = 35, packedVector3Array = 36, packedColorArray = 37, packedVector4Array = 38, packedVector2iArray = 39, packedVector3iArray = 40, packedVector4iArray = 41, packedTypedArray = 42, image = 43, inputEvent = 44 }
export const enum Component { noComponent = 0, u8 = 1, i32 = 2, i64 = 3, f32 = 4, f64 = 5 }
export const enum ErrorSource { packet = 0, text = 1, file = 2, patch = 3, call = 4 }
export const enum OptionFlags { allowObjects = 1, strict = 2, nodePathText = 4, widePage = 8, anyScript = 16 }
export const enum NodeFlags { wide = 1, full = 2, id = 4, property = 8, copied = 16 }
export const enum ContainerKind { untyped = 0, builtin = 1, className = 2, script = 3 }
export const enum Needs { anotherValue = 0, create = 1, type = 2, append = 3, anotherPath = 4 }
export const enum ItemFlags { wide = 1, full = 2, id = 4, typed = 8, absolute = 16, property = 32, little = 64, utf8 = 128 }
export const enum Form { text = 0, textFull = 1, json = 2, plainJson = 3, text_3_2 = 4, text_3_6 = 5, text_4 = 6, textPandemonium = 7, text_2 = 8, text_4_0 = 9 }
export const enum SaveFlags { noLock = 65536, noInside = 131072, allReadings = 262144, noPartial = 524288, lock = 1048576 }
export const enum EntryFlags { encrypted = 1, absent = 2, offset = 4, md5 = 8, hostile = 16 }
export const enum SetFlags { type = 1, create = 2 }
export const enum RecoveredState { whole = 0, resized = 1, partial = 2 }
export const ERROR_SOURCE = ["packet", "text", "file", "patch", "call"] as const;
export const CONTAINER_KIND = ["untyped", "builtin", "class_name", "script"] as const;
export const NEEDS = ["another value", "create", "type", "append", "another path"] as const;
export const RECOVERED_STATE = ["whole", "resized", "partial"] as const;
/** The Variant types, by their numbers. */
export const TYPES = ["Nil", "bool", "int", "float", "String", "Vector2", "Vector2i", "Rect2", "Rect2i", "Vector3", "Vector3i", "Transform2D", "Vector4", "Vector4i", "Plane", "Quaternion", "AABB", "Basis", "Transform3D", "Projection", "Color", "StringName", "NodePath", "RID", "Object", "Callable", "Signal", "Dictionary", "Array", "PackedByteArray", "PackedInt32Array", "PackedInt64Array", "PackedFloat32Array", "PackedFloat64Array", "PackedStringArray", "PackedVector2Array", "PackedVector3Array", "PackedColorArray", "PackedVector4Array", "PackedVector2iArray", "PackedVector3iArray", "PackedVector4iArray", "PackedTypedArray", "Image", "InputEvent"] as const;
/** The name of a Variant type. */
export type TypeName = (typeof TYPES)[number];
export const enum C { cAbi = 17, typeCount = 45, noNode = 4294967295, noLayer = 4294967295 }
export const enum OptionsInit { maxDepth = 1024, maxBytes = 4294967295, maxNodes = 9007199254740991 }
export const enum OptionsNetworkInit { maxDepth = 64, maxBytes = 1048576, maxNodes = 65536 }
export const enum SaveOptionsInit { maxBytes = 268435456, lockWaitMs = 30000, maxLayers = 9007199254740991, maxText = 33554432 }

export const enum Size { bytes = 8, text = 8, typeInfo = 12, error = 104, options = 40, node = 16, tape = 16, numbers = 12, nodePathInfo = 12, containerType = 12, image = 24, inputEvent = 20, match = 20, refusal = 20, item = 16, loss = 28, row = 48, quirk = 24, candidate = 32, namedKey = 24, saveOptions = 104, kind = 16, reading = 16, finding = 56, code = 24, entry = 56, saveItem = 16, place = 32, staleSum = 48, recovered = 152, lost = 48 }
export const enum BytesAt { data = 0, size = 4 }
export const enum TextAt { data = 0, size = 4 }
export const enum TypeInfoAt { name = 0, component = 8, components = 9, packed = 10, widens = 11 }
export const enum ErrorAt { code = 0, type = 2, source = 3, system = 4, offset = 8, need = 16, line = 24, column = 28, change = 32, detail = 40 }
export const enum OptionsAt { size = 0, flags = 4, dialect = 8, maxDepth = 12, maxBytes = 24, maxNodes = 32 }
export const enum NodeAt { type = 0, flags = 1, offset = 4, as = 8 }
export const enum TapeAt { nodes = 0, count = 4, bytes = 8, size = 12 }
export const enum NumbersAt { data = 0, count = 4, components = 8, component = 9, hostOrder = 10 }
export const enum NodePathInfoAt { names = 0, subnames = 4, absolute = 8, separateProperty = 9, isText = 10 }
export const enum ContainerTypeAt { kind = 0, type = 1, name = 4 }
export const enum ImageAt { format = 0, mipmaps = 4, width = 8, height = 12, data = 16 }
export const enum InputEventAt { type = 0, device = 4, words = 8, wordCount = 16 }
export const enum MatchAt { path = 0, packet = 8, node = 16 }
export const enum RefusalAt { code = 0, needs = 2, type = 3, at = 4, what = 12 }
export const enum ItemAt { type = 0, flags = 1, count = 4, as = 8 }
export const enum LossAt { path = 0, what = 8, substitution = 16, type = 24 }
export const enum RowAt { offset = 0, size = 8, path = 16, type = 24, value = 32, note = 40 }
export const enum QuirkAt { name = 0, path = 8, offset = 16 }
export const enum CandidateAt { dialect = 0, fits = 4, score = 8, oddities = 16, reason = 24 }
export const enum NamedKeyAt { name = 0, password = 8, key = 16 }
export const enum SaveOptionsAt { size = 0, flags = 4, dialect = 8, password = 12, key = 20, maxBytes = 32, lockWaitMs = 40, as = 48, keys = 56, keyCount = 60, inside = 64, insideCount = 68, maxLayers = 72, skip = 80, entries = 88, entryCount = 92, maxText = 96 }
export const enum KindAt { name = 0, text = 8, named = 9, several = 10, made = 11, onlyRead = 12 }
export const enum ReadingAt { name = 0, reason = 8 }
export const enum FindingAt { name = 0, reason = 8, at = 16, openedWith = 24, others = 32, otherCount = 36, ruledOut = 40, ruledOutCount = 44, layer = 48 }
export const enum CodeAt { kind = 0, path = 8, what = 16 }
export const enum EntryAt { name = 0, size = 8, offset = 16, md5 = 24, notes = 40, noteCount = 44, flags = 48 }
export const enum SaveItemAt { name = 0, packet = 8 }
export const enum PlaceAt { begin = 0, end = 8, keyBegin = 16, keyEnd = 24 }
export const enum StaleSumAt { path = 0, of = 8, was = 16, now = 24, text = 32, mended = 40 }
export const enum RecoveredAt { name = 0, packet = 8, offset = 16, breakAt = 24, broken = 32, state = 136, foundAgain = 137, doubtful = 138, line = 144 }
export const enum LostAt { begin = 0, end = 8, layer = 16, code = 20, doubtful = 22, reason = 24, at = 32, line = 40 }

/** The functions. Structs are passed and returned by their addresses. */
export interface Functions {
    gdvar_abi(): number;
    gdvar_version(): number;
    gdvar_describe_type(result: number, type: number): void;
    gdvar_error_message(error: number, to: number, capacity: number): number;
    gdvar_error_name(code: number): number;
    gdvar_error_kind(code: number): number;
    gdvar_error_meaning(code: number): number;
    gdvar_error_code(name: number): number;
    gdvar_buffer_new(): number;
    gdvar_buffer_free(buffer: number): void;
    gdvar_buffer_bytes(result: number, buffer: number): void;
    gdvar_buffer_clear(buffer: number): void;
    gdvar_find_dialect(name: number): number;
    gdvar_dialect_at(index: number): number;
    gdvar_dialect_name(result: number, dialect: number): void;
    gdvar_dialect_title(result: number, dialect: number): void;
    gdvar_dialect_has(dialect: number, type: number): number;
    gdvar_validate(bytes: number, options: number, size: number, error: number): number;
    gdvar_error_path(bytes: number, options: number, error: number, path: number): number;
    gdvar_document_new(): number;
    gdvar_document_free(document: number): void;
    gdvar_document_read(document: number, bytes: number, options: number, error: number): number;
    gdvar_document_read_copy(document: number, bytes: number, options: number, error: number): number;
    gdvar_document_tape(result: number, document: number): void;
    gdvar_node_bytes(result: number, document: number, node: number): void;
    gdvar_node_name(result: number, document: number, node: number): void;
    gdvar_node_numbers(result: number, document: number, node: number): void;
    gdvar_node_texts(document: number, node: number, to: number, capacity: number): number;
    gdvar_node_path(result: number, document: number, node: number): void;
    gdvar_node_types(document: number, node: number, first: number, second: number): void;
    gdvar_node_image(result: number, document: number, node: number): void;
    gdvar_node_input_event(result: number, document: number, node: number): void;
    gdvar_find_text(document: number, node: number, key: number): number;
    gdvar_find_index(document: number, node: number, index: bigint): number;
    gdvar_path_several(path: number, several: number, error: number): number;
    gdvar_lookup(document: number, path: number, use: number, user: number, count: number, error: number): number;
    gdvar_lookup_from(document: number, node: number, path: number, use: number, user: number, count: number, error: number): number;
    gdvar_explain_path(document: number, path: number, use: number, user: number): number;
    gdvar_encode(items: number, count: number, options: number, to: number, error: number, path: number): number;
    gdvar_print(document: number, node: number, form: number, indent: number, to: number, losses: number, user: number, error: number): number;
    gdvar_parse(text: number, form: number, options: number, to: number, error: number): number;
    gdvar_parse_with_path(text: number, form: number, options: number, to: number, error: number, path: number): number;
    gdvar_annotate(bytes: number, options: number, use: number, user: number, size: number, error: number): number;
    gdvar_check(bytes: number, options: number, most: number, use: number, user: number, count: number, error: number): number;
    gdvar_guess(packets: number, count: number, use: number, user: number, ambiguous: number): number;
    gdvar_convert(packet: number, fromOptions: number, toOptions: number, to: number, losses: number, user: number, error: number): number;
    gdvar_set(packet: number, path: number, value: number, options: number, to: number, error: number): number;
    gdvar_erase(packet: number, path: number, options: number, to: number, error: number): number;
    gdvar_diff(from: number, to: number, patch: number, error: number): number;
    gdvar_patch(packet: number, patch: number, options: number, to: number, error: number): number;
    gdvar_change_path(patch: number, change: bigint, path: number, error: number): number;
    gdvar_kind_at(result: number, index: number): void;
    gdvar_layer_name_at(result: number, index: number): void;
    gdvar_save_open(path: number, options: number, save: number, error: number): number;
    gdvar_save_read(bytes: number, options: number, save: number, error: number): number;
    gdvar_save_free(save: number): void;
    gdvar_save_dialect(save: number): number;
    gdvar_save_layers(save: number, to: number, error: number): number;
    gdvar_save_kind(result: number, save: number): void;
    gdvar_save_stack(save: number, to: number, error: number): number;
    gdvar_save_only_read(save: number): number;
    gdvar_save_check(save: number, error: number, path: number): number;
    gdvar_save_findings(save: number, use: number, user: number, error: number): number;
    gdvar_identify(bytes: number, options: number, use: number, user: number, stack: number, error: number): number;
    gdvar_save_code(save: number, most: number, use: number, user: number, count: number, error: number): number;
    gdvar_list_entries(path: number, options: number, use: number, user: number, description: number, error: number): number;
    gdvar_read_entries(bytes: number, options: number, use: number, user: number, description: number, error: number): number;
    gdvar_save_count(save: number): number;
    gdvar_save_at(result: number, save: number, index: number): void;
    gdvar_save_get(save: number, path: number, to: number, error: number): number;
    gdvar_save_find_each(save: number, path: number, use: number, user: number, count: number, error: number): number;
    gdvar_save_content(save: number, content: number, error: number): number;
    gdvar_save_place(save: number, index: number, offset: bigint, place: number, error: number): number;
    gdvar_save_value_at(save: number, at: bigint, index: number, offset: number, error: number): number;
    gdvar_save_place_of(save: number, path: number, place: number, error: number): number;
    gdvar_save_path_at(save: number, at: bigint, to: number, error: number): number;
    gdvar_save_set(save: number, path: number, value: number, flags: number, error: number): number;
    gdvar_save_erase(save: number, path: number, error: number): number;
    gdvar_save_set_all(save: number, path: number, value: number, flags: number, count: number, error: number): number;
    gdvar_save_erase_all(save: number, path: number, count: number, error: number): number;
    gdvar_save_rename(save: number, path: number, key: number, error: number): number;
    gdvar_save_insert(save: number, number: bigint, packet: number, error: number): number;
    gdvar_save_replace(save: number, number: bigint, packet: number, error: number): number;
    gdvar_save_remove(save: number, number: bigint, error: number): number;
    gdvar_save_explain(save: number, use: number, user: number): number;
    gdvar_save_changed(save: number): number;
    gdvar_save_keep_changes(save: number, mostBytes: number, error: number): number;
    gdvar_save_undo(save: number, error: number): number;
    gdvar_save_redo(save: number, error: number): number;
    gdvar_save_change_count(save: number): number;
    gdvar_save_undo_count(save: number): number;
    gdvar_save_redo_count(save: number): number;
    gdvar_save_bytes(save: number, to: number, error: number): number;
    gdvar_save_write(save: number, backup: number, error: number): number;
    gdvar_save_stale_sums(save: number, use: number, user: number): void;
    gdvar_save_update_sums(save: number, update: number): void;
    gdvar_save_diff(from: number, to: number, patch: number, error: number): number;
    gdvar_save_patch(save: number, patch: number, error: number): number;
    gdvar_save_convert(save: number, dialect: number, layers: number, to: number, losses: number, user: number, error: number, path: number): number;
    gdvar_make_document(kind: number, items: number, count: number, dialect: number, to: number, error: number, path: number): number;
    gdvar_wrap(inner: number, layers: number, options: number, to: number, error: number): number;
    gdvar_unwrap(outer: number, options: number, to: number, layers: number, error: number): number;
    gdvar_recover(bytes: number, options: number, recovery: number, error: number): number;
    gdvar_recovery_free(recovery: number): void;
    gdvar_recovery_sound(recovery: number): number;
    gdvar_recovery_kind(result: number, recovery: number): void;
    gdvar_recovery_dialect(recovery: number, certain: number): number;
    gdvar_recovery_layers(recovery: number, to: number, error: number): number;
    gdvar_recovery_stack(recovery: number, to: number, error: number): number;
    gdvar_recovery_count(recovery: number): number;
    gdvar_recovery_at(result: number, recovery: number, index: number): void;
    gdvar_recovery_content(result: number, recovery: number): void;
    gdvar_recovery_lost_count(recovery: number): number;
    gdvar_recovery_lost_at(result: number, recovery: number, index: number): void;
    gdvar_recovery_note_at(result: number, recovery: number, index: number): void;
    gdvar_recovery_write(recovery: number, layers: number, options: number, to: number, error: number): number;
    gdvar_framer_new(bigEndian: number, maxPacket: bigint): number;
    gdvar_framer_free(framer: number): void;
    gdvar_framer_feed(framer: number, bytes: number, error: number): number;
    gdvar_framer_next(framer: number, packet: number, there: number, error: number): number;
    gdvar_framer_need(framer: number): bigint;
    gdvar_framer_finish(framer: number, error: number): number;
    gdvar_append_frame(packet: number, bigEndian: number, to: number, error: number): number;
}
export type CFunction = keyof Functions;
