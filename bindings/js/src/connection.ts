// Values over a connection, for any transport of packets.
import { core, optionsOf } from "./core.js";
import { DECODE_NAMES, decodeWith, type DecodeOptions } from "./decode.js";
import { ENCODE_NAMES, encodeWith, type EncodeOptions } from "./encode.js";
import type { ErrorCode, GdvarError } from "./errors.js";
import { bytesOf } from "./wasm.js";
import type { Encodable, Variant } from "./variant.js";
import { checkedLimit, checkOptions, NETWORK, type AnyNames, type Names } from "./options.js";

/** Options and limits of a connection. */
export interface ConnectionOptions extends DecodeOptions, EncodeOptions {
    /** The most bytes of one received packet. Default: `limits.bytes`, which is 1 MiB. */
    maxPacket?: number;
    /** `send` waits while more bytes than these wait for the peer to take them. Default: 256 KiB. */
    maxQueued?: number;
    /**
     * Milliseconds to wait for a whole packet, and for the peer to take the sent bytes; then the connection is closed
     * (timed_out). Infinity: no limit. Default: a minute for a server's connections, Infinity for a client.
     */
    idleTimeout?: number;
}
/** @internal */
export const CONNECTION_NAMES: Names<ConnectionOptions> = { ...DECODE_NAMES, ...ENCODE_NAMES, maxPacket: true, maxQueued: true, idleTimeout: true };
/** The options with their defaults. */
export type Settings = ConnectionOptions & Required<Pick<ConnectionOptions, "limits" | "maxPacket" | "maxQueued" | "idleTimeout">>;
/** `names`: those of all options that the caller knows. Errors: bad_option. @internal */
export function settingsOf(options: ConnectionOptions, names: AnyNames, idleTimeout = Infinity): Settings {
    checkOptions(options, names);
    const limits = options.limits ?? NETWORK;
    const { maxPacket = limits.bytes ?? NETWORK.bytes, maxQueued = 256 << 10 } = options;
    const settings = { ...options, limits, maxPacket, maxQueued, idleTimeout: options.idleTimeout ?? idleTimeout };
    for (const name of ["maxPacket", "maxQueued", "idleTimeout"] as const) {
        checkedLimit(core.get(), name, settings[name]);
    }
    optionsOf(settings);  // an invalid option would be refused for each packet
    return settings;
}

/** A transport of packets. */
export interface Transport {
    /** Ends when the peer has closed the connection; its error also ends the connection. */
    readonly packets: AsyncIterator<Uint8Array, void>;
    /** Queues a packet, and sends it as soon as the peer takes it. */
    write(packet: Uint8Array): void;
    /** Bytes that wait for the peer. */
    readonly queued: number;
    /** Resolves when fewer bytes wait, or the connection is closed. */
    drained(): Promise<void>;
    /** Sends the queue, for a short time, and closes; with an error at once. */
    close(error?: Error): Promise<void>;
    /** Resolves at the end: with the error, if there was one. */
    readonly closed: Promise<Error | undefined>;
    readonly isClosed: boolean;
}

export function failed(code: ErrorCode, message: string, known: { offset?: number; need?: number } = {}): GdvarError {
    return core.get().refusal(code, message, undefined, { source: "call", ...known });
}
const longestTimer = 0x7fffffff;
/**
 * A timer, perhaps infinite. Returns a function that stops it. If the program itself was busy for so long, the timer is due
 * before the peer's bytes were read: they are read first, and may stop the timer.
 */
export function after(milliseconds: number, work: () => void): () => void {
    if (milliseconds > longestTimer) return () => undefined;
    let timer = setTimeout(() => (timer = setTimeout(work, 0)), milliseconds);
    return () => clearTimeout(timer);
}

/**
 * Values to and from one peer. `for await (const value of connection)` yields received values until the peer closes the
 * connection. A packet that is not a value, or exceeds `limits`, is thrown as a GdvarError; the connection is in step, and may
 * be iterated again. `Value` is the type that the caller expects, which must be given if the options make other values than Variants: `connect<Plain>({ port, plain: true })`. All other errors (size_limit: a packet is over `maxPacket`; timed_out; the system's own) end it.
 */
export class Connection<Value = Variant> implements AsyncIterableIterator<Value> {
    readonly #transport: Transport;
    readonly #settings: Settings;
    /** Bytes of packets so far. */
    #written = 0;
    /** The peer's address: "127.0.0.1:4000"; "" if unknown. */
    readonly peer: string;

    constructor(transport: Transport, settings: Settings, peer = "") {
        this.#transport = transport;
        this.#settings = settings;
        this.peer = peer;
    }

    /** The next packet; undefined when the peer has closed the connection. */
    async packet(): Promise<Uint8Array | undefined> {
        const { value, done } = await this.#transport.packets.next();
        return done ? undefined : (value as Uint8Array);
    }
    /** The next value. Errors: closed, at the end. */
    async get<T = Value>(): Promise<NoInfer<T>> {
        const packet = await this.packet();
        if (packet === undefined) throw failed("closed", "the peer has closed the connection");
        return decodeWith<T>(packet, this.#settings);
    }
    async next(): Promise<IteratorResult<Value, undefined>> {
        const packet = await this.packet();
        return packet === undefined ? { value: undefined, done: true } : { value: decodeWith(packet, this.#settings), done: false };
    }
    /** Leaving a loop keeps the connection open. */
    async return(): Promise<IteratorResult<Value, undefined>> {
        return { value: undefined, done: true };
    }
    [Symbol.asyncIterator](): this {
        return this;
    }

    /** Sends a value. Waits while more than `maxQueued` bytes wait. Errors: those of `encode`; closed, timed_out. */
    async send(value: Encodable): Promise<void> {
        await this.sendPacket(encodeWith(value, this.#settings));
    }
    /** Sends an encoded packet. */
    async sendPacket(packet: Uint8Array): Promise<void> {
        const transport = this.#transport;
        const { maxQueued, idleTimeout } = this.#settings;
        if (transport.isClosed) throw failed("closed", "the connection is closed");
        const bytes = bytesOf(packet);
        transport.write(bytes);
        this.#written += bytes.length;
        if (transport.queued <= maxQueued) return;
        const late = failed("timed_out", `the peer has taken nothing for ${idleTimeout} ms`);
        let stop = () => {};
        const watch = (taken: number) => {
            stop = after(idleTimeout, () => {
                const now = this.#written - transport.queued;
                if (now > taken) watch(now);
                else void transport.close(late);
            });
        };
        watch(this.#written - transport.queued);
        await transport.drained();
        stop();
        if (transport.isClosed) throw (await transport.closed) ?? failed("closed", "the connection was closed");
    }
    /** Sent bytes that the peer has not taken yet. */
    get queued(): number {
        return this.#transport.queued;
    }

    /** Sends the queue, and closes the connection. */
    async close(): Promise<void> {
        await this.#transport.close();
    }
    /** Resolves when the connection is closed, by either side: with the error, if there was one. */
    get closed(): Promise<Error | undefined> {
        return this.#transport.closed;
    }
}
