// Text, JSON, looking into packets, conversion, differences, and the containers of saves: gdvar-tools.wasm.
import "./serve_tools.js";
import { tools } from "./engine.js";
import { unwrapIn, wrapIn } from "./layers.js";
import type { SaveOptions } from "./save_options.js";

export * from "./packet_tools.js";

/** What containers need: the password or key of GDEC, and how many bytes may come out. */
export type ContainerOptions = Pick<SaveOptions, "password" | "key" | "maxBytes">;
/**
 * Puts bytes into containers, the outermost first: "gcpf-zstd", "gcpf-fastlz", "gcpf-deflate", "gcpf-gzip", "gdec-3", "gdec-4",
 * "gzip", "zstd". That of `gdvar/saves` knows all layers.
 */
export function wrap(bytes: Uint8Array, containers: readonly string[], options?: ContainerOptions): Uint8Array<ArrayBuffer> {
    return wrapIn(tools(), bytes, containers, options);
}
/** Takes bytes out of their containers; what is in none is given as it is. */
export function unwrap(bytes: Uint8Array, options?: ContainerOptions): { bytes: Uint8Array<ArrayBuffer>; layers: string[] } {
    return unwrapIn(tools(), bytes, options);
}
