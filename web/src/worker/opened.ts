// A file that is open: what it is, its values, and what was changed in it.
import { Float, GdvarError, StringName, type DialectName, type Variant } from "gdvar";
import { identify, readEntries, recover, SaveFile, type Recovery, type SaveOptions, type StaleSum } from "gdvar/saves";
import type { Document, Printed } from "gdvar/saves";
import { said } from "../printable";
import { cached } from "../sorted";
import { compare } from "./compare";
import { exported } from "./exported";
import { pathOf, step } from "./path";
import { lookOf, oneLine, preview, typeOf } from "./preview";
import { refusalOf } from "./refusal";
import type { Archive, Change, Comparison, Converted, Damage, Facts, Finding, Look, Ref, Refusal, Selected } from "./shown";
import { edited, readValue } from "./text";
import * as steps from "./steps";
import { forget, isSameValue, shifts, type Host, type Made, type Step } from "./steps";
import { Tree } from "./tree";
import { RecoveredValues, SavedValues } from "./values";

/** How a file is opened. */
export interface Opening {
    password?: string;
    /** 64 hex digits. */
    key?: string;
    /** Those of the file that a value comes from: layers around it may need them. */
    outer?: readonly { password?: string; key?: string }[];
    /** The password is right, and the file damaged. */
    force?: boolean;
    /** The file of an archive that is to be opened: "#2" is the third; and its size. */
    entry?: string;
    size?: number;
    /** Paths of the values whose content is opened as the file, one in the other. */
    inside?: readonly string[];
    /** The kind and engine that the user has chosen for the file. */
    as?: string;
    dialect?: DialectName | "";
}
/** Numbers as users type them. Only some engines' texts have the negative ones. */
const TYPED_NUMBERS: ReadonlyMap<string, Variant> = new Map<string, Variant>([
    ["inf", Infinity],
    ["-inf", -Infinity],
    ["nan", NaN],
    ["NaN", NaN],
    // An int has none.
    ["-0", new Float(-0)],
]);
/** Pairs of which the keys are compared. */
const MOST_COMPARED = 4096;
/** Larger values are edited with other tools: an editor of a megabyte is none. */
const MOST_EDITED = 64 << 10;
/** Errors that a wrong password may cause. */
const MAY_BE_WRONG: ReadonlySet<string> = new Set(["bad_key", "bad_checksum", "truncated"]);
const PACKETS: ReadonlySet<string> = new Set(["packet", "packets", "records", "records-be"]);
/** Bytes behind a value that breaks off. */
const BEHIND_BREAK = 16;
/** A packed array's type and count. */
const SIZE_OF_HEADER = 8;
/** The most bytes of a layer's content: the memory of all files together ends at 4 GiB, and a few bytes may say that they hold as much. */
const MOST_BYTES = 1 << 30;
const MOST_TEXT = 256 << 20;
const encoder = new TextEncoder();

export class Opened {
    /** The file with the value whose content this is. */
    host: Host | undefined = undefined;
    /** The file as it came from outside, for a backup. */
    origin: Blob;
    private save: SaveFile | undefined = undefined;
    private recovery: Recovery | undefined = undefined;
    private refusal: Refusal | undefined = undefined;
    private leftOver: string | undefined = undefined;
    private locked = false;
    /** It is a pack, or a file in one: those have keys. */
    private isPack = false;
    private archive: Archive | undefined = undefined;
    private found: { stack: string; findings: Finding[] } = { stack: "", findings: [] };
    private made: Made[] = [];
    private undone: Made[] = [];
    tree: Tree | undefined = undefined;
    /** Whether there may be a document in each text that was selected since the values came. */
    private holding = new Map<string, boolean>();
    /** While a change is made: if no memory is left before it is done, the save is not what `made` says. */
    private isHalfMade = false;

