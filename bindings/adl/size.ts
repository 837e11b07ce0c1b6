// The limits of ADL section 18.5 that reading does not check. If a document exceeds one, nothing else is checked.
import type { Findings } from '../frame/collect.ts'
import { member, objectMember, type PlacedObject } from '../text/members.ts'
import { utf8Length } from '../wasm/utf8.ts'
import type { Agent } from './agent.ts'
import { LIMIT_ENTRIES, LIMIT_PATTERNS, LIMIT_TEXT } from './findings.ts'
import type { Limits } from './limits.ts'
import { PATTERN_LISTS } from './places.ts'

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
