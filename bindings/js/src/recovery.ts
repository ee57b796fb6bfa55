// Reads damaged saves as far as possible, and writes sound saves of the rest (docs/recover.md).
import type { GdvarError } from "./errors.js";
import { kindAt, type SaveKind } from "./findings.js";
import { saves, type Call } from "./engine.js";
import { layersIn } from "./layers.js";
import { checkOptions, type Names } from "./options.js";
import { NO_PARTIAL, saveOptions, type SaveOptions } from "./save_options.js";
import { Handle } from "./wasm.js";

/** Options of reading a damaged save. */
export interface RecoverOptions extends Pick<SaveOptions, "password" | "key" | "keys" | "dialect" | "as" | "skip" | "maxBytes" | "widePage"> {
    /** Leaves out incomplete values. */
    noPartial?: boolean;
}
const RECOVER_NAMES: Names<RecoverOptions> = {
    password: true, key: true, keys: true, dialect: true, as: true, skip: true, maxBytes: true, widePage: true, noPartial: true,
};

/** A recovered value. */
export interface RecoveredItem {
    /** Only for settings. */
    name: string;
    /** Valid, in the dialect of the recovery. */
    packet: Uint8Array<ArrayBuffer>;
    /** Its place in the innermost layer's content. */
    offset: number;
    /** "resized": whole, but the length before it was wrong. "partial": up to a break. */
    state: "whole" | "resized" | "partial";
    /** "partial": the path of the break, "$.players[3]". */
    breakAt: string | undefined;
    /** "partial": the reason; its offset is in the original packet. */
    error: GdvarError | undefined;
    /** Found by its content behind a break: its old number is unknown. */
    foundAgain: boolean;
    /** From bytes that may be wrong, according to a checksum. */
    doubtful: boolean;
    /** For a text: the line of the break. */
    line: number | undefined;
}
const STATES: readonly RecoveredItem["state"][] = ["whole", "resized", "partial"];
function itemAt(call: Call, recovery: number, index: number): RecoveredItem {
    const { module } = call;
    const at = call.record();
    module.exports["gdvar_recovery_at"](at, recovery, index);
    module.refresh();
    const word = at >>> 2;
    const state = STATES[module.u8[at + 136]!] ?? "partial";
    const isPartial = state === "partial";
    const breakAt = call.textAt(word + 6);
    const line = call.longAt(word + 36);
    const [foundAgain, doubtful] = [module.u8[at + 137] !== 0, module.u8[at + 138] !== 0];
    const [name, packet, offset] = [call.textAt(word), call.bytesAt(word + 2), call.longAt(word + 4)];
    const error = isPartial ? module.failure(breakAt || undefined, {}, at + 32) : undefined;
    return { name, packet, offset, state, breakAt: isPartial ? breakAt : undefined, error, foundAgain, doubtful, line: line || undefined };
}

/** Bytes without a value, or that may be wrong. */
export interface LostRange {
    /** In the content of the layer, or of the innermost one. */
    begin: number;
    end: number;
    /** The number of the layer with this content; undefined: the innermost layer's content. */
    layer: number | undefined;
    /** The bytes exist, but some of them are wrong. */
    doubtful: boolean;
    /** The name of an error (docs/errors.md), and words. */
    code: string;
    reason: string;
    /** For a text: the path of the loss, and its first line. */
    at: string | undefined;
    line: number | undefined;
}
function lostAt(call: Call, recovery: number, index: number): LostRange {
    const { module } = call;
    const at = call.record();
    module.exports["gdvar_recovery_lost_at"](at, recovery, index);
    module.refresh();
    const word = at >>> 2;
    const layer = module.u32[word + 4]!;
    return {
        begin: call.longAt(word),
        end: call.longAt(word + 2),
        layer: layer === 0xffffffff ? undefined : layer,
        doubtful: module.u8[at + 22] !== 0,
        code: module.cText(module.exports["gdvar_error_name"](module.u32[word + 5]! & 0xffff)),
        reason: call.textAt(word + 6),
        at: call.textAt(word + 8) || undefined,
        line: call.longAt(word + 10) || undefined,
    };
}

/** The secrets of written layers that encrypt. */
type Secrets = Pick<SaveOptions, "password" | "key">;
const WRITE_NAMES: Names<Secrets & { layers: unknown }> = { password: true, key: true, layers: true };

/** The readable part of a save, sound or damaged. It holds memory for `write` until `close`, or until it is garbage collected. */
export class Recovery {
    /** True if the save was sound and is complete. */
    readonly sound: boolean;
    readonly kind: SaveKind;
    readonly dialect: string;
    /** True if the dialect was given, or is the only one that fits. */
    readonly dialectCertain: boolean;
    /** From the outermost inwards. */
    readonly layers: readonly string[];
    /** "gdec-3 > godot-3.1 records" */
    readonly stack: string;
    readonly items: readonly RecoveredItem[];
    /** Those of the layers first, the outermost first. */
    readonly lost: readonly LostRange[];
    /** Other faults, in words. */
    readonly notes: readonly string[];
    readonly #recovery: Handle;
    readonly #secrets: Secrets;

