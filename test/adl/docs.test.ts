// docs/reference/adl-rules.md is generated from the rules: npx vitest run --project node test/adl/docs -u
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ALL } from '../../bindings/adl/findings.ts'
import { LIMITS } from '../../bindings/adl/index.ts'
import { LIMIT_DIAGNOSTICS } from '../../bindings/frame/findings.ts'
import { rulesTable } from '../support/rules-table.ts'

const page = readFileSync('docs/guide/adl.md', 'utf8')

function table(): string {
  return [
    '# Rules of ADL 0.1',
    '',
    'Written from bindings/adl/findings.yaml by test/adl/docs.test.ts; do not edit. Each rule with its severity in each ruleset;',
    '`blazon explain ID` shows why it is there, and an example. The rules of profiles are in [profiles.md](../guide/profiles.md).',
    '',
    rulesTable([...ALL, LIMIT_DIAGNOSTICS]),
  ].join('\n')
}

describe('the documentation', () => {
  test('docs/reference/adl-rules.md has every rule', async () => {
    await expect(table()).toMatchFileSnapshot('../../docs/reference/adl-rules.md')
  })

  test('docs/guide/adl.md names every option and limit', () => {
    for (const name of [
      'file',
      'format',
      'now',
      'limits',
      'profiles',
      'ruleset',
      'rules',
      'undefinedMembers',
      'maxDiagnostics',
      'as',
    ]) {
      expect(page).toContain(`\n| \`${name}\` |`)
    }
    for (const name of Object.keys(LIMITS)) expect(page).toContain(`\`${name}\``)
  })
})
