// The examples of docs/javascript.md.
import assert from "node:assert/strict";
import fs, { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync, spawnSync } from "node:child_process";
import dgram from "node:dgram";
import { once } from "node:events";
import net from "node:net";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as ws from "ws";
import * as gdvar from "gdvar";
import * as node from "gdvar/node";
import * as saves from "gdvar/saves";
import * as tools from "gdvar/tools";
import { source } from "./support.mjs";

const page = readFileSync(`${source}/docs/javascript.md`, "utf8");
const examples = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);

/** The one example that has these words. */
function example(words) {
    const found = examples.filter((code) => code.includes(words));
    assert.equal(found.length, 1, words);
    return found[0];
}

/** Runs an example with these names, and gives the values of some of its own. */
function run(code, names, wanted) {
    const body = code.replace(/^import .*$/gm, "");
    const work = new Function(...Object.keys(names), `${body}\nreturn { ${wanted} };`);
    return work(...Object.values(names));
}

test("all of them are strict TypeScript", () => {
    const here = fileURLToPath(new URL("..", import.meta.url));
    const project = mkdtempSync(`${tmpdir()}/gdvar-docs-`);
    try {
        mkdirSync(`${project}/node_modules/@types`, { recursive: true });
        symlinkSync(here, `${project}/node_modules/gdvar`);
        for (const name of ["@types/node", "undici-types"]) symlinkSync(`${here}/node_modules/${name}`, `${project}/node_modules/${name}`);
        examples.forEach((code, i) => writeFileSync(`${project}/example${i}.ts`, code));
        // All names of errors and dialects have their types.
        const codes = [...readFileSync(`${here}/dist/errors.d.ts`, "utf8").match(/type ErrorCode =([^;]*);/)[1].matchAll(/"(\w+)"/g)].map(([, name]) => name);
        const known = [...readFileSync(`${source}/docs/errors.md`, "utf8").matchAll(/^\| [1-9]\d\d \| `(\w+)`/gm)].map(([, name]) => name);
        assert.deepEqual(codes.sort(), [...known, "bad_option"].sort());
        const dialects = [...readFileSync(`${source}/docs/dialects.md`, "utf8").matchAll(/^\| `([\w.-]+)` \| (?:`(\w+)`)? \| .* \| (.*) \|$/gm)];
        assert.equal(dialects.length, gdvar.dialects().length);
        // Aliases and releases, and major versions, of which some are all one dialect.
        const majors = ["godot", "pandemonium"].flatMap((family) => Array.from({ length: 9 }, (_, major) => `${family}-${major}`)).filter((dialect) => {
            try {
                return gdvar.encode(1, { dialect });
            } catch (error) {
                return void assert.equal(error.code, "bad_option");
            }
        });
        assert.deepEqual(majors, ["godot-1", "godot-2", "pandemonium-4", "pandemonium-5"]);
        const names = ["godot-2-text", "godot-4.5", "godot-3.5.3", ...majors, ...dialects.flatMap(([, name, alias]) => (alias ? [name, alias] : [name]))];
        for (const dialect of names) gdvar.decode(gdvar.encode(1, { dialect }), { dialect });
        writeFileSync(`${project}/names.ts`, `
            import type { DialectName } from "gdvar";
            export const names: DialectName[] = ${JSON.stringify(names)};
            // @ts-expect-error: there is no such dialect
            export const none: DialectName = "godot5";
        `);
        // The names of the text around them, and the part of `ws` that one of them uses.
        writeFileSync(`${project}/around.d.ts`, `
            declare const bytes: Uint8Array, packet: Uint8Array, damaged: Uint8Array;
            declare module "ws" {
                import type { WebSocketLike } from "gdvar/node";
                export class WebSocketServer {
                    constructor(options: { port: number; host: string; maxPayload: number });
                    on(event: "connection", use: (socket: WebSocketLike) => void): this;
                }
            }`);
        writeFileSync(`${project}/package.json`, '{"type": "module"}');
        writeFileSync(`${project}/tsconfig.json`, JSON.stringify({
            compilerOptions: {
                target: "es2022", module: "nodenext", lib: ["es2022"], types: ["node"], noEmit: true, strict: true, noUncheckedIndexedAccess: true,
                exactOptionalPropertyTypes: true, skipLibCheck: false,
            },
            include: ["*.ts"],
        }));
        const { stdout, status } = spawnSync(process.execPath, [`${here}/node_modules/typescript/bin/tsc`, "-p", project], { encoding: "utf8" });
        assert.deepEqual({ stdout, status }, { stdout: "", status: 0 });
        assert.ok(examples.length > 10);
    } finally {
        rmSync(project, { recursive: true });
    }
});

