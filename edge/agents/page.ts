// The pages of agents: of a definition, and at the root of an agent's host (ADP/1.1 section 7.1 and Appendix A). No script
// runs, and every text is escaped.
import type { Proof } from 'blazon'
import { grants, verify } from 'blazon/adl'
import { canonicalizeWithout } from 'blazon/core'
import type { Document } from 'blazon/document'
import type { Metadata } from '../contracts/documents.ts'
import type { NamedAgent } from '../contracts/gateway.ts'
import { escapeHtml, escapeJson, factRows, htmlPage, htmlTable } from '../http/html.ts'

/** The most tools or capabilities on a page; the document has all of them. */
const MOST_SHOWN = 200

/** The members of a definition that this server reads. It was valid when it was published. */
export interface Definition {
  readonly id?: string
  readonly name: string
  readonly description: string
  readonly version: string
  readonly lifecycle?: { readonly status: string; readonly successor?: string }
  readonly profiles?: readonly string[]
  readonly provider?: { readonly name: string }
  readonly data_classification: { readonly sensitivity: string; readonly categories?: readonly string[] }
  readonly security?: { readonly attestation?: { readonly signature?: unknown } }
  readonly tools?: readonly {
    readonly name: string
    readonly description: string
    readonly requires_confirmation?: boolean
  }[]
}

/** Verdicts of a verification that uses only keys in the document: the server fetches nothing on behalf of a reader. */
const VERDICTS = {
  verified: 'valid: the definition is unchanged since it was signed with the key that it names',
  failed: 'invalid: the definition was changed after it was signed, or another key signed it',
  unverifiable: 'not verifiable: the definition does not contain the key',
} as const

/** The page of a published agent. */
export async function agentPage(document: Document, address: string): Promise<string> {
  const agent = document.value as Definition
  const { lifecycle, provider, data_classification: classification, tools = [] } = agent
  const isSigned = agent.security?.attestation?.signature !== undefined
  const proof = isSigned ? await verify(document) : undefined
  const facts = factRows([
    ['Version', agent.version],
    ['Provider', provider?.name],
    ['Status', lifecycle?.status],
    ['Successor', lifecycle?.successor],
    ['Data', [classification.sensitivity, ...(classification.categories ?? [])].join(', ')],
    ['Signature', proof === undefined ? 'none' : signatureWords(proof)],
  ])
  return htmlPage(agent.name, {
    head: `<link rel="alternate" type="application/adl+json" href="${escapeHtml(address)}/adl.json">`,
    body: `<header>
  <p><a href="/">Blazon</a></p>
  <h1>${escapeHtml(agent.name)}</h1>
  <p>${escapeHtml(agent.description)}</p>
</header>
<main>
  <dl>${facts}</dl>
  <h2>Permissions</h2>
  ${permissions(document, proof)}
  <h2>Tools</h2>
  ${toolList(tools)}
  <p><a href="${escapeHtml(address)}/adl.json">The whole definition</a> (application/adl+json)</p>
</main>`,
  })
}

/** The verdict, with remarks such as an expired attestation. */
function signatureWords({ verdict, steps }: Proof): string {
  const dates = steps.filter(({ name, outcome }) => name === 'expiry' && outcome === 'warning')
  return [VERDICTS[verdict], ...dates.map(({ detail }) => detail)].join('; ')
}

function permissions(document: Document, proof: Proof | undefined): string {
  const rows = grants(document, { proof }).rows.map(({ domain, effect, subject, detail }) => [
    escapeHtml(domain),
    escapeHtml(effect),
    `${escapeHtml(subject)}${detail === undefined ? '' : `<small>${escapeHtml(detail)}</small>`}`,
  ])
  return rows.length === 0 ? '<p>None.</p>' : htmlTable(['Domain', 'Effect', 'Resource'], rows)
}

function toolList(tools: NonNullable<Definition['tools']>): string {
  if (tools.length === 0) return '<p>None.</p>'
  const items = tools.slice(0, MOST_SHOWN).map(({ name, description, requires_confirmation: confirmed }) => {
    const note = confirmed === true ? ' Requires confirmation.' : ''
    return `<dt><code>${escapeHtml(name)}</code></dt><dd>${escapeHtml(description)}${note}</dd>`
  })
  const more = tools.length > MOST_SHOWN ? `<p>And ${tools.length - MOST_SHOWN} more.</p>` : ''
  return `<dl>${items.join('')}</dl>${more}`
}

/** The members that Appendix A adds to the metadata. The metadata cannot replace them. */
const CONTEXT = '"@context":"https://schema.org","@type":"SoftwareApplication"'

