// The page in Chromium, as its tests use it. What they know of its markup stands here.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findChromium, launch, serve } from "../../bindings/js/tests/chromium.mjs";
import { data } from "../../bindings/js/tests/support.mjs";

export { data };
export const folder = fileURLToPath(new URL("..", import.meta.url));
/** For tests: why they can't be run. */
export const skip = findChromium() ? false : "SKIPPED: there is no Chromium";
/** The command, where it has been built. */
export const command = process.env.GDVAR_COMMAND;

/** How long tests wait, in milliseconds. Six browsers on two processors take their time. */
const LIMIT = 90_000;

/** Asks until what `read` gives is `expected`; then it is compared, and the difference shown. */
export async function eventually(read, expected, about = undefined, limit = LIMIT) {
    const end = Date.now() + limit;
    for (;;) {
        const got = await read();
        try {
            assert.deepEqual(got, expected, about);
            return;
        } catch (error) {
            if (Date.now() > end) throw error;
        }
        await new Promise((resume) => setTimeout(resume, 10));
    }
}
/** Asks until `read` gives something true. */
export async function until(read, about, limit = LIMIT) {
    const end = Date.now() + limit;
    for (;;) {
        const got = await read();
        if (got) return got;
        assert.ok(Date.now() < end, `in vain: ${about}`);
        await new Promise((resume) => setTimeout(resume, 10));
    }
}

/** Runs the command on files; `files` are {name: bytes}, and `words` may name them. `status`: what it may end with. */
export function gdvar(words, files = {}, { secrets = {}, status = [0], output = undefined } = {}) {
    const place = mkdtempSync(join(tmpdir(), "gdvar-page-"));
    try {
        for (const [name, bytes] of Object.entries(files)) writeFileSync(join(place, name), bytes);
        const environment = { PATH: process.env.PATH, HOME: place, GDVAR_PASSWORD: secrets.password, GDVAR_KEY: secrets.key };
        const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
        let said;
        try {
            said = execFileSync(command, words, { cwd: place, env, maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "pipe"] });
        } catch (error) {
            if (!status.includes(error.status)) throw error;
            said = error.stdout;
        }
        return output === undefined ? said.toString() : readFileSync(join(place, output));
    } finally {
        rmSync(place, { recursive: true });
    }
}

/** The policy forbids what is foreign; what is tried all the same must not get far. */
const ARGS = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];
const axe = fileURLToPath(new URL("../node_modules/axe-core/axe.min.js", import.meta.url));

/**
 * A browser, started with `args`, and a server of the page's files. `page(options)` opens the page in a context of its own; `close`
 * ends all of it, and fails if a page had an error, broke its policy, or asked for anything after it had been loaded.
 */
export async function startSite({ args = [] } = {}) {
    const server = await serve({ "/": join(folder, "dist/site") });
    const browser = await launch({ args: [...ARGS, ...args] });
    const pages = [];
    return {
        server,
        browser,
        async page({ oneFile = false, url = `${server.url}/`, ...options } = {}) {
            const context = await browser.newContext({ viewport: { width: 1280, height: 1000 }, acceptDownloads: true, ...options });
            const page = new Page(await context.newPage(), server);
            pages.push(page);
            await page.open(oneFile ? pathToFileURL(join(folder, "dist/gdvar.html")).href : url);
            return page;
        },
        async close() {
            try {
                for (const page of pages) await page.check();
            } finally {
                await browser.close();
                await server.close();
            }
        },
    };
}

/** The page that the tests of a file share, once they run. */
export let page;
/** Gives a test file a site and this page. No test leaves a file open for the next one. `options`: those of the page. */
export function useSite(options) {
    let site;
    before(async () => {
        if (skip) return;
        site = await startSite();
        page = await site.page(options);
    });
    afterEach(() => page?.closeAll());
    after(() => site?.close());
}

/** Frames, timers and answers of the worker come up to so many milliseconds late: what only works in time shows itself. */
const LATE = Number(process.env.GDVAR_PAGE_LATE ?? 0);
function comeLate(most) {
    if (most === 0) return;
    const late = () => Math.random() * most;
    const { setTimeout, requestAnimationFrame } = window;
    window.setTimeout = (work, time = 0, ...rest) => setTimeout(work, time + late(), ...rest);
    window.requestAnimationFrame = (work) => requestAnimationFrame(() => setTimeout(() => work(performance.now()), late()));
    const { postMessage } = Worker.prototype;
    // In order: a worker's answers never overtake each other.
    let last = 0;
    Worker.prototype.postMessage = function (...message) {
        const at = (last = Math.max(last, performance.now() + late() / 4));
        setTimeout(() => postMessage.apply(this, message), at - performance.now());
    };
}

