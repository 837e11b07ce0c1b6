import { replaceText } from '../../document/fixes.ts'
import type { Rule } from '../../frame/rule.ts'
import { isDid } from '../../keys/did.ts'
import { isSemver } from '../../schema/formats.ts'
import { quoted } from '../../text/words.ts'
import type { Card } from '../card.ts'

export const did: Rule<Card> = {
  id: 'did-syntax',
  code: 'CARD-136',
  title: 'Not a DID',
  section: 'Agent Card 3.1',
  severity: 'error',
  why: 'A decentralized identifier that has not the syntax of one resolves nowhere.',
  bad: '{"did": "acme.example.com"}',
  good: '{"did": "did:web:acme.example.com"}',
  check({ did }, report) {
    if (did === undefined || isDid(did.value)) return
    report(did.pointer, `${quoted(did.value)} is no DID: expected did:method:identifier`)
  },
}

export const version: Rule<Card> = {
  id: 'version',
  code: 'CARD-135',
  title: 'Not a semantic version',
  section: 'Agent Card 3.1',
  severity: 'error',
  why: 'By a semantic version callers can tell whether what they were made for is still there.',
  bad: '{"version": "1.2"}',
  good: '{"version": "1.2.0"}',
  check({ document, version }, report) {
    if (version === undefined || isSemver(version.value)) return
    const meant = semverOf(version.value)
    const fix = meant === undefined ? {} : { fix: () => replaceText(document, version.pointer, meant) }
    report(version.pointer, `${quoted(version.value)} is no semantic version such as 1.2.0`, fix)
  },
}

/** Completes a version: `v1.2` becomes 1.2.0. */
function semverOf(text: string): string | undefined {
  const [, number] = /^v?(\d{1,9}(?:\.\d{1,9}){0,2})$/i.exec(text) ?? []
  if (number === undefined) return undefined
  const meant = [...number.split('.'), '0', '0'].slice(0, 3).join('.')
  return isSemver(meant) ? meant : undefined
}
