// Compares an agent's claims about its own DNS (section 6.3.6) with what was seen. Claims raise no level.
import { member, objectMember } from '../../text/members.ts'
import type { AgentLocation } from './locate.ts'
import type { FetchedMetadata } from './metadata.ts'
import { type DiscoveryContext, words } from './trust-report.ts'

/** Adds no step if the metadata makes no claims. */
export function tellClaims(
  { asked, account }: DiscoveryContext,
  { metadata }: FetchedMetadata,
  { svcb, quality }: AgentLocation,
): void {
  const dns = objectMember(metadata.root, 'dns')
  const { service } = svcb
  const rows = [
    ['svcbVerified', member(dns?.value, 'svcbVerified'), service === undefined ? 'none' : 'an SVCB record'],
    ['dnssecSigned', member(dns?.value, 'dnssecSigned'), words({ quality, why: undefined })],
    [
      'dane.supported',
      member(objectMember(dns, 'dane')?.value, 'supported'),
      account.has('dane-verified') ? 'the certificate that the DNS names' : 'no certificate that the DNS names',
    ],
  ] as const
  const said = rows
    .filter(([, claim]) => typeof claim === 'boolean')
    .map(([name, claim, seen]) => `${name} ${claim}, seen: ${asked.invitation === undefined ? seen : 'not asked'}`)
  if (said.length > 0) account.steps.skipped('claims', said.join('; '))
}
