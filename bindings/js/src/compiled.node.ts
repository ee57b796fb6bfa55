// The compiled core module, read from beside this file. Bundlers know this form of an address.
import { found } from "./found.node.js";

export const compiled = found(new URL("./gdvar-core.wasm", import.meta.url), "gdvar-core.wasm");
