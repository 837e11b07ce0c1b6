import type { Reading } from '../../frame/subject.ts'
import { Recorded } from './recorded.ts'
import { traceRoot } from './rules/trace.ts'

/** How traces are read. */
export const TRACE_READING: Reading<Recorded> = {
  kind: 'trace',
  rootObject: traceRoot,
  subject: (document) => new Recorded(document),
}
