import type { ConvertOptions, Format, LossReport } from '../../bindings/convert/index.ts'
import { convert } from '../../bindings/convert/index.ts'
import type { Context, Outcome } from '../context.ts'
import { EXIT } from '../exit.ts'
import { save } from '../keys.ts'
import { UsageError } from '../usage.ts'

/** Outcomes that are told of one by one; the others are counted. */
const TOLD = ['changed', 'dropped', 'added'] as const

/** `blazon convert`: the document goes to stdout or a file, what became of every member to stderr. */
export async function run({ options, positionals, reader, host }: Context): Promise<Outcome> {
  const to = options.text('to')
  if (to === undefined) throw new UsageError('missing-option', 'convert needs --to', 'as in --to a2a-1.0')
  const [name, ...more] = reader.files(positionals)
  if (more.length > 0) {
    throw new UsageError('unexpected-argument', `unexpected argument "${more[0]}"`, 'convert converts one document')
  }
  const { file, document, diagnostics } = await reader.document(name!)
  if (document === undefined) return { results: [{ file, kind: null, valid: false, diagnostics }], output: [] }
  const made = convert(document, { to: to as Format }, readOptions(options))
  const found = [...diagnostics, ...made.diagnostics]
  if (made.document === undefined) {
    return { results: [{ file, kind: null, valid: false, diagnostics: found }], output: [] }
  }
  const { loss } = made
  const isLossy = loss.some(({ outcome }) => outcome === 'changed' || outcome === 'dropped')
  const text = `${new TextDecoder().decode(made.document.bytes)}\n`
  const out = options.text('out')
  if (out !== undefined) await save(host, out, text)
  return {
    results: [{ file, kind: to, valid: true, diagnostics: found, document: made.document.value, loss }],
    output: out === undefined ? [text] : [],
    notes: lossNotes(loss),
    ...(options.has('strict') && isLossy && { exit: EXIT.findings }),
  }
}

/** A line for each member that is not simply there, and how many there are of each. */
function lossNotes(loss: LossReport): string[] {
  const count = (outcome: string) => loss.filter((row) => row.outcome === outcome).length
  const lines = TOLD.flatMap((outcome) =>
    loss
      .filter((row) => row.outcome === outcome)
      .map(({ pointer, target, detail }) => `${outcome.padEnd(7)}  ${pointer ?? target}: ${detail}`),
  )
  const counts = ['kept', 'renamed', ...TOLD].map((outcome) => `${count(outcome)} ${outcome}`)
  return [...lines, counts.join(', ')]
}

function readOptions(options: Context['options']): ConvertOptions {
  const text = (name: string) => options.text(name)
  const sensitivity = text('classification')
  const apiKey = text('api-key')
  const args = options.list('arg')
  const wanted: Record<keyof ConvertOptions, unknown> = {
    from: text('from'),
    file: undefined,
    carry: text('carry'),
    url: text('url'),
    binding: text('binding'),
    apiKey: apiKey === undefined ? undefined : readApiKey(apiKey),
    serverName: text('server-name'),
    command: text('command'),
    args: args.length === 0 ? undefined : args,
    server: text('server'),
    classification: sensitivity === undefined ? undefined : { sensitivity },
    version: text('agent-version'),
    description: text('description'),
  }
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
}

function readApiKey(value: string) {
  const [, where, name] = /^(header|query|cookie):(.+)$/.exec(value) ?? []
  if (where !== undefined && name !== undefined) return { in: where, name }
  throw new UsageError(
    'invalid-value',
    `--api-key: expected WHERE:NAME, got "${value}"`,
    'as in --api-key header:X-API-Key',
  )
}
