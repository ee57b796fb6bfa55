// How members of the structs of gdvar.h are read; interface.ts has their places.
import type { Instance } from "./wasm.js";

/** A member of a struct, or a whole struct. `read` gets its address. Only structs refresh the module's views of its memory. */
export interface Member<T> {
    readonly size: number;
    read(module: Instance, at: number): T;
}
const member = <T>(size: number, read: Member<T>["read"]): Member<T> => ({ size, read });

export const u8 = member(1, (module, at) => module.u8[at]!);
export const u16 = member(2, (module, at) => module.u8[at]! | (module.u8[at + 1]! << 8));
export const u32 = member(4, (module, at) => module.u32[at >>> 2]!);
export const u64 = member(8, ({ u32 }, at) => u32[at >>> 2]! + u32[(at >>> 2) + 1]! * 4294967296);
export const i64 = member(8, ({ u32, i32 }, at) => u32[at >>> 2]! + i32[(at >>> 2) + 1]! * 4294967296);
export const text = member(8, (module, at) => module.text(module.u32[at >>> 2]!, module.u32[(at >>> 2) + 1]!));
/** A copy of bytes that are elsewhere. */
export const bytes = member(8, (module, at) => module.copy(module.u32[at >>> 2]!, module.u32[(at >>> 2) + 1]!));
/** A copy of so many bytes of the struct itself. */
export const own = (size: number) => member(size, (module, at) => module.copy(at, size));
/** A pointer to an array, and the number of its items. */
export const list = <T>(of: Member<T>) =>
    member(8, (module, at): T[] => {
        const [first, count] = module.u32.subarray(at >>> 2, (at >>> 2) + 2) as unknown as [number, number];
        return Array.from({ length: count }, (_, i) => of.read(module, first + i * of.size));
    });
/** The address of a member that is read otherwise. */
export const place = member(0, (_, at) => at);

/** The same member as another value. */
export const as = <T, U>({ size, read }: Member<T>, use: (value: T, module: Instance) => U) => member(size, (module, at) => use(read(module, at), module));
export const truth = as(u8, (value) => value !== 0);
export const truth32 = as(u32, (value) => value !== 0);
/** undefined for the number that stands for none. */
export const unless = (given: Member<number>, none: number) => as(given, (value) => (value === none ? undefined : value));

type Members<Values> = { readonly [Name in keyof Values]: readonly [place: number, of: Member<Values[Name]>] };
export interface Struct<Values> extends Member<Values> {
    readonly members: Members<Values>;
}
export function struct<Values extends object>(size: number, members: Members<Values>): Struct<Values> {
    const parts = Object.entries<readonly [number, Member<unknown>]>(members).map(([name, [place, { read }]]) => ({ name, place, read }));
    // A copy of this has room for all members; an object that grows would get it in steps.
    const blank = Object.fromEntries(parts.map(({ name }) => [name, undefined]));
    const read = (module: Instance, at: number) => {
        module.refresh();
        const values: Record<string, unknown> = { ...blank };
        for (const { name, place, read } of parts) values[name] = read(module, at + place);
        return values as Values;
    };
    return { size, members, read };
}
/** Only some members of a struct: the others are not read. */
export function some<Values, Name extends keyof Values>({ size, members }: Struct<Values>, ...names: readonly Name[]): Struct<Pick<Values, Name>> {
    return struct(size, Object.fromEntries(names.map((name) => [name, members[name]])) as unknown as Members<Pick<Values, Name>>);
}

/** Where bytes are: gdvar_bytes, gdvar_text. */
export const SPAN = struct(8, { at: [0, u32], size: [4, u32] });
