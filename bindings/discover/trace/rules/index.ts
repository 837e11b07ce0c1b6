import type { Rule } from '../../../frame/rule.ts'
import type { RecordedDiscovery } from '../recorded.ts'
import { traceBytes, traceDomain, traceInvitation, traceStep, traceVersion } from './trace.ts'

/** In the order of the document. */
export const RULES: readonly Rule<RecordedDiscovery>[] = [
  traceVersion,
  traceDomain,
  traceInvitation,
  traceStep,
  traceBytes,
]
