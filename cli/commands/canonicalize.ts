import { createHash } from 'node:crypto'
import { canonicalizeWithout } from '../../bindings/core/json.ts'
import { diagnose, type FindingKind } from '../../bindings/document/diagnose.ts'
import { type Diagnostic, type Document, parsePointer } from '../../bindings/document/index.ts'
import type { Context, Outcome, Result } from '../context.ts'
import { UsageError } from '../usage.ts'

const NOTHING_REMOVED: FindingKind = {
  code: 'DOC-122',
  rule: 'pointer/names-nothing',
  title: 'Pointer that names nothing',
  spec: 'RFC 6901 section 4',
  severity: 'warning',
}

/** The most that `canonicalizeWithout` takes. */
const MOST_POINTERS = 32

export async function run({ options, positionals, reader }: Context): Promise<Outcome> {
  const algorithm = options.text('hash')
  const pointers = checkPointers(options.list('without'))
  const maxDepth = options.number('max-depth')
  const wish = { jsonByDefault: true, jsonOnly: options.has('json-only') }
  const inputs = await reader.inputs(positionals, wish)
  const results: Result[] = []
  const output: (string | Uint8Array)[] = []
  for await (const { file, document, diagnostics } of reader.documents(inputs, wish)) {
    if (document === undefined) {
      results.push({ file, kind: null, valid: false, diagnostics })
      continue
    }
    const { payload, removed } =
      pointers.length === 0
        ? { payload: document.canonical, removed: [] }
        : canonicalizeWithout(document.bytes, pointers, maxDepth === undefined ? {} : { maxDepth })
    const result = {
      file,
      kind: null,
      valid: true,
      diagnostics: [...diagnostics, ...missing(document, pointers, removed)],
      bytes: payload.length,
      ...(pointers.length > 0 && {
        removed: removed.map((value, i) => ({ pointer: pointers[i], value: textOf(value) })),
      }),
    }
    if (algorithm === undefined) {
      // As a getter: only the JSON report needs the text.
      results.push({
        ...result,
        get canonical() {
          return textOf(payload)
        },
      })
      output.push(payload, ...(inputs.length > 1 ? ['\n'] : []))
    } else {
      const value = createHash(algorithm).update(payload).digest('hex')
      results.push({ ...result, hash: { algorithm, value } })
      output.push(inputs.length > 1 ? `${value}  ${file}\n` : `${value}\n`)
    }
  }
  return { results, output }
}

function checkPointers(pointers: readonly string[]): readonly string[] {
  for (const pointer of pointers) {
    if (pointer === '' || parsePointer(pointer) === undefined) {
      const message = `--without: expected a JSON Pointer to a part of the document, got "${pointer}"`
      throw new UsageError('invalid-value', message, 'as in --without /signature; / is written ~1 in names, ~ is ~0')
    }
  }
  if (pointers.length <= MOST_POINTERS) return pointers
  const message = `--without: expected at most ${MOST_POINTERS} pointers, got ${pointers.length}`
  throw new UsageError('invalid-value', message, 'name a container instead of its parts')
}

/** A payload from which nothing was removed verifies against nothing: worth a word. */
function missing(
  document: Document,
  pointers: readonly string[],
  removed: readonly (Uint8Array | undefined)[],
): Diagnostic[] {
  return pointers.flatMap((pointer, i) => {
    if (removed[i] !== undefined) return []
    const { offset, endOffset } = document.source(pointer)
    const detail = `expected a value at ${pointer} to leave out, found none`
    return [diagnose(document.lines, NOTHING_REMOVED, { pointer, offset, endOffset, detail }, document.file)]
  })
}

function textOf(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
