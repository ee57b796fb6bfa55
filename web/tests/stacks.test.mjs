// Saves as scripts in the field write them: layers in layers, some of them locked.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stacks } from "./cases.mjs";
import { expectOpen, given, unlock, verdict } from "./opened.mjs";
import { page, skip, useSite } from "./support.mjs";

// What is not seen need not be drawn.
useSite({ viewport: { width: 900, height: 480 } });

test("saves of the field, layer in layer", { skip }, async () => {
    const seen = { open: 0, locked: 0 };
    for (const { name, bytes, password, key, row } of stacks()) {
        const first = verdict(bytes);
        await page.drop({ name, bytes });
        assert.equal((await page.facts()).state, first.state, name);
        let wanted = first;
        if (first.state === "locked") {
            // What is inside can be a thing that nobody recognises: raw deflate, Brotli.
            const secrets = row.name.includes("key") ? { key } : { password };
            wanted = verdict(bytes, given(secrets));
            await unlock(page, secrets);
            assert.equal((await page.facts()).state, wanted.state, name);
        }
        if (wanted.state === "open") {
            await expectOpen(page, name, bytes, wanted);
            ++seen[first.state];
        }
        await page.closeAll();
    }
    assert.ok(seen.open > 90 && seen.locked > 40, JSON.stringify(seen));
});
