// What `validate` says about a part of a record: its head, one step, or its end. The rest counts as sound.
import { canonicalizeValue } from '../core/value.ts'
import { parse } from '../document/parse.ts'
import { check } from '../frame/check.ts'
import type { JsonObject } from '../text/members.ts'
import { hasNoErrors, RUN } from './specification.ts'
import { Run } from './subject.ts'

const HEAD = {
  version: 'adp-1',
  run_id: 'r',
  tenant_id: 't',
  agent: { agent_id: 'a', aip: { cert_fingerprint: 'none' } },
  started_at: '2025-01-01T00:00:00Z',
}
const END = { status: 'succeeded', completed_at: '2025-01-01T00:00:00Z' }

const documentOf = (record: JsonObject) => parse(canonicalizeValue(record))

function faultIn(record: JsonObject): string | undefined {
  const { diagnostics } = check(RUN, documentOf(record), RUN.settings({}))
  const error = diagnostics.find(({ severity }) => severity === 'error')
  return error && `${error.detail} (${error.code})`
}

/** The first error of a head, without the members that are known later. */
export const faultOfHead = (run: JsonObject) => faultIn({ ...run, steps: [], ...END })

/** The first error of an end. */
export const faultOfEnd = (end: JsonObject) => faultIn({ ...HEAD, steps: [], ...end })

/** True for members that a sound end may have. */
export const canEndWith = (members: JsonObject): boolean => faultOfEnd({ ...END, ...members }) === undefined

/** True for a step without errors of its own. Whether its parent exists only the record shows. */
export function isSoundStep(step: JsonObject): boolean {
  const parent = Number.isSafeInteger(step['parent_step_index']) && { parent_step_index: null }
  const value = { ...HEAD, steps: [{ ...step, ...parent }], ...END }
  return hasNoErrors(new Run({ pointer: '', value }, () => documentOf(value).document!))
}
