// Every path that is printed leads back to its value, whatever the key is. The same was run once with 100,000 keys.
import assert from "node:assert/strict";
import test from "node:test";
import { encode } from "gdvar";
import { toTextFull } from "gdvar/saves";
import { Document } from "gdvar/tools";
import { pick, random } from "./support.mjs";

const KEYS = 5_000;
const SPECIAL = [..."\"\\'$.[]*#@\n\r\t\b\f\x1b\x7f ab90_-é語😀\u2028\ufeff\u0301uxn/:,{}=\u00a0\u202e"];

function keys(count) {
    const next = random(20), made = new Set();
    const character = () => {
        if (next() < 0.8) return pick(SPECIAL, next);
        const code = 1 + Math.floor(next() * 0x10ffff);
        return String.fromCodePoint(code >= 0xd800 && code < 0xe000 ? 0x20 : code);
    };
    while (made.size < count) made.add(Array.from({ length: Math.floor(next() * 9) }, character).join(""));
    return [...made];
}
const isIdentifier = (text) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);

/** Whether each path that is printed of a key leads to its value. `step`: what prints a step. */
function compare(all, dialect, step) {
    const document = new Document(encode(new Map(all.map((key, i) => [key, i])), { dialect }), { dialect });
    for (const [i, key] of all.entries()) {
        let refused;
        try {
            encode(new Map([[key, undefined]]), { dialect });
        } catch (error) {
            refused = error.path;
        }
        for (const path of [refused, `$${step(key, dialect)}`]) {
            const [{ node }] = document.lookup(path);
            assert.equal(document.value(node), i, `${dialect}: ${path}`);
            assert.equal(document.lookup(document.path(node))[0].node, node, document.path(node));
        }
    }
    document.close();
}

test("paths of a document, of a refusal, and made of a printed key", () => {
    const all = keys(KEYS);
    // As the page does (web/src/worker/path.ts).
    const step = (key, dialect) => (isIdentifier(key) ? `.${key}` : `[${toTextFull(key, { dialect })}]`);
    for (const dialect of ["godot-4.4", "godot-3.1"])
        for (let at = 0; at < all.length; at += 500) compare(all.slice(at, at + 500), dialect, step);
});
