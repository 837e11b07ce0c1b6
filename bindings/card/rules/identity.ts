import { replaceText } from '../../document/fixes.ts'
import type { Rule } from '../../frame/rule.ts'
import { isDid } from '../../keys/did.ts'
import { isSemver } from '../../schema/formats.ts'
import { quoted } from '../../text/words.ts'
import type { Card } from '../card.ts'
import { DID_SYNTAX, VERSION } from '../findings.ts'

export const did: Rule<Card> = {
  ...DID_SYNTAX,
  check({ did }, report) {
    if (did === undefined || isDid(did.value)) return
    report(did.pointer, `${quoted(did.value)} is no DID: expected did:method:identifier`)
  },
}

export const version: Rule<Card> = {
  ...VERSION,
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
