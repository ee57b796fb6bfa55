// Modules whose memory is full up to 2 GiB: addresses behind that are negative where they are taken for 32-bit ints.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as gdvar from "gdvar";
import * as saves from "gdvar/saves";
import * as tools from "gdvar/tools";
import { core } from "../dist/core.js";
import * as engine from "../dist/engine.js";
import { data, hex, vectors } from "./support.mjs";

const { decode, encode, frame, StreamFramer, validate } = gdvar;

/** The functions' answers for a part of the recorded packets, as one hash. */
function answers() {
    const said = createHash("sha256");
    const say = (...all) => said.update(`${all.map((each) => (each instanceof Uint8Array ? hex(each) : String(each))).join(" ")}\n`);
    for (const { dialect, packet } of vectors()) {
        const options = { dialect, objects: true };
        say(encode(decode(packet, options), options), validate(packet, options), JSON.stringify(tools.check(packet, options)));
        say(tools.varToStr(decode(packet, options), options), JSON.stringify(tools.annotate(packet, options)));
        const document = new tools.Document(packet, options);
        for (let node = 0; node < document.count; ++node) say(document.type(node), document.range(node), document.path(node), document.text(node), document.types(node).map(({ type }) => type));
        document.close();
    }
    const large = Array.from({ length: 300_000 }, (_, i) => (i % 3 === 0 ? `text ${i}` : i));
    say(encode([large, "ż".repeat(70_000), `\0${"\udc80".repeat(70_000)}`, new Float32Array(9000)], { dialect: "godot3" }), decode(encode(large)).length);
    say(...new StreamFramer({ maxPacket: 1 << 26 }).feed(frame(encode(large))));
    const old = encode([new gdvar.Image(0, 0, 1, 1, Uint8Array.of(1, 2, 3, 4)), new gdvar.InputEvent(1, 0, [1, 2])], { dialect: "godot-2" });
    say(old, encode(decode(old, { dialect: "godot-2" }), { dialect: "godot-2" }));
    for (const name of ["plain.save", "gcpf_zstd.save"]) {
        const save = new saves.SaveFile(new Uint8Array(readFileSync(`${data}/saves/godot-4.6.3/${name}`)));
        say(save.stack, JSON.stringify(save.findings()), save.packet(0), save.content());
        save.set("#0 $.version", 77);
        say(save.bytes(), JSON.stringify(save.placeOf("#0 $.version")), save.convert("godot3").bytes);
        const found = saves.recover(save.bytes().subarray(0, -3));
        say(found.stack, found.items.length, found.content(), JSON.stringify(found.lost), found.write());
        found.close();
        save.close();
    }
    assert.throws(() => decode(Uint8Array.of(28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0)), { code: "truncated", path: "$[0]" });
    assert.throws(() => new tools.Document(new Uint8Array(3)), { code: "truncated" });
    return said.digest("hex");
}

test("all functions say the same above 2 GiB", () => {
    const wanted = answers();
    for (const keeper of [core, engine.tools().keeper, engine.saves().keeper]) {
        keeper.drop();
        const module = keeper.get();
        for (let filled = 0; filled < 4; ++filled) module.alloc(1 << 29);
        assert.ok(module.alloc(64) >= 2 ** 31);
    }
    assert.equal(answers(), wanted);
});
