// The compiled full module, fetched from beside this file. Bundlers know this form of an address.
import { fetched } from "./fetched.js";

export const compiled = await fetched(new URL("./gdvar-full.wasm", import.meta.url));
