import type { Baggage, Carrier, Withheld } from './ledger.ts'
import type { ConvertOptions } from './types.ts'

/** The URI of the A2A extension whose params are the members of a definition that the card cannot express. */
export const EXTENSION = 'urn:uuid:323e6474-8c7b-46c2-8e4e-6f56ce7ab347'
/** The member of `_meta` with the same content in MCP. */
export const META = 'blazon/adl'
/** The same for Agent Cards: the extension whose params are members of a card, and the member of `_meta`. */
export const CARD_EXTENSION = 'urn:uuid:0ee4ef8f-37f4-4cef-ab3d-4f5c8b63f571'
export const CARD_META = 'blazon/card'

/** The member of a definition that keeps the members of an AgentLang agent without a counterpart. */
export const AGENT = 'x_agentlang'

const REVEALS = "may be private (ADL 18.4, 18.9); carry: 'all' includes it"
const SIGNED = "covers the whole definition, but not the result; carry: 'all' includes it"

/** Members that are carried only on request. */
const WITHHELD: readonly Withheld[] = [
  { path: ['system_prompt'], why: REVEALS },
  { path: ['prompts'], why: REVEALS },
  { path: ['provider', 'contact'], why: REVEALS },
  { path: ['metadata', 'authors'], why: REVEALS },
  { path: ['permissions'], why: REVEALS },
  { path: [AGENT, 'permissions'], why: REVEALS },
  { path: [AGENT, 'constraints'], why: REVEALS },
  { path: ['resources', '*', 'uri'], why: REVEALS },
  { path: ['security', 'attestation'], why: SIGNED },
]

/** Exceptions of a format to what is withheld. */
interface Exceptions {
  /** Members of the definition that the format always publishes. */
  readonly published?: readonly string[]
  readonly more?: readonly Withheld[]
}

/** The baggage of a definition, in a format with room for unknown members. */
export function definitionBaggage(
  { carry = 'public' }: ConvertOptions,
  carriers: readonly (readonly [pointer: string, carrier: Carrier])[],
  homeless: string,
  { published = [], more = [] }: Exceptions = {},
): Baggage {
  if (carry === 'nothing') return { carriers: new Map(), withheld: [], homeless }
  const withheld = WITHHELD.filter(({ path }) => !published.includes(path[0]!))
  return { carriers: new Map(carriers), withheld: carry === 'all' ? [] : [...withheld, ...more], homeless }
}

const VOUCHES = "covers the source, but not the result; carry: 'all' includes it"

/** The baggage of a document without secrets: everything except signatures, which do not cover the result. */
export function openBaggage(
  { carry = 'public' }: ConvertOptions,
  carriers: readonly (readonly [string, Carrier])[],
  homeless: string,
  more: readonly Withheld[] = [],
): Baggage {
  if (carry === 'nothing') return { carriers: new Map(), withheld: [], homeless }
  const withheld = [...['signatures', 'signature'].map((name) => ({ path: [name], why: VOUCHES })), ...more]
  return { carriers: new Map(carriers), withheld: carry === 'all' ? [] : withheld, homeless }
}

/** The baggage of another format in a definition. */
export function foreignBaggage(options: ConvertOptions, carriers: readonly (readonly [string, Carrier])[]): Baggage {
  return openBaggage(options, carriers, 'an agent definition has no member for it')
}
