// What is said of a file in place of what was found: what it holds, and which of its values is opened.
import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, deflateRawSync } from "node:zlib";
import { encode, frame } from "gdvar";
import { SaveFile, wrap } from "gdvar/saves";
import { read } from "./cases.mjs";
import { command, eventually, gdvar, page, skip, useSite } from "./support.mjs";

useSite();

const player = { hp: 5, name: "Ada" };
const locked = wrap(encode(player), ["gdec-4"], { password: "pw" });
const game = { name: "game.save", bytes: encode({ version: 1, json: '{"a": 1.50, "b": [1, 2]}', data: locked, name: "Ada", zipped: wrap(encode({ data: locked }), ["gzip"]) }) };

const openInside = () => page.page.getByRole("button", { name: "Open inside" });
/** Opens what the value at a path holds; the file that comes is in front. */
async function inside(path) {
    const count = await page.tabs().count();
    await page.go(path);
    await openInside().click();
    await eventually(() => page.tabs().count(), count + 1);
    await page.ready();
}
async function unlock(password) {
    await page.page.getByLabel("Password", { exact: true }).fill(password);
    await page.page.getByRole("button", { name: "Open", exact: true }).click();
    await page.ready();
}
async function readAs({ as, dialect }) {
    const dialog = page.dialog(/^Read .* as$/);
    await page.page.getByRole("button", { name: "Read it as…" }).click();
    await dialog.getByRole("button", { name: "Read", exact: true }).waitFor();
    if (as !== undefined) await dialog.getByLabel("Content").selectOption(as);
    if (dialect !== undefined) await dialog.getByLabel("Engine").selectOption(dialect);
    assert.deepEqual(await page.axe(), []);
    await dialog.getByRole("button", { name: "Read", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await page.ready();
}
const stack = async () => (await page.facts()).stack;

test("a text in a value is opened, and what is changed goes into the whole file", { skip }, async () => {
    await page.drop(game);
    // A name is no document.
    await page.go("$.name");
    assert.equal(await openInside().count(), 0);
    await inside("$.json");
    assert.equal(await stack(), "godot-4.4 packet > string at $.json > json");
    assert.equal(await page.tabs().last().locator("button").first().textContent(), "game.save › $.json");
    await page.go("$.a");
    await page.edit("2.5");
    await eventually(async () => (await page.tree().locator(".row.selected .value").textContent()), "2.5");
    const saved = await page.download();
    assert.equal(saved.name, game.name);
    assert.equal(new SaveFile(saved.bytes).get("$.json"), '{"a": 2.5, "b": [1, 2]}');
    if (command !== undefined) assert.deepEqual(saved.bytes, gdvar(["set", "--inside", "$.json", "-o", "out", "in", "$.a", "2.5"], { in: game.bytes }, { output: "out" }));
});

test("what is changed inside of values is put back into the one file", { skip }, async () => {
    await page.drop(game);
    const putBack = () => page.page.getByRole("button", { name: "Put back" });
    await inside("$.json");
    assert.equal(await putBack().isDisabled(), true);
    await page.go("$.a");
    await page.edit("2.5");
    await putBack().click();
    // The file itself is in front, with one change more.
    await eventually(() => page.path(), "$.json");
    await eventually(async () => (await page.tree().locator(".row.selected .value").textContent()).includes("2.5"), true);
    await inside("$.data");
    await unlock("pw");
    await page.go("$.hp");
    await page.edit("77");
    await putBack().click();
    await eventually(() => page.path(), "$.data");
    let saved = (await page.download()).bytes;
    assert.equal(new SaveFile(saved).get("$.json"), '{"a": 2.5, "b": [1, 2]}');
    assert.equal(new SaveFile(saved, { inside: ["$.data"], password: "pw" }).get("$.hp"), 77);
    // What was changed in the file since is not lost in silence.
    await page.page.getByRole("button", { name: "game.save › $.json" }).first().click();
    await page.go("$.b[0]");
    await page.edit("7");
    await page.page.locator(".tab").first().getByRole("button").first().click();
    await page.go("$.json");
    await page.edit('{"a": 0}');
    await page.page.getByRole("button", { name: "game.save › $.json" }).first().click();
    await putBack().click();
    await page.page.getByRole("alert").filter({ hasText: "was changed in game.save since it was opened here" }).waitFor();
});

test("what is put back goes into the value that it came from, or nowhere", { skip }, async () => {
    const putBack = () => page.page.getByRole("button", { name: "Put back" });
    const outer = () => page.page.locator(".tab").first().getByRole("button").first();
    const inner = () => page.page.locator(".tab").last().getByRole("button").first();
    const same = '{"v": 1}';
    await page.drop({ name: "same.bin", bytes: encode({ arr: [same, same, same] }) });
    await inside("$.arr[1]");
    await page.go("$.v");
    await page.edit("1000");
    await outer().click();
    await page.go("$.arr[0]");
    await page.tree().press("Delete");
    await eventually(async () => (await page.page.locator(".file-actions").textContent()).includes("1 change"), true);
    await inner().click();
    await putBack().click();
    await page.page.getByRole("alert").filter({ hasText: "was changed in same.bin" }).waitFor();
    // When that is taken back, it fits again; also after what was put back was taken back.
    await outer().click();
    await page.page.keyboard.press("Control+z");
    await eventually(async () => (await page.tree().getByRole("treeitem").count()) >= 5, true);
    for (let turn = 0; turn < 2; ++turn) {
        await inner().click();
        if (turn > 0) {
            await page.go("$.v");
            await page.edit("1001");
        }
        await putBack().click();
        await eventually(() => page.path(), "$.arr[1]");
        assert.deepEqual(new SaveFile((await page.download()).bytes).get("$.arr"), [same, `{"v": ${1000 + turn}}`, same]);
        await page.page.getByRole("button", { name: "Undo" }).first().click();
        await eventually(async () => (await page.page.locator(".file-actions").textContent()).includes("change)"), false);
    }
    // A download keeps what was changed, and can be put back all the same.
    await inner().click();
    await page.go("$.v");
    await page.edit("1002");
    await page.download();
    assert.equal(await putBack().isEnabled(), true);
});

test("what is encrypted in an encrypted file has a password of its own", { skip }, async () => {
    const inner = wrap(encode({ hp: 5 }), ["gdec-4"], { password: "in" });
    await page.drop({ name: "two.save", bytes: wrap(encode({ data: inner }), ["gdec-4"], { password: "out" }) });
    await unlock("out");
    await inside("$.data");
    await unlock("in");
    await page.go("$.hp");
    await page.edit("6");
    await page.page.getByRole("button", { name: "Put back" }).click();
    await eventually(() => page.path(), "$.data");
    const saved = new SaveFile((await page.download()).bytes, { password: "out" });
    assert.equal(new SaveFile(saved.get("$.data"), { password: "in" }).get("$.hp"), 6);
});

test("encrypted content of a value asks for its password, one in the other, too", { skip }, async () => {
    await page.drop(game);
    await inside("$.data");
    assert.equal((await page.facts()).state, "locked");
    await unlock("no");
    await page.page.getByRole("alert").waitFor();
    await unlock("pw");
    assert.equal(await stack(), "godot-4.4 packet > bytes at $.data > gdec-4 > godot-4.4 packet");
    await page.go("$.hp");
    await page.edit("77");
    await eventually(async () => (await page.tree().locator(".row.selected .value").textContent()), "77");
    const saved = await page.download();
    const read = (bytes, ...paths) => new SaveFile(bytes, { inside: paths, password: "pw" }).get("$.hp");
    assert.equal(read(saved.bytes, "$.data"), 77);
    assert.equal(read(saved.bytes, "$.zipped", "$.data"), 5);

    await page.closeAll();
    await page.drop(game);
    await inside("$.zipped");
    await inside("$.data");
    await unlock("pw");
    assert.equal(await stack(), "godot-4.4 packet > bytes at $.zipped > gzip > godot-4.4 packet > bytes at $.data > gdec-4 > godot-4.4 packet");
    await page.go("$.hp");
    await page.edit("78");
    await eventually(async () => (await page.tree().locator(".row.selected .value").textContent()), "78");
    assert.equal(read((await page.download()).bytes, "$.zipped", "$.data"), 78);
});

test("a value of a file that was changed is opened as it is now", { skip }, async () => {
    const two = { name: "two.save", bytes: Uint8Array.from([game.bytes, game.bytes].flatMap((packet) => [...frame(packet)])) };
    await page.drop(two);
    await page.go("#1 $.json");
    await page.edit('{"a": 9}');
    await eventually(async () => (await page.tree().locator(".row.selected .value").textContent()).includes("9"), true);
    await inside("#1 $.json");
    await page.go("$.a");
    assert.equal(await page.tree().locator(".row.selected .value").textContent(), "9");
    await page.edit("10");
    await eventually(async () => (await page.tree().locator(".row.selected .value").textContent()), "10");
    const saved = new SaveFile((await page.download()).bytes);
    assert.equal(saved.get("#1 $.json"), '{"a": 10}');
    assert.equal(saved.get("#0 $.json"), '{"a": 1.50, "b": [1, 2]}');
});

test("layers without a magic, when someone says what they are", { skip }, async () => {
    const packet = encode({ a: "hello ".repeat(20) });
    for (const [as, compress] of [["deflate", deflateRawSync], ["brotli", brotliCompressSync]]) {
        await page.drop({ name: `${as}.bin`, bytes: compress(packet) });
        if ((await stack()).startsWith(as)) continue;
        await readAs({ as });
        assert.equal(await stack(), `${as} > godot-4.4 packet`);
        await page.go("$.a");
    }
    // What it is not is said, and it can be tried again.
    await page.drop({ name: "junk.bin", bytes: Uint8Array.of(1, 2, 3, 0xff, 0xff, 0xff, 0xff) });
    await readAs({ as: "zstd" });
    assert.deepEqual([(await page.facts()).state, (await page.facts()).code], ["refused", "bad_magic"]);
    await page.page.getByRole("button", { name: "Read it as…" }).click();
    await eventually(() => page.page.getByLabel("Content").inputValue(), "zstd");
});

test("values for another engine, when someone says for which", { skip }, async () => {
    await page.drop({ name: "p.bin", bytes: encode({ n: 7 }, { dialect: "godot-3.1" }) });
    await page.page.locator("button.stack").click();
    await readAs({ dialect: "godot-3.1" });
    assert.equal(await stack(), "godot-3.1 packet");
    await page.go("$.n");
    await page.edit("8");
    await eventually(async () => (await page.tree().locator(".row.selected .value").textContent()), "8");
    // A file that has changes is not read anew.
    await page.page.locator("button.stack").click();
    await page.page.getByRole("button", { name: "Read it as…" }).click();
    const read = page.dialog(/^Read .* as$/).getByRole("button", { name: "Read", exact: true });
    await read.waitFor();
    assert.equal(await read.isDisabled(), true);
});

test("an encrypted file that was cut off, or is damaged, asks for its password and gives what is left", { skip }, async () => {
    const whole = read("saves/godot-4.6.3/gdec_pass.save");
    const damaged = Uint8Array.from(whole).fill(0xff, 500, 503);
    for (const [bytes, isForced] of [[whole.subarray(0, 1500), false], [damaged, true]]) {
        await page.drop({ name: "locked.save", bytes });
        await unlock("correct horse 1");
        if (isForced) await page.page.getByRole("button", { name: /is right: read what is left/ }).click();
        await page.tree().locator(".row", { hasText: "players" }).first().waitFor();
        // The bytes are those that were encrypted: what is selected is marked in them.
        await page.go("#0 $.version");
        await eventually(async () => (await page.page.locator(".hex .byte.in").allTextContents()).join(" "), "02 00 00 00 01 00 00 00");
        const made = new SaveFile((await page.download()).bytes, { password: "correct horse 1" });
        assert.equal(made.get("#0 $.version"), 1);
        made.close();
        await page.closeAll();
    }
});

test("a password that was mistyped can be typed again, however damaged the file is", { skip }, async () => {
    const whole = read("saves/godot-4.6.3/gdec_pass.save");
    const damaged = Uint8Array.from(whole).fill(0xff, 500, 503);
    for (const [bytes, isForced] of [[whole.subarray(0, 1500), false], [damaged, true]]) {
        await page.drop({ name: "locked.save", bytes });
        await unlock("correct horse");
        if (isForced) await page.page.getByRole("button", { name: /is right: read what is left/ }).click();
        await page.page.getByRole("alert").waitFor();
        assert.equal((await page.facts()).state, "locked");
        await unlock("correct horse 1");
        if (isForced) await page.page.getByRole("button", { name: /is right: read what is left/ }).click();
        await page.tree().locator(".row", { hasText: "players" }).first().waitFor();
        await page.closeAll();
    }
});

const PACK_KEY = "00112233445566778899aabbccddeeff".repeat(2);
test("a key as people write it, also for a pack", { skip }, async () => {
    const pack = { name: "game.pck", bytes: read("resources/godot-4.6.3/encrypted_directory.pck") };
    await page.drop(pack);
    assert.equal((await page.facts()).state, "locked");
    const field = page.page.locator(".unlock input");
    await field.fill("00 11");
    await page.page.getByText("A key has 64 hex digits; these are 4 characters.").waitFor();
    await field.fill(`0x${PACK_KEY.match(/../g).join(" ")}`);
    await field.press("Enter");
    await page.page.locator(".entry button").first().waitFor();
    assert.equal((await page.facts()).state, "archive");
});

test("bytes that follow a value, the last record or a layer are told, and stay", { skip }, async () => {
    const bytes = (...parts) => new Uint8Array(parts.flatMap((part) => [...part]));
    const record = frame(encode(player));
    const rows = [
        ["value.save", bytes(record, frame(bytes(encode(player), [0, 0, 0, 0]))), "not sound: #1 $: bytes follow the value"],
        ["records.save", bytes(record, record, [7, 8, 9]), "not sound: bytes are left over after the last record"],
        ["layer.save", bytes(wrap(encode(player), ["gzip"]), [7, 8, 9]), "not sound: bytes follow a layer"],
        ["sound.save", bytes(record, record), undefined],
    ];
    for (const [name, file, words] of rows) {
        await page.drop({ name, bytes: file });
        const warnings = page.page.locator(".chip.warn");
        await eventually(async () => (await warnings.allTextContents())[0], words);
        assert.deepEqual(new Uint8Array((await page.download()).bytes), file, name);
    }
});
