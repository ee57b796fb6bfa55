#!/usr/bin/env node
// The command `gdvar`: the program for this system, from the package that npm installs beside this one, else the same as WebAssembly.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const words = process.argv.slice(2);
const isWindows = process.platform === "win32";

/** The program for this system, where npm and others install what a package names: below it, or beside it. Nothing: it is in neither place. */
function findProgram(): string | undefined {
    const own = fileURLToPath(new URL("..", import.meta.url));
    const name = `@gdvar/${process.platform}-${process.arch}/bin/gdvar${isWindows ? ".exe" : ""}`;
    return [join(own, "node_modules", name), join(own, "..", name)].find((path) => existsSync(path));
}

function runProgram(path: string): void {
    // A terminal sends these to both.
    const sent: NodeJS.Signals[] = process.stdin.isTTY ? ["SIGINT", "SIGQUIT"] : [];
    // Before the program starts, so that none ends this process alone.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] satisfies NodeJS.Signals[])
        process.on(signal, () => sent.includes(signal) || child.kill(signal));
    const child = spawn(path, words, { stdio: "inherit", argv0: "gdvar" });
    child.on("error", (error) => fail(`${path}: ${error.message}`));
    child.on("exit", (code, signal) => {
        process.exitCode = code ?? 1;
        if (!signal) return;
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
    });
}

/** As WASI has the names of files: "C:\save" is "/C:/save". */
function wasiPath(path: string): string {
    return isWindows ? path.replaceAll("\\", "/").replace(/^(?=[a-z]:\/)/i, "/") : path;
}

/** A word, which may be or end with the whole name of a file on a drive. A password is no name. */
function wasiWord(word: string): string {
    if (!isWindows || word.startsWith("--password=")) return word;
    return word.replace(/^(--[a-z-]+=)?(?=[a-z]:[\\/])(.*)$/is, (_, option: string | undefined, name: string) => (option ?? "") + wasiPath(name));
}

/** The folders that the command sees: all. */
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
