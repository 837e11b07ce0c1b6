// The pages of an agent at the root of its host (ADP/1.1 section 7.1 and Appendix A). No script runs, and every text is
// escaped.
import { canonicalizeWithout } from 'blazon/core'
import type { NamedAgent } from '../contracts/gateway.ts'
import { escapeHtml, escapeJson, htmlPage } from '../http/html.ts'
import type { AgentHere, Metadata } from './find.ts'

/** The most capabilities on a page; the metadata has all of them. */
const MOST_SHOWN = 200

/** The members that Appendix A adds to the metadata. The metadata cannot replace them. */
const CONTEXT = '"@context":"https://schema.org","@type":"SoftwareApplication"'

/** The landing page: the metadata as JSON-LD, and in a readable form. */
export function landingPage({ metadata, part }: AgentHere): string {
  const { identity, capabilities, availability } = metadata
  const status = typeof availability?.status === 'string' ? availability.status : 'available'
  const more = capabilities.length - MOST_SHOWN
  return htmlPage(identity.name, {
    head: `<meta name="agent-id" content="${escapeHtml(identity.id)}">
<meta name="agent-protocol" content="ADP/1.1">
<link rel="alternate" type="application/vnd.adp+json" href="/.well-known/agent.json">
<script type="application/ld+json">${jsonLd(new Uint8Array(part.bytes))}</script>`,
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
  .map((capability) => shownCapability(capability, status))
  .join('\n')}
  </capability-list>
  ${more > 0 ? `<p>And ${more} more in the metadata.</p>` : ''}
  <h2>Endpoints</h2>
  <dl>${facts(metadata)}</dl>
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
    head: '',
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
    head: '',
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

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const textsOf = (value: unknown): string =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string').join(', ') : ''

function shownCapability(capability: Capability, status: string): string {
  const { name, id, description, input, output, languages, pricing } = capability
  const title = textOf(name) || textOf(id) || 'Capability'
  const model = typeof pricing === 'object' && pricing !== null ? textOf((pricing as { model?: unknown }).model) : ''
  const details = [
    ['Input', textsOf(input)],
    ['Output', textsOf(output)],
    ['Languages', textsOf(languages)],
    ['Pricing', model.replaceAll('_', ' ')],
  ].filter(([, value]) => value !== '')
  const list = details.map(([label, value]) => `<li>${label}: ${escapeHtml(value!)}</li>`).join('')
  return `    <capability name="${escapeHtml(title)}" status="${escapeHtml(status)}">
      <h3>${escapeHtml(title)}</h3>
      <p>${escapeHtml(textOf(description))}</p>${list === '' ? '' : `<ul>${list}</ul>`}
    </capability>`
}

const ENDPOINTS = { chat: 'Messages', tasks: 'Tasks', swarm: 'Swarms', webhook: 'Events' } as const

function facts({ identity, endpoints, security }: Metadata): string {
  const rows: (readonly [string, string])[] = [
    ...Object.entries(ENDPOINTS).map(([member, label]) => [label, textOf(endpoints[member])] as const),
    ['Authentication of callers', textsOf(security?.authMethods).replaceAll('_', ' ')],
    ['Key', identity.publicKey.fingerprint],
  ]
  const shown = rows
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `<dt>${label}</dt><dd><code>${escapeHtml(value)}</code></dd>`)
  return `<dt>Metadata</dt><dd><a href="/.well-known/agent.json">/.well-known/agent.json</a></dd>${shown.join('')}`
}
