// Connections in Node, on 127.0.0.1, with peers that mean no good.
import assert from "node:assert/strict";
import dgram from "node:dgram";
import { once } from "node:events";
import net from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { test } from "node:test";
import { WebSocket, WebSocketServer } from "ws";
import { decode, encode, frame, GdvarError, Vector2 } from "gdvar";
import { connect, createServer, Datagrams, overStream, overWebSocket } from "gdvar/node";

const echo = async (connection) => {
    for await (const value of connection) await connection.send(value);
};
/** A server for as long as `work`. Its errors are in `errors`. */
async function serving(handler, options, work) {
    const errors = [];
    const server = createServer(handler, { report: (error) => errors.push(error), ...options });
    const port = await server.listen(0);
    try {
        return await work(port, errors, server);
    } finally {
        await server.close();
    }
}
/** A peer without gdvar, that sends what it likes. */
async function raw(port, options = {}) {
    const socket = net.connect({ port, host: "127.0.0.1", ...options });
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
}
/** Waits for "close", and gives its arguments. `once` would throw if the connection is reset. */
const closed = (socket) => new Promise((tell) => socket.once("close", (...given) => tell(given)));
const closing = async (socket) => socket.closed || (socket.resume(), await closed(socket));
const codes = (errors) => errors.map(({ code }) => code);

test("values there and back, on many connections at once", async () => {
    for (const bigEndian of [false, true]) {
        await serving(echo, { bigEndian, dictionaries: "object" }, async (port) => {
            const clients = await Promise.all(Array.from({ length: 30 }, () => connect({ port, bigEndian, dictionaries: "object" })));
            await Promise.all(clients.map(async (client, id) => {
                const sent = Array.from({ length: 50 }, (_, i) => ({ id, i, at: new Vector2(i, 0.5), text: "x".repeat(i * 10) }));
                for (const value of sent) await client.send(value);
                for (const value of sent) assert.deepEqual(await client.get(), value);
                assert.match(client.peer, /^127\.0\.0\.1:\d+$/);
                await client.close();
            }));
        });
    }
});

test("a stream that is cut anywhere, and several packets in one piece", async () => {
    await serving(echo, {}, async (port) => {
        const socket = await raw(port, { noDelay: true });
        const bytes = Buffer.concat([frame(encode("one")), frame(encode(2))]);
        for (const byte of bytes) {
            socket.write(Buffer.from([byte]));
            await wait(1);
        }
        socket.write(Buffer.concat([bytes, bytes]));
        let came = Buffer.alloc(0);
        for await (const piece of socket) {
            came = Buffer.concat([came, piece]);
            if (came.length >= 3 * bytes.length) break;
        }
        assert.equal(came.toString("hex"), Buffer.concat([bytes, bytes, bytes]).toString("hex"));
    });
});

test("a packet that is no value ends no connection, but a handler that does not take it", async () => {
    const patient = async (connection) => {
        for (;;) {
            try {
                for await (const value of connection) await connection.send(value);
                return;
            } catch (error) {
                if (!(error instanceof GdvarError) || error.code === "closed") throw error;
                await connection.send(error.code);
            }
        }
    };
    const deep = Array.from({ length: 100 }).reduce((inner) => [inner], 1);
    const bad = [Buffer.from([99, 0, 0, 0]), encode("text").slice(0, -4), encode(deep), Buffer.alloc(0)];
    await serving(patient, {}, async (port) => {
        const client = await connect({ port });
        for (const packet of bad) {
            await client.sendPacket(packet);
            assert.equal(await client.get(), (await rejection(() => decode(packet, { limits: { depth: 64 } }))).code);
        }
        await client.send("still there");
        assert.equal(await client.get(), "still there");
        await client.close();
    });
    await serving(echo, {}, async (port, errors) => {
        const client = await connect({ port });
        await client.sendPacket(bad[0]);
        await assert.rejects(client.get(), { code: "closed" });
        assert.deepEqual(codes(errors), ["unknown_type"]);
        await assert.rejects(async () => {
            for (;;) await client.send(1);
        }, (error) => error.code === "closed" || error.syscall === "write");
    });
});
async function rejection(work) {
    try {
        await work();
    } catch (error) {
        return error;
    }
    return assert.fail("nothing was refused");
}

test("a length that is too long ends the connection before the bytes come", async () => {
    await serving(echo, { maxPacket: 1000 }, async (port, errors) => {
        for (const length of [1001, 0xffffffff]) {
            const socket = await raw(port);
            const head = Buffer.alloc(4);
            head.writeUInt32LE(length);
            socket.write(head);
            await closing(socket);
        }
        assert.deepEqual(codes(errors), ["size_limit", "bad_length"]);
        const client = await connect({ port });
        await client.send("x".repeat(900));
        assert.equal((await client.get()).length, 900);
        await client.close();
    });
});

