// Compares the keys of Dictionaries by the rule of `same_key` in the library (src/value/compare.cpp).
import { GodotObject, PackedStringArray, PackedTypedArray } from "./containers.js";
import { MATH, PACKED } from "./math.js";
import { PackedMathArray } from "./packed.js";
import { builtinClass, isMap, typedArrayName } from "./realm.js";
import { TYPES } from "./interface.js";
import * as v from "./values.js";

/** A key that is equal only to itself; a String and a StringName with the same text are one key, as in the engines. */
export function simpleKey(key: unknown): unknown {
    switch (typeof key) {
        case "string":
        case "boolean":
        case "symbol":
            return key;
        case "number":
            return key === 0 ? 0 : key; // not -0
        case "bigint":
            return key >= Number.MIN_SAFE_INTEGER && key <= Number.MAX_SAFE_INTEGER ? Number(key) : key;
        default:
            if (key === null) return null;
            if (key instanceof v.StringName) return key.text;
            if (isNullObject(key)) return NULL_OBJECT;
            // A float that is not whole equals the number.
            return key instanceof v.Float && !Number.isInteger(key.value) ? key.value : undefined;
    }
}

/** The null Object: another key than null (wire-format 2.6). */
const NULL_OBJECT = Symbol("null Object");
/** An Object without a class is the null Object. */
function isNullObject(value: unknown): boolean {
    return value instanceof GodotObject && value.className === "";
}

interface Kind {
    name: string;
    round: (component: number) => number;
}
const exact: Kind["round"] = (component) => component;
/** By the prototype. Values with 32-bit and with 64-bit components may be the same key. */
const kinds = new Map<unknown, Kind>();
for (const [type, narrow, wide] of MATH) {
    const name = TYPES[type];
    kinds.set(narrow.prototype, { name, round: wide === undefined ? exact : Math.fround });
    if (wide !== undefined) kinds.set(wide.prototype, { name, round: exact });
}
for (const { type, around } of PACKED) if (around !== undefined) kinds.set(around.prototype, { name: TYPES[type], round: exact });
function kindOf(value: object): Kind | undefined {
    for (let type: unknown = Object.getPrototypeOf(value); type !== null; type = Object.getPrototypeOf(type)) {
        const kind = kinds.get(type);
        if (kind !== undefined) return kind;
    }
    return undefined;
}
function componentsOf(value: object, round: Kind["round"]): number[] {
    const parts: unknown[] = Object.values(value).filter((part) => typeof part !== "symbol");
    return parts.flatMap((part) => (typeof part === "object" && part !== null ? componentsOf(part, round) : round(Number(part))));
}

/** A value in a key: `isKey` for the keys of Dictionaries in it. `isLeft`: all its content was written. */
interface Step {
    value: unknown;
    isKey: boolean;
    isLeft?: boolean;
}
const asValue = (value: unknown): Step => ({ value, isKey: false });
const asPair = ([key, value]: readonly [unknown, unknown]): Step[] => [{ value: key, isKey: true }, asValue(value)];

/** A text that is equal for equal keys. A NaN that is an element is equal to nothing. */
export function structuredKey(key: unknown): string {
    const kind = kindOf(Object(key));
    // Most are vectors. No other text begins so.
    if (kind !== undefined && !(key instanceof PackedMathArray)) return `${kind.name} ${componentsOf(key as object, kind.round)}`;
    const parts: string[] = [];
    const open: Step[] = [{ value: key, isKey: true }];
    const around = new Set<unknown>();
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
        const { value, isKey } = step;
        if (step.isLeft === true) {
            around.delete(value);
            continue;
        }
        const inside = describe(value, isKey, parts);
        if (inside.length === 0) continue;
        // A value that contains itself can't be written.
        if (around.has(value)) parts.push("itself");
        else {
            around.add(value);
            open.push({ ...step, isLeft: true });
            for (let i = inside.length; i > 0; --i) open.push(inside[i - 1]!);
        }
    }
    return JSON.stringify(parts);
}

/** Describes a value without its inner values, which it returns. */
function describe(value: unknown, isKey: boolean, parts: string[]): Step[] {
    switch (typeof value) {
        case "string":
            parts.push(isKey ? "text" : "String", value);
            return [];
        case "number":
            if (Number.isInteger(value)) parts.push("int", String(value));
            else real(value, isKey, parts);
            return [];
        case "object":
            if (value === null) return parts.push("Nil"), [];
            return isNullObject(value) ? (parts.push("null Object"), []) : describeObject(value, isKey, parts);
        default:
            parts.push(typeof value === "bigint" ? "int" : typeof value, String(value));
            return [];
    }
}
let nans = 0;
function real(value: number, isKey: boolean, parts: string[]): void {
    parts.push("float", value !== value && !isKey ? `NaN ${++nans}` : String(value));
}
function describeObject(value: object, isKey: boolean, parts: string[]): Step[] {
    const say = (...words: unknown[]): Step[] => (parts.push(...words.map(String)), []);
    if (value instanceof v.Float) return real(value.value, isKey, parts), [];
    if (value instanceof v.StringName) return say(isKey ? "text" : "StringName", value.text);
    if (ArrayBuffer.isView(value)) return say(typedArrayName(value), value);
    const kind = kindOf(value);
    if (value instanceof PackedMathArray) return say(kind?.name ?? "", value.components);
    if (kind !== undefined) return say(kind.name, componentsOf(value, kind.round));
    if (Array.isArray(value)) {
        say(value instanceof PackedStringArray ? "PackedStringArray" : value instanceof PackedTypedArray ? "PackedTypedArray" : "Array", value.length);
        return Array.from(value, asValue);
    }
    if (isMap(value)) return say("Dictionary", value.size), [...value].flatMap(asPair);
    return describeRest(value, say);
}
function describeRest(value: object, say: (...words: unknown[]) => Step[]): Step[] {
    if (value instanceof v.NodePath) return say("NodePath", value.absolute, JSON.stringify([value.names, value.subnames]));
    if (value instanceof v.RID) return say("RID", value.id);
    if (value instanceof v.Signal) return say("Signal", JSON.stringify(value.name), value.objectId);
    if (value instanceof v.Callable) return say("Callable");
    if (value instanceof v.Image) return say("Image", value.format, value.mipmaps, value.width, value.height, value.data);
    if (value instanceof v.InputEvent) return say("InputEvent", value.type, value.device, value.words);
    if (Object.getPrototypeOf(value) === null || builtinClass(value) === "Object") {
        const pairs = Object.entries(value);
        return say("Dictionary", pairs.length), pairs.flatMap(asPair);
    }
    return say("object", numberOf(value));
}

// Objects are equal to themselves, as in the engines; so are those of foreign classes, which no packet holds.
const numbers = new WeakMap<object, number>();
let objects = 0;
function numberOf(value: object): number {
    let number = numbers.get(value);
    if (number === undefined) numbers.set(value, (number = ++objects));
    return number;
}
