import { checkPattern, compilePatterns, type PatternKind } from '../../bindings/core/patterns.ts'
import { visible } from '../../bindings/document/hidden.ts'
import { Lines } from '../../bindings/document/index.ts'
import { patternToDiagnostic } from '../../bindings/document/pattern-faults.ts'
import type { Context, Outcome, Result } from '../context.ts'
import { EXIT } from '../exit.ts'
import type { Reader } from '../reader.ts'
import { UsageError } from '../usage.ts'

/** A subject; what is not text has no `text` and is matched by nothing. */
interface Subject {
  readonly shown: string
  readonly text: string | undefined
}

const USAGE = "as in blazon match --kind host '*.example.com' -- api.example.com"

export async function run({ options, positionals: patterns, rest, reader, host }: Context): Promise<Outcome> {
  const kind = options.text('kind') as PatternKind | undefined
  if (kind === undefined) throw new UsageError('missing-option', 'match needs --kind', USAGE)
  if (patterns.length === 0) throw new UsageError('missing-argument', 'match: expected a PATTERN', USAGE)
  if (rest === undefined || rest.length === 0) {
    throw new UsageError('missing-argument', 'match: expected -- and a SUBJECT behind the patterns', USAGE)
  }
  const checked = patterns.map((pattern, i) => checkOne(kind, pattern, `<pattern ${i + 1}>`, reader))
  const broken = checked.some(({ valid }) => !valid)
  if (broken)
    return { results: checked.filter(({ diagnostics }) => diagnostics.length > 0), output: [], exit: EXIT.usage }

  const subjects: Subject[] = []
  for (const text of rest) {
    if (text !== '-') subjects.push({ shown: text, text })
    else {
      const read = await reader.bytes('-')
      if (read.bytes === undefined) {
        return { results: [{ file: read.file, kind: null, valid: false, diagnostics: [read.diagnostic] }], output: [] }
      }
      subjects.push(...linesOf(read.bytes))
    }
  }
  const compiled = compilePatterns(kind, patterns, { ignoreCase: options.has('ignore-case') })
  const first = compiled.firstOf(subjects.map(({ text }) => text ?? '\ud800'))
  const matches = subjects.map(({ shown }, i) => {
    const number = first[i]!
    return { subject: shown, matched: number >= 0, pattern: number < 0 ? null : patterns[number]!, number }
  })
  const show = host.stdout.isTTY ? visible : (text: string) => text
  return {
    results: [
      ...checked.filter(({ diagnostics }) => diagnostics.length > 0),
      ...matches.map((match) => ({ file: null, kind: null, valid: true, diagnostics: [], ...match })),
    ],
    output: matches.map(({ subject, pattern }) => `${show(subject)}\t${show(pattern ?? '')}\n`),
    exit: matches.every(({ matched }) => matched) ? EXIT.clean : EXIT.findings,
  }
}

function checkOne(kind: PatternKind, pattern: string, file: string, reader: Reader): Result {
  const diagnostics = checkPattern(kind, pattern).map((finding) => patternToDiagnostic(kind, pattern, finding, file))
  reader.sources.set(file, new Lines(new TextEncoder().encode(pattern)))
  return { file, kind: null, valid: diagnostics.every(({ severity }) => severity !== 'error'), diagnostics }
}

/** The lines of stdin. What is not UTF-8 (file names can be anything) is shown as well as it can be and matches nothing. */
function linesOf(bytes: Uint8Array): Subject[] {
  const lines = new Lines(bytes)
  const subjects: Subject[] = []
  for (let number = 1; number <= lines.count; number++) {
    const { text, offset } = lines.line(number)
    if (text === '' && number === lines.count) break
    const whole = !text.includes('\ufffd') || startsWith(bytes.subarray(offset), new TextEncoder().encode(text))
    subjects.push({ shown: text, text: whole ? text : undefined })
  }
  return subjects
}

function startsWith(bytes: Uint8Array, head: Uint8Array): boolean {
  return head.every((byte, i) => bytes[i] === byte)
}
