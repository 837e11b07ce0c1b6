import { diagnose } from '../../../bindings/document/diagnose.ts'
import type { Lines } from '../../../bindings/document/lines.ts'
import type { Diagnostic } from '../../../bindings/document/types.ts'
import { isObject, member } from '../../../bindings/text/members.ts'
import { defineCommand } from '../../command.ts'
import { REFUSED } from '../../findings.ts'
import type { Host } from '../../host.ts'
import { noAnswer } from '../../net/answers.ts'
import { askPatiently, membersOf } from '../../net/server.ts'
import { type Result, unreadable } from '../../outcome.ts'
import { neededServer, neededToken, SERVER } from '../../publish/target.ts'
import type { Bytes } from '../../reader.ts'
import { UsageError } from '../../usage.ts'

/** The server's maximum for one request: this many lines, in less than a mebibyte. */
const MOST_LINES = 500
const MOST_BYTES = 1_000_000

/** Lines that are sent together, with their numbers. */
interface Batch {
  readonly numbers: number[]
  text: string
  bytes: number
}

interface Target {
  readonly origin: string
  readonly token: string
}

interface Imported extends Result {
  /** Counts of lines. */
  readonly imported?: { stored: number; unchanged: number; refused: number }
}

/** `blazon directory import`: sends the lines of a backup; the directory verifies each card again. */
export const command = defineCommand({
  usage: 'FILE... --to URL',
  details: [
    'Sends the lines of a backup to a directory, which verifies each card again.',
    'BLAZON_TOKEN in the environment is the token of the server.',
  ],
  options: { to: SERVER },
  examples: ['blazon directory import backup.jsonl --to https://agents.example.com'],
  async run({ name, options, positionals, reader, host, say }) {
    const token = neededToken(name, host)
    const { origin } = neededServer(name, 'to', options.to)
    if (positionals.length === 0) {
      const hint = 'as in blazon directory import backup.jsonl --to https://agents.example.com'
      throw new UsageError('missing-argument', `${name}: expected a FILE`, hint)
    }
    say(`importing to ${origin}`)
    const results: Imported[] = []
    for (const file of positionals) {
      const read = await reader.tryBytes(file)
      const lines = reader.sources.get(read.file)
      results.push(await importFile(read, lines, { origin, token }, host, (sent) => reader.tell(sent)))
    }
    const sum = (part: 'stored' | 'unchanged' | 'refused') =>
      results.reduce((total, { imported }) => total + (imported?.[part] ?? 0), 0)
    const notes = [`${sum('stored')} stored, ${sum('unchanged')} there already, ${sum('refused')} refused at ${origin}`]
    return { results, notes }
  },
})

async function importFile(
  read: Bytes,
  lines: Lines | undefined,
  { origin, token }: Target,
  host: Host,
  tell: (text: string) => void,
): Promise<Imported> {
  if (read.bytes === undefined) return unreadable(read)
  const { file } = read
  const imported = { stored: 0, unchanged: 0, refused: 0 }
  const diagnostics: Diagnostic[] = []
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' }
  for (const { text, numbers } of batchesOf(lines!)) {
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
    tell(`imported up to line ${numbers.at(-1)} of ${file}`)
  }
  return { file, kind: null, valid: imported.refused === 0, diagnostics, imported }
}

function* batchesOf(lines: Lines): Generator<Batch> {
  let batch: Batch = { numbers: [], text: '', bytes: 0 }
  for (let number = 1; number <= lines.count; number++) {
    const { text } = lines.line(number)
    if (text.trim() === '') continue
    const length = Buffer.byteLength(text) + 1
    if (batch.numbers.length === MOST_LINES || (batch.bytes + length > MOST_BYTES && batch.numbers.length > 0)) {
      yield batch
      batch = { numbers: [], text: '', bytes: 0 }
    }
    batch.numbers.push(number)
    batch.text += `${text}\n`
    batch.bytes += length
  }
  if (batch.numbers.length > 0) yield batch
}

/** The reason why a line was refused, at its place. */
function refusalOf(value: unknown, numbers: readonly number[], lines: Lines, file: string): Diagnostic[] {
  if (!isObject(value)) return []
  const number = numbers[Number(member(value, 'line')) - 1]
  if (number === undefined) return []
  const { offset } = lines.line(number)
  const detail = `the directory refuses it: ${String(member(value, 'reason'))}`
  return [diagnose(lines, REFUSED, { pointer: '', offset, endOffset: offset + 1, detail }, file)]
}
