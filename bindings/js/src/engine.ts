// A module with more than the core, shared by all its users, and calls of its C interface.
import type { Refusal } from "./errors.js";
import { OptionsTable, type PacketOptions } from "./options.js";
import { TYPES, type TypeName } from "./types.js";
import { toUtf8, utf8 } from "./utf8.js";
import { lengthOf } from "./realm.js";
import { bytesOf, Keeper, type Instance } from "./wasm.js";

const NEEDS: readonly Refusal["needs"][] = ["another value", "create", "type", "append", "another path"];
/** Functions that ask for details of an error: the value's path, and the reason in words, which a callback receives. @internal */
export interface Known {
    path?: () => string | undefined;
    refusal?: (callback: number) => void;
}

/** One call: its arguments in the module's memory, which are freed at its end. @internal */
export class Call {
    private readonly taken: number[] = [];
    constructor(readonly engine: Engine, readonly module: Instance) {}
    /** The address of a gdvar_options. */
    options(options: PacketOptions | undefined): number {
        return this.engine.options.at(options);
    }
    alloc(size: number): number {
        const at = this.module.alloc(size);
        this.taken.push(at);
        return at;
    }
    /** Memory for a returned struct of up to 256 bytes. The next one overwrites it. */
    record(): number {
        return (this.returned ||= this.alloc(256));
    }
    private returned = 0;
    /** A gdvar_bytes or gdvar_text, passed by its address. */
    bytes(given: Uint8Array): number {
        const bytes = bytesOf(given);
        const size = lengthOf(bytes);
        const at = this.alloc(8 + size);
        const { module } = this;
        module.u8.set(bytes, at + 8);
        module.u32[at >>> 2] = at + 8;
        module.u32[(at >>> 2) + 1] = size;
        return at;
    }
    text(text: string): number {
        return this.bytes(toUtf8.encode(text));
    }
    /** A gdvar_text; without data if `text` is undefined. */
    optionalText(text: string | undefined): number {
        if (text !== undefined) return this.text(text);
        const at = this.alloc(8);
        this.module.u32.fill(0, at >>> 2, (at >>> 2) + 2);
        return at;
    }
    /** The text of the gdvar_text at `word` in a record. */
    textAt(word: number): string {
        const { module } = this;
        module.refresh();
        const at = module.u32[word]!;
        return utf8.decode(module.u8.subarray(at, at + module.u32[word + 1]!));
    }
    longAt(word: number): number {
        const { u32 } = this.module;
        return u32[word]! + u32[word + 1]! * 4294967296;
    }
    /** A copy of the gdvar_bytes at `word` in a record. */
    bytesAt(word: number): Uint8Array<ArrayBuffer> {
        const { module } = this;
        module.refresh();
        const at = module.u32[word]!;
        return module.u8.slice(at, at + module.u32[word + 1]!);
    }
    /** A copy of bytes `begin` to `end` of the `size` bytes at `at`, for any numbers. */
    part(at: number, size: number, begin: number, end: number): Uint8Array<ArrayBuffer> {
        const from = begin > 0 ? Math.min(begin, size) : 0;
        return this.module.u8.slice(at + from, at + (end > from ? Math.min(end, size) : from));
    }
    /** An array of gdvar_bytes or gdvar_text, from their addresses. */
    spans(spans: readonly number[]): number {
        const all = this.alloc(8 * spans.length);
        spans.forEach((span, i) => this.module.u8.copyWithin(all + 8 * i, span, span + 8));
        return all;
    }
    /** Calls a function of the C interface with the error last, or before `rest`. After an error `known` gives its details. */
    run(name: string, given: readonly unknown[], rest: readonly unknown[] = [], known: Known = {}): void {
        const { module } = this;
        const code: number = module.exports[name](...given, module.error, ...rest);
        module.refresh();
        if (code === 0) return;
        // Output up to the error must not reach the next call.
        module.exports["gdvar_buffer_clear"](module.buffer);
        const path = known.path?.();
        const refusal = known.refusal && this.explained(known.refusal);
        throw module.failure(path, refusal === undefined ? {} : { refusal });
    }
    /** The gdvar_refusal passed by `ask`. */
    private explained(ask: (callback: number) => void): Refusal | undefined {
        let refusal: Refusal | undefined;
        const { engine } = this;
        const before = engine.use;
        engine.use = (record) => {
            const at = this.textAt((record + 4) >>> 2);
            refusal = { at, what: this.textAt((record + 12) >>> 2), needs: NEEDS[this.module.u8[record + 2]!] ?? "another path" };
        };
        try {
            ask(this.module.exports["gdvar_use_callback"]());
        } finally {
            engine.use = before;
        }
        return refusal;
    }
    free(): void {
        for (const at of this.taken) this.module.free(at);
    }
}
/** A module, and state shared by all its calls. @internal */
export class Engine {
    readonly keeper: Keeper;
    readonly options: OptionsTable;
    /** The callback of the current call; 0 ends the search for matches. */
    use: (record: number) => number | void = () => undefined;
    constructor(compiled: WebAssembly.Module) {
        this.keeper = new Keeper(compiled, { use: (_user: number, record: number) => this.use(record) ?? 1 });
        this.options = new OptionsTable(this.keeper);
    }
    /** Calls `work` on the C interface; `each` is called with each record of a callback. */
    calling<T>(work: (call: Call) => T, each: (record: number, call: Call) => number | void = () => undefined): T {
        return this.keeper.run((module) => {
            const call = new Call(this, module);
            let failed: unknown;
            this.use = (record) => {
                module.refresh();
                // The module's frames are below: nothing may be thrown through them.
                try {
                    return each(record, call);
                } catch (error) {
                    failed ??= error;
                    return 0;
                }
            };
            try {
                const result = work(call);
                if (failed !== undefined) throw failed;
                return result;
            } finally {
                this.use = () => undefined;
                call.free();
            }
        });
    }
}

// gdvar-saves.wasm includes gdvar-tools.wasm: the first one imported serves the tools.
let ofTools: Engine;
let ofSaves: Engine;
/** The engine of `gdvar/tools`. @internal */
export const tools = (): Engine => ofTools;
/** The engine of `gdvar/saves`. @internal */
export const saves = (): Engine => ofSaves;
/** @internal */
export function serveTools(compiled: WebAssembly.Module): void {
    ofTools ??= new Engine(compiled);
}
/** @internal */
export function serveSaves(compiled: WebAssembly.Module): void {
    ofSaves ??= new Engine(compiled);
    ofTools ??= ofSaves;
}

/** gdvar_lookup in a document, with the callback of `calling`. @internal */
export function lookup(call: Call, document: number, path: string): void {
    const { exports } = call.module;
    const given = call.text(path);
    call.run("gdvar_lookup", [document, given, exports["gdvar_match_callback"](), 0, 0], [], {
        refusal: (callback) => exports["gdvar_explain_path"](document, given, callback, 0),
    });
}

/** A value that could not be kept: its path, its description, and its replacement ("" if none). */
export interface Loss {
    path: string;
    what: string;
    substitution: string;
    /** The value's type, if known: not from `SaveFile.convert` and `toPlainJson`. */
    type: TypeName | undefined;
}
/** @internal */
export function lossAt(call: Call, record: number): Loss {
    const word = record >>> 2;
    return {
        path: call.textAt(word),
        what: call.textAt(word + 2),
        substitution: call.textAt(word + 4),
        // 0 if unknown: null is never lost.
        type: call.module.u8[record + 24]! === 0 ? undefined : TYPES[call.module.u8[record + 24]!],
    };
}
