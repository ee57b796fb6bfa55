// Changes of a file: they are made, taken back and made again; and where values stand after them.
import type { StringName, Variant } from "gdvar";
import type { SaveFile, SetOptions } from "gdvar/saves";
import type { Change } from "./shown";
import type { Opened as Rows } from "./tree";

/** A change that can be made again. `make` makes it, or nothing. Errors: those of the save. */
export interface Step {
    do: "set" | "erase" | "rename" | "insert" | "remove";
    /** The path of the value, or the number of the record. */
    at: string | number;
    make(save: SaveFile): void;
}
/** A path makes a String of a new key: `key` is another one. */
export function set(path: string, value: Variant, options: SetOptions, key?: StringName): Step {
    const make = (save: SaveFile) => {
        save.set(path, value, options);
        if (key === undefined) return;
        try {
            save.rename(path, key);
        } catch (error) {
            save.undo();
            throw error;
        }
    };
    return { do: "set", at: path, make };
}
export const erase = (path: string): Step => ({ do: "erase", at: path, make: (save) => save.erase(path) });
export const rename = (path: string, key: Variant): Step => ({ do: "rename", at: path, make: (save) => save.rename(path, key) });
export const insert = (number: number, value: Variant): Step => ({ do: "insert", at: number, make: (save) => save.insert(number, value) });
export const remove = (number: number): Step => ({ do: "remove", at: number, make: (save) => save.remove(number) });
export interface Made {
    step: Step;
    change: Change;
    /** How many changes of the save it is; undefined: the save no longer knows them. */
    changes: number | undefined;
}
/** The value of another open file that is open here as a file of its own. */
export interface Host {
    id: number;
    path: string;
    /** The value when it was opened, and each time that it was put back. */
    values: unknown[];
    /** The changes that may have moved it by then (`shifts`). */
    shifts: string;
}

/** The changes after which a path may lead to another value than before: elements before it that came or went, keys that are there twice. */
export function shifts(made: readonly Made[], path: string): string {
    const moved = made.filter(({ step }) => {
        if (typeof step.at === "number") return true;
        if (step.do === "set") return false;
        const [, parent, last] = /^(.*?)(\[[^[\]]*\]|\.\w+)$/s.exec(step.at) ?? [];
        return path.includes("[@") || (parent !== undefined && /^\[@?\d+\]$/.test(last!) && path.startsWith(parent));
    });
    return JSON.stringify(moved.map(({ step }) => [step.do, step.at]));
}

/** A String, a StringName or bytes: what may hold a document. */
export function isSameValue(one: unknown, other: unknown): boolean {
    if (one === undefined || other === undefined) return false;
    if (one instanceof Uint8Array && other instanceof Uint8Array) return one.length === other.length && one.every((byte, i) => byte === other[i]);
    return String(one) === String(other);
}

/** The open rows below a removed value, and behind it. */
export function forget(opened: Rows, places: readonly number[]): void {
    let list = opened;
    for (const place of places.slice(0, -1)) {
        const inside = list[place];
        if (inside === undefined) return;
        list = inside;
    }
    const gone = places[places.length - 1]!;
    const kept = Object.entries(list).map(([place, inside]) => [Number(place), inside] as const);
    for (const place of Object.keys(list)) delete list[Number(place)];
    for (const [place, inside] of kept) if (place !== gone) list[place > gone ? place - 1 : place] = inside;
}
