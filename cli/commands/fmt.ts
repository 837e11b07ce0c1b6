import { MOST_OCTETS } from '../../bindings/card/size.ts'
import { compactJson } from '../../bindings/document/compact.ts'
import { diagnose } from '../../bindings/document/diagnose.ts'
import type { Document } from '../../bindings/document/document.ts'
import type { FindingKind } from '../../bindings/document/finding.ts'
import { formatJson } from '../../bindings/document/fmt.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { detectKind } from '../../bindings/frame/detect.ts'
import { defineCommand } from '../command.ts'
import { EXIT } from '../exit.ts'
import { UNWRITABLE, WOULD_CHANGE } from '../findings.ts'
import type { Input } from '../inputs/expand.ts'
import { type Result, unreadable } from '../outcome.ts'
import type { Readable } from '../reader.ts'
import { refuseUnwritable, saveOver } from '../save.ts'
import { UsageError } from '../usage.ts'

export const command = defineCommand({
  usage: '[FILE...|-] [--check | --write] [--sort | --compact]',
  details: [
    'Writes the documents to stdout. Strings and numbers stay as they were written,',
    'and so do comments, anchors, quotes and the order of members. --check lists',
    'the files that are in another style, and exits 1 when there are some; --write',
    'writes those over and lists them.',
  ],
  options: {
    check: { about: 'only say which files are in another style' },
    write: { about: 'write the files over' },
    sort: { about: 'put members into canonical order (RFC 8785)' },
    compact: { about: 'JSON without white space, and how much that saves' },
    'add-schema': { about: 'give agent definitions the $schema they lack' },
  },
  examples: ['blazon fmt agents --check', "blazon fmt '**/*.adl.yaml' --write", 'blazon fmt - < agent.json'],
  async run({ options, positionals, reader, host, print }) {
    const { check, write, compact } = options
    const completed = options['add-schema'] ? (await import('../add-schema.ts')).withSchema : undefined
    const wish = { names: 'cards too' } as const
    const inputs = await reader.inputs(positionals, wish)
    refuse(inputs, options)
    const saved: string[] = []
    let different = 0
    let unwritable = false
    const formatOne = async ({ file, document, diagnostics }: Readable): Promise<Result> => {
      const bytes = await format(completed?.(document) ?? document, options)
      if (bytes === undefined) {
        const why = finding(document, WOULD_CHANGE, reasonOf(document, options))
        return unreadable({ file, diagnostics: [...diagnostics, why] })
      }
      const formatted = Buffer.compare(bytes, document.lines.bytes) === 0
      const failure = write && !formatted ? await saveOver(host, file, bytes) : undefined
      if (failure !== undefined) unwritable = true
      if (!formatted) different++
      if (compact) saved.push(savedBy(file, document, bytes))
      if (!check && !write) print(bytes, ...(compact && inputs.length > 1 ? ['\n'] : []))
      else if (!formatted && failure === undefined) print(`${file}\n`)
      return {
        file,
        kind: null,
        valid: failure === undefined,
        diagnostics: failure === undefined ? diagnostics : [...diagnostics, finding(document, UNWRITABLE, failure)],
        formatted,
        // Only the JSON report needs the text, and only if nothing else gives it; the output of a check may go to a
        // log.
        ...(!check && !write && { text: Buffer.from(bytes).toString() }),
      }
    }
    const results = await reader.results(inputs, formatOne, wish)
    return {
      results,
      notes: [...saved, ...(check || write ? [summary(different, results.length, write)] : [])],
      exit: unwritable ? EXIT.unreadable : check && different > 0 ? EXIT.findings : EXIT.clean,
    }
  },
})

interface Style {
  readonly sort: boolean
  readonly compact: boolean
}

async function format(document: Document, { sort, compact }: Style): Promise<Uint8Array | undefined> {
  if (compact) return document.format === 'json' ? compactJson(document) : undefined
  if (document.format === 'json') return formatJson(document, { sort })
  const { formatYaml } = await import('../../bindings/document/yaml/fmt.ts')
  return formatYaml(document, { sort })
}

function refuse(
  inputs: readonly Input[],
  { check, write, sort, compact }: Style & Record<'check' | 'write', boolean>,
): void {
  const wrong = (message: string, hint: string) => new UsageError('wrong-arguments', `fmt: ${message}`, hint)
  if (sort && compact) throw wrong('--sort and --compact exclude each other', 'blazon canonicalize does both')
  if (check && write) throw wrong('--check and --write exclude each other', 'give one of them')
  if (write) refuseUnwritable(inputs, 'fmt', 'write')
}

/** A note on the size of a card, which must fit a message of limited size (Agent Card section 7.6). */
function savedBy(file: string, document: Document, bytes: Uint8Array): string {
  const before = document.lines.bytes.length
  const limit = detectKind(document) === 'card' ? `, of ${MOST_OCTETS} that a card may have` : ''
  return `${file}: ${bytes.length} octets without white space, ${before - bytes.length} fewer${limit}`
}

function reasonOf(document: Document, { sort, compact }: Style): string {
  if (compact && document.format === 'yaml') return 'YAML is told apart by its white space: only JSON is made compact'
  return sort
    ? 'with its members in order, it would be another document: an alias may come to stand before its anchor'
    : 'what the formatter makes of it would be read as another document; it stays as it is'
}

function finding(document: Document, kind: FindingKind, detail: string): Diagnostic {
  const { offset } = document.source('')
  return diagnose(document.lines, kind, { pointer: '', offset, endOffset: offset, detail }, document.file)
}

function summary(different: number, all: number, write: boolean): string {
  const count = `${different} of ${all} ${all === 1 ? 'file' : 'files'}`
  return write ? `${count} formatted` : `${count} not formatted`
}