    private constructor(readonly id: number, readonly name: string, readonly file: Blob, private opening: Opening) {
        this.origin = file;
    }
    static async open(id: number, name: string, file: Blob, opening: Opening): Promise<Opened> {
        const opened = new Opened(id, name, file, opening);
        await opened.read();
        return opened;
    }
    close(): void {
        this.tree?.close();
        this.save?.close();
        this.recovery?.close();
        this.tree = this.save = this.recovery = undefined;
    }
    /** Reads the file anew: with a password or key, or as something else. */
    async openWith(opening: Opening): Promise<void> {
        this.made = [];
        this.undone = [];
        this.isHalfMade = false;
        this.opening = { ...this.opening, ...opening };
        this.close();
        this.refusal = undefined;
        this.leftOver = undefined;
        this.locked = false;
        await this.read();
    }

    private options(): SaveOptions {
        const { password, key, entry, inside = [], as, dialect, outer = [] } = this.opening;
        const keys = [{ password, key }, ...outer].flatMap(({ password, key }) => [
            ...(password ? [{ name: "password", password }] : []),
            ...(key ? [{ name: "key", key }] : []),
        ]);
        const isAlone = outer.length === 0 && password;
        return {
            objects: true,
            inside,
            maxBytes: MOST_BYTES,
            maxText: MOST_TEXT,
            entries: entry === undefined ? undefined : [entry],
            // "" is none.
            as: as || undefined,
            dialect: dialect || undefined,
            ...(isAlone ? { password } : { keys }),
        };
    }
    private async read(): Promise<void> {
        const bytes = new Uint8Array(await this.file.arrayBuffer());
        try {
            this.openSave(bytes);
            this.found = found(this.save!.stack, this.save!.findings());
            this.look();
            this.check();
        } catch (error) {
            this.refusal = this.refusal ?? refusalOf(error);
            this.close();
            // It may well be sound.
            if (this.refusal.code === "no_memory") return;
            const { stack, findings } = identify(bytes, this.options());
            this.found = found(stack, findings);
            this.locked = this.isLocked();
            if (this.locked) return;
            this.archive = this.opening.entry === undefined ? this.entries(bytes) : undefined;
            if (this.archive !== undefined || this.locked) return;
            this.rescue(bytes);
            // If nothing of an encrypted file can be read, the password may be wrong all the same.
            this.locked = this.recovery === undefined && this.isEncrypted() && MAY_BE_WRONG.has(this.refusal.code);
        }
    }
    /** The library reads packets when it is asked for them: a file is sound when all of them are. Texts have been read already. */
    private check(): void {
        const { save, tree } = this;
        if (save === undefined || tree === undefined) return;
        const count = PACKETS.has(save.kind.name) ? save.count : 0;
        for (let value = 0; value < count; ++value) {
            try {
                tree.documents.get(value);
            } catch (error) {
                const { offset, path = "$", ...refusal } = refusalOf(error);
                const place = offset === undefined ? undefined : (save.place(value)?.begin ?? 0) + offset;
                this.refusal = { ...refusal, offset: place, path: save.kind.several ? `#${value} ${path}` : path };
                throw error;
            }
            tree.documents.trim(tree.inUse());
        }
        try {
            save.check();
        } catch (error) {
            // All values can be read; bytes that follow them stay as they are.
            const { message, path } = refusalOf(error);
            this.leftOver = path === undefined ? message : `${path}: ${message}`;
        }
    }
    /** Encrypted; a checksum that does not fit may come from a wrong password. */
    private isLocked(): boolean {
        const { code } = this.refusal!;
        const { password, key, outer = [] } = this.opening;
        const wasTried = Boolean(password || key || outer.length > 0);
        // How much of a file that was cut off can be read shows when it is decrypted.
        if (code === "truncated" && !password && !key) return this.isEncrypted();
        return code === "bad_key" || (code === "bad_checksum" && wasTried && this.opening.force !== true);
    }
    private isEncrypted(): boolean {
        return this.found.findings.some(({ name }) => name.startsWith("gdec"));
    }
    /** The files of a pack, or of a browser's export; undefined if it is none, or needs a key. */
    private entries(bytes: Uint8Array): Archive | undefined {
        try {
            const { description, entries } = readEntries(bytes, this.options());
            return { description: said(description), entries: entries.map(({ name, size, opens, notes }) => ({ name: said(name), size, opens, notes: notes.map(said) })) };
        } catch (error) {
            const refusal = refusalOf(error);
            this.isPack = this.found.findings.some(({ name }) => name === "pack");
            this.locked = this.isPack && (refusal.code === "bad_key" || refusal.code === "bad_checksum");
            if (this.locked) this.refusal = refusal;
            return undefined;
        }
    }
    private rescue(bytes: Uint8Array): void {
        let recovery: Recovery;
        try {
            const { objects, inside, entries, maxText, ...options } = this.options();
            recovery = recover(bytes, options);
        } catch {
            // Nothing was found: the first refusal says why.
            return;
        }
        if (recovery.items.length === 0) return recovery.close();
        this.recovery = recovery;
        this.holding.clear();
        this.tree = new Tree(new RecoveredValues(recovery));
    }
    /** After the values came, or changed. */
    private look(): void {
        this.holding.clear();
        this.tree = new Tree(new SavedValues(this.save!));
    }

