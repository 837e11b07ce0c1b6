// The exports of the module, and only these. docs/ABI.md says what each takes, returns and owns.

import { RESULT } from "./arena";

/** Version of this interface; raised when an export changes its meaning. */
export function abiVersion(): i32 { return 1; }

/** Address of the sixteen 32-bit result words. */
export function result(): usize { return RESULT; }

export { keep, release, reserve, seal, take } from "./arena";
export { canonicalize, canonicalizeMany, canonicalizeWithout, isCanonical } from "./jcs/canonicalize";
export { readTape } from "./json/document";
export { tapeAtOffset, tapeFind, tapePointer } from "./json/pointer";
export { formatNumber, readNumber } from "./number/exports";
export { patternCheck } from "./pattern/check";
export { patternCompile } from "./pattern/compile";
export { patternMatchAll, patternMatchFirst, patternTest } from "./pattern/match";
export { templateCompile } from "./template/compile";
export { templateRender } from "./template/render";
export { indexAddRecord, indexHas, indexRemove, indexSignals } from "./rank/add";
export { indexAddCard } from "./rank/card";
export { indexBytes, indexOpen, indexSize, indexStatistics } from "./rank/exports";
export { indexLoad } from "./rank/load";
export { indexSave } from "./rank/save";
export { indexQuery } from "./rank/search";
