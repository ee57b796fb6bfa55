// Draws docs/pictures/web-*.png: the page with a save of the tests' data, in both themes and as wide as a phone.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { read } from "./cases.mjs";
import { skip, startSite } from "./support.mjs";

if (skip) throw new Error(skip);
const folder = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
const save = { name: "slot1.save", bytes: read("saves/godot-4.6.3/gcpf_zstd.save") };
const still = { reducedMotion: "reduce", deviceScaleFactor: 1 };
const wide = { ...still, viewport: { width: 1280, height: 800 } };

/** A value is changed, and another one is selected. */
async function change(page) {
    await page.drop(save);
    await page.go("#0 $.players[3].hp");
    await page.tree().press("Enter");
    const input = page.tree().getByRole("textbox");
    await input.fill("9999");
    await input.press("Enter");
    await page.page.getByRole("button", { name: "Download (1 change)" }).waitFor();
}
const pictures = {
    "web-light": { options: { ...wide, colorScheme: "light" }, show: (page) => page.go("#0 $.players[3].pos") },
    "web-dark": {
        options: { ...wide, colorScheme: "dark" },
        async show(page) {
            await page.go("#0 $.players[3].name");
            await page.tree().press("Enter");
            await page.tree().getByRole("textbox").fill("Grace");
        },
    },
    "web-phone": { options: { ...still, viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true, isMobile: true }, show: async () => {} },
};

const site = await startSite();
for (const [name, { options, show }] of Object.entries(pictures)) {
    const page = await site.page(options);
    await change(page);
    await show(page);
    await page.ready();
    await page.page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.page.mouse.move(0, 0);
    // A caret would blink.
    const bytes = await page.page.screenshot({ caret: "hide", animations: "disabled" });
    writeFileSync(`${folder}${name}.png`, bytes);
    console.log(`docs/pictures/${name}.png: ${bytes.length} bytes`);
}
await site.close();
