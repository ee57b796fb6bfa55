// A module with more than the core, shared by all its users, and calls of its C interface.
import type { Refusal } from "./errors.js";
import { type CFunction, type Functions, NEEDS, Type, TYPES, type TypeName } from "./interface.js";
import { LOSS as ALL_OF_LOSS, REFUSAL } from "./layouts.js";
import { OptionsTable, type PacketOptions } from "./options.js";
import * as s from "./structs.js";
import { toUtf8, utf8 } from "./utf8.js";
import { lengthOf } from "./realm.js";
import { type AnyFunction, bytesOf, Keeper, type Instance } from "./wasm.js";

/** Functions that ask for details of an error: the value's path, and the reason in words, which a callback receives. @internal */
export interface Known {
    path?: () => string | undefined;
    refusal?: (callback: number) => void;
}

/** The arguments of a function of the C interface before some last ones. @internal */
export type Before<Name extends CFunction, Last extends readonly unknown[]> = Parameters<Functions[Name]> extends [...infer First, ...Last] ? Readonly<First> : never;

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
    /** The struct that a function returns. */
    returned<T>(of: s.Member<T>, name: CFunction, ...given: readonly number[]): T {
        const at = (this.record ||= this.alloc(256));
        (this.module.exports[name] as AnyFunction)(at, ...given);
        this.module.refresh();
        return of.read(this.module, at);
    }
    private record = 0;
    /** The structs that a function returns for 0, 1, ...: up to the first without a name. */
    allReturned<T>(of: s.Member<T>, name: CFunction, nameOf: (one: T) => string, ...given: readonly number[]): T[] {
        const all: T[] = [];
        for (;;) {
            const one = this.returned(of, name, ...given, all.length);
            if (nameOf(one) === "") return all;
            all.push(one);
        }
    }
    /** What `run` has a function write to an address. */
    written<T>(of: s.Member<T>, run: (at: number) => void): T {
        const at = this.alloc(of.size);
        run(at);
        this.module.refresh();
        return of.read(this.module, at);
    }
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
    /** The arguments of a function that gives records to a callback, for `collecting`; and of one that gives matches. */
    get use(): [callback: number, user: number] {
        return [this.module.exports["gdvar_use_callback"](), 0];
    }
    get useMatch(): [callback: number, user: number] {
        return [this.module.exports["gdvar_match_callback"](), 0];
    }
    /** A copy of bytes `begin` to `end` of other bytes, for any numbers. */
    part({ at, size }: { at: number; size: number }, begin: number, end: number): Uint8Array<ArrayBuffer> {
        const from = begin > 0 ? Math.min(begin, size) : 0;
        return this.module.copy(at + from, (end > from ? Math.min(end, size) : from) - from);
    }
    /** An array of gdvar_bytes or gdvar_text, from their addresses. */
    spans(spans: readonly number[]): number {
        const all = this.alloc(8 * spans.length);
        spans.forEach((span, i) => this.module.u8.copyWithin(all + 8 * i, span, span + 8));
        return all;
    }
    /** Calls a function of the C interface with the error last, or before `rest`. After an error `known` gives its details. */
    run<Name extends CFunction, Rest extends readonly number[] = []>(
        name: Name, given: Before<Name, [error: number, ...Rest]>, rest: readonly [...Rest] = [] as never, known: Known = {},
    ): void {
        const { module } = this;
        const code = (module.exports[name] as AnyFunction)(...given, module.error, ...rest);
        module.refresh();
        if (code === 0) return;
        // Output up to the error must not reach the next call.
        module.exports["gdvar_buffer_clear"](module.buffer);
        const path = known.path?.();
        const refusal = known.refusal && this.explained(known.refusal);
        throw module.failure(path, refusal === undefined ? {} : { refusal });
    }
    /** The same for a function that has a buffer for a path behind the error. */
    runWithPath<Name extends CFunction>(name: Name, given: Before<Name, [error: number, path: number]>): void {
        const { module } = this;
        this.run(name, given as never, [module.path], { path: () => module.takeText(module.path) || undefined });
    }
    /** The same for a function that appends to a buffer before the error: what it has appended. */
    output<Name extends CFunction>(name: Name, given: Before<Name, [to: number, error: number]>, known?: Known): Uint8Array<ArrayBuffer> {
        this.run(name, [...given, this.module.buffer] as never, [], known);
        return this.module.takeBuffer();
    }
    outputText<Name extends CFunction>(name: Name, given: Before<Name, [to: number, error: number]>): string {
        return utf8.decode(this.output(name, given));
    }
    /** The gdvar_refusal passed by `ask`. */
    private explained(ask: (callback: number) => void): Refusal | undefined {
        let refusal: Refusal | undefined;
        const { engine } = this;
        const before = engine.use;
        engine.use = (record) => {
            const { at, what, needs } = REFUSAL.read(this.module, record);
            refusal = { at, what, needs: NEEDS[needs] ?? "another path" };
        };
        try {
            ask(this.use[0]);
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
    /** Calls `work` on the C interface. */
    calling<T>(work: (call: Call) => T): T {
        return this.keeper.run((module) => {
            const call = new Call(this, module);
            try {
                return work(call);
            } finally {
                call.free();
            }
        });
    }
    /** The same for a function with a callback (`use`, `useMatch`). Returns the records that it was given, too. */
    collecting<T, Result>(record: s.Member<T>, work: (call: Call) => Result): [all: T[], result: Result] {
        const all: T[] = [];
        let failed: unknown;
        return this.calling((call) => {
            this.use = (at) => {
                // The module's frames are below: nothing may be thrown through them.
                try {
                    all.push(record.read(call.module, at));
                    return 1;
                } catch (error) {
                    failed ??= error;
                    return 0;
                }
            };
            try {
                const result = work(call);
                if (failed !== undefined) throw failed;
                return [all, result];
            } finally {
                this.use = () => undefined;
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

/** gdvar_lookup in a document, for `collecting`. @internal */
export function lookup(call: Call, document: number, path: string): void {
    const given = call.text(path);
    call.run("gdvar_lookup", [document, given, ...call.useMatch, 0], [], {
        refusal: (callback) => call.module.exports["gdvar_explain_path"](document, given, callback, 0),
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
/** gdvar_loss. The type is Nil if it is not known: null is never lost. @internal */
export const LOSS: s.Member<Loss> = s.as(ALL_OF_LOSS, ({ type, ...loss }) => ({ ...loss, type: type === Type.nil ? undefined : TYPES[type] }));
