// The permissions that the command as WebAssembly gives to files. The command itself shows them in tests/apps/replacing_test.py.
import assert from "node:assert/strict";
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { withPermissions } from "../dist/permissions.js";

const folder = mkdtempSync(join(tmpdir(), "gdvar-"));
after(() => rmSync(folder, { recursive: true }));
process.umask(0o022);

const memory = new WebAssembly.Memory({ initial: 1 });
let opened = 3;
const imports = withPermissions(
    {
        path_open(_folder, _follow, at, size, make, to) {
            if (make) writeFileSync("/" + Buffer.from(memory.buffer, at, size), "");
            new DataView(memory.buffer).setUint32(to, ++opened, true);
            return 0;
        },
    },
    () => memory,
);

/** Opens the file as WASI does, by a name in the root; `make`: a new one. */
function open(path, make = false) {
    const name = Buffer.from(path).subarray(1);
    new Uint8Array(memory.buffer).set(name, 8);
    assert.equal(imports.wasi_snapshot_preview1.path_open(3, 0, 8, name.length, make, 0), 0);
    return opened;
}
function file(name, mode) {
    const path = join(folder, name);
    writeFileSync(path, "");
    chmodSync(path, mode);
    return path;
}
const modeOf = (path) => (statSync(path).mode & 0o777).toString(8);
const { permissions, set_permissions, copy_permissions } = imports.gdvar;

test("a file is made for its owner alone, and the umask stays", () => {
    const path = join(folder, "made");
    open(path, true);
    assert.equal(modeOf(path), "600");
    assert.equal(process.umask(), 0o022);
});

test("a new file gets what it may have, less the umask", () => {
    for (const [bits, mode] of [[0o666, "644"], [0o640, "640"], [0o600, "600"]]) {
        const path = join(folder, `new-${mode}`);
        assert.equal(set_permissions(open(path, true), bits), 1);
        assert.equal(modeOf(path), mode);
    }
});

test("a file in the place of another has its permissions", () => {
    for (const mode of [0o600, 0o640, 0o644, 0o666, 0o444]) {
        const old = open(file("old", mode));
        const path = join(folder, "copy");
        assert.equal(copy_permissions(old, open(path, true)), 1);
        assert.equal(modeOf(path), mode.toString(8));
        assert.equal(permissions(old), mode);
        rmSync(path);
        rmSync(join(folder, "old"));
    }
});

test("another group is a part of the others", { skip: process.getuid() !== 0 && "only root can give files to any group" }, () => {
    const path = file("group", 0o664);
    chownSync(path, 0, 4243);
    assert.equal(permissions(open(path)), 0o644);
    const copy = join(folder, "group-copy");
    assert.equal(copy_permissions(open(path), open(copy, true)), 1);
    assert.deepEqual([modeOf(copy), statSync(copy).gid], ["664", 4243]);
});

test("a link in the place of the new file is not followed", () => {
    const target = file("target", 0o600);
    symlinkSync(target, join(folder, "link"));
    assert.equal(set_permissions(open(join(folder, "link")), 0o666), 0);
    assert.equal(modeOf(target), "600");
});
