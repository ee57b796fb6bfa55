// The examples of docs/javascript.md.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import net from "node:net";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as gdvar from "gdvar";
import * as saves from "gdvar/saves";
import * as tools from "gdvar/tools";

const page = readFileSync(process.env.GDVAR_SOURCE_DIR
    ? `${process.env.GDVAR_SOURCE_DIR}/docs/javascript.md`
    : fileURLToPath(new URL("../../../docs/javascript.md", import.meta.url)), "utf8");
const examples = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);

/** Runs an example with these names, and gives the values of some of its own. */
function run(code, names, wanted) {
    const body = code.replace(/^import .*$/gm, "");
    const work = new Function(...Object.keys(names), `${body}\nreturn { ${wanted} };`);
    return work(...Object.values(names));
}

test("the first one", () => {
    const { packet, player } = run(examples[0], gdvar, "packet, player");
    assert.equal(player.get("hp"), 8);
    assert.deepEqual(gdvar.decode(packet).get("pos"), new gdvar.Vector3(1, 2, 3));
});

test("errors", () => {
    const said = [];
    const console = { log: (...words) => said.push(words) };
    run(examples[1], { ...gdvar, bytes: new Uint8Array([2, 0, 0]), console }, "");
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
        run(examples[2], { ...gdvar, net: { createServer } }, "");
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

test("tools", () => {
    const packet = gdvar.encode({ hp: 7, name: new gdvar.StringName("Ada") });
    const { text, json, rows, matches, converted } = run(examples[3], { ...gdvar, ...tools, packet }, "text, json, rows, matches, converted");
    assert.equal(text, '{\n"hp": 7,\n"name": &"Ada"\n}');
    assert.match(json, /"i:7"/);
    assert.equal(rows.at(-1).offset + rows.at(-1).size, packet.length);
    assert.deepEqual(matches.map(({ path }) => path), ["$.hp"]);
    assert.equal(converted.losses.length, 1);
});

test("saves", () => {
    const records = gdvar.frame(gdvar.encode({ hp: 7 }));
    const bytes = saves.wrap(new Uint8Array([...records, ...records]), ["gdec-4"], { password: "secret" });
    const { stack, changed } = run(examples[4], { ...gdvar, ...saves, bytes }, "stack, changed");
    assert.equal(stack, "gdec-4 > godot-4.4 records");
    assert.equal(new saves.SaveFile(changed, { password: "secret" }).get("#0 $.hp"), 100);
});

test("the README", () => {
    const root = process.env.GDVAR_SOURCE_DIR ?? fileURLToPath(new URL("../../..", import.meta.url));
    const readme = readFileSync(`${root}/README.md`, "utf8");
    const file = "bindings/js/examples/readme.mjs";
    const [, code, printed] = /```js bindings\/js\/examples\/readme.mjs\n(.*?)```\n\nIt prints\n\n(.*?)\n\n\[/s.exec(readme);
    assert.equal(code, readFileSync(`${root}/${file}`, "utf8"));
    const out = execFileSync(process.execPath, [fileURLToPath(new URL("../examples/readme.mjs", import.meta.url))]).toString();
    assert.equal(out.trimEnd(), printed.replace(/^ {4}/gm, ""));
});
