// Text, JSON, annotation, conversion, differences, and the containers of saves: gdvar-tools.wasm.
import "./serve_tools.js";
import { tools } from "./engine.js";
import { unwrapIn, wrapIn } from "./layers.js";
import { checkOptions, type Names } from "./options.js";
import type { SaveOptions } from "./save_options.js";

export * from "./packet_tools.js";

/** Options of containers: the password or key of GDEC, and the most bytes of output. */
export type ContainerOptions = Pick<SaveOptions, "password" | "key" | "maxBytes">;
const CONTAINER_NAMES: Names<ContainerOptions> = { password: true, key: true, maxBytes: true };
/**
 * Puts bytes into containers, the outermost first: "gcpf-zstd", "gcpf-fastlz", "gcpf-deflate", "gcpf-gzip", "gdec-3", "gdec-4",
 * "gzip", "zstd". That of `gdvar/saves` knows all layers.
 */
export function wrap(bytes: Uint8Array, containers: readonly string[], options?: ContainerOptions): Uint8Array<ArrayBuffer> {
    checkOptions(options, CONTAINER_NAMES);
    return wrapIn(tools(), bytes, containers, options);
}
/** Takes bytes out of their containers; bytes in none are returned unchanged. */
export function unwrap(bytes: Uint8Array, options?: ContainerOptions): { bytes: Uint8Array<ArrayBuffer>; layers: string[] } {
    checkOptions(options, CONTAINER_NAMES);
    return unwrapIn(tools(), bytes, options);
}
