import { createHash } from 'node:crypto'
import { canonicalizeWithout } from '../../bindings/core/json.ts'
import { diagnose } from '../../bindings/document/diagnose.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { parsePointer } from '../../bindings/text/members.ts'
import { compact, defineCommand, type Result, UsageError } from '../command.ts'
import { POINTER_NAMES_NOTHING } from '../findings.ts'
import type { Readable } from '../reader.ts'

/** The limit of `canonicalizeWithout`. */
const MOST_POINTERS = 32

export const command = defineCommand({
  options: {
    hash: { value: 'ALGORITHM', choices: ['sha256', 'sha384', 'sha512'], about: 'write this digest instead' },
    without: { value: 'POINTER', many: true, about: 'leave out the value at this JSON Pointer' },
    'json-only': { about: 'read every file as JSON, regardless of its name' },
  },
  async run({ options, positionals, reader, print }) {
    const algorithm = options.hash
    const pointers = checkPointers(options.without)
    const limits = compact({ maxDepth: options['max-depth'] })
    const requirements = {
      anything: true,
      jsonByDefault: true,
      jsonOnly: options['json-only'],
      names: 'signed kinds',
    } as const
    const inputs = await reader.inputs(positionals, requirements)
    const canonicalized = ({ file, document, diagnostics }: Readable): Result => {
      const { payload, removed } =
        pointers.length === 0
          ? { payload: document.canonical, removed: [] }
          : canonicalizeWithout(document.bytes, pointers, limits)
      const result = {
        file,
        kind: null,
        valid: true,
        diagnostics: [...diagnostics, ...missing(document, pointers, removed)],
        bytes: payload.length,
        ...(pointers.length > 0 && {
          removed: removed.map((value, i) => ({ pointer: pointers[i], value: textOrNull(value) })),
        }),
      }
      if (algorithm !== undefined) {
        const value = createHash(algorithm).update(payload).digest('hex')
        print(inputs.length > 1 ? `${value}  ${file}\n` : `${value}\n`)
        return { ...result, hash: { algorithm, value } }
      }
      print(payload, ...(inputs.length > 1 ? ['\n'] : []))
      return {
        ...result,
        // A getter: only the JSON report needs the text.
        get canonical() {
          return textOrNull(payload)
        },
      }
    }
    return { results: await reader.results(inputs, canonicalized, requirements) }
  },
})

function checkPointers(pointers: readonly string[]): readonly string[] {
  for (const pointer of pointers) {
    if (pointer === '' || parsePointer(pointer) === undefined) {
      const message = `--without: expected a JSON Pointer to a part of the document, got "${pointer}"`
      throw new UsageError(
        'invalid-value',
        message,
        'as in --without /signature; in names, write ~1 for / and ~0 for ~',
      )
    }
  }
  if (pointers.length <= MOST_POINTERS) return pointers
  const message = `--without: expected at most ${MOST_POINTERS} pointers, got ${pointers.length}`
  throw new UsageError('invalid-value', message, 'name an object or array instead of its parts')
}

/** Warns about pointers that removed nothing: no signature verifies against such a payload. */
function missing(
  document: Document,
  pointers: readonly string[],
  removed: readonly (Uint8Array | undefined)[],
): Diagnostic[] {
  return pointers.flatMap((pointer, i) => {
    if (removed[i] !== undefined) return []
    const { offset, endOffset } = document.source(pointer)
    const detail = `expected a value at ${pointer} to leave out, found nothing`
    return [diagnose(document.lines, POINTER_NAMES_NOTHING, { pointer, offset, endOffset, detail }, document.file)]
  })
}

const textOrNull = (bytes: Uint8Array | undefined): string | null =>
  bytes === undefined ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
