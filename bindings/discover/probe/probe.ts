// Whether what a card claims is there (Agent Card section 7.4): the endpoints are asked themselves, and only when told to.
import { Card } from '../../card/card.ts'
import { type CardSource, openCard } from '../../card/open.ts'
import { absentTool, silentEndpoint } from '../../card/probe-findings.ts'
import { elements, isText, member, type Placed, type PlacedObject } from '../../document/members.ts'
import { ruleDiagnostic } from '../../document/rule.ts'
import type { Diagnostic } from '../../document/types.ts'
import { quoted } from '../../document/words.ts'
import type { FetchOptions } from '../fetch.ts'
import { askA2a } from './a2a.ts'
import { askMcp } from './mcp.ts'

export interface ProbeOptions extends Pick<FetchOptions, 'fetch' | 'signal' | 'now'> {
  /** What diagnostics call the card. */
  readonly file?: string
  /** For all questions to one endpoint, 20,000 when absent. */
  readonly timeoutMs?: number
}

/** An endpoint that can be asked. */
export interface ProbeTarget {
  readonly pointer: string
  readonly uri: string
}

/** What an endpoint said. */
export interface ProbedEndpoint extends ProbeTarget {
  /** What it answered as; undefined when it did not say what it offers. */
  readonly speaks: 'mcp' | 'a2a' | undefined
  /** The tools that it offers. */
  readonly offered: readonly string[]
  /** Claimed by the card, and not offered. */
  readonly missing: readonly string[]
  /** Offered, and not claimed. */
  readonly unclaimed: readonly string[]
  /** Whether the address of the server was checked, or only its name. */
  readonly addressChecked: boolean
}

export interface Probe {
  readonly endpoints: readonly ProbedEndpoint[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Of more nobody has use, and each may take its time. */
const MOST_TARGETS = 8
const PATIENCE_MS = 20_000

/**
 * The endpoints of a card that `probe` would ask: those of http+json, by https, each URI once.
 *
 * @example
 * probeTargets(card) // [{ pointer: '/endpoints/1', uri: 'https://api.example.com/translate/v1' }]
 */
export function probeTargets(card: Card): readonly ProbeTarget[] {
  const uris = new Map<string, string>()
  for (const { pointer, value } of card.endpoints) {
    const uri = member(value, 'uri')
    const isAskable = member(value, 'protocol') === 'http+json' && isText(uri) && /^https:\/\//i.test(uri)
    if (isAskable && URL.canParse(uri) && !uris.has(uri)) uris.set(uri, pointer)
  }
  return [...uris].slice(0, MOST_TARGETS).map(([uri, pointer]) => ({ pointer, uri }))
}

/**
 * Asks the endpoints of a card what they offer, by tools/list of MCP or by their A2A card, and tells what the card claims
 * and is not there. Connects to `probeTargets` alone, over HTTPS, never to an address that is not public; nothing of the
 * caller goes along, and no tool is called.
 *
 * @example
 * const { endpoints, diagnostics } = await probe(card, { fetch })
 * endpoints[0] // { uri: 'https://mcp.example/mcp', speaks: 'mcp', offered: ['translate'], missing: ['sing'], ... }
 *
 * @throws {TypeError} for wrong arguments; never for what a card holds or a server answers.
 */
export async function probe(source: CardSource | Card, options: ProbeOptions = {}): Promise<Probe> {
  const opened = source instanceof Card ? { card: source, diagnostics: [] } : openCard(source, options.file)
  const { card } = opened
  if (card === undefined) return { endpoints: [], diagnostics: opened.diagnostics }
  const asked = await Promise.all(probeTargets(card).map((target) => ask(card, target, options)))
  return {
    endpoints: asked.map(({ endpoint }) => endpoint),
    diagnostics: [...opened.diagnostics, ...asked.flatMap(({ diagnostics }) => diagnostics)],
  }
}

async function ask(
  card: Card,
  target: ProbeTarget,
  { fetch, signal, now = Date.now, timeoutMs = PATIENCE_MS }: ProbeOptions,
): Promise<{ endpoint: ProbedEndpoint; diagnostics: Diagnostic[] }> {
  const until = now() + timeoutMs
  const limits = () => ({
    ...(fetch !== undefined && { fetch }),
    ...(signal !== undefined && { signal }),
    timeoutMs: Math.max(1, until - now()),
  })
  const mcp = await askMcp(target.uri, limits)
  const offer = 'offered' in mcp ? mcp : await askA2a(target.uri, limits)
  if (!('offered' in offer)) {
    const refusal = 'refusal' in mcp ? mcp.refusal : ''
    const detail = `as an MCP server: ${refusal}; as an A2A agent: ${offer.refusal}`
    const nothing = { offered: [], missing: [], unclaimed: [], addressChecked: false }
    const finding = ruleDiagnostic(
      card.document,
      silentEndpoint,
      silentEndpoint.severity,
      `${target.pointer}/uri`,
      detail,
    )
    return { endpoint: { ...target, speaks: undefined, ...nothing }, diagnostics: [finding] }
  }
  const claimed = claimsOf(card, target.pointer)
  const offered = new Set(offer.offered)
  const missing = [...claimed].filter(([name]) => !offered.has(name))
  const endpoint: ProbedEndpoint = {
    ...target,
    speaks: offer === mcp ? 'mcp' : 'a2a',
    offered: offer.offered,
    missing: missing.map(([name]) => name),
    unclaimed: offer.offered.filter((name) => !claimed.has(name)),
    addressChecked: offer.addressChecked,
  }
  const related = [{ pointer: `${target.pointer}/uri`, message: 'the endpoint that was asked' }]
  const diagnostics = missing.map(([name, pointer]) => {
    const detail = `${quoted(name)} is claimed, and ${quoted(target.uri)} does not offer it`
    return ruleDiagnostic(card.document, absentTool, absentTool.severity, pointer, detail, { related })
  })
  return { endpoint, diagnostics }
}

/** The methods that an endpoint lists, or else all tools (section 3.5): the first place of each. */
function claimsOf(card: Card, pointer: string): ReadonlyMap<string, string> {
  const endpoint = card.endpoints.find((candidate) => candidate.pointer === pointer)
  const methods: readonly Placed<string>[] = Array.isArray(member(endpoint?.value, 'methods'))
    ? elements(endpoint, 'methods', isText)
    : card.tools.flatMap(nameOf)
  const claims = new Map<string, string>()
  for (const { pointer: at, value } of methods) if (!claims.has(value)) claims.set(value, at)
  return claims
}

function nameOf({ pointer, value }: PlacedObject): readonly Placed<string>[] {
  const name = member(value, 'name')
  return isText(name) ? [{ pointer: `${pointer}/name`, value: name }] : []
}
