// What is shown of a file beside its tree: bytes, texts, matches, differences, losses, areas; and what is left of damaged files.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Dictionary, encode, GodotObject, StringName, Vector4 } from "gdvar";
import { makeDocument, recover, SaveFile, wrap } from "gdvar/saves";
import { annotate, Document } from "gdvar/tools";
import { smallRecords } from "../bench/saves.mjs";
import { read } from "./cases.mjs";
import { command, eventually, gdvar, page, skip, until, useSite } from "./support.mjs";

useSite();

const plain = { name: "plain.save", bytes: read("saves/godot-4.6.3/plain.save") };
const three = { name: "three.save", bytes: read("saves/godot-3.6.2/plain.save") };
const config = { name: "settings.cfg", bytes: new TextEncoder().encode('; mine\n[audio]\nvolume = 0.80 ; loud\nname="ä"\n\n[video]\nsize=Vector2( 1, 2 )\n') };
const texts = (locator) => async () => (await locator.allTextContents()).map((text) => text.trim());

test("what is copied, also where a page has no clipboard", { skip }, async () => {
    await page.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.page.evaluate(() => (window.board = navigator.clipboard));
    const copied = () => page.page.evaluate(() => window.board.readText());
    const button = page.page.getByRole("button", { name: /^(Copy path|Copied)$/ });
    await page.drop(plain);
    await page.go("#0 $.players[3].hp");
    // The button says so for a moment.
    const said = page.page.getByRole("button", { name: "Copied" }).waitFor();
    await Promise.all([said, button.click()]);
    await eventually(copied, "#0 $.players[3].hp");
    await page.page.getByRole("button", { name: "Copy path" }).waitFor();
    await page.page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }));
    await page.go("#0 $.players[4].hp");
    await button.click();
    await eventually(copied, "#0 $.players[4].hp");
    await page.page.evaluate(() => (document.execCommand = () => false));
    await button.click();
    await page.page.getByRole("alert").filter({ hasText: "did not allow copying" }).waitFor();
    await page.page.evaluate(() => {
        delete document.execCommand;
        delete navigator.clipboard;
    });
    await page.page.getByRole("alert").getByRole("button", { name: "Close" }).click();
});

/** Offsets of the bytes that are marked, of those in view. */
const marked = () => page.page.evaluate(() => [...document.querySelectorAll(".hex .byte.in")].map((byte) => Number(byte.dataset.at)));
const byte = (offset) => page.page.locator(`.hex .byte[data-at="${offset}"]`);
const range = (begin, end) => Array.from({ length: end - begin }, (_, i) => begin + i);

test("bytes and values, both ways", { skip }, async () => {
    const value = { name: "Ada", hp: 77, list: [1, "two", { deep: true }], pos: 2.5 };
    const packet = encode(value);
    const document = new Document(packet);
    await page.drop({ name: "p.bin", bytes: packet });
    for (const path of ["$.name", "$.hp", "$.list", "$.list[1]", "$.list[2].deep", "$.pos"]) {
        const [begin, end] = document.range(document.lookup(path)[0].node);
        await page.go(path);
        await eventually(marked, range(begin, end), path);
        const said = await page.page.locator(".bytes-panel .panel-head").textContent();
        assert.ok(said.includes(`0x${begin.toString(16)}–0x${(end - 1).toString(16)}`), said);
        // What the fields say is what annotate says.
        const fields = page.page.locator(".fields tbody tr");
        const rows = annotate(document.packet(document.lookup(path)[0].node)).rows;
        await eventually(() => fields.count(), rows.length, path);
        assert.deepEqual(await fields.nth(0).locator("td").nth(1).textContent(), String(rows[0].size));
    }
    // Every byte leads to a value that holds it: a key's to the value of its pair.
    for (let offset = 0; offset < packet.length; offset += 3) {
        await byte(offset).click();
        const chain = document.at(offset);
        let node = chain.at(-1);
        const parent = chain.at(-2);
        if (parent !== undefined && document.type(parent) === "Dictionary") node = [...document.pairs(parent)].find((pair) => pair.includes(node))[1];
        await eventually(() => page.path(), document.path(node), `byte ${offset}`);
        await eventually(marked, range(...document.range(node)), `byte ${offset}`);
    }
    document.close();
});

