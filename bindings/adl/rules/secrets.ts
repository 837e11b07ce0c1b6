import { escapeToken } from '../../document/pointer.ts'
import type { Report, Rule } from '../../document/rule.ts'
import type { Agent } from '../agent.ts'
import { secretIn } from './secret-shapes.ts'

/** What is random and meant to be seen: keys for verification, signatures, digests. */
const PUBLIC = /^\/(cryptographic_identity\/public_key|security\/attestation\/signature)\/\w+$/

/** Looks at every string; the pointer is put together when there is something to report. */
function search(value: unknown, path: string[], report: Report): void {
  if (typeof value === 'string') {
    const what = secretIn(value)
    if (what === undefined) return
    const pointer = path.map((token) => `/${escapeToken(token)}`).join('')
    if (!PUBLIC.test(pointer)) report(pointer, `The text looks like ${what}`, { fix: FIX })
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      path.push(name)
      search((value as Record<string, unknown>)[name], path, report)
      path.pop()
    }
  }
}

const FIX = { hint: 'name an environment variable or a secret manager in its place, and revoke it if it is one' }

export const secrets: Rule<Agent> = {
  id: 'secret',
  code: 'BADL-114',
  title: 'Text that looks like a credential',
  section: 'ADL 18.2',
  severity: 'warning',
  rulesets: { strict: 'error', security: 'error' },
  why: 'Documents are logged, cached and published: a credential in one is known to all who read it.',
  bad: '{"tools": [{"name": "search", "description": "Searches.", "examples": [{"input": {"key": "AKIAIOSFODNN7EXAMPLE"}}]}]}',
  good: '{"tools": [{"name": "search", "description": "Searches.", "examples": [{"input": {"key": "$SEARCH_KEY"}}]}]}',
  check: ({ root }, report) => search(root.value, [], report),
}
