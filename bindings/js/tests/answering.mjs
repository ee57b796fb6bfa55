// Pages of a browser, and workers of them, that say what the package says of each case (answers.mjs).
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serve } from "./chromium.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { imports } = JSON.parse(readFileSync(here("../package.json"), "utf8"));
/** The module that a bundler puts in place of "#compiled" for a browser: workers have no import map. */
const bundled = (bytes) => bytes.toString().replace(/"(#[\w-]+)"/g, (_, name) => `"${imports[name].default.replace("./dist/", "./")}"`);

// Run by the page and the worker: `work` answers one message with one other. The module that comes first serves the
// tools: gdvar-tools.wasm in the page, as in Node, and gdvar-saves.wasm in the worker.
const scriptOf = (first, second) => `
import * as gdvar from "/gdvar/index.js";
import { answerTo, hashes, makeAnswers } from "/answers.mjs";
const all = { ${first}: await import("/gdvar/${first}.js") };
all.${second} = await import("/gdvar/${second}.js");
const { tools, saves } = all;
const answer = makeAnswers(gdvar, tools, saves);
const file = new Uint8Array(await (await fetch("/cases")).arrayBuffer());
export const work = (number) => (number === undefined ? hashes(file, answer) : answerTo(file, number, answer));
`;
const worker = `
import { work } from "/saves_first.mjs";
onmessage = ({ data }) => postMessage(work(data));
postMessage("ready");
`;

/** Serves the package, and the cases of `file`, to such pages. */
export function serveAnswers(file) {
    const places = {
        "/index.html": "<!doctype html><title>gdvar</title>",
        "/tools_first.mjs": scriptOf("tools", "saves"), "/saves_first.mjs": scriptOf("saves", "tools"), "/worker.mjs": worker,
        "/cases": file, "/answers.mjs": readFileSync(here("answers.mjs")), "/gdvar/": here("../dist"),
    };
    return serve(places, { change: (path, bytes) => (path.endsWith(".js") ? bundled(bytes) : bytes) });
}

/** A page of the browser that answers, by itself or by a worker: `ask(number)` in it; without a number, the hashes of all. */
export async function answering(browser, url, byWorker) {
    const page = await browser.newPage();
    await page.goto(`${url}/index.html`);
    await page.evaluate(async (byWorker) => {
        if (!byWorker) return void (globalThis.ask = (await import("/tools_first.mjs")).work);
        const worker = new Worker("/worker.mjs", { type: "module" });
        const told = () => new Promise((tell, fail) => {
            worker.onmessage = ({ data }) => tell(data);
            worker.onerror = ({ message }) => fail(new Error(message));
        });
        globalThis.ask = (number) => {
            const answer = told();
            worker.postMessage(number);
            return answer;
        };
        await told();
    }, byWorker);
    return page;
}
