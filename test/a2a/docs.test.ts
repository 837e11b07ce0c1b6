// docs/reference/a2a-rules.md is generated from the rules: npx vitest run --project node test/a2a/docs -u
import { expect, test } from 'vitest'
import { A2A_SIGNATURE_FINDINGS } from '../../bindings/a2a/findings.ts'
import { A2A_RULES } from '../../bindings/a2a/rules/index.ts'
import { rulesTable } from '../support/rules-table.ts'

test('docs/reference/a2a-rules.md lists every rule', async () => {
  const head = [
    '# Rules of A2A cards',
    '',
    'Written from bindings/a2a by test/a2a/docs.test.ts; do not edit. Each rule with its severity in each ruleset;',
    '`blazon explain ID` shows why it is there, and an example. The last four are those of signing and verifying.',
  ]
  const page = [...head, '', rulesTable([...A2A_RULES, ...A2A_SIGNATURE_FINDINGS])].join('\n')
  await expect(page).toMatchFileSnapshot('../../docs/reference/a2a-rules.md')
})
