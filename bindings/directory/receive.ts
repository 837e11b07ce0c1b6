// Determines whose card it is (section 7.1), before the card is stored or served.

import type { Card } from '../card/subject.ts'
import { verify } from '../card/verbs.ts'
import type { FindingKind } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import type { Proof } from '../frame/source.ts'
import { ruleDiagnostic } from '../frame/subject.ts'
import { quoted } from '../text/words.ts'
import { DIRECTORY_NOT_SHOWN, DIRECTORY_OTHER_SENDER } from './findings.ts'
import type { Settings } from './settings.ts'
import type { Standing } from './stored.ts'
import type { Sender } from './types.ts'

/** True for standings that count as signed when cards replace each other: the signature was verified with some key. */
export const isSigned = (standing: Standing): boolean => standing === 'signature' || standing === 'pinned'

/** How a card was proved to come from its agent, and the key that proved it, if it was a key. */
export interface Author {
  readonly standing: Standing
  readonly signer: string | undefined
}

export type Authorship = Author | { readonly standing: undefined; readonly diagnostics: readonly Diagnostic[] }

/** Checks everything that can prove whose card it is. If nothing does, the diagnostics say why. */
export async function authorshipOf(card: Card, sender: Sender, settings: Settings): Promise<Authorship> {
  const { id } = sender
  if (id !== undefined && id !== card.id!.value) {
    return refuse(
      card,
      DIRECTORY_OTHER_SENDER,
      `expected ${quoted(id)}, which sends it, found ${quoted(card.id!.value)}`,
    )
  }
  const vouched = vouchedFor(sender, settings)
  // Verification of an unsigned card cannot succeed, whatever keys are known. It would only report what is missing.
  if (vouched !== undefined && card.root.value['signature'] === undefined) return vouched
  const { keys, ans, subtle } = settings
  const proof = await verify(card.document, {
    ...(keys && { resolver: keys }),
    ...(ans && { ans }),
    ...(subtle && { subtle }),
  })
  // An invalid signature counts against the card, even if the sender is trusted.
  if (proof.verdict === 'failed') return { standing: undefined, diagnostics: diagnosticsOf(proof) }
  if (proof.verdict === 'verified') {
    const standing = dataOf(proof, 'identity')['trust'] === 'resolver' ? 'pinned' : 'signature'
    return { standing, signer: dataOf(proof, 'signature')['fingerprint'] as string }
  }
  if (vouched !== undefined) return vouched
  const refused = ruleDiagnostic(
    card.document,
    DIRECTORY_NOT_SHOWN,
    'error',
    '/id',
    `${quoted(card.id!.value)} is not verified`,
  )
  return { standing: undefined, diagnostics: [refused, ...diagnosticsOf(proof)] }
}

function vouchedFor({ id, operator }: Sender, { trustSource, acceptUnverified }: Settings): Author | undefined {
  const author = (standing: Standing): Author => ({ standing, signer: undefined })
  if (id !== undefined && trustSource) return author('source')
  if (operator === true) return author('token')
  return acceptUnverified ? author('none') : undefined
}

function refuse({ document }: Card, rule: FindingKind, detail: string): Authorship {
  return { standing: undefined, diagnostics: [ruleDiagnostic(document, rule, rule.severity, '/id', detail)] }
}

const diagnosticsOf = ({ steps }: Proof): Diagnostic[] => steps.flatMap(({ diagnostic }) => diagnostic ?? [])

const dataOf = ({ steps }: Proof, name: string) => steps.find((step) => step.name === name)?.data ?? {}
