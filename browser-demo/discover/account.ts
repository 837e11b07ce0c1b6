// Draws the result of a discovery, recorded or live.

import { explained as explainedOfDns } from '../../bindings/discover/dns/findings.ts'
import type { Quality } from '../../bindings/discover/dns/lookup.ts'
import {
  type DnsMessage,
  decodeMessage,
  RCODES,
  type ResourceRecord,
  rcodeName,
  TYPES,
  typeName,
} from '../../bindings/discover/dns/message.ts'
import { DnsError } from '../../bindings/discover/dns/name.ts'
import { recordText } from '../../bindings/discover/dns/zone-text.ts'
import type { Discovery } from '../../bindings/discover/trust/discover.ts'
import { explained as explainedOfTrust } from '../../bindings/discover/trust/findings.ts'
import { LEVEL_MEANS, LEVELS, type Level, type ReachedLevel } from '../../bindings/discover/trust/levels.ts'
import type { FoundAgent } from '../../bindings/discover/trust/run.ts'
import type { DnsExchange, HttpExchange, RecordedConnection, TraceStep } from '../../bindings/discover/trust/trace.ts'
import type { FindingInfo } from '../../bindings/document/finding.ts'
import { formatJson } from '../../bindings/document/fmt.ts'
import type { Step, Verdict } from '../../bindings/frame/source.ts'
import { decodeBase64 } from '../../bindings/keys/base64.ts'
import { explained as explainedOfFetch } from '../../bindings/net/findings.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { button, count, cut, make, paragraph, plural, restNote, scrollable, table, titled } from '../dom.ts'
import { conclusions, stepItem, verdictLine } from '../steps.ts'
import { whyOf } from '../why.ts'

const DETAIL_CHARACTERS = 600

interface Drawing {
  /** The verdict in one sentence, also for screen readers. */
  readonly words: string
  readonly parts: readonly Node[]
}

interface MetadataAction {
  readonly label: string
  readonly run: (text: string) => void
}

/** The verdict, the levels of trust, the conclusions, the agent, and each check and request. */
export function drawAccount(discovery: Discovery, metadata: MetadataAction): Drawing {
  const { proof, agent, trace, domain } = discovery
  const words = VERDICTS[proof.verdict](proof.highest)
  const name = domain.ascii === domain.unicode ? domain.ascii : `${domain.unicode} (${domain.ascii})`
  const heading = make('h3', '', `agent:${line(name)}`)
  const sides = make('div', 'sides', [
    titled('Level of trust', drawLadder(proof.levels), ...conclusions(proof)),
    titled('Checks', stepsOf(proof.steps)),
  ])
  const found = agent === undefined ? [] : [titled('The agent', ...agentOf(agent, metadata))]
  const requests = titled('Requests and answers', ...drawTimeline(trace.steps))
  return { words, parts: [heading, verdictLine(proof.verdict, words), sides, ...found, requests] }
}

const VERDICTS: Readonly<Record<Verdict, (highest: string | undefined) => string>> = {
  verified: (highest) => `Verified: no check failed, and the level ${highest} was reached.`,
  failed: () => 'Failed: a check failed, or no agent was found. Do not use the result.',
  unverifiable: (highest) =>
    `Unverifiable: no check failed, but ${highest === undefined ? 'no level was reached' : `only the level ${highest} was reached`}.`,
}

function stepsOf(steps: readonly Step[]): HTMLOListElement {
  return make('ol', 'steps', steps.map(checkItem))
}

let byCode: ReadonlyMap<string, FindingInfo> | undefined

/** A check, with the explanation of its finding. */
export function checkItem(step: Step): HTMLLIElement {
  byCode ??= new Map([...explainedOfDns(), ...explainedOfTrust(), ...explainedOfFetch()].map((row) => [row.code, row]))
  const item = stepItem(step, make('p', '', visible(cut(step.detail, DETAIL_CHARACTERS))))
  if (step.diagnostic === undefined) return item
  const { code, fix } = step.diagnostic
  if (fix !== undefined) item.append(make('p', '', fix.hint))
  item.append(make('p', 'where', code))
  const row = byCode.get(code)
  if (row !== undefined) item.append(whyOf(row))
  return item
}

function agentOf(
  { uri, host, port, addresses, url, alpn, bap, cap, fingerprint, metadata }: FoundAgent,
  action: MetadataAction,
) {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['URI', uri],
    ['Host', `${host} port ${port}`],
    ['Addresses', addresses.join(', ')],
    ['Metadata', url],
    ['Key', fingerprint],
    ['Protocols', alpn.join(', ') || undefined],
    ['Protocol (bap)', bap],
    ['Capabilities', cap],
  ]
  const rows = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, make('code', '', visible(cut(value, DETAIL_CHARACTERS)))]],
  )
  const shown = [table('The agent', ['Property', 'Value'], rows)]
  if (metadata === undefined) return shown
  return [...shown, button(action.label, () => action.run(new TextDecoder().decode(formatJson(metadata))))]
}

