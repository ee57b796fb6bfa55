#!/usr/bin/env node
// The command `gdvar`: the program for this system, from the package that npm installs beside this one, else the same as
// WebAssembly.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { join } from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";

const words = process.argv.slice(2);
const isWindows = process.platform === "win32";

/**
 * Finds the system's program where npm and others install dependencies: below the package, or beside it. Nothing if it is in
 * neither place.
 */
function findProgram(): string | undefined {
    const own = fileURLToPath(new URL("..", import.meta.url));
    const name = `@gdvar/${process.platform}-${process.arch}/bin/gdvar${isWindows ? ".exe" : ""}`;
    const found = [join(own, "node_modules", name), join(own, "..", name)].find((path) => existsSync(path));
    // Only these know where they keep it. Node itself is not asked: it would take one that belongs to another folder.
    if (found || !(process.versions["pnp"] || process.versions["deno"])) return found;
    try {
        return createRequire(import.meta.url).resolve(name);
    } catch {
        return undefined;
    }
}

function runProgram(path: string): void {
    const signals: NodeJS.Signals[] = ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"];
    // A terminal sends the first two to both processes. Windows' console does that with all, and a signal from here would end
    // the program.
    const sent = isWindows ? signals : [0, 1, 2].some((stream) => isatty(stream)) ? signals.slice(0, 2) : [];
    // Before the program starts, so that no signal ends only this process.
    for (const signal of signals) process.on(signal, () => sent.includes(signal) || child.kill(signal));
    const child = spawn(path, words, { stdio: "inherit", argv0: "gdvar" });
    child.on("error", (error) => fail(`${path}: ${error.message}`));
    child.on("exit", (code, signal) => {
        // As in a shell, if the signal does not end this process: Node ignores SIGPIPE.
        process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1);
        if (!signal) return;
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
    });
}

/** A file name in WASI's form: "C:\save" is "/C:/save". */
function wasiPath(path: string): string {
    return isWindows ? path.replaceAll("\\", "/").replace(/^(?=[a-z]:\/)/i, "/") : path;
}

/** A word that is, or ends with, a full path on a drive. A password is not a name. */
function wasiWord(word: string): string {
    if (!isWindows || word.startsWith("--password=")) return word;
    return word.replace(/^(--[a-z-]+=)?(?=[a-z]:[\\/])(.*)$/is, (_, option: string | undefined, name: string) => (option ?? "") + wasiPath(name));
}

/** The folders visible to the command: all. */
function preopens(): Record<string, string> {
    if (!isWindows) return { "/": "/" };
    const drives = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter) => `${letter}:`).filter((drive) => existsSync(`${drive}\\`));
    return Object.fromEntries(drives.flatMap((drive) => [drive, drive.toLowerCase()].map((name) => [`/${name}`, `${drive}\\`])));
}

async function runWasm(): Promise<void> {
    const file = new URL("./gdvar-command.wasm", import.meta.url);
    if (!existsSync(file)) return fail(`there is no program for ${process.platform} on ${process.arch}`);
    // Node would print that WASI is experimental.
    process.removeAllListeners("warning");
    const { WASI } = await import("node:wasi");
    const wasi = new WASI({
        version: "preview1",
        args: ["gdvar", ...words.map(wasiWord)],
        env: { ...process.env, PWD: wasiPath(process.cwd()) },
        preopens: preopens(),
        returnOnExit: true,
    });
    const { withPermissions } = await import("./permissions.js");
    const imports = withPermissions(wasi.wasiImport as never, () => instance.exports["memory"] as WebAssembly.Memory);
    const instance = await WebAssembly.instantiate(await WebAssembly.compile(readFileSync(file)), imports);
    try {
        process.exitCode = wasi.start(instance);
    } catch (error) {
        fail(String(error));
    }
}

function fail(why: string): void {
    console.error(`gdvar: error[io]: ${why}`);
    process.exitCode = 3;
}

const program = findProgram();
if (program) runProgram(program);
else await runWasm();
