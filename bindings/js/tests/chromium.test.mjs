// The package in a page without a bundler: the import map of the guide.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findChromium, launch, serve } from "./chromium.mjs";
import { source } from "./support.mjs";

const [importMap] = /<script type="importmap">.*?<\/script>/s.exec(readFileSync(`${source}/docs/javascript.md`, "utf8"));
const page = `<!doctype html><title>gdvar</title>${importMap}`;

test("a page without a bundler", { skip: findChromium() ? false : "there is no Chromium" }, async () => {
    const server = await serve({ "/index.html": page, "/gdvar/": fileURLToPath(new URL("../dist", import.meta.url)) });
    const browser = await launch();
    try {
        const shown = await browser.newPage();
        await shown.goto(`${server.url}/index.html`);
        const said = await shown.evaluate(async () => {
            const { decode, encode, Vector3 } = await import("gdvar");
            const { SaveFile } = await import("gdvar/saves");
            const packet = encode({ hp: 7, pos: new Vector3(1, 2, 3) });
            const save = new SaveFile(packet);
            save.set("$.hp", 8);
            return [decode(save.bytes()).get("hp"), save.stack];
        });
        assert.deepEqual(said, [8, "godot-4.4 packet"]);
        assert.ok(server.requests.includes("/gdvar/gdvar-saves.wasm"));
        // Nothing but what the folder has.
        assert.equal((await fetch(`${server.url}/gdvar/../../../package.json`)).status, 404);
        assert.equal((await fetch(`${server.url}/gdvar/%2e%2e%2f%2e%2e%2fpackage.json`)).status, 404);
    } finally {
        await browser.close();
        await server.close();
    }
});
