// The operator's settings for the directory. One that cannot be read counts as its default, which is a limit too.
import { type Grouping, groupingOf } from 'blazon/directory'
import type { Env } from '../env.ts'
import { formOf } from '../moderation/subjects.ts'

const DAY = 86_400

/** The settings with their defaults. */
const NUMBERS = {
  /**
   * The most bytes of SQLite per shard: a Durable Object has 10 GB, and memory for some 100,000 cards, which take 73
   * MiB.
   */
  SHARD_BYTES: 1 << 30,
  /** Milliseconds after which a shard that has not answered a query is left out of the answer. */
  SHARD_PATIENCE_MS: 2000,
  /** Milliseconds within which somebody who speaks to an agent here is found, or is not. */
  PEER_PATIENCE_MS: 15_000,
  /**
   * Milliseconds for each step of what agents here say and hear: who comes proves who it is, a call and a request are
   * answered, what came before an end is judged.
   */
  STEP_PATIENCE_MS: 10_000,
  /** The most cards in a shard signed by one key. */
  SIGNER_CARDS: 100,
  /** The most seconds that a card is served after its arrival. */
  MAX_TTL: 30 * DAY,
  /** The most new agents, and bytes of their cards, from one address within a day. */
  SENDER_CARDS: 1000,
  SENDER_BYTES: 16 << 20,
  /** The most cards that wait for the operator, and those of them that one address may bring within a day. */
  WAITING_CARDS: 1000,
  SENDER_WAITING: 20,
  /** The most results in one answer by one signer, or with one host of endpoints. */
  RESULTS_PER_SOURCE: 5,
} as const

const SWITCHES = {
  /** Asks agents for their cards before these expire. */
  RENEWAL: true,
  /** Shows cards with the same text as one result, and at most RESULTS_PER_SOURCE results per source. */
  GROUPING: true,
} as const

/**
 * The ways to let agents in: all of them, those that rules let in, those that somebody looked at, or by the hosts of
 * endpoints.
 */
const ADMISSIONS = ['open', 'list', 'queue', 'domains'] as const
type Admission = (typeof ADMISSIONS)[number]

type Texts = 'ADMISSION' | 'ADMISSION_DOMAINS' | 'DIRECTORY_NAME' | 'DIRECTORY_DESCRIPTION' | 'DIRECTORY_CONTACT'
export type DirectorySettings = Readonly<Partial<Record<keyof typeof NUMBERS | keyof typeof SWITCHES | Texts, string>>>

export function numberOf(env: Env, name: keyof typeof NUMBERS): number {
  const setting = env[name]
  if (setting === undefined || setting === '') return NUMBERS[name]
  if (/^\d{1,15}$/.test(setting)) return Number(setting)
  console.error(`${name}: expected a whole number, got ${setting}`)
  return NUMBERS[name]
}

export function isOn(env: Env, name: keyof typeof SWITCHES): boolean {
  const setting = env[name]
  if (setting === 'on' || setting === 'off') return setting === 'on'
  if (setting !== undefined && setting !== '') console.error(`${name}: expected on or off, got ${setting}`)
  return SWITCHES[name]
}

/** A setting that cannot be read closes the door: only whom rules let in gets in. */
export function admissionIn({ ADMISSION: setting = '' }: DirectorySettings): Admission {
  if (setting === '') return 'open'
  const admission = ADMISSIONS.find((known) => known === setting)
  if (admission === undefined) console.error(`ADMISSION: expected one of ${ADMISSIONS.join(', ')}, got ${setting}`)
  return admission ?? 'list'
}

/** The domains of the setting ADMISSION_DOMAINS, in their one form. */
export function domainsIn({ ADMISSION_DOMAINS: setting = '' }: DirectorySettings): ReadonlySet<string> {
  const names = setting.split(/[\s,]+/).filter((name) => name !== '')
  return new Set(names.flatMap((name) => formOf('host', name) ?? []))
}

const LONGEST_NAME = 200
const LONGEST_DESCRIPTION = 2000

/** The deployment in its own words. */
export interface About {
  readonly name: string
  readonly description: string
  /** An address of mail, or of a page. */
  readonly contact?: string
}

export function aboutIn({
  DIRECTORY_NAME,
  DIRECTORY_DESCRIPTION,
  DIRECTORY_CONTACT: contact,
}: DirectorySettings): About {
  const own = contact !== undefined && /^(?:https:\/\/|mailto:)[^\s<>"]{1,500}$/.test(contact)
  if (contact && !own) console.error(`DIRECTORY_CONTACT: expected https://... or mailto:..., got ${contact}`)
  return {
    name: DIRECTORY_NAME?.trim().slice(0, LONGEST_NAME) || 'Blazon directory',
    description:
      DIRECTORY_DESCRIPTION?.trim().slice(0, LONGEST_DESCRIPTION) ||
      'A directory of agents: keeps their Agent Cards, verifies who signed them, and finds the best for a task.',
    ...(own && { contact }),
  }
}

/** The grouping of answers; undefined when they are not grouped. */
export function groupingIn(env: Env): Grouping | undefined {
  return isOn(env, 'GROUPING') ? groupingOf({ perSource: numberOf(env, 'RESULTS_PER_SOURCE') }) : undefined
}
