import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkProfiles } from '../../../bindings/adl/profiles/check.ts'
import { createProfiles, type Profiles } from '../../../bindings/adl/profiles/registry.ts'
import { Agent } from '../../../bindings/adl/subject.ts'
import { parse } from '../../../bindings/document/parse.ts'
import type { Remarks } from '../../../bindings/frame/subject.ts'
import { SUITES } from '../../support/suites.ts'

export const NOW = new Date('2026-05-15T12:00:00Z')

/** Published documents and schemas. Without them, the tests that need them have no cases. */
const DATA = join(SUITES, '../data/adl')

export const EXAMPLES = [
  'governance/compliance-agent.json',
  'portfolio/customer-service-agent.json',
  'healthcare/clinical-research-agent.json',
  'financial/trade-compliance-agent.json',
]
  .map((name) => join(DATA, 'profiles', name))
  .filter((file) => existsSync(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

export const readData = (name: string): unknown => JSON.parse(readFileSync(join(DATA, name), 'utf8'))

export interface Found extends Remarks {
  readonly rule: string
  readonly code: string
  readonly severity: string
  readonly pointer: string
  readonly detail: string
}

export function agentOf(value: unknown): Agent {
  return new Agent(parse(typeof value === 'string' ? value : JSON.stringify(value)).document!)
}

/** The findings of the declared profiles about a document. */
export function findings(value: unknown, profiles: Profiles = createProfiles(), now = NOW): Found[] {
  const found: Found[] = []
  checkProfiles(
    value instanceof Agent ? value : agentOf(value),
    profiles,
    ({ id, code, severity }, pointer, detail, remarks) =>
      found.push({ rule: id, code, severity, pointer, detail, ...remarks }),
    { now },
  )
  return found
}
