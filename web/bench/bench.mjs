// Measures the page with saves of 200 MB: when it is seen, when a save is open, and how long the page stands still meanwhile.
//
//     node bench/bench.mjs [MEGABYTES]
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skip, startSite, until } from "../tests/support.mjs";
import { manyRecords, onePacket, smallRecords } from "./saves.mjs";

if (skip) throw new Error(skip);
const size = Number(process.argv[2] ?? 200) * 1e6;
const WAIT = 120_000;
const site = await startSite();
const place = mkdtempSync(join(tmpdir(), "gdvar-bench-"));

/** Milliseconds that the longest task of the page took since `reset`; 0: none took 50, which is when a browser tells. */
async function watch(page) {
    await page.page.evaluate(() => {
        window.tasks = [];
        new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
    });
    return {
        reset: () => page.page.evaluate(() => (window.tasks.length = 0)),
        longest: () => page.page.evaluate(() => Math.round(Math.max(0, ...window.tasks))),
    };
}
async function timed(work) {
    const begun = performance.now();
    await work();
    return Math.round(performance.now() - begun);
}
const milliseconds = (value) => `${value} ms`;

async function measure(make) {
    const page = await site.page();
    page.page.setDefaultTimeout(WAIT);
    const paint = await page.page.evaluate(() => Math.round(performance.getEntriesByName("first-contentful-paint")[0].startTime));
    const { name, bytes, players } = make(size);
    const file = join(place, name);
    writeFileSync(file, bytes);
    const tasks = await watch(page);
    const row = { save: name, MB: (bytes.length / 1e6).toFixed(0), players, "first paint": milliseconds(paint) };

    const chooser = page.page.waitForEvent("filechooser");
    await page.page.getByRole("button", { name: "Open…" }).click();
    const given = await chooser;
    row["tree shown"] = milliseconds(
        await timed(async () => {
            await given.setFiles(file);
            await page.tree().getByRole("treeitem").first().waitFor({ timeout: WAIT });
        }),
    );
    rmSync(file);
    row["longest task, opening"] = milliseconds(await tasks.longest());

    // The outermost value, or the first record, opens; then from the first row to the last one, and by the wheel.
    const first = page.tree().getByRole("treeitem").first();
    if ((await first.getAttribute("aria-expanded")) !== "true") await first.locator(".twist").click();
    await until(async () => (await first.getAttribute("aria-expanded")) === "true", "the first value opens", WAIT);
    await tasks.reset();
    row["scroll"] = milliseconds(
        await timed(() =>
            page.page.evaluate(async () => {
                const tree = document.getElementById("tree");
                const frame = () => new Promise((resume) => requestAnimationFrame(resume));
                for (let i = 0; i <= 200; ++i) {
                    tree.scrollTop = (tree.scrollHeight * i) / 200;
                    await frame();
                }
                for (let i = 0; i < 100; ++i) {
                    tree.dispatchEvent(new WheelEvent("wheel", { deltaY: -240, bubbles: true, cancelable: true }));
                    await frame();
                }
            }),
        ),
    );
    row["rows came"] = milliseconds(await timed(() => page.ready()));
    row["longest task, scrolling"] = milliseconds(await tasks.longest());

    const search = page.page.getByRole("searchbox");
    const found = async (query, wanted) => {
        await search.fill(query);
        await page.page.locator(".search-state", { hasText: wanted }).waitFor({ timeout: WAIT });
        await until(async () => !(await page.page.locator(".search-state").textContent()).includes("so far"), "the search ends", WAIT);
    };
    await tasks.reset();
    const last = `player_${String(players - 1).padStart(7, "0")}`;
    row["search for one"] = milliseconds(await timed(() => found(last, /^1 match$/)));
    row["search for all"] = milliseconds(await timed(() => found("sword", new RegExp(`^${players.toLocaleString("en")} matches`))));
    row["longest task, searching"] = milliseconds(await tasks.longest());
    await search.fill("");

    await tasks.reset();
    await page.go(name === "packet.bin" ? `$[${players - 1}].hp` : name === "records.save" ? "#0 $[999].hp" : `#${players - 1} $.hp`);
    await page.tree().press("Enter");
    await page.tree().getByRole("textbox").fill("12345");
    row["change a value"] = milliseconds(
        await timed(async () => {
            await page.tree().getByRole("textbox").press("Enter");
            await page.page.locator(".file-actions", { hasText: "1 change" }).waitFor({ timeout: WAIT });
        }),
    );
    row["longest task, changing"] = milliseconds(await tasks.longest());
    row["most memory"] = `${Math.round((await memory()) / 1e6)} MB`;
    await page.page.context().close();
    return row;
}
/** The most that a process of a page had, in bytes: its worker and what WebAssembly holds are in it. */
async function memory() {
    const session = await site.browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    await session.detach();
    const most = (id) => Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]) * 1024;
    return Math.max(...processInfo.filter(({ type }) => type === "renderer").map(({ id }) => most(id)));
}

try {
    const rows = [];
    for (const make of [onePacket, manyRecords, smallRecords]) {
        rows.push(await measure(make));
        console.error(`${rows.at(-1).save} measured`);
    }
    const wide = Math.max(...Object.keys(rows[0]).map((name) => name.length));
    for (const name of Object.keys(rows[0])) console.log(name.padEnd(wide + 2) + rows.map((row) => String(row[name]).padStart(20)).join(""));
} finally {
    rmSync(place, { recursive: true });
    await site.close();
}