// A busy machine may stop this process for a while, so the timeouts are much longer than the waits.
test("a peer that sends a byte now and then is not waited for", async () => {
    const idleTimeout = 3000;
    await serving(echo, { idleTimeout }, async (port, errors) => {
        const begun = Date.now();
        const [slow, silent, busy] = [await raw(port), await raw(port), await connect({ port })];
        // The length says 65,536 bytes, of which some 150 come.
        slow.write(Buffer.from([0, 0, 1, 0]));
        const drip = setInterval(() => slow.write("x"), 20);
        const work = async () => {
            for (let i = 0; Date.now() - begun < idleTimeout + 500; ++i, await wait(50)) {
                await busy.send(i);
                assert.equal(await busy.get(), i);
            }
        };
        try {
            await Promise.all([closing(slow), closing(silent), work()]);
        } finally {
            clearInterval(drip);
        }
        assert.ok(Date.now() - begun >= idleTimeout, `${Date.now() - begun}`);
        await busy.close();
        assert.deepEqual(codes(errors), ["timed_out", "timed_out"]);
    });
});

test("a program that is busy itself for longer than the timeout still takes what came in time", async () => {
    const idleTimeout = 300;
    const exchange = async (client) => {
        for (let i = 0; i < 3; ++i) {
            await client.send(i);
            for (const begun = Date.now(); Date.now() - begun < idleTimeout + 100; );
            assert.equal(await client.get(), i);
        }
        await client.close();
    };
    await serving(echo, { idleTimeout }, async (port, errors) => {
        await exchange(await connect({ port }));
        assert.deepEqual(errors, []);
    });
    await servingWeb(echo, { idleTimeout }, async (port, errors) => {
        await exchange(overWebSocket(await web(port)));
        assert.deepEqual(errors, []);
    });
});

test("a peer that does not read is not waited for, and takes no memory", async () => {
    const value = new Uint8Array(50_000);
    let most = 0;
    const flood = async (connection) => {
        for (;;) {
            await connection.send(value);
            most = Math.max(most, connection.queued);
        }
    };
    await serving(flood, { idleTimeout: 200, maxQueued: 100_000 }, async (port, errors) => {
        const socket = await raw(port);
        socket.pause();
        while (errors.length === 0) await wait(20);
        assert.deepEqual(codes(errors), ["timed_out"]);
        assert.ok(most > 0 && most <= 200_000, `${most}`);
        socket.destroy();
    });
});

test("a peer that reads slowly is waited for, however long a packet takes", async () => {
    const value = new Uint8Array(20_000_000).fill(7);
    const push = async (connection) => {
        await connection.send(value);
        await connection.send("after");
    };
    const idleTimeout = 2000;
    await serving(push, { idleTimeout, plain: true }, async (port, errors) => {
        const socket = await raw(port);
        const [long, short] = [frame(encode(value)), frame(encode("after"))];
        const begun = Date.now();
        let size = 0;
        let last = Buffer.alloc(0);
        for await (const piece of socket) {
            size += piece.length;
            last = Buffer.concat([last, piece]).subarray(-short.length);
            // Until it has taken longer than the timeout.
            if (Date.now() - begun < idleTimeout + 500) await wait(20);
        }
        assert.equal(size, long.length + short.length);
        assert.equal(last.toString("hex"), Buffer.from(short).toString("hex"));
        assert.ok(Date.now() - begun > idleTimeout);
        assert.deepEqual(errors, []);
    });
});

test("a peer that floods a handler that is busy stops by itself", async () => {
    let seen = 0;
    let go;
    const held = new Promise((resolve) => (go = resolve));
    const slow = async (connection) => {
        for await (const _ of connection) {
            ++seen;
            await held;
        }
    };
    await serving(slow, {}, async (port, errors, server) => {
        const socket = await raw(port);
        const bytes = frame(encode(new Uint8Array(30_000)));
        let sent = 0;
        const writing = setInterval(() => {
            while (socket.writableLength < 100_000 && !socket.destroyed) {
                socket.write(bytes);
                sent += bytes.length;
            }
        }, 1);
        let before;
        do {
            before = sent;
            await wait(100);
        } while (sent !== before);
        clearInterval(writing);
        assert.equal(seen, 1);
        // The size of the system's own buffers, and no more.
        assert.ok(sent < 30e6, `${sent}`);
        assert.equal(server.connections.size, 1);
        go();
        socket.end();
        await closing(socket);
        assert.equal(seen, sent / bytes.length);
        assert.deepEqual(errors, []);
    });
});

