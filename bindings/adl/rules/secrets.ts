import { objectMember, textMember } from '../../document/members.ts'
import { escapeToken } from '../../document/pointer.ts'
import type { Report, Rule } from '../../document/rule.ts'
import type { Agent } from '../agent.ts'
import { mayHoldSecret, secretIn } from './secret-shapes.ts'

/** What is random and meant to be seen: keys for verification, signatures, digests. */
const PUBLIC = /^\/(cryptographic_identity\/public_key|security\/attestation\/signature)\/\w+$/

/** The same as one text. */
function publicTexts({ identity, attestation }: Agent): string {
  const key = textMember(objectMember(identity, 'public_key'), 'value')
  const signature = objectMember(attestation, 'signature')
  const texts = [key, textMember(signature, 'value'), textMember(signature, 'digest_value')]
  return texts.map((text) => text?.value ?? '').join(' ')
}

/** Looks at every string; pointers are put together when there is something to report. */
function search(value: unknown, report: Report, path: Path | undefined): void {
  if (typeof value === 'string') {
    const what = secretIn(value)
    const pointer = what === undefined ? '' : pointerOf(path)
    if (what !== undefined && !PUBLIC.test(pointer)) report(pointer, `The text looks like ${what}`, { fix: FIX })
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) search(value[i], report, { parent: path, token: i })
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      search((value as Record<string, unknown>)[name], report, { parent: path, token: name })
    }
  }
}

interface Path {
  readonly parent: Path | undefined
  readonly token: string | number
}

function pointerOf(path: Path | undefined): string {
  return path === undefined ? '' : `${pointerOf(path.parent)}/${escapeToken(String(path.token))}`
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
  check(agent, report) {
    const { document, root } = agent
    if (mayHoldSecret(document.bytes, publicTexts(agent))) search(root.value, report, undefined)
  },
}
