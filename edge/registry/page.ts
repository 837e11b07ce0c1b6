// The page of a version. No script runs, and every text is escaped: it is the developer's, and not trusted.
import { askRows, costText, type HostVerdict } from 'blazon/agentlang'
import { AGENT_FILE } from '../../bindings/agentlang/files.ts'
import { escapeHtml, factRows, htmlPage, htmlTable } from '../http/html.ts'
import type { ShownInspection } from './inspection.ts'

/** A version of an agent. */
export interface Version {
  readonly tag: string
  readonly digest: string
  /** True when only its digest is available. */
  readonly isYanked: boolean
}

/** A version as a reader sees it. Without an inspection when the agent in its container cannot be read. */
export interface ShownVersion extends Version, Partial<ShownInspection> {
  /** `DEVELOPER/NAME`. */
  readonly name: string
  /** What `blazon agent pull` takes. */
  readonly pull: string
  /** The address of its card in the directory. */
  readonly card?: string
  /** All versions, the highest first. */
  readonly versions: readonly Version[]
}

/** The most rows of a table. */
const MOST_SHOWN = 200

export function versionPage(version: ShownVersion): string {
  const { name, tag, digest, isYanked, pull, card, versions } = version
  const title = `${name} ${tag}`
  const yanked = '<p class="bad">✕ Yanked: its developer withdrew this version. Only its digest is available.</p>'
  return htmlPage(title, {
    head: `<link rel="alternate" type="application/json" href="${addressOf(name, version)}">`,
    body: `<header>
  <p><a href="/">Blazon</a></p>
  <h1>${escapeHtml(title)}</h1>
  ${isYanked ? yanked : ''}
  ${card === undefined ? '' : `<p><a href="${escapeHtml(card)}">Its card in the directory</a></p>`}
</header>
<main>
  ${isInspected(version) ? inspectionPart(version) : '<p class="care">! This server could not read the agent in this container.</p>'}
  <h2>Pull it</h2>
  <pre tabindex="0">blazon agent pull ${escapeHtml(pull)} --key developer.pub</pre>
  <dl>${factRows([['Digest', digest]])}</dl>
  <h2>Versions</h2>
  ${limited(
    ['Version', 'State', 'Digest'],
    versions.map((row) => [
      `<a href="${addressOf(name, row)}">${escapeHtml(row.tag)}</a>`,
      row.isYanked ? '<span class="bad">✕ yanked</span>' : 'available',
      `<small>${escapeHtml(row.digest)}</small>`,
    ]),
  )}
</main>`,
  })
}

const isInspected = (version: ShownVersion): version is ShownVersion & ShownInspection =>
  version.inspection !== undefined

/** A yanked version has its digest only. */
const addressOf = (name: string, { tag, digest, isYanked }: Version) =>
  escapeHtml(`/v2/${name}?reference=${isYanked ? digest : tag}`)

function inspectionPart({ inspection, hosts, isCut }: ShownInspection): string {
  const { signer, proof, agents, secrets, encrypted, unread } = inspection
  const [root, ...others] = agents
  const list = (texts: readonly string[]) => texts.join(', ') || 'none'
  const facts = factRows([
    ['Signed', signer && `by key ${signer.keyId}, for ${signer.developer}: ${signer.agent}`],
    ['Costs', root && costText(root.cost)],
    ['Secrets that it wants', list(secrets)],
    ['Encrypted', list(encrypted)],
    ['Sub-agents', list(others.map(({ name = '', file }) => `${name} (${file})`))],
    ['Not read, so unknown', unread.join(', ')],
  ])
  const { shows = [], doesNotShow = [] } = proof ?? {}
  const proofs = [...shows.map((text) => `Shows ${text}`), ...doesNotShow.map((text) => `Does not show ${text}`)]
  return `<dl>${facts}</dl>
  ${isCut ? '<p class="care">! This page is shortened. Pull the container and run blazon agent inspect to see all.</p>' : ''}
  <h2>What it asks for</h2>
  ${limited(['What', 'Name', 'Asks'], askRows(inspection).map(askCells))}
  <h2>Where it starts</h2>
  ${htmlTable(['Host', 'Verdict', 'Why'], hosts.map(hostCells))}
  <h2>What its signature shows</h2>
  <ul>${proofs.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`
}

/** The detail and the file of a sub-agent are below the name, so that a phone has room. */
function askCells([what = '', name = '', asks = '', detail = '', where = '']: readonly string[]): readonly string[] {
  const file = where === AGENT_FILE ? '' : where
  const small = [detail, file].filter((text) => text !== '').map((text) => `<small>${escapeHtml(text)}</small>`)
  const tone = asks === 'UNPINNED' ? '<strong class="bad">✕ unpinned</strong>' : escapeHtml(asks)
  return [escapeHtml(what), `<code>${escapeHtml(name)}</code>${small.join('')}`, tone]
}

const TONES = { starts: ['good', '✓'], 'starts with less': ['care', '!'], refuses: ['bad', '✕'] } as const

function hostCells({ host, verdict, reasons }: HostVerdict): readonly string[] {
  const [tone, sign] = TONES[verdict]
  const why = reasons.map((reason) => `<small>${escapeHtml(reason)}</small>`).join('')
  return [`<code>${escapeHtml(host)}</code>`, `<span class="${tone}">${sign} ${verdict}</span>`, why]
}

function limited(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const rest = rows.length - MOST_SHOWN
  return `${htmlTable(heads, rows.slice(0, MOST_SHOWN))}${rest > 0 ? `<p>And ${rest} more.</p>` : ''}`
}