test("the first one", () => {
    const { packet, player } = run(example("const packet = encode("), gdvar, "packet, player");
    assert.equal(player.get("hp"), 8);
    assert.deepEqual(gdvar.decode(packet).get("pos"), new gdvar.Vector3(1, 2, 3));
});

test("errors", () => {
    const said = [];
    const console = { log: (...words) => said.push(words) };
    run(example('dialect: "godot3", limits: NETWORK'), { ...gdvar, bytes: new Uint8Array([2, 0, 0]), console }, "");
    assert.deepEqual(said.map((words) => words.slice(0, 3)), [["truncated", 0, "$"]]);
});

test("a server", async () => {
    let server;
    const listening = new Promise((listen) => {
        const createServer = (use) => {
            server = net.createServer(use);
            // Any port that is free.
            return { listen: (_port, host) => server.listen(0, host, listen) };
        };
        run(example("net.createServer"), { ...gdvar, net: { createServer } }, "");
    });
    await listening;
    const socket = net.connect(server.address().port, "127.0.0.1");
    socket.write(gdvar.frame(gdvar.encode([1, "two"])));
    const framer = new gdvar.StreamFramer();
    const answer = await new Promise((take) => {
        socket.on("data", (bytes) => {
            for (const packet of framer.feed(bytes)) take(gdvar.decode(packet, { plain: true }));
        });
    });
    assert.deepEqual(answer, { answer: [1, "two"] });
    socket.destroy();
    server.close();
});

/** An example that waits, without its imports. Gives the values of some of its names. */
function later(code, names, wanted) {
    const body = code.replace(/^import .*$/gm, "");
    const work = new Function(...Object.keys(names), `return (async () => { ${body}\nreturn { ${wanted} }; })()`);
    return work(...Object.values(names));
}

test("a server and a client", async () => {
    const { answer } = await later(example("const client = await connect"), node, "answer");
    assert.equal(answer.get("answer"), "hello");
});

test("WebSockets", async () => {
    let server;
    class WebSocketServer extends ws.WebSocketServer {
        constructor({ port, ...rest }) {
            assert.equal(port, 7778);
            server = super({ port: 0, ...rest });
        }
    }
    await later(example("overWebSocket(socket)"), { ...gdvar, ...node, WebSocketServer, console: { log: assert.fail } }, "");
    await once(server, "listening");
    const socket = new ws.WebSocket(`ws://127.0.0.1:${server.address().port}`);
    await once(socket, "open");
    const connection = node.overWebSocket(socket, { plain: true });
    await connection.send([1]);
    assert.deepEqual(await connection.get(), { answer: [1] });
    await connection.close();
    server.close();
});

test("datagrams", async () => {
    const socket = dgram.createSocket("udp4");
    // Any port that is free.
    const names = { ...node, dgram: { createSocket: () => ({ bind: (_port, host) => socket.bind(0, host) }) } };
    const done = later(example("new Datagrams("), names, "");
    await once(socket, "listening");
    const peer = new node.Datagrams(dgram.createSocket("udp4"), { plain: true });
    await peer.send("quit", socket.address().port);
    for await (const { value } of peer) {
        assert.deepEqual(value, { answer: "quit" });
        peer.close();
    }
    await done;
});