    /** `recover` makes it. @internal */
    constructor(call: Call, recovery: number, secrets: Secrets) {
        this.#secrets = secrets;
        this.#recovery = new Handle(saves().keeper, recovery, this, "gdvar_recovery_free", "the recovery");
        const { module } = call;
        const { exports } = module;
        const at = call.record();
        this.sound = exports["gdvar_recovery_sound"](recovery) !== 0;
        exports["gdvar_recovery_kind"](at, recovery);
        this.kind = kindAt(call, at);
        exports["gdvar_dialect_name"](at, exports["gdvar_recovery_dialect"](recovery, at + 8));
        module.refresh();
        this.dialectCertain = module.u32[(at >>> 2) + 2] !== 0;
        this.dialect = call.textAt(at >>> 2);
        const said = (name: string) => {
            call.run(name, [recovery, module.buffer]);
            return module.takeText();
        };
        this.layers = layersIn(said("gdvar_recovery_layers"));
        this.stack = said("gdvar_recovery_stack");
        const all = <T>(count: string, each: (call: Call, recovery: number, index: number) => T) =>
            Array.from({ length: exports[count](recovery) >>> 0 }, (_, index) => each(call, recovery, index));
        this.items = all("gdvar_recovery_count", itemAt);
        this.lost = all("gdvar_recovery_lost_count", lostAt);
        this.notes = notesOf(call, recovery);
    }

    /**
     * A sound save of the items. `layers`: those to write; default: those of the damaged save. The password or key is for
     * layers that encrypt; default: that of the recovery. One of `keys` stays with its layer.
     */
    write(options: { layers?: readonly string[] } & Secrets = {}): Uint8Array<ArrayBuffer> {
        checkOptions(options, WRITE_NAMES);
        const secrets = options.password === undefined && options.key === undefined ? this.#secrets : {};
        return saves().calling((call) => {
            const layers = call.optionalText(options.layers?.join(" "));
            call.run("gdvar_recovery_write", [this.#recovery.get(), layers, saveOptions(call, { ...secrets, ...options }), call.module.buffer]);
            return call.module.takeBuffer();
        });
    }
    /**
     * A copy of some bytes of the innermost layer's content, as far as readable: `offset` of items, `begin` and `end` of losses
     * count in it. Lost bytes are zeros, or lie behind its end.
     */
    content(begin = 0, end = Infinity): Uint8Array<ArrayBuffer> {
        return saves().calling((call) => call.part(...this.#content(call), begin, end));
    }
    /** The size of that content, in bytes. */
    get contentSize(): number {
        return saves().calling((call) => this.#content(call)[1]);
    }
    #content(call: Call): [at: number, size: number] {
        const { module } = call;
        module.exports["gdvar_recovery_content"](module.result, this.#recovery.get());
        return [module.u32[module.result >>> 2]!, module.u32[(module.result >>> 2) + 1]!];
    }
    /** Frees its memory. `write` and `content` can't be called afterwards. */
    close(): void {
        this.#recovery.close();
    }
    /** False after `close`, or if it was lost when a call found no memory left: then it can't be used any more. */
    get isOpen(): boolean {
        return this.#recovery.isOpen;
    }
}
function notesOf(call: Call, recovery: number): string[] {
    const { module } = call;
    const notes: string[] = [];
    for (let index = 0; ; ++index) {
        const at = call.record();
        module.exports["gdvar_recovery_note_at"](at, recovery, index);
        const note = call.textAt(at >>> 2);
        if (note === "") return notes;
        notes.push(note);
    }
}

/**
 * Reads a save, sound or damaged, as far as possible. Errors: not_recognised and bad_checksum (nothing readable was found:
 * perhaps the key is wrong), bad_key, truncated (`skip`), size_limit, depth_limit; those of the layers.
 */
export function recover(bytes: Uint8Array, options: RecoverOptions = {}): Recovery {
    checkOptions(options, RECOVER_NAMES);
    return saves().calling((call) => {
        const handle = call.alloc(4);
        call.run("gdvar_recover", [call.bytes(bytes), saveOptions(call, options, options.noPartial ? NO_PARTIAL : 0), handle]);
        return new Recovery(call, call.module.u32[handle >>> 2]!, {
            ...(options.password !== undefined && { password: options.password }),
            ...(options.key !== undefined && { key: options.key }),
        });
    });
}
