// Text, JSON, annotation, conversion, paths, differences: the functions of gdvar/tools and gdvar/saves for packets.
import { core } from "./core.js";
import { DECODE_NAMES, decodeWith, type DecodeOptions, type FromText } from "./decode.js";
import { encode, ENCODE_NAMES, encodeWith, type EncodeOptions } from "./encode.js";
import { GdvarError } from "./errors.js";
import { lookup as lookupAt, LOSS, tools, type Call, type Loss } from "./engine.js";
import { ERROR, Form } from "./interface.js";
import { CANDIDATE as ALL_OF_CANDIDATE, MATCH, QUIRK, ROW } from "./layouts.js";
import { checkedLimit, checkOptions, PACKET_NAMES, type AnyNames, type DialectName, type Names, type PacketOptions } from "./options.js";
import * as s from "./structs.js";
import type { Encodable } from "./variant.js";

export { Document, type Place, type Printed } from "./document.js";
export type { Loss } from "./engine.js";

/** A gdvar_document of a packet, for the duration of the call. */
function withDocument<T>(call: Call, packet: Uint8Array, options: PacketOptions | undefined, work: (document: number) => T): T {
    const { module } = call;
    const { exports } = module;
    const document = module.handle("gdvar_document_new");
    try {
        const settings = call.options(options);
        const bytes = call.bytes(packet);
        const code: number = exports["gdvar_document_read"](document, bytes, settings, module.error);
        module.refresh();
        if (code !== 0) throw module.failure(module.errorPath(bytes, settings));
        return work(document);
    } finally {
        exports["gdvar_document_free"](document);
    }
}

// ---- text and JSON ----

/** In a Map: an object would have "2" and "4" first. */
const FAMILIES = new Map([
    ["2", Form.text_2], ["3.2", Form.text_3_2], ["3.6", Form.text_3_6], ["4.0", Form.text_4_0], ["4", Form.text_4], ["pandemonium", Form.textPandemonium],
] as const);
export type TextFamily = "2" | "3.2" | "3.6" | "4.0" | "4" | "pandemonium";
/** The family of a text. */
export interface FamilyOptions {
    /** If it is not that of the dialect's engine: Godot 3.2 has the dialect of 3.6, but another text (docs/text.md). */
    family?: TextFamily;
}
function engineForm(options: FamilyOptions | undefined): Form {
    const { family } = options ?? {};
    if (family === undefined) return Form.text;
    const form = FAMILIES.get(family);
    if (form !== undefined) return form;
    throw core.get().refusal("bad_option", `family is one of ${[...FAMILIES.keys()].join(", ")}, not ${String(family)}`);
}

function print(packet: Uint8Array, form: Form, indent: number, options: PacketOptions | undefined): [losses: Loss[], text: string] {
    return tools().collecting(LOSS, (call) =>
        withDocument(call, packet, options, (document) => {
            call.run("gdvar_print", [document, 0, form, indent, call.module.buffer, ...(form === Form.plainJson ? call.use : ([0, 0] as const))]);
            return call.module.takeText();
        }),
    );
}
function parse(text: string, form: Form, options: PacketOptions | undefined): Uint8Array<ArrayBuffer> {
    return tools().calling((call) => {
        call.runWithPath("gdvar_parse_with_path", [call.text(text), form, call.options(options), call.module.buffer]);
        return call.module.takeBuffer();
    });
}

export interface PrintOptions extends EncodeOptions {
    /** Spaces for each level; 0, the default: all in one line. */
    indent?: number;
}
export type ParseOptions = DecodeOptions;
const PRINT_NAMES: Names<PrintOptions> = { ...ENCODE_NAMES, indent: true };
const TO_FAMILY_NAMES: Names<PrintOptions & FamilyOptions> = { ...PRINT_NAMES, family: true };
const FROM_FAMILY_NAMES: Names<ParseOptions & FamilyOptions> = { ...DECODE_NAMES, family: true };
/** Permissions do not apply to the content of a text or value. */
const ANYTHING: PacketOptions = { objects: true, anyScript: true };
const fromText = <T>(text: string, form: Form, options: ParseOptions | undefined, names: AnyNames = DECODE_NAMES) => {
    checkOptions(options, names);
    const given = { ...ANYTHING, ...options };
    return decodeWith<T>(parse(text, form, given), given);
};
const withLosses = (value: unknown, form: Form, options: PrintOptions | undefined, names: AnyNames = PRINT_NAMES) => {
    checkOptions(options, names);
    const given = { ...ANYTHING, ...options };
    return print(encodeWith(value, given), form, options?.indent ?? 0, given);
};
const toText = (...given: Parameters<typeof withLosses>) => withLosses(...given)[1];

