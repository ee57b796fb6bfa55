// Real engines on the other side, as scripts/engines installs them: tests/net/peers4.gd and peers3.gd. Skipped without them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import dgram from "node:dgram";
import { once } from "node:events";
import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import { homedir } from "node:os";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { WebSocket, WebSocketServer } from "ws";
import { decode, encode, GdvarError } from "gdvar";
import { connect, createServer, Datagrams, overWebSocket } from "gdvar/node";
import { data, hex, vectors } from "./support.mjs";

const tree = process.env.GDVAR_ENGINES || `${process.env.XDG_CACHE_HOME || `${homedir()}/.cache`}/gdvar/engines`;
const inTree = (program) => ({ root: tree, command: ["chroot", tree, program] });
const engines = [
    { name: "godot-4.6.3", dialect: "godot-4.4", values: 56, script: "peers4.gd", options: ["--headless"], ...inTree("godot") },
    { name: "godot-3.6.2", dialect: "godot-3.1", values: 38, script: "peers3.gd", options: ["--no-window"], ...inTree("godot3-server") },
    { name: "godot-3.2.3", dialect: "godot-3.1", values: 38, script: "peers3.gd", options: ["--no-window"], root: "", command: ["/usr/bin/godot3-server"] },
];
/** Why an engine can't be started here; false: it can. */
function missing({ root, command }) {
    if (root !== "" && process.geteuid() !== 0) return "only root can enter the engines' tree";
    try {
        accessSync(root === "" ? command[0] : `${root}/usr`, constants.X_OK);
        return false;
    } catch {
        return "the engine is not installed";
    }
}

/** Runs the script with a folder of its own. Returns the lines that it wrote. */
async function run({ root, command, script, options }, role, places) {
    const folder = mkdtempSync(`${root}/tmp/gdvar-live-`);
    const seen = folder.slice(root.length);
    copyFileSync(`${data}/../net/${script}`, `${folder}/script.gd`);
    const args = [role, `${seen}/out.txt`, `${seen}/no.crt`, ...(role === "server" ? [`${seen}/no.key`] : [])];
    const all = [...command.slice(1), ...options, "-s", `${seen}/script.gd`, ...(script === "peers4.gd" ? ["--"] : []), ...args];
    const given = Object.entries(places).map(([name, port]) => `${name}=${port}`);
    const process_ = spawn(command[0], [...all, ...given], { cwd: folder, env: { ...process.env, HOME: seen }, stdio: ["ignore", "pipe", "pipe"] });
    const late = setTimeout(() => process_.kill("SIGKILL"), 100_000);
    let said = "";
    for (const stream of [process_.stdout, process_.stderr]) stream.on("data", (text) => (said += text));
    try {
        await once(process_, "close");
        assert.ok(existsSync(`${folder}/out.txt`), said);
        return readFileSync(`${folder}/out.txt`, "utf8").trim().split("\n");
    } finally {
        clearTimeout(late);
        rmSync(folder, { recursive: true });
    }
}

/** Sends values back; what is refused is answered with the error's name. */
async function answer(connection) {
    for (;;) {
        let value;
        try {
            value = await connection.get();
        } catch (error) {
            if (!(error instanceof GdvarError)) throw error;
            if (error.code === "closed") return;
            value = error.code;
        }
        await connection.send(value);
    }
}

for (const engine of engines) {
    const { name, dialect, values } = engine;
    test(`${name} as a client`, { skip: missing(engine) }, async () => {
        const errors = [];
        const report = (error) => errors.push(error);
        const [little, big] = [createServer(answer, { dialect, report }), createServer(answer, { dialect, bigEndian: true, report })];
        const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
        await once(socket, "listening");
        const refused = (error, { port, address }) => void datagrams.send(error.code, port, address);
        const datagrams = new Datagrams(socket, { dialect, report: refused });
        const answering = (async () => {
            for await (const { value, port, address } of datagrams) await datagrams.send(value, port, address);
        })();
        const web = new WebSocketServer({ port: 0, host: "127.0.0.1" });
        web.on("connection", (each) => void answer(overWebSocket(each, { dialect })).catch(report));
        await once(web, "listening");
        const port = await little.listen(0);
        const places = { tcp: port, tcp_big: await big.listen(0), packets: port, udp: socket.address().port, ws: web.address().port };
        try {
            const lines = await run(engine, "client", places);
            for (const kind of Object.keys(places)) assert.ok(lines.includes(`${kind} ${values} objects_forbidden`), `${kind}\n${lines.join("\n")}`);
            assert.deepEqual(errors, []);
        } finally {
            await Promise.all([little.close(), big.close()]);
            datagrams.close();
            await answering;
            web.close();
        }
    });

    test(`${name} as a server`, { skip: missing(engine) }, async () => {
        // Not Objects, which an engine makes ids of, nor the padding of Godot 3's NodePaths, which holds whatever was there.
        const packets = [...vectors()].filter((each) => each.name.startsWith(name) && !each.objects && !each.name.endsWith("object_as_id"))
            .map(({ packet }) => packet).filter((packet) => hex(encode(decode(packet, { dialect }), { dialect })) === hex(packet));
        const places = { tcp: await freePort(), tcp_big: await freePort(), packets: await freePort(), ws: await freePort() };
        const running = run(engine, "server", places);
        for (const [kind, port] of Object.entries(places)) {
            const connection = await reach(() => (kind === "ws" ? web(port, dialect) : connect({ port, dialect, bigEndian: kind === "tcp_big" })));
            for (const packet of packets) {
                await connection.sendPacket(packet);
                const back = await connection.packet();
                assert.equal(hex(encode(decode(back, { dialect }), { dialect })), hex(packet), kind);
            }
            await connection.send("quit");
            // Some engines forget packets that arrive together with the close.
            await wait(300);
            await connection.close();
        }
        const lines = await running;
        assert.ok(packets.length > 200, `${packets.length}`);
        for (const kind of Object.keys(places)) assert.ok(lines.includes(`${kind} served ${packets.length}`), lines.join("\n"));
    });
}
async function freePort() {
    const server = net.createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address();
    server.close();
    await once(server, "close");
    return port;
}
async function web(port, dialect) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/game`);
    await once(socket, "open");
    return overWebSocket(socket, { dialect });
}
/** A server of the engine comes up when the one before is done. */
async function reach(open) {
    for (let i = 0; ; ++i) {
        try {
            return await open();
        } catch (error) {
            if (i === 400) throw error;
            await wait(50);
        }
    }
}