test("a peer that closes one direction, or breaks off inside a packet", async () => {
    const seen = [];
    const slow = async (connection) => {
        for await (const value of connection) seen.push(value);
        await connection.send("the end");
    };
    await serving(slow, {}, async (port, errors) => {
        const half = await raw(port, { allowHalfOpen: true });
        half.end(frame(encode(7)));
        let answer = Buffer.alloc(0);
        for await (const piece of half) answer = Buffer.concat([answer, piece]);
        assert.deepEqual(seen, [7]);
        assert.equal(answer.toString("hex"), Buffer.from(frame(encode("the end"))).toString("hex"));
        const cut = await raw(port);
        cut.end(frame(encode("text")).subarray(0, 7));
        await closing(cut);
        const reset = await raw(port);
        reset.resetAndDestroy();
        while (errors.length < 2) await wait(10);
        assert.deepEqual(codes(errors).sort(), ["ECONNRESET", "truncated"]);
    });
});

test("more than the most connections are closed, and the server goes on", async () => {
    await serving(echo, { maxConnections: 5 }, async (port, errors, server) => {
        const clients = await Promise.all(Array.from({ length: 5 }, () => connect({ port })));
        await clients[0].send(0);
        await clients[0].get();
        const more = await Promise.all(Array.from({ length: 20 }, () => raw(port)));
        await Promise.all(more.map(closing));
        assert.equal(server.connections.size, 5);
        await clients[0].close();
        while (server.connections.size === 5) await wait(5);
        const late = await connect({ port });
        await late.send("room");
        assert.equal(await late.get(), "room");
        assert.deepEqual(errors, []);
    });
});

test("a handler that fails is told, with its connection, and those that wait when all is closed end", async () => {
    const seen = [];
    const broken = async () => {
        throw new RangeError("a mistake");
    };
    await serving(broken, { report: (error, connection) => seen.push([error.message, connection.peer]) }, async (port) => {
        const client = await connect({ port });
        await assert.rejects(client.get(), { code: "closed" });
        assert.equal(seen[0][0], "a mistake");
        assert.equal(await client.closed, undefined);
    });
    const refused = async (connection) => connection.send({ bad: undefined });
    await serving(refused, {}, async (port, errors) => {
        await (await connect({ port })).closed;
        assert.equal(errors[0].path, "$.bad");
    });
    let isEnded = false;
    const waiting = async (connection) => {
        for await (const _ of connection);
        isEnded = true;
    };
    await serving(waiting, {}, async (port, errors, server) => {
        const client = await connect({ port });
        while (server.connections.size === 0) await wait(5);
        await server.close();
        assert.equal(isEnded, true);
        assert.deepEqual(errors, []);
        assert.equal(await client.packet(), undefined);
        await assert.rejects(() => connect({ port }), { code: "ECONNREFUSED" });
    });
    await assert.rejects(() => connect({ port: 1, idleTimeout: -1 }), { code: "bad_option" });
});

test("the end of what was sent comes before the connection is closed, even if the peer sends on", async () => {
    const answer = async (connection) => connection.send("x".repeat(200_000));
    await serving(answer, {}, async (port) => {
        const socket = await raw(port);
        for (let i = 0; i < 50; ++i) socket.write(frame(encode("unasked")));
        let size = 0;
        for await (const piece of socket) size += piece.length;
        assert.equal(size, frame(encode("x".repeat(200_000))).length);
    });
});

/** A server of `ws` for as long as `work`. */
async function servingWeb(handler, options, work) {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    const errors = [];
    const handled = [];
    server.on("connection", (socket) => handled.push((async () => {
        const connection = overWebSocket(socket, options);
        try {
            await handler(connection);
        } catch (error) {
            errors.push(error);
        } finally {
            await connection.close();
        }
    })()));
    await once(server, "listening");
    try {
        await work(server.address().port, errors);
    } finally {
        for (const client of server.clients) client.terminate();
        await Promise.all(handled);
        server.close();
    }
}
async function web(port) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    socket.on("error", () => undefined);
    await once(socket, "open");
    return socket;
}

test("values over WebSockets", async () => {
    await servingWeb(echo, { dictionaries: "object" }, async (port, errors) => {
        const client = overWebSocket(await web(port), { dictionaries: "object" });
        for (const value of [1, { at: new Vector2(1, 2) }, "x".repeat(100_000), null]) {
            await client.send(value);
            assert.deepEqual(await client.get(), value);
        }
        await client.close();
        await assert.rejects(client.send(1), { code: "closed" });
        assert.equal(await client.packet(), undefined);
        assert.deepEqual(errors, []);
    });
});