/** Prints the value as the dialect's engine, or one of `family`, does: `var_to_str`. */
export function varToStr(value: Encodable, options?: PrintOptions & FamilyOptions): string {
    return toText(value, engineForm(options), options, TO_FAMILY_NAMES);
}
/**
 * Reads a text as the dialect's engine, or one of `family`, does: `str_to_var`. The whole text must be the value. An engine
 * reads numbers that do not fit as others (`99999999999999999999`, `PackedByteArray(256)`): `strict` refuses them (bad_number).
 */
export const strToVar: FromText<ParseOptions & FamilyOptions> = <T>(text: string, options?: ParseOptions & FamilyOptions) =>
    fromText<T>(text, engineForm(options), options, FROM_FAMILY_NAMES);
/** gdvar's own text, which loses nothing. */
export function toTextFull(value: Encodable, options?: PrintOptions): string {
    return toText(value, Form.textFull, options);
}
/** Reads it back. */
export const fromTextFull: FromText<ParseOptions> = <T>(text: string, options?: ParseOptions) => fromText<T>(text, Form.textFull, options);
/** Typed JSON, which loses nothing, in the shape of Godot's `JSON.from_native`. */
export function toJson(value: Encodable, options?: PrintOptions): string {
    return toText(value, Form.json, options);
}
/** Reads typed JSON. */
export const fromJson: FromText<ParseOptions> = <T>(text: string, options?: ParseOptions) => fromText<T>(text, Form.json, options);
/** JSON for other tools, and what it could not keep. */
export function toPlainJson(value: Encodable, options?: PrintOptions): { json: string; losses: Loss[] } {
    const [losses, json] = withLosses(value, Form.plainJson, options);
    return { json, losses };
}
/** Reads any JSON, as the dialect's engine does. */
export const fromPlainJson: FromText<ParseOptions> = <T>(text: string, options?: ParseOptions) => fromText<T>(text, Form.plainJson, options);

// ---- inspecting packets ----

/**
 * One field of a packet. `type` is "Vector3", "header", "count", "padding", ...; `note` has quirks, and the reason of a break.
 * `size` is 0 only for the row that reports the break.
 */
export interface Row {
    offset: number;
    size: number;
    path: string;
    type: string;
    value: string;
    note: string;
}
/** Every field, without a gap. For a broken packet `size` is undefined and `error` has the reason. */
export interface Annotation {
    rows: Row[];
    size: number | undefined;
    error: GdvarError | undefined;
}
export function annotate(packet: Uint8Array, options?: PacketOptions): Annotation {
    checkOptions(options, PACKET_NAMES);
    const [rows, verdict] = tools().collecting(ROW, (call) => {
        const { module } = call;
        const settings = call.options(options);
        const bytes = call.bytes(packet);
        let code = 0;
        const size = call.written(s.u32, (at) => (code = module.exports["gdvar_annotate"](bytes, settings, ...call.use, at, module.error)));
        module.refresh();
        return code === 0 ? { size, error: undefined } : { size: undefined, error: module.failure(module.errorPath(bytes, settings)) };
    });
    return { rows, ...verdict };
}

/** An irregularity that engines accept: one of the names in docs/errors.md. */
export interface Quirk {
    name: string;
    path: string;
    offset: number;
}
const CHECK_NAMES: Names<PacketOptions & { most?: number }> = { ...PACKET_NAMES, most: true };
/**
 * The irregularities of a packet: everything that `strict` would refuse, and bytes that engines would write differently. The
 * first `most` quirks (100), in the order of the bytes, and their total number.
 */
export function check(packet: Uint8Array, options?: PacketOptions & { most?: number }): { quirks: Quirk[]; total: number } {
    checkOptions(options, CHECK_NAMES);
    const [quirks, total] = tools().collecting(QUIRK, (call) => {
        const { module } = call;
        const settings = call.options(options);
        const bytes = call.bytes(packet);
        const most = Math.min(checkedLimit(module, "most", options?.most ?? 100), 0xffffffff);
        const path = () => module.errorPath(bytes, settings);
        return call.written(s.u64, (count) => call.run("gdvar_check", [bytes, settings, most, ...call.use, count], [], { path }));
    });
    return { quirks, total };
}

