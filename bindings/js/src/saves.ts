// Whole saves: opened in any layers, changed by path, written back in the same layers: gdvar-saves.wasm, which has all
// that gdvar/tools has as well.
import "./serve_saves.js";
import { decodeWith, SHAPE_NAMES, type DecodeOptions, type ShapesOf } from "./decode.js";
import { Document, orDefault, OTHERWISE_NAMES, type Otherwise } from "./document.js";
import { encodeWith } from "./encode.js";
import { FOUND_CODE, KIND, type Finding, type FoundCode, type SaveKind } from "./findings.js";
import { LOSS, saves, type Before, type Call, type Loss } from "./engine.js";
import { type CFunction, SaveItemAt, SetFlags, Size } from "./interface.js";
import { FINDING, MATCH, PLACE as ALL_OF_PLACE, STALE_SUM as ALL_OF_STALE_SUM } from "./layouts.js";
import { layersIn } from "./layers.js";
import { checkedLimit, checkOptions, findDialect, type DialectName, type Names } from "./options.js";
import { SAVE_NAMES, saveOptions, type SaveOptions } from "./save_options.js";
import * as s from "./structs.js";
import type { Encodable, Variant } from "./variant.js";
import { Handle } from "./wasm.js";

export * from "./packet_tools.js";
export { identify, layerNames, saveKinds, type Finding, type FoundCode, type Identification, type Reading, type SaveKind } from "./findings.js";
export { makeDocument, readEntries, unwrap, wrap, type DocumentItem, type Entry } from "./layers.js";
export { recover, type LostRange, type RecoveredItem, type Recovery, type RecoverOptions } from "./recovery.js";
export type { NamedKey, SaveOptions } from "./save_options.js";

/** The shapes of values that are given (DecodeOptions). */
export type Shapes = Pick<DecodeOptions, "ints" | "floats" | "dictionaries" | "stringNames" | "plain">;
function shapesIn(options: Shapes): Shapes {
    const { ints, floats, dictionaries, stringNames, plain } = options;
    return { ...(ints && { ints }), ...(floats && { floats }), ...(dictionaries && { dictionaries }), ...(stringNames && { stringNames }), ...(plain && { plain }) };
}

/** undefined for no bytes. */
const PLACE: s.Member<ContentPlace | undefined> = s.as(ALL_OF_PLACE, ({ begin, end, keyBegin, keyEnd }) =>
    begin === end ? undefined : { begin, end, key: keyBegin === keyEnd ? undefined : { begin: keyBegin, end: keyEnd } },
);
/** The arguments of a save's function behind the save. */
type OfSave<Name extends CFunction, Last extends readonly unknown[] = [error: number]> = Before<Name, Last> extends readonly [save: number, ...infer Given] ? Readonly<Given> : never;
const FOUND = s.some(MATCH, "path", "packet");
/** What gdvar_save_value_at gives. */
const VALUE_PLACE = s.struct(16, { index: [0, s.u32], offset: [8, s.u64] });

const OPEN_NAMES: Names<SaveOptions & Shapes> = { ...SAVE_NAMES, ...SHAPE_NAMES };
const NO_BYTES = new Uint8Array(0);

/** Where a value stands in what the innermost layer holds, in bytes; of a text also its key, as it is written. */
export interface ContentPlace {
    begin: number;
    end: number;
    key: { begin: number; end: number } | undefined;
}

/** How a value is put in its place. */
export interface SetOptions {
    /** The value may get another type. */
    type?: boolean;
    /** A key, property or setting that is not there may be added. */
    create?: boolean;
}
const SET_ALL_NAMES: Names<Pick<SetOptions, "type">> = { type: true };
const SET_NAMES: Names<SetOptions> = { ...SET_ALL_NAMES, create: true };

/** A value that a path leads to, and its own path. */
export interface FoundValue<Value = Variant> {
    path: string;
    value: Value;
}