test("a WebSocket that still connects: what is sent waits", async () => {
    await servingWeb(echo, {}, async (port, errors) => {
        const client = overWebSocket(new WebSocket(`ws://127.0.0.1:${port}`), { maxQueued: 10 });
        const changed = Buffer.of(2, 0, 0, 0, 7, 0, 0, 0);
        const sent = [client.sendPacket(changed), client.send("two"), client.send("x".repeat(1000))];
        changed[4] = 8;
        assert.ok(client.queued > 1000);
        assert.deepEqual([await client.get(), await client.get(), (await client.get()).length], [7, "two", 1000]);
        await Promise.all(sent);
        await client.close();
        assert.deepEqual(errors, []);
    });
    // Closed at once, it sends what waits.
    const got = [];
    await servingWeb(async (connection) => { for await (const value of connection) got.push(value); }, {}, async (port) => {
        const short = overWebSocket(new WebSocket(`ws://127.0.0.1:${port}`));
        await short.send("only this");
        await short.close();
        await assert.rejects(short.send(1), { code: "closed" });
    });
    assert.deepEqual(got, ["only this"]);
    // Nobody is there.
    const nobody = overWebSocket(new WebSocket("ws://127.0.0.1:1"), { maxQueued: 10 });
    await assert.rejects(nobody.send("x".repeat(100)));
    await assert.rejects(nobody.get());
    assert.ok((await nobody.closed) instanceof Error);
    await assert.rejects(nobody.send(1), { code: "closed" });
});

/** The events and fields of a WebSocket, without a network. */
class FakeSocket extends EventTarget {
    readyState = 0;
    bufferedAmount = 0;
    sent = [];
    send(packet) {
        this.sent.push(decode(Uint8Array.from(packet)));
    }
    open() {
        this.readyState = 1;
        this.dispatchEvent(new Event("open"));
    }
    close() {
        this.readyState = 3;
        queueMicrotask(() => this.dispatchEvent(new Event("close")));
    }
}

test("a WebSocket that still connects: order, closing, and what is lost", async () => {
    const socket = new FakeSocket();
    let client = overWebSocket(socket);
    await client.send("first");
    assert.deepEqual(socket.sent, []);
    const closing = client.close();
    await assert.rejects(client.send("late"), { code: "closed" });
    socket.open();
    await closing;
    assert.deepEqual(socket.sent, ["first"]);
    // A listener that was there before sends behind what waits.
    const other = new FakeSocket();
    other.addEventListener("open", () => void client.send("second"));
    client = overWebSocket(other);
    await client.send("first");
    other.open();
    await client.send("third");
    assert.deepEqual(other.sent, ["first", "second", "third"]);
    assert.equal(client.queued, 0);
    // A message that waits is lost if the socket never opens, whoever closes it.
    for (const close of [(socket) => socket.close(), (_, client) => client.close()]) {
        const silent = new FakeSocket();
        const lost = overWebSocket(silent);
        await lost.send("lost");
        assert.ok(lost.queued > 0);
        await close(silent, lost);
        const error = await lost.closed;
        assert.deepEqual([error.code, lost.queued, silent.sent], ["closed", 0, []]);
        await assert.rejects(lost.get(), { code: "closed" });
    }
});

test("a WebSocket that opened keeps no timer", async (t) => {
    const { setTimeout, clearTimeout } = globalThis;
    const timers = new Set();
    t.mock.method(globalThis, "setTimeout", (...given) => {
        const timer = setTimeout(...given);
        timers.add(timer);
        return timer;
    });
    t.mock.method(globalThis, "clearTimeout", (timer) => {
        timers.delete(timer);
        clearTimeout(timer);
    });
    const socket = new FakeSocket();
    const client = overWebSocket(socket);
    await client.send(1);
    const closing = client.close();
    assert.equal(timers.size, 1);
    socket.open();
    await closing;
    assert.equal(timers.size, 0);
});

