import { diagnoseLine } from '../../../bindings/document/diagnose.ts'
import { LIMIT_SIZE } from '../../../bindings/document/findings.ts'
import { membersOf, parse } from '../../../bindings/document/parse.ts'
import { LINE_BYTES } from '../../../bindings/document/split-lines.ts'
import type { Diagnostic, SourceLine } from '../../../bindings/document/types.ts'
import { escapeHidden } from '../../../bindings/text/hidden.ts'
import { isObject, member } from '../../../bindings/text/members.ts'
import { answer, compact, defineCommand, type Result, Unreadable, UsageError } from '../../command.ts'
import { PUBLISH_REFUSED } from '../../findings.ts'
import { documentLines } from '../../reader.ts'
import { counted, jsonLine } from '../../report/report.ts'
import { saveOrPrint } from '../../save.ts'
import { askPatiently, noAnswer, type OperatorServer, operate, operatorOf, readRules, SERVER } from '../../server.ts'

/** Cards in one answer: the server's maximum. */
const PAGE = 500

export const exportCards = defineCommand({
  options: { server: SERVER, out: { value: 'FILE', about: 'write the lines to this file' } },
  operands: [],
  async run(context) {
    const { options, reader, host, say } = context
    const { out } = options
    const server = operatorOf(context)
    const { origin, token } = server
    say(`exporting from ${origin}`)
    const headers = { authorization: `Bearer ${token}` }
    const rules = await readRules(server)
    // Before the cards: an import must know the blocked agents before it reads their cards.
    const pages = [Buffer.from(rules.map((rule) => jsonLine({ rule })).join(''))]
    let cards = 0
    for (let after: string | undefined; ; ) {
      const query = new URLSearchParams({ limit: String(PAGE), ...compact({ after }) })
      const answered = await askPatiently(host, `${origin}/v1/directory/export?${query}`, { headers })
      if ('problem' in answered || answered.status !== 200) throw noAnswer(origin, answered)
      const page = new TextDecoder().decode(answered.bytes)
      const ids = idsOf(page)
      const last = ids.at(-1)
      // Pages without progress would never end.
      if (ids.includes(undefined) || (last !== undefined && last <= (after ?? ''))) {
        throw noAnswer(origin, { problem: `${origin} answers with lines that are not a backup` })
      }
      pages.push(Buffer.from(escapeHidden(page)))
      cards += ids.length
      reader.showProgress(`exported ${cards} cards`)
      if (last === undefined || !/\brel="?next\b/.test(answered.headers.get('link') ?? '')) break
      after = last
    }
    await saveOrPrint(out, Buffer.concat(pages), context)
    return {
      results: [{ ...answer({ backup: { cards, rules: rules.length } }), file: out ?? null }],
      notes: [`${counted(cards, 'card')} and ${counted(rules.length, 'rule')} exported from ${origin}`],
    }
  },
})

function idsOf(page: string): (string | undefined)[] {
  return page
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const value = parse(line).document?.value
      const id = isObject(value) ? member(value, 'id') : undefined
      return typeof id === 'string' ? id : undefined
    })
}

/** The server's maximum for one request: this many lines, in less than a mebibyte. */
const MOST_LINES = 500
const MOST_BYTES = 1_000_000

/** Lines that are sent together. Rules go to a separate route. */
interface Batch {
  readonly of: 'rules' | 'cards'
  readonly lines: SourceLine[]
  text: string
  bytes: number
}

interface Target extends OperatorServer {
  readonly showProgress: (text: string) => void
}

/** Counts of lines: cards, and rules now in force. */
interface Counts {
  stored: number
  unchanged: number
  refused: number
  rules: number
}

interface ImportResult extends Result {
  readonly imported: Counts
}

export const importCards = defineCommand({
  options: { server: SERVER },
  async run(context) {
    const { name, positionals, reader, say } = context
    const server = operatorOf(context)
    const { origin } = server
    if (positionals.length === 0) {
      const hint = 'as in blazon directory import backup.jsonl --server https://agents.example.com'
      throw new UsageError('missing-argument', `${name}: expected a FILE`, hint)
    }
    say(`importing to ${origin}`)
    const results: ImportResult[] = []
    for (const file of positionals) {
      const target = { ...server, showProgress: (text: string) => reader.showProgress(text) }
      results.push(await importFile(reader.fileOf(file), documentLines(reader, file), target))
    }
    const sum = (part: keyof Counts) => results.reduce((total, { imported }) => total + imported[part], 0)
    const cards = `${sum('stored')} stored, ${sum('unchanged')} unchanged, ${sum('refused')} refused at ${origin}`
    return { results, notes: [sum('rules') === 0 ? cards : `${cards}; in force now: ${counted(sum('rules'), 'rule')}`] }
  },
})

