// The page itself: how files get in, themes, sizes, a page without a network, the page in one file, and what axe finds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { encode } from "gdvar";
import { SaveFile, varToStr } from "gdvar/saves";
import { serve } from "../../bindings/js/tests/chromium.mjs";
import { read } from "./cases.mjs";
import { eventually, folder, skip, startSite, until } from "./support.mjs";

let site, page;
before(async () => {
    if (skip) return;
    site = await startSite();
    page = await site.page();
});
after(() => site?.close());

const plain = { name: "plain.save", bytes: read("saves/godot-4.6.3/plain.save") };
const locked = { name: "locked.save", bytes: read("saves/godot-4.6.3/gdec_pass.save") };
const damaged = { name: "damaged.save", bytes: plain.bytes.subarray(0, 900) };
const config = { name: "settings.cfg", bytes: new TextEncoder().encode("[audio]\nvolume=0.5\n") };
const pack = { name: "pack.pck", bytes: read("resources/godot-4.6.3/pack.pck") };
const names = () => page.tabs().locator("button:first-child").allTextContents();

test("files come by a dialog and by a drop, one or several", { skip }, async () => {
    await page.choose(plain, config);
    assert.deepEqual(await names(), [plain.name, config.name]);
    await page.drop(locked, damaged);
    assert.deepEqual(await names(), [plain.name, config.name, locked.name, damaged.name]);
    await page.front(config.name);
    assert.equal((await page.facts()).stack, "config");
    await page.tabs().getByRole("button", { name: `Close ${config.name}` }).click();
    assert.deepEqual(await names(), [plain.name, locked.name, damaged.name]);
    await page.closeAll();
    // Files of one name can be told apart; a number is free again when its file is closed.
    await page.drop(plain, config, plain, plain);
    assert.deepEqual(await names(), [plain.name, config.name, `${plain.name} (2)`, `${plain.name} (3)`]);
    await page.tabs().getByRole("button", { name: `Close ${plain.name} (2)` }).click();
    await page.drop(plain);
    assert.deepEqual(await names(), [plain.name, config.name, `${plain.name} (3)`, `${plain.name} (2)`]);
    await page.closeAll();
    await page.page.getByRole("button", { name: "Look at an example" }).click();
    await page.tree().waitFor();
    assert.deepEqual((await page.download()).bytes, Buffer.from(plain.bytes));
    await page.closeAll();
});

test("a file is closed while something is asked about it", { skip }, async () => {
    for (let i = 0; i < 5; ++i) {
        await page.drop(plain);
        await page.page.locator(".hex .byte[data-at='40']").waitFor();
        // The value of a byte is asked for, then it is selected; the file is closed between the two.
        await page.page.evaluate(() => {
            document.querySelector(".hex .byte[data-at='40']").click();
            document.querySelector(".tab [aria-label^=Close]").click();
        });
        await until(async () => (await page.tabs().count()) === 0, "it is closed");
    }
    // An answer that came late would have been an error of the page by now.
    await page.drop(plain);
    await page.closeAll();
    await page.check();
});

test("what fails inside of the page is shown", { skip }, async () => {
    const other = await site.page();
    await other.page.evaluate(() => void Promise.reject(new Error("no memory is left")));
    await eventually(() => other.page.getByRole("alert").textContent(), "The page has failed: no memory is left Close");
    await other.page.close();
});

test("changes that have not been downloaded are asked for when the page is left", { skip }, async () => {
    await page.drop(plain);
    await page.go("#0 $.version");
    await page.tree().press("Enter");
    await page.tree().getByRole("textbox").fill("5");
    await page.tree().getByRole("textbox").press("Enter");
    await page.page.locator(".tab .dot").waitFor();
    const asked = () => page.page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
    assert.equal(await asked(), true);
    await page.download();
    await page.page.locator(".tab .dot").waitFor({ state: "detached" });
    assert.equal(await asked(), false);
    await page.closeAll();
});

