// Loads the modules, compares their results for the test data with those of the native library (verdicts.py), and prints their
// sizes.
//
// Usage: node smoke.mjs MODULES TEST_DATA [VERDICTS]
//   MODULES   the folder of the modules
//   VERDICTS  the output of verdicts.py
import { createHash, webcrypto } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** An instance, with JavaScript's part of its C interface. */
function load(file) {
    const module = new WebAssembly.Module(readFileSync(file));
    const lib = { uses: [] };
    const { exports } = new WebAssembly.Instance(module, {
        gdvar: {
            random: (to, size) => webcrypto.getRandomValues(new Uint8Array(exports.memory.buffer, to, size)),
            use: (user, record) => lib.uses[user](record),
        },
    });
    exports._initialize();
    Object.assign(lib, exports);
    // Growing memory replaces its ArrayBuffer: no view may be kept.
    lib.bytes = (at, size) => new Uint8Array(exports.memory.buffer, at, size);
    lib.view = () => new DataView(exports.memory.buffer);
    lib.put = (bytes) => {
        const at = lib.malloc(bytes.length || 1);
        lib.bytes(at, bytes.length).set(bytes);
        return at;
    };
    /** A struct of a pointer and a size; C functions take it by value: by its address. */
    lib.span = (at, size) => {
        const span = lib.malloc(8);
        lib.view().setUint32(span, at, true);
        lib.view().setUint32(span + 4, size, true);
        return span;
    };
    lib.text = (text) => lib.put(Buffer.from(text + "\0"));
    return lib;
}

class Checker {
    constructor(lib) {
        this.lib = lib;
        this.to = lib.gdvar_buffer_new();
        this.out = lib.malloc(8);
        this.error = lib.malloc(104);
        this.size = lib.malloc(4);
        this.message = lib.malloc(500);
    }
    taken() {
        const { lib, to, out } = this;
        lib.gdvar_buffer_bytes(out, to); // a returned struct: its address comes first
        const at = lib.view().getUint32(out, true);
        const bytes = Buffer.from(lib.bytes(at, lib.view().getUint32(out + 4, true)));
        lib.gdvar_buffer_clear(to);
        return bytes;
    }
    said() {
        const size = this.lib.gdvar_error_message(this.error, this.message, 500);
        return Buffer.from(this.lib.bytes(this.message, Math.min(size, 499)));
    }
    options(dialect) {
        const { lib } = this;
        const at = lib.malloc(40);
        const view = lib.view();
        [40, 1, lib.gdvar_find_dialect(lib.text(dialect)), 1024, 0, 0].forEach((v, i) => view.setUint32(at + 4 * i, v, true));
        view.setBigUint64(at + 24, 2n ** 32n - 1n, true);
        view.setBigUint64(at + 32, 2n ** 64n - 1n, true);
        return at;
    }

    /** Every packet of a file, cut at each of its bytes. `whole`: also as text and back. */
    packets(folder, name, dialect, most, whole) {
        const { lib, error, size, to } = this;
        const digest = createHash("sha256");
        const options = this.options(dialect);
        const document = lib.gdvar_document_new();
        for (const line of readFileSync(join(folder, "vectors", name), "utf8").split("\n").filter(Boolean)) {
            const row = JSON.parse(line);
            const packet = Buffer.from(row.bytes ?? row.b ?? "", "hex");
            if (!packet.length || packet.length > most) continue;
            const at = lib.put(packet);
            const span = lib.span(at, 0);
            for (let cut = 0; cut <= packet.length; ++cut) {
                lib.view().setUint32(span + 4, cut, true);
                const code = lib.gdvar_validate(span, options, size, error);
                const view = lib.view();
                digest.update(`${code} ${code ? 0 : view.getUint32(size, true)} ${view.getBigUint64(error + 8, true)} `);
                if (code) {
                    digest.update(this.said());
                    lib.gdvar_error_path(span, options, error, to);
                    digest.update(this.taken());
                }
            }
            if (whole && lib.gdvar_document_read(document, span, options, 0) === 0) this.texts(document, options, digest);
            lib.free(span);
            lib.free(at);
        }
        lib.gdvar_document_free(document);
        return digest.digest("hex");
    }
    texts(document, options, digest) {
        const { lib, to } = this;
        for (let form = 0; form < 4; ++form) {
            const code = lib.gdvar_print(document, 0, form, 0, to, 0, 0, 0);
            const text = this.taken();
            digest.update(`${code} `).update(text);
            if (!form || code) continue;
            const at = lib.put(text);
            const span = lib.span(at, text.length);
            digest.update(`${lib.gdvar_parse(span, form, options, to, 0)} `).update(this.taken());
            lib.free(span);
            lib.free(at);
        }
    }

