import type { ERROR_SOURCE, NEEDS, TypeName } from "./interface.js";

/** The source of an error, which decides which of its members are meaningful. */
export type ErrorSource = (typeof ERROR_SOURCE)[number] | "value";

/** Why a path leads nowhere, or a change of a save was refused, in words. */
export interface Refusal {
    /** The path as far as it leads: "$.players[3]", "#2 $.hp". */
    at: string;
    /** "no .hpp (did you mean .hp?)", "this is a float, the value is a String" */
    what: string;
    /**
     * The remedy: the option `create` or `type` of `set`, or "[+]" in place of an index behind the end ("append"). Or no option
     * helps: the value does not fit the place, or the path leads nowhere.
     */
    needs: (typeof NEEDS)[number];
}

/** Details of an error besides its message. */
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

/** Why something was refused. `code` is one of the names in docs/errors.md ("truncated"), or "bad_option" for an invalid option. */
export class GdvarError extends Error {
    override readonly name = "GdvarError";
    readonly code!: string;
    /** The kind of the code: "bytes", "options", "writing", ... (docs/errors.md). */
    readonly kind!: string;
    readonly source!: ErrorSource;
    /** In bytes, in the packet, the text or the file. */
    readonly offset!: number | undefined;
    /** truncated: the least number of further bytes needed. */
    readonly need!: number | undefined;
    /** The Variant type that was being read or written. */
    readonly type!: TypeName | undefined;
    /** In a text, from 1. */
    readonly line!: number | undefined;
    readonly column!: number | undefined;
    /** The path of the value being read or written: "$.players[3]". */
    readonly path!: string | undefined;
    /** The number of a patch's change that does not fit. */
    readonly change!: number | undefined;
    /** For `SaveFile` and `lookup`: why, in words. */
    readonly refusal!: Refusal | undefined;

    constructor(message: string, facts: ErrorFacts) {
        super(message);
        Object.assign(this, facts);
    }
}
