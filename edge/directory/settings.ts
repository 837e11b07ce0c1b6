// What an operator may set of the directory. A setting that cannot be read counts as its default, which is a bound too.
import { type Grouping, groupingOf } from 'blazon/directory'
import type { Env } from '../env.ts'

const DAY = 86_400

/** Each with what it is when it is not set. */
const NUMBERS = {
  /** Bytes of SQLite that a shard takes: a Durable Object has 10 GB, and memory for some 100,000 cards, which take 73 MiB. */
  SHARD_BYTES: 1 << 30,
  /** Cards in a shard that one key signed. */
  SIGNER_CARDS: 100,
  /** Seconds that a card is given out after it came. */
  MAX_TTL: 30 * DAY,
  /** New agents, and bytes of their cards, that one address may bring within a day. */
  SENDER_CARDS: 1000,
  SENDER_BYTES: 16 << 20,
  /** Results of one answer that one signer, or one host of endpoints, has. */
  RESULTS_PER_SOURCE: 5,
} as const

const SWITCHES = {
  /** Agents are asked for their cards before these expire. */
  RENEWAL: true,
  /** Cards with one text are one result, and no source has more results than RESULTS_PER_SOURCE. */
  GROUPING: true,
} as const

export type DirectorySettings = Readonly<Partial<Record<keyof typeof NUMBERS | keyof typeof SWITCHES, string>>>

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

/** How answers are grouped; nothing where they are not. */
export function groupingIn(env: Env): Grouping | undefined {
  return isOn(env, 'GROUPING') ? groupingOf({ perSource: numberOf(env, 'RESULTS_PER_SOURCE') }) : undefined
}
