// Asks the endpoints of a card, only on request, whether they offer what the card claims (Agent Card section 7.4).
import { PROBE_ABSENT_TOOL, PROBE_SILENT_ENDPOINT } from '../../card/findings.ts'
import { CARD_READING, Card } from '../../card/subject.ts'
import { parse } from '../../document/parse.ts'
import type { Diagnostic } from '../../document/types.ts'
import { readAs } from '../../frame/as.ts'
import type { Source } from '../../frame/source.ts'
import { findingAt } from '../../frame/subject.ts'
import { McpHttpTransport } from '../../mcp/http.ts'
import { openMcp } from '../../mcp/peer.ts'
import { fetchDocument } from '../../net/fetch.ts'
import { elements, isObject, isText, member, objectOf, type PlacedValue, textsOf, valueIn } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'

export declare namespace probe {
  interface Options extends Pick<fetchDocument.Options, 'fetch' | 'signal' | 'clock'> {
    /** The name of the card in diagnostics. */
    readonly file?: string
    /** The time for all requests to one endpoint; default 20,000. */
    readonly timeoutMs?: number
  }

  interface Result {
    readonly endpoints: readonly ProbedEndpoint[]
    readonly diagnostics: readonly Diagnostic[]
  }
}

export declare namespace probeTargets {
  /** An endpoint that can be asked. */
  interface Target {
    readonly pointer: string
    readonly uri: string
  }
}

/** The answer of an endpoint. */
export interface ProbedEndpoint extends probeTargets.Target {
  /** The protocol of its answer; undefined if it did not list its tools. */
  readonly speaks: 'mcp' | 'a2a' | undefined
  /** The tools that it offers. */
  readonly offered: readonly string[]
  /** Tools that the card claims but the endpoint does not offer. */
  readonly missing: readonly string[]
  /** Tools that the endpoint offers but the card does not claim. */
  readonly unclaimed: readonly string[]
  /** False if only the name of the server was checked, not its address. */
  readonly addressChecked: boolean
}

/** Enough for any card; each may take its full time. */
const MOST_TARGETS = 8
const PATIENCE_MS = 20_000

/**
 * Lists the endpoints of a card that `probe` would ask: those of http+json over https, each URI once.
 *
 * @example
 * probeTargets(card) // [{ pointer: '/endpoints/1', uri: 'https://api.example.com/translate/v1' }]
 */
export function probeTargets(card: Card): readonly probeTargets.Target[] {
  const uris = new Map<string, string>()
  for (const { pointer, value } of card.endpoints) {
    const uri = member(value, 'uri')
    const isAskable = member(value, 'protocol') === 'http+json' && isText(uri) && /^https:\/\//i.test(uri)
    if (isAskable && URL.canParse(uri) && !uris.has(uri)) uris.set(uri, pointer)
  }
  return [...uris].slice(0, MOST_TARGETS).map(([uri, pointer]) => ({ pointer, uri }))
}

/**
 * Asks the endpoints of a card for their tools, by MCP's tools/list or by their A2A card, and reports claimed tools
 * that they do not offer. Connects only to `probeTargets`, over HTTPS, and only to public addresses. Sends no
 * credentials of the caller and calls no tool.
 *
 * @example
 * const { endpoints, diagnostics } = await probe(card, { fetch })
 * endpoints[0] // { uri: 'https://mcp.example/mcp', speaks: 'mcp', offered: ['translate'], missing: ['sing'], ... }
 *
 * @throws {TypeError} for wrong arguments; never for the content of a card or an answer.
 */
export async function probe(source: Source | Card, options: probe.Options = {}): Promise<probe.Result> {
  const { subject: card, diagnostics } =
    source instanceof Card ? { subject: source, diagnostics: [] } : readAs(CARD_READING, source, options.file)
  if (card === undefined) return { endpoints: [], diagnostics }
  const asked = await Promise.all(probeTargets(card).map((target) => ask(card, target, options)))
  return {
    endpoints: asked.map(({ endpoint }) => endpoint),
    diagnostics: [...diagnostics, ...asked.flatMap((one) => one.diagnostics)],
  }
}

