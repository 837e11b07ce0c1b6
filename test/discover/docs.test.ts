// docs/reference/discovery-findings.md and docs/reference/agp-findings.md are generated from the findings: npx vitest run
// --project node test/discover/docs -u
import { expect, test } from 'vitest'
import { explained as ofMessages } from '../../bindings/agp/findings.ts'
import { explained as ofCheck } from '../../bindings/discover/check/findings.ts'
import { explained as ofDns } from '../../bindings/discover/dns/findings.ts'
import { explained as ofTrust } from '../../bindings/discover/trust/findings.ts'
import { rulesTable } from '../support/rules-table.ts'

test.each([
  ['discovery', 'DNS, discovery and trust', [...ofDns(), ...ofTrust(), ...ofCheck()]],
  ['agp', 'messages, requests and tasks', ofMessages()],
])('docs/reference/%s-findings.md lists every finding of %s', async (name, subject, rows) => {
  const head = [
    `# Findings of ${subject}`,
    '',
    'Written from the findings.yaml of their folders by test/discover/docs.test.ts; do not edit. `blazon explain ID` shows why a finding',
    'is there, and an example.',
  ]
  await expect([...head, '', rulesTable(rows)].join('\n')).toMatchFileSnapshot(
    `../../docs/reference/${name}-findings.md`,
  )
})
