// docs/reference/a2a-rules.md is generated from the rules: npx vitest run --project node test/a2a/docs -u
import { expect, test } from 'vitest'
import { explained } from '../../bindings/a2a/findings.ts'
import { rulesTable } from '../support/rules-table.ts'

test('docs/reference/a2a-rules.md lists every rule', async () => {
  const head = [
    '# Rules of A2A cards',
    '',
    'Written from bindings/a2a/findings.yaml by test/a2a/docs.test.ts; do not edit. Each rule with its severity in each ruleset;',
    '`blazon explain ID` shows why it is there, and an example. The findings of signing and verifying are among them.',
  ]
  const page = [...head, '', rulesTable(explained())].join('\n')
  await expect(page).toMatchFileSnapshot('../../docs/reference/a2a-rules.md')
})
