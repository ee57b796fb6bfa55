// Messages of the worker to the page: plain data that can be sent.
import type { DialectName } from "gdvar";
import type * as gdvar from "gdvar/saves";

/** A value: its number in the file, and its node in that value's document. */
export interface Ref {
    value: number;
    node: number;
}
export const sameRef = (a: Ref | undefined, b: Ref | undefined) => a?.value === b?.value && a?.node === b?.node;

/** How a value is coloured. */
export type Look = "number" | "text" | "word" | "math" | "container" | "packed" | "other" | "broken";

/** One line of the tree. */
export interface Row {
    ref: Ref;
    /** Its line among those that are open. */
    index: number;
    depth: number;
    /** The key, the name or the number. */
    label: string;
    labelKind: "name" | "number" | "key" | "value";
    type: string;
    text: string;
    look: Look;
    /** In bytes, header and key included; and those of the key. */
    size: number;
    keySize: number;
    opens: boolean;
    open: boolean;
    /** Its place among its siblings, and how many these are. */
    place: number;
    siblings: number;
    /** Why only a part of it is there. */
    broken: string;
}

/** Why a file or a change was refused. */
export interface Refusal {
    code: string;
    message: string;
    offset: number | undefined;
    path: string | undefined;
    /** A value of another type would be taken if the type may change. */
    needsType: boolean;
}

/** One layer or document of a file. */
export type Finding = gdvar.Finding;

/** `inside`: in what the innermost layer holds; else in another layer. */
export type Lost = Pick<gdvar.LostRange, "begin" | "end" | "reason"> & { inside: boolean };
/** The readable part of a damaged file. */
export interface Damage {
    refusal: Refusal;
    recovered: number;
    partial: number;
    lost: Lost[];
    notes: string[];
}

/** The files in a pack or in a browser's export. */
export interface Archive {
    description: string;
    entries: Pick<gdvar.Entry, "name" | "size" | "opens" | "notes">[];
}

export interface Facts {
    id: number;
    name: string;
    /** The path of the value that is open in place of the file; "": the file itself. */
    inside: string;
    /** The file whose value that is; undefined: it can't be put back. */
    host: number | undefined;
    isPack: boolean;
    /** The kind and engine that the user has chosen; "": they were found. */
    as: string;
    dialectAs: DialectName | "";
    size: number;
    state: "open" | "damaged" | "locked" | "archive" | "refused";
    refusal: Refusal | undefined;
    stack: string;
    findings: Finding[];
    dialect: DialectName | "";
    kind: string;
    isText: boolean;
    onlyRead: boolean;
    /** Lines that the tree has now. */
    rows: number;
    /** The size of the innermost layer's content, in bytes. */
    content: number;
    /** Where bytes follow a value, the last record or a layer. */
    leftOver: string | undefined;
    changes: Change[];
    /** How many changes were taken back and can be made again. */
    undone: number;
    damage: Damage | undefined;
    archive: Archive | undefined;
    /** Its values stand in a list: records, lines, settings. */
    listed: boolean;
}

/** A change that was made. */
export interface Change {
    what: "set" | "added" | "removed" | "renamed";
    path: string;
    before: string;
    after: string;
    /** Further pairs with the same key that went, or got another key, with it. */
    others?: number;
}

export interface Selected {
    ref: Ref;
    index: number;
    path: string;
    type: string;
    look: Look;
    /** There may be another document in its text or bytes. */
    mayOpen: boolean;
    /** In what the innermost layer holds. */
    begin: number;
    end: number;
    /** The first text of an editor; undefined: too large, or it can't be edited. */
    edit: string | undefined;
    isText: boolean;
    /** Where something may be added: to the value itself, or to the one that it is in. */
    host: { ref: Ref; path: string; holds: "pairs" | "elements" | "properties" } | undefined;
    /** It can be removed, and it has a key that can be changed. */
    inContainer: boolean;
    key: string | undefined;
    /** Why only a part of it is there. */
    broken: string;
}

export interface Found {
    ref: Ref;
    /** The keys from the file down to it. */
    trail: string;
    text: string;
    look: Look;
}
export interface Search {
    found: Found[];
    /** How many there are; more than `found` holds. */
    total: number;
    done: boolean;
    refusal: Refusal | undefined;
}

/** A part of the space that a value takes. */
export interface Space {
    label: string;
    type: string;
    look: Look | "rest";
    /** It has parts of its own. */
    opens: boolean;
    size: number;
    /** undefined: many small ones together. */
    ref: Ref | undefined;
    children: Space[];
}

/** One field of a value; its offset is in the content. */
export type Field = Omit<gdvar.Row, "path">;

export interface Difference {
    what: "changed" | "added" | "removed" | "reordered";
    path: string;
    before: string;
    after: string;
}
export interface Comparison {
    differences: Difference[];
    total: number;
    sameBytes: boolean;
    refusal: Refusal | undefined;
}

export interface Converted {
    bytes: Uint8Array | undefined;
    losses: gdvar.Loss[];
    refusal: Refusal | undefined;
}
