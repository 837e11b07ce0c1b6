// The operator's numbers and switches. Invalid values are reported, and the default is used, which is also a limit.
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
  /** The timeout for looking up a caller of an agent here, in milliseconds. */
  PEER_PATIENCE_MS: 15_000,
  /**
   * The timeout for each step of a conversation, in milliseconds: a caller identifies itself, a call or a request is
   * answered, messages that arrived before the end are processed.
   */
  STEP_PATIENCE_MS: 10_000,
  /** The most cards in a shard signed by one key. */
  SIGNER_CARDS: 100,
  /** The most seconds that a card is served after it was received. */
  MAX_TTL: 30 * DAY,
  /** The most new agents, and bytes of their cards, from one address per day. */
  SENDER_CARDS: 1000,
  SENDER_BYTES: 16 << 20,
  /** The most cards that wait for the operator, in all and from one address per day. */
  WAITING_CARDS: 1000,
  SENDER_WAITING: 20,
  /** The most results of one signer, or with one endpoint host, in an answer. */
  RESULTS_PER_SOURCE: 5,
} as const

const SWITCHES = {
  /** Asks agents for their cards before these expire. */
  RENEWAL: true,
  /** Shows cards with the same text as one result, and at most RESULTS_PER_SOURCE results per source. */
  GROUPING: true,
  /** Serves the A2A 0.3 card at its former address to clients that do not request metadata by its type. */
  A2A_LEGACY: false,
} as const

/** Settings as the operator has written them. */
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
