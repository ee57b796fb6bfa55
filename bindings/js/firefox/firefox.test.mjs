// The package and the page in Firefox: scripts/machine firefox.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { launch } from "puppeteer-core";
import { SaveFile } from "gdvar/saves";
import { answering, serveAnswers } from "../tests/answering.mjs";
import { caseFile, cases } from "../tests/cases.mjs";
import { serve } from "../tests/chromium.mjs";
import { Native } from "../tests/native.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
let browser;
before(async () => {
    const preferences = { "browser.download.start_downloads_in_tmp_dir": true, "browser.download.useDownloadDir": true };
    browser = await launch({ browser: "firefox", executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr", protocolTimeout: 600_000, extraPrefsFirefox: preferences });
});
after(() => browser?.close());

test("what the package says of every case", async (t) => {
    t.diagnostic(await browser.version());
    const file = caseFile(cases(1));
    const [native, server] = [new Native(file), await serveAnswers(file)];
    try {
        for (const byWorker of [false, true]) {
            const page = await answering(browser, server.url, byWorker);
            const given = await page.evaluate(() => globalThis.ask());
            assert.ok(given.length > 150_000);
            assert.equal(await native.differences(given, (number) => page.evaluate((number) => globalThis.ask(number), number)), "");
            await page.close();
        }
    } finally {
        await server.close();
        native.close();
    }
});

/** Opens a save, changes a value by keys, undoes and redoes that, and downloads the file. */
async function edited(url, bytes) {
    const page = await browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(url);
    await page.waitForSelector("h1");
    await page.evaluate((base64) => {
        globalThis.made = [];
        const { createObjectURL } = URL;
        URL.createObjectURL = (blob) => (globalThis.made.push(blob), createObjectURL.call(URL, blob));
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))], "plain.save"));
        const at = document.querySelector("#app");
        for (const kind of ["dragenter", "dragover", "drop"]) at.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, bytes.toString("base64"));
    const selected = (path) => page.waitForFunction((path) => document.querySelector(".selection .path")?.textContent === path, {}, path);
    const shown = (text) => page.waitForFunction((text) => document.querySelector(".tree [aria-selected=true]")?.textContent.includes(text), {}, text);
    await selected("#0 $");
    await page.keyboard.press("/");
    await page.keyboard.type("$.players[3].hp");
    await page.keyboard.press("Enter");
    await selected("#0 $.players[3].hp");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".tree input");
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.type("4242");
    await page.keyboard.press("Enter");
    await shown("4242");
    const press = async (key) => {
        await page.keyboard.down("Control");
        await page.keyboard.press(key);
        await page.keyboard.up("Control");
    };
    await press("z");
    await page.waitForFunction(() => !document.querySelector(".tree [aria-selected=true]").textContent.includes("4242"));
    await press("y");
    await shown("4242");
    await press("s");
    const button = await page.waitForSelector("dialog[open] ::-p-text(Download the edited file)");
    await button.click();
    await page.waitForFunction(() => globalThis.made.length > 0);
    const base64 = await page.evaluate(async () => btoa(String.fromCharCode(...new Uint8Array(await globalThis.made.at(-1).arrayBuffer()))));
    const alerts = await page.$$eval("[role=alert]", (all) => all.map((each) => each.textContent));
    await page.close();
    assert.deepEqual([...errors, ...alerts], []);
    return Buffer.from(base64, "base64");
}

test("the page: a save is opened, edited and given back, from a host and from a file", async () => {
    const bytes = readFileSync(`${root}/tests/data/saves/godot-4.6.3/plain.save`);
    const wanted = new SaveFile(bytes);
    wanted.set("#0 $.players[3].hp", 4242);
    const server = await serve({ "/": `${root}/web/dist/site` });
    try {
        for (const url of [`${server.url}/`, pathToFileURL(`${root}/web/dist/gdvar.html`).href]) {
            assert.deepEqual(await edited(url, bytes), Buffer.from(wanted.bytes()));
        }
    } finally {
        await server.close();
    }
});
