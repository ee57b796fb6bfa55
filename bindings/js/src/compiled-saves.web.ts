// The compiled module of saves, fetched from beside this file. Bundlers know this form of an address.
import { fetched } from "./fetched.js";

export const compiled = await fetched(new URL("./gdvar-saves.wasm", import.meta.url));
