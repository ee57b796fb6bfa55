// The compiled module of the tools, read from beside this file. Bundlers know this form of an address.
import { found } from "./found.node.js";

export const compiled = found(new URL("./gdvar-tools.wasm", import.meta.url), "gdvar-tools.wasm");
