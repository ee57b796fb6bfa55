import address from "gdvar/gdvar-core.wasm?url&inline";
import { inlined } from "./inline";

export const compiled = inlined(address);
