// The complete list of exports of both builds; baseline.ts adds one. docs/guide/abi.md describes parameters, results and
// ownership.

import { RESULT } from "./arena";

/** The version of this interface; raised when an export changes its meaning. */
export function abiVersion(): i32 { return 2; }

/** The address of the sixteen 32-bit result words. */
export function result(): usize { return RESULT; }

export { keep, release, reserve, seal } from "./arena";
export { canonicalize, canonicalizeWithout, isCanonical } from "./jcs/canonicalize";
export { completeMarked } from "./jcs/marked";
export { readTape } from "./json/tape";
export { formatNumber, readNumber } from "./number/exports";
export { patternCheck } from "./pattern/glob";
export { patternCompile } from "./pattern/compile";
export { patternMatchAll, patternMatchFirst, patternTest } from "./pattern/match";
export { templateCompile } from "./template/compile";
export { templateRender } from "./template/render";
export { indexAddRecord, indexHas, indexRemove, indexSignals } from "./rank/cards";
export { indexBytes, indexOpen, indexSize, indexStatistics } from "./rank/exports";
export { indexLoad } from "./rank/load";
export { indexSave } from "./rank/save";
export { indexQuery } from "./rank/search";
export { sha256, sha256Each } from "./sha256";