/** The landing page: the metadata as JSON-LD, and in a readable form. */
export function landingPage(metadata: Metadata, bytes: Uint8Array): string {
  const { identity, capabilities, availability } = metadata
  const status = typeof availability?.status === 'string' ? availability.status : 'available'
  const more = capabilities.length - MOST_SHOWN
  return htmlPage(identity.name, {
    head: `<meta name="agent-id" content="${escapeHtml(identity.id)}">
<meta name="agent-protocol" content="ADP/1.1">
<link rel="alternate" type="application/vnd.adp+json" href="/.well-known/agent.json">
<script type="application/ld+json">${jsonLd(bytes)}</script>`,
    body: `<agent-card>
<header>
  <h1>${escapeHtml(identity.name)}</h1>
  <p><code>${escapeHtml(identity.id)}</code></p>
</header>
<main>
  <h2>Capabilities</h2>
  <capability-list>
${capabilities
  .slice(0, MOST_SHOWN)
  .map((capability) => capabilityHtml(capability, status))
  .join('\n')}
  </capability-list>
  ${more > 0 ? `<p>And ${more} more in the metadata.</p>` : ''}
  <h2>Endpoints</h2>
  <dl>${endpointRows(metadata)}</dl>
  <h2>Connect an agent</h2>
  <connect-form action="/agent/connect">
    <form action="/agent/connect" method="post">
      <label for="from">The id of your agent</label>
      <input id="from" name="from" placeholder="agent:your.domain.example" required maxlength="300" autocomplete="off" spellcheck="false">
      <button type="submit">Connect</button>
    </form>
  </connect-form>
</main>
</agent-card>`,
  })
}

/** The page of a host whose agent is private, or that has no agent: the same for both. */
export function nothingPage(): string {
  return htmlPage('Nothing is published here', {
    body: '<main><h1>Nothing is published here</h1>\n<p>This host is reserved for an agent.</p></main>',
  })
}

/** Explains how to connect. */
export function connectPage(from: string, { identity, endpoints }: Metadata, found: NamedAgent): string {
  const { chat } = endpoints
  const address =
    typeof chat === 'string'
      ? `<p>Send messages to <code>${escapeHtml(chat)}</code>.</p>`
      : '<p>This agent accepts no messages.</p>'
  const caller =
    found.code === undefined
      ? `<p>Your agent was found by its domain. The fingerprint of its key is <code>${escapeHtml(found.fingerprint)}</code>.</p>`
      : `<p>Your agent was not found, and cannot connect before it is: ${escapeHtml(found.reason)}.</p>`
  const invitation = found.isInvited ? '<p>You need an invitation, or the permission of the operator.</p>' : ''
  return htmlPage(`Connect to ${identity.name}`, {
    body: `<main>
<h1>How to connect</h1>
<p><code>${escapeHtml(from)}</code> wants to write to <a href="/">${escapeHtml(identity.name)}</a>.</p>
${caller}
${address}
${invitation}
<p>The fingerprint of this agent's key is <code>${escapeHtml(identity.publicKey.fingerprint)}</code>. Compare it with the DNS
records of <code>${escapeHtml(identity.domain)}</code> before you trust it.</p>
</main>`,
  })
}

/** Numbers stay exact: the metadata is copied as bytes instead of as JavaScript numbers. */
function jsonLd(bytes: Uint8Array): string {
  const { payload } = canonicalizeWithout(bytes, ['/@context', '/@type'])
  return escapeJson(`{${CONTEXT},${new TextDecoder().decode(payload).slice(1)}`)
}

type Capability = Metadata['capabilities'][number]

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')
const joinTexts = (value: unknown): string =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string').join(', ') : ''

function capabilityHtml(capability: Capability, status: string): string {
  const { name, id, description, input, output, languages, pricing } = capability
  const title = textOrEmpty(name) || textOrEmpty(id) || 'Capability'
  const model =
    typeof pricing === 'object' && pricing !== null ? textOrEmpty((pricing as { model?: unknown }).model) : ''
  const details = [
    ['Input', joinTexts(input)],
    ['Output', joinTexts(output)],
    ['Languages', joinTexts(languages)],
    ['Pricing', model.replaceAll('_', ' ')],
  ].filter(([, value]) => value !== '')
  const list = details.map(([label, value]) => `<li>${label}: ${escapeHtml(value!)}</li>`).join('')
  return `    <capability name="${escapeHtml(title)}" status="${escapeHtml(status)}">
      <h3>${escapeHtml(title)}</h3>
      <p>${escapeHtml(textOrEmpty(description))}</p>${list === '' ? '' : `<ul>${list}</ul>`}
    </capability>`
}

const ENDPOINTS = { chat: 'Messages', tasks: 'Tasks', swarm: 'Swarms', webhook: 'Events' } as const

function endpointRows({ identity, endpoints, security }: Metadata): string {
  const rows = factRows(
    [
      ...Object.entries(ENDPOINTS).map(([member, label]) => [label, textOrEmpty(endpoints[member])] as const),
      ['Authentication of callers', joinTexts(security?.authMethods).replaceAll('_', ' ')],
      ['Key', identity.publicKey.fingerprint],
    ],
    (value) => `<code>${escapeHtml(value)}</code>`,
  )
  return `<dt>Metadata</dt><dd><a href="/.well-known/agent.json">/.well-known/agent.json</a></dd>${rows}`
}
