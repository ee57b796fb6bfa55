import { found } from "./found.node.js";

export const compiled = found("gdvar-saves.wasm");