    get secrets(): Opening {
        const { password, key } = this.opening;
        return { password, key };
    }
    /** The content of a value, opened as a file of its own: in this file as it is now. */
    async openInside(id: number, ref: Ref): Promise<Opened> {
        const file = this.made.length === 0 ? this.file : new Blob([this.saved() as Uint8Array<ArrayBuffer>]);
        const path = this.path(ref);
        const { password, key, outer = [], ...opening } = this.opening;
        const secrets = password || key ? [{ password, key }, ...outer] : outer;
        const opened = await Opened.open(id, this.name, file, { ...opening, outer: secrets, inside: [...(this.opening.inside ?? []), path] });
        if (this.save?.onlyRead === false) opened.host = { id: this.id, path, values: [this.save.get(path)], shifts: shifts(this.made, path) };
        opened.origin = this.origin;
        return opened;
    }
    /** Puts what is open in `inner` back into the value that it comes from. */
    putBack(inner: Opened): Ref {
        const host = inner.host!;
        const there = this.save!.get(host.path, { default: undefined });
        if (shifts(this.made, host.path) !== host.shifts || !host.values.some((value) => isSameValue(value, there))) {
            throw new GdvarError(`${host.path} was changed in ${this.name} since it was opened here`, { code: "misplaced", kind: "request", source: "call" });
        }
        const whole = new SaveFile(inner.saved(), this.options());
        const value = whole.get(host.path);
        whole.close();
        const ref = this.refOf(host.path);
        const before = preview(this.document(ref), ref.node);
        const now = this.make(steps.set(host.path, value, {}), { what: "set", path: host.path, before, after: "" }, ref);
        host.values.push(value);
        return now;
    }
    /** The value that a path of `path` leads to. */
    private refOf(path: string): Ref {
        const { begin } = this.save!.placeOf(path) ?? { begin: 0 };
        return this.at(begin) ?? { value: 0, node: 0 };
    }
    facts(): Facts {
        const { save, recovery, refusal, tree } = this;
        const kind = save?.kind ?? recovery?.kind;
        return {
            id: this.id,
            name: this.name,
            inside: said(this.opening.inside?.join(" › ") ?? ""),
            host: this.host?.id,
            isPack: this.isPack || this.opening.entry !== undefined,
            as: this.opening.as ?? "",
            dialectAs: this.opening.dialect ?? "",
            size: this.opening.size ?? this.file.size,
            state: save !== undefined ? "open" : recovery !== undefined ? "damaged" : this.locked ? "locked" : this.archive !== undefined ? "archive" : "refused",
            refusal,
            stack: save?.stack ?? recovery?.stack ?? this.found.stack,
            findings: this.found.findings,
            dialect: save?.dialect ?? recovery?.dialect ?? "",
            kind: kind?.name ?? "",
            isText: kind?.text ?? false,
            onlyRead: save?.onlyRead ?? true,
            rows: tree?.rows ?? 0,
            content: tree?.documents.values.size ?? 0,
            leftOver: this.leftOver,
            changes: this.made.map(({ change }) => ({ ...change, path: said(change.path) })),
            undone: this.undone.length,
            damage: this.damage(),
            archive: this.archive,
            listed: tree !== undefined && this.listed,
        };
    }
    exportAll(form: Printed): Blob {
        return exported(this.tree!.documents.values, form);
    }
    private damage(): Damage | undefined {
        const { recovery } = this;
        if (recovery === undefined || this.refusal === undefined) return undefined;
        return {
            refusal: this.refusal,
            recovered: recovery.items.length,
            partial: recovery.items.filter(({ state }) => state === "partial").length,
            lost: recovery.lost.map(({ begin, end, reason, layer }) => ({ inside: layer === undefined, begin, end, reason: said(reason) })),
            notes: recovery.notes.map(said),
        };
    }

