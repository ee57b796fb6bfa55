import { readFileSync } from "node:fs";

export const compiled = new WebAssembly.Module(readFileSync(new URL("./gdvar-core.wasm", import.meta.url)));
