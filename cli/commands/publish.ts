import { isAgentName, mayPublish, type PublicationOptions } from '../../bindings/adl/publication.ts'
import { diagnose, type FindingKind } from '../../bindings/document/diagnose.ts'
import type { Diagnostic, Document } from '../../bindings/document/index.ts'
import type { Context, Outcome, Result } from '../context.ts'
import type { Host } from '../host.ts'
import { UsageError } from '../usage.ts'

const REFUSED: FindingKind = {
  code: 'DOC-186',
  rule: 'publish/refused',
  title: 'Not published',
  spec: 'docs/cli.md',
  severity: 'error',
}

/** What the server is told with every document. */
interface Target {
  readonly origin: string
  readonly token: string
  readonly query: string
  readonly confirmed: PublicationOptions
}

/** `blazon publish`: sends definitions to a Worker of Blazon. One that is refused does not stop the others. */
export async function run({ options, positionals, reader, host }: Context): Promise<Outcome> {
  const target = readTarget(options, host)
  const inputs = await reader.inputs(positionals)
  if (!options.has('quiet')) host.stderr.write(`publishing to ${target.origin}\n`)
  const results: Result[] = []
  const output: string[] = []
  for await (const { file, document, diagnostics } of reader.documents(inputs)) {
    if (document === undefined) results.push({ file, kind: null, valid: false, diagnostics })
    else {
      const result = await publish(document, file, target, host)
      results.push({ ...result, diagnostics: [...diagnostics, ...result.diagnostics] })
      if (typeof result['url'] === 'string') output.push(`${result['url']}\n`)
    }
  }
  const published = results.filter(({ valid }) => valid).length
  return { results, output, notes: [`${published} of ${results.length} published at ${target.origin}`] }
}

async function publish(
  document: Document,
  file: string,
  { origin, token, query, confirmed }: Target,
  host: Host,
): Promise<Result> {
  const refused = (detail: string): Result => ({
    file,
    kind: 'adl',
    valid: false,
    diagnostics: [refusal(document, detail)],
  })
  const name = nameOf(file)
  if (!isAgentName(name))
    return refused(
      `the name of the file, ${JSON.stringify(name)}, can be no part of an address: a-z, 0-9, ".", "_", "-"`,
    )
  // What must not go out unasked is not sent to anybody, also not to a server that would refuse it.
  const { needs: unconfirmed } = mayPublish(document, confirmed)
  if (unconfirmed.length > 0) return refused(`${unconfirmed[0]!.detail}${waysOf(unconfirmed)}`)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/adl+json' }
  // A YAML source is sent in its JSON form, which is the one that counts (ADL 4.1).
  const body = new Uint8Array(document.bytes)
  let response: Response
  try {
    const url = `${origin}/agents/${name}/adl.json${query}`
    response = await host.send(url, { method: 'PUT', headers, body, redirect: 'error' })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    return refused(`${origin} cannot be reached: ${cause}`)
  }
  const answer = await readAnswer(response)
  if (response.ok)
    return {
      file,
      kind: 'adl',
      valid: true,
      diagnostics: [],
      ...pick(answer, ['url', 'etag', 'outcome', 'acknowledged']),
    }
  const { detail, diagnostics, needs } = answer
  if (Array.isArray(diagnostics) && diagnostics.length > 0) {
    return refused(`the server finds it invalid: ${String(detail)}`)
  }
  const ways = Array.isArray(needs) ? waysOf(needs) : ''
  return refused(`${String(detail ?? `the server answers ${response.status}`)}${ways}`)
}

/** By which options what is missing is confirmed. */
function waysOf(needs: readonly { readonly id?: unknown; readonly pointer?: unknown }[]): string {
  const options = needs.flatMap(({ id, pointer }) => {
    if (id === 'review') return ['--reviewed']
    return id === 'bare-wildcard' ? [`--acknowledge ${String(pointer)}`] : []
  })
  return options.length === 0 ? '' : `; ${[...new Set(options)].join(' ')} confirms it`
}

async function readAnswer(response: Response): Promise<Record<string, unknown>> {
  const text = (await response.text()).slice(0, 1 << 20)
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function pick(answer: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(answer, name) ? [[name, answer[name]]] : [])))
}

function refusal(document: Document, detail: string): Diagnostic {
  const { offset, endOffset } = document.source('')
  return diagnose(
    document.lines,
    REFUSED,
    { pointer: '', offset, endOffset: Math.min(endOffset, offset + 1), detail },
    document.file,
  )
}

function nameOf(file: string): string {
  return file.replace(/^.*[/\\]/, '').replace(/(?:\.adl)?\.(?:json|ya?ml)$|\.adl$/, '')
}

function readTarget(options: Context['options'], { env }: Host): Target {
  const to = options.text('to')
  if (to === undefined)
    throw new UsageError('missing-option', 'publish needs --to URL', 'as in --to https://agents.example.com')
  const token = env['BLAZON_TOKEN']
  if (!token)
    throw new UsageError(
      'missing-token',
      'publish needs the token of the server in BLAZON_TOKEN',
      'npm start prints one for the server that it starts',
    )
  const url = readUrl(to)
  const confirmed = { reviewed: options.has('reviewed'), acknowledged: options.list('acknowledge') }
  const query = new URLSearchParams()
  if (confirmed.reviewed) query.set('reviewed', 'true')
  for (const pointer of confirmed.acknowledged) query.append('acknowledge', pointer)
  return { origin: url.origin, token, query: query.size === 0 ? '' : `?${query}`, confirmed }
}

/** The token is a secret: it goes over HTTPS, or does not leave the machine. */
function readUrl(to: string): URL {
  let url: URL
  try {
    url = new URL(to)
  } catch {
    throw new UsageError('invalid-value', `--to: expected a URL, got "${to}"`, 'as in --to https://agents.example.com')
  }
  const here = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    const hint = `as in --to ${url.origin}`
    throw new UsageError('invalid-value', `--to: expected a server without a path, got "${to}"`, hint)
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && here)) return url
  throw new UsageError(
    'invalid-value',
    `--to: expected https, got "${to}"`,
    'http is for this machine only: the token would be readable on its way',
  )
}
