// The HTML page of an agent, made from its document. It has no script, and every text of the document is escaped.
import type { Proof } from 'blazon'
import { grants, verify } from 'blazon/adl'
import type { Document } from 'blazon/document'
import { escapeHtml, htmlPage } from '../http/html.ts'

/** The most tools on a page; the document has all of them. */
const MOST_TOOLS = 200

interface PageAgent {
  readonly name: string
  readonly description: string
  readonly version: string
  readonly lifecycle?: { readonly status: string; readonly successor?: string }
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

/** The page of a published agent. The document was valid when it was published. */
export async function agentPage(document: Document, address: string): Promise<string> {
  const agent = document.value as PageAgent
  const { lifecycle, provider, data_classification: classification, tools = [] } = agent
  const isSigned = agent.security?.attestation?.signature !== undefined
  const proof = isSigned ? await verify(document) : undefined
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Version', agent.version],
    ['Provider', provider?.name],
    ['Status', lifecycle?.status],
    ['Successor', lifecycle?.successor],
    ['Data', [classification.sensitivity, ...(classification.categories ?? [])].join(', ')],
    ['Signature', proof === undefined ? 'none' : signatureWords(proof)],
  ]
  return htmlPage(agent.name, {
    head: `<link rel="alternate" type="application/adl+json" href="${escapeHtml(address)}/adl.json">`,
    body: `<header>
  <p><a href="/">Blazon</a></p>
  <h1>${escapeHtml(agent.name)}</h1>
  <p>${escapeHtml(agent.description)}</p>
</header>
<main>
  <dl>${facts.flatMap(([name, value]) => (value === undefined ? [] : [`<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`])).join('')}</dl>
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
  const rows = grants(document, { proof }).rows.map(
    ({ domain, effect, subject, detail }) =>
      `<tr><td>${escapeHtml(domain)}</td><td>${escapeHtml(effect)}</td><td>${escapeHtml(subject)}${detail === undefined ? '' : `<small>${escapeHtml(detail)}</small>`}</td></tr>`,
  )
  if (rows.length === 0) return '<p>None.</p>'
  return `<table><thead><tr><th>Domain</th><th>Effect</th><th>Resource</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function toolList(tools: NonNullable<PageAgent['tools']>): string {
  if (tools.length === 0) return '<p>None.</p>'
  const items = tools.slice(0, MOST_TOOLS).map(({ name, description, requires_confirmation: confirmed }) => {
    const note = confirmed === true ? ' Requires confirmation.' : ''
    return `<dt><code>${escapeHtml(name)}</code></dt><dd>${escapeHtml(description)}${note}</dd>`
  })
  const more = tools.length > MOST_TOOLS ? `<p>And ${tools.length - MOST_TOOLS} more.</p>` : ''
  return `<dl>${items.join('')}</dl>${more}`
}
