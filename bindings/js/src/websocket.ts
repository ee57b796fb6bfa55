// Values over WebSockets: a browser's, or those of the package `ws`. Each message is a packet, as WebSocketPeer sends it.
import { after, Connection, CONNECTION_NAMES, failed, settingsOf, type ConnectionOptions, type Settings, type Transport } from "./connection.js";
import type { ShapesOf } from "./decode.js";
import { isArrayBuffer } from "./realm.js";
import type { Variant } from "./variant.js";

/** The used part of a WebSocket. Those of `ws` can pause, too. */
export interface WebSocketLike {
    binaryType: string;
    readonly readyState: number;
    readonly bufferedAmount: number;
    send(data: Uint8Array<ArrayBuffer>): void;
    close(code?: number, reason?: string): void;
    addEventListener(type: "message", use: (event: { data: any }) => void): void;
    addEventListener(type: "close" | "error" | "open", use: (event: any) => void): void;
    pause?(): void;
    resume?(): void;
    terminate?(): void;
}

const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 3;
const tooMuch = 1009;
/** The cost of a queued message besides its bytes. */
const overhead = 64;
/** A socket that can't pause may queue this multiple of `maxQueued`. */
const patience = 64;
const lingering = 2000;

class WebSocketTransport implements Transport {
    readonly packets: AsyncGenerator<Uint8Array, void, undefined>;
    readonly closed: Promise<Error | undefined>;
    readonly #socket: WebSocketLike;
    readonly #settings: Settings;
    #waiting: Uint8Array[] = [];
    #size = 0;
    /** Packets for a socket that still connects, their bytes, and the end of waiting for it. */
    #early: Uint8Array<ArrayBuffer>[] = [];
    #earlySize = 0;
    readonly #connected: Promise<void>;
    #connect: () => void = () => undefined;
    #error: Error | undefined = undefined;
    #isClosed = false;
    #isClosing = false;
    #wake: () => void = () => undefined;
    /** Ends all waiting. */
    #settle: () => void = () => undefined;

    constructor(socket: WebSocketLike, settings: Settings) {
        this.#socket = socket;
        this.#settings = settings;
        socket.binaryType = "arraybuffer";
        socket.addEventListener("message", ({ data }) => this.#take(data));
        this.#connected = new Promise((go) => (this.#connect = go));
        this.closed = new Promise((tell) => {
            this.#settle = () => {
                if (this.#takeEarly().length > 0) this.#error ??= failed("closed", "the WebSocket did not open: what waited was not sent");
                this.#isClosed = true;
                this.#connect();
                this.#wake();
                tell(this.#error);
            };
            if (socket.readyState === CLOSED) return this.#settle();
            socket.addEventListener("error", (event) => (this.#error ??= event?.error ?? failed("closed", "the WebSocket has failed")));
            socket.addEventListener("close", this.#settle);
        });
        socket.addEventListener("open", () => {
            for (const packet of this.#takeEarly()) socket.send(packet);
            this.#connect();
        });
        this.packets = this.#read();
    }
    #takeEarly(): Uint8Array<ArrayBuffer>[] {
        const early = this.#early;
        this.#early = [];
        this.#earlySize = 0;
        return early;
    }
    #take(data: unknown): void {
        if (this.#error !== undefined) return;
        if (!isArrayBuffer(data)) return this.#refuse(1003, failed("bad_packet", "a text message is not a packet"));
        const { maxPacket, maxQueued } = this.#settings;
        if (data.byteLength > maxPacket) {
            return this.#refuse(tooMuch, failed("size_limit", `a message has ${data.byteLength} bytes, more than ${maxPacket}`));
        }
        this.#waiting.push(new Uint8Array(data));
        this.#size += data.byteLength + overhead;
        const canPause = this.#socket.pause !== undefined;
        if (this.#size > maxQueued) this.#socket.pause?.();
        if (!canPause && this.#size > patience * maxQueued) this.#refuse(tooMuch, failed("size_limit", "too many messages wait to be read"));
        this.#wake();
    }
    #refuse(code: number, error: Error): void {
        this.#error ??= error;
        const socket = this.#socket;
        // Browsers refuse codes below 3000 except 1000: there 1009 is sent as 4009, from the range for applications.
        socket.close(socket.terminate === undefined ? code + 3000 : code, error.message.slice(0, 100));
        this.#endSoon();
        this.#wake();
    }
    /** Limits the wait for a peer that does not answer. */
    #endSoon(): void {
        const stop = after(lingering, () => {
            this.#socket.terminate?.();
            if (this.#socket.terminate === undefined) this.#settle();
        });
        void this.closed.then(stop);
    }
    async *#read(): AsyncGenerator<Uint8Array, void, undefined> {
        const { idleTimeout } = this.#settings;
        const late = () => this.#refuse(1001, failed("timed_out", `the peer has sent no packet for ${idleTimeout} ms`));
        for (;;) {
            while (this.#waiting.length > 0) {
                // Takes the queue as a whole: shifting one at a time would take long.
                const packets = this.#waiting;
                this.#waiting = [];
                for (const packet of packets) {
                    this.#size -= packet.length + overhead;
                    yield packet;
                }
            }
            if (this.#error !== undefined) throw this.#error;
            if (this.#isClosed) return;
            this.#socket.resume?.();
            const stop = after(idleTimeout, late);
            await new Promise<void>((wake) => (this.#wake = wake));
            stop();
        }
    }
    write(packet: Uint8Array): void {
        // Other listeners of "open" may send before what waits.
        if (this.#socket.readyState === CONNECTING || this.#early.length > 0) {
            // `slice` of a Buffer copies nothing.
            this.#early.push(new Uint8Array(packet));
            this.#earlySize += packet.length;
        } else this.#socket.send(packet as Uint8Array<ArrayBuffer>);
    }
    get queued(): number {
        return this.#socket.bufferedAmount + this.#earlySize;
    }
    async drained(): Promise<void> {
        // There is no event for it.
        while (!this.isClosed && this.queued > this.#settings.maxQueued) await new Promise((go) => setTimeout(go, 10));
    }
    get isClosed(): boolean {
        return this.#isClosed || this.#isClosing || this.#error !== undefined || this.#socket.readyState > OPEN;
    }
    async close(error?: Error): Promise<void> {
        if (error !== undefined) this.#refuse(1001, error);
        else if (!this.#isClosed) {
            this.#isClosing = true;
            // Before it is open, it would close without what waits.
            if (this.#early.length > 0) {
                const stop = after(lingering, this.#connect);
                await this.#connected;
                stop();
            }
            this.#socket.close(1000);
            this.#socket.resume?.();
            this.#endSoon();
        }
        await this.closed;
    }
}

/**
 * Values over a WebSocket: a browser's, or one of `ws`. While it connects, what is sent waits. Give `ws` itself a `maxPayload`, too: it assembles messages
 * before they get here.
 */
export function overWebSocket<Value = Variant>(socket: WebSocketLike, options?: ConnectionOptions & ShapesOf<Value>): Connection<Value> {
    const settings = settingsOf(options ?? {}, CONNECTION_NAMES);
    return new Connection(new WebSocketTransport(socket, settings), settings);
}
