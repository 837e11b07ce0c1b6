import type { Rule } from '../../../frame/rule.ts'
import type { Recorded } from '../recorded.ts'
import { traceBytes, traceDomain, traceStep, traceVersion } from './trace.ts'

/** In the order of the document. */
export const RULES: readonly Rule<Recorded>[] = [traceVersion, traceDomain, traceStep, traceBytes]