/** A number or a text beside changed data that was a size or a checksum of it. */
export interface StaleSum {
    /** Where: `#0 $.hash`; "byte 4" of what `skip` passes over. */
    path: string;
    /** "the MD5 of $.data" */
    of: string;
    was: string;
    /** The right value; undefined: it is not certain. */
    now: string | undefined;
    /** Whether the bytes that were made have that. */
    mended: boolean;
    /** All of it as a sentence. */
    text: string;
}
const STALE_SUM: s.Member<StaleSum> = s.as(ALL_OF_STALE_SUM, ({ now, ...sum }) => ({ ...sum, now: now || undefined }));

/** Options for making the bytes of a file. */
export interface WriteOptions {
    /** Sizes and checksums beside the changes are mended, where it is certain what they have to be. */
    updateSums?: boolean;
}
const CODE_NAMES: Names<{ most?: number }> = { most: true };
const WRITE_NAMES: Names<WriteOptions> = { updateSums: true };
const CONVERT_NAMES: Names<WriteOptions & { layers?: readonly string[] }> = { ...WRITE_NAMES, layers: true };

/**
 * A save, opened from its bytes. Changes are written back in the same layers, and all other bytes stay as they are; a
 * save in which nothing changes gives the bytes that came. Paths: `$.hp`, `#0 $.players[3]`, `application/config/name`
 * (docs/paths.md). It holds memory until `close`, or until it is forgotten. `Value` is the type that the caller expects; it must
 * be given if the options make other values than Variants: `new SaveFile<Plain>(bytes, { plain: true })`.
 */
export class SaveFile<Value = Variant> {
    readonly #save: Handle;
    /** How often it was changed: documents of what it was before are stale. */
    #changes = 0;
    readonly #decoding: DecodeOptions;