    // ---- one value ----

    select(ref: Ref): Selected {
        const index = this.tree!.reveal(ref);
        try {
            return this.selected(ref, index);
        } catch (error) {
            // A value that can't be read is a row all the same, which says why.
            const none = { type: "", look: "broken", begin: 0, end: 0, edit: undefined, isText: false, mayOpen: false, host: undefined, inContainer: false, key: undefined } as const;
            return { ref, index, path: this.path(ref), broken: refusalOf(error).message, ...none };
        }
    }
    private selected(ref: Ref, index: number): Selected {
        const tree = this.tree!;
        const document = tree.documents.get(ref.value);
        const type = document.type(ref.node);
        const look = lookOf(document, ref.node);
        const [begin, end] = document.range(ref.node);
        const [first, last] = tree.documents.values.range(ref.value, begin, end) ?? [0, 0];
        const canEdit = this.save?.onlyRead === false && end - begin <= MOST_EDITED;
        // A field for text makes "\n" of "\r\n": what has a carriage return is edited with escapes.
        const isText = (type === "String" || type === "StringName") && !(canEdit && document.text(ref.node).includes("\r"));
        const key = ref.node === 0 ? undefined : tree.keyOf(ref);
        return {
            ref,
            index,
            path: this.path(ref),
            type: typeOf(document, ref.node),
            look,
            mayOpen: this.opening.entry === undefined && this.mayHold(ref, document, type),
            begin: first,
            end: last,
            edit: !canEdit ? undefined : isText ? document.text(ref.node) : edited(document, ref.node),
            isText,
            host: this.hostOf(ref, look),
            inContainer: ref.node !== 0 || this.listed,
            broken: ref.node === 0 ? tree.documents.values.broken(ref.value) : "",
            key: key === undefined ? undefined : keyText(document, key),
        };
    }
    /** Bytes may be anything, a text is looked at. */
    private mayHold({ value, node }: Ref, document: Document, type: string): boolean {
        if (type === "PackedByteArray") {
            const [begin, end] = document.range(node);
            return end - begin > SIZE_OF_HEADER;
        }
        if (type !== "String" && type !== "StringName") return false;
        return cached(this.holding, `${value} ${node}`, () => looksLikeDocument(document.text(node)));
    }
    /** Where something may be added: to the value itself, or beside it. */
    private hostOf(ref: Ref, look: Look): Selected["host"] {
        const host = look === "container" || look === "packed" ? ref : ref.node === 0 ? undefined : this.tree!.parent(ref);
        if (host === undefined) return undefined;
        const type = this.document(host).type(host.node);
        return { ref: host, path: this.path(host), holds: type === "Dictionary" ? "pairs" : type === "Object" ? "properties" : "elements" };
    }
    path(ref: Ref): string {
        const { values } = this.tree!.documents;
        const name = values.name(ref.value);
        const path = this.tree!.path(ref);
        return pathOf(path, name, values.listed && name === undefined ? ref.value : undefined);
    }
    private get listed(): boolean {
        return this.tree!.documents.values.listed;
    }
    document(ref: Ref): Document {
        return this.tree!.documents.get(ref.value);
    }
    /** The owner of a byte of the content. */
    at(offset: number): Ref | undefined {
        return this.tree?.documents.at(offset);
    }
    content(begin: number, end: number): Uint8Array {
        return this.tree?.documents.values.bytes(begin, end) ?? new Uint8Array(0);
    }

