import type { Reading } from '../../frame/subject.ts'
import { TRACE_ROOT } from './findings.ts'
import { RecordedDiscovery } from './recorded.ts'

/** How traces are read. */
export const TRACE_READING: Reading<RecordedDiscovery> = {
  kind: 'trace',
  rootObject: TRACE_ROOT,
  subject: (document) => new RecordedDiscovery(document),
}
