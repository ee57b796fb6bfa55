// Features of browsers: WebSockets, Blobs and streams, the modules one by one.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";
import { overWebSocket } from "gdvar/websocket";
import { findChromium, launch, serve } from "./chromium.mjs";
import { source } from "./support.mjs";

const [importMap] = /<script type="importmap">.*?<\/script>/s.exec(readFileSync(`${source}/docs/javascript.md`, "utf8"));
const page = `<!doctype html><title>gdvar</title>${importMap}`;

/** Does `work` in a page, which gets `argument`. Gives what it gives, and the paths that were asked for. */
async function inPage(work, argument) {
    const server = await serve({ "/index.html": page, "/gdvar/": fileURLToPath(new URL("../dist", import.meta.url)) });
    const browser = await launch();
    try {
        const shown = await browser.newPage();
        await shown.goto(`${server.url}/index.html`);
        return { given: await shown.evaluate(work, argument), requests: server.requests };
    } finally {
        await browser.close();
        await server.close();
    }
}

test("in Chromium", { skip: findChromium() ? false : "there is no Chromium" }, async (t) => {
    await t.test("records of Blobs and streams", async () => {
        const { given, requests } = await inPage(async () => {
            const { encode, frame, records } = await import("gdvar");
            const record = encode({ data: new Uint8Array(100_000) });
            const bytes = new Uint8Array(await new Blob(Array.from({ length: 300 }, () => frame(record))).arrayBuffer());
            const count = async (from, options) => {
                let [seen, last] = [0, 0];
                for await (const { packet, offset } of records(from, options)) {
                    if (packet.length !== record.length) throw new Error(`${packet.length}`);
                    ++seen;
                    last = offset;
                }
                return [seen, last + record.length];
            };
            const noIterator = new Response(bytes).body;
            Object.defineProperty(noIterator, Symbol.asyncIterator, { value: undefined });
            const sources = [new File([bytes], "a.save"), new Blob([new Uint8Array(9), bytes]), new Response(bytes).body, { getReader: () => noIterator.getReader() }];
            const found = [];
            for (const [i, from] of sources.entries()) found.push(await count(from, i === 1 ? { skip: 9 } : {}));
            const cut = await count(new Blob([bytes.subarray(0, -1)])).catch(({ code, offset }) => [code, offset]);
            return { found, cut, size: bytes.length, record: record.length };
        });
        const { found, cut, size, record } = given;
        assert.deepEqual(found, [[300, size], [300, size + 9], [300, size], [300, size]]);
        assert.deepEqual(cut, ["truncated", size - record - 4]);
        assert.deepEqual(requests.filter((path) => path.endsWith(".wasm")), ["/gdvar/gdvar-core.wasm"]);
    });

    await t.test("gdvar/tools, with its module alone", async () => {
        const { given, requests } = await inPage(async () => {
            const { unwrap, varToStr, wrap } = await import("gdvar/tools");
            const layers = ["gdec-4", "gcpf-zstd"];
            const outer = wrap(new Uint8Array(5000), layers, { password: "p" });
            const { bytes, layers: found } = unwrap(outer, { password: "p" });
            return [varToStr([1, 2.5]), bytes.length, found];
        });
        assert.deepEqual(given, ["[1, 2.5]", 5000, ["gdec-4", "gcpf-zstd"]]);
        assert.deepEqual(requests.filter((path) => path.endsWith(".wasm")).sort(), ["/gdvar/gdvar-core.wasm", "/gdvar/gdvar-tools.wasm"]);
    });

    await t.test("values over a browser's WebSocket", async () => {
        const web = new WebSocketServer({ port: 0, host: "127.0.0.1" });
        await once(web, "listening");
        const errors = [];
        web.on("connection", async (socket, { url }) => {
            const connection = overWebSocket(socket, { maxPacket: 300_000 });
            try {
                if (url === "/flood") for (let i = 0; i < 3000; ++i) await connection.send(new Uint8Array(1000));
                for await (const value of connection) await connection.send(value);
            } catch (error) {
                errors.push(error.code);
            }
            await connection.close();
        });
        try {
            const { given } = await inPage(async (url) => {
                const { overWebSocket } = await import("gdvar/websocket");
                const open = async (path, options) => {
                    const socket = new WebSocket(url + path);
                    await new Promise((go, fail) => ((socket.onopen = go), (socket.onerror = fail)));
                    return overWebSocket(socket, { plain: true, ...options });
                };
                const client = await open("/");
                const sent = [{ hp: 7 }, "x".repeat(200_000), [1, null]];
                const back = [];
                for (const value of sent) {
                    await client.send(value);
                    back.push(await client.get());
                }
                const same = JSON.stringify(sent) === JSON.stringify(back);
                await client.close();
                const ended = await client.packet();
                const flooded = await open("/flood", { maxQueued: 10_000 });
                const error = await flooded.closed;
                const late = await open("/", { idleTimeout: 100 });
                const silent = await late.get().catch(({ code }) => code);
                const long = await open("/");
                // The server may end the connection while the value is still on its way.
                const sending = long.send("x".repeat(400_000)).then(() => long.get());
                const refused = await sending.catch(({ code }) => code);
                return [same, ended === undefined, error?.code, silent, refused];
            }, `ws://127.0.0.1:${web.address().port}`);
            assert.deepEqual(given, [true, true, "size_limit", "timed_out", "closed"]);
            assert.ok(errors.includes("size_limit"), errors.join());
        } finally {
            web.close();
        }
    });
});
