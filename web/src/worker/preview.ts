// A value in one short line.
import type { Document } from "gdvar/saves";
import { printable } from "../printable";
import type { Look } from "./shown";
import { printed } from "./text";
import type { Values } from "./values";

/** Bytes of a text that are shown in a row. */
const MOST_TEXT = 240;
/** Larger values are not printed whole for a row. */
const MOST_PRINTED = 256;
const MOST_ELEMENTS = 12;

/** The most characters of a class's name. */
const MOST_NAME = 80;

// A byte order mark is a character of a text like others.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const LOOKS: Readonly<Record<string, Look>> = {
    ...{ Nil: "word", bool: "word", int: "number", float: "number", String: "text", StringName: "text", NodePath: "text" },
    ...{ RID: "other", Callable: "other", Signal: "other", Object: "other", Image: "other", InputEvent: "other" },
};
export function lookOf(document: Document, node: number): Look {
    if (document.isContainer(node)) return "container";
    const type = document.type(node);
    return LOOKS[type] ?? (type.startsWith("Packed") ? "packed" : "math");
}
/** Its children are pairs: keys or names, and values, in turn. */
export function hasKeys(document: Document, node: number): boolean {
    const type = document.type(node);
    return type === "Dictionary" || type === "Object";
}

/** "Array[int]", "Dictionary[String, Node]", the class of an Object; else the type's name. */
export function typeOf(document: Document, node: number): string {
    const type = document.type(node);
    if (type === "Object") return printable(document.text(node), MOST_NAME) || type;
    if (type !== "Array" && type !== "Dictionary" && type !== "PackedTypedArray") return type;
    const [first, second] = document.types(node);
    if (first.kind === "untyped" && second.kind === "untyped") return type;
    const name = (given: typeof first) => (given.kind === "untyped" ? "Variant" : printable(given.name, MOST_NAME) || given.type);
    return type === "Dictionary" ? `${type}[${name(first)}, ${name(second)}]` : `${type}[${name(first)}]`;
}

/** A text in one line, of which the end is cut. */
export const oneLine = (text: string, most = MOST_TEXT) => printable(text, most);

export function preview(document: Document, node: number): string {
    const look = lookOf(document, node);
    if (look === "container") return held(document, node);
    if (look === "packed") return elements(document, node);
    const [begin, end] = document.range(node);
    if (look === "text" && document.type(node) !== "NodePath") return text(document, node, begin, end);
    return end - begin <= MOST_PRINTED ? oneLine(printed(document, node)) : `${(end - begin).toLocaleString("en")} bytes`;
}

function text(document: Document, node: number, begin: number, end: number): string {
    const size = document.length(node);
    const whole = size <= MOST_TEXT;
    const shown = decoder.decode(document.bytes(begin + 8, Math.min(begin + 8 + (whole ? size : MOST_TEXT), end)));
    // A cut within a character gives a replacement character, which is not the text's.
    const sign = document.type(node) === "StringName" ? "&" : "";
    const escaped = (whole ? shown : shown.replace(/\ufffd+$/, "")).replace(/["\\]/g, "\\$&");
    return `${sign}"${oneLine(escaped, 2 * MOST_TEXT)}${whole ? "" : "…"}"`;
}

function held(document: Document, node: number): string {
    const count = document.length(node);
    const type = document.type(node);
    const isList = type === "Array" || type === "PackedTypedArray";
    const unit = isList ? "element" : type === "Object" ? "property" : "pair";
    const units = count === 1 ? unit : unit === "property" ? "properties" : `${unit}s`;
    const said = `${count.toLocaleString("en")} ${units}`;
    if (isList || count === 0) return said;
    // The first keys tell records apart.
    const keys: string[] = [];
    let child = node + 1;
    for (let i = 0; i < Math.min(count, 5); ++i) {
        keys.push(label(document, child).text);
        child = document.next(document.next(child));
    }
    return `${said} · ${oneLine(keys.join(", "), 80)}${count > keys.length ? ", …" : ""}`;
}

function elements(document: Document, node: number): string {
    if (document.type(node) === "PackedStringArray") {
        const count = document.length(node);
        const texts = document.texts(node, MOST_ELEMENTS).map((text) => `"${oneLine(text, 40)}"`);
        return list(count, texts, count > texts.length);
    }
    const count = document.length(node);
    const numbers = document.numbers(node, MOST_ELEMENTS);
    const width = count === 0 ? 1 : numbers.length / Math.min(count, MOST_ELEMENTS);
    const said = Array.from(numbers as Iterable<number | bigint>, (number) => shortNumber(number, numbers instanceof Float32Array));
    const items = width === 1 ? said : said.flatMap((_, i) => (i % width === 0 ? [`(${said.slice(i, i + width).join(", ")})`] : []));
    return list(count, items, count > MOST_ELEMENTS);
}
const list = (count: number, items: string[], more: boolean) => `${count.toLocaleString("en")} · ${items.join(", ")}${more ? ", …" : ""}`;
function shortNumber(number: number | bigint, isFloat32: boolean): string {
    if (Object.is(number, -0)) return "-0.0";
    if (typeof number === "number" && !Number.isFinite(number)) return Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
    if (!isFloat32) return String(number);
    // The digits of a 32-bit float, not those of its 64-bit value.
    for (let digits = 6; digits < 9; ++digits) {
        const short = Number(Number(number).toPrecision(digits));
        if (Math.fround(short) === number) return String(short);
    }
    return String(Number(Number(number).toPrecision(9)));
}

/** A key or the name of a property, as the tree shows it. */
export function label(document: Document, node: number): { text: string; kind: "name" | "key" } {
    if (document.isProperty(node)) return { text: oneLine(document.text(node)), kind: "name" };
    const type = document.type(node);
    if (type === "String" || type === "StringName") {
        const name = document.text(node);
        return { text: name === "" ? '""' : oneLine(name), kind: "name" };
    }
    return { text: preview(document, node), kind: "key" };
}
/** A value of a list of values: the name of a setting, or its number. */
export function nameIn(values: Values, value: number): string {
    const name = values.name(value);
    return name === undefined ? `#${value}` : oneLine(name);
}
