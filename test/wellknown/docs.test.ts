// docs/reference/wellknown-rules.md and docs/reference/invite-rules.md are generated from the rules: npx vitest run --project node
// test/wellknown/docs -u
import { expect, test } from 'vitest'
import { explained } from '../../bindings/wellknown/findings.ts'
import { explained as explainedInvite } from '../../bindings/wellknown/invite/findings.ts'
import { rulesTable } from '../support/rules-table.ts'

test('docs/reference/wellknown-rules.md lists every rule', async () => {
  const head = [
    '# Rules of ADP/1.1 metadata',
    '',
    'Written from bindings/wellknown/findings.yaml by test/wellknown/docs.test.ts; do not edit. Each rule with its severity in each ruleset;',
    '`blazon explain ID` shows why it is there, and an example. The findings of signing and verifying are among them.',
  ]
  await expect([...head, '', rulesTable(explained())].join('\n')).toMatchFileSnapshot(
    '../../docs/reference/wellknown-rules.md',
  )
})

test('docs/reference/invite-rules.md lists every rule', async () => {
  const head = [
    '# Rules of ADP/1.1 invitations',
    '',
    'Written from bindings/wellknown/invite/findings.yaml by test/wellknown/docs.test.ts; do not edit. Each rule with its severity in each ruleset;',
    '`blazon explain ID` shows why it is there, and an example. The findings of signing and verifying are among them.',
  ]
  await expect([...head, '', rulesTable(explainedInvite())].join('\n')).toMatchFileSnapshot(
    '../../docs/reference/invite-rules.md',
  )
})
