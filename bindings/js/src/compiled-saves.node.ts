// The compiled module of saves, read from beside this file. Bundlers know this form of an address.
import { found } from "./found.node.js";

export const compiled = found(new URL("./gdvar-saves.wasm", import.meta.url), "gdvar-saves.wasm");
