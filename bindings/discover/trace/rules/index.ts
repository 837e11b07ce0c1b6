import type { Rule } from '../../../frame/rule.ts'
import type { Recorded } from '../recorded.ts'
import { traceBytes, traceDomain, traceInvitation, traceStep, traceVersion } from './trace.ts'

/** In the order of the document. */
export const RULES: readonly Rule<Recorded>[] = [traceVersion, traceDomain, traceInvitation, traceStep, traceBytes]
