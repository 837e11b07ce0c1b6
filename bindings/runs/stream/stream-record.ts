// The record that the lines of a stream make, in bounded memory.

import { canonicalizeValue } from '../../core/value.ts'
import type { Document } from '../../document/parse.ts'
import { parseAs } from '../../frame/as.ts'
import { check } from '../../frame/check.ts'
import type { Steps } from '../../frame/steps.ts'
import type { JsonObject } from '../../text/members.ts'
import { hasNoErrors, isStep, RUN } from '../specification.ts'
import { Run } from '../subject.ts'
import { recordOf } from './assemble.ts'
import { STREAM_RECORD } from './findings.ts'
import type { Line } from './lines.ts'
import { MOST_RENEWALS, type StreamIdentity } from './linkage.ts'

/** Up to this size, the record is checked as a whole. Beyond, each step by itself, so that memory stays small. */
const WHOLE_RECORD = 8 << 20

/** The record that the lines make, as far as it is kept. */
export class StreamRecord {
  #lines: Line[] = []
  #bytes = 0
  #steps = 0
  #invalid = 0
  removed = 0
  readonly #renewed: unknown[] = []

  take(line: Line, bytes: number): void {
    this.#bytes += bytes
    if (line.type === 'step') this.#steps++
    if (line.type === 'removed') this.removed++
    // One more than allowed is enough to refuse them.
    if (line.type === 'certificate' && this.#renewed.length <= MOST_RENEWALS) this.#renewed.push(line['chain'])
    // The first and the last line make a record without steps.
    if (this.#bytes > WHOLE_RECORD)
      for (const { type, step } of this.#lines.splice(1)) if (type === 'step' && !isStep(step)) this.#invalid++
    this.#lines.push(line)
  }

  get identity(): StreamIdentity {
    const [first] = this.#lines
    if (first?.type !== 'run_started') return { record: undefined, chain: undefined, renewed: this.#renewed }
    const record = recordOf([first, this.#lines.at(-1)!])
    return { record, chain: first['chain'], renewed: this.#renewed }
  }

  /** @param isDeep whether a step may be nested too deeply for a record. */
  check(isDeep: boolean, steps: Steps<'record'>): JsonObject | undefined {
    if (this.removed > 0) {
      steps.warning('record', `content of ${this.removed} lines was removed, so it was not checked`)
      return undefined
    }
    if (this.#lines.at(-1)?.type !== 'run_completed') {
      steps.warning('record', 'the run has no end yet')
      return undefined
    }
    const record = recordOf(this.#lines)
    const invalid = this.#invalid === 0 ? undefined : `${this.#invalid} of ${this.#steps} steps do not fit the schema`
    const fault = (isDeep ? faultOf(record) : quickFaultOf(record)) ?? invalid
    if (fault === undefined) steps.passed('record', `${this.#steps} steps`)
    else steps.failed('record', fault, { rule: STREAM_RECORD, pointer: '' })
    return fault === undefined && this.#bytes <= WHOLE_RECORD ? record : undefined
  }
}

/** The first error of a record. Lines are canonical already, so a record is read again only to say what is wrong. */
function quickFaultOf(record: JsonObject): string | undefined {
  let document: Document | undefined
  const run = new Run({ pointer: '', value: record }, () => {
    document ??= documentOf(record).document!
    return document
  })
  return hasNoErrors(run) ? undefined : faultOf(record)
}

const documentOf = (record: JsonObject) => parseAs(RUN, canonicalizeValue(record))

function faultOf(record: JsonObject): string | undefined {
  const { diagnostics } = check(RUN, documentOf(record), RUN.settings({}))
  const first = diagnostics.find(({ severity }) => severity === 'error')
  return first && `${first.detail} (${first.code})`
}
