// Changes of a file as data: they are made, taken back and made again; and where values stand after them.
import type { StringName } from "gdvar";
import type { SaveFile } from "gdvar/saves";
import type { Change } from "./shown";
import type { Opened as Rows } from "./tree";

/** A change, so that it can be made again. */
export type Step =
    | { do: "set"; path: string; value: unknown; type: boolean; create: boolean; key?: StringName }
    | { do: "erase"; path: string }
    | { do: "rename"; path: string; key: unknown }
    | { do: "insert"; number: number; value: unknown }
    | { do: "remove"; number: number };
export interface Made {
    step: Step;
    change: Change;
    /** How many changes of the save it is; undefined: the save no longer knows them. */
    changes?: number | undefined;
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

/** Makes a change. Errors: those of the save; then nothing has changed. */
export function apply(save: SaveFile, step: Step): void {
    switch (step.do) {
        case "set":
            save.set(step.path, step.value, { type: step.type, create: step.create });
            if (step.key === undefined) return;
            try {
                return save.rename(step.path, step.key);
            } catch (error) {
                // All of a step is made, or nothing.
                save.undo();
                throw error;
            }
        case "erase":
            return save.erase(step.path);
        case "rename":
            return save.rename(step.path, step.key);
        case "insert":
            return save.insert(step.number, step.value);
        case "remove":
            return save.remove(step.number);
    }
}

/** The changes after which a path may lead to another value than before: elements before it that came or went, keys that are there twice. */
export function shifts(made: readonly Made[], path: string): string {
    const moved = made.filter(({ step }) => {
        if (step.do === "remove" || step.do === "insert") return true;
        if (step.do !== "erase" && step.do !== "rename") return false;
        const [, parent, last] = /^(.*?)(\[[^[\]]*\]|\.\w+)$/s.exec(step.path) ?? [];
        return path.includes("[@") || (parent !== undefined && /^\[@?\d+\]$/.test(last!) && path.startsWith(parent));
    });
    return JSON.stringify(moved.map(({ step }) => ("path" in step ? [step.do, step.path] : [step.do, step.number])));
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
