import { diagnose } from '../../../bindings/document/diagnose.ts'
import type { Lines } from '../../../bindings/document/lines.ts'
import { parse } from '../../../bindings/document/parse.ts'
import type { Diagnostic } from '../../../bindings/document/types.ts'
import { isObject, member } from '../../../bindings/text/members.ts'
import { defineCommand } from '../../command.ts'
import { REFUSED } from '../../findings.ts'
import type { Host } from '../../host.ts'
import { noAnswer } from '../../net/answers.ts'
import { operate } from '../../net/rules.ts'
import { askPatiently, membersOf } from '../../net/server.ts'
import { type Result, unreadable } from '../../outcome.ts'
import { neededServer, neededToken, SERVER } from '../../publish/target.ts'
import type { Bytes } from '../../reader.ts'
import { counted } from '../../report/words.ts'
import { UsageError } from '../../usage.ts'

/** The server's maximum for one request: this many lines, in less than a mebibyte. */
const MOST_LINES = 500
const MOST_BYTES = 1_000_000

/** Lines that are sent together, with their line numbers. Rules go to a separate route. */
interface Batch {
  readonly of: 'rules' | 'cards'
  readonly numbers: number[]
  text: string
  bytes: number
}

interface Target {
  readonly origin: string
  readonly token: string
}

/** Counts of lines: cards, and rules now in force. */
interface Counts {
  stored: number
  unchanged: number
  refused: number
  rules: number
}

interface Imported extends Result {
  readonly imported?: Counts
}

/** `blazon directory import`: sends a backup to a directory, which verifies each card again. */
export const command = defineCommand({
  usage: 'FILE... --server URL',
  details: [
    'Sends the lines of a backup to a directory. The directory verifies each card',
    'again and applies the rules. BLAZON_TOKEN in the environment is the token of the',
    'server.',
  ],
  options: { server: SERVER },
  examples: ['blazon directory import backup.jsonl --server https://agents.example.com'],
  async run({ name, options, positionals, reader, host, say }) {
    const token = neededToken(name, host)
    const { origin } = neededServer(name, options.server)
    if (positionals.length === 0) {
      const hint = 'as in blazon directory import backup.jsonl --server https://agents.example.com'
      throw new UsageError('missing-argument', `${name}: expected a FILE`, hint)
    }
    say(`importing to ${origin}`)
    const results: Imported[] = []
    for (const file of positionals) {
      const read = await reader.tryBytes(file)
      const lines = reader.sources.get(read.file)
      results.push(await importFile(read, lines, { origin, token }, host, (sent) => reader.showProgress(sent)))
    }
    const sum = (part: keyof Counts) => results.reduce((total, { imported }) => total + (imported?.[part] ?? 0), 0)
    const cards = `${sum('stored')} stored, ${sum('unchanged')} unchanged, ${sum('refused')} refused at ${origin}`
    return {
      results,
      notes: [sum('rules') === 0 ? cards : `${cards}; in force now: ${counted(sum('rules'), 'rule')}`],
    }
  },
})

async function importFile(
  read: Bytes,
  lines: Lines | undefined,
  { origin, token }: Target,
  host: Host,
  showProgress: (text: string) => void,
): Promise<Imported> {
  if (read.bytes === undefined) return unreadable(read)
  const { file } = read
  const imported: Counts = { stored: 0, unchanged: 0, refused: 0, rules: 0 }
  const diagnostics: Diagnostic[] = []
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' }
  for (const { of, text, numbers } of batchesOf(lines!)) {
    if (of === 'rules') {
      const made = await operate({ host, origin, token }, '/v1/directory/rules', {
        method: 'POST',
        body: rulesOf(text),
      })
      if ('problem' in made) return { ...made.problem, file, imported }
      imported.rules += numbers.length
      continue
    }
    const answer = await askPatiently(host, `${origin}/v1/directory/import`, { method: 'POST', headers, body: text })
    const members = 'problem' in answer ? {} : membersOf(answer.bytes)
    const [stored, unchanged, refused] = ['stored', 'unchanged', 'refused'].map((name) => member(members, name))
    if (typeof stored !== 'number' || typeof unchanged !== 'number' || !Array.isArray(refused)) {
      return { ...noAnswer(origin, answer), file, imported }
    }
    imported.stored += stored
    imported.unchanged += unchanged
    imported.refused += refused.length
    diagnostics.push(...refused.flatMap((one) => refusalOf(one, numbers, lines!, file)))
    showProgress(`imported up to line ${numbers.at(-1)} of ${file}`)
  }
  return { file, kind: null, valid: imported.refused === 0, diagnostics, imported }
}

function* batchesOf(lines: Lines): Generator<Batch> {
  let batch: Batch = { of: 'cards', numbers: [], text: '', bytes: 0 }
  for (let number = 1; number <= lines.count; number++) {
    const { text } = lines.line(number)
    if (text.trim() === '') continue
    const length = Buffer.byteLength(text) + 1
    const of = ruleOf(text) === undefined ? 'cards' : 'rules'
    const isFull = batch.numbers.length === MOST_LINES || batch.bytes + length > MOST_BYTES
    if (batch.numbers.length > 0 && (isFull || batch.of !== of)) {
      yield batch
      batch = { of, numbers: [], text: '', bytes: 0 }
    } else if (batch.numbers.length === 0) batch = { ...batch, of }
    batch.numbers.push(number)
    batch.text += `${text}\n`
    batch.bytes += length
  }
  if (batch.numbers.length > 0) yield batch
}

/** The rule in a line; undefined for any other line, which the directory judges. */
function ruleOf(line: string): unknown {
  if (!/^\s*\{\s*"rule"/.test(line)) return undefined
  const value = parse(line).document?.value
  return isObject(value) ? member(value, 'rule') : undefined
}

function rulesOf(text: string): string {
  return JSON.stringify({ rules: text.trimEnd().split('\n').map(ruleOf) })
}

/** The reason why the directory refused a line, at its place in the file. */
function refusalOf(value: unknown, numbers: readonly number[], lines: Lines, file: string): Diagnostic[] {
  if (!isObject(value)) return []
  const number = numbers[Number(member(value, 'line')) - 1]
  if (number === undefined) return []
  const { offset } = lines.line(number)
  const detail = `the directory refused it: ${String(member(value, 'reason'))}`
  return [diagnose(lines, REFUSED, { pointer: '', offset, endOffset: offset + 1, detail }, file)]
}