    // ---- changes ----

    /** A text for a String or StringName is the value itself; else it is a Godot value. */
    set(ref: Ref, text: string, type: boolean, asText: boolean): Ref {
        const document = this.document(ref);
        const before = preview(document, ref.node);
        const kind = document.type(ref.node);
        const typed = kind === "int" ? text.replace(/^\s*-0\s*$/, "0") : text;
        const value = asText && kind === "StringName" ? new StringName(text) : asText ? text : this.parse(typed);
        const path = this.path(ref);
        return this.make(steps.set(path, value, { type }), { what: "set", path, before, after: "" }, ref);
    }
    private parse(text: string): Variant {
        const typed = text.trim();
        // Numbers that the engine would read as others are refused: nothing else than what was typed may be saved.
        return TYPED_NUMBERS.get(typed) ?? readValue(typed.replace(/^(-?)\./, "$10."), this.save!.dialect);
    }
    /** A key that is no Godot value is a String; but who begins or ends with a quote has meant one. */
    private parseKey(text: string): Variant {
        try {
            return this.parse(text.replace(/^\s*-0\s*$/, "0"));
        } catch (error) {
            if (/^\s*[&@^]?"|"\s*$|^\s*[-+]?\.?\d/.test(text)) throw error;
            return text;
        }
    }
    remove(ref: Ref): Ref {
        const path = this.path(ref);
        const step = ref.node === 0 ? steps.remove(ref.value) : steps.erase(path);
        return this.make(step, { what: "removed", path, before: preview(this.document(ref), ref.node), after: "" }, ref);
    }
    rename(ref: Ref, key: string): Ref {
        const path = this.path(ref);
        const made = this.parseKey(key);
        const before = oneLine(this.select(ref).key ?? "");
        return this.make(steps.rename(path, made), { what: "renamed", path, before, after: oneLine(key) }, ref);
    }
    /** A new pair, property or element at the end of a container; without a `ref`, a new value of the file. */
    add(ref: Ref | undefined, key: string, text: string): Ref {
        const value = this.parse(text);
        const change = { what: "added", before: "", after: oneLine(text) } as const;
        if (ref === undefined) {
            const { count } = this.tree!.documents.values;
            const { named } = this.save!.kind;
            const path = named ? pathOf("$", key, undefined) : `#${count}`;
            if (named) this.mustBeNew(path, key);
            return this.make(named ? steps.set(path, value, { create: true }) : steps.insert(count, value), { ...change, path }, { value: count, node: 0 });
        }
        const isList = this.select(ref).host?.holds === "elements";
        const parsed = isList ? undefined : this.parseKey(key);
        const path = this.path(ref) + (parsed === undefined ? "[+]" : step(parsed, this.save!.dialect));
        if (!isList) this.mustBeNew(path, key);
        const document = this.document(ref);
        // Elements of packed arrays have no rows.
        const below = lookOf(document, ref.node) === "packed" ? [] : [document.length(ref.node)];
        const name = parsed instanceof StringName ? parsed : undefined;
        return this.make(steps.set(path, value, { create: true }, name), { ...change, path }, ref, below);
    }
    /** A new item must not take the place of another. */
    private mustBeNew(path: string, key: string): void {
        try {
            this.save!.placeOf(path);
        } catch (error) {
            if (error instanceof GdvarError && error.code === "missing_key") return;
            throw error;
        }
        throw new GdvarError(`there is ${key} already; its value can be changed`, { code: "repeated_key", kind: "request", source: "call" });
    }

