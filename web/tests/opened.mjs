// What a file is by the library in Node, and the ways in which a test opens it and takes it back.
import assert from "node:assert/strict";
import { GdvarError } from "gdvar";
import { readEntries, recover, SaveFile } from "gdvar/saves";
import { eventually } from "./support.mjs";

/** What the library, in Node, says of a file without a secret. */
export function verdict(bytes, secrets = {}) {
    const options = { objects: true, maxBytes: 0xffffffff, ...secrets };
    try {
        const save = new SaveFile(bytes, options);
        return { state: "open", stack: save.stack, count: save.count, kind: save.kind };
    } catch (error) {
        if (!(error instanceof GdvarError)) throw error;
        if (error.code === "bad_key") return { state: "locked" };
        try {
            readEntries(bytes, options);
            return { state: "archive" };
        } catch (why) {
            if (why.code === "bad_key") return { state: "locked" };
        }
        const { objects, ...reading } = options;
        const recovery = attempt(() => recover(bytes, reading));
        return recovery !== undefined && recovery.items.length > 0 ? { state: "damaged", count: recovery.items.length, recovery, code: error.code } : { state: "refused", code: error.code };
    }
}
function attempt(work) {
    try {
        return work();
    } catch {
        return undefined;
    }
}

export const given = ({ password, key }) => (key === undefined ? { password } : { keys: [{ name: "key", key }] });

/** Types the password, or the key, where the page asks for it. */
export async function unlock(page, { password, key }, isRight = true) {
    const form = page.page.locator(".unlock");
    await form.getByRole("button", { name: key === undefined ? "Password" : "Key", exact: true }).click();
    await form.getByLabel(key === undefined ? "Password" : "Key, 64 hex digits").last().fill(key ?? password);
    await form.getByRole("button", { name: "Open", exact: true }).click();
    if (isRight) {
        await form.waitFor({ state: "detached" });
        await page.ready();
    } else await form.getByRole("alert").waitFor();
}

/** Looks at what is open, and takes it back as it came. */
export async function expectOpen(page, name, bytes, wanted) {
    await eventually(async () => (await page.facts()).state, "open", name);
    assert.equal((await page.facts()).stack, wanted.stack, name);
    const rows = await page.rows();
    assert.equal(rows.filter(({ level }) => level === 1).length > 0, true, name);
    const came = await page.download();
    assert.equal(came.name, name);
    assert.equal(Buffer.compare(came.bytes, Buffer.from(bytes)), 0, `${name} comes back changed`);
}