test("bytes and values of records in a layer", { skip }, async () => {
    await page.drop({ name: "zipped.save", bytes: read("saves/godot-4.6.3/gcpf_zstd.save") });
    await page.go("#1 $[1]");
    const at = (await marked())[0];
    // The second record begins behind the first one and its length.
    const first = new SaveFile(plain.bytes).packet(0).length;
    await eventually(async () => (await marked())[0], 4 + first + 4 + 8 + 8, `${at}`);
    await page.page.locator(".hex .byte:not(.in)").last().click();
    await until(async () => (await page.path()) !== "#1 $[1]", "another value");
});

test("lines of a text and values, both ways", { skip }, async () => {
    await page.drop(config);
    for (const [path, mark] of [["$.audio.volume", "0.80"], ["$.audio.name", '"ä"'], ["$.video.size", "Vector2( 1, 2 )"]]) {
        await page.go(path);
        await eventually(texts(page.page.locator(".source mark")), [mark], path);
    }
    await page.page.locator("[data-row]", { hasText: "volume" }).click({ position: { x: 75, y: 8 } });
    await eventually(() => page.path(), '$.audio.volume');
    await page.page.getByRole("button", { name: "Bytes", exact: true }).click();
    await eventually(marked, range(24, 28));
});

test("a text of one long line is folded", { skip }, async () => {
    const json = JSON.stringify(Array.from({ length: 5000 }, (_, id) => ({ id, name: `żółw ${id}` })));
    await page.drop({ name: "long.json", bytes: new TextEncoder().encode(json) });
    await page.go("$[4321].name");
    const mark = page.page.locator(".source mark");
    await eventually(async () => (await mark.allTextContents()).join(""), '"żółw 4321"');
    const { isInView, isWide } = await page.page.evaluate(() => {
        const list = document.querySelector(".source .virtual");
        const [outer, inner] = [list, list.querySelector("mark")].map((element) => element.getBoundingClientRect());
        return { isInView: inner.top >= outer.top && inner.bottom <= outer.bottom && inner.right <= outer.right, isWide: list.scrollWidth > list.clientWidth };
    });
    assert.deepEqual([isInView, isWide], [true, false]);
    // What is folded is the whole text.
    await page.page.locator(".source .virtual").evaluate((list) => list.scrollTo(0, 0));
    const rows = texts(page.page.locator(".source code"));
    await until(async () => (await rows())[0].startsWith('[{"id":0,'), "the first row");
    assert.ok(json.startsWith((await page.page.locator(".source code").allTextContents()).join("")));
    await page.page.locator(".source code").nth(2).click({ position: { x: 3, y: 8 } });
    await until(async () => (await page.path()) !== "$[4321].name", "another value");
    // Rows are as long as there is room.
    const before = (await rows())[0].length;
    await page.page.setViewportSize({ width: 1900, height: 1000 });
    await until(async () => (await rows())[0].length > before, "longer rows");
    await page.page.setViewportSize({ width: 1280, height: 1000 });
    await until(async () => (await rows())[0].length === before, "rows as before");
});

test("search: keys, values, paths", { skip }, async () => {
    await page.drop(plain);
    const search = page.page.getByRole("searchbox");
    const state = () => page.page.locator(".search-state").textContent();
    const found = texts(page.page.locator(".match"));
    const count = { hp: 20, HP: 20, player_1_7: 1, two: 1, "$.players[*].hp": 20, "#1 $[1]": 1, "#2": 1, nothingofthekind: 0 };
    for (const [query, wanted] of Object.entries(count)) {
        await search.fill(query);
        await eventually(state, `${wanted} match${wanted === 1 ? "" : "es"}`, query);
    }
    await search.fill("$.players[");
    await until(async () => !/match/.test(await state()), "a path that is none is told");
    await search.fill("player_1_7");
    await eventually(state, "1 match");
    assert.match((await found())[0], /players › 7 › name/);
    await search.press("Enter");
    await eventually(() => page.path(), "#0 $.players[7].name");
    // Enter goes on, and back with Shift.
    await search.fill("hp");
    await eventually(state, "20 matches");
    for (const [key, path] of [["Enter", "#0 $.players[0].hp"], ["Enter", "#0 $.players[1].hp"], ["Shift+Enter", "#0 $.players[0].hp"], ["ArrowUp", "#0 $.players[19].hp"]]) {
        await search.press(key);
        await eventually(() => page.path(), path, key);
    }
});

