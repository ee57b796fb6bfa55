import { GdvarError } from "./errors.js";
import { OptionFlags, OptionsAt, OptionsInit, OptionsNetworkInit, Size } from "./interface.js";
import { nearest } from "./nearest.js";
import { setLong, type Instance, type Keeper } from "./wasm.js";

/** Limits of reading. The defaults are the engines' own. */
export interface Limits {
    /** Open containers around a value: 1024 at most. */
    depth?: number;
    /** Bytes of one packet. */
    bytes?: number;
    /** Values in one packet. */
    values?: number;
}
/** For packets from peers that are not trusted: depth 64, 1 MiB, 65,536 values. */
export const NETWORK: Readonly<Required<Limits>> = Object.freeze({ depth: OptionsNetworkInit.maxDepth, bytes: OptionsNetworkInit.maxBytes, values: OptionsNetworkInit.maxNodes });

/** A dialect's name, alias or release: "godot-4.4", "godot3", "godot-3.5.3" (docs/dialects.md). */
export type DialectName =
    | "godot4" | "godot3" | "godot-1" | `godot-${1 | 2 | 3 | 4}.${number}` | "godot-4-dev" | "godot-2" | "godot-2-text"
    | "pandemonium" | `pandemonium-${3 | 4 | 5}.${number}` | "pandemonium-4" | "pandemonium-5" | "page-3" | "page-4" | "page-4-dev";

export interface PacketOptions {
    /** Default: "godot-4.4". */
    dialect?: DialectName;
    /** Objects in full, as inert data: off by default, as in the engines. Ids of Objects are always accepted. */
    objects?: boolean;
    /** Refuses everything that no engine would write. */
    strict?: boolean;
    limits?: Limits;
    /** Any value may be the script of an Object, as in values from resources, where scripts are references. */
    anyScript?: boolean;
    /** For a page dialect, which must be named: every Float field has 8 bytes. */
    widePage?: boolean;
}

/** The names of all options of a kind. @internal */
export type Names<Options> = Readonly<Record<keyof Options, true>>;
/** @internal */
export type AnyNames = Readonly<Record<string, true>>;
/** @internal */
export const PACKET_NAMES: Names<PacketOptions> = { dialect: true, objects: true, strict: true, limits: true, anyScript: true, widePage: true };
const LIMIT_NAMES: Names<Limits> = { depth: true, bytes: true, values: true };
/**
 * Refuses unknown options: a misspelled limit would be no limit. `what`: the kind of option. Errors: bad_option.
 * @internal
 */
export function checkOptions(given: unknown, names: AnyNames, what = "option"): void {
    if (typeof given === "object") {
        // The options in a Map, or a list, would not be seen.
        if (given !== null && Symbol.iterator in given) throw badOption(`${what}s are given as a plain object`);
        for (const name in given) if (names[name] !== true) throw unknownOption(name, Object.keys(names), what);
        return;
    }
    // `packets.map(decode)` passes a number as options.
    const isLeftOut = given === undefined || (typeof given === "number" && what === "option");
    if (!isLeftOut) throw badOption(`${what}s are given as an object, not as a ${typeof given}`);
}
function unknownOption(name: string, names: readonly string[], what: string): GdvarError {
    const meant = nearest(name, names);
    const instead = meant === undefined ? `there are ${names.join(", ")}` : `did you mean ${meant}?`;
    return badOption(`there is no ${what} ${JSON.stringify(name.slice(0, 100))}: ${instead}`);
}
function badOption(message: string): GdvarError {
    return new GdvarError(`error[bad_option]: ${message}`, { code: "bad_option", kind: "call", source: "value" });
}

/** The other dialects would ignore it. @internal */
export function checkWidePage(instance: Instance, wide: boolean | undefined, dialect: string | undefined): void {
    if (wide && !dialect?.startsWith("page-")) throw instance.refusal("bad_option", "widePage is for the page-* dialects alone; name one as dialect");
}

/** gdvar_options in an instance's memory, one for each different set of options. @internal */
export class OptionsTable {
    private readonly made = new Map<string, number>();
    constructor(private readonly keeper: Keeper) {
        keeper.dropped.push(() => {
            this.made.clear();
        });
    }

    /** The address of such options; 0 (the defaults) for undefined. */
    at(options: PacketOptions | undefined): number {
        if (options === undefined) return 0;
        const { objects = false, strict = false, anyScript = false, widePage = false } = options;
        const dialect = options.dialect ?? "";
        checkOptions(options.limits, LIMIT_NAMES, "limit");
        const { depth = OptionsInit.maxDepth, bytes = OptionsInit.maxBytes, values = Infinity } = options.limits ?? {};
        const flags = (objects ? OptionFlags.allowObjects : 0) | (strict ? OptionFlags.strict : 0) | (widePage ? OptionFlags.widePage : 0) | (anyScript ? OptionFlags.anyScript : 0);
        const key = `${dialect}\n${flags} ${depth} ${bytes} ${values}`;
        const isNumbers = typeof depth === "number" && typeof bytes === "number" && typeof values === "number";
        let at = isNumbers ? this.made.get(key) : undefined;
        if (at !== undefined) return at;
        const instance = this.keeper.get();
        at = this.write(instance, dialect, flags, [depth, bytes, values]);
        // A program that makes new limits all the time would fill the memory.
        if (this.made.size >= 256) {
            for (const old of this.made.values()) instance.free(old);
            this.made.clear();
        }
        this.made.set(key, at);
        return at;
    }

    private write(instance: Instance, dialect: string, flags: number, limits: readonly [number, number, number]): number {
        const names = ["limits.depth", "limits.bytes", "limits.values"] as const;
        const [depth, bytes, values] = limits.map((limit, i) => checkedLimit(instance, names[i]!, limit)) as [number, number, number];
        if (depth > OptionsInit.maxDepth) throw instance.refusal("bad_option", `limits.depth is at most ${OptionsInit.maxDepth}`);
        const found = dialect === "" ? 0 : findDialect(instance, dialect);
        checkWidePage(instance, (flags & OptionFlags.widePage) !== 0, dialect);
        const at = instance.alloc(Size.options);
        const { u8, u32 } = instance;
        u8.fill(0, at, at + Size.options);
        u32[at >>> 2] = Size.options;
        u32[(at + OptionsAt.flags) >>> 2] = flags;
        u32[(at + OptionsAt.dialect) >>> 2] = found;
        u32[(at + OptionsAt.maxDepth) >>> 2] = depth;
        setLong(u32, (at + OptionsAt.maxBytes) >>> 2, bytes);
        setLong(u32, (at + OptionsAt.maxNodes) >>> 2, values);
        return at;
    }
}

/** A limit as a whole number; Infinity is the largest one. Errors: bad_option. @internal */
export function checkedLimit(instance: Instance, name: string, limit: number): number {
    if (typeof limit !== "number" || !(limit >= 0)) throw instance.refusal("bad_option", `${name} must be a number from 0 on, not ${String(limit)}`);
    return Math.floor(Math.min(limit, Number.MAX_SAFE_INTEGER));
}

/** A dialect by its name or alias, in an instance's memory. @internal */
export function findDialect(instance: Instance, name: string): number {
    const at = instance.putText(String(name));
    // A C text ends at a NUL.
    const found: number = String(name).includes("\0") ? 0 : instance.exports["gdvar_find_dialect"](at);
    instance.free(at);
    if (found === 0) throw instance.refusal("bad_option", `there is no dialect "${name}"`);
    return found;
}
