// Finds the agents that a domain publishes (ADL 6.4): reads its discovery document, and each document that it lists.

import { DISCOVERY_ID } from '../adl/discovery/findings.ts'
import { type buildDiscovery, readDiscovery } from '../adl/discovery/specification.ts'
import { LIMITS } from '../adl/specification.ts'
import { validate } from '../adl/verbs.ts'
import { type Document, parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { findingAt } from '../frame/subject.ts'
import { checkLimit } from '../net/deadline.ts'
import { fetchDocument } from '../net/fetch.ts'

export declare namespace discoverAgents {
  interface Options extends fetchDocument.Options {
    /** The most listed documents to read; default 100. 0 reads only the list. */
    readonly maxDocuments?: number
  }

  interface Result {
    /** The URL that the list came from. */
    readonly url: string
    readonly agents: readonly DiscoveredAgent[]
    /** Findings about the list itself. */
    readonly diagnostics: readonly Diagnostic[]
    /** Entries that were not read because there are more than `maxDocuments`. */
    readonly unread: number
    /** False in a browser or a Worker, which sees the names of servers, but not their addresses. */
    readonly addressesChecked: boolean
  }
}

/** The outcome for one entry. */
export interface DiscoveredAgent {
  readonly entry: buildDiscovery.Entry
  /** Undefined if it was not read or is not usable. */
  readonly document: Document | undefined
  readonly diagnostics: readonly Diagnostic[]
}

const DOCUMENTS = 100
/** Concurrent requests: a list may name one server a hundred times. */
const AT_ONCE = 4
const ADL_TYPES = 'application/adl+json, application/json;q=0.9'

/**
 * Finds the agents of a domain: fetches its list over HTTPS, then every document on it, and checks that each is the
 * agent that the list names. A faulty entry does not affect the others.
 *
 * @example
 * const { agents } = await discoverAgents('acme.example.com')
 * for (const { entry, document, diagnostics } of agents) console.log(entry.id, document !== undefined, diagnostics)
 *
 * @throws {TypeError} if the domain is not a host name, {RangeError} for a malformed limit.
 */
export async function discoverAgents(
  domain: string,
  options: discoverAgents.Options = {},
): Promise<discoverAgents.Result> {
  const url = listUrl(domain)
  checkLimit('maxDocuments', options.maxDocuments)
  const listed = await fetchDocument(url, 'application/json', options)
  if (!listed.ok) {
    return { url, agents: [], diagnostics: [listed.diagnostic], unread: 0, addressesChecked: false }
  }
  const { entries, diagnostics } = readDiscovery(listed.fetched.bytes, { file: listed.fetched.url })
  const wanted = entries.slice(0, options.maxDocuments ?? DOCUMENTS)
  const agents: DiscoveredAgent[] = new Array(wanted.length)
  let next = 0
  let addressesChecked = listed.fetched.addressChecked
  const work = async () => {
    for (let i = next++; i < wanted.length; i = next++) {
      const read = await readEntry(wanted[i]!, options)
      agents[i] = read.agent
      addressesChecked &&= read.addressChecked
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { url: listed.fetched.url, agents, diagnostics, unread: entries.length - wanted.length, addressesChecked }
}

async function readEntry(
  entry: buildDiscovery.Entry,
  options: fetchDocument.Options,
): Promise<{ agent: DiscoveredAgent; addressChecked: boolean }> {
  const outcome = await fetchDocument(entry.adl_document, ADL_TYPES, options)
  if (!outcome.ok) {
    return { agent: { entry, document: undefined, diagnostics: [outcome.diagnostic] }, addressChecked: true }
  }
  const { bytes, url, addressChecked } = outcome.fetched
  const { document, diagnostics: reading } = parse(bytes, {
    file: url,
    maxDepth: LIMITS.depth,
    maxBytes: LIMITS.documentBytes,
  })
  if (document === undefined) return { agent: { entry, document, diagnostics: reading }, addressChecked }
  const { valid, diagnostics } = validate(document)
  const all = [...diagnostics, ...otherAgent(document, entry)]
  const usable = valid && all.length === diagnostics.length
  return { agent: { entry, document: usable ? document : undefined, diagnostics: all }, addressChecked }
}

/** Reports a document that claims to be another agent than the list says. */
function otherAgent(document: Document, { id, adl_document }: buildDiscovery.Entry): Diagnostic[] {
  const found = (document.value as { readonly id?: unknown }).id
  if (found === id || (found === undefined && id === adl_document)) return []
  const shown = typeof found === 'string' ? `'${found.slice(0, 200)}'` : 'none'
  const detail = `The list names the agent '${id.slice(0, 200)}', the document's id is ${shown}`
  return [findingAt(document, DISCOVERY_ID, '/id', detail)]
}

function listUrl(domain: string): string {
  if (typeof domain !== 'string' || !/^[^\s/?#@\\]+$/.test(domain)) {
    throw new TypeError(`domain: expected a host name such as acme.example.com, got ${JSON.stringify(domain)}`)
  }
  return `https://${domain}/.well-known/adl-agents`
}