// The answer to one request of a discovery, in a line and in full. All of it is foreign text.

const MOST_RECORDS = 100
const MOST_CHARACTERS = 20_000
const LINE_CHARACTERS = 120
const DATA_CHARACTERS = 600

/** Foreign text in one line. */
const line = (text: string): string => visible(cut(text, LINE_CHARACTERS))

interface Answer {
  readonly request: string
  readonly summary: string
  /** True if the answer has signatures, which anyone can check. Otherwise only the recorder vouches for it. */
  readonly isSigned: boolean
  /** Draws the whole answer; called when the reader opens it. */
  readonly draw: () => Node[]
}

function answerOf(step: TraceStep): Answer {
  return step.kind === 'dns' ? ofDns(step) : ofHttp(step)
}

function ofDns({ name, type, answer, refused }: DnsExchange): Answer {
  const request = `${typeName(type)} ${line(name)}`
  const message = refused === undefined && answer !== undefined ? readMessage(answer) : undefined
  if (message instanceof DnsError) return nothing(request, `cannot be read: ${message.message}`)
  if (message === undefined) return nothing(request, refusedWords(refused))
  const { answers, authorities, rcode, isAuthentic } = message
  const found = answers.filter((record) => record.type !== TYPES.RRSIG)
  const isSigned = [...answers, ...authorities].some((record) => record.type === TYPES.RRSIG)
  const words = rcode === RCODES.NOERROR ? plural(found.length, 'record') : rcodeName(rcode)
  const says = isAuthentic ? ', with AD: the resolver claims that it validated DNSSEC' : ''
  return {
    request,
    summary: `${words}${isSigned ? ', signed' : ''}`,
    isSigned,
    draw: () => [paragraph('', `${rcodeName(rcode)}${says}.`), ...sections(message, request)],
  }
}

const nothing = (request: string, summary: string): Answer => ({
  request,
  summary: line(summary),
  isSigned: false,
  draw: () => [make('p', '', visible(cut(summary, DATA_CHARACTERS)))],
})

const refusedWords = (refused: TraceStep['refused']) =>
  refused === undefined ? 'no answer' : `no answer: ${refused.detail} (${refused.code})`

function readMessage(base64: string): DnsMessage | DnsError {
  try {
    return decodeMessage(decodeBase64(base64))
  } catch (error) {
    if (error instanceof DnsError) return error
    throw error
  }
}

function sections({ answers, authorities, additionals }: DnsMessage, request: string): Node[] {
  const parts: readonly (readonly [string, readonly ResourceRecord[]])[] = [
    ['Answer', answers],
    ['Authority', authorities],
    ['Additional', additionals],
  ]
  let room = MOST_RECORDS
  const rows = parts.flatMap(([title, records]) => {
    const shown = records.slice(0, room)
    room -= shown.length
    return shown.length === 0 ? [] : [title, ...shown.map(recordRow)]
  })
  const more = restNote(answers.length + authorities.length + additionals.length - MOST_RECORDS, 'record')
  if (rows.length === 0) return [make('p', 'nothing', 'No records.')]
  return [table(`Records of ${request}`, ['Name', 'Type', 'Seconds', 'Data'], rows), ...more]
}

const recordRow = (record: ResourceRecord) => [
  make('code', '', line(record.name)),
  typeName(record.type),
  `${record.ttl}`,
  make('code', '', visible(cut(recordText(record), DATA_CHARACTERS))),
]

function ofHttp({ url, body, contentType = '', refused, connection }: HttpExchange): Answer {
  const request = `GET ${line(url)}`
  const more = connection === undefined ? [] : [connectionTable(connection)]
  if (refused !== undefined || body === undefined) {
    const answer = nothing(request, refusedWords(refused))
    return { ...answer, draw: () => [...answer.draw(), ...more] }
  }
  const bytes = Math.floor((3 * body.length) / 4) - (/=*$/.exec(body.slice(-2))?.[0].length ?? 0)
  return {
    request,
    summary: `${plural(bytes, 'byte')}${contentType === '' ? '' : ` of ${line(contentType)}`}`,
    isSigned: false,
    draw: () => [...more, frameOf(new TextDecoder().decode(decodeBase64(body)))],
  }
}

