import address from "gdvar/gdvar-saves.wasm?url&inline";
import { inlined } from "./inline";

export const compiled = inlined(address);
