// The operator's numbers and switches. One that cannot be read counts as its default, which is a limit too.
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
  /** The card of A2A 0.3 at the place that A2A had before it, for clients that do not ask for metadata by its type. */
  A2A_LEGACY: false,
} as const

/** Numbers, and what is on or off, as the operator has written them. */
export type Settings = Readonly<Partial<Record<keyof typeof NUMBERS | keyof typeof SWITCHES, string>>>

export function numberOf(env: Settings, name: keyof typeof NUMBERS): number {
  const setting = env[name]
  if (setting === undefined || setting === '') return NUMBERS[name]
  if (/^\d{1,15}$/.test(setting)) return Number(setting)
  console.error(`${name}: expected a whole number, got ${setting}`)
  return NUMBERS[name]
}

export function isOn(env: Settings, name: keyof typeof SWITCHES): boolean {
  const setting = env[name]
  if (setting === 'on' || setting === 'off') return setting === 'on'
  if (setting !== undefined && setting !== '') console.error(`${name}: expected on or off, got ${setting}`)
  return SWITCHES[name]
}
