// docs/reference/card-rules.md is generated from the rules: npx vitest run --project node test/card/docs -u
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ALL } from '../../bindings/card/findings.ts'
import { rulesTable } from '../support/rules-table.ts'

describe('the documentation', () => {
  test('docs/reference/card-rules.md lists every rule', async () => {
    const head = [
      '# Rules of Agent Cards',
      '',
      'Written from bindings/card/findings.yaml by test/card/docs.test.ts; do not edit. Each rule with its severity in each ruleset;',
      '`blazon explain ID` shows why it is there, and an example.',
    ]
    await expect([...head, '', rulesTable(ALL)].join('\n')).toMatchFileSnapshot('../../docs/reference/card-rules.md')
  })
  test('docs/guide/card.md names every option', () => {
    const page = readFileSync('docs/guide/card.md', 'utf8')
    for (const name of ['`file`, `format`', '`now`', '`ruleset`', '`rules`', '`maxDiagnostics`']) {
      expect(page).toContain(`\n| ${name} |`)
    }
  })
})