test("search in many records finds what a search in each of them does", { skip }, async () => {
    // Of several pieces of a megabyte, in which records stand across the borders.
    const { bytes } = smallRecords(2.5e6);
    await page.drop({ name: "many.save", bytes });
    const save = new SaveFile(bytes);
    const search = page.page.getByRole("searchbox");
    const state = () => page.page.locator(".search-state").textContent();
    for (const query of ["PLAYER_0004567", "_00045", "sword", "SWORD", "hp", "777", "vector", "true", "no such text"]) {
        let wanted = 0;
        for (let i = 0; i < save.count; ++i) {
            const document = save.document(i);
            for (const node of document.find(query)) if (node !== undefined) ++wanted;
            document.close();
        }
        await search.fill(query);
        const cut = wanted > 1000 ? ", the first 1,000 are listed" : "";
        await eventually(state, `${wanted.toLocaleString("en")} match${wanted === 1 ? "" : "es"}${cut}`, query);
    }
    await page.closeAll();
});

test("what is typed before the browser has drawn the file is searched for", { skip }, async () => {
    await page.drop({ name: "one.bin", bytes: encode({ a: 1 }) }, { name: "two.bin", bytes: encode({ b: { c: 2 } }) });
    await page.front("one.bin");
    // In one task, so that no frame comes between.
    await page.page.evaluate(async () => {
        document.querySelectorAll(".tab > button:first-child")[1].click();
        for (let turn = 0; turn < 1000 && document.querySelector("main h1").textContent !== "two.bin"; ++turn) await undefined;
        const search = document.getElementById("search");
        search.value = "$.b.c";
        search.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await page.page.locator(".search-state", { hasText: /^1 match$/ }).waitFor();
    assert.equal(await page.page.getByRole("searchbox").inputValue(), "$.b.c");
    await page.page.getByRole("searchbox").press("Enter");
    await eventually(() => page.path(), "$.b.c");
    assert.equal(await page.page.locator("main h1").textContent(), "two.bin");
});

test("Enter before the search has begun goes to a match of what was typed", { skip }, async () => {
    await page.drop(plain);
    const search = page.page.getByRole("searchbox");
    await search.fill("player_1_3");
    await page.page.locator(".match").first().waitFor();
    // Both in one task: no time for the search.
    const typed = (text, key) =>
        page.page.evaluate(
            ([text, key]) => {
                const input = document.getElementById("search");
                input.value = text;
                input.dispatchEvent(new InputEvent("input", { bubbles: true }));
                return new Promise((done) => queueMicrotask(() => done(input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))));
            },
            [text, key],
        );
    await typed("player_1_7", "Enter");
    await eventually(() => page.path(), "#0 $.players[7].name");
    await typed("player_1_", "ArrowUp");
    await eventually(() => page.path(), "#0 $.players[19].name");
    // Nothing is found: nothing is selected.
    await typed("no such text", "Enter");
    await page.page.locator(".search-state", { hasText: "0 matches" }).waitFor();
    assert.equal(await page.path(), "#0 $.players[19].name");
});

test("keys of the tree", { skip }, async () => {
    await page.drop(plain);
    const tree = page.tree();
    await page.go("#0 $.players");
    const press = async (key, path) => {
        await tree.press(key);
        await eventually(() => page.path(), path, key);
        await page.ready();
    };
    const expanded = (value) => eventually(() => tree.locator(".row.selected").getAttribute("aria-expanded"), value);
    await tree.press("ArrowRight");
    await expanded("true");
    await press("ArrowRight", "#0 $.players[0]");
    await tree.press(" ");
    await expanded("true");
    await press("ArrowDown", "#0 $.players[0].name");
    await press("ArrowLeft", "#0 $.players[0]");
    await tree.press("ArrowLeft");
    await expanded("false");
    await press("ArrowLeft", "#0 $.players");
    await press("End", "#2 $");
    await press("Home", "#0 $");
    await press("ArrowDown", "#0 $.version");
    await press("ArrowUp", "#0 $");
    // The tree tells screen readers where a row stands.
    const row = page.row("players");
    assert.deepEqual(await Promise.all(["aria-level", "aria-posinset", "aria-selected"].map((name) => row.getAttribute(name))), ["2", "2", "false"]);
});

test("every row of an open tree", { skip }, async () => {
    const value = { a: 1, b: [true, null, "x\ny"], c: { d: 0.5, e: [], f: {} }, 7: new Uint8Array([1, 2, 3]) };
    await page.drop({ name: "p.bin", bytes: encode(new Map([...Object.entries(value).slice(1), [7, value[7]]])) });
    for (const label of ["b", "c"]) await page.toggle(label);
    await eventually(
        async () => (await page.rows()).map(({ label, level, type, value }) => [level, label, type, value]),
        [
            [1, "$", "Dictionary", "4 pairs · a, b, c, 7"],
            [2, "a", "int", "1"],
            [2, "b", "Array", "3 elements"],
            [3, "0", "bool", "true"],
            [3, "1", "Nil", "null"],
            [3, "2", "String", '"x\\ny"'],
            [2, "c", "Dictionary", "3 pairs · d, e, f"],
            [3, "d", "float", "0.5"],
            [3, "e", "Array", "0 elements"],
            [3, "f", "Dictionary", "0 pairs"],
            [2, "7", "PackedByteArray", "3 · 1, 2, 3"],
        ],
    );
});

test("Godot text and JSON are the command's", { skip: skip || (command === undefined && "SKIPPED: the command has not been built") }, async () => {
    for (const [file, path] of [[plain, "#0 $.players[3]"], [plain, "#1 $"], [three, "#0 $"], [config, "$.audio"]]) {
        await page.drop(file);
        await page.go(path);
        for (const [form, ...words] of [["Godot text"], ["JSON", "--json"], ["Plain JSON", "--plain"]]) {
            const shown = await page.printed(form);
            const wanted = gdvar(["get", ...words, file.name, path], { [file.name]: file.bytes });
            await eventually(async () => inOneLine(await shown()), inOneLine(wanted), `${file.name} ${path} ${form}`);
        }
        await page.closeAll();
    }
});

test("all values of a file are exported as the command prints them", { skip: skip || (command === undefined && "SKIPPED: the command has not been built") }, async () => {
    const settings = makeDocument("project", [{ name: "application/name", value: "x" }, { name: "display/size", value: [1, 2] }], "godot-4.4");
    for (const file of [plain, { name: "project.binary", bytes: settings }]) {
        await page.drop(file);
        for (const [form, ending, ...words] of [["JSON", "jsonl", "json", "--lines"], ["Plain JSON", "jsonl", "json", "--plain", "--lines"], ["Godot text", "txt", "text"]]) {
            await page.printed(form);
            const came = page.page.waitForEvent("download");
            await page.page.getByRole("button", { name: "Export all" }).click();
            const { name, bytes } = await page.taken(await came);
            assert.equal(name, `${file.name}.${ending}`);
            assert.equal(bytes.toString().trim(), gdvar([...words, file.name], { [file.name]: file.bytes }).trim(), `${file.name} ${form}`);
        }
        await page.closeAll();
    }
    // One value is all there is.
    await page.drop({ name: "p.bin", bytes: encode({ a: 1 }) });
    await page.show("Value");
    assert.equal(await page.page.getByRole("button", { name: "Export all" }).count(), 0);
});

/** The page prints JSON in lines; a text in it has no line ends. */
const inOneLine = (text) => text.trim().replace(/\n\s*/g, "").replaceAll('": ', '":');

test("compare: the paths of the command's diff", { skip }, async () => {
    const one = { name: "one.bin", bytes: encode({ hp: 1, gone: "x", list: [1, 2, 3, 4, 5, 6], deep: { a: [{ b: 1 }] } }) };
    const two = { name: "two.bin", bytes: encode({ hp: 2, list: [1, 9, 3, 5, 6, 7], deep: { a: [{ b: 2 }] }, came: [1] }) };
    await page.drop(one, two);
    await page.front(one.name);
    await page.page.getByRole("button", { name: "Compare…" }).click();
    const dialog = page.dialog("Compare one.bin");
    const lines = texts(dialog.locator(".difference"));
    await until(async () => (await lines()).length > 0, "differences");
    assert.deepEqual(await texts(dialog.locator(".legend li"))(), ["~ changed", "− only in one.bin", "+ only in two.bin"]);
    const paths = await texts(dialog.locator(".difference .path"))();
    const [before, now] = [texts(dialog.locator(".difference del")), texts(dialog.locator(".difference ins"))];
    assert.ok(paths.includes("$.hp") && paths.includes("$.gone") && paths.includes("$.came") && paths.includes("$.deep.a[0].b"), paths.join(" "));
    // Elements that went or came before another one do not make it look changed.
    assert.equal(paths.filter((path) => path.startsWith("$.list")).length, 3, paths.join(" "));
    assert.deepEqual((await before()).sort(), ['"x"', "1", "1", "2", "4"]);
    assert.deepEqual((await now()).sort(), ["2", "2", "7", "9", "[1]"]);
    if (command !== undefined) {
        const said = gdvar(["diff", "one", "two"], { one: one.bytes, two: two.bytes }, { status: [4] });
        const named = said.split("\n").map((line) => /\$[^ :=]*/.exec(line)?.[0]).filter(Boolean);
        assert.deepEqual([...paths].sort(), named.sort());
    }
    await page.page.keyboard.press("Escape");
    await page.closeAll();
    // The same values in other layers, and the same bytes.
    const zipped = { name: "zipped.save", bytes: read("saves/godot-4.6.3/gcpf_zstd.save") };
    for (const [other, said] of [[zipped, "All values are equal, but the bytes differ."], [{ name: "copy.save", bytes: plain.bytes }, "The files are the same, byte for byte."]]) {
        await page.drop(plain, other);
        await page.page.getByRole("button", { name: "Compare…" }).click();
        await page.page.getByRole("dialog").getByText(said).waitFor();
        await page.page.keyboard.press("Escape");
        await page.closeAll();
    }
});

test("convert: the bytes and the losses of the command", { skip }, async () => {
    const cases = [
        { file: three, to: "godot-4.4" },
        { file: plain, to: "godot-3.1" },
        { file: plain, to: "pandemonium-5" },
        { file: { name: "p.save", bytes: read("saves/pandemonium-5.3/plain.save") }, to: "godot-3.1" },
        { file: { name: "lossy.bin", bytes: encode({ v: [new Vector4(1, 2, 3, 4), 7], name: new StringName("hero") }) }, to: "godot-3.1", lost: 1 },
    ];
    for (const { file, to, lost = 0 } of cases) {
        await page.drop(file);
        await page.page.getByRole("button", { name: "Convert…" }).click();
        const dialog = page.dialog("Convert");
        await dialog.getByRole("combobox").selectOption(to);
        const status = dialog.getByRole("status");
        await status.waitFor();
        const wanted = new SaveFile(file.bytes, { objects: true }).convert(to);
        const losses = await texts(dialog.getByRole("region", { name: "Losses" }).locator("tr td:first-child"))();
        assert.deepEqual(losses, wanted.losses.map(({ path }) => path));
        assert.ok(losses.length >= lost, `${file.name}: ${losses}`);
        const came = page.page.waitForEvent("download");
        await dialog.getByRole("button", { name: /^Download / }).click();
        const { name, bytes } = await page.taken(await came);
        assert.equal(name, file.name.replace(".", `-${to}.`));
        assert.deepEqual(bytes, Buffer.from(wanted.bytes));
        if (command !== undefined) {
            const native = gdvar(["convert", "--lossy", "--to", to, "in", "-o", "out"], { in: file.bytes }, { output: "out" });
            assert.deepEqual(bytes, native, `${file.name} ${to}`);
        }
        await dialog.getByRole("button", { name: "Open it here" }).click();
        await until(async () => (await page.tabs().count()) === 2, "the copy opens");
        await page.ready();
        assert.ok((await page.facts()).stack.includes(to));
        await page.closeAll();
    }
});

test("where the bytes go", { skip }, async () => {
    await page.drop(plain);
    await page.show("Space");
    const areas = page.page.locator(".space .area.depth1");
    await until(async () => (await areas.count()) === 3, "three records");
    // The largest is the first, and its area is the largest.
    const sizes = await areas.evaluateAll((all) => all.map((area) => [area.title, area.offsetWidth * area.offsetHeight]));
    assert.match(sizes[0][0], /^#0: .*Dictionary/);
    assert.ok(sizes[0][1] > 0.9 * sizes.reduce((sum, [, area]) => sum + area, 0));
    await areas.first().click({ position: { x: 4, y: 4 } });
    await eventually(() => page.path(), "#0 $");
    await until(async () => (await texts(areas)()).some((text) => text.startsWith("players")), "its parts");
    await page.page.locator(".crumbs button").first().click();
    await until(async () => (await areas.count()) === 3, "the records again");
    // The colour and what opens go by what a value is, whatever the name of its class.
    await page.closeAll();
    const objects = [new GodotObject("Node2D", new Dictionary([["a", 1]])), new GodotObject("PackedScene", new Dictionary([["b", 2]])), true, new Uint8Array(9)];
    await page.drop({ name: "objects.bin", bytes: encode(objects, { objects: true }) });
    await page.show("Space");
    const look = (name) => page.page.locator(`.area.depth1[title^="${name}:"]`).evaluate((area) => area.className.split(" ").at(-1));
    await until(async () => (await areas.count()) === 4, "four values");
    assert.deepEqual(await Promise.all(["0", "1", "2", "3"].map(look)), ["container", "container", "word", "packed"]);
    const crumbs = page.page.locator(".crumbs button");
    await areas.filter({ hasText: "3" }).first().click();
    await eventually(() => page.path(), "$[3]");
    assert.equal(await crumbs.count(), 1);
    await page.page.locator('.area.depth1[title^="0:"]').click({ position: { x: 4, y: 4 } });
    await eventually(() => crumbs.count(), 2);
});

test("the files of a pack", { skip }, async () => {
    await page.drop({ name: "pack.pck", bytes: read("resources/godot-4.6.3/pack.pck") });
    assert.equal((await page.facts()).state, "archive");
    const entry = page.page.locator(".entry button:enabled").first();
    const name = (await entry.textContent()).split("/").at(-1);
    await entry.click();
    await until(async () => (await page.tabs().count()) === 2, "the entry opens");
    await page.ready();
    assert.equal((await page.facts()).name, name);
    // It is opened to be read: nothing can be changed.
    await page.tree().press("Delete");
    assert.equal(await page.page.locator(".chip.warn").textContent(), "read-only");
});

test("what a file is, and why", { skip }, async () => {
    await page.drop({ name: "z.save", bytes: wrap(plain.bytes, ["base64", "gcpf-zstd"]) });
    await page.page.getByTitle("What this file is, and why").click();
    const dialog = page.dialog("What z.save is");
    await eventually(async () => (await texts(dialog.locator(".reasons > li > strong"))()).slice(0, 2), ["base64", "gcpf-zstd"]);
    await dialog.getByText("godot-4.4").first().waitFor();
});

test("damaged files: what can be read, up to the break", { skip }, async () => {
    // The type of the second player, or the one behind the first key.
    const flip = (at) => plain.bytes.map((each, i) => (i === at ? 0xff : each));
    const document = new SaveFile(plain.bytes).document();
    const [player] = document.range(document.lookup("$.players[1]")[0].node);
    const large = encode({ list: Array.from({ length: 20_000 }, (_, i) => `a text of ${i}`) });
    const zipped = wrap(large, ["gcpf-zstd"]);
    const damaged = [
        ["cut.save", plain.bytes.subarray(0, plain.bytes.length - 60)],
        ["cut_early.save", plain.bytes.subarray(0, Math.floor(plain.bytes.length / 3))],
        ["flipped.save", flip(4 + player)],
        ["flipped_late.save", flip(4 + document.size + 4)],
        ["zipped_cut.save", zipped.subarray(0, Math.floor(zipped.length / 2))],
        ["packet_cut.bin", large.subarray(0, 60_000)],
        ["config_cut.cfg", config.bytes.subarray(0, config.bytes.length - 6)],
        ["nothing_left.save", read("saves/godot-4.6.3/gcpf_zstd.save").subarray(0, 100)],
    ];
    document.close();
    let seen = 0;
    for (const [name, bytes] of damaged) {
        await page.drop({ name, bytes });
        const { state } = await page.facts();
        let recovery;
        try {
            const save = new SaveFile(bytes, { objects: true });
            // A packet is read when it is asked for.
            for (let i = 0; i < save.count; ++i) save.document(i).close();
        } catch {
            recovery = { items: [] };
            try {
                recovery = recover(bytes);
            } catch (error) {
                // Not even a part of it is there.
                assert.equal(error.name, "GdvarError");
            }
        }
        assert.equal(state, recovery === undefined ? "open" : recovery.items.length === 0 ? "refused" : "damaged", name);
        if (state === "damaged") {
            // The bytes are those that the layers hold, as far as they can be taken off.
            const size = recovery.contentSize;
            if (size < 10_000 && !recovery.kind.text) await page.page.locator(".bytes-panel .panel-head", { hasText: `${size.toLocaleString("en")} bytes` }).waitFor();
            const note = page.page.locator("details.note.warn");
            assert.ok((await note.textContent()).includes(`${recovery.items.length} value`), name);
            await note.locator("summary").click();
            await note.locator("code").first().waitFor();
            await eventually(async () => (await page.rows()).filter(({ level }) => level === 1).length, Math.min(recovery.items.length, 40), name);
            // What was recovered is a sound file.
            const saved = await page.download();
            assert.equal(saved.name, `${name}.recovered`);
            assert.deepEqual(saved.bytes, Buffer.from(recovery.write()));
            assert.ok(new SaveFile(saved.bytes, { objects: true }).count > 0);
            if (command !== undefined) assert.deepEqual(saved.bytes, gdvar(["recover", "in", "-o", "out"], { in: bytes }, { status: [0, 4], output: "out" }), name);
            ++seen;
        }
        await page.closeAll();
    }
    assert.ok(seen === 7, `${seen} damaged`);
    // What is no save at all.
    await page.drop({ name: "picture.png", bytes: Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1") });
    assert.equal((await page.facts()).state, "refused");
    await page.closeAll();
    await page.drop({ name: "empty.save", bytes: new Uint8Array(0) });
    assert.equal((await page.facts()).state, "refused");
});

test("containers of which the file says more than there is are marked, and no others", { skip }, async () => {
    const whole = encode({ a: 1, inv: { sword: [1, 2], x: { y: 1 } } });
    const marked = { 56: ["$", "inv"], 76: ["$", "inv", "sword"], 84: ["$", "inv", "sword"], 92: ["$", "inv"], 112: ["$", "inv", "x"] };
    for (const [size, wanted] of Object.entries(marked)) {
        await page.drop({ name: `cut${size}.bin`, bytes: whole.subarray(0, Number(size)) });
        await page.tree().press("Home");
        for (let row = 0; row < 8; ++row) for (const key of ["ArrowRight", "ArrowDown"]) await page.tree().press(key);
        await eventually(async () => {
            const rows = await page.tree().locator(".row.broken .label").allTextContents();
            return rows.map((row) => row.trim());
        }, wanted, size);
        await page.closeAll();
    }
});
