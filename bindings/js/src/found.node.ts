import { existsSync, readFileSync } from "node:fs";
// As a whole: webpack evaluates calls of an imported `createRequire` itself.
import * as module from "node:module";

/** Compiles a module: from `beside`, or, where a bundler put this file elsewhere, from the package. */
export function found(beside: URL, name: string): WebAssembly.Module {
    return new WebAssembly.Module(readFileSync(existsSync(beside) ? beside : module.createRequire(import.meta.url).resolve(`gdvar/${name}`)));
}
