// The npm package in code for a server, as Vite bundles it: its modules are found where the bundle does not have them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";

test("gdvar in a bundle for a server, and beside it", async () => {
    const root = mkdtempSync(join(tmpdir(), "gdvar-server-"));
    try {
        mkdirSync(join(root, "node_modules"));
        symlinkSync(fileURLToPath(new URL("../../bindings/js", import.meta.url)), join(root, "node_modules/gdvar"));
        writeFileSync(join(root, "package.json"), '{"type": "module"}');
        writeFileSync(join(root, "entry.js"), `
            import { decode, encode } from "gdvar";
            import { SaveFile } from "gdvar/saves";
            const packet = encode({ hp: 7 });
            console.log(decode(packet, { plain: true }).hp + new SaveFile(packet).get("$.hp"));
        `);
        for (const noExternal of [true, []]) {
            await build({ root, configFile: false, logLevel: "error", ssr: { noExternal }, build: { ssr: "entry.js", outDir: "out", emptyOutDir: true } });
            assert.equal(execFileSync(process.execPath, [join(root, "out/entry.js")], { encoding: "utf8" }), "14\n");
        }
    } finally {
        rmSync(root, { recursive: true });
    }
});
