// An Agent Card as in tables 1 to 7 of the draft. These types are for code that writes cards or has validated one.
// Cards of strangers are read through `Card`, which trusts nothing.

/** An Agent Card (section 3.1). Members that the draft does not define are kept. */
export interface AgentCard {
  /** The agent's agent:// URI. */
  readonly id: string
  readonly name: string
  readonly description?: string
  /** The version of the agent's capabilities: `1.2.0`. */
  readonly version?: string
  /** Tags: `python`, `nlp/translation`. */
  readonly skills?: readonly string[]
  readonly tools?: readonly CardTool[]
  readonly endpoints?: readonly CardEndpoint[]
  readonly constraints?: CardConstraints
  readonly did?: string
  readonly metadata?: CardMetadata
  /** By namespace: `clawnet.reputation`. */
  readonly extensions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** A uint64. Above 2^53 - 1 a number cannot hold it, so `Card` reads it from the text. */
  readonly seq?: number
  /** Ed25519, base64url without padding. */
  readonly signature?: string
  readonly [other: string]: unknown
}

/** A method that can be invoked (section 3.4). */
export interface CardTool {
  /** At most 255 UTF-8 bytes. */
  readonly name: string
  readonly description?: string
  /** JSON Schema (2020-12) of the request's body. */
  readonly input_schema?: Readonly<Record<string, unknown>>
  readonly output_schema?: Readonly<Record<string, unknown>>
  readonly streaming?: boolean
  readonly idempotent?: boolean
  readonly [other: string]: unknown
}

/** A place where methods can be reached (section 3.5). */
export interface CardEndpoint {
  /** `aitp`, `http+json`, `grpc`, `ws`, or a protocol that the draft does not define. */
  readonly protocol: string
  readonly uri: string
  /** Default: all tools. */
  readonly methods?: readonly string[]
  /** `none`, `bearer`, `mutual_tls`, `aitp_signed`. */
  readonly auth?: string
  /** Lower is preferred. */
  readonly priority?: number
  readonly [other: string]: unknown
}

/** Limits that callers are asked to respect (section 3.7). */
export interface CardConstraints {
  readonly max_concurrent_tasks?: number
  readonly max_input_tokens?: number
  /** ISO 639-1: `zh`. */
  readonly supported_languages?: readonly string[]
  /** `60/min` */
  readonly rate_limit?: string
  readonly [other: string]: unknown
}

/** When the card was made and updated, and how long it may be used (section 3.1). */
export interface CardMetadata {
  readonly created_at?: string
  readonly updated_at?: string
  /** Seconds after retrieval. */
  readonly ttl?: number
  readonly [other: string]: unknown
}
