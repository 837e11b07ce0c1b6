// How far an agent can be trusted (ADP/1.1 section 8.1): each level is a statement of its own, and the highest has a name.
import type { Quality } from '../dns/lookup.ts'

export const LEVELS = ['dns-verified', 'dane-verified', 'key-verified', 'peer-verified'] as const

export type Level = (typeof LEVELS)[number]

/** What each level says, in words. */
export const LEVEL_MEANS: Readonly<Record<Level, string>> = {
  'dns-verified': 'the DNS of the domain names a key',
  'dane-verified': 'the certificate is the one that the DNS names',
  'key-verified': 'the key of the metadata is the one that the DNS names',
  'peer-verified': 'signed messages went both ways',
}

export interface ReachedLevel {
  readonly level: Level
  /** How good the DNS was that it stands on: a key that matches what nobody signed may be anybody's. */
  readonly quality: Quality
}

/** A level, and how good the DNS has to be that it stands on. */
export interface Requirement {
  readonly level: Level
  /** Refuses what a resolver merely said; any quality will do when absent. */
  readonly dns?: 'checked'
}

/** What somebody wants to do next: connect; know the agent; speak with it. */
export const NEEDS = ['address', 'metadata', 'peer'] as const

export type Need = (typeof NEEDS)[number]

/** True when a level was reached, on a DNS that is good enough. */
export const isReached = (levels: readonly ReachedLevel[], { level, dns }: Requirement): boolean =>
  levels.some((reached) => reached.level === level && (dns === undefined || reached.quality === dns))

/** Writes a requirement as the command line takes it: `key-verified:checked`. */
export const requirementText = ({ level, dns }: Requirement): string => (dns === undefined ? level : `${level}:${dns}`)

export function highestOf(levels: readonly ReachedLevel[]): Level | undefined {
  return LEVELS.findLast((level) => levels.some((reached) => reached.level === level))
}
