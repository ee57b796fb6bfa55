// Reads damaged saves as far as possible, and writes sound saves of the rest (docs/recover.md).
import type { ErrorCode, GdvarError } from "./errors.js";
import { KIND, type SaveKind } from "./findings.js";
import { saves, type Call } from "./engine.js";
import { type CFunction, RECOVERED_STATE, RecoveredState, SaveFlags } from "./interface.js";
import { LOST as ALL_OF_LOST, RECOVERED } from "./layouts.js";
import { layersIn } from "./layers.js";
import { checkOptions, type DialectName, type Names } from "./options.js";
import { saveOptions, type SaveOptions } from "./save_options.js";
import * as s from "./structs.js";
import { Handle } from "./wasm.js";

/** Options of reading a damaged save. */
export interface RecoverOptions extends Pick<SaveOptions, "password" | "key" | "keys" | "dialect" | "as" | "skip" | "maxBytes" | "maxText" | "inside" | "noInside" | "widePage"> {
    /** Leaves out incomplete values. */
    noPartial?: boolean;
}
const RECOVER_NAMES: Names<RecoverOptions> = {
    password: true, key: true, keys: true, dialect: true, as: true, skip: true, maxBytes: true, maxText: true, inside: true, noInside: true, widePage: true, noPartial: true,
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
    state: (typeof RECOVERED_STATE)[number];
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
const ITEM: s.Member<RecoveredItem> = s.as(RECOVERED, ({ breakAt, broken, state, line, ...item }, module) => {
    const isPartial = state === RecoveredState.partial;
    return {
        ...item,
        state: RECOVERED_STATE[state] ?? "partial",
        line: line || undefined,
        breakAt: isPartial ? breakAt : undefined,
        error: isPartial ? module.failure(breakAt || undefined, {}, broken) : undefined,
    };
});

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
    code: ErrorCode;
    reason: string;
    /** For a text: the path of the loss, and its first line. */
    at: string | undefined;
    line: number | undefined;
}
const LOST: s.Member<LostRange> = s.as(ALL_OF_LOST, ({ code, at, line, ...lost }, module) => ({
    ...lost,
    code: module.cText(module.exports["gdvar_error_name"](code)) as ErrorCode,
    at: at || undefined,
    line: line || undefined,
}));

/** The secrets of written layers that encrypt. */
type Secrets = Pick<SaveOptions, "password" | "key">;
const WRITE_NAMES: Names<Secrets & { layers: unknown }> = { password: true, key: true, layers: true };

/** The readable part of a save, sound or damaged. It holds memory for `write` until `close`, or until it is garbage collected. */
export class Recovery {
    /** True if the save was sound and is complete. */
    readonly sound: boolean;
    readonly kind: SaveKind;
    readonly dialect: DialectName;
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
        this.sound = exports["gdvar_recovery_sound"](recovery) !== 0;
        this.kind = call.returned(KIND, "gdvar_recovery_kind", recovery);
        let dialect = 0;
        this.dialectCertain = call.written(s.u32, (certain) => (dialect = exports["gdvar_recovery_dialect"](recovery, certain))) !== 0;
        this.dialect = call.returned(s.text, "gdvar_dialect_name", dialect) as DialectName;
        this.layers = layersIn(call.outputText("gdvar_recovery_layers", [recovery]));
        this.stack = call.outputText("gdvar_recovery_stack", [recovery]);
        const all = <T>(of: s.Member<T>, count: "gdvar_recovery_count" | "gdvar_recovery_lost_count", each: CFunction) =>
            Array.from({ length: exports[count](recovery) >>> 0 }, (_, index) => call.returned(of, each, recovery, index));
        this.items = all(ITEM, "gdvar_recovery_count", "gdvar_recovery_at");
        this.lost = all(LOST, "gdvar_recovery_lost_count", "gdvar_recovery_lost_at");
        this.notes = call.allReturned(s.text, "gdvar_recovery_note_at", (note) => note, recovery);
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
            return call.output("gdvar_recovery_write", [this.#recovery.get(), layers, saveOptions(call, { ...secrets, ...options })]);
        });
    }
    /**
     * A copy of some bytes of the innermost layer's content, as far as readable: `offset` of items, `begin` and `end` of losses
     * count in it. Lost bytes are zeros, or lie behind its end.
     */
    content(begin = 0, end = Infinity): Uint8Array<ArrayBuffer> {
        return saves().calling((call) => call.part(this.#content(call), begin, end));
    }
    /** The size of that content, in bytes. */
    get contentSize(): number {
        return saves().calling((call) => this.#content(call).size);
    }
    #content(call: Call): { at: number; size: number } {
        return call.returned(s.SPAN, "gdvar_recovery_content", this.#recovery.get());
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

/**
 * Reads a save, sound or damaged, as far as possible. Errors: not_recognised and bad_checksum (nothing readable was found:
 * perhaps the key is wrong), bad_key, truncated (`skip`), size_limit, depth_limit; those of the layers.
 */
export function recover(bytes: Uint8Array, options: RecoverOptions = {}): Recovery {
    checkOptions(options, RECOVER_NAMES);
    return saves().calling((call) => {
        const given = [call.bytes(bytes), saveOptions(call, options, options.noPartial ? SaveFlags.noPartial : 0)] as const;
        const handle = call.written(s.u32, (at) => call.run("gdvar_recover", [...given, at]));
        return new Recovery(call, handle, { password: options.password, key: options.key });
    });
}
