export { decode, decodeSome, type DecodeOptions } from "./decode.js";
export { encode, type EncodeOptions } from "./encode.js";
export { Dictionary } from "./dictionary.js";
export * from "./containers.js";
export * from "./packed.js";
export * from "./values.js";
export * from "./errors.js";
export { NETWORK, type Limits, type PacketOptions } from "./options.js";
