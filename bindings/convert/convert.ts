import { Agent } from '../adl/agent.ts'
import { SENSITIVITIES } from '../adl/classification.ts'
import { LIMITS } from '../adl/limits.ts'
import { Document } from '../document/document.ts'
import { isObject } from '../document/members.ts'
import { parse } from '../document/parse.ts'
import { read } from '../document/read.ts'
import { ruleDiagnostic } from '../document/rule.ts'
import { toCard } from './a2a/export.ts'
import { fromCard } from './a2a/import.ts'
import { detect } from './detect.ts'
import type { ExportJob, Job, Product } from './job.ts'
import { Ledger } from './ledger.ts'
import { fromClient, toClient } from './mcp/client.ts'
import { toBundle } from './mcp/export.ts'
import { fromBundle } from './mcp/import.ts'
import { fromServer, toServer } from './mcp/server.ts'
import { Problems, UNKNOWN } from './problems.ts'
import { type Converted, type ConvertOptions, FORMATS, type Format } from './types.ts'

/** Agent definitions are 32 deep at the most (ADL 18.5), and a few levels deeper where others carry them. */
const DEPTH = 64
/** What is made of the largest definition (ADL 18.5) is larger, and can be converted back. */
const LARGEST = 4 * LIMITS.documentBytes

const EXPORTS: Readonly<Record<Exclude<Format, 'adl'>, (job: ExportJob) => Product>> = {
  'a2a-1.0': (job) => toCard(job, '1.0'),
  'a2a-0.3': (job) => toCard(job, '0.3'),
  'mcp-2025-11-25': (job) => toBundle(job, '2025-11-25'),
  'mcp-2026-07-28': (job) => toBundle(job, '2026-07-28'),
  'mcp-server': toServer,
  'mcp-client': toClient,
}

const IMPORTS: Readonly<Record<Exclude<Format, 'adl'>, (job: Job) => Product>> = {
  'a2a-1.0': (job) => fromCard(job, '1.0'),
  'a2a-0.3': (job) => fromCard(job, '0.3'),
  'mcp-2025-11-25': (job) => fromBundle(job, '2025-11-25'),
  'mcp-2026-07-28': (job) => fromBundle(job, '2026-07-28'),
  'mcp-server': fromServer,
  'mcp-client': fromClient,
}

/**
 * Converts an agent definition into another format, or another format into an agent definition, and accounts for every
 * member. Options may stand beside `to` or in an object of their own.
 *
 * @example
 * const { document, loss } = convert(definition, { to: 'a2a-1.0', url: 'https://example.com/a2a' })
 * document.value.supportedInterfaces[0].url // 'https://example.com/a2a'
 * loss.filter(({ outcome }) => outcome === 'dropped') // what the card does not say
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; a document that cannot be converted gives diagnostics.
 */
export function convert(
  source: Uint8Array | string | Document,
  target: { readonly to: Format } & ConvertOptions,
  more: ConvertOptions = {},
): Converted {
  const { to, ...rest } = target
  const options: ConvertOptions = { ...rest, ...more }
  checkFormat('to', to)
  if (options.from !== undefined) checkFormat('from', options.from)
  checkDefaults(options)
  const { document, diagnostics } = open(source, options.file)
  if (document === undefined) return { document: undefined, loss: [], diagnostics }
  const { value } = document
  const refuse = (detail: string): Converted => {
    const refusal = ruleDiagnostic(document, UNKNOWN, 'error', '', detail)
    return { document: undefined, loss: [], diagnostics: [...diagnostics, refusal] }
  }
  if (!isObject(value)) return refuse('expected a JSON object')
  const from = options.from ?? detect(document, value)
  if (from === undefined) return refuse(`expected one of ${FORMATS.join(', ')}: the option from says which`)
  const ledger = new Ledger(value)
  const problems = new Problems(document)
  // What is carried along is merged into what is made: the caller's document must not change by it.
  const own = source instanceof Document ? structuredClone(value) : value
  const job: Job = { root: { pointer: '', value: own }, options, ledger, problems }
  let product: Product
  if (to !== 'adl' && from === 'adl') product = EXPORTS[to]({ ...job, agent: new Agent(document) })
  else if (to === 'adl' && from !== 'adl') product = IMPORTS[from](job)
  else return refuse(from === to ? `it is ${to} already` : `${from} becomes ${to} by way of adl: convert twice`)
  const found = [...diagnostics, ...problems.found]
  if (problems.fatal) return { document: undefined, loss: [], diagnostics: found }
  const loss = ledger.close(product.baggage)
  const made = parse(JSON.stringify(product.document, null, 2))
  return { document: made.document, loss, diagnostics: [...found, ...made.diagnostics] }
}

/** A document that was read before may be larger and deeper than what is converted. */
function open(source: Uint8Array | string | Document, file: string | undefined) {
  if (!(source instanceof Document)) {
    return read(source, { ...(file !== undefined && { file }), maxDepth: DEPTH, maxBytes: LARGEST })
  }
  const { document, diagnostics } = parse(source.bytes, {
    ...(source.file !== undefined && { file: source.file }),
    maxDepth: DEPTH,
    maxBytes: LARGEST,
  })
  return document === undefined ? { document, diagnostics } : { document: source, diagnostics: [] }
}

function checkFormat(name: string, format: unknown): void {
  if (FORMATS.includes(format as Format)) return
  throw new RangeError(`${name}: expected one of ${FORMATS.join(', ')}, got ${JSON.stringify(format)}`)
}

/** What is put into definitions must be what they demand (ADL 5.5, 10.4). */
function checkDefaults({ version, classification }: ConvertOptions): void {
  if (version !== undefined && !/^\d+\.\d+\.\d+$/.test(version)) {
    throw new RangeError(`version: expected MAJOR.MINOR.PATCH, got ${JSON.stringify(version)}`)
  }
  if (classification === undefined || SENSITIVITIES.includes(classification?.sensitivity)) return
  const came = JSON.stringify(classification?.sensitivity)
  throw new RangeError(`classification.sensitivity: expected ${SENSITIVITIES.join(', ')}, got ${came}`)
}
