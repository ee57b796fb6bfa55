import type { TypeName } from "./types.js";

/** What an error came from, which says which of its members have a meaning. */
export type ErrorSource = "packet" | "text" | "file" | "patch" | "call" | "value";

/** Why something was refused, in words: of a path that leads nowhere, or of a change of a save. */
export interface Refusal {
    /** The path as far as it leads: "$.players[3]", "#2 $.hp". */
    at: string;
    /** "no .hpp (did you mean .hp?)", "this is a float, the value is a String" */
    what: string;
    /**
     * What would help: the option `create` or `type` of `set`, or "[+]" in place of an index behind the end ("append"). Or
     * no option does: the value does not fit the place, or the path leads nowhere.
     */
    needs: "another value" | "create" | "type" | "append" | "another path";
}

/** What is known of an error besides its message. */
export interface ErrorFacts {
    code: string;
    kind: string;
    source: ErrorSource;
    offset?: number;
    need?: number;
    type?: TypeName;
    line?: number;
    column?: number;
    path?: string;
    change?: number;
    refusal?: Refusal;
}

/**
 * Why something was refused. `code` is one of the names in docs/errors.md ("truncated"), or "bad_option" for an
 * option that is none.
 */
export class GdvarError extends Error {
    override readonly name = "GdvarError";
    readonly code: string;
    /** The kind of the code: "bytes", "options", "writing", ... (docs/errors.md). */
    readonly kind: string;
    readonly source: ErrorSource;
    /** In bytes, of the packet, the text or the file. */
    readonly offset: number | undefined;
    /** truncated: at least so many more bytes are needed. */
    readonly need: number | undefined;
    /** The Variant type that was being read or written. */
    readonly type: TypeName | undefined;
    /** Of a text, from 1. */
    readonly line: number | undefined;
    readonly column: number | undefined;
    /** Of the value that was being read or written: "$.players[3]". */
    readonly path: string | undefined;
    /** The number of the change of a patch that does not fit. */
    readonly change: number | undefined;
    /** Of `SaveFile` and `lookup`: why, in words. */
    readonly refusal: Refusal | undefined;

    constructor(message: string, facts: ErrorFacts) {
        super(message);
        this.code = facts.code;
        this.kind = facts.kind;
        this.source = facts.source;
        this.offset = facts.offset;
        this.need = facts.need;
        this.type = facts.type;
        this.line = facts.line;
        this.column = facts.column;
        this.path = facts.path;
        this.change = facts.change;
        this.refusal = facts.refusal;
    }
}
