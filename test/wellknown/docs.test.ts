// docs/reference/wellknown-rules.md and docs/reference/invite-rules.md are generated from the rules: npx vitest run --project node
// test/wellknown/docs -u
import { expect, test } from 'vitest'
import { METADATA_FINDINGS } from '../../bindings/wellknown/findings.ts'
import { INVITE_FINDINGS } from '../../bindings/wellknown/invite/findings.ts'
import { INVITE_READING } from '../../bindings/wellknown/invite/reading.ts'
import { RULES as INVITE_RULES } from '../../bindings/wellknown/invite/rules/index.ts'
import { SCHEMA_RULES as INVITE_SCHEMA_RULES } from '../../bindings/wellknown/invite/rules/schema.ts'
import { METADATA_READING } from '../../bindings/wellknown/reading.ts'
import { RULES } from '../../bindings/wellknown/rules/index.ts'
import { SCHEMA_RULES } from '../../bindings/wellknown/rules/schema.ts'
import { rulesTable } from '../support/rules-table.ts'

test('docs/reference/wellknown-rules.md lists every rule', async () => {
  const head = [
    '# Rules of ADP/1.1 metadata',
    '',
    'Written from bindings/wellknown by test/wellknown/docs.test.ts; do not edit. Each rule with its severity in each ruleset;',
    '`blazon explain ID` shows why it is there, and an example. The last seven are those of signing and verifying.',
  ]
  const rules = [METADATA_READING.rootObject, ...RULES, ...SCHEMA_RULES.values(), ...METADATA_FINDINGS]
  await expect([...head, '', rulesTable(rules)].join('\n')).toMatchFileSnapshot(
    '../../docs/reference/wellknown-rules.md',
  )
})

test('docs/reference/invite-rules.md lists every rule', async () => {
  const head = [
    '# Rules of ADP/1.1 invitations',
    '',
    'Written from bindings/wellknown/invite by test/wellknown/docs.test.ts; do not edit. Each rule with its severity in each ruleset;',
    '`blazon explain ID` shows why it is there, and an example. The last seven are those of signing and verifying.',
  ]
  const rules = [INVITE_READING.rootObject, ...INVITE_RULES, ...INVITE_SCHEMA_RULES.values(), ...INVITE_FINDINGS]
  await expect([...head, '', rulesTable(rules)].join('\n')).toMatchFileSnapshot('../../docs/reference/invite-rules.md')
})
