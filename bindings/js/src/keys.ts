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

/** The names of math types, by the prototypes of their classes with 32-bit components. */
const mathNames = new Map<object, string>(MATH.map(([type, { prototype }]) => [prototype as object, TYPES[type]]));
/** "Vector3 1,2,3": the name of a math type, and the components as they are written. */
export const mathKey = (value: v.MathValue) => [mathNames.get(v.MathValue.typeOf(value)), value.components()] as const;

function packedName(value: PackedMathArray<unknown>): string {
    const packed = PACKED.find(({ around }) => around !== undefined && value instanceof around);
    return packed === undefined ? "" : TYPES[packed.type];
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
    // Most are vectors. No other text begins so.
    if (key instanceof v.MathValue) return mathKey(key).join(" ");
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
    if (value instanceof PackedMathArray) return say(packedName(value), value.components);
    if (value instanceof v.MathValue) return say(...mathKey(value));
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
