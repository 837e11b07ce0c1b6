import type { Reading } from '../../frame/subject.ts'
import { RecordedDiscovery } from './recorded.ts'
import { traceRoot } from './rules/trace.ts'

/** How traces are read. */
export const TRACE_READING: Reading<RecordedDiscovery> = {
  kind: 'trace',
  rootObject: traceRoot,
  subject: (document) => new RecordedDiscovery(document),
}
