// Values in datagrams, as PacketPeerUDP sends them.
import type { RemoteInfo, Socket } from "node:dgram";
import { CONNECTION_NAMES, failed, settingsOf, type ConnectionOptions } from "./connection.js";
import { decodeWith, type ShapesOf } from "./decode.js";
import { encodeWith } from "./encode.js";
import type { Names } from "./options.js";
import type { Encodable, Variant } from "./variant.js";

/** A value, and its sender. Addresses may be forged. */
export interface Datagram<Value = Variant> {
    value: Value;
    address: string;
    port: number;
}
export interface DatagramOptions extends Omit<ConnectionOptions, "idleTimeout"> {
    /** Called for each datagram that is not a value, or for which the queue was full. Without it they are dropped silently. */
    report?: (error: unknown, from: RemoteInfo) => void;
}

const { idleTimeout: _, ...OTHER_NAMES } = CONNECTION_NAMES;
const DATAGRAM_NAMES: Names<DatagramOptions> = { ...OTHER_NAMES, report: true };

/** The largest payload of a datagram over IPv4. */
const largest = 65_507;
/** The cost of a queued datagram besides its bytes. */
const overhead = 200;

/**
 * Values over a socket of `node:dgram`. `for await (const { value, address, port } of
 * datagrams)` yields received values; beyond `maxQueued` waiting bytes datagrams are dropped, as networks do. Errors of the
 * socket are events of the socket. `Value` is the type that the caller expects.
 */
export class Datagrams<Value = Variant> implements AsyncIterable<Datagram<Value>> {
    readonly #socket: Socket;
    readonly #options: DatagramOptions & ReturnType<typeof settingsOf>;
    readonly #waiting: [Uint8Array, RemoteInfo][] = [];
    #size = 0;
    #isClosed = false;
    /** Loops that wait for a datagram. */
    #wakes: (() => void)[] = [];

    constructor(socket: Socket, options?: DatagramOptions & ShapesOf<Value>);
    constructor(socket: Socket, options: DatagramOptions = {}) {
        this.#socket = socket;
        this.#options = { ...options, ...settingsOf(options, DATAGRAM_NAMES) };
        socket.on("message", (bytes, from) => this.#take(bytes, from));
        socket.on("close", () => this.#end());
    }
    #end(): void {
        this.#isClosed = true;
        this.#wake();
    }
    #wake(): void {
        for (const wake of this.#wakes.splice(0)) wake();
    }
    #take(bytes: Uint8Array, from: RemoteInfo): void {
        const { maxPacket, maxQueued, report } = this.#options;
        if (bytes.length > maxPacket || this.#size > maxQueued) {
            const why = bytes.length > maxPacket ? `a datagram has ${bytes.length} bytes, more than ${maxPacket}` : "too many datagrams wait";
            report?.(failed("size_limit", why), from);
            return;
        }
        this.#waiting.push([bytes, from]);
        this.#size += bytes.length + overhead;
        this.#wake();
    }
    async *[Symbol.asyncIterator](): AsyncGenerator<Datagram<Value>, void, undefined> {
        while (!this.#isClosed) {
            const next = this.#waiting.shift();
            if (next === undefined) {
                await new Promise<void>((wake) => this.#wakes.push(wake));
                continue;
            }
            this.#size -= next[0].length + overhead;
            const datagram = this.#read(...next);
            if (datagram !== undefined) yield datagram;
        }
    }
    #read(bytes: Uint8Array, from: RemoteInfo): Datagram<Value> | undefined {
        try {
            return { value: decodeWith(bytes, this.#options), address: from.address, port: from.port };
        } catch (error) {
            this.#options.report?.(error, from);
            return undefined;
        }
    }
    /** Sends a value. Errors: too_large (for a datagram), those of `encode`, the system's own. */
    async send(value: Encodable, port: number, address = "127.0.0.1"): Promise<void> {
        const packet = encodeWith(value, this.#options);
        if (packet.length > largest) throw failed("too_large", `no datagram holds ${packet.length} bytes`);
        await new Promise<void>((go, stumble) => this.#socket.send(packet, port, address, (error) => (error ? stumble(error) : go())));
    }
    /** Closes the socket; loops end. Later calls do nothing. */
    close(): void {
        if (this.#isClosed) return;
        this.#end();
        try {
            this.#socket.close();
        } catch {
            // Its owner has closed it, and gets the event later.
        }
    }
}
