import type { Rule } from '../../frame/rule.ts'
import { objectMember, textMember } from '../../text/members.ts'
import { mayHoldSecret } from '../../text/secret-shapes.ts'
import { REVOKE_SECRET, searchSecrets } from '../../text/secrets.ts'
import type { Agent } from '../agent.ts'

/** Random values that are meant to be public: keys for verification, signatures, digests. */
const PUBLIC = /^\/(cryptographic_identity\/public_key|security\/attestation\/signature)\/\w+$/

/** The same values as one text. */
function publicTexts({ identity, attestation }: Agent): string {
  const key = textMember(objectMember(identity, 'public_key'), 'value')
  const signature = objectMember(attestation, 'signature')
  const texts = [key, textMember(signature, 'value'), textMember(signature, 'digest_value')]
  return texts.map((text) => text?.value ?? '').join(' ')
}

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
    if (!mayHoldSecret(document.bytes, publicTexts(agent))) return
    searchSecrets(root.value, (pointer, what) => {
      if (!PUBLIC.test(pointer)) report(pointer, `The text looks like ${what}`, { fix: REVOKE_SECRET })
    })
  },
}