async function ask(
  card: Card,
  target: probeTargets.Target,
  { fetch, signal, clock = () => new Date(), timeoutMs = PATIENCE_MS }: probe.Options,
): Promise<{ endpoint: ProbedEndpoint; diagnostics: Diagnostic[] }> {
  const until = clock().getTime() + timeoutMs
  const limits = () => ({
    ...(fetch !== undefined && { fetch }),
    ...(signal !== undefined && { signal }),
    timeoutMs: Math.max(1, until - clock().getTime()),
  })
  const mcp = await askMcp(target.uri, limits)
  const offer = 'offered' in mcp ? mcp : await askA2a(target.uri, limits)
  if (!('offered' in offer)) {
    const refusal = 'refusal' in mcp ? mcp.refusal : ''
    const detail = `as an MCP server: ${refusal}; as an A2A agent: ${offer.refusal}`
    const nothing = { offered: [], missing: [], unclaimed: [], addressChecked: false }
    const finding = findingAt(card.document, PROBE_SILENT_ENDPOINT, `${target.pointer}/uri`, detail)
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
    const detail = `${quoted(name)} is claimed, but ${quoted(target.uri)} does not offer it`
    return findingAt(card.document, PROBE_ABSENT_TOOL, pointer, detail, { related })
  })
  return { endpoint, diagnostics }
}

/** The methods that an endpoint lists, or else all tools (section 3.5), each with its first place. */
function claimsOf(card: Card, pointer: string): ReadonlyMap<string, string> {
  const endpoint = card.endpoints.find((candidate) => candidate.pointer === pointer)
  const methods: readonly PlacedValue<string>[] = Array.isArray(valueIn(endpoint, 'methods'))
    ? elements(endpoint, 'methods', isText)
    : textsOf(card.tools, 'name')
  const claims = new Map<string, string>()
  for (const { pointer: at, value } of methods) if (!claims.has(value)) claims.set(value, at)
  return claims
}

/** The path of an A2A card since 0.3, and the one before. */
const PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json']
const DEPTH = 128

/** Asks the server of an endpoint for its A2A card, whose skills are the offered tools (Agent Card A.1). */
async function askA2a(url: string, options: () => fetchDocument.Options): Promise<Offer> {
  let refusal = ''
  for (const path of PATHS) {
    const outcome = await fetchDocument(new URL(path, url).href, 'application/json', options())
    if (!outcome.ok) {
      refusal = outcome.diagnostic.detail
      continue
    }
    const { bytes, addressChecked } = outcome.fetched
    const value = parse(bytes, { maxDepth: DEPTH }).document?.value
    if (isObject(value) && Array.isArray(member(value, 'skills'))) {
      const ids = elements({ pointer: '', value }, 'skills', isObject).map((skill) => valueIn(skill, 'id'))
      return { offered: [...new Set(ids.filter((id) => typeof id === 'string'))], addressChecked }
    }
    refusal = `${path} is not an A2A card`
  }
  return { refusal }
}

// Lists the tools of an MCP server: first with the handshake of 2025-11-25, then with a request of 2026-07-28, which
// needs no handshake.

const CLIENT = { name: 'blazon', version: '0' }
const MOST_PAGES = 10

/** The tools that an endpoint offers, or the reason why it did not list them. */
type Offer = { readonly offered: readonly string[]; readonly addressChecked: boolean } | { readonly refusal: string }

/** Asks an endpoint for its tools. It may not be an MCP server at all. */
async function askMcp(url: string, options: () => fetchDocument.Options): Promise<Offer> {
  const { signal, timeoutMs } = options()
  const limits = { ...(signal !== undefined && { signal }), ...(timeoutMs !== undefined && { timeoutMs }) }
  const transport = new McpHttpTransport(url, options)
  const opened = await openMcp(transport, { client: CLIENT, begin: 'initialize', ...limits })
  if ('fault' in opened) return { refusal: opened.fault.detail }
  const listed = await opened.ok.listTools({ ...limits, maxPages: MOST_PAGES })
  await opened.ok.close()
  if ('fault' in listed) return { refusal: listed.fault.detail }
  const names = listed.ok.tools.map((tool) => member(objectOf(tool), 'name'))
  return { offered: [...new Set(names.filter(isText))], addressChecked: transport.addressChecked }
}
