// Packets without values: checking, dialects, and frames of a stream.
import { core, optionsOf } from "./core.js";
import type { GdvarError } from "./errors.js";
import { checkedLimit, checkOptions, PACKET_NAMES, type DialectName, type Names, type PacketOptions } from "./options.js";
import { TYPES, type TypeName } from "./interface.js";
import { text } from "./structs.js";
import { bytesOf, Handle, type Instance } from "./wasm.js";

/** The version of gdvar. */
export function version(): string {
    return core.run((module) => module.cText(module.exports["gdvar_version"]()));
}

/** Says in a sentence what the code of a GdvarError means (docs/errors.md): "The bytes end before the value does."; "" for all that is no code of gdvar's. */
export function errorMeaning(code: unknown): string {
    if (typeof code !== "string") return "";
    return core.run((module) => module.cText(module.exports["gdvar_error_meaning"](module.codeNumber(code))));
}

/**
 * Checks the packet at the start of `bytes` without making values. Returns its size in bytes. Errors: GdvarError with code,
 * offset and path.
 */
export function validate(bytes: Uint8Array, options?: PacketOptions): number {
    checkOptions(options, PACKET_NAMES);
    return core.run((module) => {
        const settings = optionsOf(options);
        module.put(bytesOf(bytes));
        const { exports, given, result, error } = module;
        const code: number = exports["gdvar_validate"](given, settings, result, error);
        module.refresh();
        if (code === 0) return module.u32[result >>> 2]!;
        throw module.failure(module.errorPath(given, settings));
    });
}

/** A dialect: its name for `dialect`, a title for people, and the types that it can write. */
export interface Dialect {
    name: DialectName;
    title: string;
    types: TypeName[];
}
/** All dialects, the newest Godot's first, those of the documentation pages last (docs/dialects.md). */
export function dialects(): Dialect[] {
    return core.run((module) => {
        const { exports, result } = module;
        const all: Dialect[] = [];
        for (let index = 0; ; ++index) {
            const dialect: number = exports["gdvar_dialect_at"](index);
            if (dialect === 0) return all;
            const say = (what: "gdvar_dialect_name" | "gdvar_dialect_title") => {
                exports[what](result, dialect);
                return text.read(module, result);
            };
            const types = TYPES.filter((_, type) => exports["gdvar_dialect_has"](dialect, type) !== 0);
            all.push({ name: say("gdvar_dialect_name") as DialectName, title: say("gdvar_dialect_title"), types });
        }
    });
}

// ---- frames ----

export interface FrameOptions {
    /** The `big_endian` of the StreamPeer. PacketPeerStream writes the lowest byte first: false. */
    bigEndian?: boolean;
    /** The most bytes of one packet; larger ones are refused by their length. Default: 1 MiB. */
    maxPacket?: number;
}

const ORDER_NAMES: Names<Pick<FrameOptions, "bigEndian">> = { bigEndian: true };
const FRAMER_NAMES: Names<FrameOptions & { begin?: number }> = { ...ORDER_NAMES, maxPacket: true, begin: true };

/** A packet behind its length, as `StreamPeer.put_var` and `PacketPeerStream.put_packet` write it. */
export function frame(packet: Uint8Array, options: Pick<FrameOptions, "bigEndian"> = {}): Uint8Array<ArrayBuffer> {
    checkOptions(options, ORDER_NAMES);
    return core.run((module) => {
        module.put(bytesOf(packet));
        const { exports, given, buffer, error } = module;
        const code: number = exports["gdvar_append_frame"](given, options.bigEndian ? 1 : 0, buffer, error);
        module.refresh();
        if (code !== 0) {
            exports["gdvar_buffer_clear"](buffer);
            throw module.failure();
        }
        return module.takeBuffer();
    });
}

/**
 * Cuts a stream's bytes into packets: each is preceded by its length, as `StreamPeer.put_var` and `PacketPeerStream` write
 * them. The bytes may arrive in any pieces.
 *
 * After an error (a length of more than `maxPacket`) the stream is lost: close it. `begin`: the start of the stream in a file,
 * for the offsets of errors.
 */
export class StreamFramer {
    readonly #bigEndian: boolean;
    readonly #maxPacket: number;
    readonly #begin: number;
    #framer: Handle | undefined = undefined;

    constructor(options: FrameOptions & { begin?: number } = {}) {
        checkOptions(options, FRAMER_NAMES);
        this.#bigEndian = options.bigEndian ?? false;
        // No packet is larger than its length can be.
        this.#maxPacket = Math.min(checkedLimit(core.get(), "maxPacket", options.maxPacket ?? 1 << 20), 0xffffffff);
        this.#begin = options.begin ?? 0;
    }

    /** Takes bytes of the stream at once, and yields the complete packets, each a copy; unread ones come next time. */
    feed(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
        this.#call((module, framer) => {
            module.put(bytesOf(bytes));
            return module.exports["gdvar_framer_feed"](framer, module.given, module.error);
        });
        return this.#packets();
    }
    *#packets(): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
        for (let packet = this.#next(); packet !== undefined; packet = this.#next()) yield packet;
    }
    /** The least number of bytes before the next packet. */
    get need(): number {
        if (this.#framer === undefined) return 4;
        const framer = this.#framer.get();
        return core.run((module) => Number(module.exports["gdvar_framer_need"](framer)));
    }
    /** Call at the end of the stream. Errors: truncated, with `need`, in the middle of a packet. */
    finish(): void {
        this.#call((module, framer) => module.exports["gdvar_framer_finish"](framer, module.error));
    }
    /** Frees its memory at once. It can't be used afterwards. */
    close(): void {
        this.#open().close();
    }

    #next(): Uint8Array<ArrayBuffer> | undefined {
        return this.#call((module, framer) => {
            const there = module.result + 8;
            const code: number = module.exports["gdvar_framer_next"](framer, module.result, there, module.error);
            module.refresh();
            return code !== 0 ? code : module.u32[there >>> 2] !== 0 ? module.taken() : undefined;
        });
    }
    #call<T>(work: (module: Instance, framer: number) => T | number): T {
        // Bytes from before a trap are lost with its memory, and with the handle.
        const framer = this.#open().get();
        return core.run((module) => {
            const given = work(module, framer);
            module.refresh();
            if (typeof given === "number" && given !== 0) throw module.failureBehind(this.#begin) satisfies GdvarError;
            return given as T;
        });
    }
    #open(): Handle {
        return (this.#framer ??= core.run((module) => {
            const framer = module.handle("gdvar_framer_new", this.#bigEndian ? 1 : 0, BigInt(this.#maxPacket));
            return new Handle(core, framer, this, "gdvar_framer_free", "the framer");
        }));
    }
}