export class Page {
    errors = [];
    requests = [];
    /** How many times the page itself asked for the library's module. */
    modules = 0;

    constructor(page, server) {
        [this.page, this.server] = [page, server];
        page.setDefaultTimeout(LIMIT);
        page.on("pageerror", (error) => this.errors.push(`error: ${error.stack ?? error.message}`));
        page.on("console", (said) => {
            if (said.type() === "error" || said.type() === "warning") this.errors.push(`console: ${said.text()}`);
        });
        page.on("dialog", (dialog) => void (dialog.type() === "beforeunload" || this.agrees ? dialog.accept() : dialog.dismiss()));
        page.context().on("request", (request) => {
            this.requests.push(request.url());
            // The service worker asks for the same files, to keep them.
            if (!request.serviceWorker()) this.modules += request.url().endsWith(".wasm");
        });
    }
    /** Whether a question of the browser is answered with yes. */
    agrees = true;

    async open(url) {
        await this.page.addInitScript(() => {
            window.broken = [];
            addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => window.broken.push(`${violatedDirective} ${blockedURI}`));
            addEventListener("unhandledrejection", ({ reason }) => window.broken.push(`rejection: ${reason}`));
        });
        await this.page.addInitScript({ path: axe });
        await this.page.addInitScript(comeLate, LATE);
        await this.page.goto(url);
        await this.page.getByRole("heading", { name: "Open a save" }).waitFor();
        this.url = url;
        await this.settle();
    }
    /** Waits until the page and its service worker have all their files: from here on nothing may be asked for. */
    async settle() {
        if (this.url.startsWith("http")) {
            await this.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
            // The library's module is what the page asks for last.
            const before = this.asked?.modules ?? 0;
            await until(() => this.modules > before, "the library is asked for");
        }
        await this.page.waitForLoadState("networkidle");
        this.asked = { page: this.requests.length, server: this.server.requests.length, modules: this.modules };
    }
    /** Nothing went wrong, and nothing was asked for. */
    async check() {
        if (this.page.isClosed()) return;
        const broken = await this.page.evaluate(() => window.broken);
        assert.deepEqual([...this.errors, ...broken], [], "errors of the page");
        const foreign = this.requests.filter((url) => !url.startsWith(this.server.url) && !/^(blob|data|file):/.test(url));
        assert.deepEqual(foreign, [], "requests to others");
        const later = this.requests.slice(this.asked.page).filter((url) => !/^(blob|data):/.test(url));
        assert.deepEqual(later, [], "requests after the page was loaded");
    }

    // ---- files ----

    /** Drops files into the page: {name, bytes}, and waits until they are open. */
    async drop(...files) {
        const before = await this.tabs().count();
        await this.send(...files);
        await until(async () => (await this.tabs().count()) === before + files.length, `${files.map(({ name }) => name)} opens`);
        await this.ready();
    }
    /** Drops files, and does not wait. */
    async send(...files) {
        const sent = files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString("base64")]);
        await this.page.evaluate((all) => {
            const transfer = new DataTransfer();
            for (const [name, text] of all) transfer.items.add(new File([Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0))], name));
            const at = document.querySelector("#app");
            for (const kind of ["dragenter", "dragover", "drop"]) at.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }, sent);
    }
    /** Chooses files by the browser's own dialog. */
    async choose(...files) {
        const chooser = this.page.waitForEvent("filechooser");
        await this.page.getByRole("banner").getByRole("button", { name: "Open…" }).click();
        await (await chooser).setFiles(files.map(({ name, bytes }) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) })));
        await this.page.locator(".tab.active", { hasText: files.at(-1).name }).waitFor();
        await this.ready();
    }
    tabs() {
        return this.page.locator(".tab");
    }
    async closeAll() {
        // A dialog that has just been made opens a moment later.
        const close = () => document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
        await until(async () => (await this.page.evaluate(close), (await this.page.locator("dialog").count()) === 0), "all dialogs close");
        await this.page.evaluate(() => document.querySelectorAll(".tab [aria-label^=Close]").forEach((button) => button.click()));
        await until(async () => (await this.tabs().count()) === 0, "all files close");
    }
    /** Brings an open file to the front. */
    async front(name) {
        await this.page.evaluate((wanted) => {
            const names = [...document.querySelectorAll(".tab > button:first-child")];
            names.find((button) => button.firstChild.textContent === wanted).click();
        }, name);
        await this.page.waitForFunction((wanted) => document.querySelector("main h1")?.textContent === wanted, name);
        await this.ready();
    }
    /** Waits until the rows in view have come, and nothing is at work. */
    async ready() {
        await this.page.waitForFunction(() => {
            const main = document.querySelector("main.file");
            const isBusy = main?.getAttribute("aria-busy") === "true" || document.querySelector(".loading, .row.waiting") !== null;
            const tree = document.getElementById("tree");
            return main !== null && !isBusy && (tree === null || tree.querySelector("[role=treeitem]") !== null);
        });
    }
    /** What the page says of the file: its state, its layers, and why it was refused. */
    async facts() {
        return this.page.evaluate(() => {
            const has = (selector) => document.querySelector(`main ${selector}`) !== null;
            const text = (selector) => document.querySelector(`main ${selector}`)?.textContent ?? "";
            return {
                name: text("h1"),
                stack: [...document.querySelectorAll("main .stack .chip")].map((chip) => chip.textContent).join(" > "),
                state: has(".unlock") ? "locked" : has(".refused") ? "refused" : has(".archive") ? "archive" : has("details.note.warn") ? "damaged" : "open",
                code: text(".refused code") || text("details.note.warn p code"),
            };
        });
    }
    /** Downloads the file; one that was changed by the dialog that offers the original first. */
    async download() {
        const button = this.page.locator(".file-actions").getByRole("button", { name: /^Download/ });
        const isChanged = (await button.textContent()).includes("change");
        const came = this.page.waitForEvent("download");
        await button.click();
        if (isChanged) await this.dialog("Download").getByRole("button", { name: "Download the edited file" }).click();
        return this.taken(await came);
    }
    /** What was downloaded: its name and bytes. */
    async taken(download) {
        return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    }

    // ---- the tree ----

    tree() {
        return this.page.getByRole("tree");
    }
    row(label) {
        return this.tree().getByRole("treeitem").filter({ has: this.page.locator(".label", { hasText: new RegExp(`^${escape(label)}$`) }) });
    }
    /** Opens or closes a value. The rows below move: what comes next must not look at the ones before. */
    async toggle(label) {
        const before = await this.row(label).getAttribute("aria-expanded");
        await this.row(label).locator(".twist").click();
        await until(async () => (await this.row(label).getAttribute("aria-expanded")) !== before, `${label} opens or closes`);
    }
    /** The rows that are made now. */
    async rows() {
        return this.page.evaluate(() => {
            const number = (row) => Number(row.id.replace("row-", ""));
            const text = (row, part) => row.querySelector(part)?.textContent ?? "";
            const all = [...document.querySelectorAll("#tree [role=treeitem]")].sort((a, b) => number(a) - number(b));
            return all.map((row) => ({
                label: text(row, ".label"),
                value: text(row, ":scope > .value"),
                type: text(row, ".type"),
                size: text(row, ".size"),
                level: Number(row.getAttribute("aria-level")),
                expanded: row.getAttribute("aria-expanded"),
                selected: row.getAttribute("aria-selected") === "true",
            }));
        });
    }
    /** The path of the selected value, as the page says it. */
    async path() {
        return this.page.locator(".selection .path").textContent();
    }
    /** Selects what stands at a path: by the search, as someone would do it. */
    async go(path) {
        const search = this.page.getByRole("searchbox");
        await search.fill(path);
        await this.page.locator(".search-state", { hasText: /^1 match$/ }).waitFor();
        await search.press("Enter");
        await this.page.waitForFunction((wanted) => document.querySelector(".match.selected") !== null && document.querySelector(".selection .path") !== null, path);
        await search.press("Escape");
        await this.page.locator(".search-state").waitFor({ state: "detached" });
        await this.page.locator("#tree .row.selected").waitFor();
    }
    /** Edits the selected value where it stands. */
    async edit(value, { byMouse = false } = {}) {
        if (byMouse) await this.tree().locator(".row.selected .value").dblclick();
        else await this.tree().press("Enter");
        const input = this.tree().getByRole("textbox");
        await input.fill(value);
        await input.press("Enter");
    }
    async show(panel) {
        await this.page.getByRole("tab", { name: panel }).click();
        await this.page.locator(`[role=tab][aria-selected=true]`, { hasText: panel }).waitFor();
    }
    /** The selected value as it is printed: "Godot text", "JSON", "Plain JSON". */
    async printed(form = "Godot text") {
        await this.show("Value");
        await this.page.locator(".printed").getByRole("button", { name: form, exact: true }).click();
        return () => this.page.locator(".printed pre").textContent();
    }
    dialog(name) {
        return this.page.getByRole("dialog", { name });
    }

    // ---- what all pages must be ----

    /** Serious and critical findings of axe. */
    async axe() {
        return this.page.evaluate(async () => {
            const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
            return violations
                .filter(({ impact }) => impact === "serious" || impact === "critical")
                .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
        });
    }
}
export const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