    items(content, options, handle, digest) {
        const { lib } = this;
        const span = lib.span(lib.put(content), content.length);
        const item = lib.malloc(16);
        digest.update(`${lib.gdvar_save_read(span, options, handle, 0)} `);
        const save = lib.view().getUint32(handle, true);
        for (let i = 0; i < lib.gdvar_save_count(save); ++i) {
            lib.gdvar_save_at(item, save, i);
            digest.update(lib.bytes(lib.view().getUint32(item + 8, true), lib.view().getUint32(item + 12, true)));
        }
        lib.gdvar_save_free(save);
    }
    save(content, { password, key }) {
        const { lib, error, to } = this;
        const digest = createHash("sha256");
        const options = lib.put(new Uint8Array(48));
        const put = (at, bytes) => {
            const where = lib.put(bytes);
            lib.view().setUint32(options + at, where, true);
            lib.view().setUint32(options + at + 4, bytes.length, true);
        };
        lib.view().setUint32(options, 48, true);
        lib.view().setBigUint64(options + 32, 2n ** 28n, true);
        if (password) put(12, Buffer.from(password));
        if (key) put(20, Buffer.from(key, "hex"));
        const at = lib.put(content);
        const span = lib.span(at, content.length);
        const handle = lib.malloc(4);
        const code = lib.gdvar_save_read(span, options, handle, error);
        digest.update(`${code} `);
        if (code) {
            digest.update(this.said());
        } else {
            const save = lib.view().getUint32(handle, true);
            lib.gdvar_save_stack(save, to, 0);
            digest.update(this.taken()).update(` ${lib.gdvar_save_count(save)} `);
            // Encryption gives other bytes each time, so the file is read again.
            digest.update(`${lib.gdvar_save_bytes(save, to, 0)} `);
            lib.gdvar_save_free(save);
            this.items(this.taken(), options, handle, digest);
        }
        for (const cut of [0, content.length >> 1]) {
            lib.view().setUint32(span + 4, content.length - cut, true);
            const code = lib.gdvar_recover(span, options, handle, error);
            digest.update(`${code} `);
            if (code) continue;
            const recovery = lib.view().getUint32(handle, true);
            lib.gdvar_recovery_stack(recovery, to, 0);
            digest.update(this.taken());
            lib.gdvar_recovery_free(recovery);
        }
        return digest.digest("hex");
    }
}

function sizes(file) {
    const bytes = readFileSync(file);
    const zipped = gzipSync(bytes, { level: 9 }).length;
    const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
    console.log(`${file}: ${bytes.length} bytes, gzip ${zipped}, brotli ${brotli}`);
}

const [modules, data, verdicts] = process.argv.slice(2);
const names = ["core", "tools", "saves"];
const files = Object.fromEntries(names.map((name) => [name, join(modules, `gdvar-${name}.wasm`)]));
const expected = new Map();
if (verdicts)
    for (const line of readFileSync(verdicts, "utf8").split("\n").filter(Boolean)) {
        const [name, digest] = line.split(" ");
        expected.set(name, digest);
    }

let failures = 0;
let compared = 0;
function compare(name, digest) {
    if (!expected.has(name)) return;
    ++compared;
    if (expected.get(name) === digest) return;
    ++failures;
    console.log(`${name}: the module says something else than the library`);
}

const vectors = [
    ["godot-4.6.3.ndjson", "godot-4.4", 200],
    ["godot-3.6.2.ndjson", "godot-3.1", 200],
    ["godot-4.6.3-damaged.ndjson", "godot-4.4", 64],
];
for (const which of names) {
    if (!existsSync(files[which])) continue;
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(files[which])));
    console.log(`${which} imports ${imports.map((one) => `${one.module}.${one.name}`).join(", ")}`);
    const checker = new Checker(load(files[which]));
    for (const [name, dialect, most] of vectors) {
        if (which !== "core") compare(name, checker.packets(data, name, dialect, most, true));
        compare(`cuts of ${name}`.replaceAll(" ", "-"), checker.packets(data, name, dialect, most, false));
    }
    if (which === "saves")
        for (const folder of readdirSync(join(data, "saves")).sort()) {
            const path = join(data, "saves", folder);
            const secret = JSON.parse(readFileSync(join(path, "expected.ndjson"), "utf8").trim().split("\n").at(-1));
            for (const name of readdirSync(path).sort()) {
                if (name.endsWith(".ndjson")) continue;
                const keys = name.includes("pass") ? { password: secret.pass } : name.includes("key") ? { key: secret.key } : {};
                compare(`${folder}/${name}`, checker.save(readFileSync(join(path, name)), keys));
            }
        }
    sizes(files[which]);
}
console.log(`${compared} compared, ${failures} differ`);
process.exitCode = failures || (verdicts && !compared) ? 1 : 0;
