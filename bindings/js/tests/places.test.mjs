// Which bytes of a save's content belong to which value, and back.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { SaveFile } from "gdvar/saves";
import { data } from "./support.mjs";

const textOf = (save, { begin, end }) => new TextDecoder().decode(save.content(begin, end));

test("records: every node has its bytes, every byte leads to its node", () => {
    const save = new SaveFile(readFileSync(`${data}/saves/godot-4.6.3/gcpf_zstd.save`));
    assert.equal(save.contentSize, 2916);
    assert.deepEqual(Buffer.from(save.content()), readFileSync(`${data}/saves/godot-4.6.3/plain.save`));
    let nodes = 0;
    for (let index = 0; index < save.count; ++index) {
        const document = save.document(index);
        for (let node = 0; node < document.count; ++node) {
            const [begin, end] = document.range(node);
            const place = save.place(index, begin);
            assert.equal(place.end - place.begin, end - begin);
            assert.deepEqual(save.content(place.begin, place.end), document.packet(node));
            const found = save.valueAt(place.begin);
            assert.equal(found.index, index);
            assert.equal(document.at(found.offset).at(-1), node);
            const path = save.pathAt(place.begin);
            assert.ok(path.startsWith(`#${index} $`), path);
            const [there] = document.lookup(path.slice(path.indexOf("$")));
            if (there.node === node) assert.deepEqual(save.placeOf(path), place); // else it is a key, or its text
            ++nodes;
        }
    }
    assert.ok(nodes > 100);
    assert.throws(() => save.valueAt(2916), { code: "index_out_of_range" });
});

test("texts, before and after a change", () => {
    const save = new SaveFile(new TextEncoder().encode('[player]\nname="Ada"\npos=Vector2(1, 2) ; here\n[more]\nlist=[1, "two"]\n'));
    const document = save.document();
    const place = (path) => save.place(0, document.range(document.lookup(path)[0].node)[0]);
    assert.equal(textOf(save, place("$.player.pos")), "Vector2(1, 2)");
    assert.equal(textOf(save, place("$.player.pos").key), "pos");
    assert.equal(textOf(save, place("$.more.list[1]")), '"two"');
    const at = (words) => document.path(document.at(save.valueAt(textOf(save, { begin: 0 }).indexOf(words)).offset).at(-1));
    assert.equal(at("pos"), "$.player.pos");
    assert.equal(at("; here"), "$.player");
    assert.equal(at("two"), "$.more.list[1]");
    assert.equal(save.pathAt(textOf(save, { begin: 0 }).indexOf("pos")), "$.player.pos");
    assert.equal(save.pathAt(textOf(save, { begin: 0 }).indexOf("; here")), "$.player");
    assert.deepEqual(save.placeOf("$.player.pos.x"), place("$.player.pos"));
    assert.throws(() => save.placeOf("$.player.no"), { code: "missing_key" });
    assert.throws(() => save.pathAt(1000), { code: "index_out_of_range" });
    save.set("$.player.name", "Grace Hopper");
    const after = save.document();
    assert.equal(textOf(save, save.place(0, after.range(after.lookup("$.more.list[0]")[0].node)[0])), "1");
    assert.match(textOf(save, { begin: 0 }), /name="Grace Hopper"/);
});
