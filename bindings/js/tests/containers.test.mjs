// The two modules behind gdvar/tools and gdvar/saves: containers in the smaller one, and who serves whom.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { decode, encode } from "gdvar";
// Before gdvar/saves, so that the smaller module serves it.
import * as tools from "gdvar/tools";
import * as saves from "gdvar/saves";
import { data, engines, hex } from "./support.mjs";

const containers = ["gcpf-zstd", "gcpf-fastlz", "gcpf-deflate", "gcpf-gzip", "gdec-3", "gdec-4", "gzip", "zstd"];
const contents = [new Uint8Array(0), encode({ hp: 7, bag: ["rope", 3] }), new Uint8Array(200_000).map((_, i) => i >> 5)];

test("what one module puts into containers, the other takes out", () => {
    const password = "secret";
    for (const container of containers) {
        for (const content of contents) {
            for (const [one, other] of [[tools, saves], [saves, tools], [tools, tools]]) {
                const outer = one.wrap(content, [container], { password });
                const { bytes, layers } = other.unwrap(outer, { password });
                assert.equal(hex(bytes), hex(content), container);
                assert.deepEqual(layers, [container]);
            }
            // The same bytes, but for the IV.
            if (container !== "gdec-4") assert.equal(hex(tools.wrap(content, [container], { password })), hex(saves.wrap(content, [container], { password })), container);
        }
    }
    const two = tools.wrap(contents[1], ["gdec-4", "gcpf-zstd"], { password });
    assert.deepEqual(tools.unwrap(two, { password }).layers, ["gdec-4", "gcpf-zstd"]);
    assert.equal(hex(tools.unwrap(two, { password }).bytes), hex(contents[1]));
    assert.deepEqual(tools.unwrap(contents[1]), { bytes: contents[1], layers: [] });
    assert.ok(tools.wrap(contents[2], ["gcpf-zstd"]).length < contents[2].length / 2);
});

test("containers of the engines", () => {
    let count = 0;
    for (const engine of Object.keys(engines)) {
        const folder = `${data}/saves/${engine}`;
        const rows = readFileSync(`${folder}/expected.ndjson`, "utf8").trim().split("\n").map((line) => JSON.parse(line));
        const secrets = rows.find((row) => row.pass !== undefined);
        for (const file of readdirSync(folder).filter((name) => /^(gcpf|gdec)/.test(name))) {
            const bytes = new Uint8Array(readFileSync(`${folder}/${file}`));
            const options = file.startsWith("gdec_pass") ? { password: secrets.pass } : file.startsWith("gdec_key") ? { key: Buffer.from(secrets.key) } : {};
            const { bytes: inner, layers } = tools.unwrap(bytes, options);
            const other = saves.unwrap(bytes, options);
            assert.deepEqual([hex(inner), layers], [hex(other.bytes), other.layers], `${engine}/${file}`);
            ++count;
        }
    }
    assert.ok(count > 15, `${count}`);
});

test("what can't be opened is told", () => {
    const outer = tools.wrap(contents[1], ["gdec-4"], { password: "secret" });
    assert.throws(() => tools.unwrap(outer), { name: "GdvarError", code: "bad_key" });
    assert.throws(() => tools.unwrap(outer, { password: "wrong" }), { code: "bad_checksum" });
    assert.throws(() => tools.unwrap(outer, { key: new Uint8Array(5) }), { code: "bad_key" });
    assert.throws(() => tools.wrap(contents[1], ["gdec-4"]), { code: "bad_key" });
    for (const name of ["base64", "brotli", "gcpf-brotli", "gcpf", "nonsense"]) assert.throws(() => tools.wrap(contents[1], [name]), { code: "bad_mode" }, name);
    assert.throws(() => tools.unwrap(tools.wrap(contents[2], ["gzip"]), { maxBytes: 1000 }), { code: "size_limit" });
    assert.throws(() => tools.unwrap(tools.wrap(contents[2], ["gcpf-zstd"]), { maxBytes: 1000 }), { code: "size_limit" });
    // Engines read Brotli, and never write it: the magic, the mode, a block's size, the size of all, the size of the block.
    const block = brotliCompressSync(Buffer.from([1, 2, 3, 4]));
    const brotli = Buffer.concat([Buffer.from("GCPF"), Buffer.from(new Uint32Array([4, 4096, 4, block.length]).buffer), block, Buffer.from("GCPF")]);
    assert.throws(() => tools.unwrap(brotli), { code: "bad_mode" });
    assert.deepEqual([...saves.unwrap(brotli).bytes], [1, 2, 3, 4]);
    const deep = Array.from({ length: 17 }).reduce((inner) => tools.wrap(inner, ["gzip"]), contents[1]);
    assert.throws(() => tools.unwrap(deep), { code: "depth_limit" });
    for (const container of containers) {
        const whole = tools.wrap(contents[2], [container], { password: "p" });
        for (let i = 0; i < 60; ++i) {
            const damaged = whole.slice(0, i % 3 === 0 ? (whole.length * i) / 60 : undefined);
            if (i % 3 !== 0) damaged[Math.floor((whole.length * i) / 60)] ^= 1 << i % 8;
            const said = (module) => {
                try {
                    return hex(module.unwrap(damaged, { password: "p" }).bytes);
                } catch (error) {
                    return error.code;
                }
            };
            // Where the header is damaged, the larger module sees no container, and the smaller one may say why.
            const [small, large] = [said(tools), said(saves)];
            if (large !== hex(damaged)) assert.equal(small, large, `${container} ${i}`);
        }
    }
});

test("a document of a save is read by the save's module, and gdvar/saves has all that gdvar/tools has", () => {
    for (const name of Object.keys(tools)) assert.ok(name in saves, name);
    const save = new saves.SaveFile(encode({ hp: [7, 8] }));
    const [large, small] = [save.document(), new tools.Document(save.packet())];
    assert.equal(large.path(3), small.path(3));
    assert.deepEqual(large.get("$.hp[*]"), small.get("$.hp[*]"));
    assert.equal(large.print(0), tools.varToStr(decode(save.packet())));
    large.close();
    small.close();
});

/** Which modules a program compiles. */
function loaded(code) {
    const program = `
        const before = WebAssembly.Module;
        const seen = [];
        WebAssembly.Module = class extends before { constructor(bytes) { super(bytes); seen.push(bytes.length); } };
        ${code}
        console.log(JSON.stringify(seen));`;
    const cwd = fileURLToPath(new URL("..", import.meta.url));
    return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd }).toString());
}
test("a program loads what it imports", () => {
    const size = (name) => readFileSync(fileURLToPath(new URL(`../dist/gdvar-${name}.wasm`, import.meta.url))).length;
    const [core, small, large] = [size("core"), size("tools"), size("saves")];
    assert.deepEqual(loaded('await import("gdvar")'), [core]);
    assert.deepEqual(loaded('const { varToStr } = await import("gdvar/tools"); varToStr([1]);').sort(), [core, small].sort());
    assert.deepEqual(loaded('const { varToStr, SaveFile, wrap } = await import("gdvar/saves"); varToStr([1]);').sort(), [core, large].sort());
});