    /** `below`: the place, in the value that is near, of what is looked at afterwards. */
    private make(step: Step, change: Change, near: Ref, below: readonly number[] = []): Ref {
        const tree = this.tree!;
        const [places, opened] = [tree.places(near), tree.opened()];
        const before = this.keysAround(near);
        const count = this.save!.changeCount;
        try {
            step.make(this.save!);
        } catch (error) {
            for (const made of this.undone) made.changes = undefined;
            throw error;
        }
        const changes = this.save!.changeCount - count;
        this.isHalfMade = true;
        tree.close();
        this.look();
        if (step.do === "erase" || step.do === "remove") forget(opened, places);
        const ref = this.again(opened, [...places, ...below]);
        if (before !== undefined) change.others = this.others(step, before, places.slice(0, -1));
        this.made.push({ step, change, changes });
        this.undone = [];
        this.isHalfMade = false;
        if (below.length > 0) change.path = this.path(ref);
        if (change.what === "set") change.after = preview(this.document(ref), ref.node);
        return ref;
    }
    /** The keys of the container that a value is in, if they are not too many. */
    private keysAround(ref: Ref): string[] | undefined {
        const around = ref.node === 0 ? undefined : this.tree!.parent(ref);
        return around === undefined ? undefined : this.keysOf(around);
    }
    private keysOf({ value, node }: Ref): string[] | undefined {
        const document = this.tree!.documents.get(value);
        if (document.length(node) > MOST_COMPARED) return undefined;
        return [...document.pairs(node)].map(([key]) => (document.isProperty(key) ? document.text(key) : document.print(key)));
    }
    /** How many more pairs than the one that was meant have gone, or have another key. A key may be there several times. */
    private others({ do: what }: Step, before: readonly string[], around: readonly number[]): number {
        if (what !== "erase" && what !== "rename") return 0;
        const after = this.keysOf(this.tree!.refAt(around)!) ?? before;
        const changed = what === "erase" ? before.length - after.length : before.filter((key, i) => key !== after[i]).length;
        return Math.max(0, changed - 1);
    }
    /** Opens what was open, and says where the value at such places is now. */
    private again(opened: ReturnType<Tree["opened"]>, places: number[]): Ref {
        this.tree!.restore(opened);
        return this.tree!.refAt(places) ?? { value: 0, node: 0 };
    }
    async undo(near: Ref | undefined): Promise<Ref> {
        return this.go("undo", near, this.made, this.undone);
    }
    async redo(near: Ref | undefined): Promise<Ref> {
        return this.go("redo", near, this.undone, this.made);
    }
    private async go(way: "undo" | "redo", near: Ref | undefined, from: Made[], to: Made[]): Promise<Ref> {
        const step = from.pop();
        if (step !== undefined) to.push(step);
        const [save, changes] = [this.save!, step?.changes];
        if (changes === undefined || changes > save[`${way}Count`]) return this.replay(near);
        return this.moved(near, () => {
            for (let i = 0; i < changes; ++i) save[way]();
        });
    }
    /** When memory runs out, all files lose their values in it. The file and the changes are still here. */
    async restore(): Promise<void> {
        if (this.save === undefined) await this.openWith({});
        else await this.replay(undefined);
    }
    isLost(): boolean {
        return this.isHalfMade || this.save?.isOpen === false || this.recovery?.isOpen === false;
    }
    /** From the file as it came, if the save no longer has the changes. */
    private async replay(near: Ref | undefined): Promise<Ref> {
        const bytes = new Uint8Array(await this.file.arrayBuffer());
        return this.moved(near, () => {
            this.save!.close();
            this.openSave(bytes);
            for (const { step } of this.made) step.make(this.save!);
        });
    }
    private moved(near: Ref | undefined, change: () => void): Ref {
        const tree = this.tree!;
        const [places, opened] = [near === undefined ? [0] : tree.places(near), tree.opened()];
        this.isHalfMade = true;
        tree.close();
        change();
        this.look();
        const ref = this.again(opened, places);
        this.isHalfMade = false;
        return ref;
    }
    private openSave(bytes: Uint8Array): void {
        this.save = new SaveFile(bytes, this.options());
        this.save.keepChanges();
    }