test("records of a file", async () => {
    const file = `${tmpdir()}/gdvar-players-${process.pid}`;
    const players = [{ hp: 7 }, { mp: 8 }, { hp: 9 }];
    writeFileSync(file, Buffer.concat(players.map((player) => gdvar.frame(gdvar.encode(player)))));
    const createReadStream = () => fs.createReadStream(file);
    const { players: found } = await later(example("of records("), { ...gdvar, createReadStream }, "players");
    assert.equal(found, 2);
    rmSync(file);
});

test("tools", () => {
    const packet = gdvar.encode({ hp: 7, name: new gdvar.StringName("Ada") });
    const { text, json, rows, matches, converted } = run(example("annotate(packet).rows"), { ...gdvar, ...tools, packet }, "text, json, rows, matches, converted");
    assert.equal(text, '{\n"hp": 7,\n"name": &"Ada"\n}');
    assert.match(json, /"i:7"/);
    assert.equal(rows.at(-1).offset + rows.at(-1).size, packet.length);
    assert.deepEqual(matches.map(({ path }) => path), ["$.hp"]);
    assert.equal(converted.losses.length, 1);
});

test("documents", () => {
    const packet = gdvar.encode({ name: "Ada", pos: new gdvar.Vector3(1, 2, 3) });
    const { document } = run(example("new Document(packet)"), { ...gdvar, ...tools, packet }, "document");
    assert.equal(document.print(document.lookup("$.pos")[0].node), "Vector3(1, 2, 3)");
    assert.deepEqual(document.at(50).map((node) => document.path(node)), ["$", "$.pos"]);
});

test("saves", () => {
    const records = gdvar.frame(gdvar.encode({ hp: 7 }));
    const bytes = saves.wrap(new Uint8Array([...records, ...records]), ["gdec-4"], { password: "secret" });
    const { stack, changed } = run(example("new SaveFile(bytes, { password"), { ...gdvar, ...saves, bytes }, "stack, changed");
    assert.equal(stack, "gdec-4 > godot-4.4 records");
    assert.equal(new saves.SaveFile(changed, { password: "secret" }).get("#0 $.hp"), 100);
});

test("what is refused", () => {
    const said = [];
    const { save } = run(example("error.refusal"), { ...gdvar, ...saves, bytes: gdvar.encode({ hp: 7 }), console: { log: (words) => said.push(words) } }, "save");
    assert.deepEqual(said, ["$: no .hpp (did you mean .hp?)"]);
    assert.equal(save.get("$.hpp"), 100);
});

test("damaged saves", () => {
    const packet = gdvar.encode([1, 2]);
    const damaged = new Uint8Array([...gdvar.frame(packet), ...gdvar.frame(packet)]).slice(0, -4);
    const said = [];
    const { mended } = run(example("found.write()"), { ...saves, damaged, console: { log: (...words) => said.push(words) } }, "mended");
    assert.deepEqual(said.slice(0, 2).map((words) => words.slice(0, 3)), [[4, "whole", undefined], [packet.length + 8, "partial", "$[1]"]]);
    assert.equal(new saves.SaveFile(mended).count, 2);
});

test("the README", () => {
    const readme = readFileSync(`${source}/README.md`, "utf8");
    const file = "bindings/js/examples/readme.mjs";
    const [, code, printed] = /```js bindings\/js\/examples\/readme.mjs\n(.*?)```\n\nIt prints\n\n(.*?)\n\n\[/s.exec(readme);
    assert.equal(code, readFileSync(`${source}/${file}`, "utf8"));
    const packed = readFileSync(`${source}/bindings/js/README.md`, "utf8");
    assert.ok(packed.includes(`\`\`\`js ${file}\n${code}\`\`\``));
    const out = execFileSync(process.execPath, [fileURLToPath(new URL("../examples/readme.mjs", import.meta.url))]).toString();
    assert.equal(out.trimEnd(), printed.replace(/^ {4}/gm, ""));
});
