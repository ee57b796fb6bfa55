// Every file of the tests' data is opened in the page: it is what the library says, shows what the engine wrote, and comes back byte
// for byte.
import assert from "node:assert/strict";
import { test } from "node:test";
import { resources, saves, texts } from "./cases.mjs";
import { expectOpen, given, unlock, verdict } from "./opened.mjs";
import { eventually, page, skip, useSite } from "./support.mjs";

// What is not seen need not be drawn.
useSite({ viewport: { width: 900, height: 480 } });

test("saves of the engines, in every container", { skip }, async () => {
    let count = 0;
    for (const { name, bytes, password, key, records } of saves()) {
        await page.drop({ name, bytes });
        if (password !== undefined || key !== undefined) {
            assert.equal((await page.facts()).state, "locked", name);
            await unlock(page, key === undefined ? { password: "wrong" } : { key: "00".repeat(32) }, false);
            await unlock(page, { password, key });
        }
        const wanted = verdict(bytes, given({ password, key }));
        await expectOpen(page, name, bytes, wanted);
        const text = await page.printed();
        for (let i = 0; i < wanted.count; ++i) {
            // What the engine's own var_to_str said of the record.
            await page.row(wanted.kind.several ? `#${i}` : "$").click();
            await eventually(text, records[i].text, `${name} #${i}`);
        }
        await page.closeAll();
        ++count;
    }
    assert.equal(count, 36);
});

test("texts, resources, scenes and packs", { skip }, async () => {
    const seen = { open: 0, refused: 0, damaged: 0, archive: 0 };
    const all = [...texts(24), ...resources()];
    // Many at once: each drop has 40.
    for (let at = 0; at < all.length; at += 40) {
        const some = all.slice(at, at + 40);
        await page.drop(...some);
        for (const [i, { name, bytes }] of some.entries()) {
            const wanted = verdict(bytes);
            await page.front(name);
            const facts = await page.facts();
            assert.equal(facts.state, wanted.state, name);
            if (wanted.code !== undefined) assert.equal(facts.code, wanted.code, name);
            // A download of each would take minutes: of every fifth.
            if (wanted.state === "open" && i % 5 === 0) await expectOpen(page, name, bytes, wanted);
            ++seen[wanted.state];
        }
        await page.closeAll();
    }
    assert.ok(seen.open > 200 && seen.refused > 20 && seen.archive >= 3, JSON.stringify(seen));
});
