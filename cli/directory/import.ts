import { diagnose } from '../../bindings/document/diagnose.ts'
import type { Diagnostic, Lines } from '../../bindings/document/index.ts'
import { isObject, member } from '../../bindings/document/members.ts'
import type { Context, Outcome, Result } from '../context.ts'
import type { Host } from '../host.ts'
import { noAnswer } from '../net/answers.ts'
import { askPatiently, membersOf } from '../net/server.ts'
import { neededServer, REFUSED } from '../publish/target.ts'
import type { Bytes } from '../reader.ts'
import { UsageError } from '../usage.ts'

/** What the server takes at once: so many lines, in less than a mebibyte. */
const MOST_LINES = 500
const MOST_BYTES = 1_000_000

/** Lines that are sent together, by their numbers. */
interface Batch {
  readonly numbers: number[]
  text: string
  bytes: number
}

interface Target {
  readonly origin: string
  readonly token: string
}

/** `blazon directory import`: sends lines of a backup; the directory verifies each card again. */
export async function importDirectory(
  { options, reader, host }: Context,
  operands: readonly string[],
  token: string,
): Promise<Outcome> {
  const { origin } = neededServer('directory import', 'to', options)
  if (operands.length === 0) {
    const hint = 'as in blazon directory import backup.jsonl --to https://agents.example.com'
    throw new UsageError('missing-argument', 'directory import: expected a FILE', hint)
  }
  if (!options.has('quiet')) host.stderr.write(`importing to ${origin}\n`)
  const results: Result[] = []
  for (const name of operands) {
    const read = await reader.bytes(name)
    results.push(
      await importFile(read, reader.sources.get(read.file), { origin, token }, host, (sent) => reader.tell(sent)),
    )
  }
  const sum = (part: 'stored' | 'unchanged' | 'refused') =>
    results.reduce((total, { imported }) => total + ((imported as Record<string, number> | undefined)?.[part] ?? 0), 0)
  const notes = [`${sum('stored')} stored, ${sum('unchanged')} there already, ${sum('refused')} refused at ${origin}`]
  return { results, output: [], notes }
}

async function importFile(
  read: Bytes,
  lines: Lines | undefined,
  { origin, token }: Target,
  host: Host,
  tell: (text: string) => void,
): Promise<Result> {
  const { file } = read
  if (read.bytes === undefined) return { file, kind: null, valid: false, diagnostics: [read.diagnostic] }
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

/** Why a line was refused, where it stands. */
function refusalOf(value: unknown, numbers: readonly number[], lines: Lines, file: string): Diagnostic[] {
  if (!isObject(value)) return []
  const number = numbers[Number(member(value, 'line')) - 1]
  if (number === undefined) return []
  const { offset } = lines.line(number)
  const detail = `the directory refuses it: ${String(member(value, 'reason'))}`
  return [diagnose(lines, REFUSED, { pointer: '', offset, endOffset: offset + 1, detail }, file)]
}
