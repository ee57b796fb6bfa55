// Structs of gdvar.h as tables of their members. Sizes and places follow from C's rules, with pointers of 4 bytes.
import type { Instance } from "./wasm.js";

/** A member of a struct, or a whole struct. `read` gets its address. Only structs refresh the module's views of its memory. */
export interface Member<T> {
    readonly size: number;
    readonly align: number;
    read(module: Instance, at: number): T;
}
const member = <T>(size: number, align: number, read: Member<T>["read"]): Member<T> => ({ size, align, read });

export const u8 = member(1, 1, (module, at) => module.u8[at]!);
export const u16 = member(2, 2, (module, at) => module.u8[at]! | (module.u8[at + 1]! << 8));
export const u32 = member(4, 4, (module, at) => module.u32[at >>> 2]!);
export const u64 = member(8, 8, ({ u32 }, at) => u32[at >>> 2]! + u32[(at >>> 2) + 1]! * 4294967296);
export const i64 = member(8, 8, ({ u32, i32 }, at) => u32[at >>> 2]! + i32[(at >>> 2) + 1]! * 4294967296);
export const text = member(8, 4, (module, at) => module.text(module.u32[at >>> 2]!, module.u32[(at >>> 2) + 1]!));
/** A copy of bytes that are elsewhere. */
export const bytes = member(8, 4, (module, at) => module.copy(module.u32[at >>> 2]!, module.u32[(at >>> 2) + 1]!));
/** A copy of so many bytes of the struct itself. */
export const own = (size: number) => member(size, 1, (module, at) => module.copy(at, size));
/** A pointer to an array, and the number of its items. */
export const list = <T>(of: Member<T>) =>
    member(8, 4, (module, at): T[] => {
        const [first, count] = module.u32.subarray(at >>> 2, (at >>> 2) + 2) as unknown as [number, number];
        return Array.from({ length: count }, (_, i) => of.read(module, first + i * of.size));
    });
/** A member that is not needed, or not yet: its address. */
export const place = ({ size, align }: Member<unknown>) => member(size, align, (_, at) => at);

/** The same member as another value. */
export const as = <T, U>({ size, align, read }: Member<T>, use: (value: T, module: Instance) => U) => member(size, align, (module, at) => use(read(module, at), module));
export const flag = as(u8, (value) => value !== 0);
/** undefined for 0 and for an empty text. */
export const maybe = <T>(given: Member<T>) => as(given, (value) => value || undefined);
/** A layer's number; undefined for GDVAR_NO_LAYER. */
export const layer = as(u32, (number) => (number === 0xffffffff ? undefined : number));

export interface Struct<Values> extends Member<Values> {
    /** Where its members stand in it. */
    readonly places: Readonly<Record<keyof Values, number>>;
}
type ValuesOf<Members> = { [Name in keyof Members]: Members[Name] extends Member<infer Value> ? Value : never };
const upTo = (end: number, align: number) => end + (-end & (align - 1));
export function struct<Members extends Record<string, Member<unknown>>>(members: Members): Struct<ValuesOf<Members>> {
    const places: Record<string, number> = {};
    let [end, align] = [0, 1];
    const parts = Object.entries(members).map(([name, given]) => {
        const place = (places[name] = upTo(end, given.align));
        end = place + given.size;
        align = Math.max(align, given.align);
        return { name, place, read: given.read };
    });
    // A copy of this has room for all members; an object that grows would get it in steps.
    const blank = Object.fromEntries(parts.map(({ name }) => [name, undefined]));
    const read = (module: Instance, at: number) => {
        module.refresh();
        const values: Record<string, unknown> = { ...blank };
        for (const { name, place, read } of parts) values[name] = read(module, at + place);
        return values;
    };
    return { size: upTo(end, align), align, places, read } as Struct<ValuesOf<Members>>;
}

/** Where bytes are: gdvar_bytes, gdvar_text. */
export const SPAN = struct({ at: u32, size: u32 });
/** gdvar_error, without what only gdvar_error_message reads. */
export const ERROR = struct({ code: u16, type: u8, source: u8, system: u32, offset: u64, need: u64, line: u32, column: u32, change: u64, detail: place(member(64, 8, () => 0)) });
