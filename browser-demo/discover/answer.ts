// The answer to one request of a discovery, in a line and in full. All of it is foreign text.

import { recordText } from '../../bindings/discover/dns/adp-txt.ts'
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
import type { DnsExchange, HttpExchange, RecordedConnection, TraceStep } from '../../bindings/discover/trust/trace.ts'
import { decodeBase64 } from '../../bindings/keys/base64.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { cut, make, paragraph, plural, table } from '../dom.ts'

const MOST_RECORDS = 100
const MOST_CHARACTERS = 20_000
const LINE_CHARACTERS = 120
const DATA_CHARACTERS = 600

/** Foreign text in one line. */
export const line = (text: string): string => visible(cut(text, LINE_CHARACTERS))

export interface Answer {
  readonly request: string
  readonly summary: string
  /** True if the answer has signatures, which anyone can check. Otherwise only the recorder vouches for it. */
  readonly isSigned: boolean
  /** Draws the whole answer; called when the reader opens it. */
  readonly draw: () => Node[]
}

export function answerOf(step: TraceStep): Answer {
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
  const rest = answers.length + authorities.length + additionals.length - MOST_RECORDS
  const more = rest > 0 ? [make('p', 'hint', `and ${plural(rest, 'more record')}`)] : []
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
  const frame = make('pre', 'output', shown.split('\n').map(visible).join('\n'))
  // Scrollable content must be reachable by keyboard (WCAG 2.1.1).
  frame.tabIndex = 0
  frame.setAttribute('role', 'group')
  frame.setAttribute('aria-label', 'The body')
  return frame
}
