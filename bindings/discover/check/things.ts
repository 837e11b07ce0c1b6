// The lines of a check, and their states.
import { diagnoseNowhere } from '../../document/diagnose.ts'
import type { FindingKind } from '../../document/finding.ts'
import type { Diagnostic } from '../../document/types.ts'
import type { DnsRecord } from '../publish/records.ts'

/** In the order of the table: the title, and the section that requires it. */
const THINGS = {
  adp: ['Agent by ADP', 'ADP/1.1 section 8.1'],
  svcb: ['SVCB record', 'ADP/1.1 section 4.1'],
  txt: ['TXT record', 'ADP/1.1 section 5.1'],
  srv: ['SRV record', 'ADP/1.1 section 5.2'],
  'dns-aid': ['DNS-AID', 'ADP/1.1 section 4.1.1'],
  aid: ['AID record', 'docs/guide/dns.md'],
  a2a: ['A2A card', 'docs/guide/dns.md'],
  catalogs: ['Catalogs', 'docs/guide/dns.md'],
  signing: ['Keys of requests', 'docs/guide/dns.md'],
  dnssec: ['DNSSEC', 'ADP/1.1 section 4.3'],
  tlsa: ['TLSA record', 'ADP/1.1 section 4.2'],
  tls: ['TLS 1.3 alone', 'ADP/1.1 section 8.2'],
} as const

export type ThingName = keyof typeof THINGS

/**
 * `valid`: present, and consistent with the rest. `absent`: missing. `stale`: it was right once. `wrong`: unusable or
 * inconsistent. `unknown`: it could not be checked.
 */
export type ThingState = 'valid' | 'absent' | 'stale' | 'wrong' | 'unknown'

export interface CheckedThing {
  readonly name: ThingName
  readonly title: string
  readonly state: ThingState
  /** What was found, in one line. */
  readonly detail: string
  readonly spec: string
  /** What to find out before changing any record. */
  readonly caution: string | undefined
  /** The records that fix it. */
  readonly add: readonly DnsRecord[]
  /** Records to remove. */
  readonly remove: readonly DnsRecord[]
  /** What else to do, in words. */
  readonly hint: string | undefined
  /** Absent if it is valid or optional. */
  readonly diagnostic: Diagnostic | undefined
}

export interface Mending {
  readonly kind?: FindingKind
  readonly caution?: string
  readonly add?: readonly DnsRecord[]
  readonly remove?: readonly DnsRecord[]
  readonly hint?: string
}

const lineOf = ({ name, ttl, type, data }: DnsRecord) => `${name}. ${ttl} IN ${type} ${data}`

/** What to do, one line each. */
export const mendingLines = ({
  caution,
  add,
  remove,
  hint,
}: Pick<CheckedThing, 'caution' | 'add' | 'remove' | 'hint'>): readonly string[] => [
  ...(caution === undefined ? [] : [caution]),
  ...remove.map((record) => `remove ${lineOf(record)}`),
  ...add.map((record) => `add ${lineOf(record)}`),
  ...(hint === undefined ? [] : [hint]),
]

/**
 * The caution for a record that differs from the served document: an attacker wants the owner to publish the attacker's
 * values.
 *
 * @param compare how the owner finds the right value.
 */
export const oldOrAttack = (compare: string): string =>
  `either the record is old, or an attacker answers instead of the agent; both look the same from here. Compare on the server itself: ${compare}. Replace the record only if it is old`

/** One line of the table; with a kind it has a finding. */
export function thing(
  domain: string,
  name: ThingName,
  state: ThingState,
  detail: string,
  { kind, caution, add = [], remove = [], hint }: Mending = {},
): CheckedThing {
  const [title, spec] = THINGS[name]
  const todo = mendingLines({ caution, add, remove, hint }).join('; ')
  const fix = todo === '' ? undefined : { hint: todo }
  const diagnostic = kind && diagnoseNowhere(kind, { detail: `${title}: ${detail}`, fix }, domain)
  return { name, title, state, detail, spec, caution, add, remove, hint, diagnostic }
}
