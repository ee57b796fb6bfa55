// The compiled full module, from the file beside this one.
import { readFileSync } from "node:fs";

export const compiled = new WebAssembly.Module(readFileSync(new URL("./gdvar-full.wasm", import.meta.url)));
