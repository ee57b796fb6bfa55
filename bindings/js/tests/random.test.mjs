// Random values of all types in all dialects, against the native command: what it prints of packets that are written here,
// and what it writes of texts that are printed here. One packet of each value is damaged, against the native library.
//
// GDVAR_RANDOM_VALUES: how many values, in all dialects together. GDVAR_SEED: others than those of every day.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import * as gdvar from "gdvar";
import * as saves from "gdvar/saves";
import * as tools from "gdvar/tools";
import { answerTo, hashes, makeAnswers } from "./answers.mjs";
import { caseFile, options as optionsOf } from "./cases.mjs";
import { Native, skip as skipLibrary } from "./native.mjs";
import { abilities, maker } from "./random_values.mjs";
import { hex, mutated, random } from "./support.mjs";

const count = Number(process.env.GDVAR_RANDOM_VALUES ?? 100_000);
const seed = Number(process.env.GDVAR_SEED ?? 1) * 1000;
const command = process.env.GDVAR_COMMAND;
const skip = command === undefined ? "GDVAR_COMMAND does not name the native command" : skipLibrary;
const dialects = gdvar.dialects();
const share = Math.ceil(count / dialects.length);

const folder = mkdtempSync(`${tmpdir()}/gdvar-random-`);
after(() => rmSync(folder, { recursive: true }));
const run = (...words) => execFileSync(command, words, { maxBuffer: 1 << 30, env: { ...process.env, NO_COLOR: "1" } });
const linesOf = (...words) => run(...words).toString().split("\n").slice(0, -1);
/** As Buffer.toString and the rest of Node show texts that are not UTF-8. */
const shown = (text) => Buffer.from(text).toString();

function isSound(packet, options) {
    try {
        return gdvar.validate(packet, { ...options, strict: true }) === packet.length;
    } catch (error) {
        if (error.code === "duplicate_key") return false;
        throw error;
    }
}
function sameLines(printed, wanted, packets) {
    assert.equal(printed.length, wanted.length);
    wanted.forEach((text, i) => assert.equal(printed[i], shown(text), hex(packets[i])));
}

for (const [number, each] of dialects.entries()) {
    const dialect = each.name;
    const options = { dialect, objects: true };
    const next = random(seed + number);
    const packets = [];
    const file = `${folder}/${dialect}`;

    test(`${dialect}: ${share} values`, { skip }, () => {
        const make = maker(abilities(each), next);
        const texts = [];
        const json = [];
        for (let i = 0; i < share; ++i) {
            const packet = gdvar.encode(make(), options);
            const value = gdvar.decode(packet, options);
            assert.equal(hex(gdvar.encode(value, options)), hex(packet));
            packets.push(packet);
            texts.push(tools.toTextFull(value, options));
            json.push(tools.toJson(value, options));
        }
        writeFileSync(file, Buffer.concat(packets.map((packet) => gdvar.frame(packet))));
        const given = ["--as", "records", "--dialect", dialect, "--objects", "--no-passwords", "--no-inside", file];
        sameLines(linesOf("text", "--full", ...given), texts, packets);
        sameLines(linesOf("json", "--lines", ...given), json, packets);
        // The command writes no Dictionary with a key twice.
        const sound = [...packets.keys()].filter((i) => isSound(packets[i], options));
        assert.ok(sound.length > 0.9 * share, `${sound.length} of ${share}`);
        writeFileSync(`${file}.txt`, sound.map((i) => `${texts[i]}\n`).join(""));
        const packed = run("pack", "--full", "--frame", "records", "--dialect", dialect, "--objects", `${file}.txt`);
        const framer = new gdvar.StreamFramer();
        let at = 0;
        for (const packet of framer.feed(packed)) assert.equal(hex(packet), hex(packets[sound[at++]]));
        assert.equal(at, sound.length);
    });

    test(`${dialect}: ${share} damaged packets`, { skip }, async () => {
        const broken = packets.map((packet) => mutated(packet, next));
        assert.ok(broken.length > 0.99 * share);
        const cases = caseFile(broken.map((packet) => ["packet", optionsOf(dialect), packet, "t"]));
        const native = new Native(cases);
        const answer = makeAnswers(gdvar, tools, saves);
        assert.equal(await native.differences(hashes(cases, answer), (at) => answerTo(cases, at, answer)), "");
        native.close();
    });
}
