// The compiled module of the tools, fetched from beside this file. Bundlers know this form of an address.
import { fetched } from "./fetched.js";

export const compiled = await fetched(new URL("./gdvar-tools.wasm", import.meta.url));