test("WebSockets: text, messages that are too long, silence, a flood", async () => {
    /** The code that a socket is closed with. */
    const ended = async (port, use = () => undefined) => {
        const socket = await web(port);
        const end = closed(socket);
        use(socket);
        return (await end)[0];
    };
    await servingWeb(echo, { maxPacket: 1000 }, async (port, errors) => {
        assert.equal(await ended(port, (socket) => socket.send("hello")), 1003);
        assert.equal(await ended(port, (socket) => socket.send(Buffer.alloc(1001))), 1009);
        assert.deepEqual(codes(errors), ["bad_packet", "size_limit"]);
    });
    await servingWeb(echo, { idleTimeout: 200 }, async (port, errors) => {
        assert.equal(await ended(port), 1001);
        assert.deepEqual(codes(errors), ["timed_out"]);
    });
    let go;
    const held = new Promise((resolve) => (go = resolve));
    let seen = 0;
    const slow = async (connection) => {
        for await (const _ of connection) {
            ++seen;
            await held;
        }
    };
    await servingWeb(slow, { maxQueued: 50_000 }, async (port, errors) => {
        const socket = await web(port);
        const packet = encode(new Uint8Array(20_000));
        let sent = 0;
        const writing = setInterval(() => {
            for (; socket.bufferedAmount < 100_000; ++sent) socket.send(packet);
        }, 1);
        let before;
        do {
            before = sent;
            await wait(100);
        } while (sent !== before);
        clearInterval(writing);
        assert.equal(seen, 1);
        assert.ok(sent * packet.length < 30e6, `${sent}`);
        go();
        while (seen !== sent) await wait(10);
        assert.deepEqual(errors, []);
        socket.close();
    });
});

test("a WebSocket of a browser, which can't pause, is closed when too much waits", async () => {
    await servingWeb(async (connection) => {
        for (let i = 0; i < 2000; ++i) await connection.send(new Uint8Array(1000));
        await connection.packet();
    }, {}, async (port) => {
        const socket = await web(port);
        socket.pause = socket.resume = socket.terminate = undefined;
        const client = overWebSocket(socket, { maxQueued: 10_000 });
        assert.equal((await client.closed).code, "size_limit");
        await assert.rejects(async () => {
            for await (const _ of client);
        }, { code: "size_limit" });
    });
});

test("values in datagrams", async () => {
    const refused = [];
    const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
    await once(socket, "listening");
    const server = new Datagrams(socket, { maxQueued: 5000, dictionaries: "object", report: (error, from) => refused.push([error.code, from.address]) });
    const { port } = socket.address();
    const peer = dgram.createSocket("udp4").bind(0, "127.0.0.1");
    await once(peer, "listening");
    const client = new Datagrams(peer, { dictionaries: "object" });
    const serve = (async () => {
        for await (const { value, port: from, address } of server) await server.send({ answer: value }, from, address);
    })();
    await client.send({ at: new Vector2(1, 2) }, port);
    for await (const { value, address, port: from } of client) {
        assert.deepEqual([value, address, from], [{ answer: { at: new Vector2(1, 2) } }, "127.0.0.1", port]);
        break;
    }
    peer.send(Buffer.from([99, 0, 0, 0]), port, "127.0.0.1");
    peer.send(encode("text").subarray(0, 7), port, "127.0.0.1");
    await client.send("after", port);
    for await (const { value } of client) {
        assert.deepEqual(value, { answer: "after" });
        break;
    }
    assert.deepEqual(refused, [["unknown_type", "127.0.0.1"], ["truncated", "127.0.0.1"]]);
    await assert.rejects(client.send("x".repeat(70_000), port), { code: "too_large" });
    // Nobody iterates: what does not fit is dropped, and told.
    server.close();
    await serve;
    client.close();
});

test("datagrams that nobody takes are dropped", async () => {
    const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
    await once(socket, "listening");
    const dropped = [];
    const server = new Datagrams(socket, { maxQueued: 5000, report: (error) => dropped.push(error.code) });
    const peer = dgram.createSocket("udp4");
    const bytes = encode(new Uint8Array(500));
    let sent = 0;
    while (dropped.length < 20 && sent < 2000) {
        await new Promise((go) => peer.send(bytes, socket.address().port, "127.0.0.1", go));
        if (++sent % 10 === 0) await wait(1);
    }
    assert.ok(dropped.length >= 20 && dropped.every((code) => code === "size_limit"));
    let seen = 0;
    for await (const { value } of server) {
        assert.equal(value.length, 500);
        if (++seen === 5) break;
    }
    server.close();
    peer.close();
});

test("a connection over what is closed already is closed", { timeout: 20_000 }, async () => {
    const server = net.createServer((socket) => socket.end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = net.connect(server.address().port, "127.0.0.1");
    socket.resume();
    await once(socket, "close");
    const connection = overStream(socket);
    assert.equal(await connection.closed, undefined);
    await connection.close();
    server.close();
    // Also one that never tells.
    for (const readyState of [1, 3]) {
        const silent = { binaryType: "", readyState, bufferedAmount: 0, send() {}, close() {}, addEventListener() {} };
        const over = overWebSocket(silent);
        await over.close();
        await assert.rejects(over.get(), { code: "closed" });
    }
});
