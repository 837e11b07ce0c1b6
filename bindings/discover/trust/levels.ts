// How far an agent can be trusted (ADP/1.1 section 8.1): each level is a separate statement, and the highest has a
// name.
import type { Quality } from '../dns/lookup.ts'

export const LEVELS = ['dns-verified', 'dane-verified', 'key-verified', 'peer-verified'] as const

export type Level = (typeof LEVELS)[number]

/** The meaning of each level. */
export const LEVEL_MEANS: Readonly<Record<Level, string>> = {
  'dns-verified': 'the DNS of the domain names a key',
  'dane-verified': 'the certificate is the one that the DNS names',
  'key-verified': 'the key of the metadata is the one that the DNS names',
  'peer-verified': 'signed messages went both ways',
}

export interface ReachedLevel {
  readonly level: Level
  /** The quality of the DNS answers behind it: a matching key from unsigned answers may be anyone's. */
  readonly quality: Quality
}

/** A level, and the required quality of its DNS answers. */
export interface Requirement {
  readonly level: Level
  /** Refuses a level that rests on a resolver's word; by default any quality is accepted. */
  readonly dns?: 'checked'
}

/** What the caller wants to do next: connect, know the agent, or talk to it. */
export const NEEDS = ['address', 'metadata', 'peer'] as const

export type Need = (typeof NEEDS)[number]

/** True if a level was reached with the required quality of DNS answers. */
export const isReached = (levels: readonly ReachedLevel[], { level, dns }: Requirement): boolean =>
  levels.some((reached) => reached.level === level && (dns === undefined || reached.quality === dns))

/** Writes a requirement in the form of the command line: `key-verified:checked`. */
export const requirementText = ({ level, dns }: Requirement): string => (dns === undefined ? level : `${level}:${dns}`)

export function highestOf(levels: readonly ReachedLevel[]): Level | undefined {
  return LEVELS.findLast((level) => levels.some((reached) => reached.level === level))
}
