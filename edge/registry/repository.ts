// Repositories: `/v2/DEVELOPER/NAME` has the versions of one agent. Problems have the form of OCI (Error Codes).

import {
  type AgentInspection,
  askRows,
  costText,
  HOST_PRESETS,
  hostVerdict,
  inspectAgent,
  load,
  type OpenedContainer,
  readableFiles,
} from 'blazon/agentlang'
import { AGENT_FILE } from '../../bindings/agentlang/files.ts'
import { DIGEST } from '../../bindings/agentlang/registry/names.ts'
import { toHex } from '../../bindings/text/bytes.ts'
import { cut } from '../../bindings/text/words.ts'
import type { Call, Tell } from '../access/route.ts'
import { registryStub } from '../env.ts'
import { json, sha256 } from '../http/answer.ts'
import { escapeHtml, factRows, htmlPage, htmlTable } from '../http/html.ts'
import { Problem, type ProblemName, statusOf } from '../http/problem.ts'

/** A component of a name (distribution-spec, Pulling manifests). */
const COMPONENT = /^(?=.{1,128}$)[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$/

/** The codes of problems that name none. */
const CODES: Readonly<Partial<Record<ProblemName, string>>> = {
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'DENIED',
  'insufficient-scope': 'DENIED',
  conflict: 'DENIED',
  full: 'DENIED',
  'body-too-large': 'SIZE_INVALID',
  'too-many-requests': 'TOOMANYREQUESTS',
}

export const ociProblem = (name: ProblemName, code: string, detail: string): Problem =>
  new Problem(name, detail, { members: { code } })

/** Answers with `{ errors: [{ code, message }] }`. */
export const tellOci: Tell = ({ name, message, extras: { members, headers } }) => {
  const code = members?.['code'] ?? CODES[name] ?? 'UNSUPPORTED'
  return json({ errors: [{ code, message }] }, statusOf(name), headers)
}

export type RepositoryCall = Call<'developer' | 'name'>

/** The repository of a call: its path, which is also an address without a host, and the index of its developer. */
export function repositoryOf({ env, parts: { developer, name } }: RepositoryCall) {
  if (!COMPONENT.test(developer) || !COMPONENT.test(name))
    throw ociProblem('bad-request', 'NAME_INVALID', 'Expected /v2/DEVELOPER/NAME of a-z, 0-9, ".", "_" and "-".')
  return { name, path: `/v2/${developer}/${name}`, registry: registryStub(env, developer) }
}

export function expectDigest(digest: string): string {
  if (DIGEST.test(digest)) return digest
  throw ociProblem('bad-request', 'DIGEST_INVALID', 'Expected a digest sha256:HEX.')
}

export const digestOf = async (bytes: Uint8Array): Promise<string> =>
  `sha256:${toHex(await sha256(bytes as Uint8Array<ArrayBuffer>))}`

// What the page of a version shows. It is computed when the version is published, so that a reader costs one row.

export interface ShownInspection {
  /** True when lists or texts were shortened. */
  readonly isCut: boolean
  readonly inspection: AgentInspection
  readonly hosts: readonly hostVerdict.Result[]
}

const LONGEST_TEXT = 400
const LONGEST_LIST = 200
/** Lists are halved until the JSON fits: a developer may have 1,000 versions. */
const LONGEST_JSON = 1 << 16

/** The inspection of a container as JSON; undefined when its agent cannot be read. */
export function inspectionOf(container: OpenedContainer): string | undefined {
  const { agent } = load(readableFiles(container))
  if (agent === undefined) return undefined
  const whole: Omit<ShownInspection, 'isCut'> = {
    inspection: inspectAgent(agent, { container }),
    hosts: HOST_PRESETS.map((host) => hostVerdict(inspectAgent(agent, { host }).host!)),
  }
  for (let most = LONGEST_LIST; ; most >>= 1) {
    let isCut = false
    const shorten = (_: string, value: unknown) => {
      const short = typeof value === 'string' ? cut(value, LONGEST_TEXT) : firstOf(value, most)
      isCut ||= short !== value
      return short
    }
    const json = JSON.stringify(whole, shorten)
    if (json.length <= LONGEST_JSON || most === 1) return `{"isCut":${isCut},${json.slice(1)}`
  }
}

const firstOf = (value: unknown, most: number) =>
  Array.isArray(value) && value.length > most ? value.slice(0, most) : value

// The page of a version. No script runs, and every text is escaped: it is the developer's, and not trusted.

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
  ${limitedTable(
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
  // Inspections that earlier versions stored have no fingerprint.
  const key = signer && (signer.fingerprint ?? signer.keyId)
  const facts = factRows([
    ['Costs', root && costText(root.cost)],
    ['Secrets that it wants', list(secrets)],
    ['Encrypted', list(encrypted)],
    ['Sub-agents', list(others.map(({ name = '', file }) => `${name} (${file})`))],
    ['Not read, so unknown', unread.join(', ')],
  ])
  const { shows = [], doesNotShow = [] } = proof ?? {}
  const proofs = [...shows.map((text) => `Shows ${text}`), ...doesNotShow.map((text) => `Does not show ${text}`)]
  return `${isCut ? '<p class="care">! This page is shortened. Pull the container and run blazon agent inspect to see all.</p>' : ''}
  <h2>What it asks for</h2>
  ${limitedTable(['What', 'Name', 'Asks'], askRows(inspection).map(askCells))}
  <dl>${facts}</dl>
  <h2>Where it starts</h2>
  ${htmlTable(['Host', 'Verdict', 'Why'], hosts.map(hostCells))}
  <h2>What its signature shows</h2>
  <dl>${factRows([['Signed', signer && `by the key with the thumbprint ${key}, for ${signer.developer}: ${signer.agent}`]])}</dl>
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

function hostCells({ host, verdict, reasons }: hostVerdict.Result): readonly string[] {
  const [tone, sign] = TONES[verdict]
  const why = reasons.map((reason) => `<small>${escapeHtml(reason)}</small>`).join('')
  return [`<code>${escapeHtml(host)}</code>`, `<span class="${tone}">${sign} ${verdict}</span>`, why]
}

function limitedTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const rest = rows.length - MOST_SHOWN
  return `${htmlTable(heads, rows.slice(0, MOST_SHOWN))}${rest > 0 ? `<p>And ${rest} more.</p>` : ''}`
}
