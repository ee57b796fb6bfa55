// The compiled module of saves, from the file beside this one.
import { readFileSync } from "node:fs";

export const compiled = new WebAssembly.Module(readFileSync(new URL("./gdvar-saves.wasm", import.meta.url)));
