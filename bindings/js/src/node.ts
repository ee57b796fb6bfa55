// Values to and from Godot in Node: StreamPeer.put_var over TCP, and datagrams.
import net from "node:net";
import type { Duplex } from "node:stream";
import { after, Connection, CONNECTION_NAMES, failed, settingsOf, type ConnectionOptions, type Settings, type Transport } from "./connection.js";
import { core } from "./core.js";
import type { ShapesOf } from "./decode.js";
import { GdvarError } from "./errors.js";
import { checkedLimit, type Names } from "./options.js";
import { frame, StreamFramer, type FrameOptions } from "./packets.js";
import type { Variant } from "./variant.js";

export { Connection, type ConnectionOptions } from "./connection.js";
export { Datagrams, type Datagram, type DatagramOptions } from "./datagrams.js";
export { overWebSocket, type WebSocketLike } from "./websocket.js";

/** On a stream, packets follow their length; `bigEndian` is that of the StreamPeer. */
export type StreamOptions = ConnectionOptions & Pick<FrameOptions, "bigEndian">;
const STREAM_NAMES: Names<StreamOptions> = { ...CONNECTION_NAMES, bigEndian: true };

/** Milliseconds to wait for the end of sending. */
const lingering = 2000;
/** A stream reports only that everything written was sent: it gets so many bytes at a time. */
const PIECE = 64 << 10;

class StreamTransport implements Transport {
    readonly packets: AsyncGenerator<Uint8Array, void, undefined>;
    readonly closed: Promise<Error | undefined>;
    readonly #stream: Duplex;
    readonly #bigEndian: boolean;
    #isClosing = false;
    /** Bytes not passed to the stream yet, from `#first` on. */
    #pieces: Uint8Array[] = [];
    #first = 0;
    #piecesSize = 0;
    #isSending = false;
    #isEnding = false;
    #wakes: (() => void)[] = [];

