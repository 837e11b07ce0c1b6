import { MOST_OCTETS } from '../../bindings/card/size.ts'
import { compactJson } from '../../bindings/document/compact.ts'
import { diagnose, type FindingKind } from '../../bindings/document/diagnose.ts'
import type { Document } from '../../bindings/document/document.ts'
import { formatJson } from '../../bindings/document/fmt.ts'
import { detectKind } from '../../bindings/document/kind.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import type { Context, Outcome, Result } from '../context.ts'
import { EXIT } from '../exit.ts'
import type { Input } from '../inputs/expand.ts'
import { refuseUnwritable, saveOver, UNWRITABLE } from '../save.ts'
import { UsageError } from '../usage.ts'

const WOULD_CHANGE: FindingKind = {
  code: 'DOC-123',
  rule: 'fmt/would-change',
  title: 'Formatting would change the document',
  spec: 'docs/cli.md',
  severity: 'error',
}

export async function run({ options, positionals, reader, host }: Context): Promise<Outcome> {
  const [check, write] = [options.has('check'), options.has('write')]
  const style: Style = { sort: options.has('sort'), compact: options.has('compact') }
  const completed = options.has('add-schema') ? (await import('../add-schema.ts')).withSchema : undefined
  const wish = { bom: 'warn', names: 'cards too' } as const
  const inputs = await reader.inputs(positionals, wish)
  refuse(inputs, check, write, style)
  const results: Result[] = []
  const output: (string | Uint8Array)[] = []
  const saved: string[] = []
  let different = 0
  let unwritable = false
  for await (const { file, document, diagnostics } of reader.documents(inputs, wish)) {
    const bytes = document && (await format(completed?.(document) ?? document, style))
    if (document === undefined || bytes === undefined) {
      const more = document === undefined ? [] : [finding(document, WOULD_CHANGE, reasonOf(document, style))]
      results.push({ file, kind: null, valid: false, diagnostics: [...diagnostics, ...more] })
      continue
    }
    const formatted = Buffer.compare(bytes, document.lines.bytes) === 0
    const failure = write && !formatted ? await saveOver(host, file, bytes) : undefined
    if (failure !== undefined) unwritable = true
    results.push({
      file,
      kind: null,
      valid: failure === undefined,
      diagnostics: failure === undefined ? diagnostics : [...diagnostics, finding(document, UNWRITABLE, failure)],
      formatted,
      // Only the JSON report needs the text, and only where nothing else gives it: what is checked may be in a log.
      ...(!check && !write && { text: Buffer.from(bytes).toString() }),
    })
    if (!formatted) different++
    if (style.compact) saved.push(savedBy(file, document, bytes))
    if (!check && !write) output.push(bytes, ...(style.compact && inputs.length > 1 ? ['\n'] : []))
    else if (!formatted && failure === undefined) output.push(`${file}\n`)
  }
  return {
    results,
    output,
    notes: [...saved, ...(check || write ? [summary(different, results.length, write)] : [])],
    exit: unwritable ? EXIT.unreadable : check && different > 0 ? EXIT.findings : EXIT.clean,
  }
}

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

function refuse(inputs: readonly Input[], check: boolean, write: boolean, { sort, compact }: Style): void {
  const wrong = (message: string, hint: string) => new UsageError('wrong-arguments', `fmt: ${message}`, hint)
  if (sort && compact) throw wrong('--sort and --compact exclude each other', 'blazon canonicalize does both')
  if (check && write) throw wrong('--check and --write exclude each other', 'give one of them')
  if (write) refuseUnwritable(inputs, 'fmt', 'write')
}

/** A card travels in a message of so many octets (Agent Card section 7.6). */
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