    /**
     * Opens a save. Its packets are read when they are asked for. Errors: GdvarError: not_recognised; bad_key (encrypted, and there
     * is no password or key); bad_checksum (a wrong password or key, or damage); those of the layers and, of texts, bad_syntax, ...
     */
    constructor(bytes: Uint8Array, options?: SaveOptions & Shapes & ShapesOf<Value>);
    constructor(bytes: Uint8Array, options: SaveOptions & Shapes = {}) {
        checkOptions(options, OPEN_NAMES);
        this.#save = saves().calling((call) => {
            const given = [call.bytes(bytes), saveOptions(call, options)] as const;
            const handle = call.written(s.u32, (at) => call.run("gdvar_save_read", [...given, at]));
            return new Handle(saves().keeper, handle, this, "gdvar_save_free", "the save");
        });
        const { dialect } = this;
        // The dialect of a resource's values is one of its own, with the same name.
        const anyScript = saves().calling(({ module }) => module.exports["gdvar_save_dialect"](this.#save.get()) !== findDialect(module, dialect));
        // Objects in documents that are text need no flag; in packets the save has already refused them.
        this.#decoding = { ...shapesIn(options), dialect, objects: true, anyScript, ...(options.widePage && { widePage: true }) };
    }
    /** Gives its memory back. It can't be used afterwards. */
    close(): void {
        this.#save.close();
    }
    /** False once it was closed, or was lost when a call found no memory left: then it can't be used any more. */
    get isOpen(): boolean {
        return this.#save.isOpen;
    }

    /** "godot-4.4" */
    get dialect(): DialectName {
        return saves().calling((call) => call.returned(s.text, "gdvar_dialect_name", call.module.exports["gdvar_save_dialect"](this.#save.get()))) as DialectName;
    }
    /** From the outermost inwards: ["base64", "gdec-4"]. */
    get layers(): string[] {
        return layersIn(this.#said("gdvar_save_layers"));
    }
    /** "gdec-3 > gzip > godot-3.1 records" */
    get stack(): string {
        return this.#said("gdvar_save_stack");
    }
    get kind(): SaveKind {
        return saves().calling((call) => call.returned(KIND, "gdvar_save_kind", this.#save.get()));
    }
    /** It can't be changed or written: a binary resource, a file in a pack. */
    get onlyRead(): boolean {
        return this.#numberOf("only_read") !== 0;
    }
    get changed(): boolean {
        return this.#numberOf("changed") !== 0;
    }
    /**
     * Throws for the first value that is not sound, as the exit code of `gdvar check` tells it: each value is read to its end, and
     * nothing stands behind a value, the last record or a layer. Opening does not ask for this, and `bytes` keeps what stands behind;
     * `convert`, `diff` and `patch` refuse it. Errors: those of `decode`; trailing_bytes.
     */
    check(): void {
        saves().calling((call) => call.runWithPath("gdvar_save_check", [this.#save.get()]));
    }
    /** The kind that was found, and why. */
    findings(): Finding[] {
        return saves().collecting(FINDING, (call) => this.#run(call, "gdvar_save_findings", call.use))[0];
    }
    /**
     * Tells what engines run, load or make when they open the save: the first `most` places (100), and how many there are in all. Objects
     * are looked at even where they are refused; nothing is run.
     */
    code(options?: { most?: number }): { places: FoundCode[]; total: number } {
        checkOptions(options, CODE_NAMES);
        const [places, total] = saves().collecting(FOUND_CODE, (call) => {
            const most = Math.min(checkedLimit(call.module, "most", options?.most ?? 100), 0xffffffff);
            return call.written(s.u64, (count) => this.#run(call, "gdvar_save_code", [most, ...call.use, count]));
        });
        return { places, total };
    }

    /** How many values there are: records, lines, settings; else 1. */
    get count(): number {
        return this.#numberOf("count");
    }
    /** The name of a setting. */
    name(index: number): string {
        return saves().calling((call) => s.text.read(call.module, this.#item(call, index) + SaveItemAt.name));
    }
    /** The bytes of a value by its number: a packet in the save's dialect. */
    packet(index = 0): Uint8Array<ArrayBuffer> {
        return saves().calling((call) => s.bytes.read(call.module, this.#item(call, index) + SaveItemAt.packet));
    }
    /** A value by its number as a document over the save's own bytes, without a copy: until the save is changed. */
    document(index = 0): Document {
        const changes = this.#changes;
        return new Document(NO_BYTES, this.#decoding, {
            at: (call) => this.#item(call, index) + SaveItemAt.packet,
            engine: saves(),
            isStale: () => this.#save.isClosed || this.#changes !== changes,
        });
    }
    /** A value by its number, as `decode` gives it with the options of the save. Errors: index_out_of_range. */
    value<T = Value>(index = 0): NoInfer<T> {
        return decodeWith(this.packet(index), this.#decoding);
    }
    /** The innermost layer's content, as it would be written now, in bytes. After a change it is written once. */
    get contentSize(): number {
        return saves().calling((call) => this.#content(call).size);
    }
    /** A copy of some bytes of that content. */
    content(begin = 0, end = Infinity): Uint8Array<ArrayBuffer> {
        return saves().calling((call) => call.part(this.#content(call), begin, end));
    }
    /**
     * Where a value stands in the content: the value that begins at `offset` of the packet of value `index`; 0: the whole value.
     * In a text these are its own letters, or those of the value in which it is written (`Vector2(1, 2)`). undefined: not known.
     */
    place(index: number, offset = 0): ContentPlace | undefined {
        return saves().calling((call) => {
            if (index >>> 0 !== index) throw noValue(call, index);
            return call.written(PLACE, (at) => this.#run(call, "gdvar_save_place", [index, this.#number(call, offset), at]));
        });
    }
    /** The same of the value at a path. A part of a value (`$.pos.x`) has the place of the whole value. */
    placeOf(path: string): ContentPlace | undefined {
        return saves().calling((call) => call.written(PLACE, (at) => this.#look(call, "gdvar_save_place_of", [call.text(path), at])));
    }
    /** The path of the innermost value to which a byte of the content belongs: `valueAt` as a path. */
    pathAt(at: number): string {
        return this.#said("gdvar_save_path_at", (call) => [this.#number(call, at)] as const);
    }
    /**
     * The owner of a byte of the content: value `index`, and a place in its packet in the bytes of the innermost value there
     * (`document(index).at(offset)`). Frames belong to their packets, keys to their values. Errors: index_out_of_range.
     */
    valueAt(at: number): { index: number; offset: number } {
        return saves().calling((call) =>
            call.written(VALUE_PLACE, (to) => this.#run(call, "gdvar_save_value_at", [this.#number(call, at), to, to + VALUE_PLACE.members.offset[0]])),
        );
    }
    #content(call: Call): { at: number; size: number } {
        return call.written(s.SPAN, (at) => this.#run(call, "gdvar_save_content", [at]));
    }
    /**
     * The value at a path, as `decode` gives it; of a path that may lead to several (`[*]`, `..`, `#*`) an array of all. `default`, if
     * it is given, stands for what is not there. Errors: bad_path, missing_key, index_out_of_range, wrong_type.
     */
    get<T = Value, Default = T>(path: string, options?: Otherwise<Default>): NoInfer<T> | Default;
    get<T>(path: string, options: Otherwise<null>): NoInfer<T> | null;
    get(path: string, options: Otherwise = {}): unknown {
        checkOptions(options, OTHERWISE_NAMES);
        return orDefault(options, () => {
            if (this.#isSeveral(path)) return this.findAll(path).map(({ value }) => value);
            const packet = saves().calling((call) => {
                this.#look(call, "gdvar_save_get", [call.text(path), call.module.buffer]);
                return call.module.takeBuffer();
            });
            return decodeWith(packet, this.#decoding);
        });
    }
    /**
     * All values that a path leads to, each with its own path: `findAll("$.players[*].hp")`. In a save of several records, a path
     * without a number means all of them: `$..hp` is `#* $..hp`. Errors: as `get`, if the path leads nowhere.
     */
    findAll<T = Value>(path: string): FoundValue<T>[] {
        const [found] = saves().collecting(FOUND, (call) => this.#look(call, "gdvar_save_find_each", [call.text(path), ...call.useMatch, 0]));
        return found.map(({ path, packet }) => ({ path, value: decodeWith(packet, this.#decoding) }));
    }
    /** Whether a path may lead to several values. A setting's name need not be a path; then it leads to one. */
    #isSeveral(path: string): boolean {
        return saves().calling((call) => {
            const { module } = call;
            const code: number = module.exports["gdvar_path_several"](call.text(path), module.result, 0);
            module.refresh();
            return code === 0 && module.u32[module.result >>> 2] !== 0;
        });
    }

    /**
     * Puts a value at a path. It takes the type of the old one if it fits (docs/editing.md). Errors: those of `get`
     * (wrong_type without `type` and missing_key without `create`, too); not_in_dialect, and others for what the document can't
     * hold. Then nothing has changed.
     */
    set(path: string, value: Encodable, options: SetOptions = {}): void {
        checkOptions(options, SET_NAMES);
        const flags = (options.type ? SetFlags.type : 0) | (options.create ? SetFlags.create : 0);
        const packet = this.#encoded(value);
        saves().calling((call) => this.#change(call, "gdvar_save_set", [call.text(path), call.bytes(packet), flags]));
    }
    /**
     * Puts a value at all places that a path leads to (`$.players[*].hp`), each as `set` does, or at none, in one pass. For several
     * records the path names one (`#2`), or all (`#*`). Gives how many values were set. Errors: as `set`, of the first that is refused.
     */
    setAll(path: string, value: Encodable, options: Pick<SetOptions, "type"> = {}): number {
        checkOptions(options, SET_ALL_NAMES);
        const packet = this.#encoded(value);
        return saves().calling((call) => this.#changeAll(call, "gdvar_save_set_all", [call.text(path), call.bytes(packet), options.type ? SetFlags.type : 0]));
    }
    /** Removes all elements, pairs and properties that a path leads to, or none. Gives how many. Errors: as `setAll`. */
    eraseAll(path: string): number {
        return saves().calling((call) => this.#changeAll(call, "gdvar_save_erase_all", [call.text(path)]));
    }
    /** Removes the element, pair or property at a path. Errors: as `set`. */
    erase(path: string): void {
        saves().calling((call) => this.#change(call, "gdvar_save_erase", [call.text(path)]));
    }
    /** The pair or property at a path gets another key. Errors: as `set`; repeated_key. */
    rename(path: string, key: Encodable): void {
        const packet = this.#encoded(key);
        saves().calling((call) => this.#change(call, "gdvar_save_rename", [call.text(path), call.bytes(packet)]));
    }
    /**
     * A new record before record `number`; negative numbers count from the end, `count` is behind the last one. Errors:
     * index_out_of_range; misplaced, if the document has but one value; what the document can't hold.
     */
    insert(number: number, value: Encodable): void {
        const packet = this.#encoded(value);
        saves().calling((call) => this.#change(call, "gdvar_save_insert", [this.#number(call, number), call.bytes(packet)]));
    }
    /** Another value for a whole record, setting or only value, of any type. Errors: index_out_of_range; what the document can't hold. */
    replace(number: number, value: Encodable): void {
        const packet = this.#encoded(value);
        saves().calling((call) => this.#change(call, "gdvar_save_replace", [this.#number(call, number), call.bytes(packet)]));
    }
    /** The record or setting of that number goes. Errors: index_out_of_range; misplaced, if the document has but one value. */
    remove(number: number): void {
        saves().calling((call) => this.#change(call, "gdvar_save_remove", [this.#number(call, number)]));
    }

    /** Keeps all changes from now on, so that `undo` can take them back. Beyond 64 MiB the oldest are dropped. */
    keepChanges(): void {
        saves().calling((call) => this.#run(call, "gdvar_save_keep_changes", [0]));
    }
    /**
     * Takes the last change back: the save is then as it was, to the last byte. Each call that changes something is one change, `setAll`
     * and `patch` too. Gives false if no change is left.
     */
    undo(): boolean {
        return this.#go("undo");
    }
    /** Makes the change again that was taken back last. Gives false if there is none. */
    redo(): boolean {
        return this.#go("redo");
    }
    #go(way: "undo" | "redo"): boolean {
        if (this.#numberOf(`${way}_count`) === 0) return false;
        saves().calling((call) => this.#change(call, `gdvar_save_${way}`, []));
        return true;
    }
    /** How many changes were made since `keepChanges`, without those that were taken back. */
    get changeCount(): number {
        return this.#numberOf("change_count");
    }
    /** How many changes `undo` can take back. */
    get undoCount(): number {
        return this.#numberOf("undo_count");
    }
    /** How many changes `redo` can make again. */
    get redoCount(): number {
        return this.#numberOf("redo_count");
    }
    #numberOf(what: "change_count" | "changed" | "count" | "only_read" | "redo_count" | "undo_count"): number {
        return saves().keeper.run((module) => module.exports[`gdvar_save_${what}`](this.#save.get()) >>> 0);
    }

    /** The file, with what was changed; without a change, the bytes that came. */
    bytes(options: WriteOptions = {}): Uint8Array<ArrayBuffer> {
        checkOptions(options, WRITE_NAMES);
        this.#updateSums(options);
        return saves().calling((call) => call.output("gdvar_save_bytes", [this.#save.get()]));
    }
    /**
     * The sizes and checksums beside the changes that the last `bytes` or `convert` found wrong: numbers of 16 or more, and texts,
     * that equalled the size, CRC-32, MD5, SHA-1 or SHA-256 of what was changed (docs/editing.md).
     */
    staleSums(): StaleSum[] {
        return saves().collecting(STALE_SUM, (call) => call.module.exports["gdvar_save_stale_sums"](this.#save.get(), ...call.use))[0];
    }
    #updateSums(options: WriteOptions): void {
        saves().keeper.run((module) => module.exports["gdvar_save_update_sums"](this.#save.get(), options.updateSums ? 1 : 0));
    }
    /** The changes that give this save the values of `other`, as a patch: a packet (docs/patch.md). */
    diff(other: SaveFile): Uint8Array<ArrayBuffer> {
        return saves().calling((call) => call.output("gdvar_save_diff", [this.#save.get(), other.#save.get()]));
    }
    /** Makes the changes of a patch: all, or after an error none. */
    patch(changes: Uint8Array): void {
        ++this.#changes;
        saves().calling((call) => this.#run(call, "gdvar_save_patch", [call.bytes(changes)]));
    }
    /**
     * The file for the engines of another dialect, and what could not be kept. This save stays as it is. `layers`: those to
     * write, with the save's password or key; else its own, of which encryption becomes that of the dialect's engines.
     */
    convert(dialect: DialectName, options: WriteOptions & { layers?: readonly string[] } = {}): { bytes: Uint8Array<ArrayBuffer>; losses: Loss[] } {
        checkOptions(options, CONVERT_NAMES);
        this.#updateSums(options);
        const [losses, bytes] = saves().collecting(LOSS, (call) => {
            const { module } = call;
            const layers = call.optionalText(options.layers?.join(" "));
            call.runWithPath("gdvar_save_convert", [this.#save.get(), findDialect(module, dialect), layers, module.buffer, ...call.use]);
            return module.takeBuffer();
        });
        return { bytes, losses };
    }

    #number(call: Call, number: number): bigint {
        if (!Number.isSafeInteger(number)) throw noValue(call, number);
        return BigInt(number);
    }
    #run<Name extends CFunction>(call: Call, name: Name, given: OfSave<Name>): void {
        call.run(name, [this.#save.get(), ...given] as never);
    }
    #change<Name extends CFunction>(call: Call, name: Name, given: OfSave<Name>): void {
        // A refused change has changed nothing.
        this.#look(call, name, given);
        ++this.#changes;
    }
    #changeAll<Name extends CFunction>(call: Call, name: Name, given: OfSave<Name, [count: number, error: number]>): number {
        return call.written(s.u32, (count) => this.#change(call, name, [...given, count] as never));
    }
    /** A call of which the save knows afterwards why it was refused. */
    #look<Name extends CFunction>(call: Call, name: Name, given: OfSave<Name>): void {
        const save = this.#save.get();
        call.run(name, [save, ...given] as never, [] as never, {
            refusal: (callback) => call.module.exports["gdvar_save_explain"](save, callback, 0),
        });
    }
    #said<Name extends CFunction>(name: Name, given: (call: Call) => OfSave<Name, [to: number, error: number]> = () => [] as never): string {
        return saves().calling((call) => call.outputText(name, [this.#save.get(), ...given(call)] as never));
    }
    #item(call: Call, index: number): number {
        const at = call.alloc(Size.saveItem);
        const count: number = call.module.exports["gdvar_save_count"](this.#save.get()) >>> 0;
        const place = Math.trunc(index) + (index < 0 ? count : 0);
        if (!(place >= 0 && place < count)) throw call.module.refusal("index_out_of_range", `there is no value ${index} of ${count}`);
        call.module.exports["gdvar_save_at"](at, this.#save.get(), place);
        call.module.refresh();
        return at;
    }
    /** Before the call: getters of the value may ask the save. */
    #encoded(value: unknown): Uint8Array {
        return encodeWith(value, this.#decoding);
    }
}

function noValue(call: Call, number: number): Error {
    return call.module.refusal("index_out_of_range", `there is no value ${String(number)}`);
}