    constructor(stream: Duplex, settings: Settings & StreamOptions) {
        this.#stream = stream;
        this.#bigEndian = settings.bigEndian ?? false;
        let error: Error | undefined;
        this.closed = new Promise((tell) => {
            stream.on("error", (reason) => (error ??= reason));
            if (stream.closed) tell(stream.errored ?? undefined);
            else stream.once("close", () => tell(error));
        });
        stream.on("drain", () => this.#wake()).on("close", () => this.#wake());
        this.packets = this.#read(settings);
    }
    async *#read({ maxPacket, idleTimeout }: Settings): AsyncGenerator<Uint8Array, void, undefined> {
        const stream = this.#stream;
        const framer = new StreamFramer({ bigEndian: this.#bigEndian, maxPacket });
        const late = () => stream.destroy(failed("timed_out", `the peer has sent no packet for ${idleTimeout} ms`));
        let stop = after(idleTimeout, late);
        try {
            for await (const bytes of stream.iterator({ destroyOnReturn: false })) {
                for (const packet of framer.feed(bytes)) {
                    // Only waiting for the peer counts, not the work with the packet.
                    stop();
                    yield packet;
                    stop = after(idleTimeout, late);
                }
            }
            framer.finish();
        } catch (error) {
            // A break after that is the requested end.
            if (this.#isClosing) return;
            // The start of the next packet is unknown.
            stream.destroy(error as Error);
            throw error;
        } finally {
            stop();
            framer.close();
        }
    }
    write(packet: Uint8Array): void {
        const bytes = frame(packet, { bigEndian: this.#bigEndian });
        if (bytes.length <= PIECE && !this.#isSending) return void this.#stream.write(bytes);
        for (let at = 0; at < bytes.length; at += PIECE) this.#pieces.push(bytes.subarray(at, at + PIECE));
        this.#piecesSize += bytes.length;
        this.#sendMore();
    }
    #sendMore(): void {
        if (this.#isSending) return;
        const piece = this.#pieces[this.#first++];
        if (piece === undefined) {
            this.#pieces = [];
            this.#first = 0;
            if (this.#isEnding) this.#stream.end();
            return this.#wake();
        }
        this.#isSending = true;
        this.#piecesSize -= piece.length;
        this.#stream.write(piece, (error) => {
            this.#isSending = false;
            if (!error) this.#sendMore();
        });
    }
    get queued(): number {
        return this.#stream.writableLength + this.#piecesSize;
    }
    #wake(): void {
        for (const go of this.#wakes.splice(0)) go();
    }
    async drained(): Promise<void> {
        while (!this.isClosed && (this.#piecesSize > 0 || this.#stream.writableNeedDrain)) await new Promise<void>((go) => this.#wakes.push(go));
    }
    get isClosed(): boolean {
        return this.#stream.destroyed || !this.#stream.writable || this.#isEnding;
    }
    async close(error?: Error): Promise<void> {
        const stream = this.#stream;
        this.#isClosing = error === undefined;
        if (error !== undefined) stream.destroy(error);
        else if (!stream.destroyed) {
            // Later bytes are discarded: closing a socket with unread bytes would lose bytes sent to the peer.
            void this.packets.return().catch(() => undefined);
            this.#isEnding = true;
            this.#sendMore();
            stream.resume();
            const stop = after(lingering, () => stream.destroy());
            await this.closed;
            stop();
        }
        await this.closed;
    }
}

/** Values over a stream of your own: of `node:tls`, a Unix socket. */
export function overStream<Value = Variant>(stream: Duplex, options?: StreamOptions & ShapesOf<Value>): Connection<Value> {
    return over(stream, settingsOf(options ?? {}, STREAM_NAMES));
}
function over<Value>(stream: Duplex, settings: Settings & StreamOptions): Connection<Value> {
    const { remoteAddress = "", remotePort } = stream as net.Socket;
    const host = remoteAddress.includes(":") ? `[${remoteAddress}]` : remoteAddress;
    return new Connection(new StreamTransport(stream, settings), settings, remotePort === undefined ? host : `${host}:${remotePort}`);
}

/** Options of a client. */
export interface ConnectOptions extends StreamOptions {
    port: number;
    /** Default: 127.0.0.1. */
    host?: string;
    /** Milliseconds. Default: 10,000. */
    connectTimeout?: number;
}
const CONNECT_NAMES: Names<ConnectOptions> = { ...STREAM_NAMES, port: true, host: true, connectTimeout: true };
/** Connects to a StreamPeerTCP. Errors: the system's own (ECONNREFUSED, ...); timed_out. */
export async function connect<Value = Variant>(options: ConnectOptions & ShapesOf<Value>): Promise<Connection<Value>> {
    const { port, host = "127.0.0.1", connectTimeout = 10_000 } = options;
    const settings = settingsOf(options, CONNECT_NAMES);
    const socket = net.connect({ port, host, noDelay: true });
    const stop = after(connectTimeout, () => socket.destroy(failed("timed_out", `${host}:${port} did not answer in ${connectTimeout} ms`)));
    try {
        await new Promise<void>((go, stumble) => socket.once("connect", go).once("error", stumble));
    } finally {
        stop();
    }
    return over(socket, settings);
}

/** Options of a server. */
export interface ServerOptions extends StreamOptions {
    /** Further connections are closed at once. Default: 500. */
    maxConnections?: number;
    /** Called with every error that ends a handler. Without it, errors of peers are ignored, and all others are thrown. */
    report?: (error: unknown, connection: Connection) => void;
}
const SERVER_NAMES: Names<ServerOptions> = { ...STREAM_NAMES, maxConnections: true, report: true };
/** Handles a connection. When its promise is settled, the connection is closed. */
export type Handler<Value = Variant> = (connection: Connection<Value>) => Promise<void>;

/** A server for StreamPeerTCP; `createServer` makes it. */
export class Server {
    readonly #server: net.Server;
    readonly #connections = new Set<Connection>();
    readonly #report: ServerOptions["report"];

    constructor(handler: Handler, options: ServerOptions = {}) {
        const settings = settingsOf(options, SERVER_NAMES, 60_000);
        this.#report = options.report;
        // A peer that has closed its own direction still gets its answers.
        this.#server = net.createServer({ noDelay: true, allowHalfOpen: true }, (socket) => void this.#serve(over(socket, settings), handler));
        this.#server.maxConnections = checkedLimit(core.get(), "maxConnections", options.maxConnections ?? 500);
    }
    /** Port 0: any free port. Returns the port. Errors: the system's own (EADDRINUSE, ...). */
    async listen(port: number, host = "127.0.0.1"): Promise<number> {
        const server = this.#server;
        await new Promise<void>((go, stumble) => {
            server.once("error", stumble);
            server.listen(port, host, () => {
                server.off("error", stumble);
                // For errors of accepting: too many files are open. The next connection may be accepted again.
                server.on("error", () => undefined);
                go();
            });
        });
        return (server.address() as net.AddressInfo).port;
    }
    /** The open connections. */
    get connections(): ReadonlySet<Connection> {
        return this.#connections;
    }
    /** Accepts no more connections, and closes the existing ones. */
    async close(): Promise<void> {
        const closed = new Promise<void>((go) => this.#server.close(() => go()));
        await Promise.all([...this.#connections].map((connection) => connection.close()));
        await closed;
    }

    async #serve(connection: Connection, handler: Handler): Promise<void> {
        this.#connections.add(connection);
        void connection.closed.then(() => this.#connections.delete(connection));
        try {
            await handler(connection);
        } catch (error) {
            if (this.#report !== undefined) this.#report(error, connection);
            else if (!isOfPeer(error)) queueMicrotask(() => rethrow(error));
        } finally {
            await connection.close();
        }
    }
}
/** True for errors that a peer can cause: bytes that are not a packet, a broken connection. False for values that can't be written. */
function isOfPeer(error: unknown): boolean {
    if (error instanceof GdvarError) return error.kind !== "writing" && error.source !== "value";
    const { syscall, code } = Object(error) as NodeJS.ErrnoException;
    return syscall !== undefined || code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ERR_STREAM_DESTROYED";
}
function rethrow(error: unknown): never {
    throw error;
}

/** A server that calls `handler` for each connection: `await createServer(handler).listen(7777)`. */
export function createServer<Value = Variant>(handler: Handler<Value>, options?: ServerOptions & ShapesOf<Value>): Server {
    return new Server(handler as Handler, options);
}
