// A file that takes all memory costs no other file its changes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { encode } from "gdvar";
import { SaveFile } from "gdvar/saves";
import { read } from "./cases.mjs";
import { eventually, skip, startSite } from "./support.mjs";

let site, page;
before(async () => {
    if (skip) return;
    // 64 MiB for each module, instead of 4 GiB.
    site = await startSite({ args: ["--js-flags=--wasm-max-mem-pages=1024"] });
    page = await site.page();
});
after(() => site?.close());

const plain = { name: "plain.save", bytes: read("saves/godot-4.6.3/plain.save") };
const damaged = { name: "damaged.save", bytes: plain.bytes.subarray(0, 900) };
const config = { name: "settings.cfg", bytes: new TextEncoder().encode("[audio]\nvolume=0.5\n") };
const downloads = () => page.page.locator(".file-actions").getByRole("button", { name: /^Download/ }).textContent();

/** An Array of nils in little room: four bytes each, and much more when they are read. */
function bomb(count) {
    const packet = new Uint8Array(8 + 4 * count);
    new DataView(packet.buffer).setUint32(0, 28, true);
    new DataView(packet.buffer).setUint32(4, count, true);
    return { name: "bomb.save", bytes: gzipSync(packet, { level: 1 }) };
}

test("a sound file for which there is not enough memory is not called damaged", { skip }, async () => {
    const seen = new Set();
    for (const size of [9e6, 15e6, 18e6]) {
        await page.drop({ name: "large.save", bytes: encode({ hp: 1, text: "a".repeat(size) }) });
        const { state } = await page.facts();
        seen.add(state);
        assert.ok(state === "open" || (await page.facts()).code === "no_memory", `${size}: ${state}`);
        await page.closeAll();
    }
    assert.deepEqual(seen, new Set(["open", "refused"]));
});

test("a file that takes all memory costs no other file its changes", { skip }, async () => {
    await page.drop(damaged);
    const damagedRows = (await page.rows()).map(({ label, value }) => [label, value]);
    await page.drop(config, plain);
    await page.go("#0 $.players[3].hp");
    await page.edit("9999");
    await page.go("#0 $.players[2].hp");
    await page.edit("7777");
    await eventually(downloads, "Download (2 changes)");
    const bytes = (await page.download()).bytes;

    await page.drop(bomb(15_000_000));
    assert.equal(await page.page.getByRole("heading", { name: "more memory than is left" }).count(), 1);
    assert.equal((await page.facts()).code, "no_memory");
    await page.tabs().getByRole("button", { name: "Close bomb.save" }).click();

    await page.front(plain.name);
    assert.deepEqual((await page.download()).bytes, bytes);
    await page.go("#0 $.players[1].hp");
    await page.edit("5555");
    const expected = new SaveFile(bytes);
    expected.set("#0 $.players[1].hp", 5555);
    await eventually(downloads, "Download (3 changes)");
    assert.deepEqual((await page.download()).bytes, Buffer.from(expected.bytes()));
    for (let i = 0; i < 3; ++i) await page.page.getByRole("button", { name: "Undo" }).click();
    await eventually(downloads, "Download");
    assert.deepEqual((await page.download()).bytes, Buffer.from(plain.bytes));

    await page.front(config.name);
    await page.go("$.audio.volume");
    assert.equal((await page.download()).bytes.toString(), Buffer.from(config.bytes).toString());
    await page.front(damaged.name);
    assert.equal((await page.facts()).state, "damaged");
assert.deepEqual((await page.rows()).map(({ label, value }) => [label, value]), damagedRows);
});