const connectionTable = ({ address, tls, trusted, certificates }: RecordedConnection) =>
  table(
    'The connection',
    ['Property', 'Value, as recorded'],
    [
      ['Address', line(address)],
      ['TLS', line(tls)],
      [
        'Certificate',
        trusted ? 'from an authority that the recorder trusts' : 'not from an authority that the recorder trusts',
      ],
      ['Certificates', `${certificates.length}`],
    ],
  )

function frameOf(text: string): HTMLElement {
  const shown = cut(text, MOST_CHARACTERS)
  return scrollable(make('pre', 'output', shown.split('\n').map(visible).join('\n')), 'The body')
}

/** How well the DNS answers behind a level are verified. */
const QUALITIES: Readonly<Record<Quality, readonly [tone: string, words: string]>> = {
  checked: ['good', '✓ DNS validated: its signatures match, up to a trusted key'],
  resolver: ['care', '! DNS validated by the resolver only'],
  'not shown': ['care', '? DNS not validated: unsigned, or without its signatures'],
}

const NOT_REACHED: Readonly<Record<Level, string>> = {
  'dns-verified': '– Not reached',
  'dane-verified': '– Not reached',
  'key-verified': '– Not reached',
  'peer-verified': '– Not by discovery: needs a conversation with the agent',
}

/** The four levels of trust, the highest on top. */
function drawLadder(levels: readonly ReachedLevel[]): HTMLElement {
  const ladder = make('ol', 'ladder')
  ladder.reversed = true
  ladder.append(...LEVELS.map((level) => rung(level, levels)).toReversed())
  return ladder
}

function rung(level: Level, levels: readonly ReachedLevel[]): HTMLLIElement {
  const quality = levels.find((one) => one.level === level)?.quality
  const [tone, words] = quality === undefined ? ['nothing', NOT_REACHED[level]] : QUALITIES[quality]
  const item = make('li')
  item.dataset['level'] = level
  item.dataset['quality'] = quality ?? 'none'
  item.append(make('strong', '', level), make('p', '', LEVEL_MEANS[level]), make('p', `quality ${tone}`, words))
  return item
}

/** A trace may have 10,000 steps. */
const SHOWN = 100

/** The requests in their order, each of which can be opened. A button shows more of them. */
function drawTimeline(steps: readonly TraceStep[]): HTMLElement[] {
  if (steps.length === 0) return [make('p', 'nothing', 'There were no requests.')]
  const total = steps.reduce((most, { after, took }) => Math.max(most, after + took), 1)
  const inOrder = [...steps].sort((a, b) => a.after - b.after)
  const list = make('ol', 'timeline')
  const rest = make('div')
  const more = () => {
    const from = list.children.length
    list.append(...inOrder.slice(from, from + SHOWN).map((step) => itemOf(step, total)))
    const left = inOrder.length - list.children.length
    const next = button(`Show ${Math.min(left, SHOWN)} more`, () => {
      more()
      list.children[from + SHOWN]?.querySelector('summary')?.focus()
    })
    rest.replaceChildren(...(left > 0 ? [next, make('p', 'hint', `${plural(left, 'more step')}`)] : []))
  }
  more()
  return [list, rest]
}

function itemOf(step: TraceStep, total: number): HTMLLIElement {
  const { after, took, section } = step
  const { request, summary, isSigned, draw } = answerOf(step)
  const item = make('li')
  item.dataset['kind'] = step.kind
  const details = make('details', 'stack')
  const head = make('summary')
  const fromCache = step.kind === 'http' && step.fromCache === true
  head.append(
    make('span', 'when', `+${milliseconds(after)}`),
    make('span', 'request', request),
    make('span', 'took', fromCache ? 'from the cache' : milliseconds(took)),
    make('span', 'summary', summary),
    make('span', `vouched ${isSigned ? 'good' : 'care'}`, isSigned ? '✓ anyone can check it' : '! only as recorded'),
    barOf(after, took, total),
  )
  details.append(head)
  const fill = () => details.append(...draw(), make('p', 'where', `Required by ${line(section)}`))
  details.addEventListener('toggle', fill, { once: true })
  item.append(details)
  return item
}

const milliseconds = (n: number) => `${cut(count(Math.round(n)), 12)} ms`

/** A bar that shows when the request began and ended. */
function barOf(after: number, took: number, total: number): HTMLElement {
  const bar = make('span', 'lane')
  bar.setAttribute('aria-hidden', 'true')
  const part = make('span')
  part.style.left = `${(100 * after) / total}%`
  part.style.width = `${(100 * took) / total}%`
  bar.append(part)
  return bar
}
