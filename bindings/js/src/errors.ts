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

/** The names in docs/errors.md, and "bad_option" for an invalid option. */
export type ErrorCode =
    | "truncated" | "unknown_type" | "bad_length" | "bad_utf8" | "bad_container_type" | "bad_node_path" | "bad_script" | "unsupported_type"
    | "depth_limit" | "size_limit" | "node_limit" | "objects_forbidden" | "trailing_bytes" | "nonzero_padding" | "missing_padding" | "wide_number"
    | "unknown_flags" | "not_canonical" | "duplicate_key" | "wrong_type" | "number_out_of_range" | "missing_key" | "unknown_key"
    | "index_out_of_range" | "bad_path" | "length_out_of_range" | "unknown_name" | "repeated_key" | "refused" | "buffer_full" | "not_in_dialect" | "too_large"
    | "too_many_items" | "too_few_items" | "unclosed_container" | "misplaced" | "no_memory" | "io" | "bad_magic" | "bad_frame" | "bad_base64"
    | "bad_hex" | "bad_block" | "bad_checksum" | "bad_mode" | "bad_key" | "not_recognised" | "bad_packet" | "timed_out" | "closed" | "bad_reference"
    | "handler_failed" | "bad_syntax" | "bad_number" | "bad_escape" | "unknown_constructor" | "wrong_arguments" | "bad_option";

/** Details of an error besides its message. */
export interface ErrorFacts {
    code: ErrorCode;
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

/** Why something was refused. */
export class GdvarError extends Error {
    override readonly name = "GdvarError";
    readonly code!: ErrorCode;
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