/** Whatever ends the import of a file, `imported` has the counts of what was sent before. */
async function importFile(file: string, lines: AsyncGenerator<SourceLine>, target: Target): Promise<ImportResult> {
  const imported: Counts = { stored: 0, unchanged: 0, refused: 0, rules: 0 }
  try {
    return { ...(await importLines(file, lines, imported, target)), imported }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { ...error.result, file, imported }
  }
}

async function importLines(
  file: string,
  lines: AsyncGenerator<SourceLine>,
  imported: Counts,
  { origin, token, host, showProgress }: Target,
): Promise<Result> {
  const diagnostics: Diagnostic[] = []
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' }
  for await (const { of, text, lines: sent } of batchesOf(lines, (line) => diagnostics.push(tooLong(line, file)))) {
    if (of === 'rules') {
      await operate({ host, origin, token }, '/v1/directory/rules', { method: 'POST', body: rulesOf(text) })
      imported.rules += sent.length
      continue
    }
    const answer = await askPatiently(host, `${origin}/v1/directory/import`, { method: 'POST', headers, body: text })
    const members = 'problem' in answer ? {} : membersOf(answer.bytes)
    const [stored, unchanged, refused] = ['stored', 'unchanged', 'refused'].map((name) => member(members, name))
    if (typeof stored !== 'number' || typeof unchanged !== 'number' || !Array.isArray(refused))
      throw noAnswer(origin, answer)
    imported.stored += stored
    imported.unchanged += unchanged
    imported.refused += refused.length
    for (const one of refused.flatMap((one) => refusalOf(one, sent, file))) diagnostics.push(one)
    showProgress(`imported up to line ${sent.at(-1)!.number} of ${file}`)
  }
  return { file, kind: null, valid: diagnostics.length === 0 && imported.refused === 0, diagnostics }
}

async function* batchesOf(lines: AsyncGenerator<SourceLine>, skip: (line: SourceLine) => void): AsyncGenerator<Batch> {
  let batch: Batch = { of: 'cards', lines: [], text: '', bytes: 0 }
  for await (const line of lines) {
    if (line.bytes === undefined) {
      skip(line)
      continue
    }
    const text = new TextDecoder().decode(line.bytes)
    if (text.trim() === '') continue
    const length = line.bytes.length + 1
    const of = ruleOf(text) === undefined ? 'cards' : 'rules'
    const isFull = batch.lines.length === MOST_LINES || batch.bytes + length > MOST_BYTES
    if (batch.lines.length > 0 && (isFull || batch.of !== of)) {
      yield batch
      batch = { of, lines: [], text: '', bytes: 0 }
    } else if (batch.lines.length === 0) batch = { ...batch, of }
    batch.lines.push(line)
    batch.text += `${text}\n`
    batch.bytes += length
  }
  if (batch.lines.length > 0) yield batch
}

/** The rule in a line; undefined for any other line, which the directory judges. */
function ruleOf(line: string): unknown {
  if (!/^\s*\{\s*"rule"/.test(line)) return undefined
  const value = parse(line).document?.value
  return isObject(value) ? member(value, 'rule') : undefined
}

const rulesOf = (text: string): string => JSON.stringify({ rules: text.trimEnd().split('\n').map(ruleOf) })

/** The reason why the directory refused a line, at its place in the file. */
function refusalOf(value: unknown, sent: readonly SourceLine[], file: string): Diagnostic[] {
  if (!isObject(value)) return []
  const line = sent[Number(member(value, 'line')) - 1]
  if (line === undefined) return []
  return [diagnoseLine(line, PUBLISH_REFUSED, `the directory refused it: ${String(member(value, 'reason'))}`, file)]
}

const tooLong = (line: SourceLine, file: string): Diagnostic =>
  diagnoseLine(line, LIMIT_SIZE, `expected at most ${LINE_BYTES} bytes in a line, found more`, file)