async function edited(shown) {
    await shown.drop(plain);
    await shown.go("#0 $.version");
    await shown.tree().press("Enter");
    await shown.tree().getByRole("textbox").fill("2");
    await shown.tree().getByRole("textbox").press("Enter");
    await shown.page.locator(".tab .dot").waitFor();
}
/** States of the page that axe looks at, and how to get there. */
const states = {
    welcome: async () => {},
    tree: async (shown) => {
        await shown.drop(plain);
        await shown.go("#0 $.players[3].pos");
    },
    search: async (shown) => {
        await shown.drop(plain);
        await shown.page.getByRole("searchbox").fill("hp");
        await shown.page.locator(".match").first().waitFor();
    },
    edit: async (shown) => {
        await shown.drop(plain);
        await shown.go("#0 $.version");
        await shown.tree().press("Enter");
        await shown.tree().getByRole("textbox").fill('"x"');
        await shown.tree().getByRole("textbox").press("Enter");
        await shown.page.getByRole("alert").waitFor();
    },
    value: async (shown) => {
        await shown.drop(plain);
        await shown.go("#0 $.version");
        await shown.show("Value");
    },
    space: async (shown) => {
        await shown.drop(plain);
        await shown.show("Space");
        await shown.page.locator(".area").first().waitFor();
    },
    text: async (shown) => {
        await shown.drop(config);
        await shown.page.locator(".source-row").first().waitFor();
    },
    locked: async (shown) => {
        await shown.drop(locked);
        await shown.page.locator(".unlock input").fill("wrong");
        await shown.page.locator(".unlock input").press("Enter");
        await shown.page.getByRole("alert").waitFor();
    },
    damaged: async (shown) => {
        await shown.drop(damaged);
        await shown.page.locator("details.note.warn summary").click();
    },
    archive: async (shown) => shown.drop(pack),
    refused: async (shown) => shown.drop({ name: "picture.png", bytes: Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1") }),
    ...Object.fromEntries(
        [["Compare…", "compare"], ["Convert…", "convert"]].map(([button, name]) => [
            name,
            async (shown) => {
                await shown.drop(plain, { name: "other.save", bytes: read("saves/godot-3.6.2/plain.save") });
                await shown.front(plain.name);
                await shown.page.getByRole("button", { name: button }).click();
                if (name === "convert") await shown.dialog("Convert").getByRole("combobox").selectOption("godot-3.1");
                await shown.page.getByRole("dialog").getByRole("status").waitFor();
            },
        ]),
    ),
    changes: async (shown) => {
        await edited(shown);
        await shown.show("Changes");
    },
    download: async (shown) => {
        await edited(shown);
        await shown.page.getByRole("button", { name: /^Download \(/ }).click();
        await shown.dialog("Download").waitFor();
    },
    ...Object.fromEntries(
        [["Rename", "Rename"], ["Add", /^Add to/]].map(([button, title]) => [
            button.toLowerCase(),
            async (shown) => {
                await shown.drop(plain);
                await shown.go("#0 $.version");
                await shown.page.getByRole("button", { name: button, exact: true }).click();
                await shown.dialog(title).waitFor();
            },
        ]),
    ),
    reasons: async (shown) => {
        await shown.drop(plain);
        await shown.page.getByTitle("What this file is, and why").click();
        await shown.dialog(/^What /).locator(".reasons > li").first().waitFor();
    },
    read: async (shown) => {
        await shown.drop(plain);
        await shown.page.getByTitle("What this file is, and why").click();
        await shown.page.getByRole("button", { name: "Read it as…" }).click();
        await shown.dialog(/^Read /).waitFor();
    },
    help: async (shown) => {
        await shown.page.getByRole("button", { name: "Help and keys" }).click();
        await shown.page.getByRole("dialog").waitFor();
    },
};
/** Nothing is wider than the page, and what can be pressed is within it. */
async function expectFits(shown, name) {
    const { wide, width, outside } = await shown.page.evaluate(() => {
        const bar = document.scrollingElement;
        const seen = [...document.querySelectorAll("button, input, select, textarea, summary")].filter((at) => at.checkVisibility({ visibilityProperty: true }));
        // What stands in a box that scrolls can be scrolled to.
        const isScrolled = (at) => at !== null && (/auto|scroll/.test(getComputedStyle(at).overflowX) || isScrolled(at.parentElement));
        const isOutside = (at) => at.getBoundingClientRect().right > innerWidth + 1 && !isScrolled(at.parentElement);
        return { wide: bar.scrollWidth, width: innerWidth, outside: seen.filter(isOutside).map((at) => at.outerHTML.slice(0, 120)) };
    });
    assert.ok(wide <= width, `${name}: ${wide} pixels in ${width}`);
    assert.deepEqual(outside, [], name);
}
const looks = [
    { look: "light", options: { colorScheme: "light" } },
    { look: "dark", options: { colorScheme: "dark" } },
    { look: "phone", options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
];
for (const { look, options } of looks) {
    test(`axe has no serious findings: ${look}`, { skip }, async () => {
        const shown = await site.page(options);
        const findings = {};
        for (const [name, go] of Object.entries(states)) {
            await go(shown);
            const found = await shown.axe();
            if (found.length > 0) findings[name] = found;
            await expectFits(shown, `${look} ${name}`);
            await shown.closeAll();
        }
        assert.deepEqual(findings, {});
        await shown.check();
        await shown.page.context().close();
    });
}

test("panels scroll, the page does not, at any size", { skip }, async () => {
    for (const [width, height] of [[1366, 682], [1366, 500], [390, 844]]) {
        const shown = await site.page({ viewport: { width, height } });
        await shown.drop(plain);
        for (const name of ["Bytes", "Value", "Space", "Changes"]) {
            await shown.page.getByRole("tab", { name }).click();
            await shown.page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
            const sizes = () => shown.page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
            await eventually(sizes, [width, height], name);
        }
        await shown.page.context().close();
    }
});

test("themes: the system's, and the one that was chosen", { skip }, async () => {
    const shown = await site.page({ colorScheme: "dark" });
    const colour = () => shown.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const isDark = async () => Math.max(...(await colour()).match(/\d+/g).map(Number)) < 80;
    const button = shown.page.getByRole("button", { name: /^Theme/ });
    for (const look of [["Theme: system", true], ["Theme: light", false], ["Theme: dark", true], ["Theme: system", true]]) {
        await eventually(async () => [await button.getAttribute("aria-label"), await isDark()], look);
        await button.click();
    }
    // It is kept: the last click chose the light one.
    await shown.page.reload();
    await eventually(() => button.getAttribute("aria-label"), "Theme: light");
    await shown.settle();
    await shown.page.context().close();
});

/** In a page: whether its service worker has all of its files. */
const isKept = () => navigator.serviceWorker.controller !== null;

test("without a network, after the first visit", { skip }, async () => {
    const shown = await site.page();
    await until(() => shown.page.evaluate(isKept), "the page is kept");
    await shown.page.context().setOffline(true);
    await shown.page.reload();
    await shown.page.getByRole("heading", { name: "Open a save" }).waitFor();
    await shown.settle();
    await shown.drop(plain);
    await shown.go("#0 $.players[3].hp");
    assert.deepEqual((await shown.download()).bytes, Buffer.from(plain.bytes));
    // Installable: a manifest with a name and a picture that exists.
    const manifest = JSON.parse(readFileSync(`${folder}/dist/site/manifest.webmanifest`, "utf8"));
    assert.ok(manifest.name && manifest.start_url && manifest.display);
    for (const { src } of manifest.icons) assert.ok(readFileSync(`${folder}/dist/site/${src}`).length > 0);
    await shown.check();
    await shown.page.context().close();
});

test("a browser that keeps nothing", { skip }, async () => {
    const context = await site.browser.newContext();
    const shown = await context.newPage();
    await shown.addInitScript(() => (navigator.serviceWorker.register = () => Promise.reject(new DOMException("not in private windows"))));
    await shown.goto(`${site.server.url}/`);
    await shown.getByRole("heading", { name: "Open a save" }).waitFor();
    await shown.waitForLoadState("networkidle");
    assert.equal(await shown.getByRole("alert").count(), 0);
    await context.close();
});

test("a new version comes whole, also from a host that lets browsers keep files, and leaves its neighbour alone", { skip }, async () => {
    let version = 1;
    const change = (path, bytes) => {
        const text = path.startsWith("/one/") && version === 2 ? bytes.toString() : undefined;
        if (path === "/one/") return text?.replace("<title>", "<title>Second ") ?? bytes;
        return path === "/one/service_worker.js" ? (text?.replace(/[0-9a-f]{16}/, "0123456789abcdef") ?? bytes) : bytes;
    };
    const folders = { "/one/": `${folder}/dist/site`, "/two/": `${folder}/dist/site` };
    const server = await serve(folders, { headers: { "cache-control": "max-age=3600" }, change });
    const context = await site.browser.newContext();
    const [one, two] = [await context.newPage(), await context.newPage()];
    await one.goto(`${server.url}/one/`);
    await two.goto(`${server.url}/two/`);
    for (const page of [one, two]) await until(() => page.evaluate(isKept), "the page is kept");
    const kept = () => one.evaluate(() => caches.keys());
    const both = await kept();
    assert.equal(both.length, 2);
    const first = both.find((name) => name.includes("/one/"));
    version = 2;
    await one.evaluate(() => navigator.serviceWorker.ready.then((registration) => registration.update()));
    await until(async () => !(await kept()).includes(first), "the second version is there");
    await context.setOffline(true);
    for (const [page, title] of [[one, /^Second /], [two, /^(?!Second)/]]) {
        await page.reload();
        await page.getByRole("heading", { name: "Open a save" }).waitFor();
        assert.match(await page.title(), title);
    }
    await context.close();
    await server.close();
});

test("the policy is there, and holds", { skip }, async () => {
    for (const [file, connect] of [["dist/site/index.html", "connect-src 'self'"], ["dist/gdvar.html", "connect-src 'none'"]]) {
        const html = readFileSync(`${folder}/${file}`, "utf8");
        const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
        assert.ok(policy.includes("default-src 'none'") && policy.includes(connect), `${file}: ${policy}`);
        assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|\*|https?:/);
    }
    const shown = await site.page();
    const refused = await shown.page.evaluate(async () => {
        const tried = [fetch("https://example.invalid/"), fetch("http://127.0.0.1:9/")].map((each) => each.then(() => "sent", () => "refused"));
        return Promise.all(tried);
    });
    assert.deepEqual(refused, ["refused", "refused"]);
    await eventually(() => shown.page.evaluate(() => window.broken.length), 2);
    // These were the test's own.
    shown.errors.length = 0;
    await shown.page.context().close();
});

test("the page in one file", { skip }, async () => {
    const shown = await site.page({ oneFile: true });
    await shown.drop(plain);
    await shown.go("#0 $.players[3].hp");
    await shown.tree().press("Enter");
    await shown.tree().getByRole("textbox").fill("9999");
    await shown.tree().getByRole("textbox").press("Enter");
    await until(async () => /1 change/.test(await shown.page.locator(".file-actions").textContent()), "a change");
    assert.equal(new SaveFile((await shown.download()).bytes).get("#0 $.players[3].hp"), 9999);
    await shown.page.getByRole("button", { name: "Undo" }).click();
    await until(async () => !/1 change/.test(await shown.page.locator(".file-actions").textContent()), "no change");
    assert.deepEqual((await shown.download()).bytes, Buffer.from(plain.bytes));
    await shown.closeAll();
    await shown.drop(locked);
    await shown.page.locator(".unlock input").fill("correct horse 1");
    await shown.page.locator(".unlock input").press("Enter");
    await shown.tree().waitFor();
    await shown.closeAll();
    await shown.drop(damaged);
    assert.equal((await shown.facts()).state, "damaged");
    await shown.closeAll();
    await shown.drop({ name: "one.bin", bytes: encode({ a: 1 }) }, { name: "two.bin", bytes: encode({ a: 2 }) });
    await shown.page.getByRole("button", { name: "Compare…" }).click();
    await shown.page.getByText("1 difference").waitFor();
    await shown.closeAll();
    assert.deepEqual(await shown.axe(), []);
});

test("search, views and conversion of the page in one file", { skip }, async () => {
    const shown = await site.page({ oneFile: true });
    await shown.drop(plain);
    await shown.page.getByRole("searchbox").fill("player_1_3");
    await shown.page.locator(".match").first().waitFor();
    await shown.go("#0 $.players[3].pos");
    const pos = new SaveFile(plain.bytes).get("#0 $.players[3].pos");
    await eventually(await shown.printed(), varToStr(pos));
    await eventually(await shown.printed("JSON"), '{"type":"Vector3","args":[3.0,1.0,0.5]}');
    await shown.show("Bytes");
    await eventually(() => shown.page.locator(".hex .byte.in").count(), 4 + 3 * 4);
    await shown.show("Space");
    await shown.page.locator(".area").first().waitFor();
    await shown.page.getByRole("button", { name: "Convert…" }).click();
    const dialog = shown.dialog("Convert");
    await dialog.getByRole("combobox").selectOption("godot-3.1");
    const came = shown.page.waitForEvent("download");
    await dialog.getByRole("button", { name: /Download/ }).click();
    const converted = await shown.taken(await came);
    assert.deepEqual(converted.bytes, Buffer.from(new SaveFile(plain.bytes).convert("godot-3.1").bytes));
    await shown.closeAll();
});
