// The command of the package: the program for this system where it is installed, with the words, streams, exit codes and signals of its own.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "gdvar-"));
after(() => rmSync(folder, { recursive: true }));

/** The package as npm installs it, with a program for this system, or with none. */
function installed(name, program) {
    const library = join(folder, name, "node_modules/gdvar");
    mkdirSync(join(library, "dist"), { recursive: true });
    for (const file of ["package.json", "dist/command.js"]) cpSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), join(library, file));
    if (program) {
        const bin = join(folder, name, `node_modules/@gdvar/${process.platform}-${process.arch}/bin`);
        mkdirSync(bin, { recursive: true });
        if (program.startsWith("#!")) {
            writeFileSync(join(bin, "gdvar"), program);
            chmodSync(join(bin, "gdvar"), 0o755);
        } else {
            symlinkSync(program, join(bin, "gdvar"));
        }
    }
    return join(library, "dist/command.js");
}

const run = (command, words, input = "") => spawnSync(process.execPath, [command, ...words], { input, encoding: "utf8" });

test("words, streams and exit codes are the program's", () => {
    const command = installed("words", '#!/bin/sh\nprintf "<%s>" "$@"\ncat\necho said >&2\nexit 4\n');
    const done = run(command, ["a b", "", "--x=*"], "input");
    assert.deepEqual([done.stdout, done.stderr, done.status], ["<a b><><--x=*>input", "said\n", 4]);
});

describe("signals", () => {
    const command = installed("signals", "#!/bin/sh\ntrap 'echo polite; exit 5' TERM INT\necho ready\nwhile :; do sleep 0.05; done\n");
    const deadly = installed("deadly", "#!/bin/sh\necho ready\nkill -KILL $$\n");
    const ended = (child) =>
        new Promise((tell) => {
            let out = "";
            child.stdout.on("data", (text) => (out += text));
            child.on("close", (code, signal) => tell({ out, code, signal }));
        });
    for (const signal of ["SIGTERM", "SIGINT"])
        test(`${signal} reaches the program`, { timeout: 60_000 }, async () => {
            const child = spawn(process.execPath, [command], { stdio: ["ignore", "pipe", "inherit"] });
            child.stdout.once("data", () => child.kill(signal));
            assert.deepEqual(await ended(child), { out: "ready\npolite\n", code: 5, signal: null });
        });
    test("a signal that ends the program ends the command", async () => {
        const child = spawn(process.execPath, [deadly], { stdio: ["ignore", "pipe", "inherit"] });
        assert.deepEqual(await ended(child), { out: "ready\n", code: null, signal: "SIGKILL" });
    });
    test("one that Node ignores is an exit code, as in a shell", () => {
        assert.equal(run(installed("piped", "#!/bin/sh\nkill -PIPE $$\n"), []).status, 141);
    });
    test("Ctrl-C of a terminal reaches the program once, also where standard input is a pipe", { timeout: 60_000 }, async () => {
        const counting = installed("counting", "#!/bin/sh\ntrap 'echo polite' INT\necho ready\nfor i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; done\n");
        const child = spawn("script", ["-qec", `: | '${process.execPath}' '${counting}'`, "/dev/null"], { stdio: ["pipe", "pipe", "inherit"] });
        child.stdout.once("data", () => child.stdin.write("\x03"));
        assert.equal((await ended(child)).out.match(/polite/g).length, 1);
    });
});

test("a program that can't be started is an error, and nothing else runs in its place", () => {
    const command = installed("still", "#!/bin/sh\n");
    chmodSync(join(folder, `still/node_modules/@gdvar/${process.platform}-${process.arch}/bin/gdvar`), 0o644);
    const done = run(command, ["--version"]);
    assert.deepEqual([done.stdout, done.status], ["", 3]);
    assert.match(done.stderr, /^gdvar: error\[io\]: .*EACCES/);
});

test("a program that another folder has is not run", () => {
    installed("outer", "#!/bin/sh\necho stranger\n");
    const done = run(installed("outer/inner"), ["--version"]);
    assert.deepEqual([done.stdout, done.status], ["", 3]);
});

test("a program that Yarn keeps elsewhere is found", () => {
    const kept = join(folder, "kept");
    writeFileSync(kept, "#!/bin/sh\necho kept\n", { mode: 0o755 });
    const yarn = join(folder, "pnp.cjs");
    const name = `@gdvar/${process.platform}-${process.arch}/bin/gdvar`;
    writeFileSync(
        yarn,
        `process.versions.pnp = "3";
        const Module = require("node:module"), resolve = Module._resolveFilename;
        Module._resolveFilename = (name, ...rest) => (name === "${name}" ? ${JSON.stringify(kept)} : resolve(name, ...rest));`,
    );
    const done = spawnSync(process.execPath, ["--require", yarn, installed("yarn")], { encoding: "utf8" });
    assert.deepEqual([done.stdout, done.status], ["kept\n", 0]);
});

test("without a program, and without the WebAssembly, it says so", () => {
    const done = run(installed("nothing"), ["--version"]);
    assert.deepEqual([done.stdout, done.status], ["", 3]);
    assert.equal(done.stderr, `gdvar: error[io]: there is no program for ${process.platform} on ${process.arch}\n`);
});

test("the built command", { skip: process.env.GDVAR_COMMAND ? false : "GDVAR_COMMAND names no command" }, () => {
    const done = run(installed("built", process.env.GDVAR_COMMAND), ["pack", "--dialect", "godot4", "-"], "[1]");
    assert.deepEqual([done.stderr, done.status, done.stdout.length > 0], ["", 0, true]);
});
