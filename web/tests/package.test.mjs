// The npm package as Vite and webpack bundle it: its modules are found by code for a server, and pages load what the guide says.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "vite";
import webpack from "webpack";
import { inProject, measure, onPage, table } from "./sizes.mjs";

const PROGRAM = `
    import { decode, encode } from "gdvar";
    import { SaveFile } from "gdvar/saves";
    const packet = encode({ hp: 7 });
    console.log(decode(packet, { plain: true }).hp + new SaveFile(packet).get("$.hp"));
`;

test("gdvar in a bundle for a server, and beside it", () => inProject(async (root) => {
    writeFileSync(join(root, "entry.js"), PROGRAM);
    for (const noExternal of [true, []]) {
        await build({ root, configFile: false, logLevel: "error", ssr: { noExternal }, build: { ssr: "entry.js", outDir: "out", emptyOutDir: true } });
        assert.equal(execFileSync(process.execPath, [join(root, "out/entry.js")], { encoding: "utf8" }), "14\n");
    }
}));

test("gdvar in webpack's bundle for a server, with the modules beside it", () => inProject(async (root) => {
    writeFileSync(join(root, "entry.js"), PROGRAM);
    const output = { path: join(root, "out"), module: true, filename: "out.mjs" };
    const options = { mode: "production", target: "node20", context: root, entry: "./entry.js", experiments: { outputModule: true }, output };
    const made = await new Promise((go, stumble) => webpack(options, (error, made) => (error ? stumble(error) : go(made))));
    assert.equal(made.toString({ all: false, errors: true, warnings: true }), "");
    assert.equal(readdirSync(output.path).filter((name) => name.endsWith(".wasm")).length, 2);
    // The package itself is not there.
    rmSync(join(root, "node_modules"), { recursive: true });
    assert.equal(execFileSync(process.execPath, [join(output.path, "out.mjs")], { encoding: "utf8" }), "14\n");
}));

test("the sizes of the guide are those that a page loads", async () => {
    const sizes = await measure();
    const told = onPage();
    assert.deepEqual(Object.keys(told), Object.keys(sizes), "node web/tests/sizes.mjs --update");
    for (const [name, [script, modules]] of Object.entries(sizes)) {
        // Other versions of the compilers give a few bytes more or less.
        [script, modules, script + modules].forEach((bytes, i) => {
            assert.ok(Math.abs(bytes / 1000 - told[name][i]) <= 0.6 + bytes / 100_000, `node web/tests/sizes.mjs --update: ${name}\n${table(sizes)}`);
        });
    }
});
