// All recorded packets, texts, saves and rows of the documentation pages, and damaged ones: the package says in Node, in a
// page of Chromium and in a worker of it what the native library says, to the letter.
//
// GDVAR_DIFFERENTIAL: how many times as many damaged ones.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as gdvar from "gdvar";
import * as saves from "gdvar/saves";
import * as tools from "gdvar/tools";
import { answering, serveAnswers } from "./answering.mjs";
import { answerTo, hashes, makeAnswers } from "./answers.mjs";
import { caseFile, cases } from "./cases.mjs";
import { findChromium, launch } from "./chromium.mjs";
import { Native, skip } from "./native.mjs";

const names = { page: "a page of Chromium", worker: "a worker of Chromium" };
const skipBrowser = skip || (findChromium() === undefined ? "there is no Chromium" : false);
let file;
let native;
let server;
let browser;
const pages = {};
const asked = {};

before(async () => {
    if (skip) return;
    file = caseFile(cases(Number(process.env.GDVAR_DIFFERENTIAL ?? 1)));
    native = new Native(file);
    if (skipBrowser) return;
    server = await serveAnswers(file);
    browser = await launch();
    for (const name of Object.keys(names)) pages[name] = await answering(browser, server.url, name === "worker");
    // They work while Node does.
    for (const name of Object.keys(names)) {
        asked[name] = pages[name].evaluate(() => globalThis.ask());
        asked[name].catch(() => undefined);
    }
    await new Promise((sent) => setTimeout(sent, 50));
});
after(async () => {
    await browser?.close();
    await server?.close();
    native?.close();
});

test("Node", { skip }, async (t) => {
    const answer = makeAnswers(gdvar, tools, saves);
    const given = hashes(file, answer);
    assert.ok(given.length > 190_000);
    assert.equal(await native.differences(given, (number) => answerTo(file, number, answer)), "");
    t.diagnostic(`${given.length} cases`);
});
for (const [name, title] of Object.entries(names)) {
    test(title, { skip: skipBrowser }, async () => {
        const given = await asked[name];
        assert.equal(await native.differences(given, (number) => pages[name].evaluate((number) => globalThis.ask(number), number)), "");
    });
}
