import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** Compiles a module: from beside this file, or, where a bundler put this file elsewhere, from the package. */
export function found(name: string): WebAssembly.Module {
    const beside = new URL(`./${name}`, import.meta.url);
    return new WebAssembly.Module(readFileSync(existsSync(beside) ? beside : createRequire(import.meta.url).resolve(`gdvar/${name}`)));
}