    // ---- whole files ----

    /** As it would be saved; without a change, the bytes that came. */
    saved(updateSums = false): Uint8Array {
        if (this.opening.entry !== undefined) return this.content(0, Infinity);
        return this.save?.bytes({ updateSums }) ?? this.recovery!.write();
    }
    /** Sizes and checksums beside the changes that are wrong in what would be saved. */
    staleSums(): StaleSum[] {
        if (this.save?.changed !== true) return [];
        this.saved();
        return this.save.staleSums();
    }
    convert(dialect: DialectName): Converted {
        try {
            const { bytes, losses } = this.save!.convert(dialect);
            const told = losses.map((loss) => ({ ...loss, path: said(loss.path), what: said(loss.what), substitution: said(loss.substitution) }));
            return { bytes, losses: told, refusal: undefined };
        } catch (error) {
            return { bytes: undefined, losses: [], refusal: refusalOf(error) };
        }
    }
    async compare(other: Opened): Promise<Comparison> {
        if (this.save === undefined || other.save === undefined) {
            const refusal = { code: "damaged", message: "a damaged file can't be compared", offset: undefined, path: undefined, needsType: false };
            return { differences: [], total: 0, sameBytes: false, refusal };
        }
        const [one, two] = [this.save.bytes(), other.save.bytes()];
        const sameBytes = one.length === two.length && one.every((byte, i) => byte === two[i]);
        return compare(this.save, this.tree!, other.save, sameBytes);
    }
    /** The bytes of a value. Those of a damaged file are its own: what was recovered has other counts. */
    packet(ref: Ref): Uint8Array {
        const document = this.document(ref);
        const place = this.recovery && this.tree!.documents.values.range(ref.value, ...document.range(ref.node));
        return place === undefined ? document.packet(ref.node) : this.content(place[0], place[1] + BEHIND_BREAK);
    }
}

/** Whether there may be a document in a text. A few letters may hold gigabytes: no more of them is opened than is edited. */
function looksLikeDocument(text: string): boolean {
    if (text.length > MOST_EDITED) return true;
    const { stack, error } = identify(encoder.encode(text), { maxBytes: MOST_EDITED, maxText: MOST_EDITED, noInside: true });
    return error !== undefined || !/\b(foreign|unknown|empty)$/.test(stack);
}
/** The first text of a key's editor; undefined: it is too large. */
function keyText(document: Document, key: number): string | undefined {
    const [begin, end] = document.range(key);
    if (end - begin > MOST_EDITED) return undefined;
    // In one line, which is all that its field has.
    return document.isProperty(key) ? document.text(key) : edited(document, key);
}
/** The findings about a file, in words that may name keys and classes of it. */
function found(stack: string, findings: readonly Finding[]): { stack: string; findings: Finding[] } {
    const reasons = (all: Finding["others"]) => all.map(({ name, reason }) => ({ name, reason: said(reason) }));
    const told = (one: Finding) => ({ ...one, reason: said(one.reason), at: said(one.at), others: reasons(one.others), ruledOut: reasons(one.ruledOut) });
    return { stack, findings: findings.map(told) };
}