/** A dialect's reading of the packets; `reason` describes it in words. */
export interface Candidate {
    dialect: DialectName;
    fits: boolean;
    score: number;
    oddities: number;
    reason: string;
}
const CANDIDATE: s.Member<Candidate> = s.as(ALL_OF_CANDIDATE, ({ dialect, ...candidate }, module) => {
    module.exports["gdvar_dialect_name"](module.result, dialect);
    return { dialect: s.text.read(module, module.result) as DialectName, ...candidate };
});
/** The most plausible dialect of packets of one source; undefined if none fits. */
export function guess(packets: Iterable<Uint8Array>): { dialect: DialectName | undefined; ambiguous: boolean; candidates: Candidate[] } {
    const all = [...packets];
    if (all.length === 0) return { dialect: undefined, ambiguous: false, candidates: [] };
    const [candidates, result] = tools().collecting(CANDIDATE, (call) => {
        const { module } = call;
        const list = call.spans(all.map((packet) => call.bytes(packet)));
        const ambiguous = call.alloc(4);
        module.u32[ambiguous >>> 2] = 0;
        const dialect: number = module.exports["gdvar_guess"](list, all.length, ...call.use, ambiguous);
        module.refresh();
        const isAmbiguous = module.u32[ambiguous >>> 2] !== 0;
        return { dialect: dialect === 0 ? undefined : call.returned(s.text, "gdvar_dialect_name", dialect) as DialectName, ambiguous: isAmbiguous };
    });
    return { ...result, candidates };
}

// ---- converting, paths, differences ----

/** The packet in another dialect, and the losses. */
export function convert(packet: Uint8Array, from: PacketOptions, to: PacketOptions): { packet: Uint8Array<ArrayBuffer>; losses: Loss[] } {
    for (const options of [from, to]) checkOptions(options, PACKET_NAMES);
    const [losses, converted] = tools().collecting(LOSS, (call) => {
        const { module } = call;
        const [source, target] = [call.options(from), call.options(to)];
        const bytes = call.bytes(packet);
        const path = () => module.errorPath(bytes, source);
        call.run("gdvar_convert", [bytes, source, target, module.buffer, ...call.use], [], { path });
        return module.takeBuffer();
    });
    return { packet: converted, losses };
}

/** A match of a path: its own path, and its bytes, a separate packet. */
export interface Match {
    path: string;
    packet: Uint8Array<ArrayBuffer>;
}
const FOUND = s.some(MATCH, "path", "packet");
/** Every value at a path (docs/paths.md), in the order of the bytes: `$.players[*].hp`, `$..pos`. */
export function lookup(packet: Uint8Array, path: string, options?: PacketOptions): Match[] {
    checkOptions(options, PACKET_NAMES);
    return tools().collecting(FOUND, (call) => withDocument(call, packet, options, (document) => lookupAt(call, document, path)))[0];
}
/** The packet with another value at a path; every other byte stays. Adds a missing key or next element. */
export function setValue(packet: Uint8Array, path: string, value: Encodable, options?: EncodeOptions): Uint8Array<ArrayBuffer> {
    const given = encode(value, options);
    return tools().calling((call) => call.output("gdvar_set", [call.bytes(packet), call.text(path), call.bytes(given), call.options(options)]));
}
/** The packet without the element, pair or property at a path. */
export function eraseValue(packet: Uint8Array, path: string, options?: PacketOptions): Uint8Array<ArrayBuffer> {
    checkOptions(options, PACKET_NAMES);
    return tools().calling((call) => call.output("gdvar_erase", [call.bytes(packet), call.text(path), call.options(options)]));
}
/** The differences as a patch: a packet of its own (docs/patch.md). */
export function diff(from: Uint8Array, to: Uint8Array, options?: PacketOptions): Uint8Array<ArrayBuffer> {
    checkOptions(options, PACKET_NAMES);
    return tools().calling((call) =>
        withDocument(call, from, options, (one) => withDocument(call, to, options, (other) => call.output("gdvar_diff", [one, other]))),
    );
}
/** The packet with the changes of a patch; bytes without changes stay. */
export function patch(packet: Uint8Array, changes: Uint8Array, options?: PacketOptions): Uint8Array<ArrayBuffer> {
    checkOptions(options, PACKET_NAMES);
    return tools().calling((call) => {
        const { module } = call;
        const given = call.bytes(changes);
        const path = () => {
            // Its own error does not matter: then there is no path.
            module.exports["gdvar_change_path"](given, BigInt(ERROR.read(module, module.error).change), module.buffer, 0);
            return module.takeText() || undefined;
        };
        return call.output("gdvar_patch", [call.bytes(packet), given, call.options(options)], { path });
    });
}
