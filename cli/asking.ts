// Options and checks of the commands that query the DNS.
import { anchorsFromText, type TrustAnchors } from '../bindings/discover/dns/dnssec/rdata.ts'
import type { LookupOptions } from '../bindings/discover/dns/lookup.ts'
import type { discover } from '../bindings/discover/trust/discover.ts'
import { readAgentDomain } from '../bindings/discover/trust/domain.ts'
import type { Document } from '../bindings/document/parse.ts'
import { type Options, type Tools, Unreadable, UsageError } from './command.ts'

export const ASKING = {
  resolver: { value: 'RESOLVER', about: 'the resolver: an address or https URL (default: that of the system)' },
  anchors: { value: 'FILE', about: 'DS records to trust instead of those of the root' },
} as const satisfies Options

export interface Asking {
  readonly resolver?: string | undefined
  readonly anchors?: string | undefined
}

export async function dnsOf(
  tools: Tools,
  { resolver, anchors }: Asking,
): Promise<Pick<LookupOptions, 'resolver' | 'anchors'>> {
  const asked = await resolverOf(tools, resolver)
  return anchors === undefined ? { resolver: asked } : { resolver: asked, ...(await anchorsOf(tools, anchors)) }
}

/** Names the resolver for people, before it is queried. */
export const whoIsAsked = ({ host }: Tools, { resolver }: Asking): string =>
  resolver ?? host.runtime().nameServers[0] ?? 'the system’s resolver'

async function resolverOf({ host }: Tools, where: string | undefined) {
  try {
    return await host.resolver(where)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const hint = 'as in --resolver https://dns.example/dns-query'
    throw new UsageError('invalid-value', `--resolver: ${error.message}`, hint)
  }
}

export async function anchorsOf({ reader }: Tools, file: string): Promise<{ readonly anchors: TrustAnchors }> {
  const { bytes } = await reader.bytes(file)
  return { anchors: readAnchors(new TextDecoder().decode(bytes), file) }
}

export function oneDomain([text, ...more]: readonly string[], command: string): string {
  if (text !== undefined && more.length === 0) return domainOf(text)
  throw new UsageError('wrong-arguments', `${command} takes one domain`, `as in blazon ${command} alice.example.com`)
}

function readAnchors(text: string, file: string): TrustAnchors {
  try {
    return anchorsFromText(text)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError('invalid-value', `${file}: ${error.message}`, 'as in ". IN DS 20326 8 2 E06D44B8…"')
  }
}

// Reads the domain of an agent from the command line.

/** Shows both forms of a domain, because letters of two scripts may look alike. */
export function bothForms(domain: string): string {
  const { ascii, unicode } = readAgentDomain(domain)
  return ascii === unicode ? ascii : `${ascii}, written ${unicode}`
}

export function domainOf(text: string): string {
  try {
    return readAgentDomain(text).ascii
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError('invalid-value', `${text} is not a domain`, 'as in blazon discover alice.example.com')
  }
}

// Reads which agent the command line names: by its domain, or an invitation, which replaces the DNS for a private one.

export const TOKEN = {
  token: { value: 'TOKEN', about: 'the token for a private agent: a file, env:NAME, or -' },
} as const satisfies Options

export interface NamedDomain {
  readonly domain: string
  readonly invitation: Document | undefined
  /** For `discover`. */
  readonly given: Pick<discover.Options, 'invitation' | 'token'>
}

type WithToken = Tools & { readonly options: { readonly token: string | undefined } }

export async function tokenOf(tools: WithToken): Promise<{ readonly token?: string }> {
  const { token } = tools.options
  return token === undefined ? {} : { token: await (await import('./keys.ts')).readToken('token', token, tools) }
}

/** No domain has such an ending. */
const FILE = /\.(?:json|ya?ml)$/i

export async function agentNamed(
  [text, ...more]: readonly string[],
  command: string,
  tools: WithToken,
): Promise<NamedDomain> {
  if (text === undefined || more.length > 0) {
    const hint = `as in blazon ${command} alice.example.com`
    throw new UsageError('wrong-arguments', `${command} takes one domain, or one invitation`, hint)
  }
  const token = await tokenOf(tools)
  if (text !== '-' && !FILE.test(text)) return { domain: domainOf(text), invitation: undefined, given: token }
  const invitation = await invitationIn(text, tools)
  const { agent } = (invitation.value as { readonly invite: { readonly agent: string } }).invite
  return { domain: domainOf(agent), invitation, given: { invitation, ...token } }
}

async function invitationIn(file: string, { reader }: Tools): Promise<Document> {
  const { validate } = await import('../bindings/wellknown/invite/verbs.ts')
  const { document, file: name } = await reader.document(file)
  const { valid, diagnostics } = validate(document, { file: name })
  if (valid) return document
  throw new Unreadable({ file: name, kind: 'invite', diagnostics })
}

export const callerIn = (text: string): string => `agent:${domainOf(text)}`
