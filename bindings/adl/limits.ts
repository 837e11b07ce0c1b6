// The limits of ADL section 18.5. Reading checks two of them. If a document exceeds one, nothing else is checked.
import type { Findings } from '../frame/check.ts'
import { member, objectMember, type PlacedObject } from '../text/members.ts'
import { utf8Length } from '../wasm/utf8.ts'
import { LIMIT_ENTRIES, LIMIT_PATTERNS, LIMIT_TEXT } from './findings.ts'
import { PATTERN_LISTS } from './places.ts'
import type { Agent } from './subject.ts'

/** The limits that ADL section 18.5 recommends. Documents that exceed them are refused. */
export interface Limits {
  /** Bytes of the document: 1 MiB. */
  readonly documentBytes: number
  /** Nesting depth of containers: 32. */
  readonly depth: number
  /** Entries of each of `tools`, `resources` and `prompts`: 1000. */
  readonly entries: number
  /** UTF-8 bytes of a system prompt, a template or a description: 1 MiB. */
  readonly textBytes: number
  /** Entries of an array of permission patterns: 500. */
  readonly patterns: number
}

export const LIMITS: Limits = {
  documentBytes: 1 << 20,
  depth: 32,
  entries: 1000,
  textBytes: 1 << 20,
  patterns: 500,
}

/** The recommended limits, except those that the caller sets. */
export function limitsOf(own: Partial<Limits> | undefined): Limits {
  if (own === undefined) return LIMITS
  const limits: { -readonly [Name in keyof Limits]: number } = { ...LIMITS }
  for (const name of Object.keys(own) as (keyof Limits)[]) {
    const value = own[name]
    if (value === undefined) continue
    if (!Object.hasOwn(LIMITS, name)) {
      throw new RangeError(`limits: expected ${Object.keys(LIMITS).join(', ')}, got ${JSON.stringify(name)}`)
    }
    if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
      throw new RangeError(`limits.${name}: expected an integer from 0 to 4294967295, got ${String(value)}`)
    }
    limits[name] = value
  }
  return limits
}

/** Reports the limits that a document exceeds. */
export function checkSize(agent: Agent, limits: Limits, findings: Findings): void {
  for (const name of ['tools', 'resources', 'prompts'] as const) {
    const list = member(agent.root.value, name)
    if (Array.isArray(list) && list.length > limits.entries) {
      findings.add(
        LIMIT_ENTRIES,
        'error',
        `/${name}`,
        `expected at most ${limits.entries} entries, found ${list.length}`,
      )
    }
  }
  for (const [, domain, name] of PATTERN_LISTS) {
    const place = objectMember(agent.permissions, domain)
    const list = member(place?.value, name)
    if (Array.isArray(list) && list.length > limits.patterns) {
      const detail = `expected at most ${limits.patterns} patterns, found ${list.length}`
      findings.add(LIMIT_PATTERNS, 'error', `${place!.pointer}/${name}`, detail)
    }
  }
  const check = (of: PlacedObject | undefined, name: string) => {
    const text = member(of?.value, name)
    // A UTF-16 unit has at most three bytes, so most texts need no counting.
    if (typeof text !== 'string' || text.length * 3 <= limits.textBytes || utf8Length(text) <= limits.textBytes) return
    findings.add(LIMIT_TEXT, 'error', `${of!.pointer}/${name}`, `expected at most ${limits.textBytes} bytes`)
  }
  check(agent.root, 'description')
  check(agent.root, 'system_prompt')
  check(objectMember(agent.root, 'system_prompt'), 'template')
  for (const list of [agent.tools, agent.resources, agent.prompts])
    for (const entry of list) check(entry, 'description')
  for (const prompt of agent.prompts) check(prompt, 'template')
}
