// Written by tools/describe/interface.py --update, out of gdvar.h.
import { C } from "./interface.js";
import { bytes, i64, list, own, place, struct, text, truth, truth32, u16, u32, u64, u8, unless } from "./structs.js";
/** @internal */ export const TAPE = /* @__PURE__ */ struct(16, { nodes: [0, u32], count: [4, u32], bytes: [8, u32], size: [12, u32] });
/** @internal */ export const MATCH = /* @__PURE__ */ struct(20, { path: [0, text], packet: [8, bytes], node: [16, /* @__PURE__ */ unless(u32, C.noNode)] });
/** @internal */ export const REFUSAL = /* @__PURE__ */ struct(20, { code: [0, u16], needs: [2, u8], type: [3, u8], at: [4, text], what: [12, text] });
/** @internal */ export const LOSS = /* @__PURE__ */ struct(28, { path: [0, text], what: [8, text], substitution: [16, text], type: [24, u8] });
/** @internal */ export const ROW = /* @__PURE__ */ struct(48, { offset: [0, u64], size: [8, u64], path: [16, text], type: [24, text], value: [32, text], note: [40, text] });
/** @internal */ export const QUIRK = /* @__PURE__ */ struct(24, { name: [0, text], path: [8, text], offset: [16, u64] });
/** @internal */ export const CANDIDATE = /* @__PURE__ */ struct(32, { dialect: [0, u32], fits: [4, truth32], score: [8, i64], oddities: [16, u64], reason: [24, text] });
/** @internal */ export const KIND = /* @__PURE__ */ struct(16, { name: [0, text], text: [8, truth], named: [9, truth], several: [10, truth], made: [11, truth], onlyRead: [12, truth] });
/** @internal */ export const READING = /* @__PURE__ */ struct(16, { name: [0, text], reason: [8, text] });
/** @internal */ export const FINDING = /* @__PURE__ */ struct(56, { name: [0, text], reason: [8, text], at: [16, text], openedWith: [24, text], others: [32, /* @__PURE__ */ list(READING)], ruledOut: [40, /* @__PURE__ */ list(READING)], layer: [48, /* @__PURE__ */ unless(u32, C.noLayer)] });
/** @internal */ export const CODE = /* @__PURE__ */ struct(24, { kind: [0, text], path: [8, text], what: [16, text] });
/** @internal */ export const ENTRY = /* @__PURE__ */ struct(56, { name: [0, text], size: [8, u64], offset: [16, u64], md5: [24, /* @__PURE__ */ own(16)], notes: [40, /* @__PURE__ */ list(text)], flags: [48, u32] });
/** @internal */ export const PLACE = /* @__PURE__ */ struct(32, { begin: [0, u64], end: [8, u64], keyBegin: [16, u64], keyEnd: [24, u64] });
/** @internal */ export const STALE_SUM = /* @__PURE__ */ struct(48, { path: [0, text], of: [8, text], was: [16, text], now: [24, text], text: [32, text], mended: [40, truth] });
/** @internal */ export const RECOVERED = /* @__PURE__ */ struct(152, { name: [0, text], packet: [8, bytes], offset: [16, u64], breakAt: [24, text], broken: [32, place], state: [136, u8], foundAgain: [137, truth], doubtful: [138, truth], line: [144, u64] });
/** @internal */ export const LOST = /* @__PURE__ */ struct(48, { begin: [0, u64], end: [8, u64], layer: [16, /* @__PURE__ */ unless(u32, C.noLayer)], code: [20, u16], doubtful: [22, truth], reason: [24, text], at: [32, text], line: [40, u64] });
