import { MOST_OCTETS } from '../../bindings/card/subject.ts'
import { diagnose } from '../../bindings/document/diagnose.ts'
import type { FindingKind } from '../../bindings/document/finding.ts'
import { compactJson } from '../../bindings/document/fixes.ts'
import { formatJson } from '../../bindings/document/fmt.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { detectKind } from '../../bindings/frame/detect.ts'
import { formOf } from '../../bindings/kinds.ts'
import { defineCommand, EXIT, type Result, UsageError, unreadable } from '../command.ts'
import { FMT_UNWRITABLE, FMT_WOULD_CHANGE } from '../findings.ts'
import type { Input } from '../inputs.ts'
import type { Readable } from '../reader.ts'
import { refuseUnwritable, saveOver } from '../save.ts'

export const command = defineCommand({
  options: {
    check: { about: 'only list the files that are not formatted' },
    write: { about: 'overwrite the files' },
    sort: { about: 'put members into canonical order (RFC 8785)' },
    compact: { about: 'write JSON without white space, and report how much that saves' },
    'add-schema': { about: 'add a missing $schema to agent definitions' },
  },
  async run({ options, positionals, reader, host, print }) {
    const { check, write, compact } = options
    const completed = options['add-schema'] ? (await import('../prompts.ts')).withSchema : undefined
    const requirements = { names: 'signed kinds' } as const
    const inputs = await reader.inputs(positionals, requirements)
    refuse(inputs, options)
    const saved: string[] = []
    let different = 0
    let unwritable = false
    const formatOne = async ({ file, kind, document, diagnostics }: Readable): Promise<Result> => {
      const isText = formOf(kind) !== 'archive'
      const bytes = isText ? await format(completed?.(document) ?? document, options) : undefined
      if (bytes === undefined) {
        const why = finding(document, FMT_WOULD_CHANGE, reasonOf(document, options))
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
        diagnostics: failure === undefined ? diagnostics : [...diagnostics, finding(document, FMT_UNWRITABLE, failure)],
        formatted,
        // For the JSON report, and only if stdout does not get the text anyway. The output of a check may go to a log.
        ...(!check && !write && { text: Buffer.from(bytes).toString() }),
      }
    }
    const results = await reader.results(inputs, formatOne, requirements)
    const read = results.filter(({ formatted }) => formatted !== undefined).length
    return {
      results,
      notes: [...saved, ...((check || write) && read > 0 ? [summary(different, read, write)] : [])],
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
  if (check && write) throw wrong('--check and --write exclude each other', 'leave out one of them')
  if (write) refuseUnwritable(inputs, 'fmt', 'write')
}

/** A note on the size of a card, which must fit the message limit (Agent Card section 7.6). */
function savedBy(file: string, document: Document, bytes: Uint8Array): string {
  const before = document.lines.bytes.length
  const limit = detectKind(document) === 'card' ? `; a card may have ${MOST_OCTETS}` : ''
  return `${file}: ${bytes.length} octets without white space, ${before - bytes.length} fewer${limit}`
}

function reasonOf(document: Document, { sort, compact }: Style): string {
  if (compact && document.format === 'yaml') return 'white space has a meaning in YAML: only JSON can be compact'
  return sort
    ? 'sorting its members would change the document: an alias may end up before its anchor'
    : 'formatting would change the meaning of the document, so it stays as it is'
}

function finding(document: Document, kind: FindingKind, detail: string): Diagnostic {
  const { offset } = document.source('')
  return diagnose(document.lines, kind, { pointer: '', offset, endOffset: offset, detail }, document.file)
}

function summary(different: number, all: number, write: boolean): string {
  const count = `${different} of ${all} ${all === 1 ? 'file' : 'files'}`
  return write ? `${count} formatted` : `${count} not formatted`
}
