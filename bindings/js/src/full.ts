// The full module, once for all that uses it, and how its C interface is called.
import { compiled } from "#compiled-full";
import { OptionsTable } from "./options.js";
import { TYPES, type TypeName } from "./types.js";
import { Keeper, toUtf8, utf8, type Instance } from "./wasm.js";

/** Whoever is called back by the call that is under way; 0 ends the search for matches. */
let use: (record: number) => number | void = () => undefined;
export const full = new Keeper(compiled, { use: (_user: number, record: number) => use(record) ?? 1 });
export const table = new OptionsTable(full);

/** One call: its arguments in the module's memory, which are freed when it is over. */
export class Call {
    readonly module: Instance;
    private readonly taken: number[] = [];
    constructor(module: Instance) {
        this.module = module;
    }
    alloc(size: number): number {
        const at = this.module.alloc(size);
        this.taken.push(at);
        return at;
    }
    /** A gdvar_bytes or gdvar_text, which is passed by its address. */
    bytes(bytes: Uint8Array): number {
        const at = this.alloc(8 + bytes.length);
        const { module } = this;
        module.u8.set(bytes, at + 8);
        module.u32[at >> 2] = at + 8;
        module.u32[(at >> 2) + 1] = bytes.length;
        return at;
    }
    text(text: string): number {
        return this.bytes(toUtf8.encode(text));
    }
    /** What the record at `word` has for a gdvar_text. */
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
    /** Calls a function of the C interface with the error last, or in front of `rest`. */
    run(name: string, given: readonly unknown[], rest: readonly unknown[] = [], path?: () => string | undefined): void {
        const { module } = this;
        const code: number = module.exports[name](...given, module.error, ...rest);
        module.refresh();
        if (code === 0) return;
        // What was written up to the error is not the next call's.
        module.exports["gdvar_buffer_clear"](module.buffer);
        throw module.failure(path?.());
    }
    free(): void {
        for (const at of this.taken) this.module.free(at);
    }
}
export function calling<T>(work: (call: Call) => T, each: (record: number, call: Call) => number | void = () => undefined): T {
    return full.run((module) => {
        const call = new Call(module);
        let failed: unknown;
        use = (record) => {
            module.refresh();
            // The module's frames stand below: nothing may be thrown through them.
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
            use = () => undefined;
            call.free();
        }
    });
}

/** Something that could not be kept: where, what, and what stands for it ("" if nothing does). */
export interface Loss {
    path: string;
    what: string;
    substitution: string;
    type: TypeName;
}
export function lossAt(call: Call, record: number): Loss {
    const word = record >> 2;
    return {
        path: call.textAt(word),
        what: call.textAt(word + 2),
        substitution: call.textAt(word + 4),
        type: TYPES[call.module.u8[record + 24]!] ?? "Nil",
    };
}
